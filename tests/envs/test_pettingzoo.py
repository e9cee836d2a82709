"""Rage for PettingZoo: its own tests with warnings as errors, and what each seat gets."""

from __future__ import annotations

import copy
import hashlib
import pickle
import random
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from envs.episodes import Played, episodes
from rage.envs.aec import TableEnv
from rage.features.encode import actual_move, canonical_move, colour_places, encode

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # they import environments of the old kind
    from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test
    from pettingzoo.test.state_test import state_test

IDS = ("rage/Round-v0", "rage/Game-v0")
#: PettingZoo says this about every observation that is a dict, but those of its own environments.
ABOUT_DICTS = [
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
]


def makes(name: str, **arguments: Any) -> Callable[..., Any]:
    return lambda **more: pettingzoo.make("aec", name, **arguments, **more)


def play(env: TableEnv, rng: random.Random, moves: int = 10**9) -> list[Any]:
    """What every seat is shown until the episode ends or some moves are made."""
    shown: list[Any] = []
    for agent in env.agent_iter(moves):
        observation, reward, over, _, info = env.last()
        shown.append(
            (agent, observation["observation"].tobytes(), reward, over, info.get("illegal"))
        )
        legal = observation["action_mask"].nonzero()[0]
        env.step(None if over else int(rng.choice(legal)))
    return shown


@pytest.mark.filterwarnings(*ABOUT_DICTS)
@pytest.mark.parametrize(
    "make",
    [
        makes("rage/Round-v0"),
        makes("rage/Game-v0", rules="amigo+secret-bids", players=8, rewards="points"),
        makes("rage/Round-v0", rules="fundex+two-teams+hidden-bids", hand=3, illegal="random"),
    ],
)
def test_their_tests_pass(make: Callable[..., Any]) -> None:
    api_test(make(), 60)
    seed_test(make, 60)
    state_test(make(), turn_based_aec_to_parallel(make()), 20)
    parallel_api_test(turn_based_aec_to_parallel(make()), 100)


def test_each_render_mode_renders() -> None:
    render_test(makes("rage/Round-v0"))


def test_a_picture_shows_the_cards_of_all_seats(capsys: pytest.CaptureFixture[str]) -> None:
    env = pettingzoo.make("aec", "rage/Round-v0", hand=2, render_mode="ansi")
    env.reset(seed=1)
    shown = str(env.render())
    assert shown.startswith("round 1, 2 cards, trump ")
    assert len(shown.splitlines()) == 5
    env = pettingzoo.make("aec", "rage/Round-v0", hand=2, render_mode="human")
    env.reset(seed=1)
    assert capsys.readouterr().out == f"{shown}\n\n"


@pytest.mark.parametrize("played", episodes(), ids=lambda played: f"{played.rules}, {played.unit}")
def test_a_table_plays_the_shared_episodes(played: Played) -> None:
    name = f"rage/{played.unit.capitalize()}-v0"
    more = {} if played.hand is None else {"hand": played.hand}
    env = pettingzoo.make("aec", name, rules=played.rules, players=played.players, **more)
    env.reset(seed=played.seed)
    for _ in range(played.episode):
        env.reset()
    for seat, legal, move in zip(played.to_act, played.legal, played.moves, strict=True):
        places = colour_places(env._table.position, seat)
        shown = env.last()[0]["action_mask"].nonzero()[0].tolist()
        assert env.agent_selection == f"player_{seat}"
        assert sorted(actual_move(action, places) for action in shown) == legal
        assert not any(env.rewards.values())
        env.step(canonical_move(move, places))
    sides = len(played.rewards)
    assert all(env.terminations.values())
    for seat, reward in enumerate(env.rewards.values()):
        assert reward == pytest.approx(played.rewards[seat % sides])


def test_a_seat_sees_what_it_may_know_at_any_time() -> None:
    env = pettingzoo.make("aec", "rage/Round-v0", rules="amigo+hidden-bids", players=4, hand=4)
    env.reset(seed=3)
    rng = random.Random(3)
    while not any(env.terminations.values()):
        position = env._table.position
        for seat, agent in enumerate(env.possible_agents):
            known = encode(position.masked(seat), seat)
            observation = env.observe(agent)
            assert observation["observation"].tolist() == list(known)
            assert env.observation_space(agent).contains(observation)
            assert observation["action_mask"].any() == (agent == env.agent_selection)
        env.step(int(rng.choice(env.infos[env.agent_selection]["action_mask"].nonzero()[0])))


def test_the_state_is_what_all_seats_know() -> None:
    env = pettingzoo.make("aec", "rage/Round-v0")
    env.reset(seed=3)
    rows = [env.observe(agent)["observation"] for agent in env.agents]
    assert (env.state() == np.concatenate(rows)).all()


def illegal(env: TableEnv) -> int:
    return int((1 - env.observe(env.agent_selection)["action_mask"]).nonzero()[0][0])


@pytest.mark.parametrize("action", [None, -1, 128])
@pytest.mark.parametrize("policy", ["lose", "random", "raise"])
def test_what_is_not_allowed_meets_the_policy_for_it(policy: str, action: int | None) -> None:
    """``None``: a move of another time; any other number is no move at all."""
    env = pettingzoo.make("aec", "rage/Round-v0", illegal=policy)
    env.reset(seed=1)
    agent = env.agent_selection
    said = "is no action: they are 0 to 127" if action else "Bids come first: bid 0 to 10"
    action = action or illegal(env)
    if policy == "raise":
        with pytest.raises(ValueError, match=said):
            env.step(action)
        assert env.agent_selection == agent
        env.step(env.last()[0]["action_mask"].argmax())
        return
    env.step(action)
    assert said in env.infos[agent]["illegal"]
    assert {*env.terminations.values()} == {policy == "lose"}
    if policy == "lose":
        assert env.rewards.pop(agent) == -40  # nothing a round could bring is worse
        assert list(env.rewards.values()) == pytest.approx([40 / 3] * 3)
    else:
        assert env.agent_selection != agent


def test_an_environment_can_be_copied_and_pickled_under_way() -> None:
    env = pettingzoo.make("aec", "rage/Game-v0", illegal="random", hand=None)
    env.reset(seed=8)
    play(env, random.Random(1), 60)
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    for each in (env, *copies):
        each.step(illegal(each))
    goes_on = play(env, random.Random(2))
    for each in copies:
        assert play(each, random.Random(2)) == goes_on


def test_arguments_are_checked() -> None:
    table: Any = TableEnv
    for wrong in (
        {"illegal": "ignore"},
        {"rewards": "won"},
        {"unit": "trick"},
        {"render_mode": "x"},
    ):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            table(**wrong)


#: What a change of the observations, the deals or the rewards changes: then the version of the ids
#: must be raised.
DIGESTS = {"rage/Round-v0": "e14d98760c535ba3", "rage/Game-v0": "d5bcda624c091ed6"}


@pytest.mark.parametrize("name", IDS)
def test_an_id_stands_for_the_same_observations(name: str) -> None:
    env = pettingzoo.make("aec", name, rules="amigo", players=5)
    rng, digest, left = random.Random(1), hashlib.sha256(), 1000
    env.reset(seed=1)
    while left > 0:
        shown = play(env, rng, left)
        left -= len(shown)
        digest.update(repr(shown).encode())
        env.reset()
    assert digest.hexdigest()[:16] == DIGESTS[name]
