"""The value of a hand: the first half of steady.

Each card of the hand has two chances to win a trick: when trying to, and when trying not to. From
them follow the most points that the rest of the round can bring (`rest_value`). The chance that a
card wins the trick on the table (`win_chance`) depends on the seats still to play. All numbers are
integers, so that the results are the same compiled or not. `chances.py` holds the tuned chances and
explains their layout.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from rage.engine import uncompiled as cython

if not cython.compiled:
    from rage.bots.uncompiled import Estimate, Numbers, Weights
    from rage.engine.kernel import (
        COUNTS,
        NO_BID,
        NONE,
        after,
        find_winning,
        known_bid,
        lowest,
        popcount,
        trick_key,
    )
    from rage.engine.uncompiled import RuleTable, State
    from rage.rules.cards import N_COLOURED, PLAY_CHANGE, PLAY_WILD, WILD

    WHOLE = 65536  # a chance of one
    POINT = 256  # one point
    STEPS = 7  # between the chances in the table
    CLASSES = 21  # 8 steps of a plain colour, 8 of trump, five kinds of action card
    CHANCES_SIZE = 2520  # 60 rows of 21 pairs
    POWERS = 24  # more than cards of a colour and Wilds together


# --- what it knows -------------------------------------------------------------------------


def count_cards(e: Estimate, s: State, r: RuleTable) -> None:
    """Count the cards neither seen nor in the hand: by colour, the Wilds, and in all."""
    actions = wilds = 0
    i = r.pack_size - 1
    while i >= 0 and r.pack[i] >= WILD:
        wilds += r.pack[i] == WILD
        actions += 1
        i -= 1
    colours = r.presence[0] >> (PLAY_WILD - 64)
    full = (1 << (r.pack_size - actions) // popcount(colours)) - 1
    known = e.left
    for colour in range(6):
        half = colour >> 2
        shift = 16 * (colour & 3)
        seen = (s.seen[half] >> shift) & 0xFFFF
        e.mine[colour] = (s.held[2 * e.seat + half] >> shift) & 0xFFFF
        e.unseen[colour] = (full & ~(seen | e.mine[colour])) if (colours >> colour) & 1 else 0
        known += popcount(seen)
    e.mine[NONE] = e.unseen[NONE] = 0
    for kind in range(5):
        count = (s.seen[1] >> (COUNTS + 3 * kind)) & 7
        known += count
        if kind == 0:
            wilds -= count + ((s.held[2 * e.seat + 1] >> COUNTS) & 7)
    e.wilds = wilds
    e.unseen_cards = r.pack_size - known


def note_bids(e: Estimate, s: State, r: RuleTable) -> None:
    """Store the known bids by seat, ``NO_BID`` for the others."""
    for seat in range(r.n):
        e.bids[seat] = known_bid(s, r, seat, e.seat)


def count_slack(e: Estimate, s: State, r: RuleTable) -> None:
    """Store by how much the other seats need less than an even share of the tricks left: 0 if
    even, (n - 1)/n of ``WHOLE`` if no other seat needs one, and never below -``WHOLE``."""
    spare = r.n * e.left
    for other in range(r.n):
        if other == e.seat:
            continue
        bid = e.bids[other]
        if bid == NO_BID:
            spare -= e.left
        elif bid > s.won[other]:
            spare -= r.n * (bid - s.won[other])
    spare -= e.left
    if spare < -e.left * r.n:
        spare = -e.left * r.n
    e.slack = (spare + e.left * r.n) * WHOLE // (e.left * r.n) - WHOLE


def list_hand(e: Estimate, s: State) -> None:
    """List the cards of the hand one by one."""
    e.size = 0
    for colour in range(6):
        bits = e.mine[colour]
        while bits:
            e.cards[e.size] = 16 * colour + lowest(bits)
            e.size += 1
            bits &= bits - 1
    for kind in range(5):
        count = (s.held[2 * e.seat + 1] >> (COUNTS + 3 * kind)) & 7
        for _ in range(count):
            e.cards[e.size] = WILD + kind
            e.size += 1


def fill_powers(powers: Numbers, hand: int, unseen: int) -> None:
    """Fill in the chances that another hand holds none of 0, 1, 2, ... unseen cards."""
    none = WHOLE - WHOLE * hand // unseen if hand < unseen else 0
    powers[0] = WHOLE
    for i in range(1, POWERS):
        powers[i] = (powers[i - 1] * none) >> 16


# --- what a card is worth ------------------------------------------------------------------


def estimate_cards(e: Estimate, r: RuleTable, powers: Numbers, left: int, trump: int) -> None:
    """Look up each card's chances to win a trick, wanted or not, among ``left`` tricks."""
    for i in range(e.size):
        card = e.cards[i]
        estimate_card(e, r, i, left, rank_index(e, r, powers, card, trump), trump)


def rank_index(e: Estimate, r: RuleTable, powers: Numbers, card: int, trump: int) -> int:
    """The rank of a coloured card among those that could beat it, from 0 to ``WHOLE``: roughly the
    square root of its chance to win when led."""
    if card >= N_COLOURED:
        return 0
    above = popcount(e.unseen[card >> 4] >> ((card & 15) + 1))
    if card >> 4 == trump:
        one = powers[above + e.wilds]
    else:
        ruff = (
            powers[popcount(e.unseen[card >> 4])] * (WHOLE - powers[popcount(e.unseen[trump])])
        ) >> 16
        one = (powers[above] * (WHOLE - ruff)) >> 16
    index = one
    for _ in range((r.n >> 1) - 1):
        index = (index * one) >> 16
    return index


def chances_row(n: int, left: int, lead: int) -> int:
    """The index of the chances for a number of players and of tricks left, and for the lead."""
    players = n - 2 if n < 5 else 3 if n < 7 else 4
    tricks = left - 1 if left < 4 else 3 if left < 6 else 4 if left < 8 else 5
    if left < 1:
        tricks = 0
    return ((players * 6 + tricks) * 2 + lead) * CLASSES


def estimate_card(e: Estimate, r: RuleTable, i: int, left: int, index: int, trump: int) -> None:
    """Store the chances of the hand's i-th card, with and without the next lead."""
    for lead in range(2):
        row = chances_row(r.n, left, lead)
        if e.cards[i] >= N_COLOURED:
            base = 2 * (row + 16 + e.cards[i] - WILD)
            e.wanted[16 * lead + i] = e.weights.chances[base] << 8
            e.unwanted[16 * lead + i] = e.weights.chances[base + 1] << 8
            continue
        at = (index * STEPS) >> 16
        if at == STEPS:
            at = STEPS - 1
        part = index * STEPS - (at << 16)
        if e.cards[i] >> 4 == trump:
            at += 8
        base = 2 * (row + at)
        p = e.weights.chances[base] * (WHOLE - part) + e.weights.chances[base + 2] * part
        e.wanted[16 * lead + i] = with_slack(p >> 8, e.slack, e.weights.slack[0])
        p = e.weights.chances[base + 1] * (WHOLE - part) + e.weights.chances[base + 3] * part
        e.unwanted[16 * lead + i] = with_slack(p >> 8, e.slack, e.weights.slack[1])


def with_slack(p: int, slack: int, weight: int) -> int:
    """A chance, raised if few seats want tricks and lowered if many do; 0 and 1 stay."""
    p += ((((p * (WHOLE - p)) >> 16) * slack) >> 16) * weight >> 8
    return 0 if p < 0 else WHOLE if p > WHOLE else p


def rest_value(e: Estimate, skip: int, more: int, lead: int) -> int:
    """The points that the hand can bring without its card ``skip`` and with ``more`` tricks won:
    card by card from the last, wanting the trick or not, whichever is worth more."""
    base = 16 * lead
    n = e.size - (skip < e.size)
    for j in range(n + 1):
        e.rest_worth[j] = e.tricks_worth[j + more + 1]
    for i in range(e.size - 1, -1, -1):
        if i != skip:
            for j in range(n):
                rise = e.rest_worth[j + 1] - e.rest_worth[j]
                p = e.wanted[base + i] if rise > 0 else e.unwanted[base + i]
                e.rest_worth[j] += (p * rise) >> 16
            n -= 1
    return e.rest_worth[0]


# --- a card's chance in the trick ----------------------------------------------------------


def find_best(e: Estimate, s: State, r: RuleTable, trump: int) -> None:
    """Store the winning card on the table; a colour that is only led now beats none."""
    e.best = find_winning(s, r, trump)
    e.best_key = -1
    if e.best >= 0:
        e.best_key = trick_key(r, s.trick[e.best], e.best, s.led, trump)


def win_chance(e: Estimate, s: State, r: RuleTable, move: int, trump: int) -> int:
    """The chance that a move beats the card from `find_best` and wins the trick. Stores in
    ``e.partner_chance`` the chance that a partner's card on the table wins, and in
    ``e.partner_needs`` whether that partner needs the trick."""
    led = s.led
    if led == NONE and move < PLAY_CHANGE:
        led = r.colour[move]
    e.partner_chance = e.spoils = 0
    if trick_key(r, move, s.count, led, trump) > e.best_key:
        if s.count == r.n - 2:
            e.spoils = spoils_bid(e, s, r, after(e.seat, r.n))
        return hold_chance(e, s, r, move, led, trump)
    seat = (s.leader + e.best) % r.n
    if (seat - e.seat) % r.sides == 0:
        e.partner_chance = hold_chance(e, s, r, s.trick[e.best], led, trump)
        e.partner_needs = need_of(e, s, seat) == 1
    else:
        e.spoils = spoils_bid(e, s, r, seat)
    return 0


def spoils_bid(e: Estimate, s: State, r: RuleTable, seat: int) -> int:
    """What a trick means for the rival who takes it: 2 if it spoils a bid just met, -1 if it is
    needed, 0 if that is unknown or no longer matters."""
    bid = e.bids[seat]
    if bid == NO_BID or (seat - e.seat) % r.sides == 0:
        return 0
    if s.won[seat] < bid:
        return -1
    return 2 if s.won[seat] == bid else 0


def hold_chance(e: Estimate, s: State, r: RuleTable, move: int, led: int, trump: int) -> int:
    """The chance that the best card so far stays the best until the trick is full."""
    kept = WHOLE
    seat = e.seat
    for _ in range(r.n - 1 - s.count):
        seat = after(seat, r.n)
        if (seat - e.seat) % r.sides == 0:
            continue  # a partner beats it only if that does no harm
        kept = (kept * (WHOLE - beat_chance(e, s, r, seat, move, led, trump))) >> 16
    return kept


def beat_chance(
    e: Estimate, s: State, r: RuleTable, seat: int, move: int, led: int, trump: int
) -> int:
    """The chance that a seat still to play beats a card with a higher one, a trump or a Wild."""
    need = need_of(e, s, seat)
    if led == NONE:  # any coloured card wins
        return WHOLE - (WHOLE >> 4)
    colour = r.colour[move]
    above = popcount(e.unseen[colour] >> (r.rank[move] + 1)) if r.rank[move] < 16 else 0
    known = (s.voids[seat] >> led) & 1
    void = WHOLE if known else e.powers_now[popcount(e.unseen[led])]
    beat = 0
    if colour == led and known == 0:
        beat = ((WHOLE - e.powers_now[above]) * e.weights.higher[need]) >> 8
    if trump != NONE and trump != led and (s.voids[seat] >> trump) & 1 == 0:
        if colour != trump:
            above = popcount(e.unseen[trump])
        beat += ((((WHOLE - e.powers_now[above]) * e.weights.ruff[need]) >> 8) * void) >> 16
    if e.wilds:
        beat += ((((WHOLE - e.powers_now[e.wilds]) * e.weights.wild[need]) >> 8) * void) >> 16
    return beat if beat < WHOLE else WHOLE


def need_of(e: Estimate, s: State, seat: int) -> int:
    """Whether a seat still needs tricks: 1 if so, 2 if not, 0 if unknown."""
    bid = e.bids[seat]
    if bid == NO_BID:
        return 0
    return 1 if s.won[seat] < bid else 2


# --- the numbers ---------------------------------------------------------------------------


class SteadyWeights:
    """The numbers that steady plays by: from `chances.py`, or others to try. Raises ``ValueError``
    for a wrong number of chances."""

    def __cinit__(self) -> None:
        """When compiled, take the address of the embedded struct."""
        if cython.compiled:
            self.w = cython.address(self.own_weights)

    def __init__(self, weights: dict[str, list[int]], chances: bytes) -> None:
        if not cython.compiled:
            self.w = Weights()
        if len(chances) != CHANCES_SIZE:
            raise ValueError(f"{len(chances)} chances, not {CHANCES_SIZE}")
        w = self.w
        for i in range(3):
            w.higher[i] = weights["higher"][i]
            w.ruff[i] = weights["ruff"][i]
            w.wild[i] = weights["wild"][i]
        w.bonus = weights["bonus"][0]
        w.spoil = weights["spoil"][0]
        w.slack[0] = weights["slack"][0]
        w.slack[1] = weights["slack"][1]
        for i in range(CHANCES_SIZE):
            w.chances[i] = chances[i]
