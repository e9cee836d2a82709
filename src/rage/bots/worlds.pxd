# C types for worlds.py.
cimport cython
from libc.stdint cimport uint16_t, uint64_t, uint8_t

from rage.engine.kernel cimport (
    BID, BIDDING, COUNTS, N_COLOURED, NO_BID, NONE, PLAYING, STOCK_KEPT, WHOLE_STOCK, WILD,
    Generator, RuleTable, Simulation, State, bids_hidden, copy_state, next_below, popcount, take_card,
)
from rage.engine.position cimport Position, card_list, number_of
from rage.bots.steady cimport DEFAULT_WEIGHTS, canonical_move
from rage.bots.worth cimport Weights

cdef enum:
    N_GROUPS = 7
    EXCHANGES = 4
    MORE_EXCHANGES = 40

# The cards that a seat has not seen, with the places (hands and the stock) that each can be in and
# the one it is in; by place, the cards it needs and lacks, and the one that would move there.
cdef struct Unseen:
    int size
    int places
    int bound
    int in_stock
    int exchanges
    uint16_t open_to[8]
    uint8_t needs[16]
    uint8_t left[16]
    uint8_t moved[16]
    uint8_t known[8]
    uint8_t cards[128]
    uint8_t place[128]
    uint8_t stock[128]

ctypedef Unseen* UnseenAt
ctypedef State* StateAt

@cython.locals(group=int, place=int, places=int, void=int, lacking=int)
cdef bint note_unseen(Unseen* u, State* s, RuleTable* r, int seat) noexcept nogil

@cython.locals(i=int, place=int, lacking=int)
cdef int note_needs(Unseen* u, State* s, RuleTable* r, int seat) noexcept nogil

@cython.locals(count=int, i=int)
cdef int count_open(Unseen* u, int place) noexcept nogil

@cython.locals(kind=int, i=int, card=int, half=int)
cdef void note_group(Unseen* u, State* s, RuleTable* r, int seat, int group) noexcept nogil

cdef int group_of(int card) noexcept nogil

@cython.locals(card=uint8_t)
cdef void swap_cards(Unseen* u, int i, int j) noexcept nogil

@cython.locals(place=int, i=int, at=int)
cdef bint draw_world(Unseen* u, Generator* g) noexcept nogil

@cython.locals(free=int, slots=int, place=int, k=int)
cdef bint put_card(Unseen* u, Generator* g, int i) noexcept nogil

@cython.locals(reached=int, searched=int, place=int, j=int, further=int, other=int)
cdef bint make_room(Unseen* u, int i) noexcept nogil

@cython.locals(j=int, before=int)
cdef void move_along(Unseen* u, int i, int place) noexcept nogil

@cython.locals(i=int, j=int, here=int, there=int)
cdef void exchange_cards(Unseen* u, Generator* g) noexcept nogil

@cython.locals(i=int, kept=int)
cdef void fill_world(Unseen* u, Generator* g, State* target, State* s, RuleTable* r) noexcept nogil

@cython.locals(i=int, j=int, card=uint8_t)
cdef void shuffle_stock(Unseen* u, Generator* g, int count) noexcept nogil

@cython.locals(seat=int, i=int)
cdef void fill_bids(Weights* weights, State* target, State* scratch, RuleTable* r, int observer) noexcept nogil

@cython.locals(i=int)
cdef void back_to_bidding(State* s, int left) noexcept nogil

@cython.locals(masked=Position, number=int, made=Simulation, unseen=Unseen, u=UnseenAt, own_world=State,
               world=StateAt, own_scratch=State, scratch=StateAt)
cpdef list sample_worlds(position, seat, count, seed)

@cython.locals(i=int)
cdef as_world(Unseen* u, State* s, RuleTable* r)
