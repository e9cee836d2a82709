"""Tables and games over HTTP: opened, found, listed, looked at when they are over."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from rage.bots import OFFERED
from rage.game.rulebook import chapters
from rage.notation import parse_record, replay
from rage.rules.editions import ruleset
from rage.say import LANGUAGES, sentence
from server.running import Running, open_table, person_of, refusal
from server.table_client import connected, play_out


def test_a_table_is_opened_with_bots_and_started(server: Running) -> None:
    ann = server.someone("Ann")
    code = open_table(ann, "amigo+sweep", 4, bots=["steady", None, "random"], start=True)
    line = ann.get(f"/api/tables/{code[:4]}-{code[4:]}".replace(code[:4], code[:4].upper())).json()
    assert [each["bot"] for each in line["seats"]] == [None, "steady", "steady", "random"]
    assert [each["me"] for each in line["seats"]] == [True, False, False, False]
    assert (line["table"], line["rules"], line["edition"]) == (code, "amigo+sweep", "amigo")
    assert line["title"] == "Rage (AMIGO 00990) + Winner takes all"
    assert (line["phase"], line["round"], line["rounds"], line["game"]) == ("playing", 1, 10, 1)
    assert not line["may_join"]
    assert not line["may_watch"]
    other = server.nobody().get(f"/api/tables/{code}").json()
    assert other["may_watch"]
    assert not any(seat["me"] for seat in other["seats"])


def test_a_table_waits_for_people(server: Running) -> None:
    ann, ben = server.someone("Ann"), server.someone("Ben")
    code = open_table(ann, players=3, options={"access": "open", "spectators": False})
    line = ben.get(f"/api/tables/{code}").json()
    assert (line["phase"], line["round"], line["spectators"]) == ("gathering", None, 0)
    assert line["may_join"]
    assert not line["may_watch"]
    assert code in [each["table"] for each in ben.get("/api/tables").json()["open"]]
    mine = ann.get("/api/tables").json()
    assert code in [each["table"] for each in mine["mine"]]
    assert code not in [each["table"] for each in mine["open"]]
    hidden = open_table(ann, players=3)
    assert hidden not in ben.get("/api/tables").text


def test_the_name_is_that_of_the_person_unless_another_is_given(server: Running) -> None:
    ann = server.someone("Ann")
    code = open_table(ann, name=None)
    assert ann.get(f"/api/tables/{code}").json()["seats"][0]["name"] == "Ann"
    code = open_table(ann, name="Anna")
    assert ann.get(f"/api/tables/{code}").json()["seats"][0]["name"] == "Anna"
    nameless = server.someone().post("/api/tables", json={"rules": "poof", "players": 3})
    assert refusal(nameless) == (400, "http.no_name")


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"rules": "nope"}, (400, "ruleset.no_term")),
        ({"rules": "amigo", "players": 2}, (409, "players.refused")),
        ({"rules": "oh_hell"}, (400, "ruleset.no_term")),
        ({"players": "4"}, (400, "http.field")),
        ({"players": 4.5}, (400, "http.field")),
        ({"players": 10**30}, (400, "http.field")),
        ({"start": 1}, (400, "http.field")),
        ({"seed": "00"}, (400, "http.field")),
        ({"bots": ["nobody"]}, (400, "bot.unknown")),
        ({"bots": ["steady"] * 4}, (400, "http.too_many_bots")),
        ({"options": {"undoo": True}}, (400, "http.field")),
        ({"options": {"bot": "nobody"}}, (400, "bot.unknown")),
        ({"options": {"clock": {"nudge": 9, "ask": 8}}}, (409, "table.clock_order")),
        ({"name": "x" * 41}, (400, "name.long")),
        ({"name": "  "}, (400, "name.empty")),
        ({"name": "\u202eevil"}, (400, "name.character")),
    ],
)  # fmt: skip
def test_an_invalid_table_is_refused(
    server: Running, changes: dict[str, Any], expected: tuple[int, str]
) -> None:
    ann = server.someone("Ann")
    asked = {"rules": "amigo", "players": 4, "name": "Ann", **changes}
    assert refusal(ann.post("/api/tables", json=asked)) == expected
    assert ann.get("/api/tables").json()["mine"] == []


def test_a_client_without_a_cookie_cannot_open_a_table(server: Running) -> None:
    asked = {"rules": "amigo", "players": 4, "name": "Ann"}
    assert refusal(server.nobody().post("/api/tables", json=asked)) == (403, "http.nobody")


@pytest.mark.parametrize("code", ["aaaaaaaa", "nonsense!", "a", "%00", "é" * 8, "a" * 300])
def test_an_unknown_table(server: Running, code: str) -> None:
    assert refusal(server.someone().get(f"/api/tables/{code}")) == (404, "http.no_table")


def test_an_option_out_of_its_range_is_named(server: Running) -> None:
    asked = {"rules": "amigo", "players": 4, "name": "Ann"}
    for options, field in (({"grace": -1}, "grace"), ({"clock": {"ask": 10**9}}, "clock.ask")):
        answer = server.someone().post("/api/tables", json={**asked, "options": options})
        assert refusal(answer) == (400, "http.field")
        assert answer.json()["reason"]["field"] == f"options.{field}"


async def test_a_finished_game_is_only_for_those_who_were_there(server: Running) -> None:
    ann, ben, cleo = (server.someone(name) for name in ("Ann", "Ben", "Cleo"))
    code = open_table(ann, "poof+schedule:2.1", 2)
    async with connected(server.url, code, ann) as one, connected(server.url, code, ben) as two:
        await two.do("join", name="Ben")
        async with connected(server.url, code, cleo) as third:
            await third.do("watch", name="Cleo")
            await one.ask("start")
            await play_out([one, two], Random(3))
            await third.fact("game_over")
    for client, seat in ((ann, 0), (ben, 1), (cleo, None)):
        (line,) = client.get("/api/games?lang=de").json()["games"]
        assert (line["table"], line["game"], line["seat"]) == (code, 1, seat)
        assert line["names"] == ["Ann", "Ben"]
        assert line["title"].endswith("eigene Einstellungen")
        whole = client.get(f"/api/tables/{code}/games/1").json()
        assert whole["replay"]["scores"] == line["scores"] == whole["record"]["scores"]
    file = ann.get(f"/api/tables/{code}/games/1/record")
    assert f'filename="{code}-1.rage.json"' in file.headers["content-disposition"]
    assert replay(parse_record(file.content)).scores == line["scores"]
    dan = server.someone("Dan")
    assert dan.get("/api/games").json() == {"games": []}
    for path in (f"/api/tables/{code}/games/1", f"/api/tables/{code}/games/1/record"):
        for stranger in (dan, server.nobody()):
            assert refusal(stranger.get(path)) == (403, "http.game_of_others")
            assert "“Copy a link for everyone”" in stranger.get(path).json()["text"]
    assert refusal(ann.get(f"/api/tables/{code}/games/2")) == (404, "http.no_game")


async def test_who_was_removed_has_played_nevertheless(server: Running) -> None:
    """Their rounds are theirs, and the game stands in their list."""
    ann, ben = server.someone("Ann"), server.someone("Ben")
    code = open_table(ann, "poof+schedule:1.1.1", 2)
    async with connected(server.url, code, ann) as one:
        async with connected(server.url, code, ben) as two:
            await two.do("join", name="Ben")
            await one.ask("start")
            await play_out([one, two], Random(3), most=4)
            person = person_of(ben)
            await one.do("remove", person=person, bar=True)
        await play_out([one], Random(3))
    (line,) = ben.get("/api/games").json()["games"]
    assert (line["seat"], line["side"], line["rounds"]) == (1, None, [1, 2])
    (kept,) = ann.get("/api/games").json()["games"]
    assert (kept["side"], kept["rounds"]) == (0, [1, 2, 3])
    bot = line["names"][1]
    assert (bot, line["earlier"]) == ("Vega", [[], ["Ben"]])
    replay = ben.get(f"/api/tables/{code}/games/1").json()["replay"]
    assert [each["players"][1] for each in replay["rounds"]] == ["Ben", "Ben", bot]
    assert [each["bots"][1] for each in replay["rounds"]] == [None, None, "steady"]
    assert (replay["players"], replay["bots"]) == (["Ann", bot], [None, "steady"])


# --- rules, boxes, links -------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_choices_for_a_new_table(server: Running, lang: str) -> None:
    choice = server.nobody().get(f"/api/rules?lang={lang}").json()
    assert [each["name"] for each in choice["editions"]] == ["poof", "amigo", "fundex"]
    assert [each["name"] for each in choice["bots"]] == [*OFFERED]
    for variant in choice["variants"]:
        assert variant["title"]
        assert variant["about"][0].isupper()
        assert variant["editions"]
    *_, bga = choice["rule_sets"]
    assert (bga["name"], bga["rules"], bga["edition"]) == ("bga", "amigo+tie:exact_bids", "amigo")
    assert bga["title"].endswith("Board Game Arena")
    assert bga["about"][0].isupper()
    settings = {each["name"]: each for each in choice["settings"]}
    assert settings["bidding"]["values"] == ["open", "hidden", "secret"]
    assert not {"colours", "ranks"} & settings.keys()
    assert "hello" in choice["presets"]
    packed = server.nobody().get("/api/rules").headers
    assert packed["content-encoding"] == "gzip"
    assert "accept-encoding" in packed["vary"].lower()
    assert choice["limits"]["name"] == 40


def test_rules_in_words(server: Running) -> None:
    page = server.nobody().get("/api/rules/AMIGO+sweep?players=4&lang=es").json()
    rules = ruleset("amigo+sweep")
    said = [sentence(c.title, "es", edition="amigo") for c in chapters(rules, 4)]
    assert [chapter["title"] for chapter in page["chapters"]] == said
    codes = [line.code for chapter in chapters(rules, 4) for line in chapter.lines]
    assert [code for chapter in page["chapters"] for code in chapter["codes"]] == codes
    assert [chapter["code"] for chapter in page["chapters"]] == [c.code for c in chapters(rules, 4)]
    assert page["rules"] == "amigo+sweep"
    assert page["settings"]["sweep"] == "true"
    assert page["schedule"] == list(rules.schedule)
    assert len(page["differences"]) == 1
    unlike = server.nobody().get("/api/rules/amigo?unlike=poof").json()
    assert len(unlike["differences"]) > 3


def test_unknown_rules(server: Running) -> None:
    client = server.nobody()
    assert refusal(client.get("/api/rules/nope")) == (400, "ruleset.no_term")
    assert refusal(client.get("/api/rules/amigo?players=2")) == (409, "players.refused")
    assert refusal(client.get("/api/rules/amigo?players=x")) == (400, "http.field")
    long = "+".join(["amigo"] * 200)
    assert refusal(client.get(f"/api/rules/{long}")) == (400, "ruleset.too_long")
    assert refusal(client.get("/api/rules/amigo?unlike=nope")) == (400, "ruleset.no_term")


def test_which_box_somebody_owns(server: Running) -> None:
    client = server.nobody()
    first = client.get("/api/box").json()
    assert first["left"] == ["poof", "amigo", "fundex"]
    assert client.get("/api/box?answers=2").json() == {"question": None, "left": ["amigo"]}
    unsure = str(len(first["question"]["answers"]))
    second = client.get(f"/api/box?answers={unsure}").json()
    assert second["question"]["code"] != first["question"]["code"]
    assert refusal(client.get("/api/box?answers=9")) == (400, "http.no_answer")
    assert refusal(client.get("/api/box?answers=x")) == (400, "http.field")


def test_a_qr_code(server: Running) -> None:
    answer = server.nobody().get("/api/qr", params={"path": "/t/abcd-efgh"})
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert answer.text.startswith("<svg ")
    assert "<script" not in answer.text
    for path in ("//evil.example/", "x", "/\\evil", "/ a", "/<script>", "/" + "a" * 700):
        assert server.nobody().get("/api/qr", params={"path": path}).status_code == 400, path
    foreign = {"path": "/", "at": "http://evil.example"}
    assert refusal(server.nobody().get("/api/qr", params=foreign)) == (409, "http.no_address")


def test_a_server_for_this_machine_alone_has_no_other_address(server: Running) -> None:
    assert server.nobody().get("/api/network").json() == {"addresses": []}
