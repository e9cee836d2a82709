# C types for rows.py.
cimport cython
from libc.stdint cimport int16_t, int32_t, uint8_t, uint64_t

from rage.engine.kernel cimport BIDDING, Moves, RuleTable, Rules, State, legal_set
from rage.engine.position cimport Position

# The columns, where the next row is written, and the game under way: its number, where its round
# begins among the decisions, and the points before it.
cdef struct Log:
    int32_t* game
    uint8_t* round
    uint8_t* trick
    uint8_t* place
    uint8_t* seat
    uint64_t* hand_low
    uint64_t* hand_high
    uint64_t* legal_low
    uint64_t* legal_high
    uint8_t* trump
    uint8_t* led
    uint8_t* bid
    uint8_t* won
    uint8_t* move
    int16_t* points
    int at
    int32_t* round_game
    uint8_t* round_round
    uint8_t* round_seat
    uint8_t* round_hand
    uint8_t* round_dealer
    uint8_t* round_bid
    uint8_t* round_won
    uint8_t* round_bonus
    uint8_t* round_mad
    uint8_t* round_met
    int16_t* round_points
    int16_t* round_score
    int round_at
    int32_t* game_game
    uint8_t* game_seat
    int16_t* game_points
    uint8_t* game_met
    int game_at
    int number
    int begun
    int16_t scores[8]

cdef inline int32_t* wholes(values):
    return <int32_t*><size_t>values.buffer_info()[0]

cdef inline int16_t* shorts(values):
    return <int16_t*><size_t>values.buffer_info()[0]

cdef inline uint8_t* octets(values):
    return <uint8_t*><size_t>values.buffer_info()[0]

cdef inline uint64_t* words(values):
    return <uint64_t*><size_t>values.buffer_info()[0]

@cython.locals(i=int)
cdef void begin_log(Log* log, int number) noexcept nogil

@cython.locals(at=int, legal=Moves, bidding=int)
cdef void note_decision(Log* log, State* s, RuleTable* r, int move) noexcept nogil

@cython.locals(at=int, seat=int, side=int, bid=int, won=int, mate=int, i=int)
cdef void note_round(Log* log, State* s, RuleTable* r) noexcept nogil

@cython.locals(at=int, seat=int)
cdef void note_game(Log* log, State* s, RuleTable* r) noexcept nogil

cdef class Rows:
    cdef Log own_log
    cdef Log* log
    cdef readonly Rules rules
    cdef readonly int games
    cdef readonly dict decisions
    cdef readonly dict rounds
    cdef readonly dict results
    cpdef begin(self, int number)
    cpdef note(self, Position position, int move)
    cpdef end_round(self, Position position)
    cpdef end_game(self, Position position)
