"""The slow oracle against the kernel, over random positions of random rule sets."""

from __future__ import annotations

from random import Random

import pytest

import oracle
from generators import deals_for, rules_from
from rage import Game, RuleSet
from rage.rules.hands import cards_of
from rage.rules.values import letter_of


def compare(game: Game, rng: Random, where: str) -> int:
    """Play a game at random beside the oracle; how many positions were compared."""
    compared = 0
    totals, met = [0] * game.sides, [0] * game.sides
    for number in range(len(game.rules.schedule)):
        current = game.rounds[number]
        assert current.deal is not None
        hands = [str(hand).split() for hand in current.deal.hands]
        stock = str(current.deal.stock).split()
        other = oracle.Round(game.rules, current.dealer, hands, stock)
        while other.to_act is not None:
            at = f"{where}, {game.rounds[number]}"
            legal = {str(move): move for move in game.legal_moves}
            assert game.to_act == other.to_act, at
            assert letter_of(game.trump) == other.trump, at
            assert letter_of(game.led) == oracle.led(other.trick), at
            assert set(legal) == other.legal(), at
            if not game.rules.laboratory:  # see test_limits.py
                assert sorted(str(cards_of(game.position.seen)).split()) == sorted(other.seen()), at
            code = rng.choice(sorted(legal))
            game.play(legal[code])
            other.play(code)
            compared += 1
        current = game.rounds[number]
        for seat, taken in enumerate(other.taken):
            won = [trick.moves for trick in current.tricks if trick.winner == seat]
            assert [[str(move) for move in trick] for trick in won] == taken, where
        assert current.won == tuple(len(tricks) for tricks in other.taken), where
        assert current.points == tuple(other.points()), where
        totals = [a + b for a, b in zip(totals, other.points(), strict=True)]
        met = [a + b for a, b in zip(met, other.met(), strict=True)]
    assert game.scores == totals, where
    assert game.winners == oracle.winners(game.rules, totals, met), where
    return compared


def compare_many(seeds: range) -> int:
    compared = 0
    for seed in seeds:
        rng = Random(seed)
        rules, players = rules_from(rng.choice)
        game = Game(rules, players, deals=deals_for(rules, players, rng))
        compared += compare(game, rng, f"seed {seed}: {rules.name}, {players} players")
    return compared


def test_the_oracle_agrees_over_random_positions_of_random_rule_sets() -> None:
    assert compare_many(range(600)) > 30_000


@pytest.mark.long
def test_the_oracle_agrees_over_many_more_positions() -> None:
    assert compare_many(range(1000, 21_000)) > 1_000_000


def laboratory(rng: Random) -> tuple[RuleSet, int]:
    """Small packs whose stock may run out: for research only, and still exact."""
    rules, players = rules_from(rng.choice, most=5)
    settings = {**vars(rules), "edition": "oh_hell", "player_range": (2, 8)}
    rules = RuleSet(**{**settings, "colours": rng.randrange(2, 7), "ranks": rng.randrange(1, 9)})
    largest = min(rules.pack_size // players, 5)
    if largest == 0:
        return laboratory(rng)
    sizes = tuple(rng.randrange(1, largest + 1) for _ in range(2))
    return rules.replace(schedule=sizes), players


def test_the_oracle_agrees_where_the_stock_may_run_out() -> None:
    compared = 0
    for seed in range(400):
        rng = Random(seed)
        rules, players = laboratory(rng)
        game = Game(rules, players, deals=deals_for(rules, players, rng))
        compared += compare(game, rng, f"seed {seed}: {rules}, {players} players")
    assert compared > 5_000
