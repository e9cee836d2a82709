# C types for matches.py.
cimport cython
from libc.stdint cimport uint64_t

from rage.arena.data.rows cimport Log, Rows, note_decision, note_game, note_round
from rage.engine.episode cimport begin_episode, deal_round
from rage.engine.kernel cimport (
    BIDDING, DEALING, M64, PLAYING, Generator, RuleTable, Rules, Simulation, State, Totals,
    apply, next_random, random_move, start_game,
)
from rage.bots.steady cimport DEFAULT_WEIGHTS, canonical_move
from rage.bots.worth cimport SteadyWeights, Weights

# The seats of steady and its rivals (bit sets), and their weights; the rows, or none; the bids that
# steady made and met.
cdef struct Match:
    int steady_seats
    int rival_seats
    Weights* weights
    Weights* rival_weights
    Log* log
    uint64_t bids[16]
    uint64_t met[16]

ctypedef Match* MatchAt

cdef inline Log* log_of(Rows rows) noexcept:
    return NULL if rows is None else rows.log

@cython.locals(seat=int, move=int)
cdef void play_round(Match* m, Generator* g, Totals* totals, State* s, RuleTable* r) noexcept nogil

@cython.locals(seat=int)
cdef void count_bids(Match* m, State* s, RuleTable* r) noexcept nogil

cdef void play_game(Match* m, Generator* deals, Generator* g, Totals* totals, State* s, RuleTable* r) noexcept nogil

@cython.locals(rules=Rules, dealt=Simulation, played=Simulation, match=Match, m=MatchAt, i=int,
               ours=SteadyWeights, theirs=SteadyWeights)
cpdef play_games(ruleset, int players, int steady_seats, int games, seed, int rival_seats=*, weights=*, rival_weights=*, Rows rows=*, int first=*)
