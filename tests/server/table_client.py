"""People at a table, over real sockets."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Callable, Sequence
from random import Random
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from server.fronts import reaching
from server.running import open_table


def cookie(client: httpx.Client | httpx.AsyncClient) -> str:
    """The cookies of a client, as a header."""
    return "; ".join(f"{name}={value}" for name, value in client.cookies.items())


class TableClient:
    """One person's connection to a table, and the messages they have received."""

    def __init__(self, socket: ClientConnection, code: str, client: httpx.Client | str) -> None:
        self.socket = socket
        self.code = code
        self.client = client
        self.messages: list[dict[str, Any]] = []
        self.facts: list[dict[str, Any]] = []
        self.table: dict[str, Any] = {}
        self.seq = self.ply = -1
        self.turn: dict[str, Any] | None = None
        #: When this person has made a decision, and when they were told of each, by its number.
        self.sent_at: dict[int, float] = {}
        self.told_at: dict[int, float] = {}
        self._number = 0

    async def receive(self, seconds: float = 60) -> dict[str, Any]:
        """The next message."""
        text = await asyncio.wait_for(self.socket.recv(), seconds)
        message: dict[str, Any] = json.loads(text)
        self._note(message)
        return message

    def _note(self, message: dict[str, Any]) -> None:
        self.messages.append(message)
        if message["type"] == "table":
            self.table, self.turn = message["table"], message.get("turn")
            self.seq, self.ply = message["seq"], message["table"]["ply"]
            game, me = self.table["game"], self.table["me"] or {}
            seat = me.get("seat")
            if game and game["bidding"] and seat is not None and game["has_bid"][seat]:
                self.turn = None  # to change a bid is not asked of anybody
        elif message["type"] == "update":
            assert message["seq"] - len(message["events"]) == self.seq, (self.seq, message)
            self.seq = message["seq"]
            self.facts += message["events"]
            for fact in message["events"]:
                if fact["type"] in ("played", "undone"):
                    self.ply = fact["ply"] + (fact["type"] == "played")
                    self.told_at[fact["ply"]] = time.monotonic()
                    self.turn = None
            self.turn = None if "bid" in message else message.get("turn", self.turn)

    async def until(
        self, wanted: Callable[[dict[str, Any]], object], seconds: float = 60
    ) -> dict[str, Any]:
        """The next message that is wanted; the others are noted, too."""
        async with asyncio.timeout(seconds):
            while True:
                message = await self.receive(seconds)
                if wanted(message):
                    return message

    async def fact(self, kind: str, seconds: float = 60) -> dict[str, Any]:
        """The next fact of a kind."""
        message = await self.until(lambda each: _first(each, kind), seconds)
        found = _first(message, kind)
        assert found is not None
        return found

    async def next_chat_line(self, seconds: float = 60) -> dict[str, Any]:
        """The first line of the next chat message."""
        message = await self.until(lambda each: each["type"] == "chat", seconds)
        line: dict[str, Any] = message["lines"][0]
        return line

    async def send(self, message: object) -> None:
        """Send anything."""
        await self.socket.send(message if isinstance(message, str) else json.dumps(message))

    async def ask(self, kind: str, /, **fields: Any) -> int:
        """Send a command; its number."""
        self._number += 1
        await self.send({"id": self._number, "do": {"type": kind, **fields}})
        return self._number

    async def do(self, kind: str, /, **fields: Any) -> dict[str, Any]:
        """Send a command, and what it is answered with."""
        number = await self.ask(kind, **fields)
        return await self.until(lambda message: message.get("id") == number)

    async def refusal_code(self, kind: str, /, **fields: Any) -> str:
        """The code of the reason for which a command is refused."""
        answer = await self.do(kind, **fields)
        assert answer["type"] == "refused", answer
        code: str = answer["reason"]["code"]
        return code

    async def play(self, rng: Random) -> dict[str, Any]:
        """A move, any that is legal."""
        assert self.turn is not None
        move = rng.choice(self.turn["legal"].split())
        self.sent_at[self.due] = time.monotonic()
        return await self.do("play", ply=self.due, move=move)

    @property
    def due(self) -> int:
        """The number of this person's decision."""
        assert self.turn is not None
        due: int = self.turn.get("ply", self.ply)
        return due

    async def close_code(self, seconds: float = 60) -> int:
        """The code with which the server closes the connection."""
        with contextlib.suppress(ConnectionClosed):
            async with asyncio.timeout(seconds):
                while True:
                    self._note(json.loads(await self.socket.recv()))
        code = self.socket.close_code
        assert code is not None
        return code


def _first(message: dict[str, Any], kind: str) -> dict[str, Any] | None:
    facts = message.get("events", [])
    return next((fact for fact in facts if fact["type"] == kind), None)


@contextlib.asynccontextmanager
async def connected(
    url: str,
    table: str,
    client: httpx.Client | str,
    since: int | None = None,
    *,
    screen: bool = False,
    headers: dict[str, str] | None = None,
    **options: Any,
) -> AsyncIterator[TableClient]:
    """A connection to a table, of a client or of a cookie, or of a ``screen`` that they have
    opened, once it has been told how things stand; ``headers`` beside the cookie."""
    who = client if isinstance(client, str) else cookie(client)
    query = "?screen" if screen else "" if since is None else f"?since={since}"
    address = f"{url.replace('http', 'ws', 1)}/ws/{table}{query}"
    headers = {"Cookie": who, **(headers or {})}
    given = {**reaching(url), "compression": None, **options}
    async with connect(address, additional_headers=headers, **given) as socket:
        guest = TableClient(socket, table, client)
        if since is not None:
            guest.seq = since
        await guest.receive()
        yield guest


#: What people are called, in the order of their seats, and who watches them.
NAMES = ("Ann", "Ben", "Cleo", "Dan")
WATCHER = "Eve"


async def sit_down(
    players: Sequence[TableClient], watcher: TableClient | None = None, *, names: Sequence[str] = ()
) -> None:
    """The players after the first, who is the host, sit down in this order, and the watcher
    watches."""
    for player, name in zip(players[1:], (names or NAMES)[1:], strict=False):
        await player.do("join", name=name)
    if watcher is not None:
        await watcher.do("watch", name=WATCHER)


async def start(host: TableClient, *others: TableClient, **fields: Any) -> None:
    """The host starts the game, with these fields of the command; all have been told of the
    deal."""
    await host.ask("start", **fields)
    for guest in (host, *others):
        await guest.fact("dealt")


@contextlib.asynccontextmanager
async def seated(
    url: str,
    people: Sequence[httpx.Client],
    watcher: httpx.Client | None = None,
    *,
    rules: str = "poof",
    **fields: Any,
) -> AsyncIterator[list[TableClient]]:
    """The connections of people who have sat down at a new table, and of somebody who watches them,
    before the game. ``fields`` are those of the request that opens the table."""
    code = open_table(people[0], rules, **{"players": max(len(people), 2), **fields})
    come = [*people] if watcher is None else [*people, watcher]
    async with contextlib.AsyncExitStack() as stack:
        guests = [await stack.enter_async_context(connected(url, code, each)) for each in come]
        await sit_down(guests[: len(people)], None if watcher is None else guests[-1])
        yield guests


@contextlib.asynccontextmanager
async def game_of(
    url: str, people: Sequence[httpx.Client], watcher: httpx.Client | None = None, **fields: Any
) -> AsyncIterator[list[TableClient]]:
    """The same once the game has begun."""
    async with seated(url, people, watcher, **fields) as guests:
        await start(*guests)
        yield guests


async def play_out(guests: list[TableClient], rng: Random, most: int = 10_000) -> int:
    """Let all of them play until the game is over, or for ``most`` moves. Returns the number of
    moves made."""
    made = 0

    async def one(guest: TableClient) -> None:
        nonlocal made
        game = guest.table["game"]
        number = game["rounds"][-1]["number"] if game and game["rounds"] else 1
        while made < most:
            if guest.turn is not None:
                made += 1
                message = await guest.play(rng)
                assert message["type"] != "refused", message
            else:
                message = await guest.receive(30)
            while _first(message, "round_over") and not _first(message, "dealt"):
                if _first(message, "game_over"):
                    return
                message = await guest.do("ready", round=number)
            number += _first(message, "dealt") is not None

    await asyncio.gather(*map(one, guests))
    return made
