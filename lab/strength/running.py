"""Plays a match of the list, from where it stopped, until it ends or its time is over."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from time import monotonic
from typing import Final

from lab.strength.listing import FOLDER, Listed
from lab.strength.outcome import GOES_ON, Outcome, hours_of, outcome
from rage.arena import Planned, Played, Watch, open_ledger, plan, play_all

#: The games of each match, in a file, so that it can continue; not in the repository. If the bots
#: have changed, it is another file.
RUNS: Final = FOLDER / "runs"

#: Seconds between two writes of the result.
_EVERY: Final = 60.0


def run(
    listed: Listed,
    until: float,
    processes: int,
    tell: Callable[[Outcome], None],
    folder: Path = RUNS,
) -> Outcome | None:
    """Play a match until it ends or the clock (``monotonic``) reaches ``until``, and ``tell`` the
    result so far from time to time. Returns the last result; ``None`` before a set is complete."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{listed.name}.{listed.digest}.jsonl"
    with open_ledger(listed.match, path) as kept:
        games = kept.games
        ends = _Ends(listed, games)
        done = kept.done
        missing = [each for each in _plan(listed) if each not in done]
        told = monotonic()
        if missing and not ends.why and monotonic() < until:
            playing = play_all(listed.match, missing, processes)
            with closing(playing):
                for played in playing:
                    kept.add(played)
                    ends.add(played)
                    if ends.why or monotonic() >= until:
                        break
                    if monotonic() - told > _EVERY and (so_far := ends.outcome(games)):
                        tell(so_far)
                        told = monotonic()
        return ends.outcome(games)


def least_sets(listed: Listed) -> int:
    """How many sets of deals a match plays at least, even if all is clear before: a published
    difference needs some."""
    return min(100, listed.setup.deals // 5)


class _Ends:
    """Whether a match is over, and why."""

    def __init__(self, listed: Listed, games: list[Played]) -> None:
        self._listed = listed
        self._watch = None
        if len(listed.bots) == 2 and listed.at_least is not None:
            most = listed.setup.deals
            self._watch = Watch(listed.match, listed.at_least, most, least_sets(listed))
        self._hours = 0.0
        self._left = len(_plan(listed))
        self.why = ""
        for game in games:
            self.add(game)

    def add(self, played: Played) -> None:
        """Count a game."""
        self._hours += hours_of([played])
        self._left -= 1
        if self._watch is not None:
            self._watch.add(played)
        if self._watch is not None and self._watch.clear_after is not None:
            self.why = "clear"
        elif self._left == 0:
            self.why = "all deals"
        elif self._hours > self._listed.hours:
            self.why = "hours"

    def outcome(self, games: list[Played]) -> Outcome | None:
        """The result of the match: of the sets up to the one after which it was clear."""
        clear = self._watch.clear_after if self._watch is not None else None
        deals = clear or self._listed.setup.deals
        return outcome(self._listed, games, deals, self.why or GOES_ON)


def _plan(listed: Listed) -> list[Planned]:
    match, deals = listed.match, listed.setup.deals
    if len(listed.bots) == 2:
        return [*plan(match, deals)]
    return [Planned(number, (0,) * match.sides) for number in range(deals)]
