"""The record of a table's game, and the rounds in it that others played."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import groupby
from typing import Any

from rage.engine.deal import commitment
from rage.notation import Record, record_of
from rage.table.shapes import StintData
from rage.table.state import Occupant, State


def record(state: State) -> Record:
    """The record of the game so far (``docs/record.md``), with all hands: only the house may see
    it. Raises :class:`rage.NotAllowed` before a game has begun."""
    play = state.require_play()
    over = play.ended is not None
    hashes, words = list(state.word_commitments), list(play.words)
    return record_of(
        play.game,
        started=_written(play.started),
        ended=None if play.ended is None else _written(play.ended),
        bots=[each.bot for each in _last_occupants(state)],
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


def stints(state: State) -> list[StintData]:
    """Who was dealt which rounds, in order, at the seats that have changed hands."""
    occupants = state.require_play().occupants
    changed = {at for others in earlier_occupants(state).values() for at in others}
    found = list[StintData]()
    for at in sorted(changed):
        runs = groupby(occupants.items(), key=lambda each: _identity(each[1][at]))
        for _, run in runs:
            dealt = list(run)
            who = dealt[-1][1][at]
            found.append(StintData(at, who.name, who.person is None, dealt[0][0], dealt[-1][0]))
    return found


def _identity(each: Occupant) -> tuple[str | None, ...]:
    """What distinguishes an occupant from others."""
    return (each.person,) if each.person is not None else each


def _last_occupants(state: State) -> tuple[Occupant, ...]:
    """The occupants now, or when the game ended."""
    play = state.require_play()
    if play.ended is None:
        return state.occupants
    return tuple(map(Occupant, play.game.names, play.people, play.bots))


def _earlier(state: State) -> list[dict[str, Any]]:
    """The rounds dealt to others than those under whose names the game ends."""
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
    """A time in milliseconds since 1970, as in RFC 3339."""
    return datetime.fromtimestamp(at // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
