"""Rage in OpenSpiel: its own tests of games, and its algorithms, run on ``python_rage``."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.integration_tests import api_test
from open_spiel.python.algorithms import cfr, exploitability, external_sampling_mccfr, ismcts, mcts
from open_spiel.python.observation import INFO_STATE_OBS_TYPE, make_observation

import rage.envs.spiel  # noqa: F401  # registers the game
from envs.episodes import Played, episodes
from rage.envs import Episode, unit_rules
from rage.envs.chance import History
from rage.features.encode import encode
from rage.rules.editions import ruleset
from rage.rules.ruleset import pack
from rage.rules.values import MOVES

SMALLEST = "poof+pack:wild1.change0.out0.bonus0.mad0+colours:2+ranks:2"
#: Every kind of action card, and turn-ups in the middle of a round, from a stock that runs out.
CROWDED = "poof+pack:wild1.change1.out1.bonus1.mad1+colours:2+ranks:2+change:reveal+out:trick"
GAMES = [
    "python_rage(rules=amigo+sweep,players=4,hand=5)",
    "python_rage(rules=poof+teams:2+hidden-bids+schedule:4.2,players=4,unit=game)",
    "python_rage(rules=amigo+secret-bids,players=5,hand=3,rewards=points)",
    f"python_rage(rules={CROWDED}+schedule:3.2,players=2,unit=game,dealer=1)",
]


def steps(game: Any, seed: int) -> Iterator[tuple[Any, int]]:
    """A state of the game before each step of random play, and the step; at last the final one."""
    random, state = Random(seed), game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            (step,) = random.choices(*zip(*state.chance_outcomes(), strict=True))
        else:
            step = random.choice(state.legal_actions())
        yield state, step
        state.apply_action(step)
    yield state, -1


# --- the game ------------------------------------------------------------------------------


@pytest.mark.parametrize("played", episodes(), ids=lambda each: f"{each.rules}, {each.players}")
def test_an_episode_is_the_same_as_everywhere(played: Played) -> None:
    parameters = {"rules": played.rules, "players": played.players, "unit": played.unit}
    parameters |= {"hand": played.hand or 0}
    state = pyspiel.load_game("python_rage", parameters).new_initial_state()
    rules = played.kernel_rules()
    moves = iter(zip(played.to_act, played.legal, played.moves, strict=True))
    for deal in Episode(rules, played.seed, played.table, played.episode).deals():
        number, stock = len(state.past.rounds), iter(deal.stock.numbers)
        if state.past.rounds[-1].dealer is None:
            state.apply_action(deal.dealer)
        for hand in deal.hands:
            for card in sorted(hand.numbers):
                state.apply_action(card)
        while not state.is_terminal() and len(state.past.rounds) == number:
            if state.is_chance_node():
                state.apply_action(next(stock))
                continue
            seat, legal, move = next(moves)
            assert state.current_player() == seat
            assert state.legal_actions() == legal
            state.apply_action(move)
    assert next(moves, None) is None
    sides = len(played.rewards)
    expected = [played.rewards[seat % sides] for seat in range(played.players)]
    assert state.returns() == pytest.approx(expected)


def test_chance_deals_every_hand_as_often_as_from_a_shuffled_pack() -> None:
    rules = ruleset("poof+pack:wild2.change3.out0.bonus0.mad0+colours:2+ranks:2", laboratory=True)
    cards, hand = pack(rules), 3
    expected = Counter[tuple[tuple[int, ...], ...]]()
    for first in combinations(range(len(cards)), hand):
        for second in combinations([at for at in range(len(cards)) if at not in first], hand):
            expected[tuple(cards[at] for at in first), tuple(cards[at] for at in second)] += 1
    found: dict[tuple[tuple[int, ...], ...], float] = {}

    def deal(history: History, chance: float, left: int) -> None:
        if not left:
            first, second = history.rounds[-1].hands
            found[tuple(first), tuple(second)] = chance
            return
        for card, odds in history.outcomes():
            after = history.copy()
            after.apply(card)
            deal(after, chance * odds, left - 1)

    deal(History(unit_rules(rules, 2, "round", hand), 0), 1.0, 2 * hand)
    assert found == pytest.approx({each: n / expected.total() for each, n in expected.items()})


@pytest.mark.parametrize("name", GAMES)
def test_what_a_player_knows_does_not_depend_on_hidden_cards(name: str) -> None:
    game, random = pyspiel.load_game(name), Random(name)
    different = 0
    for number, (state, _) in enumerate(steps(game, 3)):
        if state.current_player() < 0 or number % 3:
            continue
        for player in range(game.num_players()):
            other = state.resample_from_infostate(player, random.random)
            different += other.history() != state.history()
            assert other.current_player() == state.current_player()
            for told in ("information_state", "observation"):
                for form in ("string", "tensor"):
                    ours, theirs = (getattr(each, f"{told}_{form}") for each in (state, other))
                    assert ours(player) == theirs(player)
            if player == state.current_player():
                assert other.legal_actions() == state.legal_actions()
            structs = [each.to_observation_struct(player).to_json() for each in (state, other)]
            assert structs[0] == structs[1]
    assert different >= 4


def test_nothing_is_drawn_again_while_a_round_is_dealt() -> None:
    state = pyspiel.load_game("python_rage").new_initial_state()
    with pytest.raises(ValueError, match="once a round has been dealt"):
        state.resample_from_infostate(0, lambda: 0.5)


def test_the_tensor_is_the_features_the_colours_and_the_history() -> None:
    game = pyspiel.load_game(GAMES[0])
    seen = make_observation(game, INFO_STATE_OBS_TYPE)
    for state, _ in steps(game, 5):
        if state.is_chance_node():
            continue
        seen.set_from(state, 2)
        assert seen.dict["player"].tolist() == [0, 0, 1, 0]
        assert seen.dict["features"].tolist() == list(encode(state.position, 2))
        assert (seen.dict["colours"].sum(axis=0) == 1).all()
        made = [each.action for each in state.full_history() if each.player >= 0]
        assert seen.dict["moves"].tolist()[: len(made)] == [move + 1 for move in made]
        assert not seen.dict["moves"][len(made) :].any()
        assert np.array_equal(seen.tensor, np.float32(state.information_state_tensor(2)))


# --- structs and serialization -------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_states_and_actions_survive_as_structs_and_as_bytes(name: str) -> None:
    game = pyspiel.load_game(name)
    for number, (state, step) in enumerate(steps(game, 7)):
        if number % 6 and not state.is_terminal():
            continue
        for other in (
            game.new_initial_state(state.to_struct()),
            game.new_initial_state(state.to_json()),
            game.new_initial_state(json.loads(state.to_json())),
            pickle.loads(pickle.dumps(state)),
            game.deserialize_state(state.serialize()),
            state.clone(),
        ):
            assert str(other) == str(state)
            assert other.history() == state.history()
        if not state.is_terminal():
            struct = state.action_to_struct(state.current_player(), step)
            assert state.struct_to_actions(struct) == [step]
            text = state.action_to_string(state.current_player(), step)
            assert state.string_to_action(text) == step


def test_an_observation_struct_is_the_view_of_the_seat() -> None:
    game = pyspiel.load_game(GAMES[0])
    for state, step in steps(game, 9):
        told = state.to_observation_struct(1).to_dict()
        assert told["seat"] == 1
        if state.current_player() == 1:
            assert told["legal"] == [str(MOVES[move]) for move in state.legal_actions()]
            assert str(MOVES[step]) in told["legal"]
    assert told["over"]
    assert told["scores"] == state.to_struct().to_dict()["scores"]


# --- OpenSpiel's tests and algorithms ------------------------------------------------------


@pytest.mark.parametrize("name", ["python_rage", *GAMES])
def test_openspiels_simulation_test(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), 1, True, False)


def api_tests() -> list[Any]:
    """OpenSpiel's tests of the API: on every state of the smallest game, on some of others."""
    small = f"python_rage(rules={SMALLEST},players=2,hand=1,dealer=1)"
    api_test.TOTAL_NUM_STATES[small] = (38, 840, 384)
    api_test.PERFECT_RECALL_NUM_STATES[small] = 532
    found = []
    for kind, name in (
        (api_test.EnforceAPIOnFullTreeBase, small),
        (api_test.EnforceAPIOnPartialTreeBase, small),
        (api_test.EnforceAPIOnPartialTreeBase, GAMES[0]),
    ):
        case = type(kind.__name__, (kind,), {"game_name": name, "game": pyspiel.load_game(name)})
        found += [
            pytest.param(case, method, id=f"{method}, {name}")
            for method in dir(case)
            if method.startswith("test")
        ]
    return found


@pytest.fixture(scope="module")
def prepared() -> set[type]:
    """The classes of tests that have been set up."""
    return set()


@pytest.mark.parametrize(("case", "method"), api_tests())
def test_openspiels_test_of_the_api(case: Any, method: str, prepared: set[type]) -> None:
    if case not in prepared:
        case.setUpClass()
        prepared.add(case)
    getattr(case(method), method)()


def test_openspiels_search_plays() -> None:
    game = pyspiel.load_game("python_rage(rules=amigo,players=3,hand=2)")
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(game, evaluator, 10.0, 20, random_state=np.random.RandomState(1))
    for state, _ in steps(game, 11):
        if state.current_player() >= 0:
            assert bot.step(state) in state.legal_actions()


def test_openspiels_regret_minimization_comes_closer_to_a_solution() -> None:
    game = pyspiel.load_game(f"python_rage(rules={SMALLEST},players=2,hand=1,dealer=1)")
    solver = cfr.CFRPlusSolver(game)
    for _ in range(4):
        solver.evaluate_and_update_policy()
    assert exploitability.nash_conv(game, solver.average_policy()) < 5
    external_sampling_mccfr.ExternalSamplingSolver(game).iteration()


# --- parameters ----------------------------------------------------------------------------

REFUSED = [
    ("rules=nix", "nix is not an edition"),
    ("rules=amigo,players=2", "amigo is for 3 to 8 players, not 2"),
    ("players=9", "players are 2 to 8, not 9"),
    ("unit=match", "unit is one of 'round', 'game', not 'match'"),
    ("unit=game,hand=3", 'hand is for unit="round"'),
    ("hand=30", "A game cannot have these hand sizes"),
    ("rewards=money", "rewards are leads or points, not money"),
    ("players=2,dealer=2", "dealer is a seat from 0 to 1, or -1, not 2"),
]


@pytest.mark.parametrize(("parameters", "said"), REFUSED)
def test_bad_parameters_are_refused(parameters: str, said: str) -> None:
    with pytest.raises(ValueError, match=f"^{said}"):
        pyspiel.load_game(f"python_rage({parameters})")


def test_steps_that_cannot_be_are_refused() -> None:
    state = pyspiel.load_game(GAMES[3]).new_initial_state()
    with pytest.raises(ValueError, match="no card 999 is left"):
        state.apply_action(999)
    state.apply_action(98)
    with pytest.raises(ValueError, match="in rising order"):
        state.apply_action(1)
    with pytest.raises(ValueError, match="too few cards are left above 100"):
        state.get_game().new_initial_state().apply_action(100)
    with pytest.raises(ValueError, match="no move, card or dealer"):
        state._struct_to_actions({"move": "Z"})
    with pytest.raises(ValueError, match="no struct of a state"):
        state.get_game().new_initial_state({"rounds": [{"dealer": 1}]})


def test_without_openspiel_one_sentence_says_what_to_install() -> None:
    code = "import sys; sys.modules['pyspiel'] = None; import rage.envs.spiel"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "rage.envs.spiel needs OpenSpiel: " in run.stderr.splitlines()[-1]
    assert "rage-cards[spiel]" in run.stderr.splitlines()[-1]
