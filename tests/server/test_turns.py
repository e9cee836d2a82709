"""Turns at a table: one at a time, first come, first served, even if some give up meanwhile."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from rage.place.room.turns import TurnQueue


async def waiting(turns: TurnQueue, name: str, order: list[str]) -> asyncio.Task[None]:
    """Somebody who has come for a turn, and ends it only after a while."""

    async def take() -> None:
        async with turns:
            order.append(name)
            await asyncio.sleep(0)

    task = asyncio.create_task(take())
    await asyncio.sleep(0)
    return task


def test_a_turn_can_be_had_where_there_is_no_event_loop() -> None:
    turns = TurnQueue()
    assert turns.try_acquire()
    turns.release()


async def test_a_cancelled_waiter_is_passed_over() -> None:
    turns, order = TurnQueue(), list[str]()
    assert turns.try_acquire()
    tasks = [await waiting(turns, name, order) for name in "abc"]
    tasks[0].cancel()
    tasks[1].cancel()
    turns.release()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert order == ["c"]
    assert not turns.locked


async def test_all_waiters_are_cancelled() -> None:
    turns, order = TurnQueue(), list[str]()
    assert turns.try_acquire()
    task = await waiting(turns, "a", order)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    turns.release()
    assert not turns.locked


async def test_a_waiter_cancelled_just_when_its_turn_comes_hands_it_on() -> None:
    turns, order = TurnQueue(), list[str]()
    assert turns.try_acquire()
    tasks = [await waiting(turns, name, order) for name in "ab"]
    turns.release()  # to the first, who has not gone on yet
    tasks[0].cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert order == ["b"]
    assert not turns.locked


def test_a_turn_that_nobody_has_cannot_end() -> None:
    with pytest.raises(RuntimeError):
        TurnQueue().release()


async def test_never_two_at_once_whatever_happens() -> None:
    rng, turns = Random(1), TurnQueue()
    inside, most, had = 0, 0, 0

    async def one() -> None:
        nonlocal inside, most, had
        async with turns:
            inside += 1
            most, had = max(most, inside), had + 1
            try:
                for _ in range(rng.randrange(3)):
                    await asyncio.sleep(0)
            finally:
                inside -= 1

    tasks = []
    for _ in range(2000):
        tasks.append(asyncio.create_task(one()))
        if rng.random() < 0.5:
            await asyncio.sleep(0)
        if rng.random() < 0.3:
            rng.choice(tasks).cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert most == 1
    assert had > 1000
    assert not turns.locked
