# C types for canonical.py.
cimport cython
from libc.stdint cimport uint8_t, uint64_t

from rage.engine.kernel cimport (
    FNV_PRIME, FNV_START, M64, N_COLOURED, NOBODY, NONE, ONE,
    PLAY_CHANGE_TURNED_UP, PLAY_WILD, Moves, RuleTable, State, after, copy_state,
)

cdef extern from *:
    """
    #define EVEN_BITS RAGE_U64(0x5555555555555555)
    #define EVEN_PAIRS RAGE_U64(0x3333333333333333)
    #define EVEN_FOURS RAGE_U64(0x0F0F0F0F0F0F0F0F)
    #define EVEN_BYTES RAGE_U64(0x00FF00FF00FF00FF)
    #define FIRST_BITS RAGE_U64(0x0101010101010101)
    #define GATHER RAGE_U64(0x0102040810204080)
    #include <string.h>
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    #define RAGE_LANE(colour) (2 * ((colour) ^ 3))
    #else
    #define RAGE_LANE(colour) (2 * (colour))
    #endif
    /* Each colour is 16 bits in memory, so it can be stored at its new place. */
    static inline void rage_rename(
        uint64_t *target, uint64_t lo, uint64_t hi, const uint8_t *perm
    ) {
        unsigned char *out = (unsigned char *)target;
        uint16_t ranks;
        target[1] = hi;
        for (int colour = 0; colour < 4; colour++) {
            ranks = (uint16_t)(lo >> (16 * colour));
            memcpy(out + RAGE_LANE(perm[colour]), &ranks, 2);
        }
        for (int colour = 0; colour < 2; colour++) {
            ranks = (uint16_t)(hi >> (16 * colour));
            memcpy(out + RAGE_LANE(perm[4 + colour]), &ranks, 2);
        }
    }
    """
    void rage_rename(uint64_t* target, uint64_t lo, uint64_t hi, uint8_t* perm) noexcept nogil
    const uint64_t EVEN_BITS, EVEN_PAIRS, EVEN_FOURS, EVEN_BYTES, FIRST_BITS, GATHER

ctypedef uint8_t Colours[8]
ctypedef uint64_t Keys[6]
ctypedef int Places[6]
ctypedef uint64_t Pair[2]

@cython.locals(slot=int)
cdef int relative_seat(int other, int seat, int n) noexcept nogil

@cython.locals(keys=Keys, places=Places, i=int, j=int, after_it=int)
cdef void canonical_colours(State* s, RuleTable* r, int seat, uint8_t* perm) noexcept nogil

@cython.locals(colour=int, own=uint64_t, seen=uint64_t, lengths=uint64_t, voids=uint64_t,
               bits=uint64_t, i=int, other=int, move=int)
cdef void fill_keys(State* s, RuleTable* r, int seat, uint64_t* keys) noexcept nogil
cdef uint64_t count_ranks(uint64_t cards) noexcept nogil

cdef int colour_of(int move) noexcept nogil
cdef int colour_turned_up(State* s) noexcept nogil
@cython.locals(colour=int)
cdef int rename_move(int move, uint8_t* perm) noexcept nogil

@cython.locals(colour=int, ranks=uint64_t, place=int)
cdef void rename_cards(uint64_t* target, int at, uint64_t lo, uint64_t hi, uint8_t* perm) noexcept nogil

@cython.locals(hi=uint64_t, calls=uint64_t, colour=int, place=int)
cdef void rename_into(uint64_t* target, int at, Moves moves, uint8_t* perm) noexcept nogil

@cython.locals(found=Pair)
cdef Moves rename_moves(Moves moves, uint8_t* perm) noexcept nogil

@cython.locals(found=int, colour=int)
cdef int rename_colours(int colours, uint8_t* perm) noexcept nogil

@cython.locals(colour=int)
cdef void invert(uint8_t* perm, uint8_t* inverse) noexcept nogil

@cython.locals(i=int, other=int)
cdef void canonical_state(State* target, State* s, RuleTable* r, int seat, uint8_t* perm) noexcept nogil

cdef uint64_t fold(uint64_t digest, uint64_t number) noexcept nogil

@cython.locals(digest=uint64_t, i=int)
cdef uint64_t fingerprint(State* s, RuleTable* r) noexcept nogil
