# C types for rollouts.py.
cimport cython
from libc.stdint cimport int64_t, uint64_t

from rage.canonical cimport Colours, canonical_colours, fingerprint, fold, renamed, turn_state
from rage.kernel cimport (
    BIDDING, ONE, PLAYING, Generator, Moves, RuleTable, Rules, Simulation, State, apply, copy_state,
    legal_set, lowest, popcount, random_move,
)
from rage.position cimport Position
from rage.bots.net cimport Layers, Network, net_move
from rage.bots.steady cimport DEFAULT_WEIGHTS, choose_move
from rage.bots.worlds cimport Unseen, draw_world, fill_bids, fill_world, note_unseen
from rage.bots.worth cimport Weights

cdef enum:
    RANDOM = 0
    STEADY = 1
    NET = 2

# What a search works with: the state as its seat knows it, a world, and the game played out in it;
# the legal moves, and by move the sum of what came of it in all worlds.
cdef struct Search:
    Unseen* u
    State* root
    State* world
    State* tried
    Weights* weights
    Layers* layers
    int policy
    int worlds
    uint64_t moves_lo
    uint64_t moves_hi
    int64_t totals[128]
    int counts[128]

@cython.locals(moves=Moves)
cdef int only_move(State* s, RuleTable* r) noexcept nogil

@cython.locals(move=int)
cdef void play_round_out(Search* q, Generator* g, State* s, RuleTable* r) noexcept nogil

@cython.locals(lead=int, side=int)
cdef int lead_of(State* s, RuleTable* r) noexcept nogil

@cython.locals(before=int, lo=uint64_t, hi=uint64_t, move=int)
cdef bint try_world(Search* q, Generator* g, RuleTable* r) noexcept nogil

@cython.locals(tried=bint)
cdef bint try_worlds(Search* q, Generator* g, RuleTable* r, int count) noexcept nogil

cdef class Rollouts:
    cdef Search own_search
    cdef Unseen own_unseen
    cdef State own_root
    cdef State own_world
    cdef State own_tried
    cdef Search* q
    cdef Rules rules
    cdef Simulation made
    cdef Network network
    cdef dict actual
    @cython.locals(perm=Colours, moves=Moves)
    cdef turn(self, Position masked, int seat)
    @cython.locals(found=bint)
    cpdef run(self, int worlds)
    @cython.locals(lo=uint64_t, hi=uint64_t, move=int)
    cpdef keep(self, moves)
