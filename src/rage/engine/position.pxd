# C types for position.py.
cimport cython
from cpython.long cimport PyLong_AsLongAndOverflow
from libc.stdint cimport uint64_t

from rage.engine.kernel cimport *

cdef extern from *:
    """
    /* A new instance of a kind of tuple, to be filled at once. */
    static PyObject *rage_tuple(PyObject *kind, Py_ssize_t size) {
        if (!PyType_Check(kind) || !PyType_IsSubtype((PyTypeObject *)kind, &PyTuple_Type)) {
            PyErr_SetString(PyExc_TypeError, "no kind of tuple");
            return NULL;
        }
        return ((PyTypeObject *)kind)->tp_alloc((PyTypeObject *)kind, size);
    }
    static void rage_fill(PyObject *tuple, Py_ssize_t at, PyObject *value) {
        Py_INCREF(value);
        PyTuple_SET_ITEM(tuple, at, value);
    }
    """
    object rage_tuple(object kind, Py_ssize_t size)
    void rage_fill(object tuple, Py_ssize_t at, object value)

cdef RuleTable NO_RULES  # all zero: for a Position that was never initialised

cdef class Position:
    cdef State state
    cdef State* s
    cdef RuleTable* r
    cdef readonly Rules rules
    cdef void _bind(self, Rules rules)
    @cython.locals(position=Position)
    cpdef Position copy(self)
    @cython.locals(position=Position, number=long)
    cpdef Position masked(self, seat)
    @cython.locals(position=Position, s=StateAt, i=int)
    cpdef Position forgetful(self)
    @cython.locals(position=Position, s=StateAt, r=RuleTableAt, seat=int, i=int)
    cpdef Position filled(self, hands, stock, bids)
    @cython.locals(seat=int, i=int)
    cdef int _unseen(self, list hands, list stock) except -1
    cdef int _fill_bids(self, list bids) except -1
    @cython.locals(left=Moves)
    cpdef list _legal_of(self, tuple moves)
    @cython.locals(left=Moves, at=int, found=object)
    cpdef _legal_as(self, kind, tuple moves)
    @cython.locals(number=long)
    cpdef bint is_legal(self, move)
    @cython.locals(number=long, bit=long)
    cpdef bint is_void(self, seat, colour)
    @cython.locals(number=long)
    cpdef int play(self, move)
    @cython.locals(played=Simulation, count=int)
    cpdef playout(self, seed)
    @cython.locals(stack=StateStack)
    cpdef perft(self)
    @cython.locals(number=long, lo=uint64_t, hi=uint64_t)
    cpdef list hand(self, seat)

@cython.locals(card=int)
cdef list card_list(uint64_t lo, uint64_t hi)

@cython.locals(overflow=int)
cdef long number_of(value) except? -1
