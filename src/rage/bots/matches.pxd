# C types for matches.py.
cimport cython
from libc.stdint cimport uint64_t

from rage.engine.kernel cimport (
    BIDDING, DEALING, PLAYING, Generator, RuleTable, Rules, Simulation, State, Totals,
    after, apply, deal_random, next_below, random_move, start_game,
)
from rage.bots.steady cimport DEFAULT_WEIGHTS, choose_move
from rage.bots.worth cimport SteadyWeights, Weights

# Who plays in which seats (bit sets), and by which numbers; the bids that steady made and met.
cdef struct Match:
    int steady_seats
    int rival_seats
    Weights* weights
    Weights* rival_weights
    uint64_t bids[16]
    uint64_t met[16]

ctypedef Match* MatchAt

@cython.locals(seat=int, move=int)
cdef void play_round(Match* m, Generator* g, Totals* totals, State* s, RuleTable* r) noexcept nogil

@cython.locals(seat=int)
cdef void count_bids(Match* m, State* s, RuleTable* r) noexcept nogil

@cython.locals(dealer=int)
cdef void play_game(Match* m, Generator* deals, Generator* g, Totals* totals, State* s, RuleTable* r) noexcept nogil

@cython.locals(rules=Rules, dealt=Simulation, played=Simulation, match=Match, m=MatchAt, i=int,
               ours=SteadyWeights, theirs=SteadyWeights)
cpdef play_games(ruleset, int players, int steady_seats, int games, seed, int rival_seats=*, weights=*, rival_weights=*)
