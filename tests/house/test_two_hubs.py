"""Two hubs on one store, as two processes will be: the first to store an event is right, and both
tell their clients everything, without gaps."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from house.recording import RecordingClient, connect, create_table, hub_on, hub_with, read_on
from rage.house.store import Conflict
from rage.house.tables.hub import Hub
from rage.say import NotAllowed
from rage.server.postgres.store import postgres_store
from rage.table import Chat, GiveSeat, LookAt, Rematch, ShowHand, Start, Watch
from server.postgres import cluster
from server.running import PATIENCE


@pytest.fixture(params=["sqlite", "postgres"])
async def hubs(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[tuple[Hub, Hub]]:
    """Two hubs on one file, or on one PostgreSQL."""
    if request.param == "sqlite":
        both = hub_on(tmp_path), hub_on(tmp_path)
    else:
        url = await cluster().url(tmp_path.name)
        both = hub_with(await postgres_store(url)), hub_with(await postgres_store(url))
        for hub in both:
            hub.services.store.claim = unclaimed  # type: ignore[method-assign]
    yield both
    for hub in both:
        await hub.close()


async def unclaimed(table: str) -> None:
    """Nobody has the table, so that two may write."""


async def play_out(
    pairs: list[tuple[RecordingClient, Hub]], code: str, rng: Random, hints: float
) -> None:
    """Until the game is over: the player whose turn it is moves, at their own hub. The
    other hub hears of it with a probability of ``hints``, or by and by."""
    while not all(
        any(f["type"] == "game_over" for f in recorder.facts.values()) for recorder, _ in pairs
    ):
        for recorder, hub in pairs:
            if recorder.turn is not None:
                with contextlib.suppress(NotAllowed):  # told meanwhile that it has passed
                    await hub.do(code, recorder.choice(rng), recorder.person)
            if rng.random() < hints:
                await read_on(hub, code)
        await asyncio.sleep(0.002)


@pytest.mark.parametrize("hints", [1.0, 0.3])
async def test_a_game_over_two_hubs(hubs: tuple[Hub, Hub], hints: float) -> None:
    """With bots that both hubs let play, and people who talk at both at once."""
    rng = Random(3)
    one, other = hubs
    async with asyncio.timeout(PATIENCE):
        code = await create_table(one, "ann", "ben", players=4, rules="poof+schedule:3.2")
        pairs = [
            (await connect(one, code, "ann"), one),
            (await connect(other, code, "ben"), other),
        ]
        watcher = await connect(other, code, "eve")
        await other.do(code, Watch("Eve"), "eve")
        await one.do(code, Start("random"), "ann")
        await read_on(other, code)
        talking = [
            asyncio.ensure_future(talk(hub, code, recorder.person))
            for recorder, hub in pairs
            for _ in range(3)
        ]
        await play_out([*pairs, (watcher, other)], code, rng, hints)
        await asyncio.gather(*talking)
        for hub in (one, other):
            await read_on(hub, code)
        stored = [len(await hub.services.store.events(code)) for hub in (one, other)]
        for person in ("ann", "ben", "eve"):
            lines = one.rooms[code].table.chat_for(person)
            assert [line.number for line in lines] == list(range(1, 61))
            assert lines == other.rooms[code].table.chat_for(person)
        for recorder in (pairs[0][0], pairs[1][0], watcher):
            assert recorder.seq == stored[0] == stored[1]
        assert one.rooms[code].table.view_for("ben") == other.rooms[code].table.view_for("ben")


async def talk(hub: Hub, code: str, person: str) -> None:
    for _ in range(10):
        await hub.do(code, Chat(preset="hello"), person)


async def test_the_loser_of_a_race_is_told_their_turn(hubs: tuple[Hub, Hub]) -> None:
    """Both hubs let the same bot play. The frame of the second, which says that it is a person's
    turn, is thrown away; the one that is made of what the first has stored must say so, too."""
    one, other = hubs
    code = await create_table(one, "ann", players=2, rules="poof+schedule:2")
    await one.do(code, GiveSeat(1, bot="random"), "ann")
    recorder = await connect(other, code, "ann")
    real, raced = other.services.store.append, 0

    def late(append):  # type: ignore[no-untyped-def]  # whatever it is given
        """The other hub is always first with what a bot plays."""

        async def then() -> None:
            nonlocal raced
            if any(b'"by":"bot"' in row.data for row in append.rows):
                raced += 1
                await store_first(one, append)
            await real(append)

        return then()

    other.services.store.append = late  # type: ignore[method-assign]
    await other.do(code, Start(), "ann")
    rng = Random(1)
    async with asyncio.timeout(PATIENCE):
        while not any(fact["type"] == "game_over" for fact in recorder.facts.values()):
            if recorder.turn is not None:
                await other.do(code, recorder.choice(rng), "ann")
            await asyncio.sleep(0.001)
    assert raced >= 3


async def store_first(hub: Hub, append: object) -> None:
    with contextlib.suppress(Conflict):
        await hub.services.store.append(append)  # type: ignore[arg-type]  # an Append


async def test_what_cannot_be_told_late_is_told_as_the_whole_table(hubs: tuple[Hub, Hub]) -> None:
    """Another seat to look at, and a rematch: at the other hub, which did not know of it."""
    one, other = hubs
    code = await create_table(one, "ann", "ben", rules="poof+schedule:1")
    eve = await connect(other, code, "eve")
    await other.do(code, Watch("Eve"), "eve")
    await read_on(one, code)
    await one.do(code, ShowHand(True), "ann")
    await one.do(code, LookAt(0), "eve")
    await one.do(code, Start(), "ann")
    await read_on(other, code)
    assert eve.messages[-1]["type"] == "table"
    view = one.rooms[code].table.game_view("ann")
    assert view is not None
    assert eve.messages[-1]["table"]["game"]["hand"] == view.as_data()["hand"]
    recorders = [await connect(one, code, person) for person in ("ann", "ben")]
    await play_out([(recorder, one) for recorder in recorders], code, Random(2), 0)
    await one.do(code, Rematch(), "ann")
    await read_on(other, code)
    assert eve.messages[-1]["table"]["phase"] == "gathering"
