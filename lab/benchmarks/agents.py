"""The work of the benchmarks that play through PettingZoo and Gymnasium, as users do."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import process_time
from typing import Any, Final

#: The tables of a vector environment.
TABLES: Final = 1024
#: The steps of a unit of work there: a round of ten cards, and the next deal.
STEPS: Final = 12


def pettingzoo_rounds(size: int, seed: int) -> tuple[int, float]:
    """``size`` rounds of ten cards with four agents: the steps, and the processor time."""
    import pettingzoo

    import rage.envs  # noqa: F401  # registers

    return play_agents(pettingzoo.make("aec", "rage/Round-v0"), size, seed)


def play_agents(env: Any, size: int, seed: int) -> tuple[int, float]:
    """``size`` episodes of an AEC environment with random legal moves, as `peers/cards.py` plays
    them: the steps, and the processor time."""
    random, steps = Random(seed).random, 0
    started = process_time()
    for _ in range(size):
        env.reset()
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            action = None
            if not (terminated or truncated):
                legal = observation["action_mask"].nonzero()[0]
                action = int(legal[int(random() * len(legal))])
                steps += 1
            env.step(action)
    return steps, process_time() - started


def gymnasium_rounds(size: int, seed: int) -> tuple[int, float]:
    """``size`` rounds of one seat against three ``steady``: its steps, and the processor time."""
    import gymnasium

    import rage.envs  # noqa: F401  # registers

    env: Any = gymnasium.make("rage/Round-v0", bots="steady")
    random, steps = Random(seed).random, 0
    started = process_time()
    for _ in range(size):
        _, info = env.reset()
        terminated = False
        while not terminated:
            legal = info["action_mask"].nonzero()[0]
            _, _, terminated, _, info = env.step(int(legal[int(random() * len(legal))]))
            steps += 1
    return steps, process_time() - started


def gymnasium_tables(size: int, seed: int) -> tuple[int, float]:
    """``size`` rounds at each of 1,024 tables of a vector environment against three ``steady``."""
    import gymnasium
    import numpy as np

    import rage.envs  # noqa: F401  # registers

    envs: Any = gymnasium.make_vec(
        "rage/Round-v0", TABLES, vectorization_mode="vector_entry_point", bots="steady"
    )
    draws = np.random.default_rng(seed).random((STEPS, TABLES, 128), np.float32)
    _, infos = envs.reset(seed=seed)
    started = process_time()
    for number in range(STEPS * size):
        actions = (draws[number % STEPS] * infos["action_mask"]).argmax(1)
        _, _, _, _, infos = envs.step(actions)
    return STEPS * size * TABLES, process_time() - started


AGENT_TASKS: Final[dict[str, Callable[[int, int], tuple[int, float]]]] = {
    "envs-pettingzoo": pettingzoo_rounds,
    "envs-gymnasium": gymnasium_rounds,
    "envs-gymnasium-tables": gymnasium_tables,
}
