"""By rules that the network has not learned, no bot plays by it."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from generators import rules_from
from lab.training.rule_sets import all_rules
from rage import Game, NotAllowed, ruleset
from rage.arena.match import Match, plan
from rage.arena.playing import play
from rage.arena.results import evaluate
from rage.bots import OFFERED, Budget, bot
from rage.bots.advice import advise
from rage.bots.learned import Learned
from rage.bots.learned_rules import LARGEST_HAND, has_learned
from rage.rules.ruleset import EDITIONS, RuleSet
from rage.rules.settings import PRINTED

#: How little is enough of every level here.
FEW = Budget(worlds=16)
#: Scorings by which the network bids and plays worse than steady.
ODD = (
    "exact:30+exact_zero:30+miss:-30",
    "exact:50+exact_zero:50+miss:-50",
    "exact:100+exact_zero:100",
    "exact:1+exact_zero:1",
    "exact:3+exact_zero:3",
    "exact:5+exact_zero:10",
    "miss:5",
)


def test_the_network_has_learned_what_its_training_draws_and_all_editions() -> None:
    trained = [each.ruleset for seed in range(5) for each in all_rules(seed)]
    hands = [max(rules.schedule) for rules in trained]
    assert all(map(has_learned, trained, hands))
    assert max(hands) == LARGEST_HAND
    assert all(has_learned(EDITIONS[name], 10) for name in PRINTED)
    assert not any(has_learned(ruleset(f"poof+{each}"), 10) for each in ODD)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", OFFERED)
def test_no_bid_of_a_large_hand_is_out_of_reach(name: str) -> None:
    """In 200 deals of 13 to 15 cards."""
    rng = Random(f"large hands of {name}")
    for seed in range(200):
        hand, edition = rng.choice((13, 14, 15)), rng.choice(PRINTED)
        players = rng.choice(range(EDITIONS[edition].player_range[0], min(6, 95 // hand) + 1))
        game = Game(f"{edition}+schedule:{hand}", players, seed=seed)
        view = game.view(game.to_act)
        bid = bot(name, seed).choose(view, FEW).tricks
        assert bid is not None
        assert bid <= (hand + 1) / 2 + 3


def drawn(count: int) -> Iterator[tuple[RuleSet, int]]:
    """Rule sets from all limits, every second with points for bids that are not far from those of
    the editions."""
    rng = Random("all limits")
    for number in range(count):
        rules, players = rules_from(rng.choice)
        if number % 2:
            near = {"exact": (5, 20), "exact_zero": (0, 10), "miss": (-10, 0)}
            rules = rules.replace(**{name: rng.randint(*ends) for name, ends in near.items()})
        yield rules, players


def strange(count: int) -> Iterator[Game]:
    """Games by rules of which at least one round has not been learned, begun."""
    for number, (rules, players) in enumerate(drawn(4 * count)):
        if not has_learned(rules, rules.schedule[0]) and count:
            count -= 1
            yield Game(rules, players, seed=number)


@pytest.mark.parametrize("name", ["easy", "medium"])
def test_steady_stands_in_for_easy_and_medium(name: str) -> None:
    for game in strange(20):
        while game.to_act is not None and len(game.rounds) == 1:
            view = game.view(game.to_act)
            move = bot(name, 1).choose(view)
            assert move == bot("steady").choose(view)
            game.play(move)
    game = Game("poof+schedule:13", 4, seed=1)
    with pytest.raises(NotAllowed, match="Steady plays for it"):
        Learned(name, 1).values(game.view(game.to_act))


def test_who_looks_ahead_and_advice_never_ask_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the rounds that it has not learned are without it."""

    class Asked(Exception):
        pass

    def ask(*_: object) -> None:
        raise Asked

    class Network:
        values = best_move = tricks = ask

    monkeypatch.setattr("rage.bots.learned.network", lambda _: Network())
    for game in strange(12):
        view = game.view(game.to_act)
        near = bot("steady").choose(view).number
        for name in ("hard", "master", "deep"):
            assert abs(bot(name, 1).choose(view, FEW).number - near) <= 2
        advise(view, budget=FEW)
    mixed = Game("poof+schedule:12.13", 3, seed=1)
    with pytest.raises(Asked):
        advise(mixed.view(mixed.to_act), budget=FEW)


@pytest.mark.long
def test_medium_is_not_below_steady_by_any_rules() -> None:
    """In twenty rule sets from all limits."""
    for number, (rules, players) in enumerate(drawn(20)):
        match = Match.of(("medium", "steady"), rules.name, players, f"limits {number}")
        found = evaluate(match, [play(match, each) for each in plan(match, 20)], 20)
        assert found is not None
        ahead = found.pairs[0].ahead
        assert ahead.half_99 is not None
        assert ahead.mean + ahead.half_99 >= 0, (rules.name, players, ahead)
