"""Reads unfinished games that earlier versions saved: a record with the seed in a private field.

They are converted to the log of a table: the same game, replayed from its seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import chain, count
from typing import Final

from rage.bots import bot
from rage.engine.deal import NamedSeed
from rage.notation.reading import read_record
from rage.notation.replaying import replay
from rage.say import NotReadable
from rage.table import Event, Play, Table
from rage.table.names import MAX_NAME, alike, name_from
from rage.tui.opening import PERSON, open_table

_PRIVATE: Final = "private"


def read_legacy(data: bytes, changed: int) -> tuple[Table, list[list[Event]]]:
    """The table of a file of theirs, and the events of each command that made it; if the file
    does not say when the game began, ``changed``, in milliseconds, is taken. Raises
    :class:`rage.NotReadable` and :class:`rage.NotAllowed`."""
    record = read_record(data)
    private = record.extra.get(_PRIVATE)
    if not isinstance(private, dict):
        raise NotReadable("saved.no_seed")
    bots = _read_bots(record.extra.get("bots"), len(record.players))
    seat = private.get("seat")
    if type(seat) is not int or not 0 <= seat < len(bots) or bots[seat] is not None:
        raise NotReadable("saved.no_seat")
    at = _moment(record.extra.get("started"), changed)
    played = replay(record)
    names = _allowed_names(record.players)
    table, opening = open_table(record.rules, names, bots, _seed(private.get("seed")), at)
    commands = [opening]
    for current in played.rounds:
        if table.phase == "over" or table.state.require_play().game.rounds[-1].deal != current.deal:
            raise NotReadable("saved.other_seed")
        for move in current.moves():
            assert table.to_act is not None
            actor = PERSON if table.to_act == seat else None
            commands.append(table.do(Play(table.ply_of(table.to_act), str(move)), actor, at))
    return table, commands


def _seed(value: object) -> NamedSeed:
    """The seed, which the person may have chosen."""
    try:
        seed = NamedSeed.fromhex(value) if isinstance(value, str) else None
    except ValueError:
        seed = None
    if not seed:
        raise NotReadable("saved.no_seed")
    return seed


def _read_bots(value: object, players: int) -> tuple[str | None, ...]:
    """The bots by seat, ``None`` for the one person; all of them must exist."""
    if (
        isinstance(value, list)
        and len(value) == players
        and all(each is None or isinstance(each, str) for each in value)
        and value.count(None) == 1
    ):
        for each in value:
            if each is not None:
                bot(each)
        return tuple(value)
    raise NotReadable("saved.no_seat")


def _moment(written: object, otherwise: int) -> int:
    """A moment as a record writes it, in milliseconds since 1970."""
    try:
        return max(round(1000 * datetime.fromisoformat(str(written)).timestamp()), 0)
    except (ValueError, OverflowError, OSError):
        return otherwise


def _allowed_names(names: Sequence[str]) -> list[str]:
    """Names that a table accepts: none like another, none empty or too long. Earlier versions
    accepted any."""
    fit: list[str] = []
    for seat, name in enumerate(names, 1):
        # Half a surrogate pair cannot be kept.
        plain = name_from(name.encode("utf-8", "replace").decode()) or str(seat)
        others = (f"{plain[: MAX_NAME - 4]} {number}" for number in count(2))
        fit.append(
            next(each for each in chain([plain], others) if not any(alike(each, o) for o in fit))
        )
    return fit
