"""Whole games of steady, by the thousand: against random moves, or against other weights.

For benchmarks, tuning and tests only. Compiled, so that the time is spent in steady and not in the
loop around it.
"""

from __future__ import annotations

from typing import NamedTuple

from rage.rules.ruleset import RuleSet

try:
    import cython
except ImportError:
    from rage.engine import uncompiled as cython

if not cython.compiled:
    from rage.bots.steady import DEFAULT_WEIGHTS, choose_move
    from rage.bots.uncompiled import Match
    from rage.bots.worth import SteadyWeights
    from rage.engine.kernel import (
        BIDDING,
        DEALING,
        PLAYING,
        Rules,
        Simulation,
        after,
        apply,
        deal_random,
        next_below,
        random_move,
        start_game,
    )
    from rage.engine.uncompiled import Generator, RuleTable, State, Totals


def play_round(m: Match, g: Generator, totals: Totals, s: State, r: RuleTable) -> None:
    """Play a dealt round; ``totals`` counts the decisions of steady and its rivals, ``g`` chooses
    the moves in all other seats."""
    while s.phase == PLAYING or s.phase == BIDDING:
        seat = s.turn
        if (m.steady_seats >> seat) & 1:
            move = choose_move(m.weights, s, r)
            totals.count += 1
        elif (m.rival_seats >> seat) & 1:
            move = choose_move(m.rival_weights, s, r)
            totals.count += 1
        else:
            move = random_move(g, s, r)
        apply(s, r, move)
    count_bids(m, s, r)


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
    dealer = next_below(deals, r.n)
    while s.phase == DEALING:
        deal_random(deals, s, r, dealer)
        play_round(m, g, totals, s, r)
        dealer = after(dealer, r.n)


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
) -> MatchResult:
    """Play whole games from random deals: steady in the seats of the bit set ``steady_seats``, with
    ``rival_weights`` in ``rival_seats``; random legal moves in the others. Missing weights are
    those that steady plays by. Equal rules, players, games and seed give equal deals, whatever the
    seating. Runs without the GIL."""
    rules = Rules(ruleset, players)
    dealt = Simulation(seed)
    played = Simulation(seed + 1)
    dealt.use_pack(rules)
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
    for i in range(16):
        m.bids[i] = m.met[i] = 0
    scores = []
    for _ in range(games):
        with cython.nogil:
            play_game(m, dealt.generator, played.generator, played.totals, played.s, rules.r)
        scores.append([played.s.scores[i] for i in range(rules.r.sides)])
    return MatchResult(
        scores,
        [m.bids[i] for i in range(16)],
        [m.met[i] for i in range(16)],
        played.totals.count,
    )
