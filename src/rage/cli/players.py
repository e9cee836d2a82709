"""The players of a game by seat, in words."""

from __future__ import annotations

from collections.abc import Sequence

from rage.notation import Record, holders_of
from rage.notation.record import Holder
from rage.say import text, visible


def players_of(record: Record, language: str) -> list[str]:
    """By seat, everybody who held it."""
    return [tell_holders(each, language) for each in holders_of(record)]


def tell_holders(holders: Sequence[Holder[str]], language: str) -> str:
    """Everybody who held a seat: "Fox, from round 6 Hare"."""
    told = visible(holders[0].who, language)
    for each in holders[1:]:
        code, name = "seat.then" if each.first is None else "seat.from", visible(each.who, language)
        told = text(code, language, before=told, round=each.first, name=name)
    return told
