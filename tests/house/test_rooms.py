"""A table has one room, whatever is asked meanwhile, and none that nobody needs."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from house.recording import connect, create_table, hub_on, read_on
from rage.house import limits
from rage.house.operating import housekeeping
from rage.house.operating.housekeeping import Housekeeping
from rage.house.store import Append, Snapshot, StoredTable
from rage.house.tables import hub as hubs
from rage.house.tables import room
from rage.house.tables.loading import load
from rage.say import NotReadable
from rage.table import Clock, Create, Options, Rename, Start
from server.running import PATIENCE, wait_until

DAY = 24 * 3600 * 1000
OPEN = Options(access="open")


async def test_a_table_has_one_room_whatever_is_asked_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A room is asked for between the commit of the first event and the answer."""
    monkeypatch.setattr(hubs, "new_code", lambda: "abcdefgh")
    hub = hub_on(tmp_path)
    real = hub.services.store.append

    async def stored_and_asked(append: Append) -> None:
        await real(append)
        assert [each.table for each in await hub.services.store.open_tables(9)] == ["abcdefgh"]
        asking.append(asyncio.ensure_future(hub.room("abcdefgh")))
        await asyncio.sleep(0.01)

    asking: list[asyncio.Future[Any]] = []
    hub.services.store.append = stored_and_asked  # type: ignore[method-assign]
    code = await hub.create(Create("poof", 2, "Ann", OPEN), "ann")
    hub.services.store.append = real  # type: ignore[method-assign]
    assert await asking[0] is hub.rooms[code] is await hub.room(code)
    await hub.close()


async def test_listing_tables_opens_no_room_and_marks_nobody_as_away(tmp_path: Path) -> None:
    hub = hub_on(tmp_path)
    code = await create_table(hub, "ann", "ben", options=OPEN)
    await hub.close()
    again = hub_on(tmp_path)
    (found,) = await again.services.store.open_tables(9)
    summary = await again.summary(found)
    assert [(seat.name, seat.here) for seat in summary.seats] == [("Ann", False), ("Ben", False)]
    assert again.rooms == {}
    table = await again.table(code)
    assert all(guest.present for guest in table.state.guests.values())
    await again.close()


@pytest.mark.parametrize("stored_by", ["the room", "a list"])
async def test_a_stored_summary_is_not_shown_after_later_events(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stored_by: str
) -> None:
    """If the server crashes then, and has stored no other. A list may ask for the summary just when
    the room of the table is made."""
    hub = hub_on(tmp_path)
    code = await create_table(hub, "ann", "ben")
    if stored_by == "the room":
        await hub.rooms[code].log.store_summary()
    else:
        await hub.close()
        hub = hub_on(tmp_path)

        async def load_late(*asked: Any) -> Any:
            await hub.do(code, Rename("Anna"), "ann")
            return await load(*asked)

        monkeypatch.setattr(hubs, "load", load_late)
        await hub.summary(StoredTable(code, None))
    await hub.do(code, Rename("Annika"), "ann")
    monkeypatch.undo()
    after = hub_on(tmp_path)
    stored = await after.services.store.table(code)
    assert stored is not None
    assert (await after.summary(stored)).seats[0].name == "Annika"
    await after.close()
    await hub.close()


async def test_a_table_that_cannot_be_opened_leaves_no_room(tmp_path: Path) -> None:
    hub = hub_on(tmp_path)
    with pytest.raises(NotReadable):
        await hub.create(Create("nonsense", 2, "Ann"), "ann")
    assert hub.rooms == {}
    await hub.close()


async def test_a_room_that_cannot_be_loaded_leaves_the_next_one_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hubs, "new_code", lambda: "abcdefgh")
    hub, reading = hub_on(tmp_path), asyncio.Event()
    store, read = hub.services.store, hub.services.store.snapshot

    async def snapshot(table: str) -> Snapshot | None:
        await reading.wait()
        return await read(table)

    monkeypatch.setattr(store, "snapshot", snapshot)
    for ask in (hub.room("abcdefgh"), hub.create(Create("nonsense", 2, "Ann"), "ann")):
        reading.clear()
        asking = asyncio.ensure_future(ask)
        while "abcdefgh" not in hub.rooms:
            await asyncio.sleep(0)
        lost = hub.rooms["abcdefgh"]
        other = hub.rooms["abcdefgh"] = room.Room(hub.services, "abcdefgh")
        reading.set()
        with pytest.raises(NotReadable):
            await asking
        assert hub.rooms.pop("abcdefgh") is other
        assert lost.presence.closed
        assert not other.presence.closed
    await hub.close()


# --- dropping it ---------------------------------------------------------------------------


async def test_a_room_that_somebody_is_entering_is_not_dropped(tmp_path: Path) -> None:
    now = [0]
    hub = hub_on(tmp_path, now=lambda: now[0])
    code = await create_table(hub, "ann", "ben")
    now[0] = 10 * limits.IDLE_AFTER
    letting_go = asyncio.ensure_future(
        Housekeeping(hub).drop(hub.rooms[code], hub.rooms[code].used)
    )
    room_found = await hub.room(code)
    await letting_go
    assert hub.rooms[code] is room_found
    await hub.close()


async def test_a_dropped_room_says_of_nobody_that_they_are_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who was expected there may be in the room that has taken its place."""
    monkeypatch.setattr(hubs, "RETURN_GRACE", 0.05)
    hub = hub_on(tmp_path)
    code = await create_table(hub, "ann", "ben", options=Options(clock=Clock()))
    await connect(hub, code, "ann")
    await hub.do(code, Start(), "ann")

    async def dropped() -> room.Room:
        """The room of the table, dropped when it was just loaded."""
        hub.rooms.pop(code).close()
        found = await hub.room(code)
        hub.rooms.pop(code).close()
        return found

    before = await dropped()
    ann = await connect(hub, code, "ann")
    noting = asyncio.ensure_future(before.presence._note("ann"))  # as if it had just begun
    await asyncio.sleep(0.2)
    await noting
    await read_on(hub, code)
    assert hub.rooms[code].table.state.guests["ann"].present
    assert [fact["person"] for fact in ann.facts.values()] == ["ben"]
    before._follow_up([])
    alarm = before.automation._alarm
    assert alarm is not None
    assert alarm.cancelled()
    await hub.close()


async def test_a_room_is_not_dropped_before_it_is_noted_who_is_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or the clock would wait for people who are not there."""
    first = hub_on(tmp_path)
    code = await create_table(first, "ann", "ben")
    await connect(first, code, "ann")
    assert (await first.table(code)).state.guests["ann"].present
    await first.close()
    now = [10 * DAY]
    monkeypatch.setattr(hubs, "RETURN_GRACE", 0.3)
    hub = hub_on(tmp_path, now=lambda: now[0])
    room_found = await hub.room(code)
    now[0] += 2 * limits.IDLE_AFTER
    Housekeeping(hub).tidy()
    await asyncio.sleep(0.1)
    assert hub.rooms[code] is room_found
    await wait_until(lambda: room_found.idle)
    assert not (await hub.table(code)).state.guests["ann"].present
    now[0] += 2 * limits.IDLE_AFTER
    Housekeeping(hub).tidy()
    await wait_until(lambda: not hub.rooms)
    await hub.close()


async def test_a_table_that_cannot_be_tidied_leaves_the_others_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    now = [0]
    hub = hub_on(tmp_path, now=lambda: now[0])
    bad, good = [await create_table(hub, "ann") for _ in range(2)]

    def fail() -> None:
        raise RuntimeError

    monkeypatch.setattr(hub.rooms[bad].audience, "drop_slow", fail)
    now[0] = 2 * limits.IDLE_AFTER
    Housekeeping(hub).tidy()
    await wait_until(lambda: good not in hub.rooms)
    assert "cannot be tidied" in caplog.text
    assert bad not in caplog.text
    await hub.close()


async def test_a_crowd_of_tables_does_not_stay_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that were asked for last do, and those that people are at."""
    monkeypatch.setattr(housekeeping, "MAX_IDLE", 3)
    now = [0]
    hub = hub_on(tmp_path, now=lambda: now[0])
    first = await create_table(hub, "ann")
    ann = await connect(hub, first, "ann")
    codes = []
    for number in range(6):
        now[0] += 1000
        codes.append(await create_table(hub, f"p{number}"))
    now[0] += 1000
    await hub.room(codes[0])
    Housekeeping(hub).tidy()
    assert set(hub.rooms) == {first, *codes}  # somebody may be on their way to any of them
    now[0] += limits.IDLE_AFTER_IN_CROWD
    Housekeeping(hub).tidy()
    async with asyncio.timeout(PATIENCE):
        while len(hub.rooms) > 4:
            await asyncio.sleep(0.01)
    assert set(hub.rooms) == {first, codes[0], codes[4], codes[5]}
    assert not ann.close_codes
    for code in codes:
        assert (await hub.table(code)).state.guests
    await hub.close()


async def test_a_dropped_room_is_freed_without_a_garbage_collection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing in it holds itself: it is gone without a collection."""
    import gc
    import weakref

    monkeypatch.setattr(room, "ABSENCE_GRACE", 0)
    hub = hub_on(tmp_path)
    code = await create_table(hub, "ann", "ben")
    recorder = await connect(hub, code, "ann")
    guests = hub.rooms[code].table.state.guests
    hub.rooms[code].leave(recorder.client)
    await wait_until(lambda: not guests["ann"].present)
    await asyncio.sleep(0.05)
    gone = weakref.ref(hub.rooms[code])
    gc.collect()
    gc.disable()
    try:
        hub.rooms[code].used = 0
        await Housekeeping(hub).drop(hub.rooms[code], 0)
        del recorder
        await asyncio.sleep(0.01)
        assert gone() is None
    finally:
        gc.enable()
    await hub.close()
