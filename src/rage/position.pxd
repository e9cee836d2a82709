# C types for position.py.
cimport cython
from libc.stdint cimport uint64_t

from rage.kernel cimport *

cdef RuleTable NO_RULES  # all zero: for a Position that was never initialised

cdef class Position:
    cdef State state
    cdef State* s
    cdef RuleTable* r
    cdef readonly Rules rules
    cdef void bind(self, Rules rules)
    @cython.locals(i=int)
    cpdef restore(self, fields)
    @cython.locals(position=Position)
    cpdef Position copy(self)
    @cython.locals(position=Position)
    cpdef Position masked(self, seat)
    @cython.locals(position=Position, s=StateAt, i=int)
    cpdef Position forgetful(self)
    @cython.locals(position=Position, s=StateAt, r=RuleTableAt, seat=int, card=int, i=int)
    cpdef Position filled(self, hands, stock, bids)
    @cython.locals(other=Position, seat=int, card=int, i=int)
    cpdef bint hands_fit(self)
    cpdef list legal(self)
    @cython.locals(left=Moves)
    cpdef list legal_of(self, tuple moves)
    cpdef bint is_legal(self, int move)
    cpdef bint is_void(self, int seat, int colour)
    cpdef int play(self, int move)
    @cython.locals(played=Simulation, count=int)
    cpdef playout(self, seed)
    @cython.locals(stack=StateStack)
    cpdef perft(self)
    @cython.locals(lo=uint64_t, hi=uint64_t)
    cpdef list hand(self, int seat)
    @cython.locals(lo=uint64_t, hi=uint64_t)
    cpdef list seen(self)

@cython.locals(card=int)
cdef list card_list(uint64_t lo, uint64_t hi)
