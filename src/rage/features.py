"""The table of blocks of the vector that `encode` writes: names, places, ranges and meanings.

The order here is that of the vector, and the only place where it is decided: `encode` takes its
offsets from here, and ``docs/encode.md`` shows this table.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import prod
from typing import Final, NamedTuple

from rage.cards import ACTIONS, N_COLOURED, N_COLOURS, N_MOVES, N_RANKS, colour_of_move
from rage.rules import MAX_HAND, MAX_OF_A_KIND, MAX_PLAYERS, MAX_POINTS, MAX_ROUNDS
from rage.say import NotReadable, text


class Feature(NamedTuple):
    """One block of the vector: its name, where it begins, its shape (``()`` for one number, else
    the sizes of its axes), the least and the greatest value, and the number to divide by for
    values of the size of 1."""

    name: str
    start: int
    shape: tuple[int, ...]
    low: int
    high: int
    scale: int

    @property
    def length(self) -> int:
        """How many numbers the block has."""
        return prod(self.shape)

    @property
    def slice(self) -> slice:
        """Where the block lies in the vector."""
        return slice(self.start, self.start + self.length)

    def meaning(self, language: str = "en") -> str:
        """What the numbers say. Raises :class:`rage.NotReadable` for an unknown language."""
        return text(f"feature.{self.name}", language)


_SEATS = (MAX_PLAYERS,)
_CARDS = (N_COLOURS, N_RANKS)
_KINDS = (len(ACTIONS),)
_MOST = MAX_ROUNDS * (MAX_POINTS + 2 * MAX_HAND + 5 * MAX_OF_A_KIND)
_LEAST = -MAX_ROUNDS * (MAX_POINTS + 5 * MAX_OF_A_KIND)

#: Name, shape, least and greatest value, scale: the order is that of the vector.
_BLOCKS: Final[tuple[tuple[str, tuple[int, ...], int, int, int], ...]] = (
    # the cards
    ("hand", _CARDS, 0, 1, 1),
    ("hand_actions", _KINDS, 0, MAX_OF_A_KIND, 1),
    ("seen", _CARDS, 0, 1, 1),
    ("seen_actions", _KINDS, 0, MAX_OF_A_KIND, 1),
    # the trick under way
    ("trick_colours", (MAX_PLAYERS, N_COLOURS), 0, 1, 1),
    ("trick_ranks", _SEATS, 0, N_RANKS, N_RANKS),
    ("trick_kinds", (MAX_PLAYERS, len(ACTIONS)), 0, 1, 1),
    ("trick_bonus", (), 0, MAX_OF_A_KIND, 1),
    ("trick_mad", (), 0, MAX_OF_A_KIND, 1),
    ("winning", _SEATS, 0, 1, 1),
    ("winning_colour", (2,), 0, 1, 1),
    ("winning_rank", (), 0, N_RANKS, N_RANKS),
    ("led", (2,), 0, 1, 1),
    ("leader", _SEATS, 0, 1, 1),
    ("to_act", _SEATS, 0, 1, 1),
    # the seats
    ("bids", _SEATS, 0, MAX_HAND, MAX_HAND),
    ("bids_known", _SEATS, 0, 1, 1),
    ("needs", _SEATS, -MAX_HAND, MAX_HAND, 5),
    ("side_needs", _SEATS, -3 * MAX_HAND, 3 * MAX_HAND, 5),
    ("won", _SEATS, 0, MAX_HAND, MAX_HAND),
    ("voids", (MAX_PLAYERS, N_COLOURS), 0, 1, 1),
    ("bonus", _SEATS, 0, MAX_OF_A_KIND, 1),
    ("mad", _SEATS, 0, MAX_OF_A_KIND, 1),
    ("cards_left", _SEATS, 0, MAX_HAND, MAX_HAND),
    ("partner", _SEATS, 0, 1, 1),
    ("ahead", _SEATS, _LEAST - _MOST, _MOST - _LEAST, 50),
    ("met", _SEATS, 0, MAX_ROUNDS, 10),
    # the round and the game
    ("trump", (), 0, 1, 1),
    ("turned_up", (N_COLOURS,), 0, 1, 1),
    ("turn_up_due", (), 0, 1, 1),
    ("hand_size", (), 0, MAX_HAND, MAX_HAND),
    ("bid_surplus", (), -MAX_HAND, (MAX_PLAYERS - 1) * MAX_HAND, 5),
    ("place", _SEATS, 0, 1, 1),
    ("rounds_left", (), 0, MAX_ROUNDS, 10),
    ("later", (MAX_HAND,), 0, MAX_ROUNDS, 1),
    ("score", (), _LEAST, _MOST, 50),
    ("phase", (4,), 0, 1, 1),
    # the rule set
    ("players", (MAX_PLAYERS - 1,), 0, 1, 1),
    ("pack", _KINDS, 0, MAX_OF_A_KIND, MAX_OF_A_KIND),
    ("change", (), 0, 1, 1),
    ("out", (), 0, 1, 1),
    ("second_wild", (), 0, 1, 1),
    ("exact", (), -MAX_POINTS, MAX_POINTS, 10),
    ("exact_zero", (), -MAX_POINTS, MAX_POINTS, 10),
    ("miss", (), -MAX_POINTS, MAX_POINTS, 10),
    ("tie", (), 0, 1, 1),
    ("bidding", (3,), 0, 1, 1),
    ("not_tricks", (), 0, 1, 1),
    ("anytime_actions", (), 0, 1, 1),
    ("sweep", (), 0, 1, 1),
    ("teams", (2,), 0, 1, 1),
    ("colours", (), 1, N_COLOURS, N_COLOURS),
    ("ranks", (), 1, N_RANKS, N_RANKS),
    # the moves
    ("legal", (N_MOVES,), 0, 1, 1),
)
_STARTS = (0, *accumulate(prod(shape) for _, shape, *_ in _BLOCKS))

#: Every block of the vector, in order, without gaps.
FEATURES: Final = tuple(
    Feature(block[0], start, *block[1:]) for block, start in zip(_BLOCKS, _STARTS[:-1], strict=True)
)
#: The length of the vector.
SIZE: Final = _STARTS[-1]


def describe(index: int, language: str = "en") -> str:
    """What one number of the vector says: its block, its place there, and the block's meaning.
    Raises :class:`rage.NotReadable` out of the vector."""
    if not 0 <= index < SIZE:
        raise NotReadable("encode.no_feature", number=index, last=SIZE - 1)
    feature = next(each for each in FEATURES if index < each.start + each.length)
    place: list[int] = []
    left = index - feature.start
    for size in reversed(feature.shape):
        left, at = divmod(left, size)
        place.insert(0, at)
    name = feature.name + (f"[{', '.join(map(str, place))}]" if place else "")
    return f"{name}: {feature.meaning(language)}"


def table(language: str = "en") -> str:
    """All blocks as a Markdown table."""
    lines = [text("feature.columns", language), "| --- | --- | --- | --- | --- | --- |"]
    for each in FEATURES:
        shape = " x ".join(map(str, each.shape)) or "1"
        values = f"{each.low} .. {each.high}"
        meaning = each.meaning(language)
        lines.append(
            f"| {each.start} | `{each.name}` | {shape} | {values} | {each.scale} | {meaning} |"
        )
    return "\n".join(lines) + "\n"


def canonical_move(move: int, places: Sequence[int]) -> int:
    """A move of the game as the features number it; ``places`` come from ``encode.colour_places``.
    Raises :class:`rage.NotReadable` out of 0 to 127."""
    return _renamed(move, places)


def actual_move(move: int, places: Sequence[int]) -> int:
    """A move as the features number it, back in the game. Raises :class:`rage.NotReadable` out
    of 0 to 127."""
    inverse = sorted(range(N_COLOURS), key=places.__getitem__)
    return _renamed(move, inverse)


def _renamed(move: int, names: Sequence[int]) -> int:
    if not 0 <= move < N_MOVES:
        raise NotReadable("move.no_number", number=move, last=N_MOVES - 1)
    colour = colour_of_move(move)
    if colour is None:
        return move
    return move + (names[colour] - colour) * (N_RANKS if move < N_COLOURED else 1)
