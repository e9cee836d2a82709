"""steady: a heuristic that bids what it expects to win and then plays to win just that.

For each card of its hand it looks up two chances: to win a trick with it when it wants to, and
to win one with it all the same when it does not. From them follows the best number of points
that the rest of the round can still bring (`rest`: one pass over the cards for each number of
tricks, at each step wanting the trick or not, whichever is worth more). A bid is the one with
which the hand is worth most; a card is the one after which the rest is, counting the chance that
it wins the trick on the table. So ducking, trumping, keeping an Out, throwing a Mad all come from
one sum. Everything is in whole numbers, so that it chooses alike compiled or not.

The numbers were measured and tuned; `chances.py` holds them, and says how.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rage.bots.chances import CHANCES, WEIGHTS
from rage.game import MOVES, Move
from rage.rules import RuleSet

try:
    import cython
except ImportError:
    from rage import uncompiled as cython

if not cython.compiled:
    from rage.bots.plain import LORE, RIVAL, Lore, Numbers, Tally, Thought
    from rage.cards import (
        BID,
        N_COLOURED,
        PLAY_BONUS,
        PLAY_CHANGE,
        PLAY_OUT,
        PLAY_TURN,
        PLAY_WILD,
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
        popcount,
        random_move,
        round_points,
        start_game,
    )
    from rage.position import Position
    from rage.uncompiled import Bulk, State, Table

    WHOLE = 65536  # a chance of one
    POINT = 256  # one point
    STEPS = 7  # between the chances in the table
    CLASSES = 21  # 8 steps of a plain colour, 8 of trump, five kinds of action card
    POWERS = 24  # more than cards of a colour and Wilds together

if TYPE_CHECKING:
    from rage.view import View


# --- what it knows -------------------------------------------------------------------------


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


def count_cards(t: Thought, s: State, r: Table) -> None:
    """Which cards are neither seen nor in the hand: by colour, the Wilds, and all."""
    actions = wilds = 0
    i = r.pack_size - 1
    while i >= 0 and r.pack[i] >= WILD:
        wilds += r.pack[i] == WILD
        actions += 1
        i -= 1
    colours = r.presence[0] >> (PLAY_WILD - 64)
    full = (1 << (r.pack_size - actions) // popcount(colours)) - 1
    known = t.left
    for colour in range(6):
        half = colour >> 2
        shift = 16 * (colour & 3)
        seen = (s.seen[half] >> shift) & 0xFFFF
        t.mine[colour] = (s.held[2 * t.seat + half] >> shift) & 0xFFFF
        t.unseen[colour] = (full & ~(seen | t.mine[colour])) if (colours >> colour) & 1 else 0
        known += popcount(seen)
    t.mine[NONE] = t.unseen[NONE] = 0
    for kind in range(5):
        count = (s.seen[1] >> (COUNTS + 3 * kind)) & 7
        known += count
        if kind == 0:
            wilds -= count + ((s.held[2 * t.seat + 1] >> COUNTS) & 7)
    t.wilds = wilds
    t.unseen_cards = r.pack_size - known


def feel_crowd(t: Thought, s: State, r: Table) -> None:
    """How many of the tricks left the others don't need, against an even share of them: 0 where
    it is even, ``WHOLE`` where nobody else needs one."""
    spare = r.n * t.left
    for other in range(r.n):
        if other == t.seat:
            continue
        bid = shown_bid(s, r, other, t.seat)
        if bid == NO_BID:
            spare -= t.left
        elif bid > s.won[other]:
            spare -= r.n * (bid - s.won[other])
    spare -= t.left
    if spare < -t.left * r.n:
        spare = -t.left * r.n
    t.ease = (spare + t.left * r.n) * WHOLE // (t.left * r.n) - WHOLE


def list_hand(t: Thought, s: State) -> None:
    """Write the cards of the hand down one by one."""
    t.held = 0
    for colour in range(6):
        bits = t.mine[colour]
        while bits:
            t.cards[t.held] = 16 * colour + lowest(bits)
            t.held += 1
            bits &= bits - 1
    for kind in range(5):
        for _ in range((s.held[2 * t.seat + 1] >> (COUNTS + 3 * kind)) & 7):
            t.cards[t.held] = WILD + kind
            t.held += 1


def fill_powers(powers: Numbers, hand: int, unseen: int) -> None:
    """The chances that another hand holds none of 0, 1, 2, ... cards that were not seen."""
    none = WHOLE - WHOLE * hand // unseen if hand < unseen else 0
    powers[0] = WHOLE
    for i in range(1, POWERS):
        powers[i] = (powers[i - 1] * none) >> 16


# --- what a card is worth ------------------------------------------------------------------


def weigh(t: Thought, r: Table, powers: Numbers, left: int, trump: int) -> None:
    """Look up for each card its chances to win a trick, wanted or not, among ``left`` tricks."""
    for i in range(t.held):
        card = t.cards[i]
        look_up(t, r, i, left, rank_index(t, r, powers, card, trump), trump)


def rank_index(t: Thought, r: Table, powers: Numbers, card: int, trump: int) -> int:
    """How high a coloured card stands among those that could beat it, from 0 to ``WHOLE``: about
    the root of the chance that it wins when it is led."""
    if card >= N_COLOURED:
        return 0
    above = popcount(t.unseen[card >> 4] >> ((card & 15) + 1))
    if card >> 4 == trump:
        one = powers[above + t.wilds]
    else:
        ruff = (
            powers[popcount(t.unseen[card >> 4])] * (WHOLE - powers[popcount(t.unseen[trump])])
        ) >> 16
        one = (powers[above] * (WHOLE - ruff)) >> 16
    index = one
    for _ in range((r.n >> 1) - 1):
        index = (index * one) >> 16
    return index


def row_of(n: int, left: int, lead: int) -> int:
    """Where the chances for a number of players and of tricks left begin."""
    players = n - 2 if n < 5 else 3 if n < 7 else 4
    tricks = left - 1 if left < 4 else 3 if left < 6 else 4 if left < 8 else 5
    if left < 1:
        tricks = 0
    return ((players * 6 + tricks) * 2 + lead) * CLASSES


def look_up(t: Thought, r: Table, i: int, left: int, index: int, trump: int) -> None:
    """Note the chances of the hand's i-th card, with and without the next lead."""
    for lead in range(2):
        row = row_of(r.n, left, lead)
        if t.cards[i] >= N_COLOURED:
            base = 2 * (row + 16 + t.cards[i] - WILD)
            t.high[16 * lead + i] = t.lore.chance[base] << 8
            t.low[16 * lead + i] = t.lore.chance[base + 1] << 8
            continue
        at = (index * STEPS) >> 16
        if at == STEPS:
            at = STEPS - 1
        part = index * STEPS - (at << 16)
        if t.cards[i] >> 4 == trump:
            at += 8
        base = 2 * (row + at)
        p = t.lore.chance[base] * (WHOLE - part) + t.lore.chance[base + 2] * part
        t.high[16 * lead + i] = shifted(p >> 8, t.ease, t.lore.crowd[0])
        p = t.lore.chance[base + 1] * (WHOLE - part) + t.lore.chance[base + 3] * part
        t.low[16 * lead + i] = shifted(p >> 8, t.ease, t.lore.crowd[1])


def shifted(p: int, ease: int, weight: int) -> int:
    """A chance that grows where few want tricks, and shrinks where many do; 0 and 1 stay."""
    p += ((((p * (WHOLE - p)) >> 16) * ease) >> 16) * weight >> 8
    return 0 if p < 0 else WHOLE if p > WHOLE else p


def rest(t: Thought, skip: int, more: int, lead: int) -> int:
    """The points that the hand without its card ``skip`` can bring, ``more`` tricks being won
    already: card by card from the last, wanting the trick or not, whichever is worth more."""
    base = 16 * lead
    n = t.held - (skip < t.held)
    for j in range(n + 1):
        t.line[j] = t.target[j + more]
    for i in range(t.held - 1, -1, -1):
        if i != skip:
            for j in range(n):
                rise = t.line[j + 1] - t.line[j]
                p = t.high[base + i] if rise > 0 else t.low[base + i]
                t.line[j] += (p * rise) >> 16
            n -= 1
    return t.line[0]


# --- bidding -------------------------------------------------------------------------------


def shown_bid(s: State, r: Table, seat: int, asker: int) -> int:
    """The bid of a seat as another may know it; ``NO_BID`` where it is not shown."""
    if seat != asker and ((s.phase == BIDDING and r.bidding > 0) or r.bidding > 1):
        return NO_BID
    return s.bids[seat]


def choose_bid(t: Thought, s: State, r: Table) -> int:
    """The legal bid with which the hand is worth most."""
    legal = legal_set(s, r).hi >> COUNTS
    best = -1
    best_value = 0
    for bid in range(s.hand + 1):
        if (legal >> bid) & 1 == 0:
            continue
        for j in range(s.hand + 1):
            t.target[j] = POINT * round_points(r, s.hand, bid, j, 0)
        bid_value = rest(t, t.held, 0, s.leader == t.seat)
        if best < 0 or bid_value > best_value:
            best = bid
            best_value = bid_value
    return BID + best


# --- playing -------------------------------------------------------------------------------


def set_target(t: Thought, s: State, r: Table) -> None:
    """What 0, 1, 2, ... further tricks are worth: the points of the side, its other members
    winning what they still need."""
    bid = s.bids[t.seat]
    won = s.won[t.seat]
    mates = 0
    mate = t.seat % r.sides
    while mate < r.n:
        mate_bid = shown_bid(s, r, mate, t.seat)
        if mate != t.seat and mate_bid != NO_BID:
            bid += mate_bid
            won += s.won[mate] if s.won[mate] > mate_bid else mate_bid
            mates += s.won[mate] < mate_bid
        mate += r.sides
    for j in range(t.left + 1):
        t.target[j] = POINT * round_points(r, s.hand, bid, won + j, 0)
    if t.left > 1:
        for _ in range(mates):
            soften(t)


def soften(t: Thought) -> None:
    """Blur the target: what a partner will win is not certain."""
    before = t.target[0]
    for i in range(t.left):
        here = t.target[i]
        t.target[i] = (before + 2 * here + t.target[i + 1]) >> 2
        before = here


def choose_card(t: Thought, s: State, r: Table) -> int:
    """The legal card after which the round is worth most. Those that change the trump come
    last, for they weigh the hand anew."""
    set_target(t, s, r)
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
    win = rest(t, skip, 1, 1) + prize
    lose = rest(t, skip, 0, 0)
    q = win_chance(t, s, r, move, trump)
    lose += (t.lore.spoil * t.gift * (WHOLE // ((r.n - 1) * (r.n - 1)))) >> 16
    if t.partner == 0:
        return lose + ((q * (win - lose)) >> 16)
    shared = prize + rest(t, skip, 1 - t.needy, 0)
    return lose + ((q * (win - lose) + t.partner * (shared - lose)) >> 16)


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


def key_of(r: Table, move: int, i: int, led: int, trump: int) -> int:
    """The kernel's measure of the i-th move of a trick."""
    return ((r.rank[move] + 32 * (r.colour[move] == led) + 64 * (r.colour[move] == trump)) << 3) | (
        i ^ r.flip[move]
    )


def win_chance(t: Thought, s: State, r: Table, move: int, trump: int) -> int:
    """The chance that a move wins the trick; in ``t.partner`` the chance that a partner's card
    on the table does, and in ``t.needy`` whether that partner needs it."""
    led = s.led
    if led == NONE and move < PLAY_CHANGE:
        led = r.colour[move]
    best = key_of(r, move, s.count, led, trump)
    who = s.count
    best_move = move
    for i in range(s.count):
        other = s.trick[i]
        key = key_of(r, other, i, led, trump)
        if key > best:
            best = key
            who = i
            best_move = other
    t.partner = t.gift = 0
    if who == s.count:
        if s.count == r.n - 2:
            t.gift = gift_to(t, s, r, after(t.seat, r.n))
        return hold_chance(t, s, r, best_move, led, trump)
    seat = (s.leader + who) % r.n
    if (seat - t.seat) % r.sides == 0:
        t.partner = hold_chance(t, s, r, best_move, led, trump)
        t.needy = mood_of(t, s, r, seat) == 1
    else:
        t.gift = gift_to(t, s, r, seat)
    return 0


def gift_to(t: Thought, s: State, r: Table, seat: int) -> int:
    """What a trick is to the rival who takes it: 2 where it spoils a bid just met, -1 where it is
    needed, 0 where that is not known or no longer matters."""
    bid = shown_bid(s, r, seat, t.seat)
    if bid == NO_BID or (seat - t.seat) % r.sides == 0:
        return 0
    if s.won[seat] < bid:
        return -1
    return 2 if s.won[seat] == bid else 0


def hold_chance(t: Thought, s: State, r: Table, move: int, led: int, trump: int) -> int:
    """The chance that the best card so far stays the best until the trick is full."""
    kept = WHOLE
    seat = t.seat
    for _ in range(r.n - 1 - s.count):
        seat = after(seat, r.n)
        kept = (kept * (WHOLE - beat_chance(t, s, r, seat, move, led, trump))) >> 16
    return kept


def beat_chance(t: Thought, s: State, r: Table, seat: int, move: int, led: int, trump: int) -> int:
    """The chance that a seat still to play beats a card: by a higher one, by a trump, by a Wild."""
    mood = mood_of(t, s, r, seat)
    if led == NONE:  # whoever plays a coloured card wins
        return WHOLE - (WHOLE >> 4)
    colour = r.colour[move]
    above = popcount(t.unseen[colour] >> (r.rank[move] + 1)) if r.rank[move] < 16 else 0
    known = (s.voids[seat] >> led) & 1
    void = WHOLE if known else t.now[popcount(t.unseen[led])]
    beat = 0
    if colour == led and known == 0:
        beat = ((WHOLE - t.now[above]) * t.lore.will[mood]) >> 8
    if trump != NONE and trump != led and (s.voids[seat] >> trump) & 1 == 0:
        if colour != trump:
            above = popcount(t.unseen[trump])
        beat += ((((WHOLE - t.now[above]) * t.lore.ruff[mood]) >> 8) * void) >> 16
    if t.wilds:
        beat += ((((WHOLE - t.now[t.wilds]) * t.lore.wild[mood]) >> 8) * void) >> 16
    return beat if beat < WHOLE else WHOLE


def mood_of(t: Thought, s: State, r: Table, seat: int) -> int:
    """Whether a seat still needs tricks: 1 if so, 2 if not, 0 if that is not known."""
    bid = shown_bid(s, r, seat, t.seat)
    if bid == NO_BID:
        return 0
    return 1 if s.won[seat] < bid else 2


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

    def __init__(self) -> None:
        if cython.compiled:
            self.c = cython.address(self.tally)
        else:
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


def set_lore(weights: dict[str, list[int]], chances: bytes, rival: bool = False) -> None:
    """Play by the numbers of `chances.py`, or by others to try; ``rival`` sets those of the seats
    to try them against."""
    if cython.compiled:
        fill_lore(cython.address(RIVAL) if rival else cython.address(LORE), weights, chances)
    else:
        fill_lore(RIVAL if rival else LORE, weights, chances)


def fill_lore(lore: Lore, weights: dict[str, list[int]], chances: bytes) -> None:
    """Write the numbers down."""
    for i in range(3):
        lore.will[i] = weights["will"][i]
        lore.ruff[i] = weights["ruff"][i]
        lore.wild[i] = weights["wild"][i]
    lore.prize = weights["prize"][0]
    lore.spoil = weights["spoil"][0]
    lore.crowd[0] = weights["crowd"][0]
    lore.crowd[1] = weights["crowd"][1]
    for i in range(len(chances)):
        lore.chance[i] = chances[i]


class Steady:
    """A heuristic that plays sensibly; it draws nothing, so it plays alike every time."""

    name = "steady"

    def choose(self, view: View) -> Move:
        """The legal move that it thinks best."""
        return MOVES[best_move_of(view.position)]


def best_move_of(position: Position) -> int:
    """The move that steady makes for the seat to act, as a number; the position may be masked or
    not."""
    return choose_move(position.s, position.r)


set_lore(WEIGHTS, CHANCES)
