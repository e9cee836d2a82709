"""The rules of the game over one state of fixed size, and nothing else.

This is plain Python that also compiles to C: `kernel.pxd` holds the types. Inside, a game is a
``State`` and a ``RuleTable`` (the rules as numbers and masks, shared by all states of a game);
Python uses them through :class:`Rules` here and ``Position`` in `position.py`. The rules involve no
randomness, no strings, and no input or output: deals come in as data. Only :func:`random_games` and
playouts use random numbers, from a generator of their own.

A hand is 128 bits: bit *m* is set if move *m* can be made with a card of the hand (a Wild sets six
bits, one per colour), and the topmost 15 bits hold five counts of three bits, one for each kind of
action card. So the legal moves are the hand under a mask.
"""

from __future__ import annotations

from operator import index
from typing import Any

from rage.rules.cards import CARD_OF_MOVE, N_CARDS, colour_of_move
from rage.rules.ruleset import RuleSet, pack
from rage.say import check_kind

try:
    import cython
except ImportError:
    from rage.engine import uncompiled as cython

if not cython.compiled:
    from rage.engine.uncompiled import Generator, Moves, RuleTable, State, Totals
    from rage.rules.cards import (
        BID,
        N_COLOURED,
        PLAY_BONUS,
        PLAY_CHANGE,
        PLAY_CHANGE_TURNED_UP,
        PLAY_MAD,
        PLAY_OUT,
        PLAY_WILD,
        WILD,
    )

    NONE = 6  # no colour: no trump, nothing led
    NO_BID = 255  # not bid yet, or not shown
    NOBODY = 255  # for mask: a spectator, who holds no seat
    DEALING, BIDDING, PLAYING, OVER = range(4)  # phases
    WHOLE_STOCK, TURN_UP_DUE, STOCK_SHORT = 1, 2, 4  # State.flags
    # The flags that apply returns.
    BID_MADE, TRICK_OVER, TURNED_UP, ROUND_OVER, GAME_OVER, TRUMP_SET = 1, 2, 4, 8, 16, 32
    STOCK_KEPT = 32  # a longer stock always holds a coloured card for every turn-up of a round
    COUNTS = 48  # where in the upper half of a hand the counts begin
    ONE = 1
    PLAY_BITS = 0x0000FFFFFFFFFFFF  # the moves with cards, in the upper half of a set of moves
    ACTION_BITS = 0x0000FFFF00000000  # the ones with action cards among them
    M64 = 0xFFFFFFFFFFFFFFFF  # limits products to 64 bits, because integers are unbounded
    STEP, MIX_A, MIX_B = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB  # SplitMix64
    FNV_START, FNV_PRIME = 0xCBF29CE484222325, 0x100000001B3  # FNV-1a

COMPILED = bool(cython.compiled)
#: How many random games are played between two checks for Ctrl-C: a few milliseconds' worth.
BETWEEN_SIGNALS = 1000


# --- bits ----------------------------------------------------------------------------------


def popcount(bits: int) -> int:
    """The number of bits set."""
    if cython.compiled:
        return rage_popcount(bits)
    else:
        return bits.bit_count()


def lowest(bits: int) -> int:
    """The number of the lowest bit set; there must be one."""
    if cython.compiled:
        return rage_lowest(bits)
    else:
        return (bits & -bits).bit_length() - 1


def select(bits: int, k: int) -> int:
    """The number of the k-th bit set, counted from 0; there must be one."""
    if cython.compiled:
        return rage_select(bits, k)
    else:
        for _ in range(k):
            bits &= bits - 1
        return (bits & -bits).bit_length() - 1


def after(seat: int, n: int) -> int:
    """The seat to the left."""
    return seat + 1 if seat + 1 < n else 0


def copy_state(target: State, source: State) -> None:
    """Make ``target`` equal to ``source``."""
    if cython.compiled:
        target[0] = source[0]
    else:
        target.assign(source)


# --- the rules -----------------------------------------------------------------------------


def legal_set(s: State, r: RuleTable) -> Moves:
    """The legal moves of the seat to act; none if no one is to act."""
    seat = s.turn
    if s.phase == PLAYING:
        lo = s.held[2 * seat]
        hi = s.held[2 * seat + 1] & PLAY_BITS
        f_lo = r.follow[2 * s.led]
        f_hi = r.follow[2 * s.led + 1]
        # All ones if nothing in the hand follows (it is void in the led colour), else 0: a branch
        # here would be mispredicted every third time.
        void = ONE * ((lo & f_lo) | (hi & f_hi) != 0) - 1
        lo &= f_lo | void
        hi &= f_hi | void | r.anytime
        return Moves(lo, hi & r.not_trump[s.trump])
    hi = 0
    if s.phase == BIDDING:
        hi = ((ONE << (s.hand + 1)) - 1) << COUNTS
        if r.not_tricks and after(seat, r.n) == s.leader:
            total = 0
            for i in range(r.n):
                if i != seat:
                    total += s.bids[i]
            left = s.hand - total
            if left >= 0:
                hi &= ~(ONE << (COUNTS + left))
    return Moves(0, hi)


def allows(s: State, r: RuleTable, move: int) -> bool:
    """Whether a move (0..127) is legal."""
    moves = legal_set(s, r)
    if move < 64:
        return (moves.lo >> move) & 1 != 0
    return (moves.hi >> (move - 64)) & 1 != 0


def apply(s: State, r: RuleTable, move: int) -> int:
    """Apply a legal move. Returns flags for what it did, 0 for most cards: ``BID_MADE``,
    ``TRUMP_SET`` (a Change or an Out), ``TRICK_OVER``, ``TURNED_UP`` (after a trick with an Out),
    ``ROUND_OVER``, ``GAME_OVER``."""
    seat = s.turn
    if s.phase == BIDDING:
        s.bids[seat] = move - BID
        s.turn = after(seat, r.n)
        if s.turn == s.leader:
            s.phase = PLAYING
        return BID_MADE
    s.trick[s.count] = move
    s.count += 1
    happened = 0
    if move < N_COLOURED:
        half = move >> 6
        bit = ONE << (move & 63)
        s.held[2 * seat + half] ^= bit
        s.seen[half] |= bit
        colour = move >> 4
        if s.led == NONE:
            s.led = colour
        s.voids[seat] |= (s.led != colour) << s.led
    else:
        happened = play_action(s, r, seat, move)
    if s.count == r.n:
        return happened | end_trick(s, r)
    s.turn = after(seat, r.n)
    return happened


def play_action(s: State, r: RuleTable, seat: int, move: int) -> int:
    """The part of ``apply`` for an action card. Returns ``TRUMP_SET`` or 0."""
    if s.led != NONE and r.anytime == 0:
        s.voids[seat] |= 1 << s.led
    kind = r.kind[move]
    one = ONE << (COUNTS + 3 * kind)
    hi = s.held[2 * seat + 1] - one
    if hi & (7 * one) == 0:
        hi &= ~r.presence[kind]
    s.held[2 * seat + 1] = hi
    s.seen[1] += one
    if move < PLAY_CHANGE:  # a Wild has the colour it is called
        if s.led == NONE:
            s.led = move - PLAY_WILD
        return 0
    if move > PLAY_OUT:
        return 0
    s.flags &= ~TURN_UP_DUE
    if move < PLAY_CHANGE_TURNED_UP:
        s.trump = move - PLAY_CHANGE
    elif move == PLAY_CHANGE_TURNED_UP:
        turn_up(s, r)
    else:
        s.trump = NONE
        if r.out_trick:  # the cards turned over so far go under the stock
            s.up = 0
            s.flags |= TURN_UP_DUE
    return TRUMP_SET


def turn_up(s: State, r: RuleTable) -> bool:
    """Turn stock cards over until a coloured one comes up; its colour is trump. If there is none
    (only with laboratory settings), there is no trump, and the cards go back in order. Returns
    whether one came up."""
    for i in range(s.stock_size - s.up):
        at = s.turned + i
        if at >= s.stock_size:
            if s.flags & WHOLE_STOCK == 0:
                break
            at -= s.stock_size
        card = s.stock[at]
        if at >= s.shown:  # for the first time: a small stock can come round again
            s.shown = at + 1
            see_card(s, r, card)
        if card < N_COLOURED:
            s.up += i + 1
            s.turned = at + 1
            s.trump = card >> 4
            return True
    if s.flags & WHOLE_STOCK == 0:
        s.flags |= STOCK_SHORT
    s.trump = NONE
    return False


def trick_key(r: RuleTable, move: int, i: int, led: int, trump: int) -> int:
    """The key that decides a trick: the highest wins. From the top bit down: whether the move, the
    trick's i-th, is trump (bit 9), whether it is of the led colour (8), its rank (3 to 7)."""
    colour = r.colour[move]
    key = r.rank[move] + 32 * (colour == led) + 64 * (colour == trump)
    # Only Wilds of one colour can be equal so far, or action cards in a trick of nothing else;
    # there the first wins, unless a later Wild is higher (flip is 0 for it, else 7).
    return (key << 3) | (i ^ r.flip[move])


def find_winning(s: State, r: RuleTable, trump: int) -> int:
    """The index of the card that would win the trick as it stands, with a given trump; -1 if the
    trick is empty."""
    best = -1
    found = -1
    for i in range(s.count):
        key = trick_key(r, s.trick[i], i, s.led, trump)
        if key > best:
            best = key
            found = i
    return found


def end_trick(s: State, r: RuleTable) -> int:
    """Give the full trick to its winner, judged by the trump in force now, and continue. Returns
    the flags of :func:`apply`."""
    winner = s.leader + find_winning(s, r, s.trump)
    bonus_mad = 0
    for i in range(r.n):
        bonus_mad += r.bonus_mad[s.trick[i]]
    if winner >= r.n:
        winner -= r.n
    s.won[winner] += 1
    s.bonus_mad[winner] += bonus_mad
    s.leader = winner
    s.turn = winner
    s.count = 0
    s.led = NONE
    s.tricks += 1
    if s.tricks == s.hand:
        return TRICK_OVER | end_round(s, r)
    if s.flags & TURN_UP_DUE:
        s.flags &= ~TURN_UP_DUE
        turn_up(s, r)
        return TRICK_OVER | TURNED_UP
    return TRICK_OVER


def end_round(s: State, r: RuleTable) -> int:
    """Score the round for every side: a player, or a team with its members' sums. Returns flags."""
    for side in range(r.sides):
        bid = won = gain = 0
        seat = side
        while seat < r.n:
            bid += s.bids[seat]
            won += s.won[seat]
            gain += (s.bonus_mad[seat] & 15) - (s.bonus_mad[seat] >> 4)
            seat += r.sides
        s.scores[side] += round_points(r, s.hand, bid, won, gain)
        if bid == won:
            s.met[side] += 1
    s.round += 1
    if s.round == r.rounds:
        s.phase = OVER
        return ROUND_OVER | GAME_OVER
    s.phase = DEALING
    return ROUND_OVER


def round_points(r: RuleTable, hand: int, bid: int, won: int, gain: int) -> int:
    """The points of one side for one round; ``gain`` is Bonus less Mad cards won."""
    points = won + 5 * gain
    if r.sweep and won == hand and hand > 1:
        points += won
    if bid != won:
        return points + r.miss
    return points + (r.exact if bid else r.exact_zero)


# --- dealing -------------------------------------------------------------------------------


def start_game(s: State) -> None:
    """Reset a state to before the first deal."""
    s.phase = DEALING
    s.round = 0
    s.dealer = NOBODY
    for i in range(8):
        s.scores[i] = 0
        s.met[i] = 0
    clear_round(s)


def clear_round(s: State) -> None:
    """Clear everything dealt, bid and won, and the trump."""
    for i in range(8):
        s.held[2 * i] = 0
        s.held[2 * i + 1] = 0
        s.trick[i] = 0
        s.bids[i] = NO_BID
        s.won[i] = 0
        s.bonus_mad[i] = 0
        s.voids[i] = 0
    for i in range(STOCK_KEPT):
        s.stock[i] = 0
    s.seen[0] = s.seen[1] = 0
    s.turn = s.leader = NOBODY
    s.count = s.tricks = s.hand = 0
    s.stock_size = s.turned = s.shown = s.up = 0
    s.flags = 0
    s.trump = s.led = NONE


def start_round(s: State, r: RuleTable, dealer: int) -> None:
    """Clear the last round and let ``dealer`` deal; the cards follow, then the bidding."""
    clear_round(s)
    s.dealer = dealer
    s.leader = after(dealer, r.n)
    s.turn = s.leader
    s.hand = r.schedule[s.round]


def take_card(s: State, r: RuleTable, seat: int, card: int) -> None:
    """Put a card into a hand."""
    at = 2 * seat + r.half[card]
    s.held[at] = (s.held[at] + r.adds[card]) | r.sets[card]


def see_card(s: State, r: RuleTable, card: int) -> None:
    """Note a card that everyone has seen."""
    s.seen[r.half[card]] += r.adds[card]


def open_bidding(s: State, r: RuleTable) -> None:
    """Turn up the trump after the deal, and let eldest bid."""
    turn_up(s, r)
    s.phase = BIDDING


# --- what a seat may know ------------------------------------------------------------------


def bids_hidden(s: State, r: RuleTable) -> bool:
    """Whether each seat sees only its own bid now (ruling 10: not even a partner's)."""
    return (s.phase == BIDDING and r.bidding > 0) or (s.phase == PLAYING and r.bidding > 1)


def known_bid(s: State, r: RuleTable, seat: int, observer: int) -> int:
    """The bid of a seat as ``observer`` (or ``NOBODY``) may know it: ``NO_BID`` if it is hidden or
    not yet made."""
    return NO_BID if seat != observer and bids_hidden(s, r) else s.bids[seat]


def mask(s: State, r: RuleTable, seat: int) -> None:
    """Clear what a seat (or ``NOBODY``) must not know: the other hands, the stock that was never
    turned over, and the hidden bids."""
    for i in range(8):
        s.bids[i] = known_bid(s, r, i, seat)
        if i != seat:
            s.held[2 * i] = 0
            s.held[2 * i + 1] = 0
    for i in range(s.shown, STOCK_KEPT):
        s.stock[i] = 0
    # How much of the stock is kept may depend on hidden cards (deal_random) or on a record.
    s.stock_size = s.shown
    s.flags &= TURN_UP_DUE


# --- random games --------------------------------------------------------------------------


def next_random(g: Generator) -> int:
    """The next 64 bits of a fast generator (SplitMix64), for playouts and never for a real deal."""
    g.random = (g.random + STEP) & M64
    z = g.random
    z = ((z ^ (z >> 30)) * MIX_A) & M64
    z = ((z ^ (z >> 27)) * MIX_B) & M64
    return z ^ (z >> 31)


def next_below(g: Generator, n: int) -> int:
    """A number from 0 to n - 1, uniform to one part in 2**25 for the small n of a card game."""
    return ((next_random(g) >> 32) * n) >> 32


def deal_random(g: Generator, s: State, r: RuleTable, dealer: int) -> None:
    """Deal a round from a shuffled pack, with only as much of the stock as it can turn over."""
    start_round(s, r, dealer)
    card = 0
    for seat in range(r.n):
        for _ in range(s.hand):
            j = card + next_below(g, r.pack_size - card)
            kind = g.pack[j]
            g.pack[j] = g.pack[card]
            g.pack[card] = kind
            take_card(s, r, seat, kind)
            card += 1
    wanted = 1
    if r.lazy_stock == 0:
        for seat in range(r.n):
            wanted += (s.held[2 * seat + 1] >> (COUNTS + 3)) & 7
            wanted += (s.held[2 * seat + 1] >> (COUNTS + 6)) & 7
    while wanted > 0 and card < r.pack_size and s.stock_size < STOCK_KEPT:
        j = card + next_below(g, r.pack_size - card)
        kind = g.pack[j]
        g.pack[j] = g.pack[card]
        g.pack[card] = kind
        s.stock[s.stock_size] = kind
        s.stock_size += 1
        if kind < N_COLOURED:
            wanted -= 1
        card += 1
    s.flags = WHOLE_STOCK * (card == r.pack_size)
    open_bidding(s, r)


def random_move(g: Generator, s: State, r: RuleTable) -> int:
    """A random legal move, all equally likely; -1 if the hand is masked."""
    moves = legal_set(s, r)
    n_lo = popcount(moves.lo)
    n = n_lo + popcount(moves.hi)
    if n == 0:
        return -1
    k = next_below(g, n)
    half = k >= n_lo
    return 64 * half + select(moves.hi if half else moves.lo, k - n_lo * half)


def play_out(g: Generator, s: State, r: RuleTable) -> int:
    """Play random legal moves until the round is over or a masked hand is to play. Returns their
    number."""
    count = 0
    while s.phase == PLAYING or s.phase == BIDDING:
        move = random_move(g, s, r)
        if move < 0:
            break
        apply(s, r, move)
        count += 1
    return count


def digest_scores(digest: int, s: State, r: RuleTable) -> int:
    """Fold the scores into a digest (FNV-1a over each score as 16 bits)."""
    for i in range(r.sides):
        digest = ((digest ^ (s.scores[i] & 0xFFFF)) * FNV_PRIME) & M64
    return digest


def play_games(g: Generator, totals: Totals, s: State, r: RuleTable, games: int) -> None:
    """Play whole games with random deals and moves."""
    for _ in range(games):
        start_game(s)
        dealer = next_below(g, r.n)
        while s.phase == DEALING:
            deal_random(g, s, r, dealer)
            totals.count += play_out(g, s, r)
            dealer = after(dealer, r.n)
        totals.digest = digest_scores(totals.digest, s, r)


def count_games(totals: Totals, s: State, r: RuleTable) -> None:
    """Count the ways to finish the round, and add up a digest of the scores of each."""
    if s.phase != BIDDING and s.phase != PLAYING:
        totals.count += 1
        totals.digest = (totals.digest + digest_scores(FNV_START, s, r)) & M64
        return
    child = s + 1
    moves = legal_set(s, r)
    while moves.lo | moves.hi:
        if moves.lo:
            move = lowest(moves.lo)
            moves.lo &= moves.lo - 1
        else:
            move = 64 + lowest(moves.hi)
            moves.hi &= moves.hi - 1
        copy_state(child, s)
        apply(child, r, move)
        count_games(totals, child, r)


# --- for Python ----------------------------------------------------------------------------


class Phase:
    """The values of ``Position.phase``: before a deal, bidding, playing, game over."""

    DEALING, BIDDING, PLAYING, OVER = range(4)


class Happened:
    """The flags that ``Position.play`` returns, 0 for most cards: a bid, the end of a trick, a new
    trump turned up after it, the end of the round and of the game, a Change or an Out."""

    BID, TRICK, TURNED_UP, ROUND, GAME, TRUMP = 1, 2, 4, 8, 16, 32


class Rules:
    """A rule set for a number of players, as the numbers and masks that the kernel tests.

    ``ruleset`` and ``players`` are readable. Raises :class:`rage.NotAllowed` if they do not fit
    together."""

    def __cinit__(self) -> None:
        """When compiled, take the address of the embedded struct."""
        if cython.compiled:
            self.r: RuleTable = cython.address(self.own_table)

    def __init__(self, ruleset: RuleSet, players: int) -> None:
        if not cython.compiled:
            self.r = RuleTable()
        check_kind(ruleset, RuleSet, "rules")
        self.ruleset: RuleSet = ruleset.for_players(players)
        self.players: int = index(players)
        self.prepare()
        self.fill_moves()
        self.fill_masks()

    def __reduce__(self) -> tuple[Any, ...]:
        return (Rules, (self.ruleset, self.players))

    def __repr__(self) -> str:
        return f"<Rules, {self.players} players, {self.r.rounds} rounds>"

    def prepare(self) -> None:
        """Store the settings as numbers."""
        r = self.r
        ruleset = self.ruleset
        r.n = self.players
        r.sides = ruleset.teams or self.players
        r.rounds = len(ruleset.schedule)
        for i in range(r.rounds):
            r.schedule[i] = ruleset.schedule[i]
        r.out_trick = ruleset.out == "trick"
        r.exact = ruleset.exact
        r.exact_zero = ruleset.exact_zero
        r.miss = ruleset.miss
        r.not_tricks = ruleset.bid_total == "not_tricks"
        r.bidding = ("open", "hidden", "secret").index(ruleset.bidding)
        r.sweep = ruleset.sweep
        r.tie = ruleset.tie == "exact_bids"

    def fill_moves(self) -> None:
        """Tabulate what each move is worth in a trick, and the cards of the pack in order."""
        r = self.r
        ruleset = self.ruleset
        for move in range(BID):
            colour = colour_of_move(move)
            wild = PLAY_WILD <= move < PLAY_CHANGE
            r.colour[move] = 7 if colour is None or move >= PLAY_CHANGE else colour
            r.rank[move] = move & 15 if move < N_COLOURED else 16 if wild else 0
            r.flip[move] = 0 if wild and ruleset.second_wild == "higher" else 7
            r.kind[move] = max(CARD_OF_MOVE[move] - WILD, 0)
        r.bonus_mad[PLAY_BONUS] = 1
        r.bonus_mad[PLAY_MAD] = 16
        cards = pack(ruleset)
        r.pack_size = len(cards)
        for i in range(len(cards)):
            r.pack[i] = cards[i]

    def fill_masks(self) -> None:
        """Tabulate the sets of moves for a card in the hand, a led colour and a trump."""
        r = self.r
        ruleset = self.ruleset
        colours = (ONE << ruleset.colours) - 1
        named = colours << (PLAY_CHANGE - 64)
        choose = ruleset.change == "choose"
        r.lazy_stock = choose and r.out_trick == 0  # nothing but the turn-up leaves the stock
        r.presence[0] = colours << (PLAY_WILD - 64)
        r.presence[1] = named if choose else ONE << (PLAY_CHANGE_TURNED_UP - 64)
        r.presence[2] = ONE << (PLAY_OUT - 64)
        r.presence[3] = ONE << (PLAY_BONUS - 64)
        r.presence[4] = ONE << (PLAY_MAD - 64)
        r.anytime = ACTION_BITS if ruleset.anytime_actions else 0
        for colour in range(6):
            r.follow[2 * colour + (colour >> 2)] = (ONE * 0xFFFF) << (16 * (colour & 3))
            r.not_trump[colour] = M64 & ~(ONE << (PLAY_CHANGE - 64 + colour))
        r.follow[2 * NONE] = M64
        r.follow[2 * NONE + 1] = M64
        r.not_trump[NONE] = M64
        for card in range(N_CARDS):
            r.half[card] = 0 if card < 64 else 1
            if card < N_COLOURED:
                r.adds[card] = ONE << (card & 63)
            else:
                r.adds[card] = ONE << (COUNTS + 3 * (card - WILD))
                r.sets[card] = r.presence[card - WILD]

    def points(self, hand: int, bid: int, won: int, gain: int) -> int:
        """The points of one side for a round of ``hand`` tricks; ``gain`` is the Bonus cards less
        the Mad cards it won."""
        return round_points(self.r, hand, bid, won, gain)


class Simulation:
    """The memory of random play: a generator and the pack it shuffles, a state, and totals."""

    def __cinit__(self) -> None:
        """When compiled, take the addresses of the embedded structs."""
        if cython.compiled:
            self.generator: Generator = cython.address(self.own_generator)
            self.totals: Totals = cython.address(self.own_totals)
            self.s: State = cython.address(self.own_state)

    def __init__(self, seed: int) -> None:
        if not cython.compiled:
            self.generator = Generator()
            self.totals = Totals()
            self.s = State()
        self.generator.random = seed & M64
        self.totals.digest = FNV_START
        self.totals.count = 0

    def use_pack(self, rules: Rules) -> None:
        """Shuffle the pack of these rules from now on."""
        if not isinstance(rules, Rules):
            raise TypeError("a Simulation needs Rules")
        for i in range(rules.r.pack_size):
            self.generator.pack[i] = rules.r.pack[i]


class StateStack:
    """Memory for the states along one line of play, and for totals over all lines."""

    def __cinit__(self) -> None:
        """When compiled, take the addresses of the embedded structs."""
        if cython.compiled:
            self.s: State = cython.address(self.own_states[0])
            self.totals: Totals = cython.address(self.own_totals)

    def __init__(self) -> None:
        if not cython.compiled:
            self.s = State()
            self.totals = Totals()


def random_games(ruleset: RuleSet, players: int, games: int, seed: int) -> tuple[int, int]:
    """Play ``games`` whole games of a rule set with random deals and moves.

    Returns the number of decisions, and a 64-bit digest of the final scores. Equal arguments give
    equal results, compiled or not. Runs without the GIL; Ctrl-C ends it."""
    rules = Rules(ruleset, players)
    played = Simulation(seed)
    played.use_pack(rules)
    left = index(games)
    while left > 0:
        some = min(left, BETWEEN_SIGNALS)
        with cython.nogil:
            play_games(played.generator, played.totals, played.s, rules.r, some)
        left -= some
        if cython.compiled:
            PyErr_CheckSignals()
    return played.totals.count, played.totals.digest
