"""One address, or one line with many, that does all it can: the crowd ``stranger`` of
:mod:`server.crowd`.

It opens tables and begins games of one card by the hundred, lets deep bots play the longest games
alone, asks for advice, analyses, lists and codes, has the largest records judged, talks, opens
sockets and sends pings.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from random import Random
from typing import Any, Final

import httpx
from websockets.exceptions import WebSocketException

import rage
from rage.notation import record_of, write_record
from server.raw_client import PING, frame
from server.running import OURS
from server.table_client import TableClient, connected, cookie, play_out

#: The address that the proxy says it has.
ADDRESS: Final = "203.0.113.9"
#: What it says of each of its people, if it has a line of IPv6: all networks of a /56 or a /48.
LINES: Final = {"/56": "2001:db8:77:{:x}::9", "/48": "2001:db8:77:{:x}01::9"}
#: How many people it invents, and how many of each kind of trouble it makes at once.
PEOPLE: Final = 40
SHORT: Final = 16
DEEP: Final = 4
ASKING: Final = 4
HOLDING: Final = 40
LONG_RULES: Final = "poof+schedule:" + ".".join(["11"] * 30)
LINE: Final = "🂡" * 300
PINGS: Final = 250_000
#: How many seconds it waits where it was refused or hung up on, as a patient attacker does.
MOMENT: Final = 0.05


class Stranger:
    """Everything that it does at one server, until a time of the monotonic clock."""

    def __init__(self, url: str, until: float, line: str) -> None:
        self.url = url
        self.line = line
        self.until = until
        self.answers: Counter[str] = Counter()
        self.people: list[httpx.AsyncClient] = []
        self.tables: list[tuple[str, httpx.AsyncClient]] = []
        self.record = long_record()
        self.rng = Random(1)

    async def run(self) -> None:
        """Do all of it at once."""
        print("ready", flush=True)
        for number in range(PEOPLE):
            headers = {**OURS, **self.address(number)}
            client = httpx.AsyncClient(base_url=self.url, headers=headers, timeout=60)
            await client.get("/api/me")
            await client.put("/api/me", json={"name": f"Eve {number}"})
            self.people.append(client)
        await self.open(self.people[0], rules="poof", players=8, name="Eve")
        kinds: list[tuple[Callable[[int], Awaitable[None]], int]] = [
            (self.short_games, SHORT), (self.deep_bots, DEEP), (self.lists, ASKING),
            (self.guesses, ASKING), (self.judge, ASKING), (self.analyse, ASKING),
            (self.advice, ASKING), (self.sockets, ASKING), (self.hold, HOLDING),
            (self.pings, ASKING), (self.talk, ASKING),
        ]  # fmt: skip
        tasks = [self._again(kind, number) for kind, count in kinds for number in range(count)]
        await asyncio.gather(*tasks)
        for client in self.people:
            await client.aclose()

    async def _again(self, kind: Callable[[int], Awaitable[None]], number: int) -> None:
        """Do something again and again, whatever comes of it."""
        while time.monotonic() < self.until:
            left = self.until - time.monotonic()
            with contextlib.suppress(
                httpx.HTTPError, WebSocketException, OSError, TimeoutError, RuntimeError,
                AssertionError,
            ):  # fmt: skip
                await asyncio.wait_for(kind(number), left)
            await asyncio.sleep(MOMENT)

    def address(self, number: int) -> dict[str, str]:
        """Where the proxy says that one of its people is."""
        return {"X-Forwarded-For": LINES.get(self.line, ADDRESS).format(number)}

    def person(self, number: int) -> httpx.AsyncClient:
        """One of the people it has invented."""
        return self.people[number % len(self.people)]

    async def ask(self, who: httpx.AsyncClient, method: str, path: str, data: Any = None) -> Any:
        """What a request is answered with, if it is accepted."""
        answer = await who.request(method, path, json=data)
        self.answers[f"{path.split('/')[2].partition('?')[0]} {answer.status_code}"] += 1
        return answer.json() if answer.status_code < 300 else None

    async def open(self, who: httpx.AsyncClient, **fields: Any) -> str | None:
        """The code of a new table, if it may be opened."""
        opened = await self.ask(who, "POST", "/api/tables", fields)
        if opened is None:
            return None
        self.tables.append((opened["table"], who))
        code: str = opened["table"]
        return code

    def at(self, code: str, who: httpx.AsyncClient) -> AbstractAsyncContextManager[TableClient]:
        """A connection to a table."""
        headers = {"X-Forwarded-For": who.headers["X-Forwarded-For"]}
        return connected(self.url, code, cookie(who), headers=headers)

    # What it does.

    async def short_games(self, number: int) -> None:
        """Games of one card between two of its people, one after the other."""
        host, other = self.person(2 * number), self.person(2 * number + 1)
        code = await self.open(host, rules="poof+schedule:1", players=2, name="Eve")
        if code is None:
            await asyncio.sleep(1)
            return
        async with self.at(code, host) as one, self.at(code, other) as two:
            await two.do("join", name="Mallory")
            while True:
                begun = await one.do("start")
                if begun["type"] == "refused":
                    self.answers[begun["reason"]["code"]] += 1
                    await asyncio.sleep(0.5)
                    continue
                await play_out([one, two], self.rng)
                self.answers["games"] += 1
                await one.do("rematch")

    async def deep_bots(self, number: int) -> None:
        """The longest game there is, which deep bots play alone."""
        who = self.person(number)
        code = await self.open(
            who, rules=LONG_RULES, players=8, name="Eve", bots=["deep"] * 7, start=True,
            options={"bot": "deep"},
        )  # fmt: skip
        if code is not None:
            async with self.at(code, who) as guest:
                await guest.ask("step_in", seat=0)
                await asyncio.sleep(1)
        await asyncio.sleep(1)

    async def lists(self, number: int) -> None:
        for path in ("/api/day", "/api/tables", "/api/games", "/api/me", "/api/rules"):
            await self.ask(self.person(number), "GET", path)

    async def guesses(self, number: int) -> None:
        code = "".join(self.rng.choices("abcdefgh", k=8))
        await self.ask(self.person(number), "GET", f"/api/tables/{code}")

    async def judge(self, number: int) -> None:
        await self.ask(self.person(number), "POST", "/api/open", {"game": self.record})

    async def analyse(self, number: int) -> None:
        game = self.record.replace("Eve", f"E{self.rng.random()}"[:9])
        await self.ask(self.person(number), "POST", "/api/analysis", {"game": game})

    async def advice(self, number: int) -> None:
        who = self.person(number)
        code = await self.open(
            who, rules="poof", players=4, name="Eve", bots=["deep"] * 3, start=True
        )
        for ply in itertools.islice(itertools.cycle(range(4)), 400):
            code = code or self.rng.choice(self.tables)[0]
            await self.ask(who, "GET", f"/api/tables/{code}/advice?ply={ply}")

    async def sockets(self, number: int) -> None:
        code, who = self.rng.choice(self.tables)
        async with self.at(code, who):
            self.answers["sockets"] += 1

    async def hold(self, number: int) -> None:
        code, _ = self.rng.choice(self.tables)
        async with self.at(code, self.person(number)):
            await asyncio.sleep(20)

    async def pings(self, number: int) -> None:
        """As many pings as fit, at seven connections at once."""
        code, _ = self.rng.choice(self.tables)
        async with contextlib.AsyncExitStack() as stack:
            for other in range(7):
                guest = await stack.enter_async_context(self.at(code, self.person(other)))
                said = frame(b'{"ping":1}')
                guest.socket.transport.write(said * (PINGS // len(said)))
            guest.socket.transport.write(frame(b"", PING) * 200)
            await asyncio.sleep(2)

    async def talk(self, number: int) -> None:
        """The longest lines, and another name, as fast as it is allowed."""
        code, who = self.rng.choice(self.tables)
        async with self.at(code, who) as guest:
            for turn in range(300):
                await guest.ask("chat", text=LINE)
                await guest.ask("rename", name=f"Eve {turn}")
                await asyncio.sleep(0.25)


def long_record() -> str:
    """A record of as many decisions as there can be."""
    game = rage.Game(LONG_RULES, [f"Eve{number}" for number in range(8)], seed=b"a stranger")
    rng = Random(2)
    for _ in iter(lambda: game.to_act is None, True):
        game.play(rng.choice(game.view(game.to_act).legal_moves))
    return write_record(record_of(game)).decode()


async def attack(url: str, seconds: float, line: str = "") -> dict[str, int]:
    """Do all of it for some seconds, from one address or a whole ``line``. Returns how often each
    answer came."""
    stranger = Stranger(url, time.monotonic() + seconds, line)
    await stranger.run()
    return stranger.answers
