# C types for batch.py.
cimport cython
from cpython.buffer cimport (
    Py_buffer,
    PyBUF_SIMPLE,
    PyBuffer_Release,
    PyObject_GetBuffer,
)
from libc.stdint cimport int8_t, int16_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy

from rage.bots.steady cimport DEFAULT_WEIGHTS, canonical_move
from rage.bots.worth cimport Weights
from rage.engine.canonical cimport Colours, canonical_colours, invert, relative_seat, rename_cards, rename_colours, rename_into, rename_move
from rage.engine.episode cimport begin_episode, deal_round
from rage.engine.kernel cimport *
from rage.engine.position cimport Position
from rage.features.encode cimport N_FEATURES, encode_rules, encode_seen

cdef extern from *:
    """
    /* Copied where memset would be slower: as "rep stos". */
    static const unsigned char RAGE_NOTHING[256];
    """
    const uint8_t RAGE_NOTHING[256]

cdef enum:
    COMPACT_SIZE = 256
    NO_BOT = 0
    RANDOM = 1
    STEADY = 2
    NEXT_STEP = 0
    SAME_STEP = 1
    DISABLED = 2
    RAISE = 0
    LOSE = 1
    ANY_LEGAL = 2
    NOTHING = 0
    FULL = 1
    COMPACT = 2
    RUNNING = 0
    ENDED = 1
    FORFEIT = 2

# One table: its state, and the generators of its episode; the places of the colours as the seat to
# act sees them; how many rounds have ended, and the results of the last one.
cdef struct Table:
    State s
    uint64_t deals
    uint64_t moves
    int64_t episode
    int64_t rounds
    int rules
    int seat
    int over
    int waiting
    int cut
    int hand
    int16_t before[8]
    int16_t points[8]
    uint8_t places[8]
    uint8_t bids[8]
    uint8_t won[8]

ctypedef Table* TableAt
ctypedef Generator* GeneratorAt
ctypedef int64_t* WholesAt
ctypedef RuleTable* RulesOf

# All tables, how they are played, and the arrays of one call.
cdef struct TableSet:
    Table* tables
    RuleTable** rules
    Weights* weights
    uint64_t seed
    int choices
    int count
    int sides
    int seats
    int opponents
    int autoreset
    int illegal
    int points
    int observe
    int given
    int kept
    int16_t* templates
    int64_t* actions
    uint8_t* chosen
    int16_t* full
    int16_t* last_full
    uint8_t* compact
    uint8_t* last_compact
    uint64_t* legal
    int8_t* to_act
    float* rewards
    uint8_t* terminated

ctypedef TableSet* TableSetAt

cdef inline State* state_of(Table* t) noexcept nogil:
    return &t.s

cdef inline Table* table_of(TableSet* h, int i) noexcept nogil:
    return &h.tables[i]

cdef inline int16_t* full_row(int16_t* rows, int64_t i) noexcept nogil:
    return rows + N_FEATURES * i

cdef inline uint8_t* compact_row(uint8_t* rows, int64_t i) noexcept nogil:
    return rows + COMPACT_SIZE * i

cdef inline void copy_row(int16_t* out, int16_t* row) noexcept nogil:
    memcpy(out, row, 2 * N_FEATURES)

# An all-zero state in the row itself, so that put_state has nothing left to do.
cdef inline State* state_in(uint8_t* out) noexcept nogil:
    memcpy(out, RAGE_NOTHING, COMPACT_SIZE)
    return <State*>out

cdef inline void put_state(State* s, uint8_t* out) noexcept nogil:
    pass

# The address of an array, which must stay alive and, to be written to, be writable; NULL for None.
cdef inline void* address_of(array) except? NULL:
    cdef Py_buffer buffer
    if array is None:
        return NULL
    PyObject_GetBuffer(array, &buffer, PyBUF_SIMPLE)
    PyBuffer_Release(&buffer)
    return buffer.buf

cdef inline RuleTable* rule_table(Rules rules):
    return rules.r

cdef inline table_memory(int count):
    return bytearray(count * sizeof(Table))

cdef inline rule_memory(int count):
    return bytearray(count * sizeof(RuleTable*))

cdef inline template_memory(int count):
    return bytearray(2 * N_FEATURES * count)

cdef inline Table* tables_in(memory) except? NULL:
    return <Table*>address_of(memory)

cdef inline RuleTable** rules_in(memory) except? NULL:
    return <RuleTable**>address_of(memory)

cdef inline int16_t* int16s(array) except? NULL:
    return <int16_t*>address_of(array)

cdef inline uint8_t* uint8s(array) except? NULL:
    return <uint8_t*>address_of(array)

cdef inline uint64_t* uint64s(array) except? NULL:
    return <uint64_t*>address_of(array)

cdef inline int8_t* int8s(array) except? NULL:
    return <int8_t*>address_of(array)

cdef inline float* float32s(array) except? NULL:
    return <float*>address_of(array)

cdef inline int64_t* int64s(array) except? NULL:
    return <int64_t*>address_of(array)

@cython.locals(own=Generator, g=GeneratorAt, t=TableAt, j=int)
cdef void begin(TableSet* h, int i) noexcept nogil

@cython.locals(own=Generator, g=GeneratorAt, s=StateAt, move=int)
cdef void go_on(TableSet* h, Table* t) noexcept nogil

@cython.locals(i=int, s=StateAt, happened=int)
cdef void make(Table* t, RuleTable* r, int move) noexcept nogil

@cython.locals(back=Colours)
cdef int meant(TableSet* h, Table* t, int64_t action) noexcept nogil

@cython.locals(own=Generator, g=GeneratorAt, move=int, s=StateAt, r=RulesOf)
cdef void take(TableSet* h, int i) noexcept nogil

@cython.locals(s=StateAt, r=RulesOf, side=int, at=int64_t, total=double)
cdef void pay(TableSet* h, int i) noexcept nogil

@cython.locals(worst=double)
cdef double forfeit_reward(RuleTable* r, int points, bint own) noexcept nogil

@cython.locals(i=int, gain=int, total=double, hand=int, won=int, missed=int, zero=int, met=int)
cdef double points_bound(RuleTable* r, bint most) noexcept nogil

@cython.locals(t=TableAt, side=int, over=int)
cdef void step_table(TableSet* h, int i) noexcept nogil

@cython.locals(t=TableAt, s=StateAt, r=RulesOf, moves=Moves)
cdef void show(TableSet* h, int i) noexcept nogil

@cython.locals(t=TableAt)
cdef void show_last(TableSet* h, int i) noexcept nogil

@cython.locals(t=TableAt, moves=Moves)
cdef void show_features(TableSet* h, int i, int16_t* out) noexcept nogil

@cython.locals(t=TableAt, seen=StateAt)
cdef void show_compact(TableSet* h, int i, uint8_t* out) noexcept nogil

@cython.locals(hidden=bint, other=int, side=int, i=int)
cdef void turn_seen(State* target, State* s, RuleTable* r, int seat, uint8_t* perm) noexcept nogil

@cython.locals(i=int)
cdef void step_some(TableSet* h, int first, int last) noexcept nogil

@cython.locals(own=Generator, g=GeneratorAt, t=TableAt, s=StateAt, r=RulesOf, move=int)
cdef int bot_move(TableSet* h, int i, int bot) noexcept nogil

@cython.locals(i=int)
cdef void choose_some(TableSet* h, int bot, int64_t* actions) noexcept nogil

@cython.locals(t=TableAt, i=int, j=int)
cdef void note_results(TableSet* h, int64_t* numbers, uint8_t* seats, int16_t* points) noexcept nogil

@cython.locals(i=int, side=int)
cdef void begin_some(TableSet* h, int first, int last) noexcept nogil

@cython.locals(i=int, action=int64_t)
cdef int first_illegal(TableSet* h) noexcept nogil

@cython.locals(each=int)
cpdef list forfeit_rewards(Rules rules, bint points, int side)

@cython.locals(least=double, most=double)
cpdef tuple reward_bounds(Rules rules, bint points)

cdef class Batch:
    cdef TableSet own_set
    cdef TableSet* h
    cdef readonly list rules
    cdef readonly object memory
    cdef object rule_memory
    cdef object template_memory
    @cython.locals(h=TableSetAt, i=int)
    cpdef bind(self, actions, chosen, observation, last_observation, legal, to_act, rewards, terminated, bint kept)
    cpdef int illegal_at(self)
    @cython.locals(h=TableSetAt)
    cpdef begin_range(self, int first, int last)
    @cython.locals(h=TableSetAt)
    cpdef step_range(self, int first, int last)
    @cython.locals(h=TableSetAt, found=WholesAt)
    cpdef choose(self, int bot, chosen, actions)
    cpdef results(self, numbers, seats, points)
    @cython.locals(i=int)
    cpdef list waiting(self)
    @cython.locals(i=int, found=int)
    cpdef int cut_at(self)
    @cython.locals(t=TableAt, position=Position)
    cpdef deal(self, int i, deal)
    @cython.locals(t=TableAt, position=Position)
    cpdef Position position(self, int i)
    @cython.locals(i=int)
    cpdef start(self, uint64_t seed)
    cpdef episode(self, int i)
    cpdef int rule_number(self, int i)
