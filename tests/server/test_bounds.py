"""What a table and its people take is bounded: the log, the chat, open tables, those who look."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from pathlib import Path
from random import Random

import pytest

from house.recording import RecordingClient, connect, create_table, hub_on, play_out
from rage.house import limits
from rage.house.base.errors import ServerFull
from rage.house.operating.housekeeping import Housekeeping
from rage.house.store import Append, StoreFailed
from rage.house.tables import audience, event_log, room
from rage.notation import parse_record, replay
from rage.say import NotAllowed
from rage.table import Chat, Configure, Create, Options, Rematch, Rename, Start, Watch
from rage.table.authority import Table as Authority
from server.running import Running, open_table, wait_until
from server.stored import count, stored
from server.table_client import connected

OPEN = Options(access="open")


#: After how many events a log is cut here, to have it cut several times.
SHORT = 100


@pytest.fixture
def short_logs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_log, "SNAPSHOT_AFTER", SHORT)


async def test_a_log_is_cut_and_the_table_stays_the_same(tmp_path: Path, short_logs: None) -> None:
    """With the games that were finished, and the one that goes on."""
    hub = hub_on(tmp_path)
    code = await create_table(hub, "ann", "ben", rules="poof+schedule:1")
    recorders = [await connect(hub, code, person) for person in ("ann", "ben")]
    for game in (1, 2):
        await hub.do(code, Start(), "ann")
        await play_out(hub, code, recorders, Random(game))
        await hub.do(code, Rematch(), "ann")
    await hub.do(code, Start(), "ann")
    for number in range(3 * SHORT):
        await hub.do(code, Rename(f"Ann {number % 7}"), "ann")
        assert count(tmp_path, "events", code) <= SHORT + limits.MAX_MISSED
    view, seq = hub.rooms[code].table.view_for("ben"), recorders[1].seq
    await hub.close()
    again = hub_on(tmp_path)
    assert (await again.table(code)).view_for("ben") == view
    kinds = {json.loads(row.data)["type"] for row in await again.services.store.events(code)}
    assert "game_over" not in kinds
    for game in (1, 2):
        found = await again.services.store.finished_game(code, game)
        assert found is not None
        assert replay(parse_record(found.record)).scores == json.loads(found.line)["scores"]
        assert found.seats == {"ann": 0, "ben": 1}
    kept = seq - limits.MAX_MISSED
    for since, kind in ((kept, "update"), (kept - 1, "table")):
        late = await connect(again, code, "ben", since)
        assert late.messages[0]["type"] == kind
        assert late.seq == seq
    recorders = [await connect(again, code, person) for person in ("ann", "ben")]
    await play_out(again, code, recorders, Random(3))
    assert again.rooms[code].table.phase == "over"
    await again.close()


async def test_a_snapshot_that_was_not_stored_is_made_again(
    tmp_path: Path, short_logs: None
) -> None:
    hub = hub_on(tmp_path)
    code = await create_table(hub, "ann", "ben")
    real, failing = hub.services.store.append, [False]

    async def store(append: Append) -> None:
        failing[0] = append.snapshot is not None and not failing[0]
        if failing[0]:
            raise StoreFailed("full")
        await real(append)

    hub.services.store.append = store  # type: ignore[method-assign]
    for number in range(SHORT):
        with contextlib.suppress(StoreFailed):
            await hub.do(code, Rename(f"Ann {number % 7}"), "ann")
    found = await hub.services.store.snapshot(code)
    assert found is not None
    assert Authority.from_snapshot(found.data).seq == found.seq
    assert await hub.services.store.events(code, 0, 1) == await hub.services.store.events(
        code, found.dropped, 1
    )
    await hub.close()


async def test_the_chat_keeps_its_last_lines_and_is_told_to_those_who_missed_it(
    tmp_path: Path,
) -> None:
    hub = hub_on(tmp_path)
    code = await create_table(hub, "ann", "ben")
    for number in range(250):
        await hub.do(code, Chat(f"line {number}"), "ann")
    assert count(tmp_path, "chat", code) == 200
    assert count(tmp_path, "events", code) == hub.rooms[code].table.seq
    seq = hub.rooms[code].table.seq
    await hub.close()
    again = hub_on(tmp_path)
    ben = RecordingClient("ben")
    ben.seq = seq
    await (await again.room(code)).enter(ben.client, seq, 247)
    lines = [line for each in ben.messages if each["type"] == "chat" for line in each["lines"]]
    assert [line["text"] for line in lines] == ["line 247", "line 248", "line 249"]
    assert [line["number"] for line in lines] == [248, 249, 250]
    await again.do(code, Chat("more"), "ann")
    assert ben.messages[-1]["lines"][0]["number"] == 251
    for _ in range(60):
        await again.do(code, Chat("🂡" * 300), "ann")
    with stored(tmp_path) as connection:
        query = "SELECT sum(length(data)), max(number) FROM chat WHERE table_id = ?"
        size, last = connection.execute(query, (code,)).fetchone()
    assert (size <= limits.MAX_CHAT_BYTES, last) == (True, 311)
    await again.close()


async def test_a_log_of_large_events_is_cut_before_one_of_small_ones(tmp_path: Path) -> None:
    hub = hub_on(tmp_path)
    code = await create_table(hub, "ann", "ben")
    rules = "amigo+pack:wild1.change1.out1.bonus1.mad1+schedule:" + ".".join(["4"] * 30)
    for number in range(600):
        await hub.do(code, Configure(("amigo", rules)[number % 2], 3, Options()), "ann")
    with stored(tmp_path) as connection:
        query = "SELECT sum(length(data)) FROM events WHERE table_id = ?"
        assert connection.execute(query, (code,)).fetchone()[0] <= 200_000
    assert await hub.services.store.snapshot(code) is not None
    await hub.close()


async def test_a_full_store_lets_games_end_and_none_begin(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    hub = hub_on(tmp_path)
    code = await create_table(hub, "ann", "ben", rules="poof+schedule:1")
    later = await create_table(hub, "ann")
    recorders = [await connect(hub, code, person) for person in ("ann", "ben")]
    await hub.do(code, Start(), "ann")
    housekeeping = Housekeeping(hub, max_store=1)
    for _ in range(2):
        await housekeeping.measure()
    assert [each.message[:33] for each in caplog.records] == ["the store has reached 0 MB: no ta"]
    await play_out(hub, code, recorders, Random(1))
    assert await hub.services.store.finished_game(code, 1) is not None
    for refused in (hub.do(code, Rematch(), "ann"), hub.do(later, Start(), "ann"),
                    create_table(hub, "ann")):  # fmt: skip
        with pytest.raises(ServerFull):
            await refused
    await Housekeeping(hub).measure()
    await hub.do(code, Rematch(), "ann")
    await hub.close()


async def test_the_last_room_is_for_those_who_play_here(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """First for those who have finished a game, then for those who had before today."""
    clock = [int(time.time() * 1000)]
    hub = hub_on(tmp_path, now=lambda: clock[0])
    code = await create_table(hub, "ann", "ben", rules="poof+schedule:1")
    eves = await create_table(hub, "eve", "ben")
    recorders = [await connect(hub, code, person) for person in ("ann", "ben")]
    await hub.do(code, Start(), "ann")
    await play_out(hub, code, recorders, Random(1))

    async def fill(share: float) -> None:
        await Housekeeping(hub, max_store=int(await hub.services.store.size() / share)).measure()

    async def reasons(person: str, at: str) -> list[str]:
        """Why a person may neither open a table nor begin a game."""
        found = []
        for asked in (create_table(hub, person), hub.do(at, Start(), person)):
            with pytest.raises(ServerFull) as refused:
                await asked
            found.append(refused.value.reason.code)
        return found

    await fill(0.85)
    assert "only people who have played here" in caplog.records[-1].message
    assert await reasons("eve", eves) == ["http.store_strangers"] * 2
    anns = await create_table(hub, "ann", "eve")
    await fill(0.95)
    assert await reasons("ann", anns) == ["http.store_strangers"] * 2
    clock[0] += 25 * 3600 * 1000
    await hub.do(anns, Start(), "ann")
    await create_table(hub, "ben")
    assert await reasons("eve", eves) == ["http.store_strangers"] * 2
    await fill(1.05)
    assert await reasons("ben", eves) == ["http.store_full"] * 2
    await hub.close()


@pytest.mark.parametrize(
    ("address", "most", "code"),
    [(None, limits.MAX_OPEN, "http.too_many_open"),
     ("192.0.2.1", limits.MAX_OPEN_FROM, "http.too_many_open_from")],
)  # fmt: skip
async def test_only_so_many_open_tables_belong_to_a_person_or_an_address(
    tmp_path: Path, address: str | None, most: int, code: str
) -> None:
    """However many are asked for at once; one that needs a link does not count."""
    hub = hub_on(tmp_path)
    hosts = [f"p{number if address else 0}" for number in range(most + 10)]
    asked = [hub.create(Create("poof", 2, "P", OPEN), host, address) for host in hosts]
    answers = await asyncio.gather(*asked, return_exceptions=True)
    opened = [answer for answer in answers if isinstance(answer, str)]
    refused = [answer.reason.code for answer in answers if isinstance(answer, NotAllowed)]
    assert (len(opened), refused) == (most, [code] * 10)
    await hub.create(Create("poof", 2, "P", Options()), hosts[0], address)
    await hub.create(Create("poof", 2, "P", OPEN), "ben", "192.0.2.2")
    await hub.do(opened[0], Configure("poof", 2, Options()), hosts[answers.index(opened[0])])
    await hub.create(Create("poof", 2, "P", OPEN), hosts[-1], address)
    await hub.close()


async def test_the_limit_of_open_tables_counts_over_the_socket_too(server: Running) -> None:
    ann = server.someone("Ann")
    for _ in range(limits.MAX_OPEN):
        open_table(ann, options={"access": "open"})
    code = open_table(ann)
    async with connected(server.url, code, ann) as guest:
        change = {"rules": "amigo", "players": 4, "options": {"access": "open"}}
        assert await guest.refusal_code("configure", **change) == "http.too_many_open"
        assert guest.table["options"]["access"] == "link"


async def test_the_lobby_mixes_people_not_tables(tmp_path: Path) -> None:
    hub = hub_on(tmp_path)
    crowd = [await create_table(hub, "mallory", options=OPEN) for _ in range(limits.MAX_OPEN)]
    await asyncio.sleep(0.01)
    hosts = {await create_table(hub, name, options=OPEN): name for name in ("ann", "ben", "cleo")}
    for number in range(50):
        await hub.do(crowd[number % limits.MAX_OPEN], Rename(f"M{number}"), "mallory")
    listed = [each.table for each in await hub.services.store.open_tables(5)]
    assert {hosts.get(code, "mallory") for code in listed[:4]} == {"ann", "ben", "cleo", "mallory"}
    await hub.close()


async def test_lookers_from_outside_cost_at_most_a_frame_a_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audience, "VISITOR_INTERVAL", 0.05)
    hub = hub_on(tmp_path)
    code = await create_table(hub, "ann", "ben")
    begun = time.monotonic()
    eve = await connect(hub, code, "eve")
    for number in range(100):
        await hub.do(code, Rename(f"Ann {number}"), "ann")
    await asyncio.sleep(0.1)
    assert len(eve.messages) <= (time.monotonic() - begun) / audience.VISITOR_INTERVAL + 2
    assert eve.messages[-1]["table"]["seats"][0]["name"] == "Ann 99"
    others = [await connect(hub, code, f"o{number}") for number in range(limits.MAX_VISITORS)]
    assert eve.close_codes == [4008]  # who has looked for longest makes room
    assert not any(recorder.close_codes for recorder in others)
    await hub.close()


@pytest.mark.parametrize("together", [False, True], ids=["one by one", "at once"])
async def test_one_address_cannot_take_all_places_outside_a_table(
    tmp_path: Path, together: bool
) -> None:
    """Also before any of those who make room has hung up."""
    hub = hub_on(tmp_path)
    room = hub.rooms[await create_table(hub, "ann", "ben")]
    crowd = [RecordingClient(f"m{number}") for number in range(3 * limits.MAX_VISITORS)]
    for recorder in crowd[: 2 * limits.MAX_VISITORS]:
        recorder.client.address = "192.0.2.1"
    if together:
        await asyncio.gather(*(room.enter(recorder.client, None) for recorder in crowd))
    else:
        for recorder in crowd:
            await room.enter(recorder.client, None)
            for gone in crowd:
                if gone.close_codes:
                    room.leave(gone.client)
    looking = [recorder for recorder in crowd if not recorder.close_codes]
    assert len(looking) == len(room.clients) == limits.MAX_VISITORS
    from_there = sum(recorder.client.address is not None for recorder in looking)
    assert from_there == limits.MAX_VISITORS_FROM
    await hub.close()


async def test_who_comes_back_to_look_takes_nobody_elses_place(tmp_path: Path) -> None:
    hub = hub_on(tmp_path)
    code = await create_table(hub, "ann", "ben")
    crowd = [await connect(hub, code, f"m{number}") for number in range(limits.MAX_VISITORS)]
    await connect(hub, code, "m7")
    assert [recorder.person for recorder in crowd if recorder.close_codes] == ["m7"]
    assert crowd[7].close_codes == [4001]
    await hub.close()


async def test_who_joins_while_they_make_room_is_noted_as_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "ABSENCE_GRACE", 0)
    hub = hub_on(tmp_path)
    code = await create_table(hub, "ann", "ben")
    eve = await connect(hub, code, "eve")
    for number in range(limits.MAX_VISITORS):
        await connect(hub, code, f"m{number}")
    assert eve.close_codes == [4008]
    await hub.do(code, Watch("Eve"), "eve")
    hub.rooms[code].leave(eve.client)
    guests = hub.rooms[code].table.state.guests
    await wait_until(lambda: not guests["eve"].present)
    await hub.close()


async def test_strangers_cannot_use_up_the_limits_of_those_at_the_table(server: Running) -> None:
    """Nor what others may who come to it."""
    ann, ben, *strangers = (server.someone(f"P{number}") for number in range(10))
    code = open_table(ann, options={"spectators": False})
    async with contextlib.AsyncExitStack() as stack:
        guests = [
            # None of them reads what they are answered, and still they hear a goodbye at once.
            await stack.enter_async_context(connected(server.url, code, each, max_queue=None))
            for each in strangers
        ]
        host = await stack.enter_async_context(connected(server.url, code, ann))
        for _ in range(18):
            for guest in guests:
                await guest.ask("leave")
        for number in range(10):
            assert (await host.do("rename", name=f"Ann {number}"))["type"] == "update"
        async with connected(server.url, code, ben) as newcomer:
            assert (await newcomer.do("join", name="Ben"))["type"] == "update"
