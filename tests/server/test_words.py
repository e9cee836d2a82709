"""Words for the shuffle, over real sockets: committed to, revealed or withheld, across restarts."""

from __future__ import annotations

import asyncio
import json
import signal
import time
from random import Random
from typing import Any

import pytest

from rage.engine.deal import word_commitment
from rage.notation import read_record
from rage.notation.fair import conclusion, verify
from rage.table.clock import REVEAL_SECONDS
from rage.table.events import Started
from server.conftest import Launch
from server.reconnecting import stored_events
from server.running import STANDSTILL, Running, open_table
from server.table_client import TableClient, connected, cookie, play_out
from table.tables import data_of

RULES = "poof+schedule:1"


async def commits(guest: TableClient, word: str) -> str:
    """Commit to a word; the commitment."""
    hash_ = word_commitment(guest.table["commitment"], word)
    assert (await guest.do("commit_word", hash=hash_))["type"] == "update"
    return hash_


def kept_by(server: Running) -> str:
    """Everything that the server has stored of its tables, as text."""
    events = [each for log in stored_events(server.data).values() for each in log]
    return json.dumps(data_of(events))


def record_of(client: Any, table: str) -> Any:
    answer = client.get(f"/api/tables/{table}/games/1/record")
    return read_record(answer.content)


async def test_no_word_is_on_the_server_before_all_are_fixed(launch: Launch) -> None:
    """Whoever reads the database, the seed included, finds commitments and no word."""
    server = launch("--bot-delay", "0")
    ann, ben = server.someone("Ann"), server.someone("Ben")
    table = open_table(ann, RULES, 2)
    async with (
        connected(server.url, table, ann) as host,
        connected(server.url, table, ben) as guest,
    ):
        await guest.do("join", name="Ben")
        hashes = [await commits(host, "ann's owl"), await commits(guest, "ben's fox")]
        kept = kept_by(server)
        assert all(each in kept for each in hashes)
        assert "owl" not in kept
        assert "fox" not in kept
        await host.do("start")
        assert await host.refusal_code("reveal_word", word="ben's fox") == "table.word.other"
        assert await guest.refusal_code("commit_word", hash="0" * 64) == "table.while.revealing"
        await guest.do("reveal_word", word="ben's fox")
        assert "fox" in kept_by(server)
        assert "owl" not in kept_by(server)
        await host.do("reveal_word", word="ann's owl")
        await play_out([host, guest], Random(1))
    record = record_of(ann, table)
    assert record.extra["words"] == ["ann's owl", "ben's fox"]
    assert record.extra["word_commitments"] == hashes
    assert conclusion(verify(record)).code == "verify.proven"


async def test_a_withheld_word_does_not_delay_the_table_for_long(launch: Launch) -> None:
    server = launch("--bot-delay", "0")
    ann, ben = server.someone("Ann"), server.someone("Ben")
    table = open_table(ann, RULES, 3, bots=["random"])
    async with (
        connected(server.url, table, ann) as host,
        connected(server.url, table, ben) as guest,
    ):
        await guest.do("join", name="Ben")
        hashes = [await commits(host, "owl"), None, await commits(guest, "fox")]
        begun = time.monotonic()
        await host.do("start")
        await host.do("reveal_word", word="owl")
        assert ann.get(f"/api/tables/{table}").json()["phase"] == "revealing"
        fact = await host.fact("started", REVEAL_SECONDS + 5)
        assert REVEAL_SECONDS - 0.5 < time.monotonic() - begun < REVEAL_SECONDS + 2 + STANDSTILL
        assert fact["words"] == ["owl", "", ""]
        assert fact["word_commitments"] == hashes
        assert await guest.refusal_code("reveal_word", word="fox") == "table.while.playing"
        await play_out([host, guest], Random(2))
    record = record_of(ben, table)
    assert record.extra["words"] == ["owl", None, None]
    assert conclusion(verify(record)) == ("verify.proven.withheld", {"words": 1, "deals": 2})


@pytest.mark.long
async def test_a_table_that_waits_for_words_goes_on_after_a_restart(launch: Launch) -> None:
    """By itself, though nobody is connected any more; and a word may still come before."""
    server = launch("--bot-delay", "0")
    ann, ben = server.someone("Ann"), server.someone("Ben")
    tables = [open_table(ann, RULES, 2) for _ in range(2)]
    keys = cookie(ann), cookie(ben)
    for table in tables:
        async with (
            connected(server.url, table, ann) as host,
            connected(server.url, table, ben) as guest,
        ):
            await guest.do("join", name="Ben")
            await commits(host, "owl")
            await commits(guest, "fox")
            await host.do("start")
            await host.do("reveal_word", word="owl")
    server.process.send_signal(signal.SIGKILL)
    await asyncio.to_thread(server.process.wait)
    server = await asyncio.to_thread(launch, "--bot-delay", "0", port=server.port)
    async with connected(server.url, tables[0], keys[1]) as guest:
        assert guest.table["phase"] == "revealing"
        assert [seat["word"] for seat in guest.table["seats"]] == ["owl", ""]
        await guest.do("reveal_word", word="fox")
    await asyncio.sleep(REVEAL_SECONDS + 3)
    kept = stored_events(server.data)
    starts = [[each.fact for each in kept[table] if type(each.fact) is Started] for table in tables]
    assert [[fact.words for fact in each] for each in starts] == [[("owl", "fox")], [("owl", "")]]
