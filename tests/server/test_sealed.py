"""Sealed bids on a server: durable, changeable, and nobody but their bidder can tell one from
another, nor whether it was changed."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from house.recording import RecordingClient, connect, create_table, hub_on, read_on
from rage.house.store import Conflict
from rage.house.store.sqlite import SqliteStore
from rage.house.tables import hub as hubs
from rage.house.tables import room as rooms
from rage.house.tables import services
from rage.house.tables.hub import Hub
from rage.house.tables.summary import write_summary
from rage.rules.values import Move
from rage.say import NotAllowed
from rage.server.stores import STORE
from rage.table import ChangeBid, LookAt, Play, ShowHand, Start, Watch
from rage.table.authority import BotTurn
from server.conftest import Launch
from server.running import wait_until
from server.stored import count
from server.table_client import NAMES, connected, game_of

PEOPLE = ("ann", "ben", "cleo")


class Listener(RecordingClient):
    """A person who keeps every byte."""

    def __init__(self, person: str) -> None:
        super().__init__(person)
        self.bodies: list[bytes] = []

    def write(self, body: bytes) -> None:
        self.bodies.append(body)
        super().write(body)


class World:
    """A table on a hub of its own with three people, a bot, a spectator, one who looks into Cleo's
    hand, and one who looks on from outside. Nothing is left to chance but what people bid."""

    def __init__(self, hub: Hub, code: str) -> None:
        self.hub, self.code = hub, code
        self.listeners = {each: Listener(each) for each in (*PEOPLE, "eve", "olga", "outside")}
        self.counted: list[int] = []

    async def bid(self, person: str, bid: int) -> None:
        await self.hub.do(self.code, Play(self.ply(person), str(bid)), person)

    async def change(self, person: str, bid: int) -> None:
        await self.hub.do(self.code, ChangeBid(self.ply(person), str(bid)), person)

    def ply(self, person: str) -> int:
        table = self.hub.rooms[self.code].table
        seat = table.state.seat_of(person)
        assert seat is not None
        return table.ply_of(seat)

    async def told(self, person: str) -> Any:
        """All that has come to somebody, and what anybody can find out otherwise."""
        room = self.hub.rooms[self.code]
        rejoined = [await connect(self.hub, self.code, "eve", since) for since in (None, 5)]
        assert room.summary is not None
        return (
            self.listeners[person].bodies,
            [each.messages for each in rejoined],
            write_summary(room.summary),
            self.hub.services.counts,
            room.log.due_at,
            self.counted,
        )


async def world(folder: Path, monkeypatch: pytest.MonkeyPatch, mode: str) -> World:
    folder.mkdir()
    monkeypatch.setattr(services, "new_seed", lambda: bytes(range(16)))
    monkeypatch.setattr(hubs, "new_code", lambda: "abcdefgh")
    hub = hub_on(folder, now=lambda: 2_000_000_000_000)
    code = await create_table(hub, *PEOPLE, players=4, rules=f"poof+{mode}-bids")
    found = World(hub, code)
    for each in ("eve", "olga"):
        await hub.do(code, Watch(each.title()), each)
    await hub.do(code, ShowHand(True), "cleo")
    await hub.do(code, LookAt(2), "olga")
    for listener in found.listeners.values():
        await (await hub.room(code)).enter(listener.client, None)
    assert isinstance(hub.services.store, SqliteStore)
    hub.services.store.on_commit = lambda _, jobs: found.counted.append(jobs)
    await hub.do(code, Start("random"), "ann")
    await wait_until(lambda: bool(hub.rooms[code].table.state.sealed))  # the bot
    return found


@pytest.mark.parametrize("mode", ["hidden", "secret"])
async def test_nobody_can_tell_what_another_has_sealed_or_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    """The same evening in two worlds, in which Ann bids otherwise, and in one of them changes her
    bid again and again: to everybody else it is the same, byte for byte, also what is counted."""
    monkeypatch.setattr(rooms, "ABSENCE_GRACE", 1e6)
    one = await world(tmp_path / "one", monkeypatch, mode)
    other = await world(tmp_path / "other", monkeypatch, mode)
    await one.bid("ann", 10)
    await other.bid("ann", 3)
    for bid in (4, 10, 4, 3):
        await one.change("ann", bid)
    for each in (one, other):
        await each.bid("cleo", 2)
    await one.change("ann", 0)
    assert one.hub.rooms[one.code].table.own_bid("ann") == 0
    for person in ("ben", "cleo", "eve", "olga", "outside"):
        assert await one.told(person) == await other.told(person), person
    for each in (one, other):
        await each.bid("ben", 1)
        assert not each.hub.rooms[each.code].table.has_sealed
        assert count(tmp_path / ("one" if each is one else "other"), "changed_bids", each.code) == 0
    if mode == "secret":
        for person in ("ben", "cleo", "eve", "olga"):
            assert await one.told(person) == await other.told(person), person
    bids = [each.hub.rooms[each.code].table.state.require_play().game for each in (one, other)]
    assert [game.rounds[-1].bids[0] for game in bids] == [0, 3]
    for each in (one, other):
        await each.hub.close()


async def test_those_who_see_the_cards_see_the_bid_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = await world(tmp_path / "one", monkeypatch, "hidden")
    await found.bid("cleo", 2)
    before = {person: len(each.bodies) for person, each in found.listeners.items()}
    await found.change("cleo", 9)
    after = {person: len(each.bodies) for person, each in found.listeners.items()}
    assert {person for person in after if after[person] > before[person]} == {"olga"}
    told = found.listeners["olga"].messages[-1]
    assert told["bid"] == 9
    assert not told["events"]
    again = await connect(found.hub, found.code, "cleo")
    assert again.messages[0]["table"]["game"]["rounds"][-1]["bids"][2] == 9
    await found.hub.close()


async def test_no_bot_waits_for_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hub = hub_on(tmp_path)
    never = asyncio.get_running_loop().create_future()
    slow = 1

    async def choose(turn: BotTurn, _asker: object) -> Move:
        await asyncio.shield(never) if turn.seat == slow else None
        return turn.view.legal_moves[0]

    monkeypatch.setattr(hub.services, "choose", choose)
    code = await create_table(hub, "ann", players=5, rules="poof+secret-bids")
    await connect(hub, code, "ann")
    await hub.do(code, Start("random"), "ann")
    table = hub.rooms[code].table
    await wait_until(lambda: set(table.state.sealed) == {2, 3, 4})
    assert table.bots_to_act == [slow]
    await hub.do(code, Play(table.ply_of(0), "1"), "ann")
    never.set_result(None)
    await wait_until(lambda: not table.has_sealed and not table.state.sealing)
    await hub.close()


async def test_a_bid_that_another_process_has_changed_is_the_one_that_counts(
    tmp_path: Path,
) -> None:
    """It is no event, by whose number the other process would notice."""
    one, other = hub_on(tmp_path), hub_on(tmp_path)
    code = await create_table(one, *PEOPLE, rules="poof+secret-bids")
    await one.do(code, Start(), "ann")
    table = (await other.room(code)).table
    plies = [table.ply_of(seat) for seat in range(3)]
    await one.do(code, Play(plies[0], "1"), "ann")
    await one.do(code, Play(plies[1], "2"), "ben")
    await read_on(other, code)
    await one.do(code, ChangeBid(plies[0], "4"), "ann")
    await other.do(code, ChangeBid(plies[1], "5"), "ben")
    await one.do(code, ChangeBid(plies[0], "6"), "ann")
    await other.do(code, Play(plies[2], "3"), "cleo")
    for hub in (one, other):
        await read_on(hub, code)
        assert hub.rooms[code].table.state.require_play().game.rounds[-1].bids == (6, 5, 3)
    with pytest.raises(NotAllowed, match="too late"):
        await one.do(code, ChangeBid(plies[0], "7"), "ann")
    for hub in (one, other):
        await hub.close()


async def test_a_change_that_is_not_stored_has_not_happened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub = hub_on(tmp_path)
    code = await create_table(hub, *PEOPLE, rules="poof+secret-bids")
    await hub.do(code, Start(), "ann")
    ply = hub.rooms[code].table.ply_of(0)
    await hub.do(code, Play(ply, "1"), "ann")
    append = hub.services.store.append

    async def conflict(*_: object) -> None:
        raise Conflict

    monkeypatch.setattr(hub.services.store, "append", conflict)
    with pytest.raises(Exception, match="conflicts"):
        await hub.do(code, ChangeBid(ply, "4"), "ann")
    monkeypatch.setattr(hub.services.store, "append", append)
    assert (await hub.table(code)).own_bid("ann") == 1
    await hub.do(code, ChangeBid(ply, "4"), "ann")
    assert (await hub.table(code)).own_bid("ann") == 4
    await hub.close()


def test_sealed_bids_survive_a_kill(launch: Launch) -> None:
    """Between sealing, changing and the last bid."""
    server = launch()
    people = [server.someone(name) for name in NAMES[:3]]

    async def before() -> str:
        async with game_of(server.url, people, rules="poof+secret-bids") as clients:
            due = clients[0].due
            for client, bid in zip(clients[:2], "25", strict=True):
                await client.do("play", ply=client.due, move=bid)
            answer = await clients[0].do("change_bid", ply=due, move="10")
            assert answer["bid"] == 10
            assert not answer["events"]
            return clients[0].code

    code = asyncio.run(before())
    server.process.send_signal(signal.SIGKILL)
    server.process.wait()
    server = launch(data=server.data)

    async def after() -> None:
        async with contextlib.AsyncExitStack() as stack:
            clients = [
                await stack.enter_async_context(connected(server.url, code, each))
                for each in people
            ]
            for seat, bid in enumerate([10, 5, None]):
                game = clients[seat].table["game"]
                assert game["has_bid"] == [True, True, False]
                own = [bid if at == seat else None for at in range(3)]
                assert game["rounds"][-1]["bids"] == own
            await clients[2].do("play", ply=clients[2].due, move="0")
            await clients[0].fact("played")

    asyncio.run(after())
    assert count(server.data, "changed_bids", code) == 0
    with closing(sqlite3.connect(server.data / STORE)) as connection:
        rows = connection.execute("SELECT data FROM events WHERE table_id = ?", (code,)).fetchall()
    facts = [json.loads(row[0]) for row in rows]
    bids = {fact["seat"]: fact["move"] for fact in facts if fact["type"] == "played"}
    assert bids == {0: "10", 1: "5", 2: "0"}
