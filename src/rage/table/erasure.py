"""Erases a person from a table: their id, their sign, and every name they had."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import count

from rage.say import ERASED
from rage.table.authority import Table
from rage.table.facts.events import Event, Joined, Renamed
from rage.table.snapshot import read_snapshot, write_snapshot


def neutral_name(text: str) -> str:
    """A name to replace an erased one, which does not occur in a text."""
    return next(name for number in count(1) if (name := f"{ERASED}{number}") not in text)


def without(table: Table, events: Iterable[Event], people: Collection[str], stranger: str) -> Table:
    """A table without a person who has left it. ``stranger`` replaces all their ids (``people``),
    and a neutral name all the names they had, as far as the table and its ``events`` tell. The
    number of its last event changes, so that no one who knows the table takes it for the same."""
    state = table.state
    facts = [each.fact for each in events]
    names = {
        fact.name for fact in facts if isinstance(fact, Joined | Renamed) and fact.person in people
    }
    names.update(state.gone.get(person, "") for person in people)
    if state.play is not None:
        rounds = state.play.occupants.values()
        names.update(who.name for round_ in rounds for who in round_ if who.person in people)
        last = zip(state.play.game.names, state.play.people, strict=False)  # empty before the end
        names.update(name for name, each in last if each in people)
    names -= {"", *(guest.name for guest in state.guests.values())}
    written = write_snapshot(state).decode()
    neutral = neutral_name(written)
    for person in people:
        written = written.replace(f'"{person}"', f'"{stranger}"')
    other = Table()
    other.state = state = read_snapshot(written.encode())

    def renamed(given: Iterable[str]) -> tuple[str, ...]:
        return tuple(neutral if name in names else name for name in given)

    state.seq += 1
    state.seating = renamed(state.seating)
    state.gone = dict(zip(state.gone, renamed(state.gone.values()), strict=True))
    for seat in state.seats:
        if seat.person is None:
            (seat.name,) = renamed([seat.name])
    if (play := state.play) is not None:
        ended = zip(play.game.names, play.signs, strict=False)  # no signs before the end
        play.signs = tuple("" if name in names else sign for name, sign in ended)
        play.game = play.game.with_names(renamed(play.game.names))
        for number, round_ in play.occupants.items():
            play.occupants[number] = tuple(
                who._replace(name=neutral) if who.person == stranger else who for who in round_
            )
    return other
