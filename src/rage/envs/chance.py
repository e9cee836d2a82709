"""A round or game in which chance deals one card at a time, as tree algorithms expect.

A hand has no order, so its cards come in ascending order, each with the probability that it is the
next one: there is one way to deal each hand. Cards of the stock are drawn only when they are turned
over.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import comb
from typing import Final, NamedTuple

from rage.bots.worlds import sample_worlds
from rage.engine.deal import Deal
from rage.engine.kernel import Phase, Rules
from rage.engine.position import Position
from rage.game.account import leads
from rage.game.game import Game
from rage.game.history import seat_after
from rage.game.view import View
from rage.rules.cards import BID, CARD_OF_MOVE, N_COLOURED
from rage.rules.hands import cards_of
from rage.rules.ruleset import RuleSet, pack
from rage.rules.settings import MAX_HAND
from rage.rules.values import MOVES

_LARGEST_PACK: Final = 116
#: By k and n, the number of ways to choose k of n cards.
_WAYS: Final = tuple(
    tuple(comb(n, k) for n in range(_LARGEST_PACK + 1)) for k in range(MAX_HAND + 1)
)


class Round(NamedTuple):
    """The deal and the play of a round so far: the dealer (``None`` until one is drawn), the hands
    as dealt, by seat, the stock cards turned over, the moves, and the seats that made them. Cards
    and moves are numbers."""

    dealer: int | None
    hands: list[list[int]]
    stock: list[int]
    moves: list[int]
    seats: list[int]

    def copy(self) -> Round:
        """A copy that can be played on without changing this one."""
        hands = [[*hand] for hand in self.hands]
        return Round(self.dealer, hands, [*self.stock], [*self.moves], [*self.seats])

    def deal(self) -> Deal:
        """The deal, with the stock as far as it has been turned over."""
        assert self.dealer is not None
        return Deal(self.dealer, [cards_of(hand) for hand in self.hands], cards_of(self.stock))


class History:
    """A game under ``rules`` (of one round, if they have one), before the first card is dealt.
    :meth:`apply` makes each step: a dealer or a card (chance), or a move. The seat ``dealer`` deals
    the first round; without it, chance draws one."""

    __slots__ = ("_dealt", "_left", "_pending", "dealer", "position", "rounds", "rules", "to_act")

    def __init__(self, rules: Rules, dealer: int | None = None) -> None:
        self.rules = rules
        self.dealer = dealer
        self.position = Position(rules)
        self.rounds: list[Round] = []
        self._pending: int | None = None  # a move that waits for the next card of the stock
        #: The seat whose move is next; ``None`` if chance is, or the game is over.
        self.to_act: int | None = None
        self._begin_round(dealer)

    def _begin_round(self, dealer: int | None) -> None:
        self.rounds.append(Round(dealer, [[] for _ in range(self.rules.players)], [], [], []))
        self._left = [*_pack(self.rules)]
        self._dealt = 0  # cards in hands

    def copy(self) -> History:
        """A copy that can be played on without changing this one."""
        other = History.__new__(History)
        other.rules, other.dealer = self.rules, self.dealer
        other.position = self.position.copy()
        other.rounds = [*self.rounds[:-1], self.rounds[-1].copy()]  # others never change
        other._pending, other.to_act = self._pending, self.to_act
        other._left, other._dealt = [*self._left], self._dealt
        return other

    def __deepcopy__(self, memo: object) -> History:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        rules = self.rules
        return (_replayed, (rules.ruleset, rules.players, self.dealer, self.rounds))

    # The next step.

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        over: bool = self.position.phase == Phase.OVER
        return over

    def outcomes(self) -> list[tuple[int, float]]:
        """The next outcomes of chance, with their probabilities: a seat (the dealer) or a card."""
        current = self.rounds[-1]
        if current.dealer is None:
            players = self.rules.players
            return [(seat, 1 / players) for seat in range(players)]
        hand = self._hand_dealt()
        weights = (
            Counter(self._left) if hand is None else _next_in_hand(self._left, hand, self._size())
        )
        total = sum(weights.values())
        return [(card, weight / total) for card, weight in weights.items()]

    @property
    def made(self) -> int:
        """The number of moves made in the position. (One more may wait for a card of the stock.)"""
        return sum(len(each.moves) for each in self.rounds) - (self._pending is not None)

    def known_moves(self, number: int, seat: int | None) -> list[int]:
        """The moves of a round, by its index, as a seat knows them (``None``: as everyone does): -1
        for a bid that it has not been shown."""
        current = self.rounds[number]
        if number < len(self.rounds) - 1 or not self.position.hides_bids:
            return current.moves
        players = self.rules.players
        bids = zip(current.moves[:players], current.seats, strict=False)
        return [bid if who == seat else -1 for bid, who in bids] + current.moves[players:]

    def _size(self) -> int:
        """The cards dealt to each player in this round."""
        return self.rules.ruleset.schedule[len(self.rounds) - 1]

    def _hand_dealt(self) -> list[int] | None:
        """The hand that the next card belongs to; ``None`` if it belongs to the stock."""
        seat = self._dealt // self._size()
        return self.rounds[-1].hands[seat] if seat < self.rules.players else None

    # Making steps.

    def apply(self, step: int) -> None:
        """Make the next step. Raises :class:`rage.NotAllowed` for a move that is not legal, and
        ``ValueError`` for a card or a dealer that cannot be next."""
        if self.to_act is None:
            self._draw(step)
        else:
            self._play(step)
        self.to_act = None if self._pending is not None else self.position.to_act

    def _play(self, move: int) -> None:
        seat = self.position.to_act
        assert seat is not None
        after = self.position.copy()
        after.play(move)
        current = self.rounds[-1]
        if self._pending is None:
            current.moves.append(move)
            current.seats.append(seat)
        if after.stock_short:
            self._pending = move
            return
        self._pending, self.position = None, after
        if after.phase == Phase.DEALING:
            assert current.dealer is not None
            self._begin_round(seat_after(current.dealer, 1, self.rules.players))

    def _draw(self, drawn: int) -> None:
        current = self.rounds[-1]
        if self.over:
            raise ValueError("the game is over")
        if current.dealer is None:
            if not 0 <= drawn < self.rules.players:
                raise ValueError(f"no seat {drawn}")
            self.rounds[-1] = current._replace(dealer=drawn)
            return
        at = bisect_left(self._left, drawn)
        if at == len(self._left) or self._left[at] != drawn:
            raise ValueError(f"no card {drawn} is left")
        hand = self._hand_dealt()
        if hand and hand[-1] > drawn:
            raise ValueError("the cards of a hand are dealt in rising order")
        if hand is not None and len(self._left) - at < self._size() - len(hand):
            raise ValueError(f"too few cards are left above {drawn} for the rest of the hand")
        del self._left[at]
        if hand is None:
            current.stock.append(drawn)
        else:
            hand.append(drawn)
            self._dealt += 1
        if self._pending is not None:
            self._extend_stock()
            self._play(self._pending)
        elif (hand is None and drawn < N_COLOURED) or (
            self._hand_dealt() is None and not self._left
        ):
            self.position.deal(current.dealer, current.hands, current.stock)

    def _extend_stock(self) -> None:
        """Add to the position the stock cards that it lacks."""
        position = self.position
        hands = [position.hand(seat) for seat in range(self.rules.players)]
        known = len(position.turned)
        self.position = position.filled(hands, self.rounds[-1].stock[known:], position.bids)

    # For the players.

    def returns(self, rewards: str = "leads") -> list[float]:
        """The reward of each seat so far: the ``"points"`` of its side, or these less the mean of
        the other sides' points (``"leads"``)."""
        points = self.position.scores
        sides = len(points)
        found = leads(points) if rewards == "leads" else [float(each) for each in points]
        return [found[seat % sides] for seat in range(self.rules.players)]

    def view(self, seat: int) -> View:
        """What a seat may know, as a view for bots."""
        dealt = len(self.rounds) - (self.position.phase == Phase.DEALING)
        deals = [each.deal() for each in self.rounds[:dealt]]
        game = Game(self.rules.ruleset, self.rules.players, deals=deals)
        moves = [move for each in self.rounds for move in each.moves]
        for move in moves[: self.made]:
            game.play(MOVES[move])
        return game.view(seat)

    def resampled(self, seat: int, seed: int) -> list[Round]:
        """The rounds with everything hidden from a seat drawn again: the other hands, and hidden
        bids. (Cards of the stock are drawn only when they are turned over.) Raises ``ValueError``
        while a round is being dealt."""
        rounds = [*self.rounds[:-1], self.rounds[-1].copy()]
        if self.over:
            return rounds
        if self.position.to_act is None:
            raise ValueError("cards can be drawn again once a round has been dealt, not before")
        current = rounds[-1]
        (world,) = sample_worlds(self.position, seat, 1, seed)
        players = self.rules.players
        # A move that waits for a card of the stock is not made yet in the position.
        made = len(current.moves) - (self._pending is not None)
        hands = [[*hand] for hand in world.hands]
        for at, who in enumerate(current.seats[:made]):
            if at < players:
                current.moves[at] = BID + world.bids[who]
            else:
                hands[who].append(CARD_OF_MOVE[current.moves[at]])
        current.hands[:] = map(sorted, hands)
        return rounds


def follow(rounds: Sequence[Round], history: History) -> Iterator[int]:
    """Yield the steps that lead a history from its beginning through these rounds, whose stock can
    be longer than the cards turned over. Each step must be made before the next is asked for."""
    for number, each in enumerate(rounds, 1):
        if history.rounds[-1].dealer is None and each.dealer is not None:
            yield each.dealer
        for hand in each.hands:
            yield from hand
        stock, moves = iter(each.stock), iter(each.moves)
        while len(history.rounds) == number and not history.over:
            step = next(stock if history.to_act is None else moves, None)
            if step is None:
                break
            yield step


@lru_cache(maxsize=64)
def rules_of(ruleset: RuleSet, players: int) -> Rules:
    """The kernel's rules, shared by all histories of a rule set."""
    return Rules(ruleset, players)


def _replayed(ruleset: RuleSet, players: int, dealer: int | None, rounds: list[Round]) -> History:
    """The history of these rounds, for unpickling."""
    history = History(rules_of(ruleset, players), dealer)
    for step in follow(rounds, history):
        history.apply(step)
    return history


@lru_cache(maxsize=64)
def _pack(rules: Rules) -> tuple[int, ...]:
    """The cards of the pack, in ascending order."""
    return tuple(pack(rules.ruleset))


def _next_in_hand(left: list[int], hand: list[int], size: int) -> dict[int, int]:
    """By card, the number of hands that continue with it, among those that begin like this one."""
    missing = size - len(hand)
    last = hand[-1] if hand else -1
    ways: dict[int, int] = {}
    first = bisect_right(left, last)
    above = len(left) - first
    if again := first - bisect_left(left, last):  # cards like the last one
        held = hand.count(last)
        more = range(1, min(again, missing) + 1)
        ways[last] = sum(comb(again + held, held + n) * _WAYS[missing - n][above] for n in more)
        once = comb(again + held, held)
    else:
        once = 1
    if above < missing:
        return ways
    # Each other card, with the cards above it.
    choose = _WAYS[missing - 1][above - 1 :: -1] if above else ()
    fitting = left[first : len(left) - missing + 1]
    if fitting and fitting[-1] < N_COLOURED and once == 1:
        ways.update(zip(fitting, choose, strict=False))
        return ways
    for card, found in zip(fitting, choose, strict=False):
        ways[card] = ways.get(card, 0) + once * found
    return ways
