# C types for ismcts.py.
cimport cython
from libc.math cimport log, sqrt
from libc.stdint cimport int32_t, int64_t, uint64_t

from rage.engine.kernel cimport (
    BID, BIDDING, M64, MIX_A, MIX_B, PLAYING, TRUMP_SET, TURNED_UP, Generator, Moves,
    RuleTable, State, StateAt, apply, known_bid, legal_set, lowest, next_below, play_out, popcount,
)
from rage.bots.root cimport Root, lead_of
from rage.bots.steady cimport DEFAULT_WEIGHTS
from rage.bots.worlds cimport Unseen, draw_world, fill_bids, fill_world
from rage.bots.worth cimport Weights

cdef enum:
    MAX_EDGES = 128

# A search: the state as its seat knows it and a world; the tree, by node and by edge, with the hash
# table of nodes by digest; and the path down in a simulation.
cdef struct Tree:
    Unseen* u
    State* root
    State* world
    State* scratch
    Weights* weights
    double explore
    int worlds
    int nodes
    int edges
    int most_nodes
    int most_edges
    uint64_t slot_mask
    int32_t* slots
    uint64_t* digests
    int32_t* visits
    int32_t* tried
    int32_t* first
    int32_t* sizes
    int64_t* sums
    int32_t* times
    int32_t* moves
    int path[256]
    int path_side[256]

ctypedef Tree* TreeAt

cdef inline int32_t* numbers(values):
    return <int32_t*><size_t>values.buffer_info()[0]

cdef inline int64_t* wide_numbers(values):
    return <int64_t*><size_t>values.buffer_info()[0]

cdef inline uint64_t* digests(values):
    return <uint64_t*><size_t>values.buffer_info()[0]

cdef uint64_t mix(uint64_t digest, uint64_t number) noexcept nogil

@cython.locals(i=int, bids=uint64_t, digest=uint64_t)
cdef uint64_t digest_of(State* s, RuleTable* r, uint64_t past) noexcept nogil

cdef uint64_t past_after(State* s, uint64_t past, int move, int happened) noexcept nogil

@cython.locals(slot=uint64_t, node=int)
cdef int find_node(Tree* t, uint64_t digest) noexcept nogil

@cython.locals(move=int)
cdef void add_edges(Tree* t, int node, Moves moves) noexcept nogil

@cython.locals(edge=int, k=int)
cdef int untried_edge(Tree* t, Generator* g, int node) noexcept nogil

@cython.locals(best=double, bound=double, explored=double, equal=int, chosen=int, edge=int)
cdef int best_edge(Tree* t, Generator* g, RuleTable* r, int node) noexcept nogil

@cython.locals(s=StateAt, past=uint64_t, depth=int, node=int, edge=int, moves=Moves, i=int, side=int)
cdef bint simulate(Tree* t, Generator* g, RuleTable* r) noexcept nogil

cdef bint simulate_until(Tree* t, Generator* g, RuleTable* r, int count) noexcept nogil

cdef class TreeSearch:
    cdef Tree own_tree
    cdef State own_world
    cdef State own_scratch
    cdef Tree* t
    cdef Root root
    cdef list by_node
    cdef list by_edge
    cdef object table
    @cython.locals(t=TreeAt, node=int, slots=uint64_t, slot=uint64_t)
    cdef grow(self, int nodes, int edges)
    @cython.locals(t=TreeAt, wanted=int, found=bint)
    cpdef run(self, int worlds)
