# C types for worth.py.
cimport cython
from libc.stdint cimport int64_t, uint8_t, uint64_t

from rage.engine.kernel cimport (
    COUNTS, N_COLOURED, NO_BID, NONE, PLAY_CHANGE, PLAY_WILD, WILD, RuleTable, State, after,
    find_winning, known_bid, lowest, popcount, rage_lowest, rage_popcount, trick_key,
)

cdef enum:
    WHOLE = 65536
    POINT = 256
    STEPS = 7
    CLASSES = 21
    CHANCES_SIZE = 2520
    POWERS = 24

# The tuned numbers of chances.py.
cdef struct Weights:
    int64_t higher[4]
    int64_t ruff[4]
    int64_t wild[4]
    int64_t bonus
    int64_t spoil
    int64_t slack[2]
    uint8_t chances[2520]

# The working values of a seat's decision, from what the seat may know.
cdef struct Estimate:
    Weights* weights
    int seat
    int left
    int64_t slack
    int unseen_cards
    int wilds
    int size
    int partner_needs
    int spoils
    int best
    int best_key
    int needs_all
    int bids[8]
    int mine[8]
    int unseen[8]
    int cards[16]
    int64_t powers_now[24]
    int64_t powers_later[24]
    int64_t wanted[32]
    int64_t unwanted[32]
    int64_t tricks_worth[24]
    int64_t rest_worth[24]
    int64_t partner_chance
    int64_t partner_doubt

ctypedef Estimate* EstimateAt
ctypedef int64_t* Numbers

@cython.locals(i=int, actions=int, wilds=int, colours=uint64_t, full=int, colour=int, shift=int,
               half=int, seen=int, known=int, kind=int, count=int)
cdef void count_cards(Estimate* e, State* s, RuleTable* r) noexcept nogil

@cython.locals(seat=int)
cdef void note_bids(Estimate* e, State* s, RuleTable* r) noexcept nogil

@cython.locals(other=int, bid=int, spare=int)
cdef void count_slack(Estimate* e, State* s, RuleTable* r) noexcept nogil

@cython.locals(colour=int, bits=int, kind=int, count=int)
cdef void list_hand(Estimate* e, State* s) noexcept nogil

@cython.locals(i=int, none=int64_t)
cdef void fill_powers(Numbers powers, int hand, int unseen) noexcept nogil

@cython.locals(i=int, card=int)
cdef void estimate_cards(Estimate* e, RuleTable* r, Numbers powers, int left, int trump) noexcept nogil

@cython.locals(above=int, one=int64_t, void=int64_t, ruff=int64_t, index=int64_t, i=int)
cdef int64_t rank_index(Estimate* e, RuleTable* r, Numbers powers, int card, int trump) noexcept nogil

@cython.locals(players=int, tricks=int)
cdef int chances_row(int n, int left, int lead) noexcept nogil

@cython.locals(base=int, lead=int, part=int64_t, at=int, row=int, p=int64_t)
cdef void estimate_card(Estimate* e, RuleTable* r, int i, int left, int64_t index, int trump) noexcept nogil

cdef int64_t with_slack(int64_t p, int64_t slack, int64_t weight) noexcept nogil

@cython.locals(i=int, j=int, n=int, base=int, rise=int64_t, p=int64_t)
cdef int64_t rest_value(Estimate* e, int skip, int more, int lead) noexcept nogil

cdef void find_best(Estimate* e, State* s, RuleTable* r, int trump) noexcept nogil

@cython.locals(led=int, seat=int)
cdef int64_t win_chance(Estimate* e, State* s, RuleTable* r, int move, int trump) noexcept nogil

@cython.locals(bid=int)
cdef int spoils_bid(Estimate* e, State* s, RuleTable* r, int seat) noexcept nogil

@cython.locals(seat=int, i=int, kept=int64_t)
cdef int64_t hold_chance(Estimate* e, State* s, RuleTable* r, int move, int led, int trump) noexcept nogil

@cython.locals(need=int, above=int, colour=int, void=int64_t, beat=int64_t, known=int)
cdef int64_t beat_chance(Estimate* e, State* s, RuleTable* r, int seat, int move, int led, int trump) noexcept nogil

@cython.locals(bid=int)
cdef int need_of(Estimate* e, State* s, int seat) noexcept nogil

cdef class SteadyWeights:
    cdef Weights own_weights
    cdef Weights* w
