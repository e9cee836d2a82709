"""The properties of the features, each over one random game; called by the tests, and by them
once more in a process where everything runs uncompiled."""

from __future__ import annotations

from hashlib import sha256
from itertools import pairwise
from random import Random

from features.lines import Line, another_world, any_line, random_line, recoloured, rotated
from features.reading import expected
from rage.features.encode import FEATURES, actual_move, canonical_move, colour_places, encode


def blocks_are_as_read(line: Line) -> None:
    """Every number is what a second, slow reading of the masked position says, and in range; and
    masking changes none."""
    for position in line.positions():
        for seat in range(line.players):
            vector = encode(position, seat)
            assert encode(position.masked(seat), seat) == vector
            blocks = expected(position, seat)
            assert blocks.keys() == {feature.name for feature in FEATURES}
            for feature in FEATURES:
                found = vector[feature.slice].tolist()
                assert found == blocks[feature.name], (feature.name, seat)
                assert feature.low <= min(found) <= max(found) <= feature.high, feature.name


def hidden_cards_change_nothing(line: Line, seat: int, rng: Random) -> int:
    """Other hidden cards and bids give the same vector; answers with how many were changed."""
    other, changes = another_world(line, seat, rng)
    for one, two in zip(line.positions(), other.positions(), strict=True):
        assert encode(one, seat) == encode(two, seat)
    return changes


def rotation_changes_nothing(line: Line, steps: int) -> None:
    """A seat further round the table gives the same vector, and the same canonical colours."""
    for one, two in zip(line.positions(), rotated(line, steps).positions(), strict=True):
        for seat in range(line.players):
            moved = (seat + steps) % line.players
            assert encode(one, seat) == encode(two, moved)
            assert colour_places(one, seat) == colour_places(two, moved)


def names_of_colours_change_nothing(line: Line, names: tuple[int, ...]) -> None:
    """Renamed colours give the same vector, and the legal moves come back as legal ones."""
    renamed = recoloured(line, names)
    for one, two in zip(line.positions(), renamed.positions(), strict=True):
        for seat in range(line.players):
            assert encode(one, seat) == encode(two, seat)
        if one.to_act is not None:
            places = colour_places(two, one.to_act)
            canonical = {canonical_move(m, colour_places(one, one.to_act)) for m in one.legal()}
            assert {actual_move(move, places) for move in canonical} == set(two.legal())


def colours_are_in_order(line: Line) -> None:
    """Trump first, what is led next, the others by own length and then by own ranks."""
    for position in line.positions():
        for seat in range(line.players):
            places = colour_places(position, seat)
            order = sorted(range(6), key=places.__getitem__)
            assert sorted(places) == list(range(6))
            own: list[list[int]] = [
                sorted((card % 16 for card in position.hand(seat) if card // 16 == c), reverse=True)
                for c in range(6)
            ]
            keys = [(c == position.trump, c == position.led, len(own[c]), own[c]) for c in order]
            assert all(one >= two for one, two in pairwise(keys))


def digest(games: int, seed: int) -> str:
    """One number for all encodings of some random games: equal compiled and uncompiled."""
    rng = Random(seed)
    total = sha256()
    for _ in range(games):
        line = any_line(rng)
        for position in line.positions():
            for seat in range(line.players):
                total.update(encode(position, seat).tobytes())
                total.update(bytes(colour_places(position, seat)))
    return total.hexdigest()


def check_all(games: int, seed: int) -> int:
    """All properties over some random games; answers with how many hidden things were changed."""
    rng = Random(seed)
    changes = 0
    for _ in range(games):
        line = any_line(rng)
        blocks_are_as_read(line)
        rotation_changes_nothing(line, rng.randrange(1, line.players))
        names = list(range(6))
        rng.shuffle(names)
        names_of_colours_change_nothing(line, tuple(names))
        colours_are_in_order(line)
        part = random_line(line.rules, line.players, rng, rng.randrange(len(line.moves)))
        changes += hidden_cards_change_nothing(part, rng.randrange(line.players), rng)
    return changes
