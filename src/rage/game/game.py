"""Game: the kernel's position with a memory of everything dealt and played."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from operator import index
from typing import Any, Self

from rage.engine import kernel
from rage.engine.deal import Deal, Dealer, new_seed, read_seed
from rage.engine.position import Position
from rage.game.history import MOVES, Cause, Move, Round, Standing, Trick, TrumpChange, seat_after
from rage.game.rulings import refusal
from rage.game.view import View
from rage.rules.cards import PLAY_OUT
from rage.rules.editions import ruleset
from rage.rules.number import as_int
from rage.rules.ruleset import RuleSet
from rage.say import NotAllowed, NotReadable, Reason


class Game(Standing):
    """A game of Rage: its rules, its players, and every round so far.

    ``rules`` is a rule set or its name, ``players`` their number or their names. Deals come from
    ``seed`` (bytes, or as people type it; without it, a new secret one) and the players' ``words``,
    or else in order from ``deals``, of which no more are taken than there are rounds; after the
    last one, call :meth:`deal`.

    ``first_round`` starts in the middle of the schedule. Raises :class:`rage.NotReadable` and
    :class:`rage.NotAllowed`."""

    def __init__(
        self,
        rules: RuleSet | str,
        players: int | Sequence[str],
        *,
        seed: bytes | str | int | None = None,
        words: Sequence[str] = (),
        deals: Iterable[Deal] | None = None,
        first_round: int = 1,
    ) -> None:
        self.rules = rules if isinstance(rules, RuleSet) else ruleset(rules)
        self.names = _names(players, self.rules)
        first, last = as_int(first_round), len(self.rules.schedule)
        if first is None or not 1 <= first <= last:
            raise NotAllowed("first_round.refused", round=first_round, last=last)
        if deals is not None and (seed is not None or words):
            raise NotAllowed("seed.and_deals")
        self.first_round = first
        played = self.rules.replace(schedule=self.rules.schedule[first - 1 :])
        self.position = Position(kernel.Rules(played, len(self.names)))
        self.rounds: list[Round] = []
        self._open: Trick | None = None  # the trick under way, once led to
        self.dealer: Dealer | None = None
        self._deals = tuple(islice(deals, last + 1 - first)) if deals is not None else ()
        if deals is None:
            self.dealer = Dealer(self.rules, len(self.names), _seed_bytes(seed), words)
        self._deal_next()

    @property
    def ply(self) -> int:
        """The number of decisions made."""
        return sum(
            sum(bid is not None for bid in each.bids) + sum(len(t.moves) for t in each.tricks)
            for each in self.rounds
        )

    def legal_moves(self) -> list[Move]:
        """The legal moves in rising order; none if nobody is to act."""
        found: list[Move] = self.position.legal_of(MOVES)
        return found

    def why_not(self, move: int, seat: int | None = None) -> Reason | None:
        """Why a move is not legal for a seat (by default the one to act), or ``None`` if it is."""
        return refusal(self.position, Move(move), seat)

    def play(self, move: Any) -> None:
        """Make a move, given as a :class:`Move`, its number or its code, for the seat to act, and
        deal the next round when this one is over and its deal is known. Raises
        :class:`rage.NotAllowed` with the reason and leaves the game unchanged; or, if the next of
        the ``deals`` does not fit, once the move is made: then call :meth:`deal`."""
        try:
            happened = self.position.play(move)
        except NotAllowed:
            if isinstance(move, str):  # tested only here: a test for every move would cost 5 %
                self.play(Move.parse(move))
                return
            raise self._refused(move) from None
        if not happened and self._open:  # most cards
            self._open.moves.append(MOVES[move])
            return
        if happened & kernel.Happened.BID:
            self._note_bid(MOVES[move])
            return
        trick = self._open or self._lead()
        trick.moves.append(MOVES[move])
        if happened & kernel.Happened.TRUMP:
            self._note_trump(trick, move)
        if happened & kernel.Happened.TRICK:
            self._end_trick(trick, happened)

    def _refused(self, move: int) -> NotAllowed:
        """The refusal of a move, with the reason, which the kernel does not give. Raises
        :class:`rage.NotReadable` if it is not a move at all."""
        reason = refusal(self.position, Move(move))
        assert reason is not None
        return NotAllowed(reason.code, **reason.params)

    def _note_bid(self, move: Move) -> None:
        seat = self.position.to_act
        assert seat is not None
        self.rounds[-1].bids[seat - 1] = move.bid  # the bidder: the seat to the right

    def _lead(self) -> Trick:
        """Open a trick for its first card."""
        leader = self.position.leader
        assert leader is not None
        self._open = trick = Trick(leader)
        self.rounds[-1].tricks.append(trick)
        return trick

    def _end_trick(self, trick: Trick, happened: int) -> None:
        position = self.position
        self._open = None
        trick.winner = position.leader
        if happened & kernel.Happened.TURNED_UP:  # it was judged under an Out
            self._note("after", None, self._newly_turned(), position.trump)
        else:
            trick.trump = position.trump
        if happened & kernel.Happened.ROUND:
            self._end_round()

    def _end_round(self) -> None:
        current = self.rounds[-1]
        current.won = self.position.won
        points = self.scores
        for each in self.rounds[:-1]:
            assert each.points is not None
            points = [a - b for a, b in zip(points, each.points, strict=True)]
        current.points = points
        self._deal_next()

    def _note_trump(self, trick: Trick, move: int) -> None:
        """Record what the Change or the Out just played has done."""
        seat = seat_after(trick.leader, len(trick.moves) - 1, self.players)
        if move == PLAY_OUT:
            # Not the position's trump: if this card ended its trick, the next trump is turned up
            # already.
            self._note("out", seat, (), None)
        else:
            self._note("change", seat, self._newly_turned(), self.position.trump)

    def _note(
        self, cause: Cause, seat: int | None, cards: tuple[int, ...], trump: int | None
    ) -> None:
        """Record who set the trump, when, and which cards were turned over for it."""
        current = self.rounds[-1]
        trick = len(current.tricks) - 1
        card = len(current.tricks[trick].moves) - (seat is not None) if trick >= 0 else -1
        current.trump_changes.append(TrumpChange(cause, trick, card, seat, cards, trump))

    def _newly_turned(self) -> tuple[int, ...]:
        """The stock cards turned over since the last time the trump was set."""
        known = sum(len(change.cards) for change in self.rounds[-1].trump_changes)
        return tuple(self.position.turned[known:])

    def deal(self, deal: Deal) -> None:
        """Deal the next round. Raises :class:`rage.NotAllowed` if it is not time to deal, or the
        deal does not fit."""
        self.position.deal(deal.dealer, deal.hands, deal.stock)
        deal = Deal(index(deal.dealer), tuple(map(_plain, deal.hands)), _plain(deal.stock))
        number = self.first_round + len(self.rounds)
        self.rounds.append(Round(number, deal, self.position.hand_size))
        self._note("deal", None, self._newly_turned(), self.position.trump)

    def _deal_next(self) -> None:
        """Deal the next round, if there is one and its deal is known."""
        if self.over:
            return
        if self.dealer is not None:
            self.deal(self.dealer.deal(self.first_round + len(self.rounds)))
        elif len(self.rounds) < len(self._deals):
            self.deal(self._deals[len(self.rounds)])

    def view(self, seat: int | None) -> View:
        """What a seat may know, or a spectator (``None``)."""
        number = as_int(seat)
        if seat is not None and (number is None or not 0 <= number < self.players):
            raise NotAllowed("view.no_seat", seat=seat, last=self.players - 1)
        return View(self, number)

    def copy(self) -> Self:
        """An independent copy; what is dealt later comes from the same seed or deals. Both share
        the finished rounds, which never change."""
        other = self.__class__.__new__(self.__class__)
        if self.__class__ is not Game:  # attributes that a subclass adds; takes twice as long
            other.__dict__.update(self.__dict__)
        other.rules, other.names, other.first_round = self.rules, self.names, self.first_round
        other.dealer, other._deals = self.dealer, self._deals
        other.position = self.position.copy()
        other.rounds = [*self.rounds[:-1], *(each.copy() for each in self.rounds[-1:])]
        other._open = other.rounds[-1].tricks[-1] if self._open else None
        return other

    __copy__ = copy


def _names(players: int | Sequence[str], rules: RuleSet) -> tuple[str, ...]:
    """The names given, checked, or default names for a number of players."""
    count = as_int(players)
    if count is not None:
        rules.for_players(count)  # before a huge number of names is made
        return tuple(default_names(count))
    # (One string is a sequence of strings, too.)
    if isinstance(players, str) or not isinstance(players, Iterable):
        raise NotReadable("players.not_names")
    names = tuple(players)
    rules.for_players(len(names))
    if not all(isinstance(name, str) for name in names):
        raise NotReadable("players.not_names")
    return names


def _seed_bytes(seed: bytes | str | int | None) -> bytes:
    if seed is None:
        return new_seed()
    if isinstance(seed, bytes | bytearray):
        return seed or read_seed("")
    number = as_int(seed)
    text: Any = seed if number is None else str(number)  # refused unless it is text
    return read_seed(text)


def default_names(players: int) -> list[str]:
    """``Player 1``, ``Player 2``, ... for a game made from a number of players."""
    return [f"Player {seat + 1}" for seat in range(players)]


def _plain(cards: Iterable[int]) -> tuple[int, ...]:
    """Cards as plain ``int``, which records can hold (NumPy has its own)."""
    return tuple(map(index, cards))
