# C types for worth.py.
cimport cython
from libc.stdint cimport int64_t, uint8_t, uint64_t

from rage.kernel cimport (
    BIDDING, COUNTS, N_COLOURED, NO_BID, NONE, PLAY_CHANGE, PLAY_WILD, WILD, State, Table, after,
    lowest, popcount, rage_lowest, rage_popcount,
)

cdef enum:
    WHOLE = 65536
    POINT = 256
    STEPS = 7
    CLASSES = 21
    POWERS = 24

# What was measured and tuned; see chances.py.
cdef struct Lore:
    int64_t will[4]
    int64_t ruff[4]
    int64_t wild[4]
    int64_t prize
    int64_t spoil
    int64_t crowd[2]
    uint8_t chance[2520]

# What a seat works out before it decides; only what it may know goes in.
cdef struct Thought:
    Lore* lore
    int seat
    int left
    int64_t ease
    int unseen_cards
    int wilds
    int held
    int needy
    int gift
    int all
    int mine[8]
    int unseen[8]
    int cards[16]
    int64_t now[24]
    int64_t later[24]
    int64_t high[32]
    int64_t low[32]
    int64_t target[24]
    int64_t line[24]
    int64_t partner
    int64_t doubt

ctypedef Thought* ThoughtAt
ctypedef int64_t* Numbers

cdef Lore LORE
cdef Lore RIVAL

@cython.locals(i=int, actions=int, wilds=int, colours=uint64_t, full=int, colour=int, shift=int,
               half=int, seen=int, known=int, kind=int, count=int)
cdef void count_cards(Thought* t, State* s, Table* r) noexcept nogil

@cython.locals(other=int, bid=int, spare=int)
cdef void feel_crowd(Thought* t, State* s, Table* r) noexcept nogil

@cython.locals(colour=int, bits=int, kind=int, count=int)
cdef void list_hand(Thought* t, State* s) noexcept nogil

@cython.locals(i=int, none=int64_t)
cdef void fill_powers(Numbers powers, int hand, int unseen) noexcept nogil

cdef int shown_bid(State* s, Table* r, int seat, int asker) noexcept nogil

@cython.locals(i=int, card=int)
cdef void weigh(Thought* t, Table* r, Numbers powers, int left, int trump) noexcept nogil

@cython.locals(above=int, one=int64_t, void=int64_t, ruff=int64_t, index=int64_t, i=int)
cdef int64_t rank_index(Thought* t, Table* r, Numbers powers, int card, int trump) noexcept nogil

@cython.locals(players=int, tricks=int)
cdef int row_of(int n, int left, int lead) noexcept nogil

@cython.locals(base=int, lead=int, part=int64_t, at=int, row=int, p=int64_t)
cdef void look_up(Thought* t, Table* r, int i, int left, int64_t index, int trump) noexcept nogil

cdef int64_t shifted(int64_t p, int64_t ease, int64_t weight) noexcept nogil

@cython.locals(i=int, j=int, n=int, base=int, rise=int64_t, p=int64_t)
cdef int64_t rest(Thought* t, int skip, int more, int lead) noexcept nogil

cdef int key_of(Table* r, int move, int i, int led, int trump) noexcept nogil

@cython.locals(i=int, other=int, key=int, best=int, who=int, led=int, best_move=int, seat=int)
cdef int64_t win_chance(Thought* t, State* s, Table* r, int move, int trump) noexcept nogil

@cython.locals(bid=int)
cdef int gift_to(Thought* t, State* s, Table* r, int seat) noexcept nogil

@cython.locals(seat=int, i=int, kept=int64_t)
cdef int64_t hold_chance(Thought* t, State* s, Table* r, int move, int led, int trump) noexcept nogil

@cython.locals(mood=int, above=int, colour=int, void=int64_t, beat=int64_t, known=int)
cdef int64_t beat_chance(Thought* t, State* s, Table* r, int seat, int move, int led, int trump) noexcept nogil

@cython.locals(bid=int)
cdef int mood_of(Thought* t, State* s, Table* r, int seat) noexcept nogil

cpdef set_lore(weights, chances, bint rival=*)

@cython.locals(i=int)
cdef void fill_lore(Lore* lore, weights, chances) except *
