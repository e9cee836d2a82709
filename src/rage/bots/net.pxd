# C types for net.py.
cimport cython
from libc.stdint cimport int16_t, uint8_t, uint64_t

from rage.engine.canonical cimport Colours, canonical_colours, invert, rename_move, rename_moves
from rage.features.encode cimport N_FEATURES, encode_state
from rage.engine.kernel cimport Moves, RuleTable, State, legal_set, lowest
from rage.engine.position cimport Position

cdef extern from "layers.h":
    void rage_run_layers(
        int width, int blocks, int features, const float* first, const float* first_bias,
        const float* inner, const float* inner_bias, const int16_t* row, float* x, float* y
    ) noexcept nogil
    float rage_dot(const float* x, const float* row, int width) noexcept nogil

cdef enum:
    MAX_WIDTH = 512

# The most inputs of a layer (RAGE_MAX_INPUTS in layers.h), and the length of a row of features.
ctypedef float Wide[672]
ctypedef float MoveValues[128]
ctypedef int16_t FeatureRow[664]

# The arrays of a network, and their sizes.
cdef struct Layers:
    int width
    int blocks
    float points
    float* first
    float* first_bias
    float* inner
    float* inner_bias
    float* values
    float* values_bias
    float* tricks
    float* tricks_bias

ctypedef float* Floats

cdef inline float dot(float* x, float* rows, int at, int width) noexcept nogil:
    return rage_dot(x, rows + at, width)

cdef inline float* numbers(values):
    return <float*><size_t>values.buffer_info()[0]

cdef inline void run_layers(Layers* n, int16_t* row, float* x, float* y) noexcept nogil:
    rage_run_layers(
        n.width, n.blocks, N_FEATURES, n.first, n.first_bias, n.inner, n.inner_bias, row, x, y
    )

@cython.locals(move=int, best=int)
cdef int value_moves(Layers* n, float* x, Moves moves, float* values) noexcept nogil

@cython.locals(row=FeatureRow, y=Wide)
cdef void look_at(Layers* n, State* s, RuleTable* r, int seat, float* x) noexcept nogil

@cython.locals(x=Wide)
cdef int value_legal(Layers* n, State* s, RuleTable* r, uint8_t* perm, float* values) noexcept nogil

@cython.locals(values=MoveValues, perm=Colours, back=Colours, best=int)
cdef int net_move(Layers* n, State* s, RuleTable* r) noexcept nogil

@cython.locals(values=MoveValues, perm=Colours, best=int)
cdef double net_best_value(Layers* n, State* s, RuleTable* r) noexcept nogil

cdef class Network:
    cdef Layers own_layers
    cdef Layers* n
    cdef object arrays
    cdef readonly str digest
    cpdef int best_move(self, Position position)
    @cython.locals(found=MoveValues, perm=Colours, move=int)
    cpdef values(self, Position position)
    @cython.locals(x=Wide, count=int, number=int)
    cpdef tricks(self, Position position, seat)

