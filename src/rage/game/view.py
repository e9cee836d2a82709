"""What one seat may know of a game: the masked position and the public history."""

from __future__ import annotations

from typing import NotRequired, Self, TypedDict

from rage.engine.kernel import Rules
from rage.engine.position import Position
from rage.game.account import PartsData, accounts_data
from rage.game.history import Cause, Round, bidding_order
from rage.game.rulings import refusal, ruling_data
from rage.game.standing import Standing
from rage.rules.cards import BID, CARD_CODES
from rage.rules.hands import Hand, Moves, hand_of
from rage.rules.values import MOVES, Card, Move, letter_of
from rage.say import Reason, ReasonData


class TrumpChangeData(TypedDict):
    """When and how the trump was set (:class:`rage.game.history.TrumpChange`), as plain data."""

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
    letters. ``sides`` are the seats that score together; ``has_bid`` says by seat whether it has
    bid in this round, shown or not; a table includes ``voids`` and ``seen`` if it displays them."""

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
    """What a seat may know and nothing else; for ``seat = None``, what a spectator may know.

    ``position`` is masked (see ``docs/design.md``); in ``rounds`` a round's ``deal`` and a bid not
    shown yet are ``None``. A view never changes, and has no reference to the game."""

    __slots__ = ("_view_of",)
    _view_of: int | None

    def __init__(self, game: Standing, seat: int | None, past: tuple[Round, ...]) -> None:
        """``past``: the rounds that are over, without their deals."""
        self._share(game)
        self._deal = None
        self._past = past
        self._view_of = seat
        self._position = game._position.masked(seat)

    @staticmethod
    def from_text(written: str, seat: int | None) -> View:
        """What a seat, or a spectator (``None``), may know of a position written as one line of
        text (``docs/position.md``). Its ``rounds`` have only what the position has: no finished
        tricks, and no earlier rounds. Raises :class:`rage.NotReadable` for any other text, and
        :class:`rage.NotAllowed` for an impossible position or a seat that does not exist."""
        return View(Standing._at(Position.from_text(written)), seat, ())

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    @property
    def text(self) -> str:
        """What its seat knows of the moment, as one line of text (``docs/position.md``). Raises
        :class:`rage.NotAllowed` for rules without a name."""
        return self._position.text

    def with_bid(self, bid: Move | Card | str) -> View:
        """This view with a bid of its seat that the game does not have yet."""
        other = View(self, self._view_of, self._past)
        other._position = self._position.with_bid(self._view_of or 0, Move(bid).number - BID)
        return other

    @property
    def seat(self) -> int | None:
        """The seat whose view it is; ``None`` for a spectator's."""
        return self._view_of

    @property
    def my_turn(self) -> bool:
        """Whether this seat is to act."""
        return self._view_of is not None and self._view_of == self._position.to_act

    @property
    def hand(self) -> Hand:
        """The cards this seat holds; none for a spectator."""
        seat = self._view_of
        return Hand() if seat is None else hand_of(self._position.hand(seat))

    @property
    def legal_moves(self) -> Moves:
        """This seat's legal moves, in order; none if it is not its turn."""
        if not self.my_turn:
            return Moves()
        found: Moves = self._position._legal_as(Moves, MOVES)
        return found

    def is_legal(self, move: Move | Card | str) -> bool:
        """Whether this seat can make a move now. Raises :class:`rage.NotReadable` for anything but
        what :class:`rage.Move` takes."""
        return self._position.is_legal(Move(move).number) and self.my_turn

    def why_not(self, move: Move | Card | str) -> Reason | None:
        """Why this seat cannot make a move now, or ``None`` if it can. Raises
        :class:`rage.NotReadable` for anything but what :class:`rage.Move` takes."""
        made = Move(move)
        if self._view_of is None:
            return Reason("refuse.spectator")
        return refusal(self._position, made, self._view_of)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, View):
            return NotImplemented
        return self._view_of == other._view_of and self._state() == other._state()

    def __repr__(self) -> str:
        whose = "a spectator" if self._view_of is None else f"seat {self._view_of}"
        return f"<View of {whose}: {self._repr()}>"

    def as_data(self) -> ViewData:
        """The view as plain data for JSON: all that this seat is sent."""
        position = self._position
        return {
            "seat": self._view_of,
            "players": list(self.names),
            "sides": self.side_seats,
            "first_round": self.first_round,
            "to_act": self.to_act,
            "bidding": self.bidding,
            "has_bid": self.has_bid,
            "over": self.over,
            "trump": letter_of(self.trump),
            "led": letter_of(self.led),
            "hand": str(self.hand),
            "legal": [str(move) for move in self.legal_moves],
            "hand_sizes": self.hand_sizes,
            "won": self.won,
            "bonus": position.bonus,
            "mad": position.mad,
            "voids": ["".join(colour.letter for colour in shown) for shown in self.voids],
            "seen": " ".join(CARD_CODES[card] for card in position.seen),
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
        "bids": list(current.bids),
        "trump_changes": [
            {
                "cause": change.cause,
                "trick": change.trick,
                "card": change.card,
                "seat": change.seat,
                "cards": str(change.cards),
                "trump": letter_of(change.trump),
            }
            for change in current.trump_changes
        ],
        "tricks": [
            {
                "leader": trick.leader,
                "moves": str(trick.moves),
                "trump": letter_of(trick.trump),
                "winner": trick.winner,
                "ruling": None
                if trick.winner is None
                else ruling_data(current, index, rules.ruleset.second_wild),
            }
            for index, trick in enumerate(current.tricks)
        ],
        "won": None if current.won is None else list(current.won),
        "points": None if current.points is None else list(current.points),
        "met": current.met,
        "accounts": accounts_data(current, rules),
    }
