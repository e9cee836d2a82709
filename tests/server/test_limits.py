"""Limits by address and by person: nobody can ask for more than a person does."""

from __future__ import annotations

import contextlib
import itertools
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from picows import WSFrame

from rage.house import limits
from rage.house.base.errors import TooManyRequests
from rage.house.base.messages import NO_TABLE, TOO_MANY
from rage.house.limits import (
    ARRIVALS,
    CHAT,
    COMMANDS,
    MAX_OPEN_FROM,
    MESSAGES,
    REACTIONS,
    SPECTATOR_CHAT,
    SPECTATOR_COMMANDS,
    SPECTATOR_REACTIONS,
)
from rage.house.limits.limiting import AddressLimit, Limits, TableLimits, for_people
from rage.house.limits.rate import Rate, RateLimit
from rage.house.people.recovery import WORDS as SEVEN
from rage.house.people.recovery import word_lists
from rage.score.link import write_link
from rage.server.asgi import rate_key
from rage.server.config import Config
from rage.server.wire.websocket import WebSocket
from rage.table import Chat, React, Rename
from server.conftest import Launch
from server.inside import server_in_process
from server.raw_client import UPGRADE, RawClient, frame
from server.running import PATIENCE, Running, introduced, open_table, people
from server.table_client import connected, cookie, play_out, seated
from server.test_sheets import Keeper, begun, code_for, secret

#: A reaction to a card.
WOW = {"kind": "wow", "round": 1, "trick": 1, "seat": 0}
DOCS = Path(__file__).parents[2] / "docs"


def written(limit: Rate | int) -> str:
    """A limit as the documents write it."""
    if isinstance(limit, int):
        return str(limit)
    seconds = limit.seconds
    often: dict[float, str] = {1: "one a second", 60: "one a minute", 18: "200 an hour"}
    if seconds < 1:
        pace = f"{round(1 / seconds)} a second"
    elif seconds % 60:
        pace = f"one every {seconds} seconds"
    else:
        pace = f"one every {seconds // 60} minutes"
    return f"{limit.burst}, then {often.get(seconds, pace)}"


PERSON, ADDRESS = limits.BY_PERSON, limits.BY_ADDRESS
#: What the documents say of limits, by the words around them.
WRITTEN: dict[str, dict[str, tuple[Rate | int, ...]]] = {
    "protocol": {
        "which is all that limits moves | {} |": (MESSAGES,),
        "their connections | {} |\n| the chat, likewise | {} |\n| reactions, likewise | {} |":
            (COMMANDS, CHAT, REACTIONS),
        "flood the players | {} |\n| the chat, likewise | {} |\n| reactions, likewise | {} |":
            (SPECTATOR_COMMANDS, SPECTATOR_CHAT, SPECTATOR_REACTIONS),
        "people who join a table from one address | {} |": (ARRIVALS,),
        "disconnected at once if it asks more often | {} |": (limits.REPLAYS,),
        "people who look at a table from outside | {} at once, {} from one address":
            (limits.MAX_VISITORS, limits.MAX_VISITORS_FROM),
        "open tables of a host | {} |\n| open tables that an address has opened | {} |":
            (limits.MAX_OPEN, limits.MAX_OPEN_FROM),
        "opening tables | of a person {}; of an address {} |": (PERSON["open"], ADDRESS["open"]),
        "opening events; taking part in one, and directing it | of a person {}; of an address {}; "
        "of a person {}; of an address {} |":
            (PERSON["event"], ADDRESS["event"], PERSON["direct"], ADDRESS["direct"]),
        "games that begin (`http.too_many_games`) | at one table {}; for one host {}; for an "
        "address {} |": (limits.BY_TABLE["begin"], PERSON["begin"], ADDRESS["begin"]),
        "the deals of the day | of a person {}; of an address {} |":
            (PERSON["list"], ADDRESS["list"]),
        "of a sheet or of a table | of a person {}; of an address {}. ":
            (limits.GUESSES, ADDRESS["guess"]),
        "recovery codes and passkeys that are used | of an address {};": (ADDRESS["recovery"],),
        "requests for a new passkey | of a person {} |": (PERSON["code"],),
        "everything stored of a person; erasing somebody | of an address {}; {} |":
            (ADDRESS["data"], ADDRESS["erase"]),
        "reports of people | of a person {}; of an address {} |":
            (PERSON["report"], ADDRESS["report"]),
        "the image of a link | of an address {} |": (ADDRESS["qr"],),
        "| advice | of an address {} |": (ADDRESS["advice"],),
        "games sent to `/api/open` | of an address {};": (ADDRESS["given"],),
        "that the server does not know yet | of an address {} |": (ADDRESS["sheet"],),
        "phones of one address that join | {} |": (limits.WRITES,),
    },
    "score": {
        "At most {} sheets are shown at once, {} from one address":
            (limits.MAX_SHEETS, limits.MAX_SHEETS_FROM),
        "After {} hours without its keeper": (limits.FORGET_AFTER // 3600,),
    },
}  # fmt: skip


@pytest.mark.parametrize("page", WRITTEN)
def test_the_limits_are_those_that_are_written_down(page: str) -> None:
    text = (DOCS / f"{page}.md").read_text("utf-8")
    for words, found in WRITTEN[page].items():
        assert words.format(*map(written, found)) in text
    assert limits.WRITES == limits.BIDS == limits.JOINS


@pytest.mark.parametrize(
    ("kind", "fields", "burst", "a_second"),
    [("ready", {"round": 1}, 20, 4), ("chat", {"text": "hello"}, 10, 1), ("react", WOW, 4, 0.5)],
)
async def test_commands_that_come_too_fast_are_refused(
    server: Running, kind: str, fields: dict[str, Any], burst: int, a_second: float
) -> None:
    count = burst + 20
    begun = time.monotonic()
    async with seated(server.url, [server.someone("Ann")]) as (ann,):
        for _ in range(count):
            await ann.ask(kind, **fields)
        answers: list[dict[str, Any]] = []
        while len(answers) < count:
            answers.append(await ann.until(lambda each: "id" in each))
    too_fast = [each.get("reason", {}).get("code") == "http.too_fast" for each in answers]
    assert not any(too_fast[:burst])
    assert burst <= too_fast.count(False) <= burst + a_second * (time.monotonic() - begun) + 1


async def test_games_begin_only_so_often_at_a_table(tmp_path: Path) -> None:
    """However short they are, and no matter who is host."""
    with server_in_process(Config(tmp_path)) as (url, _, app):
        assert app.site is not None
        app.site.limits.by_table["begin"] = RateLimit(Rate(2, 60))
        with people(url, "Ann", "Ben") as both:
            async with seated(url, both, rules="poof+schedule:1") as guests:
                for number in range(3):
                    answer = await guests[0].do("start")
                    if number < 2:
                        await play_out(guests, Random(number))
                        await guests[0].do("rematch")
    assert answer["type"] == "refused"
    assert answer["reason"]["code"] == "http.too_many_games"
    assert 1 <= answer["reason"]["seconds"] <= 60


@pytest.mark.parametrize("what", ["begin", "open"])
def test_what_is_refused_for_one_reason_does_not_count_for_another(what: str) -> None:
    """Or one person's tries would use up what an address may do."""
    limits = Limits()
    for _ in range(1000):
        with contextlib.suppress(TooManyRequests):
            limits.acquire(what, "1.2.3.4", "eve", 0)
    limits.acquire(what, "1.2.3.4", "ann", 0)


def test_what_is_large_counts_for_more_but_is_not_refused_for_that() -> None:
    limits, opened = Limits(), 0
    with contextlib.suppress(TooManyRequests):
        for _ in range(60):
            limits.acquire("given", "1.2.3.4", None, 0)
            limits.charge("given", "1.2.3.4", 5, 0)
            opened += 1
    assert opened == 10


async def test_what_is_sent_after_too_much_is_not_even_parsed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    handled, handle = [0], WebSocket._on_part

    def counted(line: WebSocket, each: WSFrame, parts: list[bytes]) -> None:
        handled[0] += 1
        handle(line, each, parts)

    monkeypatch.setattr(WebSocket, "_on_part", counted)
    with (
        server_in_process(Config(tmp_path)) as (url, _, _),
        people(url, "Ann") as (ann,),
        RawClient(url, open_table(ann), cookie(ann)) as raw,
    ):
        raw.send(frame(b'{"ping":1}') * 15_000)
        raw.close_code()
    assert 100 < handled[0] < 500


def test_limits_grow_with_the_people_at_an_address() -> None:
    """Those by address, not those by person; and never down to nothing."""
    for crowd, tables in ((20, 40), (200, 400), (1, 2)):
        limits = Limits(crowd)
        opened = 0
        with contextlib.suppress(TooManyRequests):
            for number in range(1000):
                limits.acquire("open", "1.2.3.4", f"p{number}", 0)
                opened += 1
        assert opened == tables
    assert for_people(MAX_OPEN_FROM, 1) == 1


@pytest.mark.parametrize("what", ["request", "any", "socket", "begin"])
def test_who_has_a_seat_has_limits_of_their_own(what: str) -> None:
    limits = Limits()
    limits.note_seat("ann")
    with contextlib.suppress(TooManyRequests):
        for number in itertools.count():
            limits.acquire(what, "1.2.3.4", f"eve {number}", 0)
    limits.acquire(what, "1.2.3.4", "ann", 0)
    with contextlib.suppress(TooManyRequests):
        for _ in range(1000):
            limits.acquire(what, "1.2.3.4", "ann", 0)
    with pytest.raises(TooManyRequests):
        limits.acquire(what, "1.2.3.4", "ann", 0)


def test_spectators_share_what_players_have_each() -> None:
    limits = TableLimits()
    spectators = (f"person {number}" for number in itertools.count())
    taken = itertools.takewhile(
        lambda person: limits.try_acquire(person, Chat, spectator=True), spectators
    )
    assert len(list(taken)) == SPECTATOR_CHAT.burst
    assert limits.try_acquire("ann", Chat, spectator=False)
    assert limits.try_acquire("eve", React, spectator=True)
    assert limits.try_acquire("eve", Rename, spectator=True)


def test_arrivals_are_counted_by_address() -> None:
    limits = TableLimits()
    assert [limits.try_admit("1.2.3.4") for _ in range(21)] == [True] * 20 + [False]
    assert limits.try_admit("5.6.7.8")


@pytest.mark.parametrize(
    ("host", "direct", "expected"),
    [
        ("127.0.0.1", True, None), ("127.0.0.1", False, "127.0.0.1"), ("::1", True, None),
        ("::ffff:127.0.0.1", True, None), ("::ffff:1.2.3.4", True, "1.2.3.4"),
        ("1.2.3.4", True, "1.2.3.4"), ("2001:db8:1:2:3:4:5:6", True, "2001:db8:1:2::/64"),
        ("64:ff9b::1.2.3.4", True, "1.2.3.4"), ("2002:102:304::9", True, "1.2.3.4"),
        ("2002:7f00:1::9", True, "127.0.0.1"), ("64:ff9b::7f00:1", True, "127.0.0.1"),
        ("2001:0:c0a8:1:0:0:fefd:fcfb", True, "1.2.3.4"), ("fe80::1%eth0", True, "fe80::/64"),
        ("", True, ""), ("unix", True, "unix"),
    ],
)  # fmt: skip
def test_what_is_counted_as_one_address(host: str, direct: bool, expected: str | None) -> None:
    assert rate_key(host, direct=direct) == expected


def test_who_has_many_addresses_fills_no_memory() -> None:
    limit = AddressLimit(Rate(1, 3600), max_keys=100)
    for number in range(1000):
        limit.try_acquire(f"2001:db8:{number:x}:1::/64", number)
        limit.try_acquire(f"10.0.{number // 256}.{number % 256}", number)
    assert all(len(each) <= 100 for each in limit._of.values())


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server behind a proxy, to which each test comes from addresses of its own."""
    server = Running(tmp_path_factory.mktemp("behind") / "data", ["--proxy", "127.0.0.1,::1"])
    yield server
    assert server.end() == 0
    server.check_log()


def wrong_codes() -> Iterator[str]:
    """Codes of no table, all different."""
    return map("".join, itertools.product("abcdefgh", repeat=8))


TABLE = {"rules": "poof", "players": 2, "name": "Eve"}
EVENT = {"rules": "poof", "players": 4, "rounds": 3, "name": "Eve"}
WORDS = " ".join(word_lists()["en"][:SEVEN])
#: For each limit by address, a request that counts towards it (braces: of another code each time),
#: and how it is answered until that is too much.
ASKED: dict[str, tuple[str, str, Any, int]] = {
    "person": ("GET", "/api/me", None, 200),
    "name": ("PUT", "/api/me", {"name": "Eve"}, 200),
    "list": ("GET", "/api/tables", None, 200),
    "open": ("POST", "/api/tables", TABLE, 201),
    "event": ("POST", "/api/events", EVENT, 201),
    "direct": ("POST", "/api/events/aaaaaaaa/join", {}, 404),
    "begin": ("POST", "/api/tables", {**TABLE, "bots": ["random"], "start": True}, 201),
    "guess": ("GET", "/api/tables/{}", None, 404),
    "given": ("POST", "/api/open", {"game": "?"}, 400),
    "qr": ("GET", "/api/qr?path=/", None, 200),
    "advice": ("GET", "/api/tables/aaaaaaaa/advice?ply=0", None, 404),
    "analysis": ("POST", "/api/analysis", {"game": "?"}, 400),
    "sheet": ("PUT", "/api/sheets/{}", None, 200),
    "socket": ("GET", "/ws/aaaaaaaa", None, 101),
    "handover": ("POST", "/api/handover/" + "A" * 80, None, 403),
    "recovery": ("POST", "/api/recovery/use", {"words": WORDS}, 403),
    "sessions": ("POST", "/api/me/end-sessions", None, 200),
    "data": ("GET", "/api/me/data", None, 200),
    "erase": ("POST", "/api/me/erase", None, 200),
    "report": ("POST", "/api/tables/aaaaaaaa/report", {"person": "a" * 12, "text": "?"}, 404),
}
#: And for those limits by person that no other limit comes before.
ASKED_BY_ONE = {
    **{
        what: ASKED[what]
        for what in ("open", "event", "direct", "name", "list", "advice", "sessions", "report")
    },
    "same": ("GET", "/api/tables/aaaaaaaa/games/1/same", None, 404),
    "game": ("GET", "/api/tables/aaaaaaaa/games/1", None, 404),
    "handover": ("POST", "/api/handover", None, 201),
    "code": ("POST", "/api/recovery", None, 201),
}
#: How many of each a strict server takes from an address; a game that begins opens a table, too.
STRICT = {**dict.fromkeys(ASKED, 2), "open": 3}
#: Where requests come from, with one number for each test and one for each request: how many
#: addresses that is, and how many for what is stored.
LINES: dict[str, tuple[Callable[[int, int], str], int, int]] = {
    "address": (lambda test, _: f"198.51.100.{test}", 1, 1),
    "home": (lambda test, device: f"2001:db8:{test:x}:{device:x}::9", 4, 1),
    "customer": (lambda test, home: f"2001:db8:1{test:02x}:{home % 8:x}{home:02x}::9", 16, 4),
}


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server that lets an address do little, however many people share it."""
    few = ", ".join(f"{what} = {most}/1" for what, most in STRICT.items())
    options = ["--proxy", "127.0.0.1,::1", "--people-per-address", "400", "--limits", few]
    server = Running(tmp_path_factory.mktemp("strict") / "data", options)
    yield server
    assert server.end() == 0
    server.check_log()


def asked_for(eve: httpx.Client, what: str, address: str, code: str) -> httpx.Response:
    """How somebody is answered who asks for something from an address, as a person of their own, so
    that no limit by person counts."""
    method, path, body, _ = ASKED[what]
    eve.cookies.clear()
    if what != "person":
        introduced(eve)
    if what == "sheet":
        body = {"key": secret(), "game": "one", "sheet": write_link(begun())}
        code = code_for(eve, body["key"])
    headers = {"x-forwarded-for": address, **(UPGRADE if what == "socket" else {})}
    return eve.request(method, path.format(code), json=body, headers=headers)


def test_every_limit_by_address_is_tried() -> None:
    """Here, or below with many requests at once."""
    assert {*ASKED, "any", "request"} == {*limits.BY_ADDRESS}


@pytest.mark.parametrize(
    ("what", "line"),
    [*itertools.product(ASKED, ("address", "home")), ("name", "customer"), ("qr", "customer")],
)
def test_an_address_may_ask_only_so_often(strict: Running, what: str, line: str) -> None:
    """A home of many networks is a few addresses, a customer with many homes some more, and of what
    is stored, one and four."""
    address, factor, kept = LINES[line]
    test, eve, codes = [*ASKED].index(what), strict.nobody(), wrong_codes()
    most = STRICT[what] * (kept if what in limits.KEPT else factor)
    answers = [
        asked_for(eve, what, address(test, number), next(codes)) for number in range(most + 1)
    ]
    refused = answers.pop()
    assert {each.status_code for each in answers} == {ASKED[what][3]}
    assert refused.status_code == 429
    assert 1 <= int(refused.headers["retry-after"]) <= 3601
    assert refused.headers["x-content-type-options"] == "nosniff"
    code = "http.too_many_games" if what == "begin" else "http.too_many"
    assert refused.json()["reason"]["code"] == code
    neighbour = asked_for(eve, what, address(test + 100, 0), next(codes))
    assert neighbour.status_code == ASKED[what][3]


@pytest.mark.parametrize("what", ASKED_BY_ONE)
def test_a_person_may_ask_only_so_often(server: Running, what: str) -> None:
    """Also from this machine itself, which no limit by address concerns."""
    (method, path, body, status), rate = ASKED_BY_ONE[what], limits.BY_PERSON[what]
    eve, begun = server.someone(**{"accept-language": "es"}), time.monotonic()
    answers = [eve.request(method, path, json=body) for _ in range(2 * rate.burst)]
    most = rate.burst + (time.monotonic() - begun) / rate.seconds + 1
    statuses = [each.status_code for each in answers]
    assert rate.burst <= statuses.count(status) <= most
    assert {*statuses} == {status, 429}
    refused = answers[statuses.index(429)]
    assert 1 <= int(refused.headers["retry-after"]) <= rate.seconds + 1
    assert refused.json()["text"].startswith("Demasiadas veces.")
    assert server.someone().request(method, path, json=body).status_code == status


def at_once(running: Running, address: str, path: str, count: int) -> bytes:
    """The answers to that many requests from an address, sent without waiting for them: all but the
    last twenty ask for the head alone."""
    rest = f" {path} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: {address}\r\n"
    sent = f"HEAD{rest}\r\n" * (count - 20) + f"GET{rest}\r\n" * 19
    sent += f"GET{rest}Connection: close\r\n\r\n"
    with socket.create_connection(("localhost", running.port), PATIENCE) as one:
        writing = threading.Thread(target=one.sendall, args=(sent.encode(),))
        writing.start()
        answers = one.makefile("rb").read()
        writing.join()
    return answers


@pytest.mark.parametrize(
    ("what", "path", "usual"),
    [("any", "/api/box", 200), ("request", "/", 200), ("request", "/no/such/page", 404)],
)
def test_too_many_requests_are_refused_and_others_notice_nothing(
    behind: Running, what: str, path: str, usual: int
) -> None:
    rate, number = limits.BY_ADDRESS[what], len(path)
    count, begun = rate.burst + 400, time.monotonic()
    answers = at_once(behind, f"9.9.1.{number}", path, count)
    most = rate.burst + (time.monotonic() - begun) / rate.seconds + 1
    statuses = [int(status) for status in re.findall(rb"HTTP/1.1 (\d+)", answers)]
    assert len(statuses) == count
    assert rate.burst <= statuses.count(usual) <= most
    assert {*statuses} == {usual, 429}
    assert b"retry-after: 1\r\n" in answers
    assert b'{"reason":{"code":"http.too_many"' in answers
    if what == "any":  # which the pages and the health of the server are no part of
        eve = behind.nobody(**{"x-forwarded-for": f"9.9.1.{number}"})
        assert [eve.get(each).status_code for each in ("/", "/healthz")] == [200, 200]
    for others in ({"x-forwarded-for": f"8.8.1.{number}"}, {}):
        assert behind.nobody(**others).get(path).status_code == usual


def test_tables_cannot_be_guessed(behind: Running) -> None:
    """By one person, who cannot lock out others at the address; the same wrong code again, as of a
    sheet that is gone and still watched, is no other guess."""
    at = {"x-forwarded-for": "9.9.3.9"}
    eve, codes = behind.someone(**at), wrong_codes()
    for _ in range(50):
        assert eve.get("/api/sheets/hhhhhhhh").status_code == 404
    asked = (eve.get(f"/api/tables/{code}").status_code for code in codes)
    assert 29 <= len([*itertools.takewhile(lambda status: status == 404, asked)]) <= 33
    for other in (behind.someone(**at), behind.someone(**{"x-forwarded-for": "9.9.3.8"})):
        assert other.get(f"/api/tables/{next(codes)}").status_code == 404


async def test_after_too_many_guesses_the_right_code_is_not_told_either(behind: Running) -> None:
    """Whatever it is asked for: a refusal of its own would say that it is right."""
    ann = behind.someone("Ann")
    table = open_table(ann, "poof+schedule:1", 3, bots=["random"] * 2, start=True)
    async with connected(behind.url, table, ann) as guest:
        await play_out([guest], Random(1))
    sheet = Keeper(behind, begun()).code
    eve = behind.someone(**{"x-forwarded-for": "9.9.4.9"})
    paths = [f"/api/tables/{table}{rest}" for rest in
             ("", "/advice?ply=1", "/games/1", "/games/1/record", "/games/1/same")]  # fmt: skip
    paths += [f"/api/sheets/{sheet}"]
    assert [eve.get(path).status_code for path in paths] == [200, 403, 403, 403, 403, 200]
    wrong = ["/api/tables/{}", "/api/tables/{}/advice?ply=1", "/api/tables/{}/games/1"]
    wrong += ["/api/sheets/{}", "/api/analysis/{}"]
    asked = map(str.format, itertools.cycle(wrong), wrong_codes())

    def guess() -> int:
        """Guess until that is too much; how often it was not."""
        statuses = (eve.get(path).status_code for path in asked)
        return len(list(itertools.takewhile(lambda status: status == 404, statuses)))

    assert 30 <= guess() <= 33
    for path in paths:
        guess()
        assert eve.get(path).status_code == 429
    guess()
    with RawClient(behind.url, table, cookie(eve), more="X-Forwarded-For: 9.9.4.9\r\n") as raw:
        assert raw.close_code() == TOO_MANY


async def test_neighbours_cannot_lock_out_who_has_a_seat(behind: Running) -> None:
    """By guesses with their cookie or without one, by requests, or by connections that they hold or
    open again and again: those at a table come back to it, and load the page."""
    at = {"x-forwarded-for": "9.9.5.9"}
    ann, eve, nobody = behind.someone("Ann", **at), behind.someone("Eve", **at), behind.nobody(**at)
    code = open_table(ann)
    more = "X-Forwarded-For: 9.9.5.9\r\n"
    async with connected(behind.url, code, ann):
        pass
    codes = wrong_codes()
    for who in (eve, nobody):
        statuses = (who.get(f"/api/tables/{wrong}").status_code for wrong in codes)
        assert 429 in itertools.islice(statuses, 60)
    assert ann.get(f"/api/tables/{code}").status_code == 200
    with contextlib.ExitStack() as stack:
        taken = 0
        for _ in range(300):
            client = RawClient(behind.url, code, cookie(eve), more=more)
            stack.enter_context(client)
            taken += client.handshake_status == 101
            if client.handshake_status == 429:
                break
        assert client.handshake_status == 429
        assert taken >= 100
        assert b" 429 " in at_once(behind, "9.9.5.9", "/api/box", 1600)
        assert ann.get("/").status_code == 200
        assert ann.get("/api/me").status_code == 200
        with RawClient(behind.url, code, cookie(ann), more=more) as raw:
            assert raw.handshake_status == 101


def test_behind_a_proxy_that_is_not_known_all_share_one_set_of_limits(launch: Launch) -> None:
    """The proxy is on this machine, which itself is not limited."""
    server = launch()
    eve, forwarded = cookie(server.someone()), "X-Forwarded-For: 9.9.7.9\r\n"
    for more, last in (("", NO_TABLE), (forwarded, TOO_MANY)):
        codes = []
        for wrong in itertools.islice(wrong_codes(), 34):
            with RawClient(server.url, wrong, eve, more=more) as raw:
                codes.append(raw.close_code())
        assert (codes[0], codes[-1]) == (NO_TABLE, last)
