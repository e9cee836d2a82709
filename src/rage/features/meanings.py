"""The blocks of the vector that `encode` writes: names, places, ranges and meanings.

Their order is decided only here: `encode` takes its offsets from here, and ``docs/encode.md`` shows
this table.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import prod
from typing import Final, NamedTuple

from rage.rules.cards import ACTIONS, N_COLOURED, N_COLOURS, N_MOVES, N_RANKS, colour_of_move
from rage.rules.number import as_int
from rage.rules.settings import MAX_HAND, MAX_OF_A_KIND, MAX_PLAYERS, MAX_POINTS, MAX_ROUNDS
from rage.say import NotReadable


class Feature(NamedTuple):
    """One block of the vector: its name, its start, its shape (``()`` for one number, otherwise the
    sizes of its axes), the least and greatest values, and a divisor that brings values close to
    1."""

    name: str
    start: int
    shape: tuple[int, ...]
    low: int
    high: int
    scale: int

    @property
    def length(self) -> int:
        """The length of the block in the vector."""
        return prod(self.shape)

    @property
    def slice(self) -> slice:
        """The part of the vector that is this block."""
        return slice(self.start, self.start + self.length)

    @property
    def meaning(self) -> str:
        """What the numbers of this block mean, in a sentence."""
        return _MEANINGS[self.name]


_SEATS = (MAX_PLAYERS,)
_CARDS = (N_COLOURS, N_RANKS)
_KINDS = (len(ACTIONS),)
_MAX_SCORE = MAX_ROUNDS * (MAX_POINTS + 2 * MAX_HAND + 5 * MAX_OF_A_KIND)
_MIN_SCORE = -MAX_ROUNDS * (MAX_POINTS + 5 * MAX_OF_A_KIND)

#: Name, shape, least and greatest value, scale, in the order of the vector.
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
    ("ahead", _SEATS, _MIN_SCORE - _MAX_SCORE, _MAX_SCORE - _MIN_SCORE, 50),
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
    ("score", (), _MIN_SCORE, _MAX_SCORE, 50),
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
#: What the numbers of each block mean. Only programmers read this, in ``docs/encode.md``, so it is
#: not in the catalogues.
_MEANINGS: Final = {
    "hand": "own coloured cards, by colour and rank",
    "hand_actions": "own action cards of each kind: Wild, Change, Out, Bonus, Mad",
    "seen": (
        "coloured cards of this round that everybody has seen (played, or turned over), by colour "
        "and rank"
    ),
    "seen_actions": "action cards of this round that everybody has seen, by kind",
    "trick_colours": (
        "by seat, the colour of the card it played to the trick under way, or the one its Wild or "
        "Change called"
    ),
    "trick_ranks": "by seat, the rank of that card; 16 for a Wild, 0 for another action card",
    "trick_kinds": "by seat, the kind of that card, if it is an action card",
    "trick_bonus": "Bonus cards in the trick under way",
    "trick_mad": "Mad cards in the trick under way",
    "winning": "the seat that would win the trick if it ended now",
    "winning_colour": (
        "whether the card that would win it is trump, and whether it is of the led colour"
    ),
    "winning_rank": "the rank of the card that would win it; 16 for a Wild",
    "led": "the led colour: colour 0, or colour 1; neither where nothing is led",
    "leader": "the seat that leads, or led, to the trick under way; in the bidding eldest",
    "to_act": "the seat whose turn it is",
    "bids": "by seat, its bid; 0 where it is not known to this seat",
    "bids_known": "by seat, whether its bid is made, and known to this seat",
    "needs": "by seat, its bid less the tricks it has won; 0 where the bid is not known",
    "side_needs": (
        "by seat, the same for its side (a team, or the seat itself); 0 where a bid of the side "
        "is not known"
    ),
    "won": "by seat, the tricks it has won in this round",
    "voids": "by seat, the colours it has shown to hold none of",
    "bonus": "by seat, the Bonus cards it has won in this round",
    "mad": "by seat, the Mad cards it has won in this round",
    "cards_left": "by seat, how many cards it holds",
    "partner": "by seat, whether it is a partner of this seat",
    "ahead": (
        "by seat, the points of this seat's side less those of that seat's side, in the rounds "
        "that are over"
    ),
    "met": "by seat, how many bids its side has met",
    "trump": "whether there is a trump; it is colour 0",
    "turned_up": (
        "the colour of the turn-up that lies face up; it is not trump after a Change or an Out"
    ),
    "turn_up_due": (
        "whether a new trump will be turned up after this trick, if no Change comes first"
    ),
    "hand_size": "the cards dealt to each player in the round last dealt",
    "bid_surplus": "the sum of the bids known to this seat, less the tricks of the round",
    "place": "this seat's place in the bidding; 0 is eldest",
    "rounds_left": "the rounds that are not over",
    "later": "how many of the rounds not yet dealt are of 1, 2, ... 15 cards",
    "score": "the points of this seat's side, in the rounds that are over",
    "phase": "before a deal, bidding, play, or game over",
    "players": "the number of players: 2, 3, ... 8",
    "pack": "action cards of each kind in the pack",
    "change": "setting change: 0 choose, 1 reveal",
    "out": "setting out: 0 round, 1 trick",
    "second_wild": "setting second_wild: 0 lower, 1 higher",
    "exact": "setting exact, in points",
    "exact_zero": "setting exact_zero, in points",
    "miss": "setting miss, in points",
    "tie": "setting tie: 0 shared, 1 exact_bids",
    "bidding": "setting bidding: open, hidden, or secret",
    "not_tricks": "setting bid_total: 0 any, 1 not_tricks",
    "anytime_actions": "setting anytime_actions",
    "sweep": "setting sweep",
    "teams": "setting teams: two, or three; neither where there are none",
    "colours": "colours in the pack (fewer than 6 in laboratory settings only)",
    "ranks": "ranks in the pack (fewer than 16 in laboratory settings only)",
    "legal": "the legal moves of this seat, in canonical colours; none when it is not its turn",
}
_STARTS = (0, *accumulate(prod(shape) for _, shape, *_ in _BLOCKS))

#: Every block of the vector, in order, without gaps.
FEATURES: Final = tuple(
    Feature(block[0], start, *block[1:]) for block, start in zip(_BLOCKS, _STARTS[:-1], strict=True)
)
#: The length of the vector.
SIZE: Final = _STARTS[-1]


def describe(index: int) -> str:
    """What one number of the vector means: its block, its place there, and the block's meaning.
    Raises :class:`rage.NotReadable` for an index outside the vector."""
    number = as_int(index)
    if number is None or not 0 <= number < SIZE:
        raise NotReadable("encode.no_feature", number=index, last=SIZE - 1)
    feature = next(each for each in FEATURES if number < each.start + each.length)
    place: list[int] = []
    left = number - feature.start
    for size in reversed(feature.shape):
        left, at = divmod(left, size)
        place.insert(0, at)
    name = feature.name + (f"[{', '.join(map(str, place))}]" if place else "")
    return f"{name}: {feature.meaning}"


def canonical_move(move: int, places: Sequence[int]) -> int:
    """The number of a move in the features; ``places`` come from ``encode.colour_places``. Raises
    :class:`rage.NotReadable` for a number that is not from 0 to 127."""
    return _renamed(move, places)


def actual_move(move: int, places: Sequence[int]) -> int:
    """A move of the game from its number in the features. Raises :class:`rage.NotReadable` for a
    number that is not from 0 to 127."""
    inverse = sorted(range(N_COLOURS), key=places.__getitem__)
    return _renamed(move, inverse)


def _renamed(move: int, names: Sequence[int]) -> int:
    if not 0 <= move < N_MOVES:
        raise NotReadable("move.no_number", number=move, last=N_MOVES - 1)
    colour = colour_of_move(move)
    if colour is None:
        return move
    return move + (names[colour] - colour) * (N_RANKS if move < N_COLOURED else 1)
