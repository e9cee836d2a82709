"""No byte over a real socket depends on what its reader may not know.

Two servers hold the same tables, but for the cards, bids and seeds that one person may not know.
Whatever that person asks, over the WebSocket and over HTTP, both give the same bytes.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect

from rage.bots import advice
from rage.bots.interface import Budget
from rage.house.base.codes import ALPHABET
from rage.house.limits.rate import RateLimit
from rage.house.people.identity import Keys
from rage.house.tables import hub, room, services
from rage.rules.settings import CHOICES, PRINTED
from rage.server import logs
from rage.server.config import Config
from rage.server.postgres.store import PostgresStore
from rage.table import Event, Table
from rage.table.facts.events import Dealt, Fact, Played, Started, event_of
from server.fronts import IN_TURN, Front, reaching, visitor
from server.fronts import NAME as FRONT
from server.inside import server_in_process, server_url, store_tables
from server.postgres import cluster
from server.reachable import COMMAND_TYPES, REACHABLE
from server.running import PATIENCE
from table.tables import data_of
from table.test_secrets import VIEWERS, otherwise, twin_game, watched_table

SECRET = b"the same secret for both of them"
#: Bots would play on, and show what they hold; here they think for ever.
FOR_EVER = 1e6
NAMES = {"open": "", "hidden": "+hidden-bids", "secret": "+secret-bids"}
#: The persons of the tests of tables, as the server names persons.
PERSONS = {name: (name.translate(str.maketrans("lo", "xx")) * 12)[:12] for name in VIEWERS}


class Pair:
    """One table in two worlds, which ``person`` cannot tell apart."""

    def __init__(self, code: str, person: str, log: list[Event], other: list[Event]) -> None:
        self.code = code
        self.person = person
        self.logs = (log, other)
        self.differ = log != other


def pairs(rules: str, rng: Random, most: int, **options: bool) -> list[Pair]:
    """At moments of a game, for players and spectators."""
    run = watched_table(rules, advice="always", **options)
    found: list[Pair] = []
    while run.table.phase == "playing" and len(found) < most:
        for person in VIEWERS:
            game = twin_game(run, person, rng)
            seat = run.table.state.viewpoint(person)
            other = otherwise(run.log, game, seat, rng)
            code = "".join(rng.choice(ALPHABET) for _ in range(8))
            found.append(Pair(code, person, named(run.log), named(other)))
        run.play_on(rng, rng.randint(1, 5))
    return found


def named(log: Iterable[Event]) -> list[Event]:
    """The same events with persons that a cookie can prove."""
    text = json.dumps(data_of(log))
    for name, person in PERSONS.items():
        text = text.replace(f'"{name}"', f'"{person}"')
    return [event_of(data) for data in json.loads(text)]


Tables = list[tuple[str, list[Event]]]
Hubs = Sequence[hub.Hub]
World = Callable[[Path, Tables], AbstractContextManager[tuple[str, Hubs]]]
#: What a person asks of the table: every command there is. What takes a seat away comes last.
COMMANDS: list[dict[str, Any]] = [
    *({"type": "play", "ply": ply, "move": move} for ply in (0, 3, 9) for move in "0X2"),
    {"type": "play", "ply": 1, "move": "R4"},
    *({"type": "change_bid", "ply": ply, "move": move} for ply in (0, 1, 9) for move in "02"),
    {"type": "propose_undo", "ply": 1},
    {"type": "claim", "ply": 3, "tricks": [0, 0, 0, 9]},
    {"type": "look_at", "seat": 1},
    {"type": "vote", "seat": 0, "yes": True},
    {"type": "take_back"},
    {"type": "chat", "text": "a word"},
    *({"type": "react", "kind": "wow", "round": 1, "trick": 1, "seat": seat} for seat in (0, 3)),
    {"type": "rematch"},
    {"type": "nonsense"},
    {"type": "answer", "ply": 3, "yes": True},
    {"type": "withdraw"},
    {"type": "ready", "round": 1},
    {"type": "show_hand", "allowed": True},
    {"type": "rename", "name": "Anybody"},
    {"type": "mute", "person": PERSONS["ben"]},
    {"type": "commit_word", "hash": "0" * 64},
    {"type": "reveal_word", "word": "owl"},
    {"type": "start"},
    {"type": "create", "rules": "poof", "players": 3, "name": "Eve"},
    {"type": "join", "name": "Eve", "seat": 3},
    {"type": "watch", "name": "Eve"},
    {"type": "pause"},
    {"type": "resume"},
    {"type": "go_on"},
    *({"type": kind} for kind in ("start_anyway", "deal_next", "set_clock", "settle", "take_host")),
    *(
        {"type": kind, "seat": seat, "ply": 3}
        for kind in ("nudge", "open_takeover_vote")
        for seat in (0, 3)
    ),
    {"type": "set_presence", "person": PERSONS["ben"], "present": False},
    {"type": "configure", "rules": "poof", "players": 4, "options": {"undo": False}},
    {"type": "ask_for_seat", "seat": 3},
    {"type": "ask_for_seat", "seat": 1},
    {"type": "refuse_seat", "person": PERSONS["eve"]},
    {"type": "vacate", "seat": 3},
    {"type": "swap", "seat": 0, "other": 1},
    {"type": "step_in", "seat": 1},
    {"type": "give_seat", "seat": 1, "bot": "steady"},
    {"type": "remove", "person": PERSONS["ben"]},
    {"type": "leave"},
]
#: What they ask on each connection, whatever is due.
QUESTIONS: list[dict[str, Any]] = [
    {"since": 0},
    {"since": 15},
    {"coach": []},
    *({"do": command} for command in COMMANDS),
]
#: What a screen asks that a player has opened.
ON_A_SCREEN: list[dict[str, Any]] = [
    {"do": {"type": "watch", "name": "Television"}},
    {"do": {"type": "look_at", "seat": 1}},
    {"since": 0},
    {"coach": []},
]
#: What they ask over HTTP.
PATHS = [
    ("GET", "/api/tables/{table}"),
    ("GET", "/api/tables/{table}/games/{game}"),
    ("GET", "/api/tables/{table}/games/{game}/record"),
    ("GET", "/api/tables/{table}/games/{game}/same"),
    ("GET", "/api/tables/{table}/games/{game}/evening"),
    ("POST", "/api/tables/{table}/games/{game}/again"),
    ("GET", "/api/tables/{table}/advice"),
    ("GET", "/api/tables"),
    ("GET", "/api/games"),
    ("GET", "/api/day"),
    ("GET", "/api/me"),
    ("GET", "/api/me/data"),
]
#: What knows nothing of any table, opens a new one, or answers with nothing of one.
EVENT = ("join", "leave", "direct")
ELSEWHERE = {
    *(("POST", path) for path in ("/api/tables", "/api/day", "/api/open", "/api/analysis")),
    *(("GET", path) for path in ("/api/analysis/{name}", "/api/rules", "/api/rules/{rules}")),
    *(("GET", path) for path in ("/api/box", "/api/qr", "/api/network", "/healthz", "/readyz")),
    *(("POST", path) for path in ("/api/me/end-sessions", "/api/handover", "/api/sheets")),
    *(("POST", f"/api/tables/{{table}}{each}") for each in ("/report", "/games/{game}/delete")),
    ("POST", "/api/me/erase"),
    # Their tables are as any other (tests/server/test_events.py).
    *(("POST", f"/api/events{each}") for each in ("", *(f"/{{event}}/{do}" for do in EVENT))),
    *(("GET", f"/api/events{each}") for each in ("", "/{event}")),
    *(("POST", path) for path in ("/api/handover/{token}", "/api/sheets/{sheet}/free")),
    *(("PUT", path) for path in ("/api/me", "/api/sheets/{sheet}", "/api/sheets/{sheet}/bids")),
    *(("POST", path) for path in ("/api/recovery", "/api/recovery/use")),
    *(("GET", path) for path in ("/api/recovery", "/api/recovery/words")),
    *(("POST", f"/api/passkeys{each}") for each in ("", "/begin", "/remove", "/ask", "/use")),
    ("GET", "/api/sheets/{sheet}"),
    *(("POST", f"/api/sheets/{{sheet}}/{each}") for each in ("phones", "stop")),
}


def test_everything_is_asked_that_can_be() -> None:
    assert {command["type"] for command in COMMANDS} == COMMAND_TYPES | {"nonsense"}
    assert {*PATHS} | ELSEWHERE == REACHABLE
    assert not {*PATHS} & ELSEWHERE


@asynccontextmanager
async def joined(url: str, pair: Pair, query: str = "") -> AsyncIterator[ClientConnection]:
    address = f"{url.replace('http', 'ws')}/ws/{pair.code}{query}"
    headers = {"Cookie": Keys(SECRET).cookie(PERSONS[pair.person])}
    given = reaching(url)
    async with connect(address, additional_headers=headers, compression=None, **given) as socket:
        yield socket


async def everything(url: str, hubs: Hubs, pair: Pair) -> list[str]:
    """All that the person of a pair can read there."""
    found = _asked(url, hubs, pair)
    begun = max(event.seq for event in pair.logs[0] if isinstance(event.fact, Started))
    asked: dict[str, list[dict[str, Any]]] = {
        "?since=1": [],
        f"?since={begun}": [],
        f"?since={pair.logs[0][-1].seq - 2}": [],
        "": QUESTIONS,
        "?screen": ON_A_SCREEN,
    }
    for query, questions in asked.items():
        _settle(hubs, pair)
        async with joined(url, pair, query) as socket:
            found.append(str(await asyncio.wait_for(socket.recv(), PATIENCE)))
            for number, question in enumerate(questions):
                found += await _answers(socket, {"id": number, **question}, number)
    return found + _asked(url, hubs, pair)


def _settle(hubs: Hubs, pair: Pair) -> None:
    """Wait until no more than one server has the table of a pair."""
    until = time.monotonic() + 20
    while sum(pair.code in each.rooms for each in hubs) > 1:
        assert time.monotonic() < until
        time.sleep(0.001)


async def _answers(socket: ClientConnection, question: dict[str, Any], number: int) -> list[str]:
    """All that comes before a ping is answered that is sent after a question."""
    for message in (question, {"ping": number}):
        await socket.send(json.dumps(message))
    found: list[str] = []
    while not found or f'"pong","ping":{number},' not in found[-1]:
        found.append(str(await asyncio.wait_for(socket.recv(), PATIENCE)))
    return found


def _asked(url: str, hubs: Hubs, pair: Pair) -> list[str]:
    """All answers over HTTP, with their headers, but for the date."""
    who = Keys(SECRET).cookie(PERSONS[pair.person])
    ply = Table.from_events(pair.logs[0]).ply
    found = []
    with visitor(url, cookie=who) as client:
        for method, path in PATHS:
            _settle(hubs, pair)
            where = path.format(table=pair.code, game=1)
            given = {"json": {"alone": True}} if method == "POST" else {"params": {"ply": ply}}
            answer = client.request(method, where, **given)
            if path == "/api/me/data":  # of all tables of this person
                tables = answer.json()["tables"]
                found.append(str([each for each in tables if each["table"] == pair.code]))
                continue
            received = [(k, v) for k, v in answer.headers.items() if k != "date"]
            found.append(f"{answer.status_code} {received} {answer.text}")
    port = url.rpartition(":")[2]
    return [each.replace(port, "port") for each in found]


@contextmanager
def one_server(folder: Path, tables: Tables) -> Iterator[tuple[str, Hubs]]:
    """A server that has these tables: its address."""
    asyncio.run(store_tables(folder, tables))
    with server_url(Config(folder, bot_delay=FOR_EVER, secret=SECRET)) as url:
        yield url, ()


@contextmanager
def two_servers(folder: Path, tables: Tables) -> Iterator[tuple[str, Hubs]]:
    """Two servers on one database that has these tables, behind a proxy that sends every request
    and every connection to the other one than the last: a table is never where it is asked for.
    The address of the proxy, and what the servers have."""
    folder.mkdir()
    store = asyncio.run(cluster().url(f"{folder.parent.name}-{folder.name}"))
    asyncio.run(store_tables(store, tables))
    config = Config(folder, store=store, bot_delay=FOR_EVER, secret=SECRET,
                    allowed_hosts=(FRONT,), proxies=("127.0.0.1",))  # fmt: skip
    with server_in_process(config) as (one, _, app), server_in_process(config) as (two, _, other):
        ports = [int(url.rpartition(":")[2]) for url in (one, two)]
        front = Front("haproxy", folder, *ports, changes=IN_TURN)
        try:
            yield front.url, [each.site.hub for each in (app, other) if each.site is not None]
        finally:
            front.end()


def assert_alike(
    folder: Path,
    made: list[Pair],
    monkeypatch: pytest.MonkeyPatch,
    world: World = one_server,
) -> None:
    """Both worlds say the same to the person of every pair."""
    # The clock of the database is not ahead of one that stands.
    ahead = property(lambda _: 0, lambda *_: None)
    monkeypatch.setattr(PostgresStore, "ahead", ahead, raising=False)
    monkeypatch.setattr(services, "_clock", lambda: 2_000_000_000_000)
    monkeypatch.setattr(hub, "RETURN_GRACE", FOR_EVER)  # nobody is missed meanwhile
    monkeypatch.setattr(room, "ABSENCE_GRACE", FOR_EVER)
    monkeypatch.setattr(RateLimit, "try_acquire", lambda *_: True)  # all in a few seconds
    monkeypatch.setattr(advice, "USUAL", Budget(worlds=20, seconds=None))  # however slow it is

    async def compare(*worlds: tuple[str, Hubs]) -> None:
        for pair in made:
            one, other = [await everything(*each, pair) for each in worlds]
            for said, elsewhere in zip(one, other, strict=True):
                if world is two_servers and said.startswith("200") and '"here":' in said:
                    continue  # it tells who was at a table of the other server some seconds ago
                assert said == elsewhere, (pair.person, pair.code)

    one, other = ([(pair.code, pair.logs[side]) for pair in made] for side in (0, 1))
    with world(folder / "one", one) as here, world(folder / "other", other) as there:
        asyncio.run(compare(here, there))


@pytest.mark.sampled(4)  # each edition and each way of bidding once
@pytest.mark.parametrize("bidding", CHOICES["bidding"])
@pytest.mark.parametrize("edition", PRINTED)
def test_every_byte_is_the_same_in_both_worlds(
    edition: str, bidding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over real sockets, two games that differ only in cards hidden from a seat send that seat the
    same bytes; for every edition, bidding mode, spectators included."""
    rng = Random(f"{edition}{bidding}")
    rules = f"{edition}{NAMES[bidding]}+schedule:4.2"
    made = pairs(rules, rng, 10, known=edition == "amigo")
    assert sum(pair.differ for pair in made) > len(made) / 2
    assert_alike(tmp_path, made, monkeypatch)


@pytest.mark.long
@pytest.mark.parametrize("run", range(20))
def test_in_two_thousand_pairs_every_byte_is_the_same(
    run: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = Random(run)
    made: list[Pair] = []
    while len(made) < 100:
        bidding = rng.choice(CHOICES["bidding"])
        rules = f"{rng.choice(PRINTED)}{NAMES[bidding]}+schedule:{rng.randint(2, 6)}.2"
        made += pairs(rules, rng, 25, known=rng.random() < 0.5)
    assert_alike(tmp_path, made[:100], monkeypatch)


def test_every_byte_is_the_same_from_two_servers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table that is loaded again and again, here and there, says no more of what is hidden."""
    made = pairs("amigo+secret-bids+schedule:4.2", Random(4), 6)[-len(VIEWERS) :]
    assert any(pair.differ for pair in made)
    assert_alike(tmp_path, made, monkeypatch, two_servers)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("fact", "world"), [(Dealt, one_server), (Played, one_server), (Played, two_servers)]
)
def test_a_leak_would_be_seen(
    fact: type[Fact],
    world: World,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What boardgame.io did, put in on purpose: all hands, or all bids, are sent to everybody."""
    monkeypatch.setattr(fact, "seen_by", Fact.seen_by)
    made = pairs("poof+secret-bids+schedule:4", Random(2), 20)
    with pytest.raises(AssertionError):
        assert_alike(tmp_path, made, monkeypatch, world)


def hidden_in(made: Iterable[Pair]) -> set[str]:
    """The seeds, stocks and hands of tables."""
    found = set[str]()
    for pair in made:
        for event in pair.logs[0]:
            data = data_of(event)
            found |= {data[key] for key in ("seed", "stock") if data.get(key)}
            found |= {hand for hand in data.get("hands", ()) if hand and len(hand) > 6}
    assert found
    return found


def logged(records: Iterable[logging.LogRecord]) -> str:
    """What a server writes of these, for people and for programs."""
    forms = logs._Text(), logs._Json("here")
    return "\n".join(form.format(record) for record in records for form in forms)


def test_nothing_hidden_is_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Canaries: the seed and every hand of the table, in all that is logged of a busy minute."""
    caplog.set_level("DEBUG")
    made = pairs("amigo+schedule:4.2", Random(3), 3)
    assert_alike(tmp_path, made, monkeypatch)
    text = logged(caplog.records)
    assert not [each for each in hidden_in(made) if each in text]
