# C types for episode.py.
cimport cython
from libc.stdint cimport uint64_t

from rage.engine.kernel cimport *
from rage.engine.position cimport Position

cdef void begin_episode(Generator* g, uint64_t seed, uint64_t table, uint64_t episode) noexcept nogil

@cython.locals(i=int, dealer=int)
cdef void deal_round(Generator* g, State* s, RuleTable* r) noexcept nogil

cdef class Episode:
    cdef Generator own_generator
    cdef Generator* g
    cdef uint64_t moves
    cdef readonly Rules rules
    cdef int dealt
    cdef int dealer
    @cython.locals(checked=Position)
    cpdef deal(self, position)
    cdef _check(self, Position position)
    @cython.locals(checked=Position, before=uint64_t, move=int)
    cpdef int random_move(self, position)
    cpdef _restore(self, tuple numbers)
    @cython.locals(position=Position, s=StateAt, before=uint64_t, seat=int, i=int)
    cpdef list deals(self)
