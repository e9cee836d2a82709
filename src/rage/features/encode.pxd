# C types for encode.py.
cimport cython
from cpython.buffer cimport (
    Py_buffer,
    PyBUF_ND,
    PyBUF_WRITABLE,
    PyBuffer_Release,
    PyObject_GetBuffer,
)
from libc.stdint cimport int16_t, uint8_t, uint64_t
from libc.string cimport memcpy

from rage.engine.canonical cimport Colours, canonical_colours, colour_of, colour_turned_up, relative_seat, rename_moves
from rage.engine.kernel cimport *
from rage.engine.position cimport Position, number_of

# The length of the vector, for arrays of a fixed size; a test compares it with FEATURES.
cdef enum:
    N_FEATURES = 661

ctypedef int16_t* Row

# Where each block begins; a test compares it with FEATURES.
cdef enum:
    AT_HAND = 0
    AT_HAND_ACTIONS = 96
    AT_SEEN = 101
    AT_SEEN_ACTIONS = 197
    AT_TRICK_COLOURS = 202
    AT_TRICK_RANKS = 250
    AT_TRICK_KINDS = 258
    AT_TRICK_BONUS = 298
    AT_TRICK_MAD = 299
    AT_WINNING = 300
    AT_WINNING_COLOUR = 308
    AT_WINNING_RANK = 310
    AT_LED = 311
    AT_LEADER = 313
    AT_TO_ACT = 321
    AT_BIDS = 329
    AT_BIDS_KNOWN = 337
    AT_NEEDS = 345
    AT_SIDE_NEEDS = 353
    AT_WON = 361
    AT_VOIDS = 369
    AT_BONUS = 417
    AT_MAD = 425
    AT_CARDS_LEFT = 433
    AT_PARTNER = 441
    AT_AHEAD = 449
    AT_MET = 457
    AT_TRUMP = 465
    AT_TURNED_UP = 466
    AT_TURN_UP_DUE = 472
    AT_HAND_SIZE = 473
    AT_BID_SURPLUS = 474
    AT_PLACE = 475
    AT_ROUNDS_LEFT = 483
    AT_LATER = 484
    AT_SCORE = 499
    AT_PHASE = 500
    AT_PLAYERS = 504
    AT_PACK = 511
    AT_CHANGE = 516
    AT_OUT = 517
    AT_SECOND_WILD = 518
    AT_EXACT = 519
    AT_EXACT_ZERO = 520
    AT_MISS = 521
    AT_TIE = 522
    AT_BIDDING = 523
    AT_NOT_TRICKS = 526
    AT_ANYTIME_ACTIONS = 527
    AT_SWEEP = 528
    AT_TEAMS = 529
    AT_COLOURS = 531
    AT_RANKS = 532
    AT_LEGAL = 533

# By eight bits, their numbers.
cdef int16_t EIGHT_BITS[2048]

@cython.locals(perm=Colours, moves=Moves)
cdef void encode_state(State* s, RuleTable* r, int seat, int16_t* out) noexcept nogil

@cython.locals(i=int)
cdef void encode_rules(RuleTable* r, int16_t* out) noexcept nogil

cdef void encode_seen(State* s, RuleTable* r, int seat, uint8_t* perm, Moves moves, int16_t* out) noexcept nogil

@cython.locals(i=int)
cdef void put_bits(uint64_t bits, int size, int16_t* out, int at) noexcept nogil

@cython.locals(colour=int)
cdef void put_cards(uint64_t lo, uint64_t hi, uint8_t* perm, int16_t* out, int at) noexcept nogil

@cython.locals(kind=int)
cdef void put_cards_held(State* s, int seat, uint8_t* perm, int16_t* out) noexcept nogil

@cython.locals(i=int, slot=int, move=int, colour=int, bonus_mad=int)
cdef void put_trick(State* s, RuleTable* r, int seat, uint8_t* perm, int16_t* out) noexcept nogil

@cython.locals(best=int, winning=int, who=int)
cdef void put_winning(State* s, RuleTable* r, int seat, int16_t* out) noexcept nogil

@cython.locals(hidden=bint, slot=int, other=int, side=int, own_side=int, colour=int, shown=int,
               surplus=int, left=int, bid=int, place=int)
cdef void put_seats(State* s, RuleTable* r, int seat, uint8_t* perm, int16_t* out) noexcept nogil

@cython.locals(other=int, needs=int, bid=int)
cdef int side_needs(State* s, RuleTable* r, int seat, int side) noexcept nogil

@cython.locals(i=int, first=int, turned=int)
cdef void put_round(State* s, RuleTable* r, int seat, uint8_t* perm, int16_t* out) noexcept nogil

@cython.locals(i=int)
cdef void put_settings(RuleTable* r, int16_t* out) noexcept nogil

cpdef encode(position, seat)
cpdef encode_into(position, seat, out)

@cython.locals(checked=Position, buffer=Py_buffer, number=int)
cdef fill(position, seat, out)

@cython.locals(checked=Position, perm=Colours, number=int)
cpdef tuple colour_places(position, seat)

