"""The features of what a seat may know: one vector of small integers, for bots and research.

Nothing hidden is read: a position and its :meth:`Position.masked` give the same vector. Seats are
relative (0 is the seat itself, 1 the one to its left), so the vector stays the same when the seats
are rotated. Colours are canonical: trump first, the led colour next, the others by the length and
ranks of the seat's own cards; :func:`colour_places` gives the place of each, and
:func:`canonical_move` and :func:`actual_move` convert moves. `meanings.py` is the table of all
blocks. Compiled like the kernel, with the types in `encode.pxd`.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

from rage.features.meanings import FEATURES, SIZE, actual_move, canonical_move, describe
from rage.say import NotAllowed, check_kind

try:
    import cython
except ImportError:
    from rage.engine import uncompiled as cython

if not cython.compiled:
    from rage.engine.canonical import (
        canonical_colours,
        colour_of,
        colour_turned_up,
        relative_seat,
        rename_moves,
    )
    from rage.engine.kernel import (
        BIDDING,
        COUNTS,
        NO_BID,
        NOBODY,
        NONE,
        PLAYING,
        TURN_UP_DUE,
        bids_hidden,
        find_winning,
        known_bid,
        legal_set,
        trick_key,
    )
    from rage.engine.position import Position, number_of
    from rage.engine.uncompiled import Moves, RuleTable, State
    from rage.rules.cards import N_COLOURED, PLAY_CHANGE, PLAY_CHANGE_TURNED_UP, PLAY_WILD, WILD

    N_FEATURES = SIZE
    globals().update({f"AT_{feature.name.upper()}": feature.start for feature in FEATURES})

__all__ = [
    "FEATURES",
    "SIZE",
    "actual_move",
    "canonical_move",
    "colour_places",
    "describe",
    "encode",
    "encode_into",
]

if cython.compiled:
    for _bits in range(256):
        for _bit in range(8):
            EIGHT_BITS[8 * _bits + _bit] = (_bits >> _bit) & 1

_EMPTY = bytes(2 * SIZE)


# --- the vector ----------------------------------------------------------------------------


def encode_state(s: State, r: RuleTable, seat: int, out: Any) -> None:
    """Write the features of what a seat may know into ``out``, all ``N_FEATURES`` numbers."""
    if not cython.compiled:
        perm = [0] * 6
    canonical_colours(s, r, seat, perm)
    moves = Moves(0, 0)
    if s.turn == seat:
        moves = rename_moves(legal_set(s, r), perm)
    encode_rules(r, out)
    encode_seen(s, r, seat, perm, moves, out)


def encode_rules(r: RuleTable, out: Any) -> None:
    """Write the features of the rules, and 0 for all others: a row for :func:`encode_seen`."""
    for i in range(N_FEATURES):
        out[i] = 0
    put_settings(r, out)


def encode_seen(
    s: State, r: RuleTable, seat: int, perm: Sequence[int], moves: Moves, out: Any
) -> None:
    """Add everything else that a seat may know to a row of :func:`encode_rules`; ``moves`` are its
    legal moves, with colours renamed by ``perm`` like all others."""
    put_cards_held(s, seat, perm, out)
    put_trick(s, r, seat, perm, out)
    put_seats(s, r, seat, perm, out)
    put_round(s, r, seat, perm, out)
    put_bits(moves.lo, 64, out, AT_LEGAL)
    put_bits(moves.hi, 64, out, AT_LEGAL + 64)


def put_bits(bits: int, size: int, out: Any, at: int) -> None:
    """Write a set as ``size`` numbers (a multiple of eight) from ``at`` on."""
    if cython.compiled:
        for i in range(0, size, 8):
            memcpy(out + at + i, EIGHT_BITS + 8 * ((bits >> i) & 0xFF), 16)
    else:
        for i in range(size):
            out[at + i] = (bits >> i) & 1


def put_cards(lo: int, hi: int, perm: Sequence[int], out: Any, at: int) -> None:
    """Write the coloured cards of a set as 96 bits from ``at`` on."""
    for colour in range(4):
        put_bits((lo >> (16 * colour)) & 0xFFFF, 16, out, at + 16 * perm[colour])
    for colour in range(2):
        put_bits((hi >> (16 * colour)) & 0xFFFF, 16, out, at + 16 * perm[4 + colour])


def put_cards_held(s: State, seat: int, perm: Sequence[int], out: Any) -> None:
    """Write this seat's hand and the cards everyone has seen."""
    put_cards(s.held[2 * seat], s.held[2 * seat + 1], perm, out, AT_HAND)
    put_cards(s.seen[0], s.seen[1], perm, out, AT_SEEN)
    for kind in range(5):
        out[AT_HAND_ACTIONS + kind] = (s.held[2 * seat + 1] >> (COUNTS + 3 * kind)) & 7
        out[AT_SEEN_ACTIONS + kind] = (s.seen[1] >> (COUNTS + 3 * kind)) & 7


def put_trick(s: State, r: RuleTable, seat: int, perm: Sequence[int], out: Any) -> None:
    """Write the trick under way: the card of each seat, Bonus and Mad cards, and who is winning."""
    bonus_mad = 0
    for i in range(s.count):
        move = s.trick[i]
        bonus_mad += r.bonus_mad[move]
        slot = relative_seat(s.leader + i if s.leader + i < r.n else s.leader + i - r.n, seat, r.n)
        colour = colour_of(move)
        if colour != NONE:
            out[AT_TRICK_COLOURS + 6 * slot + perm[colour]] = 1
        if move < PLAY_CHANGE:
            out[AT_TRICK_RANKS + slot] = r.rank[move]
        if move >= N_COLOURED:
            out[AT_TRICK_KINDS + 5 * slot + r.kind[move]] = 1
    out[AT_TRICK_BONUS] = bonus_mad & 15
    out[AT_TRICK_MAD] = bonus_mad >> 4
    if s.count:
        put_winning(s, r, seat, out)
    if s.led != NONE:
        out[AT_LED + perm[s.led]] = 1


def put_winning(s: State, r: RuleTable, seat: int, out: Any) -> None:
    """Write which seat would win the trick as it stands, and the bits of its ``trick_key``."""
    winning = find_winning(s, r, s.trump)
    best = trick_key(r, s.trick[winning], winning, s.led, s.trump)
    who = s.leader + winning
    out[AT_WINNING + relative_seat(who if who < r.n else who - r.n, seat, r.n)] = 1
    out[AT_WINNING_COLOUR] = (best >> 9) & 1
    out[AT_WINNING_COLOUR + 1] = (best >> 8) & 1
    out[AT_WINNING_RANK] = (best >> 3) & 31


def put_seats(s: State, r: RuleTable, seat: int, perm: Sequence[int], out: Any) -> None:
    """Write what this seat may know of each seat, itself first."""
    hidden = bids_hidden(s, r)
    own_side = seat % r.sides
    surplus = -s.hand
    left = s.hand - s.tricks
    other = seat
    side = own_side
    place = relative_seat(seat, s.leader, r.n) if s.count else r.n  # in the trick
    for slot in range(r.n):
        bid = NO_BID if hidden and slot else s.bids[other]
        if bid != NO_BID:
            surplus += bid
            out[AT_BIDS + slot] = bid
            out[AT_BIDS_KNOWN + slot] = 1
            out[AT_NEEDS + slot] = bid - s.won[other]
            if r.sides == r.n:
                out[AT_SIDE_NEEDS + slot] = bid - s.won[other]
            else:
                out[AT_SIDE_NEEDS + slot] = side_needs(s, r, seat, side)
        out[AT_WON + slot] = s.won[other]
        shown = s.voids[other]
        if shown:
            for colour in range(6):
                out[AT_VOIDS + 6 * slot + perm[colour]] = (shown >> colour) & 1
        out[AT_BONUS + slot] = s.bonus_mad[other] & 15
        out[AT_MAD + slot] = s.bonus_mad[other] >> 4
        out[AT_CARDS_LEFT + slot] = left - (place < s.count)
        out[AT_AHEAD + slot] = s.scores[own_side] - s.scores[side]
        out[AT_MET + slot] = s.met[side]
        out[AT_PARTNER + slot] = side == own_side and slot > 0
        other += 1
        place += 1
        side += 1
        if other == r.n:
            other = side = 0
        if place == r.n:
            place = 0
        if side == r.sides:
            side = 0
    out[AT_BID_SURPLUS] = surplus


def side_needs(s: State, r: RuleTable, seat: int, side: int) -> int:
    """The tricks a side has bid and not yet won; 0 if any of its bids is unknown."""
    needs = 0
    other = side
    while other < r.n:
        bid = known_bid(s, r, other, seat)
        if bid == NO_BID:
            return 0
        needs += bid - s.won[other]
        other += r.sides
    return needs


def put_round(s: State, r: RuleTable, seat: int, perm: Sequence[int], out: Any) -> None:
    """Write trump, turns, places, and the rest of the game."""
    out[AT_TRUMP] = s.trump != NONE
    turned = colour_turned_up(s)
    if turned != NONE:
        out[AT_TURNED_UP + perm[turned]] = 1
    out[AT_TURN_UP_DUE] = s.flags & TURN_UP_DUE != 0
    out[AT_HAND_SIZE] = s.hand
    out[AT_PHASE + s.phase] = 1
    out[AT_SCORE] = s.scores[seat % r.sides]
    out[AT_ROUNDS_LEFT] = r.rounds - s.round
    first = s.round
    if s.phase == BIDDING or s.phase == PLAYING:
        first += 1
        out[AT_LEADER + relative_seat(s.leader, seat, r.n)] = 1
        out[AT_TO_ACT + relative_seat(s.turn, seat, r.n)] = 1
    for i in range(first, r.rounds):
        out[AT_LATER + r.schedule[i] - 1] += 1
    if s.dealer != NOBODY:
        out[AT_PLACE + (relative_seat(seat, s.dealer, r.n) + r.n - 1) % r.n] = 1


def put_settings(r: RuleTable, out: Any) -> None:
    """Write the rule set and the number of players."""
    if r.n > 1:
        out[AT_PLAYERS + r.n - 2] = 1
    i = r.pack_size - 1
    while r.pack[i] >= WILD:  # the action cards come last, after at least one coloured card
        out[AT_PACK + r.pack[i] - WILD] += 1
        i -= 1
    out[AT_COLOURS] = (r.pack[i] >> 4) + 1
    out[AT_RANKS] = (r.pack[i] & 15) + 1
    out[AT_CHANGE] = (r.presence[1] >> (PLAY_CHANGE_TURNED_UP - 64)) & 1
    out[AT_OUT] = r.out_trick
    out[AT_SECOND_WILD] = r.flip[PLAY_WILD] == 0
    out[AT_EXACT] = r.exact
    out[AT_EXACT_ZERO] = r.exact_zero
    out[AT_MISS] = r.miss
    out[AT_TIE] = r.tie
    out[AT_BIDDING + r.bidding] = 1
    out[AT_NOT_TRICKS] = r.not_tricks
    out[AT_ANYTIME_ACTIONS] = r.anytime != 0
    out[AT_SWEEP] = r.sweep
    if r.sides < r.n:
        out[AT_TEAMS + r.sides - 2] = 1


# --- for Python ----------------------------------------------------------------------------


def encode(position: Position, seat: int) -> array[int]:
    """The features of what a seat may know: ``SIZE`` 16-bit numbers, which NumPy wraps without
    copying (``numpy.asarray``). Raises :class:`rage.NotAllowed` for a spectator."""
    out = array("h", _EMPTY)
    fill(position, seat, out)
    return out


def encode_into(position: Position, seat: int, out: Any) -> None:
    """Write the features into a row of ``SIZE`` 16-bit numbers (a NumPy row, an array). Raises
    :class:`rage.NotAllowed` for a spectator, and for anything but such a row."""
    try:
        row = memoryview(out)
    except TypeError:
        raise NotAllowed("encode.no_row", size=SIZE) from None
    if row.format != "h" or row.shape != (SIZE,) or row.readonly or not row.c_contiguous:
        raise NotAllowed("encode.no_row", size=SIZE)
    fill(position, seat, row)


def fill(position: Position, seat: int | None, out: Any) -> None:
    """The common part of :func:`encode` and :func:`encode_into`; ``out`` must be large enough."""
    number = seat_number(position, seat)
    checked = position
    if cython.compiled:
        PyObject_GetBuffer(out, cython.address(buffer), PyBUF_ND | PyBUF_WRITABLE)
        encode_state(checked.s, checked.r, number, cython.cast(Row, buffer.buf))
        PyBuffer_Release(cython.address(buffer))
    else:
        encode_state(checked.s, checked.r, number, out)


def seat_number(position: Position, seat: int | None) -> int:
    """A seat as a number. Raises :class:`rage.NotAllowed` if there is no such seat, and
    :class:`rage.NotReadable` for anything but a position."""
    if not isinstance(position, Position):
        check_kind(position, Position, "position")
    players = position.rules.players
    if seat is None:
        raise NotAllowed("encode.spectator")
    number = number_of(seat)
    if not 0 <= number < players:
        raise NotAllowed("encode.no_seat", seat=seat, last=players - 1)
    return number


def colour_places(position: Position, seat: int) -> tuple[int, ...]:
    """The canonical place of each of the six colours in the features of a seat. Raises
    :class:`rage.NotAllowed` for a spectator."""
    number = seat_number(position, seat)
    checked = position
    if not cython.compiled:
        perm = [0] * 6
    canonical_colours(checked.s, checked.r, number, perm)
    return (perm[0], perm[1], perm[2], perm[3], perm[4], perm[5])
