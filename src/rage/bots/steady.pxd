# C types for steady.py.
cimport cython
from libc.stdint cimport int64_t, uint64_t

from rage.engine.kernel cimport (
    BID, BIDDING, COUNTS, N_COLOURED, NO_BID, NONE, ONE,
    PLAY_BONUS, PLAY_CHANGE, PLAY_CHANGE_TURNED_UP, PLAY_MAD, PLAY_OUT, WILD,
    Moves, RuleTable, State, StateAt, legal_set, lowest, round_points,
)
from rage.engine.canonical cimport Colours, canonical_colours, canonical_state, invert, rename_move
from rage.engine.position cimport Position
from rage.bots.worth cimport *

cdef SteadyWeights DEFAULT_WEIGHTS

@cython.locals(estimate=Estimate, e=EstimateAt)
cdef int choose_move(Weights* weights, State* s, RuleTable* r) noexcept nogil

@cython.locals(own=State, turned=StateAt, perm=Colours, back=Colours)
cdef int canonical_move(Weights* weights, State* s, RuleTable* r) noexcept nogil

cdef void estimate_hand(Estimate* e, State* s, RuleTable* r) noexcept nogil

cdef void estimate_trump(Estimate* e, State* s, RuleTable* r, int trump, int later) noexcept nogil

@cython.locals(bid=int, best=int, legal=uint64_t, j=int, bid_value=int64_t, best_value=int64_t)
cdef int choose_bid(Estimate* e, State* s, RuleTable* r) noexcept nogil

cdef bint holds_top_trump(Estimate* e, State* s, RuleTable* r) noexcept nogil

@cython.locals(won=int, mate=int, mate_bid=int, j=int, mates=int, needs=int)
cdef void fill_tricks_worth(Estimate* e, State* s, RuleTable* r, int bid) noexcept nogil

@cython.locals(i=int, before=int64_t, here=int64_t)
cdef void blur_tricks_worth(Estimate* e) noexcept nogil

@cython.locals(moves=Moves, move=int, best=int, best_value=int64_t, value=int64_t, later=uint64_t)
cdef int choose_card(Estimate* e, State* s, RuleTable* r) noexcept nogil

@cython.locals(card=int, i=int)
cdef int hand_index(Estimate* e, RuleTable* r, int move) noexcept nogil

@cython.locals(win=int64_t, lose=int64_t, q=int64_t, extra=int64_t, bonus_mad=int, skip=int, shared=int64_t, i=int)
cdef int64_t move_value(Estimate* e, State* s, RuleTable* r, int move, int trump) noexcept nogil

@cython.locals(value=int64_t)
cdef int64_t outcome(Estimate* e, int skip, int more, int lead) noexcept nogil

@cython.locals(colour=int, total=int64_t, colours=int, now=int)
cdef int64_t trump_change_value(Estimate* e, State* s, RuleTable* r, int move) noexcept nogil

cpdef int best_move_of(Position position)
