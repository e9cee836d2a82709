"""The result of a match, a file of ``results`` each."""

from __future__ import annotations

import json
import platform
import subprocess
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from statistics import fmean
from typing import Any, Final, NamedTuple

from lab.benchmarks.builds import ROOT
from lab.benchmarks.progress import Failure
from lab.strength.listing import FOLDER, Listed, budgets
from rage import __version__
from rage.arena import Match, Played, evaluate
from rage.arena.intervals import Estimate, estimate
from rage.rules.editions import ruleset

RESULTS: Final = FOLDER / "results"
#: By bot, the third-party packages it uses.
_PACKAGES: Final = {"openspiel": ("open_spiel",), "rlcard": ("rlcard", "torch")}
#: The reason of a match that has not ended.
GOES_ON: Final = "goes on"


class Outcome(NamedTuple):
    """The result of a match: the lead of the first bot, or the share of its bids that a bot meets,
    with the interval for stopping (``None`` before it begins) and the reason for its end;
    ``milliseconds`` of the processor a move, and ``met`` bids, of each bot. ``digest`` tells
    whether the bots are still the same (:attr:`Listed.digest`); ``commit`` and ``processor`` are
    those of the last session, and so is ``against``: the third-party programs that played, with
    their versions."""

    name: str
    bots: tuple[str, ...]
    rules: str
    players: int
    seed: str
    at_least: float | None
    says: str | None
    deals: int
    difference: float
    interval: tuple[float, float] | None
    ended: str
    milliseconds: tuple[float, ...]
    met: tuple[float, ...]
    hours: float
    network: str | None
    rage: str
    commit: str
    processor: str
    digest: str
    against: str = ""

    @property
    def over(self) -> bool:
        """Whether the match has ended: it was clear, or has used all its deals or hours."""
        return self.ended != GOES_ON

    @property
    def reached(self) -> str:
        """Whether the figure is reached: ``yes``, ``no``, ``unclear``, or empty if there is
        none."""
        if self.at_least is None:
            return ""
        if self.interval is None:
            return "unclear"
        low, high = self.interval
        if low >= self.at_least:
            return "yes"
        return "no" if high < self.at_least else "unclear"

    def write(self, folder: Path = RESULTS) -> None:
        """Write it to its file."""
        folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(self._asdict(), indent=1, ensure_ascii=False)
        (folder / f"{self.name}.json").write_text(text + "\n", encoding="utf-8")


def read_outcomes(names: Iterable[str], folder: Path = RESULTS) -> dict[str, Outcome]:
    """The available results by the names of their matches, in this order. Raises :class:`Failure`
    for a damaged file."""
    found = {}
    for name in names:
        path = folder / f"{name}.json"
        if path.exists():
            try:
                data = json.loads(path.read_text(encoding="utf-8"))
                found[name] = Outcome(**{key: _tuples(value) for key, value in data.items()})
            except (AttributeError, TypeError, ValueError) as error:
                why = "is damaged; without it, it is made again from the games that were played"
                raise Failure(f"{path} {why}") from error
    return found


def _tuples(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def outcome(listed: Listed, games: Sequence[Played], deals: int, ended: str) -> Outcome | None:
    """The result of the games in the sets of deals below a number; ``None`` before the first set is
    complete."""
    match = listed.match
    if len(listed.bots) == 1:
        found = _bids(match, [game for game in games if game.number < deals])
    else:
        found = _difference(match, games, deals, listed.alone)
    if found is None:
        return None
    ahead, milliseconds, met = found
    return Outcome(
        listed.name,
        listed.bots,
        listed.setup.rules,
        listed.setup.players,
        listed.seed,
        listed.at_least,
        listed.says,
        ahead.deals,
        ahead.mean,
        ahead.interval(ahead.half_sequence),
        ended,
        milliseconds,
        met,
        hours_of(games),
        match.network,
        __version__,
        _commit(),
        _processor(),
        listed.digest,
        ", ".join(f"{name} {version(name)}" for name in _foreign(listed)),
    )


def _foreign(listed: Listed) -> tuple[str, ...]:
    """The third-party packages that play in a match."""
    bots = {budgets()[bot].bot if bot in budgets() else bot for bot in listed.bots}
    return tuple(name for bot in sorted(bots) for name in _PACKAGES.get(bot, ()))


def hours_of(games: Iterable[Played]) -> float:
    """The hours of processor time that all bots have thought in some games."""
    return sum(sum(game.worked) for game in games) / 3600


#: A mean with its intervals, milliseconds a move, and shares of bids met.
_Found = tuple[Estimate, tuple[float, ...], tuple[float, ...]]


def _difference(match: Match, games: Sequence[Played], deals: int, alone: bool) -> _Found | None:
    results = evaluate(match, games, deals)
    if results is None:
        return None
    (pair,) = results.pairs
    ahead = pair.alone[0] if alone else pair.ahead
    each = pair.tallies
    return ahead, tuple(t.cpu_ms_per_move for t in each), tuple(t.bids_met for t in each)


def _bids(match: Match, games: Sequence[Played]) -> _Found | None:
    """The share of bids met in play against itself. Every game has one round of each hand size, so
    its share is the mean over them."""
    if not games:
        return None
    bids = match.sides * len(ruleset(match.rules).schedule)
    shares = estimate([sum(game.met) / bids for game in games])
    moves = sum(sum(game.moves) for game in games)
    worked = sum(sum(game.worked) for game in games)
    met = fmean(sum(game.met) / bids for game in games)
    return shares, (1000 * worked / moves,), (met,)


def _commit() -> str:
    """The commit that is checked out, with a ``+`` if code or list have changed since; files
    written here do not count."""
    changed = _git("status", "--porcelain", "--", "src", "*.py", "*.toml")
    return _git("rev-parse", "--short=12", "HEAD") + ("+" if changed else "")


def _git(*words: str) -> str:
    """The output of git on the repository; empty without git."""
    command = ["git", "-C", str(ROOT), *words]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip()


def _processor() -> str:
    """The name of the processor, if it can be read."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
