"""Words for the shuffle, over real sockets: committed to, revealed or withheld, across restarts."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from rage.engine.deal import word_commitment
from rage.notation import parse_record
from rage.notation.fair import conclusion, verify
from server.conftest import Launch
from server.reconnecting import stored_events
from server.running import Running, open_table
from server.table_client import TableClient, connected, play_out
from table.tables import data_of

RULES = "poof+schedule:1"


async def commits(guest: TableClient, word: str) -> str:
    """Commit to a word; the commitment."""
    hash_ = word_commitment(guest.table["commitment"], word)
    assert (await guest.do("commit_word", hash=hash_))["type"] == "update"
    return hash_


def kept_by(server: Running) -> str:
    """Everything that the server has stored of its tables, as text."""
    events = [each for log in stored_events(server.data).values() for each in log.values()]
    return json.dumps(data_of(events))


def record_of(client: Any, table: str) -> Any:
    answer = client.get(f"/api/tables/{table}/games/1/record")
    return parse_record(answer.content)


async def test_no_word_is_on_the_server_before_all_are_fixed(launch: Launch) -> None:
    """A reader of the database, the seed included, finds commitments and no word."""
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
