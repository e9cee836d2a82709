"""What a hand of cards is worth, to the bot that counts it: the first half of steady.

For each card of the hand, two chances: to win a trick with it when the trick is wanted, and to
win one with it all the same when it is not. From them follows the best number of points that the
rest of the round can still bring (`rest`). And the chance that a card wins the trick on the table
(`win_chance`), by who is still to play. Everything is in whole numbers, so that it comes out
alike compiled or not. The chances were tuned; `chances.py` holds them, and says how.
"""

from __future__ import annotations

from rage.bots.chances import CHANCES, WEIGHTS

try:
    import cython
except ImportError:
    from rage import uncompiled as cython

if not cython.compiled:
    from rage.bots.plain import LORE, RIVAL, Lore, Numbers, Thought
    from rage.cards import N_COLOURED, PLAY_CHANGE, PLAY_WILD, WILD
    from rage.kernel import BIDDING, COUNTS, NO_BID, NONE, after, lowest, popcount
    from rage.uncompiled import State, Table

    WHOLE = 65536  # a chance of one
    POINT = 256  # one point
    STEPS = 7  # between the chances in the table
    CLASSES = 21  # 8 steps of a plain colour, 8 of trump, five kinds of action card
    POWERS = 24  # more than cards of a colour and Wilds together


# --- what it knows -------------------------------------------------------------------------


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
        count = (s.held[2 * t.seat + 1] >> (COUNTS + 3 * kind)) & 7
        for _ in range(count):
            t.cards[t.held] = WILD + kind
            t.held += 1


def fill_powers(powers: Numbers, hand: int, unseen: int) -> None:
    """The chances that another hand holds none of 0, 1, 2, ... cards that were not seen."""
    none = WHOLE - WHOLE * hand // unseen if hand < unseen else 0
    powers[0] = WHOLE
    for i in range(1, POWERS):
        powers[i] = (powers[i - 1] * none) >> 16


def shown_bid(s: State, r: Table, seat: int, asker: int) -> int:
    """The bid of a seat as another may know it; ``NO_BID`` where it is not shown."""
    if seat != asker and ((s.phase == BIDDING and r.bidding > 0) or r.bidding > 1):
        return NO_BID
    return s.bids[seat]


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
        t.line[j] = t.target[j + more + 1]
    for i in range(t.held - 1, -1, -1):
        if i != skip:
            for j in range(n):
                rise = t.line[j + 1] - t.line[j]
                p = t.high[base + i] if rise > 0 else t.low[base + i]
                t.line[j] += (p * rise) >> 16
            n -= 1
    return t.line[0]


# --- a card's chance in the trick ----------------------------------------------------------


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
        if (seat - t.seat) % r.sides == 0:
            continue  # a partner beats it only where that does no harm
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


# --- the numbers ---------------------------------------------------------------------------


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


set_lore(WEIGHTS, CHANCES)
set_lore(WEIGHTS, CHANCES, rival=True)
