"""A table with events that are missing or cannot be read: it is opened as it was before them, and
goes on once its host wants."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from random import Random

import pytest

from house.recording import RecordingClient, connect, create_table, hub_on, hub_with, play_out
from rage.cli import main
from rage.house.base.codes import NoTable
from rage.house.operating.personal import erase
from rage.house.people.identity import Keys
from rage.house.store import BrokenTable, Finished
from rage.house.store.checking import checksum
from rage.house.tables.hub import Hub
from rage.house.tables.loading import load
from rage.notation import deals_of, parse_record
from rage.say import NotAllowed
from rage.server.postgres.store import PostgresStore, postgres_store
from rage.server.stores import STORE
from rage.table import (
    Chat,
    Command,
    GoOn,
    Join,
    Options,
    Play,
    Ready,
    Rematch,
    Start,
    TakeHost,
    Watch,
)
from server.postgres import cluster

#: What is done to the events of a table, so that a gap begins with the 17th or 18th.
DAMAGE = {
    "missing": "DELETE FROM events WHERE seq IN (17, 19)",
    "not JSON": "UPDATE events SET data = 'broken' WHERE seq = 17",
    "nonsense": "UPDATE events SET data = "
    """'{"seq":17,"at":0,"type":"played","ply":99,"seat":0,"move":"R99"}' WHERE seq = 17""",
    "half a trick": "UPDATE events SET data = 'broken' WHERE seq = 18",
    "the last ones": "DELETE FROM events WHERE seq > 16",
    "and no snapshot": "UPDATE events SET data = 'broken' WHERE seq = 17;"
    " INSERT INTO snapshots (table_id, seq, dropped, data, crc)"
    " SELECT table_id, 20, 0, 'broken', 0 FROM tables",
}
#: The events with which a table is opened, and how many places of a gap are tried.
OPENED = 6
PLACES = 3


class House:
    """A store of some kind, and the hubs that are opened on it one after the other."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.kind, self.folder = kind, folder

    @asynccontextmanager
    async def hub(self) -> AsyncIterator[Hub]:
        """One of them."""
        if self.kind == "sqlite":
            self.folder.mkdir(exist_ok=True)
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
def kind(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


@pytest.fixture
def house(kind: str, tmp_path: Path) -> House:
    return House(kind, tmp_path)


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
            at = told["seq"]  # before the command that lacks an event
            assert 10 < at < 18
            assert (told["table"]["gap"], told.get("turn")) == (last - at, None)
        for command, person in ((Start(), "ann"), (TakeHost(), "ben"), (GoOn(), "ben")):
            with pytest.raises(NotAllowed):
                await hub.do(code, command, person)
        await hub.do(code, Chat("what now?"), "ben")
        await hub.rooms[code].automation.do_what_is_due()
        await hub.do(code, GoOn(), "ann")
        for each in people:
            told = next(one for one in reversed(each.messages) if one["type"] == "table")
            assert (told["seq"], told["lost"], told["table"]["gap"]) == (at + 1, last - at, 0)
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


@pytest.mark.parametrize("harm", ["DELETE FROM events", "UPDATE events SET data = 'broken'"])
async def test_what_a_snapshot_has_replaced_is_not_missed(
    house: House, harm: str, tmp_path: Path
) -> None:
    """The table is open and in a backup, and stays when somebody is erased. What follows the
    snapshot is missed, and so is the last event of all."""
    async with house.hub() as hub:
        code, _ = await begin(hub)
        await hub.do(code, Watch("Eve"), "eve")
    await house.execute(DAMAGE["missing"])
    async with house.hub() as hub:
        await hub.do(code, GoOn(), "ann")
    await house.execute(f"{harm} WHERE seq IN (9, 17)")
    source = ["--data", str(house.folder)]
    if house.kind != "sqlite":
        source = ["--store", await cluster().url(house.folder.name)]
    backup = ["backup", str(tmp_path.with_suffix(".sqlite")), *source]
    assert await asyncio.to_thread(main, backup) == 0
    async with house.hub() as hub:
        people = [await connect(hub, code, name, 8) for name in ("ann", "ben")]
        assert [each.messages[0]["type"] for each in people] == ["table", "table"]
        await play_out(hub, code, people, Random(7), 4)
        assert await hub.services.store.problems() == []
        first, last = people[0].messages[0]["seq"] + 1, people[0].seq
    assert await asyncio.to_thread(main, [*backup, "--force"]) == 0
    for seq in (last, first):
        await house.execute(f"{harm} WHERE seq = {seq}")
        assert await asyncio.to_thread(main, [*backup, "--force"]) == 1
    async with house.hub() as hub:
        await erase(hub, Keys(bytes(32)), "eve")
        assert {*(await hub.table(code)).state.guests} == {"ann", "ben"}


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


#: What is done to the events of a table from one number on; where the server was killed, no summary
#: says how many there were.
HARMS = {
    "missing": "DELETE FROM events WHERE seq = {0}",
    "unreadable": "UPDATE events SET data = 'broken' WHERE seq = {0}",
    "cut": "DELETE FROM events WHERE seq >= {0}",
    "cut and killed": "DELETE FROM events WHERE seq >= {0}; UPDATE tables SET summary = NULL",
    "and its games": "DELETE FROM events WHERE seq = {0}; DELETE FROM games",
}
RULES = ("poof+schedule:2.1", "poof+hidden-bids+schedule:2.1", "poof+secret-bids+schedule:2.1")


async def step(hub: Hub, code: str, rng: Random) -> None:
    """One thing that brings the game of a table forward, done by somebody who may do it."""
    table = hub.rooms[code].table
    state, person = table.state, table.state.host
    command: Command
    if table.phase in ("gathering", "over"):
        command = Start() if table.phase == "gathering" else Rematch()
    elif table.between is not None:
        command = Ready(state.require_play().game.rounds[-1].number)
        person = state.seats[rng.choice(state.unready)].person
    else:
        seat = rng.choice([at for at in range(len(state.seats)) if state.is_awaited(at)])
        move = rng.choice(state.require_play().game.legal_moves)
        command, person = Play(table.ply_of(seat), str(move)), state.seats[seat].person
    await hub.do(code, command, person)


async def finish(hub: Hub, code: str, rng: Random) -> None:
    """Play until a game, or another one, is over."""
    await step(hub, code, rng)
    while hub.rooms[code].table.phase != "over":
        await step(hub, code, rng)


async def finished(hub: Hub, code: str) -> dict[int, Finished]:
    """The stored games of a table, by number."""
    found = [await hub.services.store.finished_game(code, number) for number in range(1, 9)]
    return {each.game: each for each in found if each is not None}


def seeds(games: dict[int, Finished]) -> set[bytes]:
    """The seeds of games, which everybody can read."""
    dealers = [deals_of(parse_record(each.record)) for each in games.values()]
    return {each.seed for each in dealers if each is not None}


async def come_back(hub: Hub, code: str, rng: Random, last: int) -> None:
    """Two people come back who have seen all up to event ``last``. If some of it is lost, both are
    told, and the host lets the table go on; then a game can be played to its end."""
    people = [await connect(hub, code, name, last) for name in ("ann", "ben")]
    state = hub.rooms[code].table.state
    gap, here = state.gap, [each for each in people if each.person in state.guests]
    for each in people:
        told = each.messages[0]
        assert told["type"] == ("table" if gap else told["type"])
        assert told.get("table", {"gap": 0})["gap"] == gap
    if gap:
        await hub.do(code, GoOn(), "ann")
        for each in here:
            told = next(one for one in reversed(each.messages) if one["type"] == "table")
            assert (told["lost"], told["table"]["gap"]) == (gap, 0)
    for each in people:
        if hub.rooms[code].table.state.seat_of(each.person) is None:  # half a command
            await hub.do(code, Join(each.person.title()), each.person)
    await finish(hub, code, rng)


@pytest.mark.parametrize("harm", HARMS)
async def test_wherever_the_gap_is_play_goes_to_the_end(
    kind: str, harm: str, tmp_path: Path
) -> None:
    """Also in the middle of what one command has caused, and in a game that is over: that stays
    as it is, and nobody plays the hands again that it has shown. And then once more."""
    rng = Random(harm)
    for number in range(PLACES):
        house = House(kind, tmp_path / f"{tmp_path.name}_{number}")
        async with house.hub() as hub:
            options = Options(between=rng.choice((None, 0)))
            code = await create_table(hub, "ann", "ben", rules=rng.choice(RULES), options=options)
            await finish(hub, code, rng)
            for _ in range(rng.randrange(9)):
                await step(hub, code, rng)
            last, known = hub.rooms[code].table.seq, await finished(hub, code)
        for _ in range(2):
            place = rng.randrange(1, last + 1)
            await house.execute(HARMS[harm].format(place))
            async with house.hub() as hub:
                before = await finished(hub, code)
                try:
                    await come_back(hub, code, rng, last)
                except (BrokenTable, NoTable):
                    assert place <= OPENED
                    break
                after = await finished(hub, code)
                assert after.items() >= before.items()
                assert len(after) > len(before)
                new = {each: game for each, game in after.items() if each not in before}
                assert seeds(new).isdisjoint(seeds(known))
                assert await hub.services.store.problems() == []
                last, known = hub.rooms[code].table.seq, known | after
