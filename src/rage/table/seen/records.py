"""The record of a table's game, and the holders of its seats: a round counts for the player to whom
it was dealt."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from rage.engine.deal import commitment
from rage.notation.record import Record, holders, holders_of, record_of
from rage.table.facts.shapes import HolderData
from rage.table.parts import Occupant
from rage.table.state import State


def record(state: State) -> Record:
    """The record of the game so far (``docs/record.md``), with all hands: only the house may see
    it. Raises :class:`rage.NotAllowed` before a game has begun."""
    play = state.require_play()
    over = play.ended is not None
    hashes, words = list(state.word_commitments), list(play.words)
    signs = list(play.signs) if over else [seat.sign for seat in state.seats]
    return record_of(
        play.game,
        started=_written(play.started),
        ended=None if play.ended is None else _written(play.ended),
        bots=[each.bot for each in _last_occupants(state)],
        signs=signs if any(signs) else None,
        earlier=_earlier(state) or None,
        commitment=commitment(play.dealer.seed),
        words=[word or None for word in words] if hashes else words or None,
        word_commitments=hashes or None,
        seating=list(state.seating) or None,
        first_dealer=play.given_dealer,
        seed=play.dealer.seed.hex() if over else None,
    )


def earlier_occupants(state: State) -> dict[int, dict[int, Occupant]]:
    """By round and seat, the occupants who were dealt cards and no longer have the seat, or did not
    when the game ended. A renamed person is the same occupant, a renamed bot is not."""
    last, found = _last_occupants(state), dict[int, dict[int, Occupant]]()
    for number, occupants in state.require_play().occupants.items():
        others = {
            at: each for at, each in enumerate(occupants) if _identity(each) != _identity(last[at])
        }
        if others:
            found[number] = others
    return found


def holders_at(state: State) -> list[list[HolderData]]:
    """By seat, everyone who held it in the game, in order; none before a game has begun."""
    if state.play is None:
        return []
    found = holders(state.play.occupants, _last_occupants(state), _identity)
    return [
        [HolderData(who.name, who.person is None, first) for who, first in held] for held in found
    ]


def holders_in(record: Record) -> list[list[HolderData]]:
    """By seat, everyone who held it in the game of a record, which does not say who was a bot."""
    return [[HolderData(name, False, first) for name, first in held] for held in holders_of(record)]


def _identity(each: Occupant) -> tuple[str | None, ...]:
    """A key that distinguishes an occupant from others."""
    return (each.person,) if each.person is not None else each


def _last_occupants(state: State) -> tuple[Occupant, ...]:
    """The occupants now, or when the game ended."""
    play = state.require_play()
    if play.ended is None:
        return state.occupants
    return tuple(map(Occupant, play.game.names, play.people, play.bots))


def _earlier(state: State) -> list[dict[str, Any]]:
    """The rounds whose occupants differ from the last ones."""
    occupants = state.require_play().occupants
    return [
        {
            "round": number,
            "players": [each.name for each in occupants[number]],
            "bots": [each.bot for each in occupants[number]],
        }
        for number in earlier_occupants(state)
    ]


def _written(at: int) -> str:
    """A time in milliseconds since 1970, in the format of RFC 3339."""
    return datetime.fromtimestamp(at // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
