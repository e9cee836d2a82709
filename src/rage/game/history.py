"""What a game remembers: tricks, rounds, and the standing."""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple, Self

from rage.engine.deal import Deal
from rage.engine.kernel import Phase
from rage.engine.position import Position
from rage.rules.editions import name_of
from rage.rules.number import as_int
from rage.rules.ruleset import RuleSet
from rage.rules.values import COLOURS, Cards, Colour, Frozen, Hand, Move, Moves, hand_of, moves_of
from rage.say import NotAllowed

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
    """A part of a game as it was at one moment: it does not change when the game goes on."""

    __slots__: tuple[str, ...] = ()

    def __init__(self, *fields: Any) -> None:
        for name, value in zip(self.__slots__, fields, strict=True):
            _set(self, name, value)

    def fields(self) -> tuple[Any, ...]:
        """The values of all its fields, in order."""
        return tuple([getattr(self, name.removeprefix("_")) for name in self.__slots__])

    def __eq__(self, other: object) -> bool:
        return self.fields() == other.fields() if type(other) is type(self) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # equal parts of a game may still be told apart

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), self.fields())


class Trick(_Past):
    """One trick: its leader, the moves in order and, once it is full, its winner and the trump by
    which it was judged."""

    __slots__ = ("leader", "moves", "winner", "trump")  # noqa: RUF023  # the order of its fields
    leader: int
    moves: Moves
    winner: int | None
    trump: Colour | None

    def __init__(
        self,
        leader: int,
        moves: Moves | None = None,
        winner: int | None = None,
        trump: Colour | None = None,
    ) -> None:
        _set(self, "leader", leader)  # one by one: many are made
        _set(self, "moves", Moves() if moves is None else moves)
        _set(self, "winner", winner)
        _set(self, "trump", trump)

    @property
    def cards(self) -> Cards:
        """The cards in it, in the order played."""
        return Cards(move.card for move in self.moves if move.card)

    def __repr__(self) -> str:
        led = (
            f"seat {self.leader} leads {self.moves}"
            if self.moves
            else f"seat {self.leader} to lead"
        )
        return f"<Trick: {led}{'' if self.winner is None else f', seat {self.winner} wins'}>"


#: A trick as the position has it, in numbers: its leader, moves, winner and trump. Most are never
#: looked at, so the :class:`Trick` is made, and takes their place, when somebody asks for it.
Numbers = list[Any]


def _trick(numbers: Numbers) -> Trick:
    found = numbers.copy()  # which another thread cannot change
    if len(found) > 1:
        leader, moves, winner, trump = found
        colour = None if trump is None else COLOURS[trump]
        numbers[:] = found = [Trick(leader, moves_of(moves), winner, colour)]
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
    not for everyone. ``bids``, by seat, is ``None`` for a seat that has not bid, or whose bid is
    not shown; ``won``, the tricks by seat, and ``points``, by side, are ``None`` until the round is
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
        """The tricks that have been led to."""
        found = tuple([each if isinstance(each, Trick) else _trick(each) for each in self._tricks])
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
        """Whether it has been played to the end."""
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

    def public(self) -> Round:
        """The same without the deal."""
        return self.replace(deal=None)

    def replace(self, **changes: Any) -> Round:
        """The same with some fields changed."""
        return Round(*[changes.get(name, getattr(self, name)) for name in self.__slots__])

    def __repr__(self) -> str:
        bids = " ".join("-" if bid is None else str(bid) for bid in self.bids)
        played = sum(trick.winner is not None for trick in self.tricks)
        state = f"{played} of {self.hand_size} tricks"
        if self.points is not None:
            state = f"points {' '.join(map(str, self.points))}"
        return f"<Round {self.number}, dealt by seat {self.dealer}, bids {bids}, {state}>"


class Standing:
    """What a :class:`rage.Game` and a :class:`rage.View` both tell: rules, players, and everything
    of the round under way and of those before that may be known. Colours, cards and moves are
    values, seats numbers from 0 to ``players`` - 1.

    Everything it answers is a value or a copy."""

    __slots__ = (
        "_changes", "_deal", "_dealer", "_first", "_hand_size", "_leader", "_names",
        "_number", "_past", "_position", "_rules", "_tricks",
    )  # fmt: skip
    _rules: RuleSet
    _names: tuple[str, ...]
    _first: int
    _position: Position
    _past: tuple[Round, ...]  # the rounds that are over
    # Of the round under way; _number is 0 if there is none. Each is replaced, never changed, so
    # that games and views can share them.
    _number: int
    _deal: Deal | None
    _dealer: int
    _hand_size: int
    _changes: tuple[TrumpChange, ...]
    _tricks: tuple[Numbers, ...]  # those that are over
    _leader: int  # of the trick under way, whose cards the position has

    def _share(self, other: Standing) -> None:
        """Take over everything but the position and the rounds that are over."""
        self._rules, self._names, self._first = other._rules, other._names, other._first
        self._number, self._dealer, self._hand_size = other._number, other._dealer, other._hand_size
        self._deal, self._changes, self._tricks = other._deal, other._changes, other._tricks
        self._leader = other._leader

    def _state(self) -> tuple[Any, ...]:
        """All by which games are compared, and views."""
        return (self._names, self._first, self._rules, self._position, self.rounds)

    def _repr(self) -> str:
        """Where it stands, in a line."""
        try:
            rules = name_of(self._rules)
        except NotAllowed:
            rules = self._rules.edition
        number = self._number or (self._past[-1].number if self._past else self._first)
        parts = [rules, f"{len(self._names)} players"]
        parts.append(f"round {number} of {len(self._rules.schedule)}")
        to_act = self.to_act
        if to_act is not None:
            parts.append(f"{self._names[to_act]} to {'bid' if self.bidding else 'play'}")
        else:
            parts.append("over" if self.over else "to be dealt")
        return f"{', '.join(parts)}, {' '.join(map(str, self.scores))}"

    @property
    def rules(self) -> RuleSet:
        """The rule set."""
        return self._rules

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players by seat."""
        return self._names

    @property
    def first_round(self) -> int:
        """The number of the first round that was played in the schedule, from 1."""
        return self._first

    @property
    def position(self) -> Position:
        """A copy of the position: the fast layer, in integers."""
        return self._position.copy()

    @property
    def players(self) -> int:
        """The number of players, with seats from 0 to ``players`` - 1."""
        return len(self._names)

    @property
    def sides(self) -> int:
        """The number of sides that score: the players, or the teams (:func:`side_of`)."""
        return self._rules.teams or len(self._names)

    @property
    def side_seats(self) -> list[list[int]]:
        """The seats of each side: one, or those of a team."""
        sides = self.sides
        return [seats_of(side, sides, self.players) for side in range(sides)]

    def side_of(self, seat: int) -> int:
        """The side that a seat scores for. Raises :class:`rage.NotAllowed` for no seat."""
        return side_of(self._seat(seat), self.sides)

    def _seat(self, seat: int) -> int:
        """A seat, checked."""
        number = as_int(seat)
        if number is None or not 0 <= number < len(self._names):
            raise NotAllowed("view.no_seat", seat=seat, last=len(self._names) - 1)
        return number

    # The game.

    @property
    def to_act(self) -> int | None:
        """The seat whose turn it is; ``None`` before a deal and after the game."""
        return self._position.to_act

    @property
    def over(self) -> bool:
        """Whether the last round of the schedule is over."""
        return self._position.phase == Phase.OVER

    @property
    def bidding(self) -> bool:
        """Whether the next decision is a bid."""
        return self._position.phase == Phase.BIDDING

    @property
    def scores(self) -> list[int]:
        """The points of the finished rounds, by seat or by team."""
        return self._position.scores

    @property
    def winners(self) -> list[int] | None:
        """The winning seats or teams; ``None`` until the game is over."""
        return self._position.winners() if self.over else None

    @property
    def rounds(self) -> tuple[Round, ...]:
        """Every round dealt so far, as it stands now."""
        return self._past if not self._number else (*self._past, self._under_way())

    @property
    def round(self) -> Round | None:
        """The round last dealt, under way or over, as it stands now; ``None`` before the first
        deal."""
        if self._number:
            return self._under_way()
        return self._past[-1] if self._past else None

    def _under_way(
        self, won: tuple[int, ...] | None = None, points: tuple[int, ...] | None = None
    ) -> Round:
        """The round under way as it stands; with what it has brought, once it is over."""
        tricks = self._tricks
        if cards := self._position.trick:
            tricks = (*tricks, [self._leader, cards, None, None])
        return Round(
            self._number, self._deal, self._dealer, self._hand_size, tuple(self._position.bids),
            self._changes, tricks, won, points,
        )  # fmt: skip

    @property
    def moves(self) -> Moves:
        """Every decision so far that is shown, in order."""
        return Moves(move for each in self.rounds for move in each.moves)

    # The round under way.

    @property
    def dealer(self) -> int | None:
        """The seat that dealt the round last dealt."""
        return self._position.dealer

    @property
    def trump(self) -> Colour | None:
        """The trump colour in force."""
        trump = self._position.trump
        return None if trump is None else COLOURS[trump]

    @property
    def led(self) -> Colour | None:
        """The led colour of the trick under way."""
        led = self._position.led
        return None if led is None else COLOURS[led]

    @property
    def trump_changes(self) -> tuple[TrumpChange, ...]:
        """How the trump was set in the round last dealt, in order."""
        return self._changes if self._number or not self._past else self._past[-1].trump_changes

    @property
    def trick(self) -> Trick | None:
        """The trick under way, without moves before its lead; ``None`` unless a card is due."""
        if self._position.phase != Phase.PLAYING:
            return None
        return Trick(self._leader, moves_of(self._position.trick))

    @property
    def ahead(self) -> int | None:
        """The seat that would win the trick under way as it lies; ``None`` if it is empty."""
        return self._position.ahead if self._position.trick else None

    @property
    def bids(self) -> list[int | None]:
        """The bids of the round under way by seat; ``None`` for one not made yet or not shown."""
        return self._position.bids

    @property
    def has_bid(self) -> list[bool]:
        """By seat, whether it has bid in the round under way, shown or not."""
        players, to_act = len(self._names), self._position.to_act
        if not self._number and not self._past:
            return [False] * players
        if not self.bidding or to_act is None:
            return [True] * players
        order = bidding_order(self._dealer, players)
        made = order[: order.index(to_act)]
        return [seat in made for seat in range(players)]

    @property
    def won(self) -> list[int]:
        """The tricks won in the round under way, by seat."""
        return self._position.won

    @property
    def seen(self) -> Hand:
        """The cards of this round that everybody has seen: played, or turned over."""
        return hand_of(self._position.seen())

    @property
    def voids(self) -> list[list[Colour]]:
        """By seat, the colours it has shown in this round that it holds none of."""
        return [[COLOURS[colour] for colour in shown] for shown in self._position.voids]

    @property
    def hand_sizes(self) -> list[int]:
        """The number of cards that each seat holds."""
        players = len(self._names)
        if self._position.phase not in (Phase.BIDDING, Phase.PLAYING):
            return [0] * players
        left = self._hand_size - len(self._tricks)
        played = {seat_after(self._leader, i, players) for i in range(len(self._position.trick))}
        return [left - (seat in played) for seat in range(players)]
