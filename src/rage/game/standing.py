"""The common part of games and views: rules, players, and the state of the game."""

from __future__ import annotations

from typing import Any

from rage.engine.deal import Deal
from rage.engine.kernel import Phase
from rage.engine.position import Position
from rage.game.history import (
    Numbers,
    Round,
    Trick,
    TrumpChange,
    bidding_order,
    seat_after,
    seats_of,
    side_of,
)
from rage.rules.hands import Hand, Moves, hand_of, moves_of
from rage.rules.number import whole_number
from rage.rules.ruleset import RuleSet
from rage.rules.values import COLOURS, Colour
from rage.say import NotAllowed, seat_name


class Standing:
    """The common part of :class:`rage.Game` and :class:`rage.View`: rules, players, and everything
    that may be known of the rounds so far. Colours, cards and moves are values, and seats are
    numbers from 0 to ``players`` - 1.

    Everything it returns is a value or a copy."""

    __slots__ = (
        "_changes", "_deal", "_dealer", "_first", "_hand_size", "_leader", "_names",
        "_number", "_past", "_position", "_rules", "_tricks",
    )  # fmt: skip
    _rules: RuleSet
    _names: tuple[str, ...]
    _first: int
    _position: Position
    _past: tuple[Round, ...]  # the rounds that are over
    # The round under way; _number is 0 if there is none. Each field is replaced, never changed, so
    # that games and views can share it.
    _number: int
    _deal: Deal | None
    _dealer: int
    _hand_size: int
    _changes: tuple[TrumpChange, ...]
    _tricks: tuple[Numbers, ...]  # the finished ones
    _leader: int  # of the trick under way, whose cards the position has

    def _share(self, other: Standing) -> None:
        """Copy everything except the position and the finished rounds."""
        self._rules, self._names, self._first = other._rules, other._names, other._first
        self._number, self._dealer, self._hand_size = other._number, other._dealer, other._hand_size
        self._deal, self._changes, self._tricks = other._deal, other._changes, other._tricks
        self._leader = other._leader

    @classmethod
    def _at(cls, position: Position) -> Standing:
        """The standing at a position, without what it has forgotten: earlier tricks and rounds."""
        found, moment = Standing.__new__(Standing), position._moment
        found._rules, found._names = moment.rules, default_names(moment.players)
        found._position, found._past = position, ()
        found._first = min(moment.round, len(moment.rules.schedule))
        found._number = moment.round if moment.phase in ("bid", "play") else 0
        found._deal, found._changes, found._tricks = None, (), ()
        found._dealer, found._leader = moment.dealer or 0, moment.leader or 0
        found._hand_size = moment.hand_size
        return found

    def _state(self) -> tuple[Any, ...]:
        """Everything that the equality of games and views compares."""
        return (self._names, self._first, self._rules, self._position, self.rounds)

    def _repr(self) -> str:
        """The state of the game, in one line."""
        try:
            rules = self._rules.name
        except NotAllowed:
            rules = self._rules.edition
        number = self._number or (self._past[-1].number if self._past else self._first)
        parts = [rules, f"{len(self._names)} players"]
        parts.append(f"round {number} of {len(self._rules.schedule)}")
        to_act = self.to_act
        if self._position.phase == Phase.PLAYING:
            parts.append(f"trick {self._position.tricks + 1}")
        if to_act is not None:
            name = seat_name(to_act, "en", self._names)
            parts.append(f"{name} to {'bid' if self.bidding else 'play'}")
        else:
            parts.append("over" if self.over else "to be dealt")
        return f"{', '.join(parts)}, {' '.join(map(str, self.scores))}"

    @property
    def rules(self) -> RuleSet:
        """The rule set of the game."""
        return self._rules

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players by seat."""
        return self._names

    @property
    def first_round(self) -> int:
        """The number in the schedule of the first round played, from 1."""
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
        """The seats of each side: one seat, or a team's."""
        sides = self.sides
        return [seats_of(side, sides, self.players) for side in range(sides)]

    def side_of(self, seat: int) -> int:
        """The side that a seat scores for. Raises :class:`rage.NotAllowed` for a wrong seat."""
        return side_of(self._seat(seat), self.sides)

    def _seat(self, seat: int) -> int:
        """A seat, checked."""
        number = whole_number(seat)
        if not 0 <= number < len(self._names):
            raise NotAllowed("view.no_seat", seat=seat, last=len(self._names) - 1)
        return number

    # The game.

    @property
    def to_act(self) -> int | None:
        """The seat whose turn it is; ``None`` before a deal and after the game."""
        return self._position.to_act

    @property
    def under_way(self) -> bool:
        """Whether a round is dealt and not over."""
        return self._number > 0

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
        return self._position.winners

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
        """The round under way as it stands, with its results once it is over."""
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
        """The trick under way, empty before its lead; ``None`` unless a card is due."""
        if self._position.phase != Phase.PLAYING:
            return None
        return Trick(len(self._names), self._leader, moves_of(self._position.trick))

    @property
    def ahead(self) -> int | None:
        """The seat that would win the trick under way as it stands; ``None`` if it is empty."""
        return self._position.ahead if self._position.trick else None

    @property
    def bids(self) -> list[int | None]:
        """The bids of the round under way by seat; ``None`` for one not made yet or not shown."""
        return self._position.bids

    @property
    def has_bid(self) -> list[bool]:
        """By seat, whether it has bid in the round under way, shown or not."""
        players, to_act = len(self._names), self._position.to_act
        if self.dealer is None:  # before the first deal
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
        """The cards of this round that everyone has seen: played, or turned over."""
        return hand_of(self._position.seen)

    @property
    def voids(self) -> list[list[Colour]]:
        """By seat, the colours in which it has shown a void in this round."""
        return [[COLOURS[colour] for colour in shown] for shown in self._position.voids]

    @property
    def hand_sizes(self) -> list[int]:
        """The number of cards that each seat holds."""
        players = len(self._names)
        if self._position.phase not in (Phase.BIDDING, Phase.PLAYING):
            return [0] * players
        left = self._hand_size - self._position.tricks
        played = {seat_after(self._leader, i, players) for i in range(len(self._position.trick))}
        return [left - (seat in played) for seat in range(players)]


def default_names(players: int) -> tuple[str, ...]:
    """``Player 1``, ``Player 2``, ... for a game made from a number of players."""
    return tuple(f"Player {seat + 1}" for seat in range(players))
