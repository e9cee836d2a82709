"""People at a table, over real sockets."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from random import Random
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed


def cookie(client: httpx.Client) -> str:
    """The cookie of somebody, as a header."""
    return "; ".join(f"{name}={value}" for name, value in client.cookies.items())


class Guest:
    """One person's connection to a table, and what they have been told."""

    def __init__(self, socket: ClientConnection, code: str, client: httpx.Client | str) -> None:
        self.socket = socket
        self.code = code
        self.client = client
        self.told: list[dict[str, Any]] = []
        self.facts: list[dict[str, Any]] = []
        self.table: dict[str, Any] = {}
        self.seq = self.ply = -1
        self.turn: dict[str, Any] | None = None
        self._number = 0

    async def hear(self, seconds: float = 10) -> dict[str, Any]:
        """The next message."""
        text = await asyncio.wait_for(self.socket.recv(), seconds)
        message: dict[str, Any] = json.loads(text)
        self._note(message)
        return message

    def _note(self, message: dict[str, Any]) -> None:
        self.told.append(message)
        if message["type"] == "table":
            self.table, self.turn = message["table"], message.get("turn")
            self.seq, self.ply = message["seq"], message["table"]["ply"]
        elif message["type"] == "update":
            assert message["seq"] - len(message["events"]) == self.seq, (self.seq, message)
            self.seq = message["seq"]
            self.facts += message["events"]
            for fact in message["events"]:
                if fact["type"] in ("played", "undone"):
                    self.ply = fact["ply"] + (fact["type"] == "played")
                    self.turn = None
            self.turn = message.get("turn", self.turn)

    async def until(
        self, wanted: Callable[[dict[str, Any]], object], seconds: float = 10
    ) -> dict[str, Any]:
        """The next message that is wanted; the others are noted, too."""
        async with asyncio.timeout(seconds):
            while True:
                message = await self.hear(seconds)
                if wanted(message):
                    return message

    async def fact(self, kind: str, seconds: float = 10) -> dict[str, Any]:
        """The next fact of a kind."""
        message = await self.until(lambda each: _first(each, kind), seconds)
        found = _first(message, kind)
        assert found is not None
        return found

    async def say(self, message: object) -> None:
        """Send anything."""
        await self.socket.send(message if isinstance(message, str) else json.dumps(message))

    async def ask(self, kind: str, **fields: Any) -> int:
        """Send a command; its number."""
        self._number += 1
        await self.say({"id": self._number, "do": {"type": kind, **fields}})
        return self._number

    async def do(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Send a command, and what it is answered with."""
        number = await self.ask(kind, **fields)
        return await self.until(lambda message: message.get("id") == number)

    async def refused(self, kind: str, **fields: Any) -> str:
        """The code of the reason for which a command is refused."""
        answer = await self.do(kind, **fields)
        assert answer["type"] == "refused", answer
        code: str = answer["reason"]["code"]
        return code

    async def play(self, rng: Random) -> dict[str, Any]:
        """A move, any that is legal."""
        assert self.turn is not None
        move = rng.choice(self.turn["legal"].split())
        return await self.do("play", ply=self.ply, move=move)

    async def closed(self, seconds: float = 10) -> int:
        """The code with which the server ends the connection."""
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
async def sitting(
    url: str, table: str, client: httpx.Client | str, since: int | None = None, **options: Any
) -> AsyncIterator[Guest]:
    """A connection to a table, of a client or of a cookie, once it has been told how things
    stand."""
    who = client if isinstance(client, str) else cookie(client)
    query = "" if since is None else f"?since={since}"
    address = f"{url.replace('http', 'ws', 1)}/ws/{table}{query}"
    headers = {"Cookie": who}
    given = {"origin": url, "compression": None, **options}
    async with connect(address, additional_headers=headers, **given) as socket:
        guest = Guest(socket, table, client)
        if since is not None:
            guest.seq = since
        await guest.hear()
        yield guest


async def play_out(guests: list[Guest], rng: Random, most: int = 10_000) -> int:
    """Let all of them play until the game is over, or for so many moves; the moves made."""
    made = 0

    async def one(guest: Guest) -> None:
        nonlocal made
        while made < most:
            if guest.turn is not None:
                made += 1
                answer = await guest.play(rng)
                assert answer["type"] != "refused", answer
                if _first(answer, "game_over"):
                    return
            elif _first(await guest.hear(30), "game_over"):
                return

    await asyncio.gather(*map(one, guests))
    return made
