# C types for rollouts.py.
cimport cython
from libc.stdint cimport int64_t, uint64_t, uint8_t

from rage.engine.kernel cimport (
    BIDDING, CHANGE, COUNTS, ONE, OUT, PLAYING, PLAY_CHANGE_TURNED_UP, TURN_UP_DUE, Generator,
    Moves, RuleTable, State, apply, bids_hidden, copy_state, legal_set, lowest, popcount, random_move,
)
from rage.bots.net cimport Layers, Network, net_best_value, net_move
from rage.bots.root cimport Root, lead_of
from rage.bots.steady cimport DEFAULT_WEIGHTS, choose_move
from rage.bots.worlds cimport Unseen, UnseenAt, draw_world, fill_bids, fill_world, group_of
from rage.bots.worth cimport Weights

cdef enum:
    RANDOM = 0
    STEADY = 1
    NET = 2

# A search: the state as its seat knows it, a world, and the game played out in it; the legal moves,
# and by move the sums over all worlds of the points, of the tricks won (by move and number) and of
# the bids met. For the last world, the moves in order and their results; and by pair of moves, the
# higher first, the sums of the differences and of their squares. `choices`: how often there was
# more than one move. `plies`: the moves after which a world ends at the seat's next decision; 0: at
# the end of the round.
cdef struct Search:
    Unseen* u
    int64_t patience
    State* root
    State* world
    State* tried
    Weights* weights
    Layers* layers
    int policy
    int plies
    int worlds
    uint64_t moves_lo
    uint64_t moves_hi
    double totals[128]
    int counts[128]
    int choices
    int won[2048]
    int met[128]
    double leads[128]
    uint8_t order[128]
    double difference[16384]
    double squares[16384]

ctypedef State* StateAt

@cython.locals(moves=Moves)
cdef int only_move(State* s, RuleTable* r) noexcept nogil

@cython.locals(plies=int, move=int)
cdef double play_on(Search* q, Generator* g, State* s, RuleTable* r) noexcept nogil

@cython.locals(lo=uint64_t, hi=uint64_t, move=int, tried=int)
cdef void play_world(Search* q, Generator* g, RuleTable* r) noexcept nogil

@cython.locals(i=int, j=int, at=int, difference=double)
cdef void compare_moves(Search* q, int tried) noexcept nogil

cdef bint try_worlds(Search* q, Generator* g, RuleTable* r, int count) noexcept nogil

@cython.locals(s=StateAt, i=int, outs=int, changes=int)
cdef bint stock_matters(Search* q, RuleTable* r) noexcept nogil

@cython.locals(u=UnseenAt, i=int, found=int64_t, room=int64_t)
cdef int64_t each_world(
    Search* q, Generator* g, RuleTable* r, int place, int left, int start, int64_t most
) noexcept nogil

@cython.locals(i=int, found=int64_t)
cdef bint try_all_worlds(Search* q, Generator* g, RuleTable* r, int64_t most) noexcept nogil

cdef class Rollouts:
    cdef Search own_search
    cdef State own_world
    cdef State own_tried
    cdef Search* q
    cdef Root root
    cdef Network network
    cdef bint all
    @cython.locals(found=bint)
    cpdef run(self, int worlds)
    @cython.locals(lo=uint64_t, hi=uint64_t, move=int)
    cpdef keep(self, moves)
    cpdef bint exhaust(self, int64_t most)
    @cython.locals(i=int, j=int, first=int, second=int, count=int, mean=double, variance=double)
    cpdef tuple difference(self, one, other)
    cpdef int canonical_of(self, move) except -1
