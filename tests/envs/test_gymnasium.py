"""Rage for Gymnasium: its own checks with warnings as errors, one seat and many tables."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys
from itertools import pairwise
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode

import rage.envs  # registers
from envs.episodes import Played, episodes
from rage.bots import Random
from rage.envs.arrays import unpack
from rage.envs.seat import SeatEnv
from rage.envs.tables import Tables
from rage.features.encode import actual_move, canonical_move, colour_places
from rage.rules.values import MOVES

#: A seed with which a bot bids first.
FIRST_BOT = 1
IDS = ("rage/Round-v0", "rage/Game-v0")


def make(name: str = "rage/Round-v0", **arguments: Any) -> Any:
    return gymnasium.make(name, **arguments)


def make_vec(count: int, **arguments: Any) -> Any:
    mode = arguments.pop("vectorization_mode", "vector_entry_point")
    return gymnasium.make_vec("rage/Round-v0", num_envs=count, vectorization_mode=mode, **arguments)


def choose(info: dict[str, Any], rng: random.Random) -> int:
    return int(rng.choice(info["action_mask"].nonzero()[0]))


def episode(env: Any, rng: random.Random, seed: int | None = None) -> list[Any]:
    """What one episode shows, from its beginning to its end."""
    row, info = env.reset(seed=seed)
    shown: list[Any] = [(row, info)]
    over = False
    while not over:
        row, reward, over, _, info = env.step(choose(info, rng))
        shown.append((row, reward, over, info))
    return shown


@pytest.mark.parametrize("name", IDS)
def test_their_checks_pass(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    check_env(make(name).unwrapped)
    check_env(make(name, rules="amigo+hidden-bids", players=3, illegal="random").unwrapped)
    assert "bid" in capsys.readouterr().out  # render_mode="human"


def test_a_space_is_printed_in_a_line() -> None:
    printed = str(make().observation_space)
    assert printed == "Box([0 0 0 ... 0 0 0], [1 1 1 ... 1 1 1], (661,), int16)"


def test_a_made_environment_is_checked_and_says_nothing() -> None:
    env = make()
    assert "PassiveEnvChecker" in str(env)
    assert len(episode(env, random.Random(1), seed=1)) == 12


@pytest.mark.parametrize("bots", ["steady", "random"])
@pytest.mark.parametrize("name", IDS)
def test_an_episode_is_that_of_a_single_table(name: str, bots: Any) -> None:
    unit: Any = name[5:].split("-")[0].lower()
    env = make(name, rules="amigo+sweep", players=3, bots=bots, seat=1)
    arguments: dict[str, Any] = {"players": 3, "unit": unit, "opponents": bots, "seats": [1]}
    tables = Tables("amigo+sweep", 1, 5, **arguments, autoreset="disabled")
    rng = random.Random(1)
    for seed in (5, None):
        row, info = env.reset(seed=seed)
        step: Any = tables.reset()
        over, reward = False, 0.0
        while not over:
            assert (row == step.observation[0]).all()
            assert (info["action_mask"] == unpack(step.legal)[0]).all()
            action = choose(info, rng)
            row, reward, over, _, info = env.step(action)
            step = tables.step(np.array([action]))
            assert over == step.terminated[0]
        assert (row == step.observation[0]).all()
        assert reward == pytest.approx(step.rewards[0, 1])


class Script:
    """A bot that plays the moves of an episode, once that has begun; before, the first legal one.
    The learning seat takes its own from here, too."""

    name = "script"

    def __init__(self, moves: list[int]) -> None:
        self._moves = iter(moves)
        self.begun = False

    def next(self) -> int:
        return next(self._moves)

    def choose(self, view: rage.View, budget: object = None) -> rage.Move:
        return MOVES[self.next()] if self.begun else view.legal_moves[0]


@pytest.mark.parametrize("played", episodes(), ids=lambda played: f"{played.rules}, {played.unit}")
def test_a_seat_plays_the_shared_episodes(played: Played) -> None:
    seat, script = 1, Script(played.moves)
    env: Any = SeatEnv(
        played.rules, played.players, unit=played.unit, hand=played.hand, bots=script, seat=seat
    )
    for number in range(played.episode + 1):
        script.begun = number == played.episode
        _, info = env.reset(seed=None if number else played.seed)
    rewards = []
    for legal in (
        legal for at, legal in zip(played.to_act, played.legal, strict=True) if at == seat
    ):
        places = colour_places(env._table.position, seat)
        shown = info["action_mask"].nonzero()[0].tolist()
        assert sorted(actual_move(action, places) for action in shown) == legal
        _, reward, over, _, info = env.step(canonical_move(script.next(), places))
        rewards.append(reward)
    assert over
    assert rewards == [0.0] * (len(rewards) - 1) + [
        pytest.approx(played.rewards[seat % len(played.rewards)])
    ]


def test_bots_of_the_library_and_custom_ones_play() -> None:
    class Last:
        name = "last"

        def choose(self, view: rage.View, budget: object = None) -> rage.Move:
            return view.legal_moves[-1]

    for bots in ("easy", ["steady", Random(1), Last()], ["easy", "random", "steady"]):
        env = make("rage/Game-v0", rules="poof+schedule:2.1", bots=bots, seat=3)
        first = episode(env, random.Random(1), seed=1)
        if bots == "easy":
            assert data_equivalence(first, episode(env, random.Random(1), seed=1))


def test_a_bot_answers_for_an_illegal_move() -> None:
    class Wrong:
        name = "wrong"

        def choose(self, view: rage.View, budget: object = None) -> str:
            return "+"

    env = make(bots=Wrong())
    with pytest.raises(rage.NotAllowed, match="wrong"):
        env.reset(seed=FIRST_BOT)


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"bots": "nobody"}, "nobody"),
        ({"bots": ["steady"]}, "1 for 3 other seats"),
        ({"seat": 4}, "seat is one from 0 to 3, not 4"),
    ],
)
def test_arguments_are_checked(wrong: dict[str, Any], why: str) -> None:
    with pytest.raises((ValueError, rage.NotReadable), match=why):
        SeatEnv(**wrong)


def test_an_illegal_move_loses_the_episode_with_the_reason() -> None:
    env = make()
    env.reset(seed=1)
    _, reward, over, _, info = env.step(0)
    assert (reward, over, info["illegal"]) == (-40, True, "Bids come first: bid 0 to 10.")
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)


def test_an_environment_can_be_copied_and_pickled_under_way() -> None:
    env = make(bots=["easy", "random", "steady"]).unwrapped
    _, info = env.reset(seed=1)
    env.step(choose(info, random.Random(1)))
    ends = []
    for each in (copy.deepcopy(env), pickle.loads(pickle.dumps(env)), env):
        rng, over, reward, mask = random.Random(2), False, 0.0, each.action_masks()
        while not over:
            _, reward, over, _, info = each.step(int(rng.choice(mask.nonzero()[0])))
            mask = info["action_mask"]
        ends.append(reward)
    assert ends == [ends[0]] * 3


def test_a_learner_that_asks_for_masks_learns() -> None:
    """By the convention of sb3-contrib: the mean result of each bid, and any card."""
    env = make(bots="random", hand=8)
    rng = random.Random(1)
    totals, counts = np.zeros(128), np.full(128, 1e-9)
    rewards = []
    for number in range(900):
        env.reset(seed=1 if number == 0 else None)
        masks = env.get_wrapper_attr("action_masks")()
        assert masks.dtype == np.bool_
        means = np.where(masks, totals / counts, -np.inf)
        bid = rng.choice(masks.nonzero()[0]) if number < 400 else means.argmax()
        action, over, reward = bid, False, 0.0
        while not over:
            _, reward, over, _, _ = env.step(action)
            action = rng.choice(env.get_wrapper_attr("action_masks")().nonzero()[0])
        totals[bid] += reward
        counts[bid] += 1
        rewards.append(reward)
    assert np.mean(rewards[400:]) > np.mean(rewards[:400]) + 1


# --- many tables ---------------------------------------------------------------------------


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("illegal", [False, True])
def test_many_tables_are_like_single_ones(mode: AutoresetMode, illegal: bool) -> None:
    one = {"vectorization_mode": "sync", "vector_kwargs": {"autoreset_mode": mode}}
    pair = (make_vec(1, hand=2, **one), make_vec(1, hand=2, autoreset_mode=mode.value))
    rng = random.Random(4)
    shown: Any = [envs.reset(seed=6) for envs in pair]
    for number in range(12):
        assert data_equivalence(*shown)
        mask = shown[0][-1]["action_mask"][0]
        wrong = illegal and number % 5 == 3
        action = int(rng.choice((mask == (not wrong)).nonzero()[0])) if not mask.all() else 0
        shown = [envs.step(np.array([action])) for envs in pair]
        if mode == AutoresetMode.DISABLED and shown[0][2].any():
            chosen = {"reset_mask": np.array([True])}
            shown = [envs.reset(options=dict(chosen)) for envs in pair]


def test_only_chosen_tables_begin_again() -> None:
    envs = make_vec(3, autoreset_mode="Disabled")
    rows, _ = envs.reset(seed=1)
    chosen = np.array([False, True, False])
    again, _ = envs.reset(options={"reset_mask": chosen})
    assert ((rows == again).all(axis=1) == ~chosen).all()


def test_the_spaces_hold_what_is_returned_and_nothing_is_shared() -> None:
    envs = make_vec(5, rules="amigo", players=5, hand=3, seat=4)
    rows, infos = envs.reset(seed=1)
    envs.action_space.seed(1)
    kept: list[Any] = [(rows, infos)]
    for _ in range(9):
        assert rows in envs.observation_space
        actions = envs.action_space.sample(mask=tuple(infos["action_mask"]))
        rows, rewards, ends, cut, infos = envs.step(actions)
        assert (rewards.shape, ends.shape, cut.any()) == ((5,), (5,), np.False_)
        kept.append((rows, infos))
    assert not any(np.shares_memory(a[0], b[0]) for a, b in pairwise(kept))


def test_all_tables_render() -> None:
    envs = make_vec(2, render_mode="rgb_array", hand=2)
    envs.reset(seed=1)
    frames = envs.render()
    assert len(frames) == 2
    assert frames[0].dtype == np.uint8


def test_bots_that_need_views_are_for_single_environments() -> None:
    with pytest.raises(ValueError, match="bots is one of 'steady', 'random', not 'easy'"):
        make_vec(2, bots="easy")
    envs = make_vec(2, bots="easy", hand=1, vectorization_mode="sync")
    envs.reset(seed=1)


def test_without_the_libraries_the_rest_of_the_package_works() -> None:
    program = (
        "import sys; sys.modules.update(gymnasium=None, pettingzoo=None); "
        "import rage.envs; print(rage.envs.Tables('poof', 2, 1).reset().to_act.shape)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "(2,)\n"
