"""What one seat may know of a game: the masked position and the public history."""

from __future__ import annotations

from typing import NotRequired, Self, TypedDict

from rage.engine.kernel import Phase, Rules
from rage.game.account import PartsData, accounts_data
from rage.game.history import MOVES, Cause, Move, Round, Standing, bidding_order, seat_after
from rage.game.rulings import refusal, ruling_data
from rage.rules.cards import (
    LETTERS,
    MOVE_CODES,
    codes_of,
    hand_order,
    letter_of,
)
from rage.say import Reason, ReasonData


class TrumpChangeData(TypedDict):
    """When the trump was set, and how (:class:`rage.game.history.TrumpChange`), as plain data."""

    cause: Cause
    trick: int
    card: int
    seat: int | None
    cards: str
    trump: str | None


class TrickData(TypedDict):
    """A trick (:class:`rage.game.history.Trick`) as plain data. ``ruling``: why it was won
    (:func:`rage.game.rulings.ruling_data`)."""

    leader: int
    moves: str
    trump: str | None
    winner: int | None
    ruling: ReasonData | None


class RoundData(TypedDict):
    """A round (:class:`rage.game.history.Round`) as plain data, without its deal. ``order``: the
    order in which the seats bid and, from the leader of a trick on, play. Once it is over, ``met``
    are the sides that met their bids, and ``accounts`` the parts of each side's points
    (:attr:`rage.game.account.Account.parts`)."""

    number: int
    dealer: int
    order: list[int]
    hand_size: int
    bids: list[int | None]
    trump_changes: list[TrumpChangeData]
    tricks: list[TrickData]
    won: list[int] | None
    points: list[int] | None
    met: list[int] | None
    accounts: list[PartsData] | None


class GameData(TypedDict):
    """A game as a seat sees it, as plain data. Cards are codes separated by spaces, colours
    letters. ``sides`` are the seats that score together; ``has_bid`` tells by seat who has bid in
    this round, shown or not; a table includes ``voids`` and ``seen`` if it displays them."""

    seat: int | None
    players: list[str]
    sides: list[list[int]]
    first_round: int
    to_act: int | None
    bidding: bool
    has_bid: list[bool]
    over: bool
    trump: str | None
    led: str | None
    hand: str
    hand_sizes: list[int]
    won: list[int]
    bonus: list[int]
    mad: list[int]
    voids: NotRequired[list[str]]
    seen: NotRequired[str]
    scores: list[int]
    winners: list[int] | None
    rounds: list[RoundData]


class ViewData(GameData):
    """A whole view as plain data. ``legal``: the legal moves of its seat; ``met``: the number of
    bids that each side has met."""

    legal: list[str]
    met: list[int]


class View(Standing):
    """What a seat may know, and nothing else; for ``seat = None``, what a spectator may.

    ``position`` is the masked position (see ``docs/design.md``), ``rounds`` the public history, in
    which a round's ``deal`` and a bid not shown yet are ``None``. A view is a copy: it holds no way
    back to the game and does not change with it."""

    __slots__ = ("first_round", "names", "position", "rounds", "rules", "seat")

    def __init__(self, game: Standing, seat: int | None) -> None:
        self.rules = game.rules
        self.names = game.names
        self.seat = seat
        self.first_round = game.first_round
        self.position = game.position.masked(seat)
        self.rounds: list[Round] = [each.copy(public=True) for each in game.rounds]
        if self.rounds and self.position.phase in (Phase.BIDDING, Phase.PLAYING):
            self.rounds[-1].bids = self.position.bids

    def copy(self) -> Self:
        """A copy that does not change with this view."""
        other = self.__class__.__new__(self.__class__)
        other.rules, other.names, other.seat = self.rules, self.names, self.seat
        other.first_round = self.first_round
        other.position = self.position.copy()
        other.rounds = [each.copy(public=True) for each in self.rounds]
        return other

    __copy__ = copy

    @property
    def my_turn(self) -> bool:
        """Whether this seat is to act."""
        return self.seat is not None and self.seat == self.to_act

    @property
    def trump(self) -> int | None:
        """The trump colour in force."""
        return self.position.trump

    @property
    def led(self) -> int | None:
        """The led colour of the trick under way."""
        return self.position.led

    @property
    def hand(self) -> list[int]:
        """The cards this seat holds, as card numbers, sorted by colour and rank."""
        return [] if self.seat is None else sorted(self.position.hand(self.seat), key=hand_order)

    @property
    def bids(self) -> list[int | None]:
        """The bids of the round under way by seat; ``None`` for one not made yet or not shown."""
        return self.position.bids

    @property
    def has_bid(self) -> list[bool]:
        """By seat, whether it has bid in the round under way, shown or not."""
        if not self.rounds:
            return [False] * self.players
        to_act = self.to_act
        if not self.bidding or to_act is None:
            return [True] * self.players
        order = bidding_order(self.rounds[-1].dealer, self.players)
        made = order[: order.index(to_act)]
        return [seat in made for seat in range(self.players)]

    @property
    def won(self) -> list[int]:
        """The tricks won in the round under way, by seat."""
        return self.position.won

    @property
    def seen(self) -> list[int]:
        """The cards of this round that everybody has seen: played, or turned over."""
        return self.position.seen()

    @property
    def voids(self) -> list[list[int]]:
        """By seat, the colours it has shown in this round that it holds none of."""
        return self.position.voids

    @property
    def hand_sizes(self) -> list[int]:
        """The number of cards that each seat holds."""
        position = self.position
        if position.phase not in (Phase.BIDDING, Phase.PLAYING):
            return [0] * self.players
        left = position.hand_size - position.tricks
        trick = position.trick
        leader = position.leader or 0
        played = {seat_after(leader, i, self.players) for i in range(len(trick))}
        return [left - (seat in played) for seat in range(self.players)]

    def legal_moves(self) -> list[Move]:
        """This seat's legal moves; none if it is not its turn."""
        return [MOVES[move] for move in self.position.legal()] if self.my_turn else []

    def why_not(self, move: Move) -> Reason | None:
        """Why this seat cannot make a move now, or ``None`` if it can."""
        if self.seat is None:
            return Reason("refuse.spectator")
        return refusal(self.position, move, self.seat)

    def as_data(self) -> ViewData:
        """The view as plain data for JSON: all that is sent to this seat."""
        position = self.position
        return {
            "seat": self.seat,
            "players": list(self.names),
            "sides": self.side_seats,
            "first_round": self.first_round,
            "to_act": self.to_act,
            "bidding": self.bidding,
            "has_bid": self.has_bid,
            "over": self.over,
            "trump": letter_of(self.trump),
            "led": letter_of(self.led),
            "hand": codes_of(self.hand),
            "legal": [MOVE_CODES[move] for move in self.legal_moves()],
            "hand_sizes": self.hand_sizes,
            "won": self.won,
            "bonus": position.bonus,
            "mad": position.mad,
            "voids": ["".join(LETTERS[colour] for colour in shown) for shown in self.voids],
            "seen": codes_of(sorted(self.seen)),
            "scores": self.scores,
            "met": position.met,
            "winners": self.winners,
            "rounds": [_round_data(each, position.rules) for each in self.rounds],
        }


def _round_data(current: Round, rules: Rules) -> RoundData:
    return {
        "number": current.number,
        "dealer": current.dealer,
        "order": bidding_order(current.dealer, len(current.bids)),
        "hand_size": current.hand_size,
        "bids": current.bids,
        "trump_changes": [
            {
                "cause": change.cause,
                "trick": change.trick,
                "card": change.card,
                "seat": change.seat,
                "cards": codes_of(change.cards),
                "trump": letter_of(change.trump),
            }
            for change in current.trump_changes
        ],
        "tricks": [
            {
                "leader": trick.leader,
                "moves": " ".join(map(str, trick.moves)),
                "trump": letter_of(trick.trump),
                "winner": trick.winner,
                "ruling": None
                if trick.winner is None
                else ruling_data(current, index, rules.ruleset.second_wild),
            }
            for index, trick in enumerate(current.tricks)
        ],
        "won": current.won,
        "points": current.points,
        "met": current.met,
        "accounts": accounts_data(current, rules),
    }
