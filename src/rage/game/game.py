"""Game: the kernel's position with a memory of everything dealt and played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from functools import lru_cache
from itertools import islice
from typing import Any, Final, NamedTuple, Self

from rage.engine.deal import Deal, Deals, new_seed, read_seed
from rage.engine.kernel import Happened, Rules
from rage.engine.position import Position
from rage.game.history import Cause, Numbers, Round, TrumpChange, seat_after
from rage.game.rulings import refusal
from rage.game.standing import Standing, default_names
from rage.game.view import View
from rage.rules.cards import PLAY_OUT
from rage.rules.editions import ruleset
from rage.rules.hands import Cards, Hand, Moves, cards_of, hand_of
from rage.rules.number import as_int, whole_number
from rage.rules.ruleset import RuleSet
from rage.rules.values import MOVE_OF, MOVES, Card, Colour, Move
from rage.say import NotAllowed, NotReadable, Reason, in_words

_BID, _TRICK, _TURNED_UP = Happened.BID, Happened.TRICK, Happened.TURNED_UP
_ROUND, _TRUMP = Happened.ROUND, Happened.TRUMP
#: The numbers of moves, by anything that stands for them.
_NUMBER_OF: Final = {key: move.number for key, move in MOVE_OF.items()}


class Step(NamedTuple):
    """One decision of a game: the seat, its move, and the game before it."""

    seat: int
    move: Move
    before: Game

    def __repr__(self) -> str:
        return f"<Step: seat {self.seat} {'bids' if self.move.is_bid else 'plays'} {self.move}>"


class Game(Standing):
    """A game of Rage: its rules, its players, and every round so far.

    ``rules`` is a rule set or its name, ``players`` their number or their names: any texts, even
    equal ones, because seats tell players apart. Sentences use the seat of a player without a name.
    Deals come from ``seed`` (bytes, or as people type it; by default, a new secret one) and the
    players' ``words``, or else in order from ``deals``, at most one for each round; after the last
    one, call :meth:`deal`.

    ``first_round`` starts in the middle of the schedule. Raises :class:`rage.NotReadable` and
    :class:`rage.NotAllowed`.

    Only :meth:`play`, :meth:`deal` and :meth:`undo` change a game. Two games are equal if their
    rules, their players and everything dealt and played so far are."""

    _source: Deals | tuple[Deal, ...]
    _public: tuple[Round, ...]  # the rounds that are over, without their deals
    _starts: tuple[Position, ...]  # the position after each deal

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
        self._rules = rules if isinstance(rules, RuleSet) else ruleset(rules)
        self._names = _names(players, self._rules)
        first, last = as_int(first_round), len(self._rules.schedule)
        if first is None or not 1 <= first <= last:
            raise NotAllowed("first_round.refused", round=first_round, last=last)
        if deals is not None and (seed is not None or words):
            raise NotAllowed("seed.and_deals")
        self._first = first
        played = self._rules
        if first > 1:
            played = played.replace(schedule=played.schedule[first - 1 :])
        self._position = Position(_rules(played, len(self._names)))
        self._past, self._public, self._starts = (), (), ()
        self._clear()
        if deals is None:
            self._source = Deals(self._rules, len(self._names), _seed_bytes(seed), words)
        else:
            self._source = _deals(deals, last + 1 - first)
        self._deal_next()

    def _clear(self) -> None:
        """Leave no round under way."""
        self._number = self._dealer = self._hand_size = self._leader = 0
        self._deal: Deal | None = None
        self._changes: tuple[TrumpChange, ...] = ()
        self._tricks: tuple[Numbers, ...] = ()

    @property
    def deals(self) -> Deals | None:
        """A copy of its deals from a seed; ``None`` for a game of given deals."""
        return copy(self._source) if isinstance(self._source, Deals) else None

    @property
    def ply(self) -> int:
        """The number of decisions made."""
        over = sum(len(self._names) * (each.hand_size + 1) for each in self._past)
        if not self._number:
            return over
        bids = sum(bid is not None for bid in self._position.bids)
        return over + bids + len(self._names) * len(self._tricks) + len(self._position.trick)

    def hand(self, seat: int) -> Hand:
        """The cards that a seat holds. Raises :class:`rage.NotAllowed` if there is no such seat."""
        return hand_of(self._position.hand(self._seat(seat)))

    @property
    def legal_moves(self) -> Moves:
        """The legal moves of the seat to act, in order; none if no one is to act."""
        found: Moves = self._position._legal_as(Moves, MOVES)
        return found

    def is_legal(self, move: Move | Card | str) -> bool:
        """Whether a move is legal now. Raises :class:`rage.NotReadable` for anything but what
        :class:`Move` takes."""
        return self._position.is_legal(Move(move).number)

    def why_not(self, move: Move | Card | str, seat: int | None = None) -> Reason | None:
        """Why a move is not legal for a seat (by default the one to act), or ``None`` if it is.
        Raises :class:`rage.NotReadable` for anything but what :class:`Move` takes."""
        return refusal(self._position, Move(move), None if seat is None else self._seat(seat))

    def play(self, move: Move | Card | str) -> None:
        """Make a move for the seat to act, given as a :class:`Move`, its code, or the card that it
        plays (a Wild needs its colour), and deal the next round when this one is over and its deal
        is known. Raises :class:`rage.NotAllowed` with the reason, or :class:`rage.NotReadable` for
        anything but a move, and leaves the game unchanged; also if the stock of a given deal ends
        before a card that the move turns over. If the next of the ``deals`` does not fit, raises
        after the move: then call :meth:`deal`."""
        try:
            number = _NUMBER_OF[move]
            happened = self._position.play(number)
        except (KeyError, TypeError, NotAllowed):
            reason = refusal(self._position, Move(move))  # raises for anything but a move
            assert reason is not None
            raise NotAllowed(reason.code, **reason.params) from None
        if happened > _BID:  # the lowest flag: most moves are noted by the position alone
            self._note_play(number, happened)
            if self._position.stock_short:
                self.undo()
                raise NotAllowed("deal.stock_short")
            if happened & _ROUND:
                self._end_round()

    def _note_play(self, move: int, happened: int) -> None:
        """Record a card that set the trump, ended its trick, or both."""
        position = self._position
        if happened & _TRUMP:
            at = (len(self._names) if happened & _TRICK else len(position.trick)) - 1
            seat = seat_after(self._leader, at, len(self._names))
            if move == PLAY_OUT:
                # Not the position's trump: if this card ended its trick, the next trump is already
                # turned up.
                self._note("out", at, seat, Cards(), None)
            else:
                self._note("change", at, seat, self._newly_turned(), self.trump)
        if not happened & _TRICK:
            return
        trump = position.trump
        if happened & _TURNED_UP:  # the trick was judged under an Out
            self._note("after", len(self._names), None, self._newly_turned(), self.trump)
            trump = None
        leader, self._leader = self._leader, position.leader or 0  # the winner leads next
        self._tricks += ([leader, position.last_trick, self._leader, trump],)

    def _end_round(self) -> None:
        points = self._position.scores
        for each in self._past:
            assert each.points is not None
            points = [a - b for a, b in zip(points, each.points, strict=True)]
        self._past += (self._under_way(tuple(self._position.won), tuple(points)),)
        self._clear()
        self._deal_next()

    def _note(
        self, cause: Cause, card: int, seat: int | None, cards: Cards, trump: Colour | None
    ) -> None:
        """Record who set the trump, when, and which cards were turned over for it."""
        trick = -1 if cause == "deal" else len(self._tricks)
        self._changes += (TrumpChange(cause, trick, card, seat, cards, trump),)

    def _newly_turned(self) -> Cards:
        """The stock cards turned over since the last time the trump was set."""
        known = sum(len(change.cards) for change in self._changes)
        return cards_of(self._position.turned[known:])

    def deal(self, deal: Deal) -> None:
        """Deal the next round. Raises :class:`rage.NotAllowed` if it is not time to deal, or the
        deal does not fit, and :class:`rage.NotReadable` for anything but a :class:`Deal`."""
        if not isinstance(deal, Deal):
            raise NotReadable("deal.no_deal", given=deal)
        self._position.deal(*deal.numbers())
        self._starts += (self._position.copy(),)
        self._open(self._first + len(self._past), deal)

    def _open(self, number: int, deal: Deal) -> None:
        """Begin a round that has been dealt in the position."""
        position = self._position
        self._clear()
        self._number, self._deal, self._dealer = number, deal, deal.dealer
        self._hand_size, self._leader = position.hand_size, position.leader or 0
        self._note("deal", -1, None, self._newly_turned(), self.trump)

    def _deal_next(self) -> None:
        """Deal the next round, if there is one and its deal is known."""
        if self.over:
            return
        if isinstance(self._source, Deals):
            self.deal(self._source.deal(self._first + len(self._past)))
        elif len(self._past) < len(self._source):
            self.deal(self._source[len(self._past)])

    # Going back.

    def undo(self) -> Move:
        """Take back the last decision, and any deal that followed it. Returns the move. Raises
        :class:`rage.NotAllowed` if there is none."""
        rounds = self.rounds
        index = len(rounds) - 1
        if index >= 0 and not rounds[index].moves:
            index -= 1
        if index < 0:
            raise NotAllowed("undo.nothing")
        moves = rounds[index].moves
        self._go_to(rounds[index], index, len(moves) - 1)
        return moves[-1]

    def _go_to(self, current: Round, index: int, decisions: int) -> None:
        """Go back to a round, by its index, after a number of its decisions."""
        assert current.deal is not None
        moves = current.moves
        self._past, self._public = self._past[:index], self._public[:index]
        self._position = self._starts[index].copy()
        self._starts = self._starts[: index + 1]
        self._open(current.number, current.deal)
        for move in moves[:decisions]:
            self.play(move)

    def at(self, round: int, trick: int = 0, card: int = 0) -> Self:  # noqa: A002  # its name here
        """A copy of the game just after a card was played: the round by its number, the trick by
        its number in the round, and the card by its number in the trick, from 1. Trick 0 stands for
        the end of the bidding, card 0 for the moment before the first card of a trick. Raises
        :class:`rage.NotAllowed` for a moment that the game does not have, or has not reached, and
        :class:`rage.NotReadable` for anything but whole numbers."""
        number, at, cards = map(whole_number, (round, trick, card))
        first, schedule = self._first, self._rules.schedule
        if not first <= number <= len(schedule):
            raise NotAllowed("moment.round", round=round, first=first, last=len(schedule))
        tricks = schedule[number - 1]
        if not 0 <= at <= tricks:
            raise NotAllowed("moment.trick", round=number, trick=trick, tricks=tricks)
        if not 0 <= cards <= (self.players if at else 0):
            code = "moment.card" if at else "moment.card_of_bidding"
            raise NotAllowed(code, card=card, players=self.players)
        rounds, index = self.rounds, number - first
        decisions = self.players * at + cards
        if index < len(rounds):
            current = rounds[index]
            made = len(current.moves)
            if at == 0:  # while the bids are being made, as many as there are
                decisions = min(self.players, made)
            if decisions <= made:
                found = self.copy()
                if decisions < made or index < len(rounds) - 1:
                    found._go_to(current, index, decisions)
                return found
        raise NotAllowed("moment.not_yet", round=number, trick=at, card=cards)

    def steps(self) -> Iterator[Step]:
        """Every decision so far, in order, each with a copy of the game before it."""
        for index, current in enumerate(self.rounds):
            moves = current.moves
            game = self.copy()
            game._go_to(current, index, 0)
            for number, move in enumerate(moves, 1):
                seat = game.to_act
                assert seat is not None
                yield Step(seat, move, game.copy())
                if number < len(moves):
                    game.play(move)

    # Views and copies.

    def view(self, seat: int | None) -> View:
        """What a seat, or a spectator (``None``), may know. Raises :class:`rage.NotAllowed` if
        there is no such seat."""
        if len(self._public) < len(self._past):
            self._public += tuple(each._public() for each in self._past[len(self._public) :])
        return View(self, None if seat is None else self._seat(seat), self._public)

    def copy(self) -> Self:
        """An independent copy; later deals come from the same seed or deals."""
        other = self.__class__.__new__(self.__class__)
        other.__dict__.update(self.__dict__)  # with what a subclass adds
        other._share(self)
        other._past = self._past
        other._position = self._position.copy()
        return other

    __copy__ = copy

    def with_names(self, names: Sequence[str]) -> Self:
        """A copy with other names of the players. Raises like :class:`Game`."""
        other = self.copy()
        other._names = _names(names, self._rules)
        if len(other._names) != len(self._names):
            raise NotAllowed("players.others", given=len(other._names), players=len(self._names))
        return other

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self._state() == other._state()

    def __repr__(self) -> str:
        return f"<Game {self._repr()}>"


@lru_cache(maxsize=64)
def _rules(ruleset: RuleSet, players: int) -> Rules:
    """The kernel's form of the rules, shared by all games of a rule set."""
    return Rules(ruleset, players)


def _deals(deals: object, most: int) -> tuple[Deal, ...]:
    """The given deals, checked, at most ``most`` of them."""
    if isinstance(deals, Deal) or not isinstance(deals, Iterable):
        raise NotReadable("deal.no_deal", given=deals)
    found = tuple(islice(deals, most))
    for each in found:
        if not isinstance(each, Deal):
            raise NotReadable("deal.no_deal", given=each)
    return found


def _names(players: int | Sequence[str], rules: RuleSet) -> tuple[str, ...]:
    """The given names, checked, or default names for a number of players."""
    count = as_int(players)
    if count is not None:
        rules.for_players(count)  # before a huge number of names is made
        return default_names(count)
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
    text: Any = seed if number is None else in_words(number)  # refused unless it is text
    return read_seed(text)
