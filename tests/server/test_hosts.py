"""Who may take the place of a host whose connection drops, over real sockets."""

from __future__ import annotations

import httpx

from server.running import Running, open_table
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
