"""What a game remembers: moves, tricks, rounds, and the standing."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, Self

from rage.engine.deal import Deal
from rage.engine.kernel import Phase
from rage.engine.position import Position
from rage.rules.cards import (
    BID,
    CARD_OF_MOVE,
    MOVE_CODES,
    MOVE_NUMBERS,
    N_COLOURED,
    N_MOVES,
    colour_of_move,
)
from rage.rules.number import as_int
from rage.rules.ruleset import RuleSet
from rage.say import NotReadable

#: Format types for numbers only.
_NUMBER_TYPES: Final = (*"bcdeEfFgGnoxX%",)


class Move(int):
    """One decision: a bid, or a card played, with the colour if one is named.

    An integer from 0 to 127 with a name; the names are those of ``docs/record.md``."""

    __slots__ = ()

    def __new__(cls, number: int) -> Self:
        """Raises :class:`rage.NotReadable` for a number that is not from 0 to 127."""
        value = as_int(number)
        if value is None or not 0 <= value < N_MOVES:
            raise NotReadable("move.no_number", number=number, last=N_MOVES - 1)
        return super().__new__(cls, value)

    @classmethod
    def parse(cls, code: str) -> Move:
        """The move of a code such as ``R4``, ``WR``, ``C``, ``X`` or ``3``. Raises
        :class:`rage.NotReadable`."""
        number = MOVE_NUMBERS.get(code)
        if number is None:
            raise NotReadable("move.no_code", card=code)
        return MOVES[number]

    @property
    def bid(self) -> int | None:
        """The number of tricks bid, if this is a bid."""
        return self - BID if self >= BID else None

    @property
    def card(self) -> int | None:
        """The card it plays, as a card number; ``None`` for a bid."""
        return CARD_OF_MOVE[self] if self < BID else None

    @property
    def colour(self) -> int | None:
        """The colour of the card played, or the one called or named."""
        return colour_of_move(self)

    @property
    def rank(self) -> int | None:
        """The rank of a coloured card."""
        return self & 15 if self < N_COLOURED else None

    def __bool__(self) -> Literal[True]:
        """Always true, even for the number 0."""
        return True

    def __format__(self, spec: str) -> str:
        """The code, aligned like text; the number, if the type in ``spec`` is a numeric one."""
        return format(int(self) if spec[-1:] in _NUMBER_TYPES else str(self), spec)

    def __str__(self) -> str:
        return MOVE_CODES[self]

    def __repr__(self) -> str:
        return f"Move.parse({MOVE_CODES[self]!r})"


MOVES: Final = tuple(Move(number) for number in range(N_MOVES))


Cause = Literal["deal", "change", "out", "after"]


class TrumpChange(NamedTuple):
    """A moment at which the trump was set: at the deal, by a Change or an Out, or after a trick
    with an Out. ``trick`` and ``card`` count from 0; at the deal both are -1, after a trick
    ``card`` is the number of players. ``cards`` are the stock cards turned over for it."""

    cause: Cause
    trick: int
    card: int
    seat: int | None
    cards: tuple[int, ...]
    trump: int | None


class Trick:
    """One trick: its leader, the moves in order and, once it is full, its winner and the trump by
    which it was judged."""

    __slots__ = ("leader", "moves", "trump", "winner")

    def __init__(self, leader: int) -> None:
        self.leader = leader
        self.moves: list[Move] = []
        self.winner: int | None = None
        self.trump: int | None = None

    def copy(self) -> Trick:
        """A copy that does not change with this trick."""
        trick = Trick(self.leader)
        trick.moves = self.moves.copy()
        trick.winner, trick.trump = self.winner, self.trump
        return trick

    __copy__ = copy


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


class Round:
    """One deal and how it was played. ``deal`` is ``None`` in a view, because hands and stock are
    not for everyone. ``bids`` is ``None`` for a seat that has not bid, or whose bid is not
    shown."""

    __slots__ = (
        "bids",
        "deal",
        "dealer",
        "hand_size",
        "number",
        "points",
        "tricks",
        "trump_changes",
        "won",
    )

    def __init__(self, number: int, deal: Deal, hand_size: int) -> None:
        self.number = number
        self.deal: Deal | None = deal
        self.dealer = deal.dealer
        self.hand_size = hand_size
        self.bids: list[int | None] = [None] * len(deal.hands)
        self.trump_changes: list[TrumpChange] = []
        self.tricks: list[Trick] = []
        self.won: list[int] | None = None
        self.points: list[int] | None = None

    def moves(self) -> list[Move]:
        """Every decision of the round, in order."""
        made = [self.bids[seat] for seat in bidding_order(self.dealer, len(self.bids))]
        bids = [MOVES[BID + bid] for bid in made if bid is not None]
        return bids + [move for trick in self.tricks for move in trick.moves]

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

    def copy(self, *, public: bool = False) -> Round:
        """A copy that does not change with this round; if ``public``, without the deal."""
        other = Round.__new__(Round)
        other.number, other.dealer, other.hand_size = self.number, self.dealer, self.hand_size
        other.deal = None if public else self.deal
        other.bids = self.bids.copy()
        other.trump_changes = self.trump_changes.copy()
        # The game itself changes no full trick, but the owner of a view might.
        other.tricks = [
            trick.copy() if public or trick.winner is None else trick for trick in self.tricks
        ]
        other.won = None if self.won is None else self.won.copy()
        other.points = None if self.points is None else self.points.copy()
        return other

    __copy__ = copy


class Standing:
    """What a :class:`rage.Game` and a :class:`rage.View` both tell of their position and their
    rounds."""

    __slots__ = ()
    rules: RuleSet
    names: tuple[str, ...]
    first_round: int
    position: Position
    rounds: list[Round]

    @property
    def players(self) -> int:
        """The number of players, with seats from 0 to ``players`` - 1."""
        return len(self.names)

    @property
    def sides(self) -> int:
        """The number of sides that score: the players, or the teams (:func:`side_of`)."""
        return self.rules.teams or self.players

    @property
    def side_seats(self) -> list[list[int]]:
        """The seats of each side: one, or those of a team."""
        sides = self.sides
        return [seats_of(side, sides, self.players) for side in range(sides)]

    def side_of(self, seat: int) -> int:
        """The side that a seat scores for."""
        return side_of(seat, self.sides)

    @property
    def to_act(self) -> int | None:
        """The seat whose turn it is; ``None`` before a deal and after the game."""
        return self.position.to_act

    @property
    def over(self) -> bool:
        """Whether the last round of the schedule is over."""
        return self.position.phase == Phase.OVER

    @property
    def bidding(self) -> bool:
        """Whether the next decision is a bid."""
        return self.position.phase == Phase.BIDDING

    @property
    def scores(self) -> list[int]:
        """The points of the finished rounds, by seat or by team."""
        return self.position.scores

    @property
    def winners(self) -> list[int] | None:
        """The winning seats or teams; ``None`` until the game is over."""
        return self.position.winners() if self.over else None

    @property
    def round(self) -> Round | None:
        """The round last dealt, under way or over; ``None`` before the first deal."""
        return self.rounds[-1] if self.rounds else None
