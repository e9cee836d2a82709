# C types for canonical.py.
cimport cython
from libc.stdint cimport uint8_t, uint64_t

from rage.engine.kernel cimport (
    FNV_PRIME, FNV_START, M64, N_COLOURED, NOBODY, NONE, ONE,
    PLAY_CHANGE_TURNED_UP, PLAY_WILD, Moves, RuleTable, State, copy_state, popcount,
)

ctypedef uint8_t Colours[8]
ctypedef uint64_t Keys[6]

@cython.locals(slot=int)
cdef int relative_seat(int other, int seat, int n) noexcept nogil

@cython.locals(keys=Keys, i=int, j=int, after_it=int)
cdef void canonical_colours(State* s, RuleTable* r, int seat, uint8_t* perm) noexcept nogil

@cython.locals(colour=int, shift=int, turned=int, own=uint64_t, seen=uint64_t,
               i=int, other=int, move=int)
cdef void fill_keys(State* s, RuleTable* r, int seat, uint64_t* keys) noexcept nogil

cdef int colour_of(int move) noexcept nogil
cdef int colour_turned_up(State* s) noexcept nogil
@cython.locals(colour=int)
cdef int rename_move(int move, uint8_t* perm) noexcept nogil

@cython.locals(found=uint64_t, cards=uint64_t, colour=int)
cdef uint64_t rename_cards(uint64_t half, uint64_t other, int upper, uint8_t* perm) noexcept nogil

@cython.locals(lo=uint64_t, hi=uint64_t, calls=uint64_t, colour=int, at=int)
cdef Moves rename_moves(Moves moves, uint8_t* perm) noexcept nogil

@cython.locals(colour=int)
cdef void invert(uint8_t* perm, uint8_t* inverse) noexcept nogil

@cython.locals(i=int, other=int, colour=int, lo=uint64_t, hi=uint64_t)
cdef void canonical_state(State* target, State* s, RuleTable* r, int seat, uint8_t* perm) noexcept nogil

cdef uint64_t fold(uint64_t digest, uint64_t number) noexcept nogil

@cython.locals(digest=uint64_t, i=int)
cdef uint64_t fingerprint(State* s, RuleTable* r) noexcept nogil
