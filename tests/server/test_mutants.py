"""A hundred thousand messages and forty thousand requests that are nearly right: no error of the
server, and nothing at the tables that cannot go on."""

from __future__ import annotations

import asyncio
import contextlib
import re
import socket
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import NamedTuple

import pytest

from server.conftest import Launch
from server.mutants import COMMANDS, LEFT_OUT, NOT_ASKED, ROUTES, Mutants
from server.raw_client import CLOSE, RawClient, frame
from server.reachable import COMMAND_TYPES, REACHABLE
from server.running import Running, memory, open_table
from server.table_client import TableClient, connected, cookie, sit_down, start

#: How many messages of the right shape one connection sends before one that may end it.
GROUP = 15
#: How many requests one connection sends at once: what cannot be read ends all behind it.
PIPELINES = (1, 1, 1, 1, 2, 6)
#: How many connections there are at a time.
THREADS = 8
#: For how many seconds the server says nothing, if it will not say anything more.
MOMENT = 0.4
#: How much memory may be left over, in bytes.
MAX_LEFT = 50 * 2**20
#: With which codes the server ends a connection that says such things.
CODES = {1000, 1001, 1002, 1003, 1005, 1006, 1007, 1009, 4000, 4001, 4008, 4010}
LAST = b"GET /healthz HTTP/1.1\r\nHost: %b\r\nConnection: close\r\n\r\n"
_STATUS = re.compile(rb"(?:^|\n|\})HTTP/1\.[01] (\d{3})")


class Target(NamedTuple):
    """A table with a game of two people and a bot, and the people's cookies."""

    code: str
    ann: str
    ben: str


def targets(server: Running, count: int) -> list[Target]:
    found = []
    for number in range(count):
        if number % 4 == 0:
            ann, ben = server.someone("Ann"), server.someone("Ben")
        code = open_table(ann, "poof", 3)
        asyncio.run(_begin(server.url, code, cookie(ann), cookie(ben)))
        found.append(Target(code, cookie(ann), cookie(ben)))
    return found


async def _begin(url: str, code: str, ann: str, ben: str) -> None:
    async with connected(url, code, ben) as guest, connected(url, code, ann) as host:
        await sit_down([host, guest])
        await start(host, guest, bot="random")


def test_there_are_mutants_of_everything_that_can_be_asked() -> None:
    assert {command["type"] for command in COMMANDS} == COMMAND_TYPES - LEFT_OUT

    def asked(method: str, path: str) -> bool:
        form = re.compile(re.sub(r"{\w+}", "[^/?]+", path) + r"(\?.*)?")
        return any(method == by and form.fullmatch(each) for by, each, _ in ROUTES)

    assert {route for route in REACHABLE if not asked(*route)} == NOT_ASKED


# Messages.


def talk(server: Running, tables: list[Target], count: int, seed: int) -> Counter[str]:
    """Send so many messages, as players and as strangers; how the connections ended."""
    made, found, sent = Mutants(seed), Counter[str](), 0
    strangers = [cookie(server.someone()) for _ in range(10)]
    while sent < count:
        table = made.rng.choice(tables)
        who = made.rng.choice((table.ann, table.ann, table.ben, made.rng.choice(strangers)))
        messages = [frame(made.command()) for _ in range(made.rng.randint(0, GROUP))]
        data = b"".join(messages) + made.frames()
        found[_say(server.url, table.code, who, data)] += 1
        sent += len(messages) + 1
    found["messages"] = sent
    return found


def _say(url: str, code: str, who: str, data: bytes) -> str:
    """Say something on a new connection: what came of it, a pong or an end."""
    with RawClient(url, code, who) as one:
        if one.handshake_status != 101:
            return str(one.handshake_status)
        one.socket.settimeout(MOMENT)  # where a frame is cut off, the server waits for its rest
        with contextlib.suppress(ConnectionError, EOFError):
            one.send(data)
            one.send(frame(b'{"ping":77}'))
            while True:
                try:
                    opcode, payload = one.receive_frame()
                except TimeoutError:
                    return "waits"
                if opcode == CLOSE:
                    ended = int.from_bytes(payload[:2], "big") if payload else 1005
                    assert ended in CODES, (ended, data)
                    return str(ended)
                if b'"pong","ping":77' in payload:
                    return "pong"
    return "1006"


# Requests.


def ask(server: Running, tables: list[Target], count: int, seed: int) -> Counter[str]:
    """Send so many requests, some of them one behind the other; how often each status came."""
    made, found, sent = Mutants(seed), Counter[str](), 0
    host = f"localhost:{server.port}"
    while sent < count:
        table = made.rng.choice(tables)
        who = made.rng.choice((table.ann, table.ben, ""))
        several = range(made.rng.choice(PIPELINES))
        requests = [made.request(table.code, who, host) for _ in several]
        data = b"".join(requests) + LAST % host.encode()
        if made.rng.random() < 0.1:
            data = data[: made.rng.randint(1, len(data))]
        answer = _exchange(server.port, data)
        for status in _STATUS.findall(answer):
            found[status.decode()] += 1
            assert int(status) < 500, (status, requests)
        sent += len(requests)
    found["requests"] = sent
    return found


def _exchange(port: int, data: bytes) -> bytes:
    """What the server answers to some bytes, until it says nothing more for a moment."""
    answer = b""
    with (
        socket.create_connection(("localhost", port), 20) as connection,
        contextlib.suppress(ConnectionError, TimeoutError),
    ):
        connection.sendall(data)
        connection.settimeout(MOMENT)
        while more := connection.recv(1 << 16):
            answer += more
    return answer


# Afterwards.


async def _goes_on(url: str, table: Target) -> None:
    """A table at which whatever was done still plays: somebody there makes a legal move."""
    async with (
        connected(url, table.code, table.ann) as ann,
        connected(url, table.code, table.ben) as ben,
    ):
        until = time.monotonic() + 20
        while time.monotonic() < until:
            for guest in (ann, ben):
                await guest.send({"since": 0})
                await guest.until(lambda message: message["type"] == "table")
                await _put_right(guest)
                if guest.turn is not None and guest.table["phase"] == "playing":
                    answer = await guest.play(Random(1))
                    if answer["type"] == "update":
                        return
                    assert answer["reason"]["code"] in ("table.stale", "table.proposal"), answer
            await asyncio.sleep(0.2)
    raise AssertionError((table.code, ann.table, ben.table))


async def _put_right(guest: TableClient) -> None:
    """What a person would do who wants to go on."""
    table, me = guest.table, guest.table["me"]
    if me is None or me["seat"] is None:
        await guest.do("join", name="Somebody")
        return
    if table["seats"][me["seat"]]["bot"]:
        await guest.do("take_back")
    if table["proposal"]:
        await guest.do("withdraw")
        await guest.do("answer", ply=table["ply"], yes=False)
    kind = {"paused": "resume", "gathering": "start", "over": "rematch"}.get(table["phase"])
    if kind:
        await guest.do("take_host")
        await guest.do(kind)


def storm(server: Running, tables: int, messages: int, requests: int) -> None:
    """All of it at once, on so many tables, and what is so afterwards."""
    begun, before = time.monotonic(), memory(server.process.pid)
    open_tables = targets(server, tables)
    with ThreadPoolExecutor(THREADS) as pool:
        half = THREADS // 2
        parts = [pool.submit(talk, server, open_tables, messages // half, n) for n in range(half)]
        parts += [pool.submit(ask, server, open_tables, requests // half, n) for n in range(half)]
        found = sum((part.result() for part in parts), Counter())
    for table in open_tables:
        asyncio.run(_goes_on(server.url, table))
    left = memory(server.process.pid) - before
    print(f"{found.pop('messages')} messages and {found.pop('requests')} requests in"
          f" {time.monotonic() - begun:.0f} s, {left / 2**20:.1f} MB more:"
          f" {dict(sorted(found.items()))}")  # fmt: skip
    assert found["200"]
    assert found["pong"]
    assert left < MAX_LEFT
    assert server.nobody().get("/readyz").status_code == 200
    assert server.end() == 0
    assert "Traceback" not in server.logged()


def test_nearly_right_input_breaks_nothing(launch: Launch) -> None:
    storm(launch(), 4, 3000, 1500)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_a_hundred_thousand_nearly_right_inputs_break_nothing(launch: Launch) -> None:
    storm(launch(), 40, 100_000, 40_000)
