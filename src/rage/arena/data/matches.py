"""Whole games of steady, by the thousand: against random moves, or against other weights.

Compiled, so that the time is spent in steady and not in the loop around it.
"""

from __future__ import annotations

from typing import NamedTuple

from rage.rules.ruleset import RuleSet

try:
    import cython
except ImportError:
    from rage.engine import uncompiled as cython

if not cython.compiled:
    from rage.arena.data.rows import Rows, note_decision, note_game, note_round
    from rage.arena.data.uncompiled import Log, Match
    from rage.bots.steady import DEFAULT_WEIGHTS, canonical_move
    from rage.bots.worth import SteadyWeights
    from rage.engine.episode import begin_episode, deal_round
    from rage.engine.kernel import (
        BIDDING,
        DEALING,
        M64,
        PLAYING,
        Rules,
        Simulation,
        apply,
        next_random,
        random_move,
        start_game,
    )
    from rage.engine.uncompiled import Generator, RuleTable, State, Totals

    def log_of(rows: Rows | None) -> Log | None:
        """How a struct refers to the rows, if any: by address when compiled."""
        return None if rows is None else rows.log


def play_round(m: Match, g: Generator, totals: Totals, s: State, r: RuleTable) -> None:
    """Play a dealt round; ``totals`` counts the decisions of steady and its rivals, ``g`` chooses
    the moves in all other seats."""
    while s.phase == PLAYING or s.phase == BIDDING:
        seat = s.turn
        if (m.steady_seats >> seat) & 1:
            move = canonical_move(m.weights, s, r)
            totals.count += 1
        elif (m.rival_seats >> seat) & 1:
            move = canonical_move(m.rival_weights, s, r)
            totals.count += 1
        else:
            move = random_move(g, s, r)
        if m.log:
            note_decision(m.log, s, r, move)
        apply(s, r, move)
    count_bids(m, s, r)
    if m.log:
        note_round(m.log, s, r)


def count_bids(m: Match, s: State, r: RuleTable) -> None:
    """Count the bids that steady made and met, by hand size."""
    for seat in range(r.n):
        if (m.steady_seats >> seat) & 1:
            m.bids[s.hand] += 1
            m.met[s.hand] += s.bids[seat] == s.won[seat]


def play_game(
    m: Match, deals: Generator, g: Generator, totals: Totals, s: State, r: RuleTable
) -> None:
    """Play one game; the deals come from ``deals`` alone, whatever is played."""
    start_game(s)
    while s.phase == DEALING:
        deal_round(deals, s, r)
        play_round(m, g, totals, s, r)
    if m.log:
        note_game(m.log, s, r)


class MatchResult(NamedTuple):
    """The result of the games: the scores by game and side; the bids of steady by hand size, made
    and met; and the decisions of steady and its rivals."""

    scores: list[list[int]]
    bids: list[int]
    met: list[int]
    decisions: int


def play_games(
    ruleset: RuleSet,
    players: int,
    steady_seats: int,
    games: int,
    seed: int,
    rival_seats: int = 0,
    weights: SteadyWeights | None = None,
    rival_weights: SteadyWeights | None = None,
    rows: Rows | None = None,
    first: int = 0,
) -> MatchResult:
    """Play whole games from random deals: steady in the seats of the bit set ``steady_seats``, with
    ``rival_weights`` in ``rival_seats``; random legal moves in the others. Missing weights default
    to steady's own. Equal rules, players and seed give game *i* (from ``first`` on) equal deals,
    whatever the number of games and the seating. Decisions and results are added to ``rows``. Runs
    without the GIL."""
    rules = Rules(ruleset, players)
    dealt = Simulation(0)
    played = Simulation(0)
    ours = weights or DEFAULT_WEIGHTS
    theirs = rival_weights or DEFAULT_WEIGHTS
    if cython.compiled:
        m = cython.address(match)
    else:
        m = Match()
    m.steady_seats = steady_seats
    m.rival_seats = rival_seats
    m.weights = ours.w
    m.rival_weights = theirs.w
    m.log = log_of(rows)
    for i in range(16):
        m.bids[i] = m.met[i] = 0
    scores = []
    for number in range(first, first + games):
        if rows is not None:
            rows.begin(number)
        begin_episode(dealt.generator, seed & M64, number, 0)
        played.generator.random = next_random(dealt.generator)
        with cython.nogil:
            play_game(m, dealt.generator, played.generator, played.totals, played.s, rules.r)
        scores.append([played.s.scores[i] for i in range(rules.r.sides)])
    return MatchResult(
        scores,
        [m.bids[i] for i in range(16)],
        [m.met[i] for i in range(16)],
        played.totals.count,
    )
