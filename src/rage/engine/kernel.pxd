# C types for kernel.py. The constants repeat cards.py and kernel.py; a test compares them.
cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int16_t, uint8_t, uint64_t

cdef extern from *:
    """
    #include <stdint.h>
    #define RAGE_U64(x) ((uint64_t)(x))
    #define ONE RAGE_U64(1)
    #define PLAY_BITS RAGE_U64(0x0000FFFFFFFFFFFF)
    #define ACTION_BITS RAGE_U64(0x0000FFFF00000000)
    #define M64 RAGE_U64(0xFFFFFFFFFFFFFFFF)
    #define STEP RAGE_U64(0x9E3779B97F4A7C15)
    #define MIX_A RAGE_U64(0xBF58476D1CE4E5B9)
    #define MIX_B RAGE_U64(0x94D049BB133111EB)
    #define FNV_START RAGE_U64(0xCBF29CE484222325)
    #define FNV_PRIME RAGE_U64(0x100000001B3)
    #if defined(__POPCNT__)
    static inline int rage_popcount(uint64_t x) { return __builtin_popcountll(x); }
    #else
    static inline int rage_popcount(uint64_t x) {
        x -= (x >> 1) & RAGE_U64(0x5555555555555555);
        x = (x & RAGE_U64(0x3333333333333333)) + ((x >> 2) & RAGE_U64(0x3333333333333333));
        x = (x + (x >> 4)) & RAGE_U64(0x0F0F0F0F0F0F0F0F);
        return (int)((x * RAGE_U64(0x0101010101010101)) >> 56);
    }
    #endif
    #if defined(__GNUC__) || defined(__clang__)
    static inline int rage_lowest(uint64_t x) { return __builtin_ctzll(x); }
    #else
    static inline int rage_lowest(uint64_t x) { return rage_popcount((x & (0 - x)) - 1); }
    #endif
    #if defined(__BMI2__)
    #include <immintrin.h>
    static inline int rage_select(uint64_t x, int k) {
        return rage_lowest(_pdep_u64((uint64_t)1 << k, x));
    }
    #else
    static inline int rage_select(uint64_t x, int k) {
        while (k-- > 0) x &= x - 1;
        return rage_lowest(x);
    }
    #endif
    """
    const uint64_t ONE, PLAY_BITS, ACTION_BITS, M64, STEP, MIX_A, MIX_B, FNV_START, FNV_PRIME
    int rage_popcount(uint64_t x) noexcept nogil
    int rage_lowest(uint64_t x) noexcept nogil
    int rage_select(uint64_t x, int k) noexcept nogil

cdef enum:
    N_COLOURED = 96
    WILD = 96
    CHANGE = 97
    OUT = 98
    BONUS = 99
    MAD = 100
    PLAY_WILD = 96
    PLAY_CHANGE = 102
    PLAY_CHANGE_TURNED_UP = 108
    PLAY_OUT = 109
    PLAY_BONUS = 110
    PLAY_MAD = 111
    BID = 112
    N_MOVES = 128

cdef enum:
    NONE = 6
    NO_BID = 255
    NOBODY = 255
    DEALING = 0
    BIDDING = 1
    PLAYING = 2
    OVER = 3
    WHOLE_STOCK = 1
    TURN_UP_DUE = 2
    STOCK_SHORT = 4
    BID_MADE = 1
    TRICK_OVER = 2
    TURNED_UP = 4
    ROUND_OVER = 8
    GAME_OVER = 16
    TRUMP_SET = 32
    STOCK_KEPT = 32

cdef enum:
    COUNTS = 48

cdef struct Moves:
    uint64_t lo
    uint64_t hi

# A whole game: at most 256 bytes for eight players and any rule set (a test measures it).
cdef struct State:
    uint64_t held[16]
    uint64_t seen[2]
    uint8_t stock[32]
    uint8_t trick[8]
    uint8_t bids[8]
    uint8_t won[8]
    uint8_t bonus_mad[8]
    uint8_t voids[8]
    uint8_t met[8]
    int16_t scores[8]
    uint8_t phase
    uint8_t round
    uint8_t dealer
    uint8_t turn
    uint8_t leader
    uint8_t trump
    uint8_t led
    uint8_t count
    uint8_t tricks
    uint8_t hand
    uint8_t stock_size
    uint8_t turned
    uint8_t shown
    uint8_t up
    uint8_t flags

ctypedef State* StateAt

cdef struct RuleTable:
    int n
    int sides
    int rounds
    int out_trick
    int exact
    int exact_zero
    int miss
    int not_tricks
    int bidding
    int sweep
    int tie
    int lazy_stock
    int pack_size
    uint64_t anytime
    uint64_t presence[5]
    uint64_t follow[16]
    uint64_t adds[128]
    uint64_t sets[128]
    uint64_t not_trump[8]
    uint8_t schedule[32]
    uint8_t pack[128]
    uint8_t colour[128]
    uint8_t rank[128]
    uint8_t flip[128]
    uint8_t kind[128]
    uint8_t bonus_mad[128]
    uint8_t half[128]

ctypedef RuleTable* RuleTableAt

# A random generator, and the pack that it shuffles.
cdef struct Generator:
    uint64_t random
    uint8_t pack[128]

# Totals over games: the decisions made, or the ways to play, and a digest of the final scores.
cdef struct Totals:
    uint64_t count
    uint64_t digest

cdef int popcount(uint64_t bits) noexcept nogil
cdef int lowest(uint64_t bits) noexcept nogil
cdef int select(uint64_t bits, int k) noexcept nogil
cdef int after(int seat, int n) noexcept nogil
cdef void copy_state(State* target, State* source) noexcept nogil

@cython.locals(seat=int, led=int, total=int, left=int, i=int,
               lo=uint64_t, hi=uint64_t, f_lo=uint64_t, f_hi=uint64_t, void=uint64_t)
cdef Moves legal_set(State* s, RuleTable* r) noexcept nogil

cdef bint allows(State* s, RuleTable* r, int move) noexcept nogil

@cython.locals(seat=int, colour=int, half=int, happened=int, bit=uint64_t)
cdef int apply(State* s, RuleTable* r, int move) noexcept nogil

@cython.locals(kind=int, one=uint64_t, hi=uint64_t)
cdef int play_action(State* s, RuleTable* r, int seat, int move) noexcept nogil

@cython.locals(colour=int, key=int)
cdef int trick_key(RuleTable* r, int move, int i, int led, int trump) noexcept nogil

@cython.locals(i=int, key=int, best=int, found=int)
cdef int find_winning(State* s, RuleTable* r, int trump) noexcept nogil

@cython.locals(i=int, bonus_mad=int, winner=int)
cdef int end_trick(State* s, RuleTable* r) noexcept nogil

@cython.locals(side=int, seat=int, bid=int, won=int, gain=int, points=int)
cdef int end_round(State* s, RuleTable* r) noexcept nogil

@cython.locals(points=int)
cdef int round_points(RuleTable* r, int hand, int bid, int won, int gain) noexcept nogil

@cython.locals(i=int, at=int, card=int)
cdef bint turn_up(State* s, RuleTable* r) noexcept nogil

@cython.locals(i=int)
cdef void start_game(State* s) noexcept nogil

@cython.locals(i=int)
cdef void clear_round(State* s) noexcept nogil

cdef void start_round(State* s, RuleTable* r, int dealer) noexcept nogil

@cython.locals(at=int)
cdef void take_card(State* s, RuleTable* r, int seat, int card) noexcept nogil
cdef void see_card(State* s, RuleTable* r, int card) noexcept nogil
cdef void open_bidding(State* s, RuleTable* r) noexcept nogil

cdef bint bids_hidden(State* s, RuleTable* r) noexcept nogil
cdef int known_bid(State* s, RuleTable* r, int seat, int observer) noexcept nogil

@cython.locals(i=int)
cdef void mask(State* s, RuleTable* r, int seat) noexcept nogil

@cython.locals(z=uint64_t)
cdef uint64_t next_random(Generator* g) noexcept nogil
cdef int next_below(Generator* g, int n) noexcept nogil

@cython.locals(i=int, seat=int, j=int, card=int, kind=int, wanted=int)
cdef void deal_random(Generator* g, State* s, RuleTable* r, int dealer) noexcept nogil

@cython.locals(moves=Moves, n=int, n_lo=int, k=int, half=int)
cdef int random_move(Generator* g, State* s, RuleTable* r) noexcept nogil

@cython.locals(move=int, count=int)
cdef int play_out(Generator* g, State* s, RuleTable* r) noexcept nogil

@cython.locals(i=int)
cdef uint64_t digest_scores(uint64_t digest, State* s, RuleTable* r) noexcept nogil

@cython.locals(dealer=int)
cdef void play_games(Generator* g, Totals* totals, State* s, RuleTable* r, int games) noexcept nogil

@cython.locals(moves=Moves, child=StateAt, move=int)
cdef void count_games(Totals* totals, State* s, RuleTable* r) noexcept nogil

cdef class Rules:
    cdef RuleTable own_table
    cdef RuleTable* r
    cdef readonly object ruleset
    cdef readonly int players
    cdef void prepare(self)
    @cython.locals(r=RuleTableAt, move=int)
    cdef void fill_moves(self)
    @cython.locals(r=RuleTableAt, colour=int, card=int, colours=uint64_t, named=uint64_t, choose=bint)
    cdef void fill_masks(self)

# Padding keeps two threads with a Simulation each from writing to the same cache line: two lines on
# both sides, because processors fetch them in pairs.
cdef class Simulation:
    cdef char before[128]
    cdef Generator own_generator
    cdef Totals own_totals
    cdef State own_state
    cdef char behind[128]
    cdef Generator* generator
    cdef Totals* totals
    cdef State* s
    cpdef use_pack(self, Rules rules)

cdef class StateStack:
    cdef State own_states[128]
    cdef Totals own_totals
    cdef State* s
    cdef Totals* totals

@cython.locals(rules=Rules, played=Simulation, some=int)
cpdef random_games(ruleset, players, games, seed)
