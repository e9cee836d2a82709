"""Bytes of positions, changed at random: what is read of them can be asked anything. To be run in a
process of its own (``python -m fuzzed_positions SEED GAMES CHANGES``), for a crash ends it."""

from __future__ import annotations

import sys
from contextlib import suppress
from random import Random
from typing import Any

from bots.choices import decisions
from rage import NotAllowed
from rage.bots.net import network
from rage.bots.rollouts import Rollouts
from rage.bots.steady import best_move_of
from rage.bots.worlds import sample_worlds
from rage.engine.position import Position
from rage.engine.position_bytes import from_bytes
from rage.engine.uncompiled import State
from rage.features.encode import encode


def forms_of(position: Position) -> list[Position]:
    """A position, whole and as players and spectators know it, with and without memory."""
    seats = [None, *range(position.rules.players)]
    masked = [position, *map(position.masked, seats)]
    return [*masked, *(each.forgetful() for each in masked)]


def changed(data: bytes, rng: Random) -> bytes:
    """The same bytes with another value in one or two places."""
    other = bytearray(data)
    for _ in range(rng.choice((1, 1, 2))):
        other[rng.randrange(256)] = rng.choice((0, 1, 2, 7, 15, 127, 255, rng.randrange(256)))
    return bytes(other)


def ask_anything(position: Position, seed: int) -> None:
    """What the API and the bots ask of a position; they may refuse it."""
    for seat in range(position.rules.players):
        encode(position, seat)
        network("general").tricks(position, seat)
    assert all(0 <= move < 128 for move in position.legal())
    assert all(each < 6 for void in position.voids for each in void)
    assert position.seen()
    assert position.winners()
    assert position.ahead in (None, *range(position.rules.players))
    turn = position.to_act
    if turn is None or not position.hand(turn):
        return
    best_move_of(position)
    network("general").values(position)
    for view in (position, position.masked(turn)):
        with suppress(NotAllowed):
            sample_worlds(view, turn, 3, seed)
        for policy, plies in (("random", 0), ("steady", 0), (network("general"), 3)):
            with suppress(NotAllowed):
                search = Rollouts(view, seed, policy, plies)
                search.keep(view.legal())
                search.run(2)
                search.exhaust(20)
    with suppress(NotAllowed):
        position.copy().playout(seed)


class _Memory(list[int]):
    """A list as C has it: before its first place is what belongs to others."""

    def __getitem__(self, place: Any) -> Any:
        assert isinstance(place, slice) or place >= 0
        return super().__getitem__(place)

    def __setitem__(self, place: Any, value: Any) -> None:
        assert isinstance(place, slice) or place >= 0
        super().__setitem__(place, value)


def refuse_places_below_0() -> None:
    """Uncompiled, let no record of a game take -1 for the last place of a list."""
    begin = State.__init__

    def begin_strictly(state: State) -> None:
        begin(state)
        for name in State.__slots__:
            value = getattr(state, name)
            if isinstance(value, list):
                setattr(state, name, _Memory(value))

    setattr(State, "__init__", begin_strictly)  # noqa: B010  # mypy lets no method be replaced


def main(seed: int, games: int, changes: int) -> None:
    """Of each decision of some games, change the bytes so many times; print how many changes were
    read and how many refused."""
    rng = Random(seed)
    read = refused = 0
    for _ in range(games):
        for position, _ in decisions(rng, rounds=2, most=6):
            form = rng.choice(forms_of(position))
            whole = form.to_bytes()
            for _ in range(changes):
                data = changed(whole, rng)
                try:
                    other = from_bytes(position.rules, data)
                except NotAllowed:
                    refused += 1
                    continue
                read += 1
                ask_anything(other, seed)
    print(read, refused)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
