# C types for net.py.
cimport cython
from libc.stdint cimport int16_t, uint8_t, uint64_t

from rage.canonical cimport Colours, canonical_colours, invert, renamed, renamed_moves
from rage.encode cimport N_FEATURES, encode_state
from rage.kernel cimport Moves, RuleTable, State, legal_set, lowest
from rage.position cimport Position

# Built for each of these processors, and chosen when the module is loaded.
cdef extern from *:
    """
    #if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) \\
        && __GNUC__ >= 12
    #define RAGE_CLONES \\
        __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
    #else
    #define RAGE_CLONES
    #endif
    RAGE_CLONES static void rage_add_rows(
        float *restrict out, const float *restrict x, const float *restrict rows, int n, int width
    ) {
        for (int i = 0; i < n; i++) {
            const float factor = x[i];
            if (factor == 0.0f) continue;
            const float *row = rows + (long)i * width;
            for (int j = 0; j < width; j++) out[j] += factor * row[j];
        }
    }
    RAGE_CLONES static float rage_dot(const float *restrict x, const float *restrict row, int width) {
        float sums[16] = {0};
        int j = 0;
        for (; j + 16 <= width; j += 16)
            for (int k = 0; k < 16; k++) sums[k] += x[j + k] * row[j + k];
        float sum = 0;
        for (; j < width; j++) sum += x[j] * row[j];
        for (int k = 0; k < 16; k++) sum += sums[k];
        return sum;
    }
    """
    void rage_add_rows(float* out, float* x, float* rows, int n, int width) noexcept nogil
    float rage_dot(float* x, float* row, int width) noexcept nogil

cdef enum:
    MAX_WIDTH = 512

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

cdef inline void add_rows(float* out, float* x, float* rows, int at, int n, int width) noexcept nogil:
    rage_add_rows(out, x, rows + at, n, width)

cdef inline float dot(float* x, float* rows, int at, int width) noexcept nogil:
    return rage_dot(x, rows + at, width)

cdef inline float* numbers(values):
    return <float*><size_t>values.buffer_info()[0]

@cython.locals(width=int, i=int, j=int, block=int)
cdef void run_layers(Layers* n, int16_t* row, float* x, float* y) noexcept nogil

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
    cpdef int best_move(self, Position position)
    @cython.locals(found=MoveValues, perm=Colours, move=int)
    cpdef values(self, Position position)
    @cython.locals(x=Wide, count=int)
    cpdef tricks(self, Position position, int seat)

cdef check_turn(Position position)
