"""A table whose last events are missing or cannot be read: it is opened as it was before them, and
goes on once its host wants."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from random import Random

import pytest

from rage.place.hub import Hub
from rage.place.room.loading import load
from rage.place.store import BrokenTable
from rage.say import NotAllowed
from rage.server.app import STORE
from rage.server.postgres import PostgresStore, postgres_store
from rage.table import Chat, GoOn, Start, TakeHost
from server.postgres import cluster
from server.recording import RecordingClient, connect, create_table, hub_on, hub_with

#: What is done to the events of a table, so that its 17th is the last before a gap.
DAMAGE = {
    "missing": "DELETE FROM events WHERE seq IN (18, 19)",
    "not JSON": "UPDATE events SET data = 'broken' WHERE seq = 18",
    "nonsense": "UPDATE events SET data = "
    """'{"seq":18,"at":0,"type":"played","ply":99,"seat":0,"move":"R99"}' WHERE seq = 18""",
    "and no snapshot": "UPDATE events SET data = 'broken' WHERE seq = 18;"
    " INSERT INTO snapshots (table_id, seq, dropped, data)"
    " SELECT table_id, 20, 0, 'broken' FROM tables",
}


class House:
    """A store of some kind, and the hubs that are opened on it one after the other."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.kind, self.folder = kind, folder

    @asynccontextmanager
    async def hub(self) -> AsyncIterator[Hub]:
        """One of them."""
        if self.kind == "sqlite":
            hub = hub_on(self.folder)
        else:
            hub = hub_with(await postgres_store(await cluster().url(self.folder.name)))
        yield hub
        await hub.close()

    async def execute(self, script: str) -> None:
        """Change what is stored."""
        if self.kind == "sqlite":
            with closing(sqlite3.connect(self.folder / STORE)) as connection:
                connection.executescript(script.replace("'broken'", "X'78'"))
            return
        store = await postgres_store(await cluster().url(self.folder.name), serves=False)
        assert isinstance(store, PostgresStore)
        await store._readers.execute(script.replace("'broken'", "'broken'::bytea"))
        await store.close()


@pytest.fixture(params=["sqlite", "postgres"])
def house(request: pytest.FixtureRequest, tmp_path: Path) -> House:
    return House(request.param, tmp_path)


async def play(hub: Hub, code: str, people: list[RecordingClient], moves: int) -> None:
    """Make some random moves."""
    rng = Random(7)
    for _ in range(moves):
        mover = next(each for each in people if each.turn is not None)
        await hub.do(code, mover.choice(rng), mover.person)


async def begin(hub: Hub) -> tuple[str, list[RecordingClient]]:
    """A table where two people have made ten moves."""
    code = await create_table(hub, "ann", "ben")
    people = [await connect(hub, code, name) for name in ("ann", "ben")]
    await hub.do(code, Start(), "ann")
    await play(hub, code, people, 10)
    return code, people


@pytest.mark.parametrize("damage", DAMAGE)
async def test_a_table_is_opened_up_to_a_gap_and_goes_on(house: House, damage: str) -> None:
    """Everybody is told, nothing is decided before the host goes on, and then all is as if the rest
    had never been, also after the next start."""
    async with house.hub() as hub:
        code, (ann, _) = await begin(hub)
        last = ann.seq
    await house.execute(DAMAGE[damage])
    async with house.hub() as hub:
        ann, _ = people = [await connect(hub, code, name, last) for name in ("ann", "ben")]
        for each in people:
            (told,) = each.messages
            assert (told["seq"], told["table"]["gap"], told.get("turn")) == (17, last - 17, None)
        for command, person in ((Start(), "ann"), (TakeHost(), "ben"), (GoOn(), "ben")):
            with pytest.raises(NotAllowed):
                await hub.do(code, command, person)
        await hub.do(code, Chat("what now?"), "ben")
        await hub.rooms[code].automation.do_what_is_due()
        await hub.do(code, GoOn(), "ann")
        for each in people:
            told = next(one for one in reversed(each.messages) if one["type"] == "table")
            assert (told["seq"], told["lost"], told["table"]["gap"]) == (18, last - 17, 0)
        with pytest.raises(NotAllowed, match="Nothing is missing"):
            await hub.do(code, GoOn(), "ann")
        await play(hub, code, people, 10)
        seen = await connect(hub, code, "ben", last - 1)  # perhaps of what is lost
        assert seen.messages[0]["type"] == "table"
        last = ann.seq
    async with house.hub() as hub:
        assert (await hub.table(code)).seq >= last
        assert await hub.services.store.problems() == []


async def test_any_player_lets_the_table_go_on_while_the_host_is_not_connected(
    house: House,
) -> None:
    async with house.hub() as hub:
        code, _ = await begin(hub)
    await house.execute(DAMAGE["missing"])
    async with house.hub() as hub:
        ben = await connect(hub, code, "ben")
        with pytest.raises(NotAllowed):
            await hub.do(code, GoOn(), "eve")
        await hub.do(code, GoOn(), "ben")
        assert ben.messages[-1]["table"]["gap"] == 0


async def test_an_event_of_a_newer_version_is_no_gap(house: House) -> None:
    """Another server can read it, so nobody here may throw it away."""
    async with house.hub() as hub:
        code, _ = await begin(hub)
    await house.execute(
        'UPDATE events SET data = \'{"seq":18,"at":0,"type":"invented"}\' WHERE seq = 18'
    )
    async with house.hub() as hub:
        with pytest.raises(BrokenTable):
            await load(hub.services.store, code)
