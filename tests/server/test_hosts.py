"""Who may take the place of a host whose connection drops, over real sockets."""

from __future__ import annotations

import time
from pathlib import Path

import httpx
import pytest

from rage.place import hub
from rage.place.room import room
from rage.server.config import Config
from rage.table.hosts import HOST_GRACE
from server.inside import server_in_process
from server.running import Running, open_table, people
from server.table_client import TableClient, connected, sit_down, start


def person_of(client: httpx.Client) -> str:
    """The person who has this client's cookie."""
    person: str = client.get("/api/me").json()["person"]
    return person


async def begun(ann: TableClient, ben: TableClient, eve: TableClient) -> None:
    """Ben sits down, Eve watches, and Ann, the host, lets the game begin."""
    await sit_down([ann, ben], eve)
    await start(ann, ben, eve, bot="random")


async def left_alone(watcher: TableClient) -> None:
    """Until a guest has been told that somebody is away, and how the table stands since."""
    fact = await watcher.fact("presence_set")
    assert not fact["present"]
    await watcher.send({"since": 0})
    await watcher.until(lambda message: message["type"] == "table")


async def test_a_hosts_poor_connection_gives_nobody_the_table(server: Running) -> None:
    """The host's connection drops: a guest can neither be host, nor keep the host out, nor get a
    seat and see its cards."""
    a, b, e = (server.someone(name) for name in ("Ann", "Ben", "Eve"))
    code = open_table(a, "poof+schedule:3", players=3, bots=[None, "random"])
    async with connected(server.url, code, b) as ben, connected(server.url, code, e) as eve:
        async with connected(server.url, code, a) as ann:
            await begun(ann, ben, eve)
        await left_alone(eve)
        await left_alone(ben)
        assert await eve.refusal_code("take_host") == "table.host_seated"
        assert await ben.refusal_code("take_host") == "table.host_grace"
        for guest in (ben, eve):
            assert await guest.refusal_code("remove", person=person_of(a)) == "table.host_only"
            barred = await guest.refusal_code("remove", person=person_of(a), bar=True)
            assert barred == "table.host_only"
            for seat in (0, 2):
                given = await guest.refusal_code("give_seat", seat=seat, person=person_of(e))
                assert given == "table.host_only"
        assert eve.table["game"]["hand"] == ""
        assert eve.table["me"]["host_free_at"] is None
        assert ben.table["me"]["host_free_at"] is not None
        async with connected(server.url, code, a) as ann:
            assert ann.table["host"] == person_of(a)
            assert (await ann.do("pause"))["type"] != "refused"


async def test_the_owner_comes_back_to_their_own_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever was host meanwhile could not send the owner away, nor give seats without asking."""
    monkeypatch.setattr(room, "ABSENCE_GRACE", 0.1)
    ahead = 0
    monkeypatch.setattr(hub, "_clock", lambda: int(time.time() * 1000) + ahead)
    with (
        server_in_process(Config(tmp_path / "data", bot_delay=0)) as (url, _, _),
        people(url, "Ann", "Ben", "Eve") as (a, b, e),
    ):
        code = open_table(a, "poof+schedule:3", players=3, bots=[None, "random"])
        async with connected(url, code, b) as ben, connected(url, code, e) as eve:
            async with connected(url, code, a) as ann:
                await begun(ann, ben, eve)
            await left_alone(ben)
            assert await ben.refusal_code("take_host") == "table.host_grace"
            ahead = 1000 * HOST_GRACE
            assert (await ben.do("take_host"))["type"] != "refused"
            for bar in (False, True):
                assert (
                    await ben.refusal_code("remove", person=person_of(a), bar=bar) == "table.owner"
                )
            assert await ben.refusal_code("give_seat", seat=0, bot="random") == "table.owner"
            assert await ben.refusal_code("give_seat", seat=0, person=person_of(e)) == "table.owner"
            await ben.do("give_seat", seat=2, person=person_of(e))
            proposed = await eve.fact("seat_proposed")
            assert (proposed["seat"], proposed["person"]) == (2, person_of(e))
            assert not [fact for fact in ben.facts if fact["type"] == "sat" and fact["seat"] == 2]
            async with connected(url, code, a) as ann:
                assert ann.table["proposal"]["asked"] == [0]
                await ann.do("answer", ply=ann.ply, yes=False)
                assert ann.table["me"]["host_free_at"] == 0
                assert (await ann.do("take_host"))["type"] != "refused"
                assert (await ann.do("remove", person=person_of(b)))["type"] != "refused"


async def test_a_seat_passes_when_all_agree(server: Running) -> None:
    a, b, e = (server.someone(name) for name in ("Ann", "Ben", "Eve"))
    code = open_table(a, "poof+schedule:3", players=3, bots=[None, "random"])
    async with (
        connected(server.url, code, a) as ann,
        connected(server.url, code, b) as ben,
        connected(server.url, code, e) as eve,
    ):
        await begun(ann, ben, eve)
        await ann.do("give_seat", seat=2, person=person_of(e))
        proposed = await ben.fact("seat_proposed")
        await ben.do("answer", ply=proposed["ply"], yes=True)
        while eve.table["me"]["seat"] is None:
            await eve.receive()
        assert eve.table["me"]["seat"] == 2
        assert len(eve.table["game"]["hand"].split()) == 3
