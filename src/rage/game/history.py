"""The history of a game: tricks, rounds, and how the trump was set."""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple, Self

from rage.engine.deal import Deal
from rage.rules.frozen import Frozen
from rage.rules.hands import Cards, Moves, moves_of
from rage.rules.values import COLOURS, Colour, Move

_set: Final = object.__setattr__

Cause = Literal["deal", "change", "out", "after"]


class TrumpChange(NamedTuple):
    """A moment at which the trump was set: at the deal, by a Change or an Out, or after a trick
    with an Out. ``trick`` and ``card`` count from 0; at the deal both are -1, after a trick
    ``card`` is the number of players. ``cards`` are the stock cards turned over for it."""

    cause: Cause
    trick: int
    card: int
    seat: int | None
    cards: Cards
    trump: Colour | None


class _Past(Frozen):
    """A snapshot of a part of a game: it does not change when the game continues."""

    __slots__: tuple[str, ...] = ()

    def __init__(self, *fields: Any) -> None:
        for name, value in zip(self.__slots__, fields, strict=True):
            _set(self, name, value)

    def _fields(self) -> tuple[Any, ...]:
        """The values of all its fields, in order."""
        return tuple([getattr(self, name.removeprefix("_")) for name in self.__slots__])

    def __eq__(self, other: object) -> bool:
        return self._fields() == other._fields() if type(other) is type(self) else NotImplemented

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), self._fields())


class Trick(_Past):
    """One trick of a number of players: its leader, the moves in order and, once it is full, its
    winner and the trump by which it was judged."""

    __slots__ = ("players", "leader", "moves", "winner", "trump")  # noqa: RUF023  # as in __init__
    players: int
    leader: int
    moves: Moves
    winner: int | None
    trump: Colour | None

    def __init__(
        self,
        players: int,
        leader: int,
        moves: Moves,
        winner: int | None = None,
        trump: Colour | None = None,
    ) -> None:
        _set(self, "players", players)  # one by one: many are made
        _set(self, "leader", leader)
        _set(self, "moves", moves)
        _set(self, "winner", winner)
        _set(self, "trump", trump)

    @property
    def cards(self) -> Cards:
        """The cards in it, in the order played."""
        return Cards(move.card for move in self.moves if move.card)

    @property
    def plays(self) -> list[tuple[int, Move]]:
        """The seats that have played, each with its move, in order."""
        return [(seat_after(self.leader, i, self.players), m) for i, m in enumerate(self.moves)]

    @property
    def winning(self) -> Move | None:
        """The move that has won it; ``None`` until it is full."""
        return next((move for seat, move in self.plays if seat == self.winner), None)

    def __repr__(self) -> str:
        led = (
            f"seat {self.leader} leads {self.moves}"
            if self.moves
            else f"seat {self.leader} to lead"
        )
        return f"<Trick: {led}{'' if self.winner is None else f', seat {self.winner} wins'}>"


#: A trick as numbers: leader, moves, winner and trump. Most are never looked at, so they are
#: replaced by a :class:`Trick` on first use.
Numbers = list[Any]


def _trick(numbers: Numbers, players: int) -> Trick:
    found = numbers.copy()  # a copy that no other thread can change
    if len(found) > 1:
        leader, moves, winner, trump = found
        colour = None if trump is None else COLOURS[trump]
        numbers[:] = found = [Trick(players, leader, moves_of(moves), winner, colour)]
    trick: Trick
    (trick,) = found
    return trick


def seat_after(seat: int, places: int, players: int) -> int:
    """The seat a number of places to the left of another: everything goes clockwise."""
    return (seat + places) % players


def bidding_order(dealer: int, players: int) -> list[int]:
    """The seats in the order in which they bid: from eldest, clockwise."""
    return [seat_after(dealer, 1 + i, players) for i in range(players)]


def side_of(seat: int, sides: int) -> int:
    """The side that a seat scores for: itself, or its team (``docs/rules.md``, Partnerships)."""
    return seat % sides


def seats_of(side: int, sides: int, players: int) -> list[int]:
    """The seats that score for a side: one seat, or a team's."""
    return list(range(side, players, sides))


class Round(_Past):
    """One deal and how it was played. ``deal`` is ``None`` in a view, because hands and stock are
    not public. ``bids``, by seat, is ``None`` for a seat that has not bid, or whose bid is not
    shown; ``won``, the tricks by seat, and ``points``, by side, are ``None`` until the round is
    over."""

    __slots__ = (  # noqa: RUF023  # the order of its fields
        "number", "deal", "dealer", "hand_size", "bids", "trump_changes", "_tricks", "won",
        "points",
    )  # fmt: skip
    number: int
    deal: Deal | None
    dealer: int
    hand_size: int
    bids: tuple[int | None, ...]
    trump_changes: tuple[TrumpChange, ...]
    _tricks: tuple[Trick | Numbers, ...]
    won: tuple[int, ...] | None
    points: tuple[int, ...] | None

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """The tricks that have begun, in order."""
        n = len(self.bids)
        found = tuple([e if isinstance(e, Trick) else _trick(e, n) for e in self._tricks])
        _set(self, "_tricks", found)
        return found

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.bids)

    @property
    def moves(self) -> Moves:
        """Every decision of the round that is shown, in order."""
        made = [self.bids[seat] for seat in bidding_order(self.dealer, len(self.bids))]
        bids = [Move.bid(bid) for bid in made if bid is not None]
        return Moves([*bids, *(move for trick in self.tricks for move in trick.moves)])

    @property
    def over(self) -> bool:
        """Whether it was played to the end."""
        return self.points is not None

    @property
    def met(self) -> list[int] | None:
        """The sides that have won exactly as many tricks as they bid; ``None`` until the round is
        over."""
        if self.points is None or self.won is None:
            return None
        sides = len(self.points)
        return [
            side
            for side in range(sides)
            if sum(bid or 0 for bid in self.bids[side::sides]) == sum(self.won[side::sides])
        ]

    def _public(self) -> Round:
        """This round without its deal."""
        return Round(*[None if n == "deal" else getattr(self, n) for n in self.__slots__])

    def __repr__(self) -> str:
        bids = " ".join("-" if bid is None else str(bid) for bid in self.bids)
        played = sum(trick.winner is not None for trick in self.tricks)
        noun = "trick" if self.hand_size == 1 else "tricks"
        state = f"{played} of {self.hand_size} {noun} played"
        if self.points is not None:
            state = f"points {' '.join(map(str, self.points))}"
        return f"<Round {self.number}, dealt by seat {self.dealer}, bids {bids}, {state}>"
