"""Limits by address and by person: nobody can ask for more than a person does."""

from __future__ import annotations

import contextlib
import itertools
import json
import re
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from picows import WSFrame

from rage.house import limits
from rage.house.base.codes import NoTable
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
from rage.house.limits.limiting import AddressLimit, Limits, TableLimits, for_people, read_limits
from rage.house.limits.rate import Rate, RateLimit
from rage.server.asgi import rate_key
from rage.server.config import Config
from rage.server.wire.websocket import WebSocket
from rage.table import Chat, React, Rename
from server.conftest import Launch
from server.inside import server_in_process
from server.raw_client import RawClient, frame
from server.running import Running, open_table, people
from server.table_client import connected, cookie, play_out, seated
from server.test_sheets import Keeper, begun

#: A reaction to a card.
WOW = {"kind": "wow", "round": 1, "trick": 1, "seat": 0}
DOCS = Path(__file__).parents[2] / "docs"


def rate_of(limit: RateLimit | AddressLimit) -> Rate:
    """How often something may be asked that nobody has asked yet."""
    burst = sum(limit.try_acquire("a", 0) for _ in range(100))
    return Rate(burst, limit.wait("a", 0))


#: What the documents say, by the words they say it in; what the code has; and what is meant.
WRITTEN: dict[str, list[tuple[str, Any, Any]]] = {
    "protocol": [
        ("messages of a connection, which is all that limits moves | 100, then 45 a second",
         MESSAGES, Rate(100, 1 / 45)),
        ("their connections | 20, then 4 a second |\n| the chat, likewise | 10, then 1 a second",
         (COMMANDS, CHAT), (Rate(20, 1 / 4), Rate(10, 1))),
        ("flood the players | 120, then 8 a second |\n| the chat, likewise | 10, then 2 a second",
         (SPECTATOR_COMMANDS, SPECTATOR_CHAT), (Rate(120, 1 / 8), Rate(10, 1 / 2))),
        ("| reactions, likewise | 4, then one every 2 seconds |\n", REACTIONS, Rate(4, 2)),
        ("| reactions, likewise | 6, then one a second |\n", SPECTATOR_REACTIONS, Rate(6, 1)),
        ("people who join a table from one address | 20, then 4 a second",
         ARRIVALS, Rate(20, 1 / 4)),
        ("people who look at a table from outside | 50 at once, 10 from one address",
         (limits.MAX_VISITORS, limits.MAX_VISITORS_FROM), (50, 10)),
        ("score sheets that the server does not know yet | of an address 20, then one every 30 s",
         rate_of(Limits().by_address["sheet"]), Rate(20, 30)),
        ("phones of one address that join | 60, then 2 a second",
         (limits.WRITES, limits.BIDS, limits.JOINS), (Rate(60, 0.5),) * 3),
        ("of a person 30, then one every 10 seconds; of an address 300, then one a second",
         (limits.GUESSES, limits.BY_ADDRESS["guess"]),
         (Rate(30, 10), Rate(300, 1))),
        ("open tables of a host | 5 |\n| open tables that an address has opened | 20 |",
         (limits.MAX_OPEN, limits.MAX_OPEN_FROM), (5, 20)),
        ("tables | of a person 20, then one every 20 seconds; of an address 40, then one a minute",
         (limits.BY_PERSON["open"], limits.BY_ADDRESS["open"]), (Rate(20, 20), Rate(40, 60))),
        ("at one table 30, then one a minute; for one host 60, then one a minute",
         (limits.BY_TABLE["begin"], limits.BY_PERSON["begin"]), (Rate(30, 60), Rate(60, 60))),
        ("then one a minute; for an address 200, then 200 an hour",
         limits.BY_ADDRESS["begin"], Rate(200, 3600 / 200)),
        ("of a person 30, then one a second; of an address 100, then 5 a second",
         (limits.BY_PERSON["list"], limits.BY_ADDRESS["list"]), (Rate(30, 1), Rate(100, 0.2))),
    ],
    "score": [
        ("At most 500 sheets are shown at once, 20 from one address",
         (limits.MAX_SHEETS, limits.MAX_SHEETS_FROM), (500, 20)),
        ("After 24 hours without its keeper", limits.FORGET_AFTER, 24 * 3600),
    ],
}  # fmt: skip


@pytest.mark.parametrize("page", WRITTEN)
def test_the_limits_are_those_that_are_written_down(page: str) -> None:
    text = (DOCS / f"{page}.md").read_text("utf-8")
    for words, found, meant in WRITTEN[page]:
        assert (words, words in text, found) == (words, True, meant)


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


def test_a_refusal_says_how_long_to_wait() -> None:
    limits = Limits()
    for _ in range(20):
        limits.acquire("sheet", "1.2.3.4", "ann", 0)
    with pytest.raises(TooManyRequests) as refused:
        limits.acquire("sheet", "1.2.3.4", "ann", 1)
    assert refused.value.reason.params == {"seconds": 30}
    with pytest.raises(TooManyRequests) as refused:
        limits.check("sheet", "1.2.3.4", 1)
    assert refused.value.reason.params == {"seconds": 30}
    limits.acquire("sheet", "5.6.7.8", "ann", 1)
    limits.acquire("sheet", None, "ann", 1)  # this machine itself is not limited
    limits.acquire("sheet", "1.2.3.4", "ann", 30)


def guess(limits: Limits, code: str, address: str | None, person: str | None) -> str:
    """What somebody who asks for a wrong code is told: its error."""
    with contextlib.suppress(NoTable), limits.guessing(code, address, person):
        raise NoTable("http.no_table", table=code)
    return "wrong"


def test_guesses_are_counted_by_address_and_person() -> None:
    limits, here = Limits(), "1.2.3.4"
    for number in range(30):
        guess(limits, str(number), here, "eve")
    with pytest.raises(TooManyRequests):
        guess(limits, "more", here, "eve")
    with pytest.raises(TooManyRequests), limits.guessing("right", here, "eve"):
        pass
    with limits.guessing("own", here, "eve") as own:
        own.own = True
    for person, address in (("ann", here), ("eve", "5.6.7.8"), (None, here), ("eve", None)):
        guess(limits, "more", address, person)
        with limits.guessing("right", address, person):
            pass


def test_asking_for_the_same_wrong_code_again_is_no_guess() -> None:
    """Seven phones watch a sheet that the server no longer knows."""
    limits = Limits()
    for number in range(1000):
        guess(limits, "abcdefgh", "1.2.3.4", f"phone {number % 7}")
    with limits.guessing("bcdefghi", "1.2.3.4", "phone 0"):
        pass


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


def test_a_limit_by_address_can_be_given() -> None:
    """It is for all who share the address, however many they are."""
    limits = Limits(40, read_limits(" open = 100/600, qr=1/1 ")).by_address
    assert rate_of(limits["open"]) == Rate(100, 6)
    assert rate_of(limits["qr"]) == Rate(1, 3600)
    assert rate_of(limits["sheet"]) == Rate(40, 15)


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


def line(home: int, device: int) -> str:
    """A network of a device, of one of the homes of a customer that has a /48."""
    return f"2001:db8:1:{home:02x}{device:02x}::/64"


@pytest.mark.parametrize(("what", "of_home", "of_customer"), [
    ("open", 40, 160), ("begin", 200, 800), ("recovery", 40, 160), ("guess", 1200, 4800),
])  # fmt: skip
def test_a_line_of_many_networks_is_a_few_addresses(
    what: str, of_home: int, of_customer: int
) -> None:
    """A /64 is an address, a /56 is four, a /48 is sixteen; of what is stored, one and four."""
    for homes, most in ((1, of_home), (8, of_customer)):
        limit, allowed = Limits().by_address[what], 0
        for device, home in itertools.product(range(8), range(homes)):
            while limit.try_acquire(line(home, device), 0):
                allowed += 1
        assert allowed == most
        assert limit.try_acquire("2001:db8:2::/64", 0)
        assert limit.wait(line(0, 0), 0) > 0


def test_who_has_many_addresses_fills_no_memory() -> None:
    limit = AddressLimit(Rate(1, 3600), max_keys=100)
    for number in range(1000):
        limit.try_acquire(f"2001:db8:{number:x}:1::/64", number)
        limit.try_acquire(f"10.0.{number // 256}.{number % 256}", number)
    assert all(len(each) <= 100 for each in limit._of.values())


def test_a_line_cannot_open_tables_by_the_thousand(behind: Running) -> None:
    """Whatever prefix of it each comes from; the neighbours can."""
    asked = {"rules": "poof", "players": 2, "name": "Eve"}
    begun, statuses = time.monotonic(), []
    for device in range(25):
        eve = behind.someone(**{"x-forwarded-for": f"2001:db8:7:{device:x}::9"})
        statuses += [eve.post("/api/tables", json=asked).status_code for _ in range(4)]
    assert 40 <= statuses.count(201) <= 41 + (time.monotonic() - begun) / 60
    assert set(statuses) == {201, 429}
    ann = behind.someone("Ann", **{"x-forwarded-for": "2001:db8:7:100::9"})
    assert ann.post("/api/tables", json=asked).status_code == 201


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server behind a proxy, to which each test comes from addresses of its own."""
    server = Running(tmp_path_factory.mktemp("behind") / "data", ["--proxy", "127.0.0.1,::1"])
    yield server
    assert server.end() == 0
    server.check_log()


def at_once(running: Running, address: str, count: int) -> list[int]:
    """The statuses of that many requests from an address, sent without waiting for answers."""
    request = f"GET /api/box HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: {address}\r\n"
    requests = (request + "\r\n") * (count - 1) + request + "Connection: close\r\n\r\n"
    answer = b""
    with socket.create_connection(("localhost", running.port), 60) as connection:
        connection.sendall(requests.encode())
        while more := connection.recv(1 << 20):
            answer += more
    return [int(status) for status in re.findall(rb"HTTP/1.1 (\d+)", answer)]


def test_too_many_requests_are_refused_and_others_notice_nothing(behind: Running) -> None:
    begun = time.monotonic()
    statuses = at_once(behind, "9.9.1.9", 600)
    most = 200 + 20 * (time.monotonic() - begun) + 1
    assert len(statuses) == 600
    assert 200 <= statuses.count(200) <= most
    assert set(statuses) == {200, 429}
    eve = behind.nobody(**{"x-forwarded-for": "9.9.1.9"})
    assert eve.get("/healthz").status_code == 200
    ann = behind.someone("Ann", **{"x-forwarded-for": "8.8.1.8"})
    assert ann.get("/api/box").status_code == 200


def test_a_refusal_over_http_says_how_long_to_wait(behind: Running) -> None:
    eve = behind.someone(**{"x-forwarded-for": "9.9.2.9"})
    for _ in range(8):
        assert eve.post("/api/handover").status_code == 201
    answer = eve.post("/api/handover", headers={"accept-language": "es"})
    assert answer.status_code == 429
    assert 1 <= int(answer.headers["retry-after"]) <= 31
    assert answer.json()["reason"]["code"] == "http.too_many"
    assert answer.json()["text"].startswith("Demasiadas veces.")


def wrong_codes() -> Iterator[str]:
    """Codes of no table, all different."""
    return map("".join, itertools.product("abcdefgh", repeat=8))


def test_tables_cannot_be_guessed(behind: Running) -> None:
    eve = behind.someone(**{"x-forwarded-for": "9.9.3.9"})
    codes = itertools.islice(wrong_codes(), 40)
    statuses = [eve.get(f"/api/tables/{code}").status_code for code in codes]
    assert statuses.count(404) == 30
    assert statuses[-1] == 429
    other = behind.someone(**{"x-forwarded-for": "9.9.3.8"})
    assert other.get("/api/tables/aaaaaaaa").status_code == 404


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
        assert 429 in at_once(behind, "9.9.5.9", 1600)
        assert ann.get("/").status_code == 200
        assert ann.get("/api/me").status_code == 200
        with RawClient(behind.url, code, cookie(ann), more=more) as raw:
            assert raw.handshake_status == 101


def test_who_connects_too_often_is_told_when_to_come_back(behind: Running) -> None:
    """With the status, the sentence and the headers of a refusal over HTTP."""
    more = "X-Forwarded-For: 9.9.6.9\r\nAccept-Language: es\r\n"
    for _ in range(200):
        with RawClient(behind.url, "aaaaaaaa", "", more=more, wait=False) as raw:
            raw.send(raw.request)
            answer = b""
            with contextlib.suppress(TimeoutError):
                while b"\r\n\r\n" not in answer and (read := raw.socket.recv(65536)):
                    answer += read
            if answer.split()[1] != b"101":
                break
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.split()[1] == b"429"
    assert re.search(rb"(?m)^retry-after: [1-9]\r?$", head)
    assert b"x-content-type-options: nosniff" in head
    assert json.loads(body)["text"].startswith("Demasiadas veces.")
    other = "X-Forwarded-For: 9.9.6.8\r\n"
    with RawClient(behind.url, "aaaaaaaa", "", more=other) as raw:
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


def test_tables_cannot_be_opened_by_the_hundred(server: Running) -> None:
    """Also from this machine itself: by person."""
    eve = server.someone("Eve")
    asked = {"rules": "poof", "players": 2, "name": "Eve"}
    begun = time.monotonic()
    statuses = [eve.post("/api/tables", json=asked).status_code for _ in range(30)]
    assert 20 <= statuses.count(201) <= 21 + (time.monotonic() - begun) / 20
    assert set(statuses) == {201, 429}
    assert server.someone("Ann").post("/api/tables", json=asked).status_code == 201


def test_handovers_cannot_be_guessed(behind: Running) -> None:
    eve = behind.nobody(**{"x-forwarded-for": "9.9.8.9"})
    statuses = [eve.post("/api/handover/" + "A" * 80).status_code for _ in range(20)]
    assert statuses.count(403) == 10
    assert statuses[-1] == 429


def test_persons_cannot_be_created_by_the_thousand(behind: Running) -> None:
    begun, statuses = time.monotonic(), []
    eve = behind.nobody(**{"x-forwarded-for": "9.9.9.9"})
    for _ in range(100):
        eve.cookies.clear()
        statuses.append(eve.get("/api/me").status_code)
    assert 60 <= statuses.count(200) <= 61 + (time.monotonic() - begun) / 10
    assert set(statuses) == {200, 429}
