"""What one seat may know of a game: the masked position and the public history."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from rage.cards import (
    ACTIONS,
    CARD_CODES,
    LETTERS,
    MOVE_CODES,
    N_COLOURED,
    WILD,
    codes_of,
    hand_order,
)
from rage.history import MOVES, Cause, Move, Round, Standing
from rage.kernel import Phase
from rage.rulings import refusal
from rage.say import Reason


class TurnData(TypedDict):
    """When the trump was set, and how (:class:`rage.history.Turn`), as plain data."""

    cause: Cause
    trick: int
    card: int
    seat: int | None
    cards: str
    trump: str | None


class TrickData(TypedDict):
    """A trick (:class:`rage.history.Trick`) as plain data."""

    leader: int
    moves: str
    trump: str | None
    winner: int | None


class RoundData(TypedDict):
    """A round (:class:`rage.history.Round`) as plain data, without its deal."""

    number: int
    dealer: int
    hand_size: int
    bids: list[int | None]
    turns: list[TurnData]
    tricks: list[TrickData]
    won: list[int] | None
    points: list[int] | None


class GameData(TypedDict):
    """A view as plain data: cards as codes with a space between, colours as letters. A table may
    leave ``seen`` and ``voids`` out."""

    seat: int | None
    players: list[str]
    first_round: int
    to_act: int | None
    bidding: bool
    over: bool
    trump: str | None
    led: str | None
    hand: str
    legal: list[str]
    hand_sizes: list[int]
    won: list[int]
    bonus: list[int]
    mad: list[int]
    voids: NotRequired[list[str]]
    seen: NotRequired[str]
    scores: list[int]
    met: list[int]
    winners: list[int] | None
    rounds: list[RoundData]


class View(Standing):
    """What a seat may know, and nothing else; for ``seat = None``, what a spectator may.

    ``position`` is the masked position (see ``docs/design.md``), ``rounds`` the public history;
    a round's ``deal`` is ``None`` here, and a bid that is not shown yet is ``None`` too. A view
    is a copy: it holds no way back to the game and does not change with it.
    """

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
        """The bids of the round under way by seat; ``None`` where there is none yet, or it is
        not shown."""
        return self.position.bids

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
        """How many cards each seat holds."""
        position = self.position
        if position.phase not in (Phase.BIDDING, Phase.PLAYING):
            return [0] * self.players
        left = position.hand_size - position.tricks
        trick = position.trick
        leader = position.leader or 0
        played = {(leader + i) % self.players for i in range(len(trick))}
        return [left - (seat in played) for seat in range(self.players)]

    @property
    def actions_left(self) -> dict[str, int]:
        """How many action cards of each kind this seat has not seen in this round: they are in
        the others' hands or in the stock."""
        known = self.seen + self.hand
        return {
            kind: count - known.count(WILD + i)
            for i, (kind, count) in enumerate(zip(ACTIONS, self.rules.pack, strict=True))
        }

    def legal_moves(self) -> list[Move]:
        """This seat's legal moves; none when it is not its turn."""
        return [MOVES[move] for move in self.position.legal()] if self.my_turn else []

    def why_not(self, move: Move) -> Reason | None:
        """Why this seat may not make a move now; ``None`` where it may."""
        if self.seat is None:
            return Reason("refuse.spectator")
        return refusal(self.position, move, self.seat)

    def as_data(self) -> GameData:
        """The view as plain data for JSON: what is sent to this seat, and nothing besides."""
        position = self.position
        return {
            "seat": self.seat,
            "players": list(self.names),
            "first_round": self.first_round,
            "to_act": self.to_act,
            "bidding": self.bidding,
            "over": self.over,
            "trump": _letter(self.trump),
            "led": _letter(self.led),
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
            "rounds": [_round_data(each) for each in self.rounds],
        }


def _letter(colour: int | None) -> str | None:
    return None if colour is None else LETTERS[colour]


def _round_data(current: Round) -> RoundData:
    return {
        "number": current.number,
        "dealer": current.dealer,
        "hand_size": current.hand_size,
        "bids": current.bids,
        "turns": [
            {
                "cause": turn.cause,
                "trick": turn.trick,
                "card": turn.card,
                "seat": turn.seat,
                "cards": codes_of(turn.cards),
                "trump": _letter(turn.trump),
            }
            for turn in current.turns
        ],
        "tricks": [
            {
                "leader": trick.leader,
                "moves": " ".join(map(str, trick.moves)),
                "trump": _letter(trick.trump),
                "winner": trick.winner,
            }
            for trick in current.tricks
        ],
        "won": current.won,
        "points": current.points,
    }


assert CARD_CODES[N_COLOURED] == "W"
