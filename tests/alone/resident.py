"""Somebody at home: what a page does with a place of its own, without a browser."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

from rage.house.alone.home import Home

T = TypeVar("T")


class Resident:
    """The page of a home: what it is told over its one connection, and what has been kept. ``full``
    makes every attempt to keep something fail, as a browser does that has no room."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.home: Home
        self.messages: list[dict[str, Any]] = []
        self.closed: list[tuple[int, int]] = []
        self.kept = b""
        self.full = False
        self.facts: list[str] = []
        self.legal: list[str] = []  # in my turn
        self.ply = -1
        self.over = False
        self._number = 0

    async def keep(self) -> None:
        """Copy the file, or put back what was kept."""
        await asyncio.sleep(0)  # nothing may be told meanwhile
        if self.full:
            self.path.write_bytes(self.kept)
            raise OSError("QuotaExceededError")
        self.kept = self.path.read_bytes()

    def hear(self, number: int, text: str) -> None:
        """Note a message."""
        assert self.path.read_bytes() == self.kept
        self._note(json.loads(text))

    async def ask(
        self, method: str, path: str, body: object = None, query: str = "", language: str = "en"
    ) -> Any:
        """The body of the answer to a request that is not refused."""
        data = None if body is None else json.dumps(body).encode()
        answer = await self.home.request(method, path, query, data, language)
        assert answer.status < 300, answer.body
        return json.loads(answer.body)

    async def open_table(self, rules: str = "poof", players: int = 3) -> str:
        """The code of a new table with steady bots, whose game has begun."""
        await self.ask("PUT", "/api/me", {"name": "Ann"})
        new = {"rules": rules, "players": players, "start": True}
        table: str = (await self.ask("POST", "/api/tables", new))["table"]
        return table

    async def until(self, found: Callable[[], T | None]) -> T:
        """What is found, which is soon."""
        async with asyncio.timeout(60):
            while (it := found()) is None:
                await asyncio.sleep(0.001)
            return it

    async def message(self, kind: str, **fields: object) -> dict[str, Any]:
        """A message of a kind with these fields, which comes soon; the last of several."""
        return await self.until(
            lambda: next(
                (
                    each
                    for each in reversed(self.messages)
                    if each["type"] == kind and fields.items() <= each.items()
                ),
                None,
            )
        )

    async def play(self) -> bool:
        """Play the first legal move when it is my turn. Returns false once the game is over."""
        await self.until(lambda: self.over or self.legal or None)
        if self.over:
            return False
        move, self.legal = self.legal[0], []
        self.do(1, type="play", ply=self.ply, move=move)
        return True

    def _note(self, message: dict[str, Any]) -> None:
        self.messages.append(message)
        if "turn" in message:
            self.legal = message["turn"]["legal"].split()
        if message["type"] == "table":
            self.ply = message["table"]["ply"]
        for fact in message.get("events", ()):
            self.facts.append(fact["type"])
            if fact["type"] == "played":
                self.ply = fact["ply"] + 1
        self.over = self.over or "game_over" in self.facts[-3:]

    def do(self, number: int, **command: object) -> int:
        """Send a command over a connection. Returns its own number."""
        self._number += 1
        self.home.receive(number, json.dumps({"id": self._number, "do": command}))
        return self._number


@asynccontextmanager
async def at_home(path: Path) -> AsyncIterator[Resident]:
    """A resident of the home in a file."""
    resident = Resident(path)
    resident.home = await Home.open(
        str(path), resident.keep, resident.hear, lambda *each: resident.closed.append(each)
    )
    try:
        yield resident
    finally:
        await resident.home.close()
