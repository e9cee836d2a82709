"""Card games of others with random legal moves: a worker of the benchmarks.

Reads and answers the lines of `lab/benchmarks/tasks.py`, but in an environment of its own, with the
packages of `cards.txt` and without Rage. A task is a game.
"""

from __future__ import annotations

import json
import sys
from functools import cache
from random import Random
from time import process_time
from typing import Any

import pettingzoo
import rlcard
from rlcard.agents import RandomAgent


@cache
def hanabi_env() -> Any:
    """PettingZoo's hanabi as it is made, in its wrappers."""
    return pettingzoo.make("aec", "classic/hanabi-v5")


@cache
def bridge_env() -> Any:
    """RLCard's bridge with four random agents."""
    env = rlcard.make("bridge")
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])
    return env


def hanabi(size: int, seed: int) -> tuple[int, float]:
    """The steps of ``size`` games, played as `lab/benchmarks/agents.py` does, and the processor
    time that they took."""
    env, random, steps = hanabi_env(), Random(seed).random, 0
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


def bridge(size: int, seed: int) -> tuple[int, float]:
    """The steps of ``size`` deals by ``env.run``, and the processor time that they took."""
    env, steps = bridge_env(), 0
    started = process_time()
    for _ in range(size):
        trajectories, _ = env.run(is_training=False)
        steps += sum(len(each) // 2 for each in trajectories)  # a state, an action, a state, ...
    return steps, process_time() - started


GAMES = {"hanabi": hanabi, "bridge": bridge}
print(json.dumps({"pettingzoo": pettingzoo.__version__, "rlcard": rlcard.__version__}), flush=True)
for line in sys.stdin:
    wanted = json.loads(line)
    steps, seconds = GAMES[wanted["task"]](wanted["size"], wanted["seed"])
    print(json.dumps({"moves": steps, "seconds": seconds, "digest": None}), flush=True)
