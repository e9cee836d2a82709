"""Deals that are dealt again: those of a finished game, and those of the day."""

from __future__ import annotations

import time
from collections import defaultdict
from pathlib import Path
from random import Random
from typing import Any

import httpx
import msgspec
import pytest

from rage import NotAllowed
from rage.engine.deal import GivenSeed, word_commitment
from rage.house.people.identity import Keys, new_person
from rage.house.requests import days
from rage.house.requests.days import day_result, streak_of
from rage.house.store import Append, Finished
from rage.house.tables import services
from rage.house.tables.index import DealtRound, StoredGame
from rage.server.config import Config
from rage.server.stores import STORE
from rage.table import CommitWord, Configure, Create, Join, Play, Rematch, Start, Table
from rage.table.options import DEFAULT_OPTIONS
from server.inside import server_url
from server.running import OURS, Running, open_table, people, refusal
from server.stored import sqlite_store
from server.table_client import connected, play_out, seated, sit_down, start

RULES = "poof+schedule:3.2.1"


async def played(url: str, client: httpx.Client, table: str, seed: int = 1) -> None:
    """Play a table to its end: one person, and bots."""
    async with connected(url, table, client) as guest:
        await play_out([guest], Random(seed))


async def first_game(server: Running, ann: httpx.Client) -> str:
    """A finished game to which Ann has added a word; its table."""
    table = open_table(ann, RULES, 3, bots=["steady", "steady"])
    async with connected(server.url, table, ann) as guest:
        await guest.do("commit_word", hash=word_commitment(guest.table["commitment"], "owl"))
        await guest.do("start")
        await guest.do("reveal_word", word="owl")
        await play_out([guest], Random(1))
    return table


def deals(client: httpx.Client, table: str) -> list[Any]:
    record = client.get(f"/api/tables/{table}/games/1").json()["record"]
    return [(each["dealer"], each["hands"], each["stock"]) for each in record["rounds"]]


async def test_the_same_deals_are_dealt_again_and_told_side_by_side(server: Running) -> None:
    ann = server.someone("Ann")
    table = await first_game(server, ann)
    path = f"/api/tables/{table}/games/1"
    tables = [table]
    for seed in (2, 3):
        # The third is asked for at the second: it is the same game again as well.
        answer = ann.post(f"/api/tables/{tables[-1]}/games/1/again", json={"alone": True})
        assert answer.status_code == 201, answer.text
        tables.append(answer.json()["table"])
        await played(server.url, ann, tables[-1], seed)
        assert deals(ann, tables[-1]) == deals(ann, table)
    for each in tables:
        same = ann.get(f"/api/tables/{each}/games/1/same").json()["games"]
        assert [game["table"] for game in same] == tables
    told = ann.get(f"{path}").json()["record"]
    assert same[0]["rounds"] == [each["points"] for each in told["rounds"]]
    assert same[0]["scores"] == told["scores"]
    assert [game["seat"] for game in same] == [0, 0, 0]


@pytest.mark.parametrize(("rules", "at"), [(RULES, "2.1.2"), ("poof+secret-bids", "3.0.2")])
async def test_a_moment_is_played_again_against_the_same_bots_and_counts_nowhere(
    server: Running, rules: str, at: str
) -> None:
    ann = server.someone("Ann")
    table = open_table(ann, rules, 3, bots=["steady", "random"], start=True)
    await played(server.url, ann, table)
    path = f"/api/tables/{table}/games/1"
    before = ann.get(path).json()
    assert before["seat"] == 0
    listed = ann.get("/api/games").json()
    answer = ann.post(f"{path}/again", json={"alone": True, "at": at})
    assert answer.status_code == 201, answer.text
    again = answer.json()["table"]
    number, trick, card = map(int, at.split("."))
    async with connected(server.url, again, ann) as guest:
        whole = guest.table["game"]
        assert [seat["bot"] for seat in guest.table["seats"]] == [None, "steady", "random"]
        assert [seat["name"] for seat in guest.table["seats"]] == before["record"]["players"]
        shown = whole["rounds"][: number - 1]
        rounds = before["replay"]["rounds"]
        assert [each["points"] for each in shown] == [
            each["points"] for each in rounds[: number - 1]
        ]
        assert len(whole["rounds"]) == number
        assert sum(len(each["moves"]) for each in whole["rounds"][-1]["tricks"]) >= (
            0 if trick == 0 else (trick - 1) * 3 + card - 1
        )
        await play_out([guest], Random(7))
    assert deals(ann, again)[:number] == deals(ann, table)[:number]
    assert ann.get("/api/games").json() == listed
    same = ann.get(f"{path}/same").json()["games"]
    assert [each["table"] for each in same] == [table]
    from_there = ann.post(f"/api/tables/{again}/games/1/again", json={"alone": True, "at": "1.0.1"})
    assert from_there.status_code == 201
    for wrong in ("11.1.1", "1.12.1", "x", "1.1.9"):
        refused = ann.post(f"{path}/again", json={"alone": True, "at": wrong})
        assert (refused.status_code, "decision" in refused.text) == (400, True), wrong
    stranger = server.someone("Zoe")
    assert stranger.post(f"{path}/again", json={"alone": True, "at": at}).status_code == 403


async def test_with_others_they_gather_first_and_everybody_has_the_seat_of_before(
    server: Running,
) -> None:
    ann, ben = server.someone("Ann"), server.someone("Ben")
    table = open_table(ann, RULES, 3)
    async with (
        connected(server.url, table, ann) as host,
        connected(server.url, table, ben) as guest,
    ):
        await guest.do("join", name="Ben")
        await host.do("start")
        await play_out([host, guest], Random(1))
    again = ben.post(f"/api/tables/{table}/games/1/again", json={"alone": False}).json()["table"]
    line = ben.get(f"/api/tables/{again}").json()
    assert (line["phase"], [seat["me"] for seat in line["seats"]]) == (
        "gathering", [False, True, False],
    )  # fmt: skip
    async with (
        connected(server.url, again, ben) as host,
        connected(server.url, again, ann) as guest,
    ):
        assert host.table["given"] is guest.table["given"] is True
        assert table not in str(host.messages) + str(guest.messages), "it lets one in there"
        assert await host.refusal_code("commit_word", hash="00" * 32) == "table.word.given"
        await guest.do("join", name="Ann", seat=0)
        await host.do("start")
        await play_out([host, guest], Random(2))
    assert deals(ann, again) == deals(ben, table)


async def test_only_who_was_there_plays_a_game_again(server: Running) -> None:
    ann, eve = server.someone("Ann"), server.someone("Eve")
    table = await first_game(server, ann)
    path = f"/api/tables/{table}/games/1"
    assert eve.post(f"{path}/again", json={"alone": True}).status_code == 403
    assert eve.get(f"{path}/same").status_code == 403
    assert server.nobody().post(f"{path}/again", json={"alone": True}).status_code == 403
    assert ann.post(f"/api/tables/{table}/games/2/again", json={"alone": True}).status_code == 404
    assert ann.post(f"{path}/again", json={}).status_code == 400


def test_rules_and_players_of_given_deals_do_not_change_and_the_next_game_has_new_ones() -> None:
    table = Table()
    seed = GivenSeed(bytes(16), "abcdefgh/1", ["owl", ""], 1)
    table.do(Create("poof+schedule:1", 2, "Ann"), "a", 1, seed=seed)
    table.do(Join("Ben"), "b", 2)
    for rules, players in (("amigo+schedule:1", 3), ("poof+schedule:1", 3), ("poof", 2)):
        with pytest.raises(NotAllowed) as refused:
            table.do(Configure(rules, players, DEFAULT_OPTIONS), "a", 3)
        assert refused.value.reason.code == "table.given_rules"
    table.do(Configure("poof+schedule:1", 2, DEFAULT_OPTIONS), "a", 3)
    table = Table.from_snapshot(table.snapshot())
    table.do(Start(), "a", 4)
    assert table.state.play is not None
    game = table.state.play.game
    assert (game.rounds[0].dealer, table.state.play.words) == (1, ("owl", ""))
    while table.to_act is not None:
        move = table.state.play.game.legal_moves[0]
        table.do(Play(table.ply, str(move)), "ab"[table.to_act], 5)
    table.do(Rematch(), "a", 6, seed=bytes(range(16)))
    assert table.view_for("a").given is False
    commitment = word_commitment(table.state.commitment, "owl")
    table.do(CommitWord(commitment), "a", 7)
    assert table.state.seats[0].word_commitment == commitment


# --- the deal of the day --------------------------------------------------------------------


def of_the_day(client: httpx.Client, edition: str) -> str:
    """The table where somebody plays the deals of the day."""
    table: str = client.post("/api/day", json={"edition": edition}).json()["table"]
    return table


async def test_everybody_gets_the_same_cards_of_the_day_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a server before its first game of the day, some hours before midnight."""
    ahead = 2_000_000_000_000 - int(1000 * time.time())  # 2033-05-18
    monkeypatch.setattr(services, "_clock", lambda: ahead + int(1000 * time.time()))
    with (
        server_url(Config(tmp_path, bot_delay=0)) as url,
        people(url, "Ann", "Ben") as (ann, ben),
    ):
        tables = {}
        for client in (ann, ben):
            before = client.get("/api/day?edition=amigo").json()
            assert (before["table"], before["done"], before["results"]) == (None, False, [])
            tables[client] = of_the_day(client, "amigo")
            assert of_the_day(client, "amigo") == tables[client]
        assert tables[ann] != tables[ben]
        await played(url, ann, tables[ann])
        assert ben.get("/api/day?edition=amigo").json()["results"] == []  # he is not done
        assert ben.get("/api/day?edition=amigo").json()["count"] == 1
        await played(url, ben, tables[ben], 2)
        assert deals(ann, tables[ann]) == deals(ben, tables[ben])
        told = ben.get("/api/day?edition=amigo").json()
        assert told["done"]
        assert {each["name"]: each["me"] for each in told["results"]} == {"Ann": False, "Ben": True}
        points = [each["points"] for each in told["results"]]
        assert points == sorted(points, reverse=True)
        assert told["streak"] == 1
        (day,) = told["played"]
        assert (day["date"], day["table"]) == (told["date"], tables[ben])
        rounds = ben.get(f"/api/tables/{tables[ben]}/games/1").json()["replay"]["rounds"]
        assert day["met"] == [0 in each["met"] for each in rounds]
        assert of_the_day(ben, "amigo") == tables[ben]
        other = of_the_day(ben, "poof")
        assert other != tables[ben]  # another edition is another deal
        assert ben.get("/api/day?edition=poof").json()["count"] == 0


def test_a_streak_ends_today_or_yesterday() -> None:
    days = ["2027-03-01", "2027-02-28", "2027-02-26"]
    assert [streak_of(f"2027-03-0{n}", days) for n in (1, 2, 3)] == [2, 2, 0]


def test_who_loses_a_tie_is_not_first() -> None:
    line = StoredGame("poof", ["Ann", "1", "2", "3"], [None] * 4, [50, 50, 30, 20], [1], [], {})
    result = day_result(msgspec.json.encode(line), me=True)
    assert result is not None
    assert (result.points, result.place) == (50, 2)


def test_what_a_bot_has_played_to_the_end_is_no_result_of_the_day() -> None:
    names = ["Vega", "1", "2", "3"]
    bots: list[str | None] = ["steady", "hard", "hard", "hard"]
    line = StoredGame("poof", names, bots, [50, 50, 30, 20], [1], [], {})
    assert day_result(msgspec.json.encode(line), me=True) is None


async def test_however_many_are_done_with_the_day_one_finds_oneself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All are counted; the best and your own result are listed, whatever the order of finishing."""
    monkeypatch.setattr(days, "MAX_RESULTS", 3)
    monkeypatch.setattr(services, "_clock", lambda: 2_000_000_000_000)  # 2033-05-18
    keys, deals, store = Keys(bytes(32)), "2033-05-18 amigo", sqlite_store(tmp_path / STORE)
    everybody = [new_person() for _ in range(6)]
    for number, (person, points) in enumerate(zip(everybody, (9, 7, 40, 90, 8, 60), strict=True)):
        names = [f"P{number}", "1", "2", "3"]
        line = StoredGame("amigo", names, [None] * 4, [points, 5, 5, 5], [0], [], {})
        at, data = 2_000_000_000_000 + number, msgspec.json.encode(line)
        over = Finished(1, at, data, b"", {person: 0}, deals, points)
        await store.append(Append(keys.day_table(deals, person), finished=(over,)))
    await store.close()
    with server_url(Config(tmp_path, secret=bytes(32))) as url:
        for number, best in ((0, [90, 60, 40, 9]), (3, [90, 60, 40]), (5, [90, 60, 40])):
            headers = {"Cookie": keys.cookie(everybody[number])}
            told = httpx.get(f"{url}/api/day?edition=amigo", headers=headers).json()
            assert (told["done"], told["count"]) == (True, 6)
            assert [each["points"] for each in told["results"]] == best
            assert [each["name"] for each in told["results"] if each["me"]] == [f"P{number}"]
            own = {**OURS, **headers}  # the table is gone, and the hands are known
            again = httpx.post(f"{url}/api/day", json={"edition": "amigo"}, headers=own)
            assert refusal(again) == (409, "http.day_left")
        told = httpx.get(f"{url}/api/day?edition=amigo").json()
        assert (told["done"], told["count"], told["results"]) == (False, 6, [])


async def test_who_leaves_the_deal_of_the_day_does_not_get_it_again(server: Running) -> None:
    eve = server.someone("Eve")
    table = eve.post("/api/day", json={"edition": "fundex"}).json()["table"]
    async with connected(server.url, table, eve) as guest:
        await guest.do("leave")
    answer = eve.post("/api/day", json={"edition": "fundex"})
    assert refusal(answer) == (409, "http.day_left")


async def test_the_deal_of_the_day_is_played_by_one_person_as_it_began(server: Running) -> None:
    """Otherwise its host could look into every hand, or let a master play all but the end."""
    gus, other = server.someone("Gus"), server.someone("Gus again")
    table = of_the_day(gus, "fundex")
    async with connected(server.url, table, gus) as host, connected(server.url, table, other) as at:
        assert (await at.do("watch", name="Gus again"))["type"] == "update"
        person = at.table["spectators"][0]["person"]
        options = {"undo": True}
        commands: list[tuple[str, dict[str, Any]]] = [
            ("give_seat", {"seat": 1, "person": person}),
            ("give_seat", {"seat": 1, "bot": "random"}),
            ("step_in", {"seat": 0}),
            ("configure", {"rules": "fundex", "players": 4, "options": options}),
        ]
        for kind, fields in commands:
            assert await host.refusal_code(kind, **fields) == "table.day", kind
        assert await at.refusal_code("ask_for_seat", seat=1) == "table.day"


async def test_the_deal_of_the_day_asks_for_a_name_and_an_edition(server: Running) -> None:
    assert server.nobody().post("/api/day", json={"edition": "poof"}).status_code == 403
    nameless = server.someone()
    assert nameless.post("/api/day", json={"edition": "poof"}).json()["reason"]["code"] == (
        "http.no_name"
    )
    for body in ({}, {"edition": "oh_hell"}, {"edition": "poof", "date": "2030-01-01"}):
        assert server.someone("Ann").post("/api/day", json=body).status_code == 400


def test_no_day_tells_anything_of_another() -> None:
    keys, others = Keys(b"a" * 32), Keys(b"b" * 32)
    days = ["2026-11-22 poof", "2026-11-23 poof", "2026-11-22 amigo"]
    assert len({made.day_seed(day) for made in (keys, others) for day in days}) == 6
    assert len({keys.day_table(day, person) for person in "ab" for day in days}) == 6
    assert Keys(b"a" * 32).day_seed(days[0]) == keys.day_seed(days[0])


async def test_an_evening_counts_the_games_of_a_group(server: Running) -> None:
    """One may leave and another come, who sees the whole evening of the table."""
    ann, ben, cleo, dan = map(server.someone, ("Ann", "Ben", "Cleo", "Dan"))
    table = open_table(ann, "poof+schedule:1", 3)
    seats = [["Ann", "Ben", "Cleo"], ["Ann", "Ben", "Dan"]]
    async with connected(server.url, table, ann) as a, connected(server.url, table, ben) as b:
        await b.do("join", name="Ben")
        for game, person in enumerate((cleo, dan)):
            async with connected(server.url, table, person) as other:
                await other.do("join", name=seats[game][2])
                await a.do("start")
                await play_out([a, b, other], Random(game))
                if game == 0:
                    await a.do("rematch")
                    await other.do("leave")
    path = f"/api/tables/{table}/games"
    results = [ann.get(f"{path}/{game}").json()["replay"] for game in (1, 2)]
    first, told = ann.get(f"{path}/1/evening").json(), dan.get(f"{path}/2/evening").json()
    assert (first["games"], told["games"]) == (1, 2)
    points = [each["points"] for each in told["players"]]
    assert points == sorted(points, reverse=True)
    assert {each["name"]: each["played"] for each in told["players"]} == {
        "Ann": 2, "Ben": 2, "Cleo": 1, "Dan": 1
    }  # fmt: skip
    for each in told["players"]:
        own = [
            (result, names.index(each["name"]))
            for result, names in zip(results, seats, strict=True)
            if each["name"] in names
        ]
        assert each["points"] == sum(result["scores"][seat] for result, seat in own)
        assert each["won"] == sum(seat in result["winners"] for result, seat in own)
        assert each["me"] == (each["name"] == "Dan")


async def test_an_evening_follows_people_and_not_their_names(server: Running) -> None:
    """Two who are called Ann stay two, and Ben on another device stays one."""
    ann, ben, cleo, namesake, phone = map(server.someone, ("Ann", "Ben", "Cleo", "Ann", "Ben"))
    rules = "poof+schedule:1"
    async with seated(server.url, (namesake, ben, cleo), rules=rules) as guests:
        await start(*guests)
        await play_out(guests, Random(0))
    table = open_table(ann, rules, 3)
    async with connected(server.url, table, ann) as a, connected(server.url, table, cleo) as c:
        async with connected(server.url, table, ben) as b:
            await sit_down((a, b, c))
            await start(a, b, c)
            await play_out([a, b, c], Random(1))
            await a.do("rematch")
            await start(a, b, c)
        await a.fact("presence_set")
        async with connected(server.url, table, phone) as b:
            await b.do("ask_for_seat", seat=1, name="Ben")
            await a.do("give_seat", seat=1, person=(await a.fact("seat_requested"))["person"])
            await c.do("answer", ply=(await c.fact("seat_proposed"))["ply"], yes=True)
            await play_out([a, b, c], Random(2))
    path = f"/api/tables/{table}/games/2/evening"
    for person, played in (
        (cleo, {"Ann": [1, 2], "Ben": [3], "Cleo": [3]}),
        (phone, {"Ann": [2], "Ben": [2], "Cleo": [2]}),
    ):
        found = defaultdict[str, list[int]](list)
        for each in person.get(path).json()["players"]:
            found[each["name"]].append(each["played"])
        assert {name: sorted(games) for name, games in found.items()} == played


def test_points_are_those_of_the_rounds_dealt_to_somebody() -> None:
    dealt = {
        number: DealtRound(["ann", "ben"], ["Ann", "Ben"], [10, 20 + number]) for number in (1, 2)
    }
    stored = StoredGame(
        "poof", ["Ann", "Cleo"], [None] * 2, [30, 48], [1], ["ann", "cleo"], dealt, [[0]] * 3
    )
    held = (("ann", 0), ("ben", 1), ("cleo", 1))
    assert [stored.points_of(*each) for each in held] == [30, 43, 5]
    assert [stored.rounds_of(*each, 3) for each in held] == [[1, 2, 3], [1, 2], [3]]
    assert [stored.finished_by(*each, 3) for each in held] == [True, False, False]
    assert [stored.earlier(seat) for seat in (0, 1)] == [[], ["Ben"]]
