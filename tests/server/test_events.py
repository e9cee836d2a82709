"""Evenings of several tables with the same deals, as people and their director live them."""

from __future__ import annotations

import asyncio
import signal
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from random import Random
from typing import Any

import httpx

from rage.notation import deals_of, parse_record
from server.conftest import Launch
from server.running import Running, refusal
from server.table_client import TableClient, connected, cookie, play_out


def opened(director: httpx.Client, **wanted: Any) -> str:
    """An event; its code."""
    asked = {"rules": "poof+schedule:3.2.1", "players": 3, "rounds": 2, "deals": 2, **wanted}
    answer = director.post("/api/events", json=asked)
    assert answer.status_code == 201, answer.text
    code: str = answer.json()["event"]
    return code


def seen(person: httpx.Client, code: str) -> Any:
    answer = person.get(f"/api/events/{code}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def direct(director: httpx.Client, code: str, do: str, **what: int) -> httpx.Response:
    return director.post(f"/api/events/{code}/direct", json={"do": do, **what})


async def play(server: Running, code: str, people: list[httpx.Client]) -> None:
    """The round under way, to its end, at all tables at once."""
    tables: dict[str, list[httpx.Client]] = {}
    for each in people:
        tables.setdefault(seen(each, code)["mine"]["table"], []).append(each)

    await asyncio.gather(*(finish(server, *each) for each in tables.items()))


async def finish(server: Running, table: str, people: list[httpx.Client]) -> list[TableClient]:
    """A table, played to its end."""
    async with AsyncExitStack() as stack:
        guests = [
            await stack.enter_async_context(connected(server.url, table, each)) for each in people
        ]
        await play_out(guests, Random(1))
        return guests


async def test_an_evening_from_invitation_to_standing(
    launch: Launch, store_options: list[str]
) -> None:
    """Four people at two tables, which deal the same cards; bots fill the other chairs. One comes
    late."""
    server = launch(*store_options)
    names = ("Ann", "Ben", "Cleo", "Dora")
    people = [server.someone(name) for name in names]
    ann, ben, *_ = people
    code = opened(ann)
    for each in people[1:]:
        assert each.post(f"/api/events/{code}/join", json={}).status_code == 200
    assert refusal(direct(ben, code, "begin", round=1)) == (409, "evening.director")
    assert direct(ann, code, "begin", round=1).status_code == 200
    late = server.someone("Emil")
    assert seen(late, code)["me"] is None
    assert late.post(f"/api/events/{code}/join", json={}).json()["mine"] is None
    await play(server, code, people)
    told = seen(late, code)
    assert (told["phase"], told["round"], len(told["standing"])) == ("between", 1, 4)
    assert all(line["deals"] == 2 for line in told["standing"])
    by_points = sorted(told["standing"], key=lambda line: -line["over"])
    assert by_points == told["standing"]
    assert direct(ann, code, "begin", round=2).status_code == 200
    await play(server, code, [*people, late])
    told = seen(ann, code)
    assert told["phase"] == "over"
    assert {told["entrants"][line["entrant"]]["name"] for line in told["standing"]} == {
        *names,
        "Emil",
    }


async def test_deals_are_the_same_and_hidden_until_the_last_table_is_done(server: Running) -> None:
    ann, *_ = people = [server.someone(each) for each in ("Ann", "Ben", "Cleo", "Dora")]
    code = opened(ann, players=3, rounds=1)
    for each in people[1:]:
        each.post(f"/api/events/{code}/join", json={})
    direct(ann, code, "begin", round=1)
    tables: dict[str, list[httpx.Client]] = {}
    for each in people:
        tables.setdefault(seen(each, code)["mine"]["table"], []).append(each)
    (first, here), (second, there) = tables.items()
    guest, *_ = await finish(server, first, here)
    assert guest.table["event"] == code
    assert guest.facts[-1]["seed"] == ""
    for path in ("", "/record", "/same", "/evening"):
        answer = here[0].get(f"/api/tables/{first}/games/1{path}")
        assert refusal(answer) == (403, "evening.hidden"), path
    data = here[0].get("/api/me/data").json()
    assert [each.get("record") for each in data["games"] if each["table"] == first] == [None]
    assert seen(ann, code)["results"] == []
    await finish(server, second, there)
    assert len(seen(ann, code)["results"]) == 1
    dealt = [
        deals_of(parse_record(one.get(f"/api/tables/{table}/games/1/record").content))
        for table, one in ((first, here[0]), (second, there[0]))
    ]
    assert dealt[0] is not None
    assert dealt[1] is not None
    assert [dealt[0].deal(n) for n in (1, 2)] == [dealt[1].deal(n) for n in (1, 2)]


async def test_a_director_closes_a_round_corrects_a_result_and_gives_a_table_to_bots(
    server: Running,
) -> None:
    ann, ben, *_ = people = [server.someone(each) for each in ("Ann", "Ben", "Cleo", "Dora")]
    code = opened(ann, rounds=2)
    for each in people[1:]:
        each.post(f"/api/events/{code}/join", json={})
    direct(ann, code, "begin", round=1)
    tables = seen(ann, code)["tables"]
    assert direct(ann, code, "pause", table=0).status_code == 200
    assert [each["paused"] for each in seen(ann, code)["tables"]] == [True, False]
    assert direct(ann, code, "resume", table=0).status_code == 200
    for table in (0, 1):
        assert direct(ann, code, "bots", table=table).status_code == 200
    async with asyncio.timeout(60):
        while seen(ben, code)["phase"] == "playing":
            await asyncio.sleep(0.1)
    told = seen(ann, code)
    (round_,) = told["results"]
    assert [table["bots"] for table in round_["tables"]] == [[True] * 3] * 2
    assert all(line["bots"] for line in told["standing"])
    seat = tables[0]["seats"].index(0) if 0 in tables[0]["seats"] else None
    where = (0, seat) if seat is not None else (1, tables[1]["seats"].index(0))
    fixed = {"round": 1, "table": where[0], "seat": where[1], "points": 99}
    assert refusal(direct(ben, code, "correct", **fixed)) == (409, "evening.director")
    assert direct(ann, code, "correct", **fixed).status_code == 200
    line = next(each for each in seen(ben, code)["standing"] if each["entrant"] == 0)
    assert (line["points"], line["corrected"]) == (99, True)
    assert direct(ann, code, "end").status_code == 200
    assert refusal(direct(ann, code, "begin", round=2)) == (409, "evening.over")


def test_who_is_erased_is_nobody_at_the_event(server: Running) -> None:
    ann, ben = server.someone("Ann"), server.someone("Quastenflosser")
    code = opened(ann)
    ben.post(f"/api/events/{code}/join", json={})
    assert ben.get("/api/me/data").json()["events"][0]["event"] == code
    assert ben.post("/api/me/erase", json={}).status_code == 200
    assert "Quastenflosser" not in ann.get(f"/api/events/{code}").text


def test_what_cannot_be_is_refused_in_a_sentence(server: Running) -> None:
    ann = server.someone("Ann")
    for wrong, refused in (
        ({"rules": "poof+two-teams", "players": 4}, (409, "evening.teams")),
        ({"rules": "amigo", "players": 9}, (400, "http.field")),
        ({"deals": 0}, (400, "http.field")),
        ({"rounds": 13}, (400, "http.field")),
        ({"rules": "whist"}, (400, "ruleset.no_term")),
    ):
        asked = {"rules": "poof", "players": 4, "rounds": 3, "deals": 4, **wrong}
        assert refusal(ann.post("/api/events", json=asked)) == refused, wrong
    assert refusal(ann.get("/api/events/zzzzzzzz")) == (404, "evening.none")
    code = opened(ann)
    assert refusal(direct(ann, code, "begin", round=1)) == (409, "evening.too_few")
    assert refusal(direct(ann, code, "begin", round=2)) == (409, "evening.other_round")


def test_a_round_that_was_being_opened_when_the_server_was_killed_is_opened(
    launch: Launch,
) -> None:
    """Nobody sits at two tables or at none, whenever it was killed."""
    server = launch()
    people = [server.someone(f"Player {each}") for each in "ABCDEFGHI"]
    known = [cookie(each) for each in people]
    code = opened(people[0], rounds=9)
    for each in people[1:]:
        each.post(f"/api/events/{code}/join", json={})
    for number, pause in enumerate((0.0, 0.02, 0.05), 1):
        with ThreadPoolExecutor(1) as apart:
            begins = apart.submit(direct, people[0], code, "begin", round=number)
            time.sleep(pause)
            server.end(signal.SIGKILL)
            assert begins.exception() is None or isinstance(
                begins.exception(), httpx.HTTPError | RuntimeError
            )
        server = launch(port=server.port)
        people = [server.nobody(cookie=each) for each in known]
        if seen(people[0], code)["round"] < number:  # nothing had been stored
            assert direct(people[0], code, "begin", round=number).status_code == 200
        seats = Counter[tuple[str, int]]()
        for each in people:
            mine = seen(each, code)["mine"]
            seats[mine["table"], mine["seat"]] += 1
            (table,) = [
                line
                for line in each.get("/api/tables").json()["mine"]
                if line["phase"] != "over" and line["table"] == mine["table"]
            ]
            assert [seat["me"] for seat in table["seats"]].index(True) == mine["seat"]
            assert table["phase"] == "playing"
        assert len(seats) == len(people)
        for table_number in range(3):
            direct(people[0], code, "bots", table=table_number)
        while seen(people[0], code)["phase"] == "playing":
            time.sleep(0.05)
