# C types for steady.py.
cimport cython
from libc.stdint cimport int64_t, uint8_t, uint64_t

from rage.kernel cimport (
    BID, BIDDING, COUNTS, DEALING, N_COLOURED, NO_BID, NONE, ONE, PLAYING,
    PLAY_BONUS, PLAY_CHANGE, PLAY_MAD, PLAY_OUT, PLAY_TURN, PLAY_WILD, WILD,
    Bulk, Moves, Rules, Run, State, Table,
    after, apply, deal_random, draw_below, legal_set, lowest, popcount, rage_lowest,
    rage_popcount, random_move, round_points, start_game,
)
from rage.position cimport Position
from rage.bots.worth cimport *

# The bids that steady made and met, by hand size.
cdef struct Tally:
    uint64_t bids[16]
    uint64_t met[16]

ctypedef Tally* TallyAt

@cython.locals(thought=Thought, t=ThoughtAt)
cdef int choose_move(State* s, Table* r) noexcept nogil

cdef int choose(Thought* t, State* s, Table* r) noexcept nogil

cdef void think(Thought* t, State* s, Table* r) noexcept nogil

@cython.locals(bid=int, best=int, legal=uint64_t, j=int, bid_value=int64_t, best_value=int64_t)
cdef int choose_bid(Thought* t, State* s, Table* r) noexcept nogil

cdef bint holds_top_trump(Thought* t, State* s, Table* r) noexcept nogil

@cython.locals(won=int, mate=int, mate_bid=int, j=int, mates=int, needs=int)
cdef void set_target(Thought* t, State* s, Table* r, int bid) noexcept nogil

@cython.locals(i=int, before=int64_t, here=int64_t)
cdef void soften(Thought* t) noexcept nogil

@cython.locals(moves=Moves, move=int, best=int, best_value=int64_t, value=int64_t, later=uint64_t)
cdef int choose_card(Thought* t, State* s, Table* r) noexcept nogil

@cython.locals(card=int, i=int)
cdef int place_of(Thought* t, Table* r, int move) noexcept nogil

@cython.locals(win=int64_t, lose=int64_t, q=int64_t, prize=int64_t, skip=int, shared=int64_t, i=int)
cdef int64_t value_of(Thought* t, State* s, Table* r, int move, int trump) noexcept nogil

@cython.locals(value=int64_t)
cdef int64_t outcome(Thought* t, int skip, int more, int lead) noexcept nogil

@cython.locals(colour=int, total=int64_t, colours=int, now=int)
cdef int64_t value_of_turn(Thought* t, State* s, Table* r, int move) noexcept nogil

@cython.locals(move=int, steady=int, seat=int, thought=Thought, t=ThoughtAt)
cdef void play_round(Bulk* b, Tally* c, State* s, Table* r, int seats, int rivals) noexcept nogil

@cython.locals(seat=int)
cdef void note_bids(Tally* c, State* s, Table* r, int seats) noexcept nogil

@cython.locals(dealer=int, hand=int)
cdef void play_game(Bulk* chance, Bulk* policy, Tally* c, State* s, Table* r, int seats, int rivals) noexcept nogil

cdef class Count:
    cdef Tally tally
    cdef Tally* c

@cython.locals(table=Rules, chance=Run, policy=Run, count=Count, c=TallyAt, i=int)
cpdef play_games(rules, int players, int steady_seats, int games, seed, int rival_seats=*)

cpdef int best_move_of(Position position)
