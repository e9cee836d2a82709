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

from rage.engine.canonical cimport Colours, canonical_colours, colour_of, colour_turned_up, relative_seat, rename_move
from rage.engine.kernel cimport *
from rage.engine.position cimport Position, number_of

# The length of the vector, for arrays of a fixed size; a test compares it with FEATURES.
cdef enum:
    N_FEATURES = 661

ctypedef int16_t* Row

# The offset of each block, set from the table of blocks when the module is loaded.
cdef int AT_HAND, AT_HAND_ACTIONS, AT_SEEN, AT_SEEN_ACTIONS
cdef int AT_TRICK_COLOURS, AT_TRICK_RANKS, AT_TRICK_KINDS, AT_TRICK_BONUS, AT_TRICK_MAD
cdef int AT_WINNING, AT_WINNING_COLOUR, AT_WINNING_RANK, AT_LED, AT_LEADER, AT_TO_ACT
cdef int AT_BIDS, AT_BIDS_KNOWN, AT_NEEDS, AT_SIDE_NEEDS, AT_WON, AT_VOIDS, AT_BONUS, AT_MAD
cdef int AT_CARDS_LEFT, AT_PARTNER, AT_AHEAD, AT_MET
cdef int AT_TRUMP, AT_TURNED_UP, AT_TURN_UP_DUE, AT_HAND_SIZE, AT_BID_SURPLUS, AT_PLACE
cdef int AT_PLAYERS, AT_PACK, AT_CHANGE, AT_OUT, AT_SECOND_WILD, AT_EXACT, AT_EXACT_ZERO, AT_MISS
cdef int AT_TIE, AT_BIDDING, AT_NOT_TRICKS, AT_ANYTIME, AT_SWEEP, AT_TEAMS, AT_COLOURS, AT_RANKS
cdef int AT_ROUNDS_LEFT, AT_LATER, AT_SCORE, AT_PHASE, AT_LEGAL

@cython.locals(perm=Colours, i=int)
cdef void encode_state(State* s, RuleTable* r, int seat, int16_t* out) noexcept nogil

@cython.locals(card=int)
cdef void put_cards(uint64_t lo, uint64_t hi, uint8_t* perm, int16_t* out, int at) noexcept nogil

@cython.locals(kind=int)
cdef void put_cards_held(State* s, int seat, uint8_t* perm, int16_t* out) noexcept nogil

@cython.locals(i=int, slot=int, move=int, colour=int, bonus_mad=int)
cdef void put_trick(State* s, RuleTable* r, int seat, uint8_t* perm, int16_t* out) noexcept nogil

@cython.locals(best=int, winning=int, who=int)
cdef void put_winning(State* s, RuleTable* r, int seat, int16_t* out) noexcept nogil

@cython.locals(slot=int, other=int, side=int, own_side=int, colour=int, shown=int, surplus=int, bid=int)
cdef void put_seats(State* s, RuleTable* r, int seat, uint8_t* perm, int16_t* out) noexcept nogil

@cython.locals(other=int, needs=int, bid=int)
cdef int side_needs(State* s, RuleTable* r, int seat, int side) noexcept nogil

@cython.locals(i=int, first=int, turned=int)
cdef void put_round(State* s, RuleTable* r, int seat, uint8_t* perm, int16_t* out) noexcept nogil

@cython.locals(i=int)
cdef void put_settings(RuleTable* r, int16_t* out) noexcept nogil

@cython.locals(moves=Moves, hi=uint64_t, move=int)
cdef void put_legal(State* s, RuleTable* r, int seat, uint8_t* perm, int16_t* out) noexcept nogil

cpdef encode(position, seat)
cpdef encode_into(position, seat, out)

@cython.locals(checked=Position, buffer=Py_buffer, number=int)
cdef fill(position, seat, out)

@cython.locals(checked=Position, perm=Colours, number=int)
cpdef tuple colour_places(position, seat)

