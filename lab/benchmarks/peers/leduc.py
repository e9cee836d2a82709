"""Pgx's leduc_holdem with random legal moves, on one thread: a worker of the benchmarks.

Reads and answers the lines of `lab/benchmarks/tasks.py`, but in an environment of its own, with the
packages of `leduc.txt` and without Rage. A task is a batch size.
"""

from __future__ import annotations

import json
import os
import sys
from functools import cache
from time import process_time
from typing import Any

os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import pgx
from pgx.experimental import auto_reset

STEPS = 50  # in one call


@cache
def game(batch: int) -> tuple[Any, Any]:
    """A function that plays, compiled, and the states with which it begins."""
    env = pgx.make("leduc_holdem")
    step = jax.vmap(auto_reset(env.step, env.init))

    def one(_: Any, carry: Any) -> Any:
        state, key = carry
        key, choice, chance = jax.random.split(key, 3)
        moves = jax.random.categorical(choice, jnp.log(state.legal_action_mask), axis=-1)
        return step(state, moves, jax.random.split(chance, batch)), key

    play = jax.jit(lambda carry: jax.lax.fori_loop(0, STEPS, one, carry))
    key = jax.random.PRNGKey(0)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, batch))
    return play, jax.block_until_ready(play((state, key)))


def run(batch: int, size: int) -> tuple[int, float]:
    """The steps of ``size`` calls, and the processor time that they took."""
    play, carry = game(batch)
    started = process_time()
    for _ in range(size):
        carry = jax.block_until_ready(play(carry))
    return STEPS * batch * size, process_time() - started


print(json.dumps({"pgx": pgx.__version__}), flush=True)
for line in sys.stdin:
    wanted = json.loads(line)
    steps, seconds = run(int(wanted["task"]), wanted["size"])
    print(json.dumps({"moves": steps, "seconds": seconds, "digest": None}), flush=True)
