"""A table whose last events are missing or cannot be read: it is opened as it was before them, and
goes on once its host wants."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from random import Random

import pytest

from house.recording import RecordingClient, connect, create_table, hub_on, hub_with, play_out
from rage.house.operating.personal import erase
from rage.house.people.identity import Keys
from rage.house.store import BrokenTable
from rage.house.store.checking import checksum
from rage.house.tables.hub import Hub
from rage.house.tables.loading import load
from rage.say import NotAllowed
from rage.server.postgres.store import PostgresStore, postgres_store
from rage.server.stores import STORE
from rage.table import Chat, GoOn, Options, Ready, Rematch, Start, Table, TakeHost, Watch
from server.postgres import cluster

#: What is done to the events of a table, so that its 16th is the last before a gap.
DAMAGE = {
    "missing": "DELETE FROM events WHERE seq IN (17, 19)",
    "not JSON": "UPDATE events SET data = 'broken' WHERE seq = 17",
    "nonsense": "UPDATE events SET data = "
    """'{"seq":17,"at":0,"type":"played","ply":99,"seat":0,"move":"R99"}' WHERE seq = 17""",
    "half a trick": "UPDATE events SET data = 'broken' WHERE seq = 18",
    "and no snapshot": "UPDATE events SET data = 'broken' WHERE seq = 17;"
    " INSERT INTO snapshots (table_id, seq, dropped, data, crc)"
    " SELECT table_id, 20, 0, 'broken', 0 FROM tables",
}


@asynccontextmanager
async def opened_on(folder: Path) -> AsyncIterator[Hub]:
    """A hub on a file in a folder."""
    folder.mkdir(exist_ok=True)
    hub = hub_on(folder)
    yield hub
    await hub.close()


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


async def begin(hub: Hub) -> tuple[str, list[RecordingClient]]:
    """A table where two people have made ten moves."""
    code = await create_table(hub, "ann", "ben")
    people = [await connect(hub, code, name) for name in ("ann", "ben")]
    await hub.do(code, Start(), "ann")
    await play_out(hub, code, people, Random(7), 10)
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
            assert (told["seq"], told["table"]["gap"], told.get("turn")) == (16, last - 16, None)
        for command, person in ((Start(), "ann"), (TakeHost(), "ben"), (GoOn(), "ben")):
            with pytest.raises(NotAllowed):
                await hub.do(code, command, person)
        await hub.do(code, Chat("what now?"), "ben")
        await hub.rooms[code].automation.do_what_is_due()
        await hub.do(code, GoOn(), "ann")
        for each in people:
            told = next(one for one in reversed(each.messages) if one["type"] == "table")
            assert (told["seq"], told["lost"], told["table"]["gap"]) == (17, last - 16, 0)
        with pytest.raises(NotAllowed, match="Nothing is missing"):
            await hub.do(code, GoOn(), "ann")
        await play_out(hub, code, people, Random(7), 10)
        seen = await connect(hub, code, "ben", last - 1)  # perhaps of what is lost
        assert seen.messages[0]["type"] == "table"
        last = ann.seq
    async with house.hub() as hub:
        assert (await hub.table(code)).seq >= last
        assert await hub.services.store.problems() == []


@pytest.mark.parametrize("gone_on", [False, True])
async def test_nobody_who_is_erased_stays_in_lost_events(house: House, gone_on: bool) -> None:
    async with house.hub() as hub:
        code, _ = await begin(hub)
        await hub.do(code, Watch("Quastenflosser"), "somebody else")
    await house.execute(DAMAGE["missing"])
    async with house.hub() as hub:
        if gone_on:
            await hub.do(code, GoOn(), "ann")
        await erase(hub, Keys(bytes(32)), "somebody else")
        store = hub.services.store
        assert await store.traces_of(["somebody else", "Quastenflosser"]) == []
        assert (await hub.table(code)).state.gap == 0


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
    data = b'{"seq":18,"at":0,"type":"invented"}'
    what = f"X'{data.hex()}'" if house.kind == "sqlite" else f"'\\x{data.hex()}'"
    crc = checksum("events", code, 18, 0, data)
    await house.execute(f"UPDATE events SET data = {what}, at = 0, crc = {crc} WHERE seq = 18")
    async with house.hub() as hub:
        with pytest.raises(BrokenTable):
            await load(hub.services.store, code)


def _round(table: Table) -> int:
    found = table.state.require_play().game.round
    assert found is not None
    return found.number


async def test_wherever_the_gap_is_the_table_can_go_on(tmp_path: Path) -> None:
    """Also in the middle of what one command has caused: then before that command."""
    async with opened_on(tmp_path / "first") as hub:
        code = await create_table(hub, "ann", "ben", rules="poof", options=Options(between=None))
        people = [await connect(hub, code, name) for name in ("ann", "ben")]
        opened = people[0].seq
        await hub.do(code, Start(), "ann")
        rng, game = Random(3), hub.rooms[code]
        while game.table.phase != "over":
            if game.table.between is not None:
                for seat in (0, 1):
                    await hub.do(code, Ready(_round(game.table)), people[seat].person)
                continue
            mover = next(each for each in people if each.turn is not None)
            await hub.do(code, mover.choice(rng), mover.person)
        await hub.do(code, Rematch(), "ann")
        last = people[0].seq
    for number in rng.sample(range(opened, last + 1), 25):
        folder = tmp_path / str(number)
        shutil.copytree(tmp_path / "first", folder)
        with closing(sqlite3.connect(folder / STORE)) as connection:
            connection.execute("UPDATE events SET data = X'78' WHERE seq = ?", (number,))
            connection.execute("DELETE FROM snapshots")
            connection.commit()
        async with opened_on(folder) as hub:
            people = [await connect(hub, code, name) for name in ("ann", "ben")]
            await hub.do(code, GoOn(), "ann")
            table = hub.rooms[code].table
            assert number - 12 < table.seq <= number
            if table.phase == "gathering":
                await hub.do(code, Start(), "ann")
            assert table.phase in ("playing", "over")
            if table.phase == "over":
                await hub.do(code, Rematch(), "ann")
            elif table.between is None:
                await play_out(hub, code, people, Random(7), 1)
