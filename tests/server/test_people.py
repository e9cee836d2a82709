"""Persons: cookies, names, and becoming the same person on another device."""

from __future__ import annotations

import json
import re
from http.cookies import SimpleCookie
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.asyncio.client import connect
from websockets.typing import Origin

from rage.house.base.errors import Forbidden
from rage.house.people.identity import HANDOVER_SECONDS, Keys, new_person
from rage.house.tables import services
from rage.say import LANGUAGES, Reason, sentence
from rage.server.config import Config
from server.conftest import Launch
from server.inside import server_url
from server.running import Running, open_table, people, person_of, refusal
from server.stored import stored
from server.table_client import connected, cookie

KEYS = Keys(b"a secret")


def flags(answer: httpx.Response) -> dict[str, str | bool]:
    (morsel,) = SimpleCookie(answer.headers["set-cookie"]).values()
    return {name: value for name, value in morsel.items() if value}


def test_a_client_without_a_cookie_gets_one(server: Running) -> None:
    client = server.nobody()
    answer = client.get("/api/me")
    me = answer.json()
    assert re.fullmatch("[a-z2-9]{12}", me.pop("person"))
    assert me == {"name": None, "sign": "", "language": "en", "secure": True}
    assert flags(answer) == {
        "path": "/", "httponly": True, "samesite": "Lax", "max-age": str(400 * 24 * 3600),
    }  # fmt: skip


def test_a_client_with_a_cookie_stays_the_same_person(server: Running) -> None:
    client = server.someone()
    assert person_of(client) == person_of(client)


def test_a_name_is_kept(server: Running) -> None:
    client = server.someone()
    assert client.put("/api/me", json={"name": "  Zoë 🂡 "}).json()["name"] == "Zoë 🂡"
    assert client.get("/api/me").json()["name"] == "Zoë 🂡"
    assert client.put("/api/me", json={"name": "E\u0301" * 40}).json()["name"] == "É" * 40
    refused = client.put("/api/me", json={"name": "E\u0301" * 41}).json()
    assert refused["reason"]["code"] == "name.long"


@pytest.mark.parametrize("name", ["", "   ", "x" * 41, 7, None, "\ud800", "\u202eevil", "\u3164"])
def test_an_invalid_name_is_refused(server: Running, name: object) -> None:
    body = json.dumps({"name": name}).encode()
    answer = server.someone().put("/api/me", content=body)
    assert answer.status_code == 400
    assert answer.json().keys() == {"reason", "text"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_language_is_that_of_the_request(server: Running, lang: str) -> None:
    client = server.someone()
    said = client.get("/api/me", headers={"accept-language": f"tlh, {lang};q=0.8, xx;q=0.9"})
    assert said.json()["language"] == lang
    other = {"accept-language": "en"}
    assert client.get(f"/api/me?lang={lang}", headers=other).json()["language"] == lang
    refused = client.get("/api/tables/xxxxxxxx", headers={"accept-language": lang}).json()["text"]
    assert refused == sentence(Reason("http.no_table", {"table": "xxxxxxxx"}), lang)


def test_a_refusal_is_in_the_language_that_is_asked_for(server: Running) -> None:
    """Also what is refused before any route; an unknown language only leaves out the wish."""
    foreign = server.nobody(host="evil.example", **{"accept-language": "de"})
    texts = [foreign.get(f"/api/me?lang={lang}").json() for lang in ("es", "tlh", "de")]
    assert {each["reason"]["code"] for each in texts} == {"http.host"}
    reason = Reason("http.host", {"name": "evil.example"})
    sentences = [sentence(reason, lang) for lang in ("es", "de", "de")]
    assert [each["text"] for each in texts] == sentences


def test_an_unknown_language_is_refused(server: Running) -> None:
    answer = server.someone().get("/api/me?lang=tlh")
    assert refusal(answer) == (400, "language.unknown")


@pytest.mark.parametrize(
    "value",
    ["", "x", "aaaaaaaaaaaa", "aaaaaaaaaaaa.", "aaaaaaaaaaaa.aaaa", ".", "é.é", "a" * 5000],
)
def test_a_cookie_that_is_not_ours_proves_nothing(server: Running, value: str) -> None:
    (name,) = server.someone().cookies
    sent = name.encode() + b"=" + value.encode()
    client = server.nobody(cookie=sent)  # type: ignore[arg-type]  # as sent
    answer = client.put("/api/me", json={"name": "Ann"})
    assert refusal(answer) == (403, "http.nobody")


def test_a_cookie_of_another_person_is_not_made_by_changing_one() -> None:
    (ann, hers), (ben, his) = ((each, KEYS.cookie(each)) for each in (new_person(), new_person()))
    assert KEYS.person(hers) == ann
    assert KEYS.person(hers.replace(ann, ben)) is None
    other = Keys(b"another secret")
    assert other.person(hers) is None
    renamed = other.cookie(ann).partition("=")[0] + "=" + hers.partition("=")[2]
    assert other.person(renamed) is None
    assert KEYS.authenticate([(b"cookie", f"a=1; {his}x; {renamed}; {hers}".encode())]) == ann


def test_names_and_handovers_are_dated_by_the_clock_of_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [2_000_000_000_000]
    monkeypatch.setattr(services, "_clock", lambda: now[0])
    with server_url(Config(tmp_path)) as url, people(url, "Ann", "Ben") as (ann, ben):
        with stored(tmp_path) as connection:
            assert connection.execute("SELECT at FROM names").fetchall() == [(now[0],)] * 2
        tokens = [ann.post("/api/handover").json()["token"] for _ in range(2)]
        now[0] += 1000 * HANDOVER_SECONDS
        assert ben.post(f"/api/handover/{tokens[0]}").status_code == 200
        now[0] += 1
        assert ben.post(f"/api/handover/{tokens[1]}").status_code == 403


def test_two_servers_on_one_host_do_not_share_cookies(launch: Launch, tmp_path: Path) -> None:
    """A browser keeps cookies by host, whatever the port: it is one client for both."""
    here, there = launch(), launch(data=tmp_path / "other")
    browser = here.nobody()

    def person(server: Running) -> str:
        found: str = browser.get(f"{server.url}/api/me").json()["person"]
        return found

    ann, eve = person(here), person(there)
    assert [person(here), person(there), person(here)] == [ann, eve, ann]
    assert len(browser.cookies) == 2
    here.end()  # and with it its name for the cookie stays
    browser = there.nobody(cookie=cookie(browser))
    assert person(launch()) == ann


def test_another_device_becomes_the_same_person_once(server: Running) -> None:
    ann = server.someone("Ann")
    given = ann.post("/api/handover").json()
    assert given["seconds"] == HANDOVER_SECONDS
    assert given["url"] == f"{server.url}/join#handover={given['token']}"
    assert given["qr"].startswith("data:image/svg+xml")
    phone = server.someone()
    before = person_of(phone)
    answer = phone.post(f"/api/handover/{given['token']}")
    assert answer.json() == {"person": person_of(ann), "name": "Ann"}
    assert person_of(phone) == answer.json()["person"] != before
    again = server.nobody().post(f"/api/handover/{given['token']}")
    assert refusal(again) == (403, "http.handover")
    assert "set-cookie" not in again.headers


@given(st.text(st.characters(codec="ascii", categories=("L", "N", "Pd", "Pc")), max_size=130))
def test_a_token_that_is_not_ours_is_refused(token: str) -> None:
    with pytest.raises(Forbidden):
        KEYS.read_handover(token, 0)


def test_a_token_is_for_one_server_one_use_and_some_minutes() -> None:
    person, now = new_person(), 1_700_000_000_000
    token = KEYS.handover(person, now)
    assert KEYS.read_handover(token, now + HANDOVER_SECONDS * 1000).person == person
    late, early = now + HANDOVER_SECONDS * 1000 + 1, now - 1
    for keys, at in ((KEYS, late), (KEYS, early), (Keys(b"another"), now)):
        with pytest.raises(Forbidden):
            keys.read_handover(token, at)
    for at in range(len(token)):
        other = token[:at] + ("A" if token[at] != "A" else "B") + token[at + 1 :]
        with pytest.raises(Forbidden):
            KEYS.read_handover(other, now)
    assert KEYS.person(f"{KEYS.cookie(person).partition('.')[0]}.{token}") is None


async def test_sessions_are_ended_on_all_other_devices(launch: Launch) -> None:
    server = launch()
    ann = server.someone("Ann")
    before, code = cookie(ann), open_table(ann)
    phone = server.nobody(cookie=before)
    person = person_of(phone)
    token = ann.post("/api/handover").json()["token"]
    other = open_table(ann)
    async with (
        connected(server.url, code, before) as one,
        connected(server.url, other, before) as two,
    ):
        answer = ann.post("/api/me/end-sessions")
        assert (answer.status_code, answer.json()["person"]) == (200, person)
        assert [await each.close_code() for each in (one, two)] == [4003, 4003]
    after = cookie(ann)
    assert after != before
    assert ann.get("/api/me").json() == answer.json()
    assert person_of(server.nobody(cookie=before)) != person
    for refused in (
        server.nobody(cookie=before).put("/api/me", json={"name": "Eve"}),
        server.nobody(cookie=before).post("/api/me/end-sessions"),
    ):
        assert refused.json()["reason"]["code"] == "http.nobody"
    late = server.nobody().post(f"/api/handover/{token}")
    assert refusal(late) == (403, "http.handover")
    token = ann.post("/api/handover").json()["token"]
    phone = server.nobody()
    assert phone.post(f"/api/handover/{token}").json()["person"] == person
    assert cookie(phone) == after
    async with connected(server.url, code, after) as one:
        assert one.table["me"]["person"] == person
    async with connect(
        f"{server.url.replace('http', 'ws', 1)}/ws/{code}",
        additional_headers={"Cookie": before}, origin=Origin(server.url),
    ) as socket:  # fmt: skip
        await socket.wait_closed()
        assert socket.close_code == 4003
    server.end()
    again = launch()
    me = again.nobody(cookie=after).get("/api/me").json()
    assert (me["person"], me["name"]) == (person, "Ann")
    assert person_of(again.nobody(cookie=before)) != person


def test_a_cookie_from_before_there_were_numbers_stays_valid() -> None:
    person = "k7wq2mzt9abc"
    assert KEYS.cookie(person).endswith("=k7wq2mzt9abc.2ki7s19LONXdLKnVna2w-WkOAZ_jjuvQfl3FR92fbQg")
    assert KEYS.person(KEYS.cookie(person)) == person
