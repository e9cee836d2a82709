"""The games of a match in a file, one JSON line each, so that a match can be continued."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from math import isfinite
from pathlib import Path
from typing import IO, Any, Final

from rage import __version__
from rage.arena.match import Match, Planned, seatings
from rage.arena.playing import Played
from rage.files import InUse, lock
from rage.rules.editions import ruleset
from rage.say import NotAllowed, NotReadable

_FORMAT: Final = "rage-arena"
_VERSION: Final = 1
#: The errors for a line that is not JSON or not a game, or has endless digits or brackets.
_DAMAGED: Final = (ValueError, KeyError, TypeError, OverflowError, RecursionError)
#: More points than a side can win or lose in a round.
_MOST_POINTS: Final = 10_000


class Ledger:
    """The games of a match that have been played; each new one is appended to the file, if any."""

    def __init__(self, games: list[Played], file: IO[bytes] | None = None) -> None:
        self.games = games
        self._file = file

    def add(self, played: Played) -> None:
        """Record a game. Raises ``OSError`` if the file cannot be written."""
        if self._file is not None:
            self._file.write(_line(_data(played)))
            self._file.flush()
        self.games.append(played)

    @property
    def done(self) -> set[Planned]:
        """The games that have been played."""
        return {each.planned for each in self.games}


@contextlib.contextmanager
def open_ledger(match: Match, path: Path | None) -> Iterator[Ledger]:
    """Open the ledger of a match; its file is locked meanwhile, and created if there is none.
    Without a path, games are not kept. A last line that a killed process left unfinished is cut
    off. Raises :class:`rage.NotAllowed` for the file of another match or one in use,
    :class:`rage.NotReadable` for any other file, and ``OSError``."""
    if path is None:
        yield Ledger([])
        return
    if path.exists() and not path.is_file() and not path.is_dir():  # a device may have no end
        raise NotReadable("arena.file.no_file", file=str(path))
    try:
        with lock(path) as file:
            yield Ledger(_read(match, file, str(path)), file)
    except InUse:
        raise NotAllowed("arena.file.in_use", file=str(path)) from None


def _read(match: Match, file: IO[bytes], name: str) -> list[Played]:
    """Read the games in a file, and leave it ready for more."""
    file.seek(0)
    data = file.read()
    head = _line(_head(match))
    if head.startswith(data):  # a new file, or one whose first line was cut off
        file.truncate(0)
        file.write(head)
        file.flush()
        return []
    first, _, rest = data.partition(b"\n")
    _check_head(match, first, name)
    *lines, torn = rest.split(b"\n")
    if torn:
        file.truncate(len(data) - len(torn))
    rounds = len(ruleset(match.rules).schedule)
    known = {*seatings(len(match.bots), match.sides)}
    if len({*match.bots}) == 1:
        known.add((0,) * match.sides)  # a bot against itself
    games = dict[Planned, Played]()
    for number, line in enumerate(lines, 2):
        try:
            played = _played(json.loads(line), match.sides, rounds)
        except _DAMAGED:
            raise NotReadable("arena.file.damaged", file=name, line=number) from None
        if played.seating not in known:
            raise NotReadable("arena.file.damaged", file=name, line=number)
        games[played.planned] = played
    return [*games.values()]


def _check_head(match: Match, line: bytes, name: str) -> None:
    """Raise :class:`rage.NotReadable` or :class:`rage.NotAllowed` unless the line fits."""
    try:
        head = json.loads(line)
        if head["format"] != _FORMAT:
            raise ValueError
        told = {key: head[key] for key in ("rules", "players", "seed", "rage")}
        told["bots"] = " ".join(map(str, head["bots"]))
    except _DAMAGED:
        raise NotReadable("arena.file.no_match", file=name) from None
    mine = _head(match)
    if head | {"network": None} != mine | {"network": None}:
        raise NotAllowed("arena.file.other", file=name, **told)
    if head != mine:
        raise NotAllowed("arena.file.other_network", file=name)


def _head(match: Match) -> dict[str, Any]:
    """The content of the first line. It names the version of Rage because bots get better."""
    head = {"format": _FORMAT, "version": _VERSION, "rage": __version__}
    return {**head, **match._asdict(), "bots": [*match.bots], "network": match.network}


def _data(played: Played) -> dict[str, Any]:
    """A game as plain data."""
    return {
        "deals": played.number,
        "seating": played.seating,
        "points": played.points,
        "winners": played.winners,
        "met": played.met,
        "moves": played.moves,
        "ms": [round(1000 * each, 3) for each in played.seconds],
        "cpu_ms": [round(1000 * each, 3) for each in played.worked],
    }


def _played(data: Any, sides: int, rounds: int) -> Played:
    """A game of ``rounds`` rounds from plain data. Raises ``ValueError``, ``KeyError``,
    ``TypeError`` or ``OverflowError``."""
    number = data["deals"]
    whole = [tuple(data[key]) for key in ("seating", "points", "winners", "met", "moves")]
    times = [tuple(each / 1000 for each in data[key]) for key in ("ms", "cpu_ms")]
    if not all(type(each) is int for each in (number, *(n for part in whole for n in part))):
        raise TypeError
    seating, points, winners, met, moves = whole
    if {len(part) for part in (seating, points, met, moves, *times)} != {sides} or not winners:
        raise ValueError
    fits = (
        number >= 0
        and all(abs(each) <= _MOST_POINTS * rounds for each in points)
        and len({*winners}) == len(winners)
        and all(0 <= each < sides for each in winners)
        and all(0 <= each <= rounds for each in met)
        and all(each >= 1 for each in moves)
        and all(isfinite(each) and each >= 0 for part in times for each in part)
    )
    if not fits:
        raise ValueError
    return Played(number, seating, points, winners, met, moves, *times)


def _line(data: dict[str, Any]) -> bytes:
    return json.dumps(data, separators=(",", ":")).encode() + b"\n"
