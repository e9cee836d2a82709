"""The canonical form of a state: seats counted from the player's own, colours in a fixed order.

Nothing changes for a player if the colours are renamed or the seats rotated. Bots choose from the
canonical form, so that their choice cannot depend on such names. Trump comes first, then the led
colour, then the others by the length and ranks of the player's own cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

try:
    import cython
except ImportError:
    from rage.engine import uncompiled as cython

if not cython.compiled:
    from rage.engine.kernel import (
        FNV_PRIME,
        FNV_START,
        M64,
        NOBODY,
        NONE,
        ONE,
        after,
        copy_state,
    )
    from rage.engine.uncompiled import Moves, RuleTable, State
    from rage.rules.cards import N_COLOURED, PLAY_CHANGE_TURNED_UP, PLAY_WILD

    EVEN_BITS, EVEN_PAIRS = 0x5555555555555555, 0x3333333333333333
    EVEN_FOURS, EVEN_BYTES = 0x0F0F0F0F0F0F0F0F, 0x00FF00FF00FF00FF
    FIRST_BITS, GATHER = 0x0101010101010101, 0x0102040810204080  # of each byte


# --- colours -------------------------------------------------------------------------------


def relative_seat(other: int, seat: int, n: int) -> int:
    """How many seats to the left of ``seat`` the seat ``other`` is."""
    slot = other - seat
    return slot + n if slot < 0 else slot


def colour_of(move: int) -> int:
    """The colour of a coloured card, or the one a Wild or a Change calls; ``NONE`` otherwise."""
    if move < N_COLOURED:
        return move >> 4
    if move < PLAY_CHANGE_TURNED_UP:
        return (move - PLAY_WILD) % 6
    return NONE


def colour_turned_up(s: State) -> int:
    """The colour of the turn-up that lies face up, or ``NONE``."""
    return s.stock[s.turned - 1] >> 4 if s.up else NONE


def canonical_colours(s: State, r: RuleTable, seat: int, perm: list[int]) -> None:
    """Write into ``perm`` the place of each colour in the canonical order.

    Colours with equal keys have equal features, so their order does not matter. (The lower number
    comes first, so that colours missing from a laboratory pack come last.)"""
    if not cython.compiled:
        keys = [0] * 6
        places = [0] * 6
    fill_keys(s, r, seat, keys)
    for i in range(6):
        places[i] = 0
    for i in range(5):
        for j in range(i + 1, 6):
            after_it = keys[j] <= keys[i]
            places[j] += after_it
            places[i] += 1 - after_it
    for i in range(6):
        perm[i] = places[i]


def fill_keys(s: State, r: RuleTable, seat: int, keys: list[int]) -> None:
    """The sort keys of the colours, from the top bit down: trump, led, own length, own ranks, ranks
    seen, the turn-up, the seats that played or called it in this trick, the seats void in it."""
    own = s.held[2 * seat]
    seen = s.seen[0]
    lengths = count_ranks(own)
    for colour in range(4):
        keys[colour] = (
            (((lengths >> (16 * colour)) & 0xFFFF) << 49)
            | (((own >> (16 * colour)) & 0xFFFF) << 33)
            | (((seen >> (16 * colour)) & 0xFFFF) << 17)
        )
    own = s.held[2 * seat + 1]
    seen = s.seen[1]
    lengths = count_ranks(own & ((ONE << 32) - 1))
    for colour in range(2):
        keys[4 + colour] = (
            (((lengths >> (16 * colour)) & 0xFFFF) << 49)
            | (((own >> (16 * colour)) & 0xFFFF) << 33)
            | (((seen >> (16 * colour)) & 0xFFFF) << 17)
        )
    if s.trump != NONE:
        keys[s.trump] |= ONE << 54
    if s.led != NONE:
        keys[s.led] |= ONE << 53
    if s.up:
        keys[colour_turned_up(s)] |= ONE << 16
    for i in range(s.count):
        move = s.trick[i]
        if move < PLAY_CHANGE_TURNED_UP:
            other = s.leader + i if s.leader + i < r.n else s.leader + i - r.n
            keys[colour_of(move)] |= ONE << (8 + relative_seat(other, seat, r.n))
    # The voids of the seats, a byte each: a product gathers the bits of one colour.
    voids = 0
    other = seat
    for i in range(r.n):
        voids |= (ONE * s.voids[other]) << (8 * i)
        other = other + 1 if other + 1 < r.n else 0
    if voids:
        for colour in range(6):
            bits = (voids >> colour) & FIRST_BITS
            keys[colour] |= ((bits * GATHER) & M64) >> 56


def count_ranks(cards: int) -> int:
    """The number of bits set in each of the four colours of 64 cards."""
    cards -= (cards >> 1) & EVEN_BITS
    cards = (cards & EVEN_PAIRS) + ((cards >> 2) & EVEN_PAIRS)
    cards = (cards + (cards >> 4)) & EVEN_FOURS
    return (cards + (cards >> 8)) & EVEN_BYTES


def rename_move(move: int, perm: Sequence[int]) -> int:
    """A move with its colour renamed."""
    colour = colour_of(move)
    if colour == NONE:
        return move
    return move + (perm[colour] - colour) * (16 if move < N_COLOURED else 1)


def rename_cards(target: Any, at: int, lo: int, hi: int, perm: Sequence[int]) -> None:
    """Write a hand, or cards seen, with its colours renamed, into two numbers from ``at`` on. Bits
    of other cards stay."""
    if cython.compiled:
        rage_rename(target + at, lo, hi, perm)
    else:
        target[at] = 0
        target[at + 1] = hi & ~0xFFFFFFFF
        for colour in range(6):
            ranks = ((hi if colour >> 2 else lo) >> (16 * (colour & 3))) & 0xFFFF
            place = perm[colour]
            target[at + (place >> 2)] |= ranks << (16 * (place & 3))


def rename_into(target: list[int], at: int, moves: Moves, perm: Sequence[int]) -> None:
    """Write a set of moves with its colours renamed into two numbers from ``at`` on."""
    hi = moves.hi
    # The colours called with a Wild, then the colours named with a Change: six bits each.
    calls = (hi >> (PLAY_WILD - 64)) & 0xFFF
    if calls:
        hi &= ~((ONE * 0xFFF) << (PLAY_WILD - 64))
        for colour in range(6):
            place = PLAY_WILD - 64 + perm[colour]
            hi |= ((calls >> colour) & 1) << place
            hi |= ((calls >> (6 + colour)) & 1) << (6 + place)
    rename_cards(target, at, moves.lo, hi, perm)


def rename_moves(moves: Moves, perm: Sequence[int]) -> Moves:
    """A set of moves with its colours renamed."""
    if not cython.compiled:
        found = [0, 0]
    rename_into(found, 0, moves, perm)
    return Moves(found[0], found[1])


def rename_colours(colours: int, perm: Sequence[int]) -> int:
    """A set of colours, six bits, renamed."""
    found = 0
    if colours:
        for colour in range(6):
            found |= ((colours >> colour) & 1) << perm[colour]
    return found


def invert(perm: Sequence[int], inverse: list[int]) -> None:
    """Write the inverse permutation into ``inverse``."""
    for colour in range(6):
        inverse[perm[colour]] = colour


# --- whole states --------------------------------------------------------------------------


def canonical_state(target: State, s: State, r: RuleTable, seat: int, perm: Sequence[int]) -> None:
    """Make ``target`` the state in which ``seat`` is seat 0 and the colours are renamed."""
    copy_state(target, s)
    other = seat
    for i in range(r.n):
        rename_cards(target.held, 2 * i, s.held[2 * other], s.held[2 * other + 1], perm)
        target.bids[i] = s.bids[other]
        target.won[i] = s.won[other]
        target.bonus_mad[i] = s.bonus_mad[other]
        target.voids[i] = rename_colours(s.voids[other], perm)
        other = after(other, r.n)
    for i in range(r.sides):
        target.scores[i] = s.scores[(seat + i) % r.sides]
        target.met[i] = s.met[(seat + i) % r.sides]
    rename_cards(target.seen, 0, s.seen[0], s.seen[1], perm)
    for i in range(s.count):
        target.trick[i] = rename_move(s.trick[i], perm)
    for i in range(s.stock_size):
        if s.stock[i] < N_COLOURED:
            target.stock[i] = rename_move(s.stock[i], perm)
    if s.dealer != NOBODY:
        target.dealer = relative_seat(s.dealer, seat, r.n)
        target.leader = relative_seat(s.leader, seat, r.n)
        target.turn = relative_seat(s.turn, seat, r.n)
    target.trump = perm[s.trump] if s.trump != NONE else NONE
    target.led = perm[s.led] if s.led != NONE else NONE


def fold(digest: int, number: int) -> int:
    """One step of an FNV-1a digest, over 64 bits at a time."""
    return ((digest ^ number) * FNV_PRIME) & M64


def fingerprint(s: State, r: RuleTable) -> int:
    """A 64-bit hash of everything about the round in a state."""
    digest = fold(FNV_START, (ONE * s.phase << 24) | (s.round << 16) | (s.hand << 8) | s.flags)
    digest = fold(digest, (ONE * s.turn << 24) | (s.leader << 16) | (s.trump << 8) | s.led)
    digest = fold(fold(digest, s.seen[0]), s.seen[1])
    for i in range(r.n):
        digest = fold(fold(digest, s.held[2 * i]), s.held[2 * i + 1])
        digest = fold(digest, (ONE * s.bids[i] << 16) | (s.won[i] << 8) | s.bonus_mad[i])
        digest = fold(digest, s.voids[i])
    for i in range(s.count):
        digest = fold(digest, s.trick[i])
    for i in range(s.stock_size):
        digest = fold(digest, s.stock[i])
    return digest
