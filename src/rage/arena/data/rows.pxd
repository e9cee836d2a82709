# C types for rows.py.
cimport cython
from libc.stdint cimport int16_t, int32_t, uint8_t, uint64_t

from rage.engine.kernel cimport BIDDING, Moves, RuleTable, Rules, State, legal_set
from rage.engine.position cimport Position

cdef enum:
    MAX_COLUMNS = 64

# The columns of all tables, with the width of a number in bytes, and the column to write next;
# where the columns of the last two tables begin, and the next row of each; and the game under way:
# its number, where its round begins among the decisions, and the points before it.
cdef struct Log:
    char* columns[64]
    int widths[64]
    int column
    int round_columns
    int game_columns
    int at
    int round_at
    int game_at
    int number
    int begun
    int16_t scores[8]
    uint8_t* seat
    int16_t* points

cdef inline char* numbers(values):
    return <char*><size_t>values.buffer_info()[0]

cdef inline uint8_t* uint8s(values):
    return <uint8_t*>numbers(values)

cdef inline int16_t* int16s(values):
    return <int16_t*>numbers(values)

# Write a number into a row of the next column.
cdef inline void put(Log* log, int at, uint64_t number) noexcept nogil:
    cdef int width = log.widths[log.column]
    cdef char* column = log.columns[log.column]
    if width == 1:
        (<uint8_t*>column)[at] = <uint8_t>number
    elif width == 2:
        (<int16_t*>column)[at] = <int16_t>number
    elif width == 4:
        (<int32_t*>column)[at] = <int32_t>number
    else:
        (<uint64_t*>column)[at] = number
    log.column += 1

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
    cdef readonly dict tables
    cpdef begin(self, int number)
    cpdef note(self, Position position, int move)
    cpdef end_round(self, Position position)
    cpdef end_game(self, Position position)
