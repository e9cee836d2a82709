"""steady: a heuristic that bids what it expects to win and then plays to win just that.

A bid is the one with which the hand is worth most; a card is the one after which the rest is,
counting the chance that it wins the trick on the table and what lies in it (`worth.py`). So
ducking, trumping, keeping an Out and throwing a Mad all come from one sum, which takes as wanted
every trick that is worth more won than lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rage.history import MOVES, Move
from rage.rules import RuleSet
from rage.say import NotAllowed

try:
    import cython
except ImportError:
    from rage import uncompiled as cython

if not cython.compiled:
    from rage.bots.plain import LORE, RIVAL, Tally, Thought
    from rage.bots.worth import (
        POINT,
        WHOLE,
        count_cards,
        feel_crowd,
        fill_powers,
        list_hand,
        rest,
        shown_bid,
        weigh,
        win_chance,
    )
    from rage.cards import (
        BID,
        N_COLOURED,
        PLAY_BONUS,
        PLAY_CHANGE,
        PLAY_MAD,
        PLAY_OUT,
        PLAY_TURN,
        WILD,
    )
    from rage.kernel import (
        BIDDING,
        COUNTS,
        DEALING,
        NO_BID,
        NONE,
        ONE,
        PLAYING,
        Rules,
        Run,
        after,
        apply,
        deal_random,
        draw_below,
        legal_set,
        lowest,
        random_move,
        round_points,
        start_game,
    )
    from rage.position import Position
    from rage.uncompiled import Bulk, State, Table

if TYPE_CHECKING:
    from rage.view import View


def choose_move(s: State, r: Table) -> int:
    """The move of the seat whose turn it is, from what that seat may know."""
    if cython.compiled:
        t = cython.address(thought)
        t.lore = cython.address(LORE)
    else:
        t = Thought()
    return choose(t, s, r)


def choose(t: Thought, s: State, r: Table) -> int:
    """As `choose_move`, leaving in ``t`` what was thought."""
    think(t, s, r)
    if s.phase == BIDDING:
        return choose_bid(t, s, r)
    return choose_card(t, s, r)


def think(t: Thought, s: State, r: Table) -> None:
    """Count the cards, and weigh each of the hand under the trump in force."""
    t.seat = s.turn
    t.left = s.hand - s.tricks
    count_cards(t, s, r)
    list_hand(t, s)
    feel_crowd(t, s, r)
    fill_powers(t.now, t.left, t.unseen_cards)
    if s.phase == BIDDING:
        weigh(t, r, t.now, t.left, s.trump)
    else:
        fill_powers(t.later, t.left - 1, t.unseen_cards)
        weigh(t, r, t.later, t.left - 1, s.trump)


# --- bidding -------------------------------------------------------------------------------


def choose_bid(t: Thought, s: State, r: Table) -> int:
    """The legal bid with which the hand is worth most."""
    legal = legal_set(s, r).hi >> COUNTS
    if holds_top_trump(t, s, r) and legal > 1:
        legal &= ~ONE
    best = -1
    best_value = 0
    for bid in range(s.hand + 1):
        if (legal >> bid) & 1 == 0:
            continue
        set_target(t, s, r, bid)
        bid_value = rest(t, t.held, 0, s.leader == t.seat)
        if best < 0 or bid_value > best_value:
            best = bid
            best_value = bid_value
    return BID + best


def holds_top_trump(t: Thought, s: State, r: Table) -> bool:
    """Whether the hand has a trump that no other beats, and the rules don't pay for bidding low."""
    if s.trump == NONE or r.exact < r.exact_zero or r.exact <= r.miss:
        return False
    return t.mine[s.trump] > t.unseen[s.trump]


def set_target(t: Thought, s: State, r: Table, bid: int) -> None:
    """What -1, 0, 1, 2, ... further tricks are worth to one who bid so: the points of the side,
    its other members winning what they still need; that they don't is in ``t.doubt``."""
    won = s.won[t.seat]
    mates = needs = 0
    mate = t.seat % r.sides
    while mate < r.n:
        if mate != t.seat:
            mate_bid = shown_bid(s, r, mate, t.seat)
            if mate_bid == NO_BID:
                mate_bid = s.won[mate] if s.won[mate] else 1
            bid += mate_bid
            won += s.won[mate] if s.won[mate] > mate_bid else mate_bid
            if s.won[mate] < mate_bid:
                mates += 1
                needs += mate_bid - s.won[mate]
        mate += r.sides
    t.doubt = WHOLE * needs // t.left if needs < t.left else WHOLE
    for j in range(t.left + 2):
        t.target[j] = POINT * round_points(r, s.hand, bid, won + j - 1, 0)
    t.all = bid - won == t.left and t.target[t.left + 1] > t.target[t.left]
    if t.left > 1:
        for _ in range(mates):
            soften(t)


def soften(t: Thought) -> None:
    """Blur the target: what a partner will win is not certain."""
    before = t.target[0]
    for i in range(t.left + 1):
        here = t.target[i]
        t.target[i] = (before + 2 * here + t.target[i + 1]) >> 2
        before = here


# --- playing -------------------------------------------------------------------------------


def choose_card(t: Thought, s: State, r: Table) -> int:
    """The legal card after which the round is worth most. Those that change the trump come
    last, for they weigh the hand anew."""
    set_target(t, s, r, s.bids[t.seat])
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
            value = value_of_turn(t, s, r, move)
        else:
            value = value_of(t, s, r, move, s.trump)
        if best < 0 or value > best_value:
            best = move
            best_value = value
    return best


def place_of(t: Thought, r: Table, move: int) -> int:
    """Where in the hand the card of a move stands."""
    card = move if move < N_COLOURED else WILD + r.kind[move]
    i = 0
    while t.cards[i] != card:
        i += 1
    return i


def value_of(t: Thought, s: State, r: Table, move: int, trump: int) -> int:
    """The points to expect after a move: of the rest of the hand, won or lost the trick, and of
    the Bonus and Mad cards in it. ``trump`` is the one that the trick is judged by."""
    skip = place_of(t, r, move)
    prize = r.gain[move]
    for i in range(s.count):
        prize += r.gain[s.trick[i]]
    prize = t.lore.prize * ((prize & 15) - (prize >> 4))
    win = outcome(t, skip, 1, 1) + prize
    lose = outcome(t, skip, 0, 0)
    q = win_chance(t, s, r, move, trump)
    if t.all and s.count == 0:  # the surest first: what draws the others' high cards comes first
        return q
    if move == PLAY_MAD:  # while another is there to take it
        lose += POINT >> 2
    lose += (t.lore.spoil * t.gift * (WHOLE // ((r.n - 1) * (r.n - 1)))) >> 16
    if t.partner == 0:
        return lose + ((q * (win - lose)) >> 16)
    shared = prize + rest(t, skip, 1 - t.needy, 0)
    return lose + ((q * (win - lose) + t.partner * (shared - lose)) >> 16)


def outcome(t: Thought, skip: int, more: int, lead: int) -> int:
    """What the rest brings when no partner wins this trick, which one may have needed."""
    value = rest(t, skip, more, lead)
    if t.doubt:
        value += (t.doubt * (rest(t, skip, more - 1, lead) - value)) >> 16
    return value


def value_of_turn(t: Thought, s: State, r: Table, move: int) -> int:
    """As `value_of`, for a Change or an Out; the mean over the colours that may turn up."""
    if move < PLAY_TURN:
        weigh(t, r, t.later, t.left - 1, move - PLAY_CHANGE)
        return value_of(t, s, r, move, move - PLAY_CHANGE)
    if move == PLAY_OUT and r.out_trick == 0:
        weigh(t, r, t.later, t.left - 1, NONE)
        return value_of(t, s, r, move, NONE)
    total = colours = 0
    for colour in range(6):
        if t.unseen[colour]:
            weigh(t, r, t.later, t.left - 1, colour)
            now = NONE if move == PLAY_OUT else colour
            total += value_of(t, s, r, move, now)
            colours += 1
    if colours == 0:
        return value_of(t, s, r, move, NONE)
    return (total + POINT * POINT * colours) // colours - POINT * POINT


# --- in bulk -------------------------------------------------------------------------------


def play_round(b: Bulk, c: Tally, s: State, r: Table, seats: int, rivals: int) -> None:
    """Play a round: steady in the seats of the set ``seats``, steady with the numbers to try it
    against in those of ``rivals``, random moves in the others."""
    if cython.compiled:
        t = cython.address(thought)
        t.lore = cython.address(LORE)
    else:
        t = Thought()
    while s.phase == PLAYING or s.phase == BIDDING:
        seat = s.turn
        steady = (seats >> seat) & 1
        if steady or (rivals >> seat) & 1:
            if cython.compiled:
                t.lore = cython.address(LORE) if steady else cython.address(RIVAL)
            else:
                t.lore = LORE if steady else RIVAL
            move = choose(t, s, r)
            b.moves += 1
        else:
            move = random_move(b, s, r)
        apply(s, r, move)
    note_bids(c, s, r, seats)


def note_bids(c: Tally, s: State, r: Table, seats: int) -> None:
    """Count the bids made and met, by hand size."""
    for seat in range(r.n):
        if (seats >> seat) & 1:
            c.bids[s.hand] += 1
            c.met[s.hand] += s.bids[seat] == s.won[seat]


def play_game(
    chance: Bulk, policy: Bulk, c: Tally, s: State, r: Table, seats: int, rivals: int
) -> None:
    """Play one game; the deals come from ``chance`` alone, whatever is played."""
    start_game(s)
    dealer = draw_below(chance, r.n)
    while s.phase == DEALING:
        deal_random(chance, s, r, dealer)
        play_round(policy, c, s, r, seats, rivals)
        dealer = after(dealer, r.n)


# --- for Python ----------------------------------------------------------------------------


class Count:
    """Room for what is counted in bulk play."""

    def __cinit__(self) -> None:
        """Compiled, point at the record before anything can be asked of it."""
        if cython.compiled:
            self.c = cython.address(self.tally)

    def __init__(self) -> None:
        if not cython.compiled:
            self.c = Tally()


class Played(NamedTuple):
    """What came of games in bulk: the scores by game and side; steady's bids by hand size, made
    and met; and its decisions."""

    scores: list[list[int]]
    bids: list[int]
    met: list[int]
    decisions: int


def play_games(
    rules: RuleSet, players: int, steady_seats: int, games: int, seed: int, rival_seats: int = 0
) -> Played:
    """Play whole games from random deals: steady in the seats of the bit set ``steady_seats``,
    random legal moves in the others. Equal rules, players, games and seed give equal deals,
    whoever sits where. Runs without the interpreter's lock."""
    table = Rules(rules, players)
    chance = Run(seed)
    policy = Run(seed + 1)
    chance.take_pack(table)
    count = Count()
    scores = []
    for _ in range(games):
        with cython.nogil:
            play_game(chance.b, policy.b, count.c, chance.s, table.r, steady_seats, rival_seats)
        scores.append([chance.s.scores[i] for i in range(table.r.sides)])
    c = count.c
    return Played(
        scores,
        [c.bids[i] for i in range(16)],
        [c.met[i] for i in range(16)],
        policy.b.moves,
    )


class Steady:
    """A heuristic that plays sensibly; it draws nothing, so it plays alike every time."""

    name = "steady"

    def choose(self, view: View) -> Move:
        """The legal move that it thinks best. Raises :class:`rage.NotAllowed` where it is not
        the turn of the view's seat."""
        if not view.my_turn:
            raise NotAllowed("bot.not_to_move")
        return MOVES[best_move_of(view.position)]


def best_move_of(position: Position) -> int:
    """The move that steady makes for the seat to act, as a number; the position may be masked or
    not. Raises :class:`rage.NotAllowed` where nobody is to act, or the hand is masked."""
    if position is None or position.to_act is None or not position.hand(position.to_act):
        raise NotAllowed("bot.not_to_move")
    return choose_move(position.s, position.r)
