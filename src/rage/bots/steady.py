"""steady: a heuristic that bids what it expects to win and then plays to win just that.

It makes the bid with the highest value for the hand, and plays the card with the highest value for
the rest of it, counting the chance to win the trick on the table and the cards in it (`worth.py`).
Ducking, trumping, keeping an Out and throwing a Mad all follow from one sum, in which a trick is
wanted if it is worth more won than lost.
"""

from __future__ import annotations

from rage.bots.chances import CHANCES, WEIGHTS
from rage.bots.interface import BaseBot, Budget, acting_seat, check_turn
from rage.bots.worth import SteadyWeights
from rage.game.view import View
from rage.rules.values import MOVES, Move
from rage.say import NotAllowed

try:
    import cython
except ImportError:
    from rage.engine import uncompiled as cython

if not cython.compiled:
    from rage.bots.uncompiled import Estimate, Weights
    from rage.bots.worth import (
        POINT,
        WHOLE,
        count_cards,
        count_slack,
        estimate_cards,
        fill_powers,
        find_best,
        list_hand,
        note_bids,
        rest_value,
        win_chance,
    )
    from rage.engine.canonical import canonical_colours, canonical_state, invert, rename_move
    from rage.engine.kernel import (
        BIDDING,
        COUNTS,
        NO_BID,
        NONE,
        ONE,
        legal_set,
        lowest,
        round_points,
    )
    from rage.engine.position import Position
    from rage.engine.uncompiled import RuleTable, State
    from rage.rules.cards import (
        BID,
        N_COLOURED,
        PLAY_BONUS,
        PLAY_CHANGE,
        PLAY_CHANGE_TURNED_UP,
        PLAY_MAD,
        PLAY_OUT,
        WILD,
    )


def choose_move(weights: Weights, s: State, r: RuleTable) -> int:
    """The move of the seat to act, from what that seat may know."""
    if cython.compiled:
        e = cython.address(estimate)
    else:
        e = Estimate()
    e.weights = weights
    estimate_hand(e, s, r)
    if s.phase == BIDDING:
        return choose_bid(e, s, r)
    return choose_card(e, s, r)


def canonical_move(weights: Weights, s: State, r: RuleTable) -> int:
    """Like `choose_move`, but independent of colour names and seat numbers, even for moves of equal
    value. (In a search, the state is already canonical.)"""
    if cython.compiled:
        turned = cython.address(own)
    else:
        turned = State()
        perm = [0] * 6
        back = [0] * 6
    canonical_colours(s, r, s.turn, perm)
    canonical_state(turned, s, r, s.turn, perm)
    invert(perm, back)
    return rename_move(choose_move(weights, turned, r), back)


def estimate_hand(e: Estimate, s: State, r: RuleTable) -> None:
    """Count the cards, and estimate each card of the hand under the trump in force."""
    e.seat = s.turn
    e.left = s.hand - s.tricks
    count_cards(e, s, r)
    list_hand(e, s)
    note_bids(e, s, r)
    count_slack(e, s, r)
    fill_powers(e.powers_now, e.left, e.unseen_cards)
    if s.phase == BIDDING:
        estimate_cards(e, r, e.powers_now, e.left, s.trump)
    else:
        fill_powers(e.powers_later, e.left - 1, e.unseen_cards)
        estimate_trump(e, s, r, s.trump, s.trump)


def estimate_trump(e: Estimate, s: State, r: RuleTable, trump: int, later: int) -> None:
    """Evaluate the trick on the table under a trump, and the rest of the hand under a later one."""
    find_best(e, s, r, trump)
    estimate_cards(e, r, e.powers_later, e.left - 1, later)


# --- bidding -------------------------------------------------------------------------------


def choose_bid(e: Estimate, s: State, r: RuleTable) -> int:
    """The legal bid with the highest value; with the highest trump not 0 if another is legal."""
    legal = legal_set(s, r).hi >> COUNTS
    if holds_top_trump(e, s, r) and legal > 1:
        legal &= ~ONE
    best = -1
    best_value = 0
    for bid in range(s.hand + 1):
        if (legal >> bid) & 1 == 0:
            continue
        fill_tricks_worth(e, s, r, bid)
        bid_value = rest_value(e, e.size, 0, s.leader == e.seat)
        if best < 0 or bid_value > best_value:
            best = bid
            best_value = bid_value
    return BID + best


def holds_top_trump(e: Estimate, s: State, r: RuleTable) -> bool:
    """Whether the hand has the highest trump still out (a Wild called trump would beat it), and the
    rules do not reward bidding low."""
    if s.trump == NONE or r.exact < r.exact_zero or r.exact <= r.miss:
        return False
    return e.mine[s.trump] > e.unseen[s.trump]


def fill_tricks_worth(e: Estimate, s: State, r: RuleTable, bid: int) -> None:
    """Fill in the values of -1, 0, 1, 2, ... further tricks after this bid: the points of the side
    if its other members win the tricks they need. ``e.partner_doubt`` is the doubt about that."""
    won = s.won[e.seat]
    mates = needs = 0
    mate = e.seat % r.sides
    while mate < r.n:
        if mate != e.seat:
            mate_bid = e.bids[mate]
            if mate_bid == NO_BID:
                mate_bid = s.won[mate] if s.won[mate] else 1
            bid += mate_bid
            won += s.won[mate] if s.won[mate] > mate_bid else mate_bid
            if s.won[mate] < mate_bid:
                mates += 1
                needs += mate_bid - s.won[mate]
        mate += r.sides
    e.partner_doubt = WHOLE * needs // e.left if needs < e.left else WHOLE
    for j in range(e.left + 2):
        e.tricks_worth[j] = POINT * round_points(r, s.hand, bid, won + j - 1, 0)
    e.needs_all = bid - won == e.left and e.tricks_worth[e.left + 1] > e.tricks_worth[e.left]
    if e.left > 1:
        for _ in range(mates):
            blur_tricks_worth(e)


def blur_tricks_worth(e: Estimate) -> None:
    """Average over neighbours, because a partner's tricks are not certain."""
    before = e.tricks_worth[0]
    for i in range(e.left + 1):
        here = e.tricks_worth[i]
        e.tricks_worth[i] = (before + 2 * here + e.tricks_worth[i + 1]) >> 2
        before = here


# --- playing -------------------------------------------------------------------------------


def choose_card(e: Estimate, s: State, r: RuleTable) -> int:
    """The legal card with the highest value. Cards that change the trump come last, because they
    estimate the hand again."""
    fill_tricks_worth(e, s, r, s.bids[e.seat])
    moves = legal_set(s, r)
    later = moves.hi & (((ONE << (PLAY_BONUS - PLAY_CHANGE)) - 1) << (PLAY_CHANGE - 64))
    moves.hi ^= later
    best = -1
    best_value = 0
    while moves.lo | moves.hi | later:
        if moves.lo:
            move = lowest(moves.lo)
            moves.lo &= moves.lo - 1
        elif moves.hi:
            move = 64 + lowest(moves.hi)
            moves.hi &= moves.hi - 1
        else:
            move = 64 + lowest(later)
            later &= later - 1
        if PLAY_CHANGE <= move < PLAY_BONUS:
            value = trump_change_value(e, s, r, move)
        else:
            value = move_value(e, s, r, move, s.trump)
        if best < 0 or value > best_value:
            best = move
            best_value = value
    return best


def hand_index(e: Estimate, r: RuleTable, move: int) -> int:
    """The index in ``e.cards`` of the card of a move."""
    card = move if move < N_COLOURED else WILD + r.kind[move]
    i = 0
    while e.cards[i] != card:
        i += 1
    return i


def move_value(e: Estimate, s: State, r: RuleTable, move: int, trump: int) -> int:
    """The expected points after a move: of the rest of the hand, with the trick won or lost, and of
    the Bonus and Mad cards in it. ``trump`` decides the trick."""
    skip = hand_index(e, r, move)
    bonus_mad = r.bonus_mad[move]
    for i in range(s.count):
        bonus_mad += r.bonus_mad[s.trick[i]]
    extra = e.weights.bonus * ((bonus_mad & 15) - (bonus_mad >> 4))
    win = outcome(e, skip, 1, 1) + extra
    lose = outcome(e, skip, 0, 0)
    q = win_chance(e, s, r, move, trump)
    if e.needs_all and s.count == 0:  # the surest first, which draws the others' high cards
        return q
    if move == PLAY_MAD:  # while another seat can take it
        lose += POINT >> 2
    lose += (e.weights.spoil * e.spoils * (WHOLE // ((r.n - 1) * (r.n - 1)))) >> 16
    if e.partner_chance == 0:
        return lose + ((q * (win - lose)) >> 16)
    shared = extra + rest_value(e, skip, 1 - e.partner_needs, 0)
    return lose + ((q * (win - lose) + e.partner_chance * (shared - lose)) >> 16)


def outcome(e: Estimate, skip: int, more: int, lead: int) -> int:
    """The value of the rest of the hand if no partner wins this trick, though one may need it."""
    value = rest_value(e, skip, more, lead)
    if e.partner_doubt:
        value += (e.partner_doubt * (rest_value(e, skip, more - 1, lead) - value)) >> 16
    return value


def trump_change_value(e: Estimate, s: State, r: RuleTable, move: int) -> int:
    """Like `move_value`, for a Change or an Out: the mean over the colours that can turn up."""
    if move < PLAY_CHANGE_TURNED_UP:
        estimate_trump(e, s, r, move - PLAY_CHANGE, move - PLAY_CHANGE)
        return move_value(e, s, r, move, move - PLAY_CHANGE)
    if move == PLAY_OUT and r.out_trick == 0:
        estimate_trump(e, s, r, NONE, NONE)
        return move_value(e, s, r, move, NONE)
    total = colours = 0
    for colour in range(6):
        if e.unseen[colour]:
            now = NONE if move == PLAY_OUT else colour
            estimate_trump(e, s, r, now, colour)
            total += move_value(e, s, r, move, now)
            colours += 1
    if colours == 0:
        find_best(e, s, r, NONE)
        return move_value(e, s, r, move, NONE)
    return (total + POINT * POINT * colours) // colours - POINT * POINT


# --- for Python ----------------------------------------------------------------------------


DEFAULT_WEIGHTS = SteadyWeights(WEIGHTS, CHANCES)


class Steady(BaseBot):
    """A sensible heuristic without random numbers: the same view always leads to the same move."""

    name = "steady"

    def choose(self, view: View, budget: Budget | None = None) -> Move:
        """The legal move it values most. Raises :class:`rage.NotAllowed` if it is not the turn of
        the view's seat."""
        check_turn(view)
        return MOVES[best_move_of(view.position)]


def best_move_of(position: Position) -> int:
    """Steady's move for the seat to act, as a number; the position may be masked. It does not
    depend on colour names or seat numbers. Raises :class:`rage.NotAllowed` if no seat is to act,
    the hand is masked, or there is only one player."""
    acting_seat(position)
    if position.r.sides < 2:
        raise NotAllowed("bot.alone")
    return canonical_move(DEFAULT_WEIGHTS.w, position.s, position.r)
