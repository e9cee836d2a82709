"""The canonical form of a state: seats counted from the player's own, colours in a fixed order.

Nothing changes for a player if colours are renamed or everybody sits one seat further. Bots choose
from the canonical form, so their choice cannot depend on such names. Trump comes first, then the
led colour, then the others by the length and ranks of the player's own cards.
"""

from __future__ import annotations

from collections.abc import Sequence

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
        copy_state,
        popcount,
    )
    from rage.engine.uncompiled import Moves, RuleTable, State
    from rage.rules.cards import N_COLOURED, PLAY_CHANGE_TURNED_UP, PLAY_WILD


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
    fill_keys(s, r, seat, keys)
    for i in range(6):
        perm[i] = 0
    for i in range(5):
        for j in range(i + 1, 6):
            after_it = keys[j] <= keys[i]
            perm[j] += after_it
            perm[i] += 1 - after_it


def fill_keys(s: State, r: RuleTable, seat: int, keys: list[int]) -> None:
    """The sort keys of the colours, from the top bit down: trump, led, own length, own ranks, ranks
    seen, the turn-up, the seats that played or called it in this trick, the seats void in it."""
    turned = colour_turned_up(s)
    for colour in range(6):
        shift = 16 * (colour & 3)
        own = (s.held[2 * seat + (colour >> 2)] >> shift) & 0xFFFF
        seen = (s.seen[colour >> 2] >> shift) & 0xFFFF
        keys[colour] = (
            (ONE * (colour == s.trump) << 54)
            | (ONE * (colour == s.led) << 53)
            | (ONE * popcount(own) << 49)
            | (own << 33)
            | (seen << 17)
            | (ONE * (colour == turned) << 16)
        )
    for i in range(s.count):
        move = s.trick[i]
        if move < PLAY_CHANGE_TURNED_UP:
            other = s.leader + i if s.leader + i < r.n else s.leader + i - r.n
            keys[colour_of(move)] |= ONE << (8 + relative_seat(other, seat, r.n))
    for i in range(r.n):
        other = seat + i if seat + i < r.n else seat + i - r.n
        for colour in range(6):
            keys[colour] |= (ONE * (s.voids[other] >> colour) & 1) << i


def rename_move(move: int, perm: Sequence[int]) -> int:
    """A move with its colour renamed."""
    colour = colour_of(move)
    if colour == NONE:
        return move
    return move + (perm[colour] - colour) * (16 if move < N_COLOURED else 1)


def rename_cards(half: int, other: int, upper: int, perm: Sequence[int]) -> int:
    """One half of a hand with its colours renamed; ``other`` is the other half, and ``upper`` tells
    whether ``half`` is the upper one. Bits that are not coloured cards stay."""
    found = half & ~((ONE << 32) - 1) if upper else 0
    for colour in range(6):
        if perm[colour] >> 2 != upper:
            continue
        cards = half if colour >> 2 == upper else other
        found |= ((cards >> (16 * (colour & 3))) & 0xFFFF) << (16 * (perm[colour] & 3))
    return found


def rename_moves(moves: Moves, perm: Sequence[int]) -> Moves:
    """A set of moves with its colours renamed."""
    lo = rename_cards(moves.lo, moves.hi, 0, perm)
    hi = rename_cards(moves.hi, moves.lo, 1, perm)
    # What is called with a Wild and named with a Change: six bits each, one after the other.
    calls = (hi >> (PLAY_WILD - 64)) & 0xFFF
    hi &= ~((ONE * 0xFFF) << (PLAY_WILD - 64))
    for colour in range(6):
        at = PLAY_WILD - 64 + perm[colour]
        hi |= ((calls >> colour) & 1) << at
        hi |= ((calls >> (6 + colour)) & 1) << (6 + at)
    return Moves(lo, hi)


def invert(perm: Sequence[int], inverse: list[int]) -> None:
    """Write the inverse permutation into ``inverse``."""
    for colour in range(6):
        inverse[perm[colour]] = colour


# --- whole states --------------------------------------------------------------------------


def canonical_state(target: State, s: State, r: RuleTable, seat: int, perm: Sequence[int]) -> None:
    """Make ``target`` the state in which ``seat`` is seat 0 and the colours are renamed."""
    copy_state(target, s)
    for i in range(r.n):
        other = seat + i if seat + i < r.n else seat + i - r.n
        lo = s.held[2 * other]
        hi = s.held[2 * other + 1]
        target.held[2 * i] = rename_cards(lo, hi, 0, perm)
        target.held[2 * i + 1] = rename_cards(hi, lo, 1, perm)
        target.bids[i] = s.bids[other]
        target.won[i] = s.won[other]
        target.bonus_mad[i] = s.bonus_mad[other]
        target.voids[i] = 0
        for colour in range(6):
            target.voids[i] |= ((s.voids[other] >> colour) & 1) << perm[colour]
    for i in range(r.sides):
        target.scores[i] = s.scores[(seat + i) % r.sides]
        target.met[i] = s.met[(seat + i) % r.sides]
    target.seen[0] = rename_cards(s.seen[0], s.seen[1], 0, perm)
    target.seen[1] = rename_cards(s.seen[1], s.seen[0], 1, perm)
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
    """A 64-bit hash of everything in a state about its round."""
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
