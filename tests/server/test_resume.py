"""Reconnecting: one round trip, whatever was missed, and the state that they fold from it is the
state that they would be told."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import pytest

from rage.house.tables import event_log, presence
from rage.server.config import Config
from server.inside import server_in_process
from server.running import Running, people
from server.table_client import TableClient, connected, cookie, game_of

#: An event that nobody has: a client that asks what came after it is sent the whole table.
NEVER = 2**53
#: With a clock, updates say when.
SLOW = {"nudge": 600, "ask": 900, "hand_over": 1200}


async def move(guests: list[TableClient], rng: Random) -> bool:
    """Make one decision, which all are sent. Returns whether there was one left to make."""
    for guest in guests:
        if guest.turn is not None:
            seq = guest.seq
            await guest.play(rng)
            for each in guests:
                while each.seq == seq:
                    await each.receive()
            return True
    return False


async def test_a_returning_client_is_told_everything_in_one_message(server: Running) -> None:
    """Wherever they were: at the end, somewhere in between, before they were at the table at all,
    or at an event that never was."""
    *players, watcher = (server.someone(name) for name in ("Ann", "Ben", "Eve"))
    rng = Random(5)
    async with game_of(server.url, players, watcher) as guests:
        ann, ben, eve = guests
        joined, begun = eve.messages[0]["seq"], eve.seq
        for _ in range(9):
            await move(guests, rng)
        facts, last = list(eve.facts), eve.seq
        for seq in range(begun, last + 1):
            async with connected(server.url, eve.code, eve.client, since=seq) as again:
                (first,) = again.messages
                assert first["type"] == "update"
                assert first["seq"] == last
                assert first["events"] == facts[len(facts) - (last - seq) :]
                again.seq = seq  # as if the line had lost the rest
                await again.send({"since": seq})
                assert await again.receive() == first
                eve.socket = again.socket
        for seq in (joined, 0, last + 1, NEVER):
            async with connected(server.url, eve.code, eve.client, since=seq) as again:
                (first,) = again.messages
                assert first["type"] == "table"
                assert first["seq"] == last
        one = ann if ann.turn is not None else ben
        async with connected(server.url, one.code, one.client, since=last) as again:
            assert again.messages == [{**again.messages[0], "events": []}]
            assert again.turn == one.turn


async def test_too_long_away_is_told_the_whole_table(
    server: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_log, "MAX_MISSED", 5)
    with (
        server_in_process(Config(tmp_path / "data")) as (url, _, _),
        people(url, "Ann", "Ben", "Eve") as (*players, eve),
    ):
        async with game_of(url, players, eve) as guests:
            seq = guests[2].seq
            for _ in range(8):
                await move(guests, Random(1))
            for away, kind in ((5, "update"), (6, "table")):
                last = guests[0].seq
                async with connected(url, guests[2].code, eve, since=last - away) as again:
                    assert again.messages[0]["type"] == kind
            assert seq < guests[0].seq


async def test_two_tabs_take_turns_and_the_newest_counts(server: Running) -> None:
    """Nobody is told that the person was away, and what the older one is sent ends with 4001."""
    *players, watcher = (server.someone(name) for name in ("Ann", "Ben", "Eve"))
    async with game_of(server.url, players, watcher) as guests:
        ann, ben, _ = guests
        tabs = [ann]
        async with AsyncExitStack() as stack:
            for _ in range(5):
                tab = await stack.enter_async_context(
                    connected(server.url, ann.code, cookie(players[0]), since=tabs[-1].seq)
                )
                assert await tabs[-1].close_code() == 4001
                tabs.append(tab)
                await tab.do("chat", preset="hello")
                await ben.next_chat_line()
            await asyncio.sleep(presence.ABSENCE_GRACE + 0.3)
            await tabs[-1].do("chat", preset="bye")
            assert (await ben.next_chat_line())["preset"] == "bye"
            assert "presence_set" not in {fact["type"] for fact in ben.facts}
