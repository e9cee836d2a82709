"""Turns at a table: one at a time, first come, first served, even if some give up meanwhile."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from rage.house.tables.turns import TurnQueue


def test_a_turn_can_be_had_where_there_is_no_event_loop() -> None:
    turns = TurnQueue()
    assert turns.try_acquire()
    turns.release()


def test_a_turn_that_nobody_has_cannot_end() -> None:
    with pytest.raises(RuntimeError):
        TurnQueue().release()


async def test_never_two_at_once_and_first_come_first_served_whatever_happens() -> None:
    """Also where those who wait give up, just before their turn or when it has come."""
    rng, turns = Random(1), TurnQueue()
    inside, most = 0, 0
    had = list[int]()

    async def one(number: int) -> None:
        nonlocal inside, most
        async with turns:
            inside += 1
            most = max(most, inside)
            had.append(number)
            try:
                for _ in range(rng.randrange(3)):
                    await asyncio.sleep(0)
            finally:
                inside -= 1

    tasks = []
    for number in range(2000):
        tasks.append(asyncio.create_task(one(number)))
        if rng.random() < 0.5:
            await asyncio.sleep(0)
        if rng.random() < 0.3:
            rng.choice(tasks).cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert most == 1
    assert len(had) > 1000
    assert had == sorted(had)
    assert not turns.locked
