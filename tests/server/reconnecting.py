"""People who play on, whatever is done to the line or the servers: their clients recover by
themselves, as the page does. They reconnect from their last event on, and send a move again if they
can't know whether it arrived."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import sqlite3
import time
import zlib
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, InvalidMessage, WebSocketException

from rage import Game
from rage.game.history import bidding_order
from rage.notation import parse_record, replay
from rage.table import Event, Table, read_event
from server.fronts import Front, reaching
from server.running import PATIENCE, Running, open_table, wait_until
from server.table_client import connected, cookie

#: How long the page waits before it tries again, in seconds.
WAITS = (0.0, 0.15, 0.3, 0.5, 0.8, 1.0, 1.2, 1.5)
#: After how many seconds without a word something is done about it.
POLL = 0.5
CONNECTION_ERRORS = (
    OSError,
    EOFError,
    TimeoutError,
    WebSocketException,
    InvalidHandshake,
    InvalidMessage,
)


class Decision(NamedTuple):
    """One decision: whose, and which move, ``None`` if it is hidden."""

    seat: int
    move: str | None


class ReconnectingClient:
    """One person at one table, who plays whatever is legal until told to stop. ``log`` is all
    that they were shown, by number; what was shown twice must be the same."""

    def __init__(self, url: str, code: str, who: str, rng: Random) -> None:
        self.url, self.code, self.who, self.rng, self.host = url, code, who, rng, False
        self.seq = -1
        self.ply = 0
        self.phase = "new"
        self.turn: dict[str, Any] | None = None
        self.log: dict[int, dict[str, Any]] = {}
        #: What they have decided, by number, unless it was refused; and what they know was done.
        self.sent: dict[int, set[str]] = {}
        self.done: set[int] = set()
        self.refusals: list[dict[str, Any]] = []
        self.resets = self.resumes = self.again = 0
        self.asked: tuple[int, int, str] | None = None  # number, ply, move
        self.moved_at = self.told_at = self.cut_at = 0.0
        #: Seconds between two moves.
        self.pace = 0.0
        self._number = self._tries = 0
        self._stopping = False

    async def run(self) -> None:
        """Stay at the table until :meth:`stop`."""
        while not self._stopping:
            with contextlib.suppress(*CONNECTION_ERRORS):
                await self._stay()
            self.cut_at = time.monotonic()
            if not self._stopping:
                await asyncio.sleep(WAITS[min(self._tries, len(WAITS) - 1)])
                self._tries += 1

    def stop(self) -> None:
        """Stop at the next message, or now if there is none."""
        self._stopping = True

    async def _stay(self) -> None:
        query = f"?since={self.seq}" if self.seq >= 0 else ""
        address = f"{self.url.replace('http', 'ws', 1)}/ws/{self.code}{query}"
        async with connect(
            address, additional_headers={"Cookie": self.who}, compression=None, open_timeout=6,
            close_timeout=0.2, ping_interval=None, **reaching(self.url),
        ) as socket:  # fmt: skip
            if self.asked is not None:
                self.again += 1
                await self._send_move(socket)
            while not self._stopping:
                try:
                    text = await asyncio.wait_for(socket.recv(), POLL)
                except TimeoutError:
                    await self._ask_house(socket)
                    continue
                self._tries = 0
                self.note(json.loads(text))
                await self._act(socket)

    def note(self, message: dict[str, Any]) -> None:
        """Read a message."""
        self.told_at = time.monotonic()
        if message["type"] == "table":
            self.resets += 1
            self.seq, self.ply = message["seq"], message["table"]["ply"]
            self.phase, self.turn = message["table"]["phase"], message.get("turn")
        elif message["type"] == "update":
            self._join(message)
        elif message["type"] == "refused":
            self._note_refusal(message)
        if self.asked is not None and message.get("id") == self.asked[0]:
            _, ply, move = self.asked
            if message["type"] == "update" or message["reason"]["code"] == "table.doubled":
                self.done.add(ply)
            else:
                self.sent[ply].discard(move)
            self.asked = None

    def _join(self, message: dict[str, Any]) -> None:
        first = message["seq"] - len(message["events"]) + 1
        assert first == self.seq + 1, (self.seq, message)
        self.resumes += len(message["events"]) > 1
        for seq, fact in enumerate(message["events"], first):
            assert self.log.setdefault(seq, fact) == fact, (seq, fact)
            self._fold(fact)
        self.seq = message["seq"]
        if message.get("turn") is not None:
            self.turn = message["turn"]

    def _fold(self, fact: dict[str, Any]) -> None:
        kind = fact["type"]
        if kind == "played":
            self.ply, self.turn = fact["ply"] + 1, None
            self.moved_at = time.monotonic()
        elif kind in ("started", "game_over"):
            self.phase = {"started": "playing", "game_over": "over"}[kind]

    def _note_refusal(self, message: dict[str, Any]) -> None:
        assert message["reason"]["code"] != "unreadable"
        self.refusals.append(message)

    async def _act(self, socket: ClientConnection) -> None:
        if self.turn is not None and self.asked is None:
            if self.pace:
                await asyncio.sleep(self.pace)
            self._number += 1
            self.asked = (self._number, self.ply, self.rng.choice(self.turn["legal"].split()))
            await self._send_move(socket)
        elif self.phase in ("over", "gathering"):
            await self._ask_house(socket)

    async def _send_move(self, socket: ClientConnection) -> None:
        assert self.asked is not None
        number, ply, move = self.asked
        self.sent.setdefault(ply, set()).add(move)
        command = {"type": "play", "ply": ply, "move": move}
        await socket.send(json.dumps({"id": number, "do": command}))

    async def _ask_house(self, socket: ClientConnection) -> None:
        """Go on after a game, as the host."""
        kind = {"over": "rematch", "gathering": "start"}.get(self.phase)
        if self.host and kind is not None:
            await socket.send(json.dumps({"do": {"type": kind}}))

    @property
    def shown(self) -> dict[int, Decision]:
        """The decisions that were shown, by their numbers."""
        plays = (fact for fact in self.log.values() if fact["type"] == "played")
        return {fact["ply"]: Decision(fact["seat"], fact.get("move")) for fact in plays}


def gather_tables(
    server: Running | Front,
    tables: int,
    people: int,
    rng: Random,
    **fields: Any,
) -> list[list[ReconnectingClient]]:
    """Tables where people have sat down and the host is ready to start."""
    made = []
    for _ in range(tables):
        clients: list[httpx.Client] = [server.someone(f"P{seat}") for seat in range(people)]
        code = open_table(clients[0], **{"players": 4, "rules": "poof", **fields})
        for seat, client in enumerate(clients[1:], 1):
            asyncio.run(_join(server.url, code, cookie(client), f"P{seat}"))
        here = [
            ReconnectingClient(server.url, code, cookie(each), Random(rng.random()))
            for each in clients
        ]
        here[0].host = True
        made.append(here)
    return made


async def _join(url: str, code: str, who: str, name: str) -> None:
    async with connected(url, code, who) as guest:
        answer = await guest.do("join", name=name)
        assert answer["type"] != "refused", answer


def stored_decisions(store: Path | str) -> dict[str, list[Decision]]:
    """The decisions of all tables in a data folder, or in a database at an address, which nobody
    uses now, in order: of finished games from their records, of the one under way from the snapshot
    and the events since."""
    found: dict[str, list[Decision]] = {}
    for name, record in _rows(store, "SELECT table_id, record FROM games ORDER BY table_id, game"):
        found.setdefault(name, []).extend(_decided(replay(parse_record(zlib.decompress(record)))))
    snapshots = dict(_rows(store, "SELECT table_id, data FROM snapshots"))
    events = stored_events(store)
    for name in {**snapshots, **events}:
        state = _table(snapshots.get(name), events.get(name, {})).state
        if state.play is not None and state.phase != "over":
            found.setdefault(name, []).extend(_decided(state.play.game))
    return found


def stored_events(store: Path | str) -> dict[str, dict[int, Event]]:
    """The events of all tables in a data folder, or in a database, that are kept, by number."""
    found: dict[str, dict[int, Event]] = {}
    for name, seq, row in _rows(store, "SELECT table_id, seq, data FROM events ORDER BY seq"):
        found.setdefault(name, {})[seq] = read_event(row)
    return found


def _rows(store: Path | str, query: str) -> list[Any]:
    if isinstance(store, str):
        return asyncio.run(_fetched(store, query))
    with contextlib.closing(sqlite3.connect(store / "tables.sqlite")) as connection:
        return connection.execute(query).fetchall()


async def _fetched(url: str, query: str) -> list[Any]:
    import asyncpg  # which only the tests with PostgreSQL need

    connection = await asyncpg.connect(url)
    try:
        rows: list[Any] = await connection.fetch(query)
        return rows
    finally:
        await connection.close()


def _table(snapshot: bytes | None, events: dict[int, Event]) -> Table:
    """A table from what is stored, in which no event is missing."""
    table = Table() if snapshot is None else Table.from_snapshot(snapshot)
    for seq, event in events.items():
        if seq > table.seq:
            assert seq == table.seq + 1
            table.apply(event)
    return table


def _decided(game: Game) -> Iterator[Decision]:
    """The decisions of a game in order, with their seats."""
    for each in game.rounds:
        bidders = bidding_order(each.dealer, game.players)
        moves = each.moves
        bids = sum(bid is not None for bid in each.bids)
        for seat, move in zip(bidders, moves[:bids], strict=False):
            yield Decision(seat, str(move))
        for trick in each.tricks:
            for at, move in enumerate(trick.moves):
                yield Decision((trick.leader + at) % game.players, str(move))


def check_against(kept: list[Decision], clients: Sequence[ReconnectingClient]) -> None:
    """Check that whatever anybody was shown is stored, in its place and once; and that what is
    stored was decided by the one person who had to, and once, or by a bot."""
    for client in clients:
        for ply, (seat, move) in client.shown.items():
            assert ply < len(kept), ("lost", client.code, ply, move)
            assert kept[ply].seat == seat, (client.code, ply)
            assert move in (None, kept[ply].move), (client.code, ply)
        assert client.done <= set(range(len(kept)))
    people, bots = set[int](), set[int]()
    for ply, (seat, move) in enumerate(kept):
        sent = [each.sent[ply] for each in clients if each.sent.get(ply)]
        (people if sent else bots).add(seat)
        assert sent in ([], [{move}]), (clients[0].code, ply, sent, move)
    assert people
    assert not people & bots


class Siege:
    """The tables of a siege, and how long they have stood still. ``pace``: the seconds that
    everybody takes for a move."""

    def __init__(self, tables: Sequence[Sequence[ReconnectingClient]], pace: float = 0) -> None:
        self.tables = tables
        for client in itertools.chain(*tables):
            client.pace = pace
        #: For each table that lost a connection by a kill, the seconds until it moved.
        self.stalls: list[float] = []
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def moves(self) -> int:
        """How many moves were shown."""
        return sum(max(len(each.shown) for each in clients) for clients in self.tables)

    @contextlib.asynccontextmanager
    async def playing(self) -> AsyncIterator[None]:
        """A context in which everybody plays, and goes home at its end."""
        everybody = [*itertools.chain(*self.tables)]
        self._tasks = tasks = [asyncio.ensure_future(each.run()) for each in everybody]
        try:
            yield
            for each in everybody:
                each.stop()
            await asyncio.wait_for(asyncio.gather(*tasks), PATIENCE)
        finally:
            for task in tasks:
                task.cancel()

    async def until_all_move(self, seconds: float, since: float, *, killed: bool = False) -> None:
        """Until every table has moved after a moment, or this has taken too long. ``killed``: at
        that moment a server was, and the stalls of the tables that it had are kept."""
        moving: dict[int, float] = {}

        def all_move() -> bool:
            for number, clients in enumerate(self.tables):
                # What was on its way when the connection broke is no sign of life.
                if any(each.moved_at > max(since, each.cut_at) for each in clients):
                    moving.setdefault(number, time.monotonic() - since)
                else:
                    moving.pop(number, None)
            return len(moving) == len(self.tables) or time.monotonic() > since + seconds

        await self.until(all_move, PATIENCE + seconds)
        late = [
            [(c.phase, c.seq, c.turn is not None, c.asked, time.monotonic() - c.told_at) for c in t]
            for number, t in enumerate(self.tables)
            if number not in moving
        ]
        assert not late, late
        if killed:
            self.stalls += [
                stall
                for number, stall in moving.items()
                if any(client.cut_at > since for client in self.tables[number])
            ]

    async def until_everybody_moves(self, seconds: float) -> None:
        """Until everybody, who has kept their seat, has made one more move."""
        before = {each: len(each.done) for each in itertools.chain(*self.tables)}
        await self.until(lambda: all(len(each.done) > old for each, old in before.items()), seconds)

    async def until(self, condition: Callable[[], bool], seconds: float) -> None:
        """Until a condition holds. Nobody has failed meanwhile."""

        def holds() -> bool:
            ended = [task for task in self._tasks if task.done()]
            assert not ended, [task.exception() for task in ended]
            return condition()

        await wait_until(holds, seconds)

    def check_against(self, store: Path | str) -> int:
        """Check each table against what is stored; how many decisions are stored."""
        logs = stored_decisions(store)
        kept = 0
        for clients in self.tables:
            check_against(logs[clients[0].code], clients)
            kept += len(logs[clients[0].code])
        again = sum(each.again for each in itertools.chain(*self.tables))
        print(f"{self}, {kept} kept, {again} sent again")
        assert again
        return kept

    def __str__(self) -> str:
        moves = f"{self.moves} moves shown"
        if not self.stalls:
            return moves
        ordered = sorted(self.stalls)
        found = {share: ordered[len(ordered) * share // 101] for share in (50, 90, 99, 100)}
        within = ", ".join(f"{share} % within {stall:.2f} s" for share, stall in found.items())
        return f"{moves}, {len(ordered)} tables cut off, which moved again: {within}"
