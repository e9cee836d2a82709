# C types for root.py.
cimport cython

from rage.engine.canonical cimport Colours, canonical_colours, canonical_state, fingerprint, fold, rename_move
from rage.engine.kernel cimport Generator, RuleTable, Rules, Simulation, State
from rage.engine.position cimport Position
from rage.bots.worlds cimport Unseen, note_unseen

@cython.locals(lead=int, other=int)
cdef int lead_of(State* s, RuleTable* r, int side) noexcept nogil

cdef class Root:
    cdef State own_state
    cdef Unseen own_unseen
    cdef State* s
    cdef Unseen* u
    cdef RuleTable* r
    cdef Generator* g
    cdef Rules rules
    cdef Simulation made
    cdef dict actual
    @cython.locals(perm=Colours)
    cdef turn(self, Position masked, int seat)
