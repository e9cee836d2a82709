"""Unfinished games as earlier versions kept them: a record with the seed in a private field.

They become the log of a table: the same game, opened and played anew from its seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import chain, count
from typing import Final

from rage.bots import bot
from rage.deal import NamedSeed
from rage.notation.reading import read_record
from rage.notation.replaying import replay
from rage.say import NotReadable
from rage.table import Event, Play, Table
from rage.table.guests import MAX_NAME
from rage.tui.opening import PERSON, open_table

_PRIVATE: Final = "private"


def read_older(data: bytes, changed: int) -> tuple[Table, list[list[Event]]]:
    """The table of such a file, and the events of each command that makes it; ``changed``, in
    milliseconds, is when it began where the file doesn't say. Raises :class:`rage.NotReadable`
    and :class:`rage.NotAllowed`."""
    record = read_record(data)
    private = record.extra.get(_PRIVATE)
    if not isinstance(private, dict):
        raise NotReadable("saved.no_seed")
    bots = _bots(record.extra.get("bots"), len(record.players))
    seat = private.get("seat")
    if type(seat) is not int or not 0 <= seat < len(bots) or bots[seat] is not None:
        raise NotReadable("saved.no_seat")
    at = _moment(record.extra.get("started"), changed)
    played = replay(record)
    names = _fitting(record.players)
    table, opening = open_table(record.rules, names, bots, _seed(private.get("seed")), at)
    commands = [opening]
    for current in played.rounds:
        if table.phase == "over" or table.state.require_play().game.rounds[-1].deal != current.deal:
            raise NotReadable("saved.other_seed")
        for move in current.moves():
            actor = PERSON if table.to_act == seat else None
            commands.append(table.do(Play(table.ply, str(move)), actor, at))
    return table, commands


def _seed(value: object) -> NamedSeed:
    """The seed, which may have been named by the person who plays."""
    try:
        seed = NamedSeed.fromhex(value) if isinstance(value, str) else None
    except ValueError:
        seed = None
    if not seed:
        raise NotReadable("saved.no_seed")
    return seed


def _bots(value: object, players: int) -> tuple[str | None, ...]:
    """The bots by seat, with one person among them, if all of them are known."""
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


def _fitting(names: Sequence[str]) -> list[str]:
    """Names as a table has them: each once, none empty or too long. Earlier versions asked
    less."""
    fitting: list[str] = []
    for seat, name in enumerate(names, 1):
        # Half a surrogate pair cannot be kept.
        plain = name.encode("utf-8", "replace").decode().strip()[:MAX_NAME].strip() or str(seat)
        others = (f"{plain[: MAX_NAME - 4]} {number}" for number in count(2))
        taken = {each.casefold() for each in fitting}
        fitting.append(
            next(each for each in chain([plain], others) if each.casefold() not in taken)
        )
    return fitting
