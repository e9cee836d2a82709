"""Position: a game at one moment, the fast layer for Python, in which everything is an integer.

Wraps the kernel's state in methods that check their arguments. Compiled like the kernel
(`position.pxd`), so that a call costs little more than the call itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, Never

from rage.engine.moment import MARKS, PHASES, Moment, check_moment
from rage.engine.moment_text import read_moment, write_moment
from rage.rules.cards import (
    CARD_CODES,
    CARD_OF_MOVE,
    MOVE_CODES,
    N_CARDS,
    N_COLOURS,
    colour_of_move,
)
from rage.rules.number import as_int, whole_number
from rage.rules.ruleset import leading
from rage.say import NotAllowed, as_list, check_kind, in_words

try:
    import cython
except ImportError:
    from rage.engine import uncompiled as cython

if not cython.compiled:
    from rage.engine.kernel import (
        BIDDING,
        COUNTS,
        DEALING,
        NO_BID,
        NOBODY,
        NONE,
        OVER,
        PLAYING,
        STOCK_KEPT,
        STOCK_SHORT,
        WHOLE_STOCK,
        WILD,
        Rules,
        Simulation,
        StateStack,
        allows,
        apply,
        bids_hidden,
        copy_state,
        count_games,
        find_winning,
        legal_set,
        lowest,
        mask,
        open_bidding,
        play_out,
        see_card,
        start_game,
        start_round,
        take_card,
    )
    from rage.engine.uncompiled import RuleTable, State
    from rage.rules.cards import BID, N_COLOURED, N_MOVES, PLAY_CHANGE


class Position:
    """A game at one moment, initially before the first deal. :meth:`deal` starts each round.

    This is the fast layer under :class:`rage.Game`: seats, colours, cards and moves are the
    integers of :mod:`rage.rules.cards` (``number`` of a colour, card or move; ``of`` converts
    back), and ``None`` stands for no colour or no seat."""

    def __cinit__(self) -> None:
        """When compiled, take the address of the embedded struct."""
        if cython.compiled:
            self.s: State = cython.address(self.state)
            self.r: RuleTable = cython.address(NO_RULES)

    def __init__(self, rules: Rules, *more: Never) -> None:
        if not cython.compiled:
            self.s = State()
        if more or not isinstance(rules, Rules):  # checked here first, because many are made
            check_kind((rules, *more) if more else rules, Rules, "kernel")
        self._bind(rules)
        start_game(self.s)

    def _bind(self, rules: Rules) -> None:
        """Share the rules and their table."""
        self.rules = rules
        self.r = rules.r

    def copy(self) -> Position:
        """An independent copy; both share the rules."""
        position = Position(self.rules)
        copy_state(position.s, self.s)
        return position

    def masked(self, seat: int | None) -> Position:
        """A copy without everything that a seat (``None``: a spectator) must not know. Raises
        :class:`rage.NotAllowed` for a seat that does not exist."""
        number = NOBODY
        if seat is not None:
            number = number_of(seat)
            if not 0 <= number < self.r.n:
                raise NotAllowed("view.no_seat", seat=seat, last=self.r.n - 1)
        position = self.copy()
        mask(position.s, self.r, number)
        return position

    def forgetful(self) -> Position:
        """A copy that has forgotten the finished tricks: their cards do not count as seen, and no
        voids are known."""
        position = self.copy()
        s = position.s
        s.seen[0] = s.seen[1] = 0
        for i in range(8):
            s.voids[i] = 0
        for i in range(s.shown):
            see_card(s, self.r, s.stock[i])
        for i in range(8):
            if i < s.count:
                see_card(s, self.r, CARD_OF_MOVE[s.trick[i]])
            else:
                s.trick[i] = 0  # from the trick before
        return position

    def filled(
        self, hands: Sequence[Iterable[int]], stock: Sequence[int], bids: Sequence[int | None]
    ) -> Position:
        """The inverse of :meth:`masked`: a copy in which everything hidden from spectators is
        filled in, for example from a :class:`rage.bots.worlds.World`. ``hands`` by seat and
        ``stock`` (the rest of it, top first, possibly cut short) are card numbers; ``bids`` by seat
        are ``None`` (or 255) if not yet made.

        Raises :class:`rage.NotAllowed` if no round is under way, a hand has a wrong size, a card
        occurs more often than in the pack, or a bid contradicts one that was made or shown."""
        if self.to_act is None:
            raise NotAllowed("position.no_round")
        held = [as_list(hand, "hands") for hand in as_list(hands, "hands")]
        stock = as_list(stock, "cards")
        position = self.masked(None)
        s = position.s
        r = position.r
        left = position._unseen(held, stock)
        position._fill_bids(as_list(bids, "bids"))
        for seat, cards in enumerate(held):
            for card in cards:
                take_card(s, r, seat, number_of(card))
        kept = min(len(stock), STOCK_KEPT - s.shown)
        for i in range(kept):
            s.stock[s.shown + i] = number_of(stock[i])
        s.stock_size = s.shown + kept
        if left == 0:
            s.flags |= WHOLE_STOCK
        return position

    def _unseen(self, hands: list[list[int]], stock: list[int]) -> int:
        """The number of cards of the pack that are neither seen nor in these hands or this stock.
        Raises :class:`rage.NotAllowed` like :meth:`filled`."""
        s = self.s
        n = self.r.n
        if len(hands) != n:
            raise NotAllowed("deal.hands", hands=len(hands), players=n)
        for seat, cards in enumerate(hands):
            due = s.hand - s.tricks - ((seat - s.leader) % n < s.count)
            if len(cards) != due:
                raise NotAllowed("position.hand_size", seat=seat, cards=len(cards), due=due)
        left = [0] * N_CARDS
        for i in range(self.r.pack_size):
            left[self.r.pack[i]] += 1
        for card in self.seen:
            left[card] -= 1
        for card in chain(*hands, stock):
            if not 0 <= number_of(card) < N_CARDS:
                raise NotAllowed("deal.no_card", card=card)
            left[card] -= 1
            if left[card] < 0:
                raise NotAllowed("position.too_often", card=CARD_CODES[card])
        return sum(left)

    def _fill_bids(self, bids: list[int | None]) -> None:
        """Set the hidden bids of a position. Raises :class:`rage.NotAllowed` like
        :meth:`filled`."""
        s = self.s
        n = self.r.n
        if len(bids) != n:
            raise NotAllowed("position.bids", bids=len(bids), players=n)
        made = n if s.phase == PLAYING else (s.turn - s.leader) % n
        for seat, bid in enumerate(bids):
            number = NO_BID if bid is None else number_of(bid)
            fits = 0 <= number <= s.hand if (seat - s.leader) % n < made else number == NO_BID
            if not fits or s.bids[seat] not in (number, NO_BID):
                raise NotAllowed("position.bid", seat=seat)
            s.bids[seat] = number

    def deal(self, dealer: int, hands: Sequence[Iterable[int]], stock: Sequence[int]) -> None:
        """Start the next round: hands by seat and the stock, top first, as card numbers. The stock
        may be cut short after the turn-up; ``stock_short`` tells whether a later card is missing.

        Raises :class:`rage.NotAllowed` if it is not time to deal or another dealer's turn, a hand
        has a wrong size, the stock ends before the turn-up, or a card occurs more often than in the
        pack."""
        s = self.s
        r = self.r
        if s.phase != DEALING:
            raise NotAllowed("deal.not_now")
        n = r.n
        seat_dealing = number_of(dealer)
        if not 0 <= seat_dealing < n:
            raise NotAllowed("deal.no_seat", dealer=dealer, last=n - 1)
        if s.dealer != NOBODY and seat_dealing != (s.dealer + 1) % n:
            raise NotAllowed("deal.dealer", dealer=dealer, due=(s.dealer + 1) % n)
        held = [as_list(hand, "hands") for hand in as_list(hands, "hands")]
        stock = as_list(stock, "cards")
        size = self.rules.ruleset.schedule[s.round]
        if len(held) != n:
            raise NotAllowed("deal.hands", hands=len(held), players=n)
        left = [0] * N_CARDS
        for i in range(r.pack_size):
            left[r.pack[i]] += 1
        for seat, cards in enumerate([*held, stock]):
            if seat < n and len(cards) != size:
                raise NotAllowed("deal.hand_size", seat=seat, cards=len(cards), hand=size)
            for card in cards:
                if not 0 <= number_of(card) < N_CARDS:
                    raise NotAllowed("deal.no_card", card=card)
                left[card] -= 1
                if left[card] < 0:
                    raise NotAllowed("deal.too_often", card=CARD_CODES[card])
        whole = n * size + len(stock) == r.pack_size
        if not whole and not any(number_of(card) < N_COLOURED for card in stock):
            raise NotAllowed("deal.stock_short")
        start_round(s, r, seat_dealing)
        for seat, cards in enumerate(held):
            for card in cards:
                take_card(s, r, seat, number_of(card))
        s.stock_size = min(len(stock), STOCK_KEPT)
        for i in range(s.stock_size):
            s.stock[i] = number_of(stock[i])
        s.flags = WHOLE_STOCK if whole else 0
        open_bidding(s, r)

    @property
    def legal_moves(self) -> list[int]:
        """The legal moves in rising order; none if no one is to act."""
        return self._legal_of(_ALL_MOVES)

    def _legal_of(self, moves: tuple[Any, ...]) -> list[Any]:
        """The entries for the legal moves in a tuple of 128 objects, one for each move."""
        if len(moves) != N_MOVES:
            raise ValueError(f"{len(moves)} objects for {N_MOVES} moves")
        left = legal_set(self.s, self.r)
        found = []
        while left.lo:
            found.append(moves[lowest(left.lo)])
            left.lo &= left.lo - 1
        while left.hi:
            found.append(moves[64 + lowest(left.hi)])
            left.hi &= left.hi - 1
        return found

    def _legal_as(self, kind: type, moves: tuple[Any, ...]) -> Any:
        """Like :meth:`_legal_of`, as a ``kind`` of tuple without fields of its own."""
        if len(moves) != N_MOVES:
            raise ValueError(f"{len(moves)} objects for {N_MOVES} moves")
        if not cython.compiled:
            return tuple.__new__(kind, self._legal_of(moves))
        left = legal_set(self.s, self.r)
        found = rage_tuple(kind, popcount(left.lo) + popcount(left.hi))
        at = 0
        while left.lo:
            rage_fill(found, at, moves[lowest(left.lo)])
            left.lo &= left.lo - 1
            at += 1
        while left.hi:
            rage_fill(found, at, moves[64 + lowest(left.hi)])
            left.hi &= left.hi - 1
            at += 1
        return found

    def is_legal(self, move: int) -> bool:
        """Whether a move is legal now."""
        number = number_of(move)
        return 0 <= number < N_MOVES and allows(self.s, self.r, number)

    def play(self, move: int) -> int:
        """Make a move. Returns the flags of :class:`rage.engine.kernel.Happened`, 0 for most cards.

        Raises :class:`rage.NotAllowed` if the move is not legal."""
        number = number_of(move)
        if not 0 <= number < N_MOVES:
            raise NotAllowed("move.no_number", number=in_words(repr(move)), last=N_MOVES - 1)
        if not allows(self.s, self.r, number):
            if number >= BID:
                raise NotAllowed("move.bid_not_legal", bid=number - BID)
            raise NotAllowed("move.card_not_legal", card=MOVE_CODES[number])
        return apply(self.s, self.r, number)

    def playout(self, seed: int) -> int:
        """Play random legal moves until the round is over. Returns their number. Raises
        :class:`rage.NotAllowed`, and changes nothing, if a masked hand is to play."""
        played = Simulation(whole_number(seed))
        copy_state(played.s, self.s)
        count = play_out(played.generator, played.s, self.r)
        if played.s.phase == BIDDING or played.s.phase == PLAYING:
            raise NotAllowed("playout.masked", seat=played.s.turn)
        copy_state(self.s, played.s)
        return count

    def perft(self) -> tuple[int, int]:
        """Count every way this round can go. Returns their number, and the sum over them of a
        digest of the final scores, modulo 2**64. Runs without the GIL, and cannot be interrupted:
        before the first bid of four players there are a hundred thousand ways with three cards
        each, tens of millions with four (seconds, compiled); with six it never ends."""
        stack = StateStack()
        copy_state(stack.s, self.s)
        with cython.nogil:
            count_games(stack.totals, stack.s, self.r)
        return stack.totals.count, stack.totals.digest

    def hand(self, seat: int) -> list[int]:
        """The cards a seat holds, as card numbers in rising order. Raises :class:`rage.NotAllowed`
        for a seat that does not exist."""
        number = number_of(seat)
        if not 0 <= number < self.r.n:
            raise NotAllowed("view.no_seat", seat=seat, last=self.r.n - 1)
        lo = self.s.held[2 * number]
        hi = self.s.held[2 * number + 1]
        return card_list(lo, hi)

    @property
    def seen(self) -> list[int]:
        """The cards of this round that everyone has seen: played, or turned over."""
        lo = self.s.seen[0]
        hi = self.s.seen[1]
        return card_list(lo, hi)

    @property
    def phase(self) -> int:
        """0 before a deal, 1 in the bidding, 2 in the play, 3 when the game is over."""
        return self.s.phase

    @property
    def to_act(self) -> int | None:
        """The seat whose turn it is; ``None`` if no one is to act."""
        return self.s.turn if self.s.phase == BIDDING or self.s.phase == PLAYING else None

    @property
    def round(self) -> int:
        """The number of rounds that are over: the index in the schedule of the one under way. (The
        ``round`` of a game is a :class:`rage.Round`, whose ``number`` counts from 1.)"""
        return self.s.round

    @property
    def hand_size(self) -> int:
        """The number of cards dealt to each player in the round last dealt."""
        return self.s.hand

    @property
    def dealer(self) -> int | None:
        """The dealer of the round last dealt."""
        return _or_none(self.s.dealer, NOBODY)

    @property
    def leader(self) -> int | None:
        """The seat that leads or led the trick under way; eldest during the bidding."""
        return _or_none(self.s.leader, NOBODY)

    @property
    def trump(self) -> int | None:
        """The trump colour in force."""
        return _or_none(self.s.trump, NONE)

    @property
    def led(self) -> int | None:
        """The led colour of the trick under way."""
        return _or_none(self.s.led, NONE)

    @property
    def trick(self) -> list[int]:
        """The moves played to the trick under way."""
        return [self.s.trick[i] for i in range(self.s.count)]

    @property
    def last_trick(self) -> list[int]:
        """The moves of the trick just completed; none before the first of a round, and while a
        trick is under way."""
        full = self.s.count == 0 and self.s.tricks > 0
        return [self.s.trick[i] for i in range(self.r.n)] if full else []

    @property
    def ahead(self) -> int | None:
        """The seat that would win the trick under way as it stands; ``None`` if it is empty."""
        winning = find_winning(self.s, self.r, self.s.trump)
        return None if winning < 0 else (self.s.leader + winning) % self.r.n

    @property
    def tricks(self) -> int:
        """The number of tricks of the round that are over."""
        return self.s.tricks

    @property
    def bids(self) -> list[int | None]:
        """The bids by seat; ``None`` for one that is not made yet or not shown."""
        return [_or_none(self.s.bids[i], NO_BID) for i in range(self.r.n)]

    @property
    def hides_bids(self) -> bool:
        """Whether each seat sees only its own bid now."""
        return bids_hidden(self.s, self.r)

    @property
    def won(self) -> list[int]:
        """The tricks won in the round, by seat."""
        return [self.s.won[i] for i in range(self.r.n)]

    @property
    def bonus(self) -> list[int]:
        """The Bonus cards won in the round, by seat."""
        return [self.s.bonus_mad[i] & 15 for i in range(self.r.n)]

    @property
    def mad(self) -> list[int]:
        """The Mad cards won in the round, by seat."""
        return [self.s.bonus_mad[i] >> 4 for i in range(self.r.n)]

    @property
    def voids(self) -> list[list[int]]:
        """By seat, the colours in which it has shown a void."""
        return [[c for c in range(6) if (self.s.voids[i] >> c) & 1] for i in range(self.r.n)]

    def is_void(self, seat: int, colour: int) -> bool:
        """Whether a seat has shown that it holds no card of a colour. Raises
        :class:`rage.NotAllowed` for a seat or a colour that does not exist."""
        number = number_of(seat)
        if not 0 <= number < self.r.n:
            raise NotAllowed("view.no_seat", seat=seat, last=self.r.n - 1)
        bit = number_of(colour)
        if not 0 <= bit < N_COLOURS:
            raise NotAllowed("position.no_colour", colour=colour, last=N_COLOURS - 1)
        return (self.s.voids[number] >> bit) & 1 != 0

    @property
    def scores(self) -> list[int]:
        """The points of the rounds that are over, by side (a seat, or a team)."""
        return [self.s.scores[i] for i in range(self.r.sides)]

    @property
    def met(self) -> list[int]:
        """The number of rounds in which each side has met its bid."""
        return [self.s.met[i] for i in range(self.r.sides)]

    @property
    def turned(self) -> list[int]:
        """The stock cards turned over in this round, in order."""
        return [self.s.stock[i] for i in range(min(self.s.shown, self.s.stock_size))]

    @property
    def stock_short(self) -> bool:
        """Whether a stock that was cut short ran out before a card that had to be turned over."""
        return (self.s.flags & STOCK_SHORT) != 0

    @property
    def winners(self) -> list[int] | None:
        """The sides that have won, by points, and by bids met if these break ties; ``None`` until
        the game is over."""
        if self.rules is None or self.s.phase != OVER:
            return None
        return leading(self.rules.ruleset, self.scores, self.met)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position) or self.rules is None or other.rules is None:
            return NotImplemented
        return (
            self.rules.players == other.rules.players
            and self._fields() == other._fields()
            and self.rules.ruleset == other.rules.ruleset
        )

    def __repr__(self) -> str:
        if self.rules is None:
            return "<Position without rules>"
        to_act = self.to_act
        who = "nobody to act" if to_act is None else f"seat {to_act} to act"
        scores = " ".join(map(str, self.scores))
        over = "1 round over" if self.round == 1 else f"{self.round} rounds over"
        return f"<Position, {self.rules.players} players, {over}, {who}, {scores}>"

    def _fields(self) -> tuple[Any, ...]:
        """Every field of the state as numbers; equal positions have equal fields."""
        s = self.s
        seats = [
            (
                s.held[2 * i],
                s.held[2 * i + 1],
                s.trick[i],
                s.bids[i],
                s.won[i],
                s.bonus_mad[i],
                s.voids[i],
                s.met[i],
            )
            for i in range(8)
        ]
        return (
            seats,
            [s.scores[i] for i in range(8)],
            [s.stock[i] for i in range(STOCK_KEPT)],
            (s.seen[0], s.seen[1], s.phase, s.round, s.dealer, s.turn, s.leader, s.trump, s.led),
            (s.count, s.tricks, s.hand, s.stock_size, s.turned, s.shown, s.up, s.flags),
        )

    @property
    def text(self) -> str:
        """This position as one line of text (``docs/position.md``), from which :meth:`from_text`
        makes an equal one. Raises :class:`rage.NotAllowed` for rules without a name."""
        return write_moment(self._moment)

    @staticmethod
    def from_text(text: str) -> Position:
        """Parse a position from text (``docs/position.md``), as people write it. Raises
        :class:`rage.NotReadable` for any other text, and :class:`rage.NotAllowed` for an impossible
        position."""
        check_kind(text, str, "text")
        return position_at(read_moment(text))

    @property
    def _moment(self) -> Moment:
        """This position as plain data, from which :func:`position_at` makes an equal one."""
        if self.rules is None:
            raise TypeError("a Position needs Rules")
        s = self.s
        at_work = s.phase == BIDDING or s.phase == PLAYING
        hands: list[tuple[int, ...] | None] = []
        for seat in range(self.r.n):
            due = s.hand - s.tricks - ((seat - s.leader) % self.r.n < s.count)
            hand = tuple(self.hand(seat))
            hands.append(None if at_work and due and not hand else hand)
        before = tuple([s.trick[i] for i in range(s.count, self.r.n)])
        return Moment(
            rules=self.rules.ruleset,
            players=self.r.n,
            round=s.round + 1,
            hands=tuple(hands),
            bids=tuple(self.bids),
            phase=PHASES[s.phase],
            dealer=_or_none(s.dealer, NOBODY),
            won=tuple(self.won),
            leader=_or_none(s.leader, NOBODY),
            trick=tuple([s.trick[i] for i in range(s.count)]),
            before=before if any(before) else (),
            turn=_or_none(s.turn, NOBODY),
            stock=tuple([s.stock[i] for i in range(s.stock_size)]),
            shown=s.shown,
            turned=s.turned,
            up=s.up,
            trump=_or_none(s.trump, NONE),
            seen=tuple(self.seen),
            voids=tuple(map(tuple, self.voids)),
            bonus=tuple(self.bonus),
            mad=tuple(self.mad),
            points=tuple(self.scores),
            met=tuple(self.met),
            marks=tuple([mark for bit, mark in enumerate(MARKS) if (s.flags >> bit) & 1]),
        )

    def _take(self, moment: Any) -> None:
        """Set a new position to a moment that was checked."""
        s = self.s
        s.round = moment.round - 1
        s.phase = PHASES.index(moment.phase)
        s.hand = moment.hand_size
        s.tricks = sum(moment.won)
        for seat, hand in enumerate(moment.hands):
            for card in hand or ():
                take_card(s, self.r, seat, card)
            bid = moment.bids[seat]
            s.bids[seat] = NO_BID if bid is None else bid
            s.won[seat] = moment.won[seat]
            s.bonus_mad[seat] = moment.bonus[seat] | moment.mad[seat] << 4
            s.voids[seat] = sum([1 << colour for colour in moment.voids[seat]])
        for side, points in enumerate(moment.points):
            s.scores[side] = points
            s.met[side] = moment.met[side]
        for card in moment.seen:
            see_card(s, self.r, card)
        for at, card in enumerate(moment.stock):
            s.stock[at] = card
        s.stock_size, s.shown = len(moment.stock), moment.shown
        s.turned, s.up = moment.turned, moment.up
        s.flags = sum([1 << bit for bit, mark in enumerate(MARKS) if mark in moment.marks])
        s.count = len(moment.trick)
        for at, move in enumerate(moment.trick + moment.before):
            s.trick[at] = move
        for move in moment.trick:
            if s.led == NONE and move < PLAY_CHANGE:
                s.led = colour_of_move(move)
        if moment.dealer is not None:
            s.dealer, s.leader, s.turn = moment.dealer, moment.leader, moment.turn
        if moment.trump is not None:
            s.trump = moment.trump

    def with_bid(self, seat: int, bid: int) -> Position:
        """A copy with a bid made before its seat's turn, because all bid at the same time. Raises
        :class:`rage.NotAllowed` for a seat or a bid that does not exist."""
        at, number = number_of(seat), number_of(bid)
        if not (0 <= at < self.r.n and 0 <= number <= self.s.hand and self.s.phase == BIDDING):
            raise NotAllowed("position.bid", seat=seat)
        position = self.copy()
        position.s.bids[at] = number
        return position

    def __reduce__(self) -> tuple[Any, ...]:
        return (position_at, (self._moment,))


def position_at(moment: Moment) -> Position:
    """The position at a moment; also unpickles positions. Raises :class:`rage.NotAllowed` for an
    impossible moment."""
    check_moment(moment)
    position = Position(Rules(moment.rules, moment.players))
    position._take(moment)
    return position


_ALL_MOVES = tuple(range(N_MOVES))


def number_of(value: Any) -> int:
    """A value as a number that fits C; -1, which is never in range, if it is not an integer. (C by
    itself would truncate 1.5 to 1.)"""
    if not isinstance(value, int):
        number = as_int(value)
        return -1 if number is None else number_of(number)
    if cython.compiled:
        return PyLong_AsLongAndOverflow(value, cython.address(overflow))  # -1 then, too
    else:
        return value


def card_list(lo: int, hi: int) -> list[int]:
    """The cards of a hand of 128 bits, as card numbers in rising order."""
    cards = [card for card in range(64) if (lo >> card) & 1]
    cards += [card for card in range(64, 96) if (hi >> (card - 64)) & 1]
    for kind in range(5):
        cards += [WILD + kind] * ((hi >> (COUNTS + 3 * kind)) & 7)
    return cards


def _or_none(value: int, none: int) -> int | None:
    return None if value == none else value
