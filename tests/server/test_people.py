"""Who asks: cookies, names, and becoming the same person on another device."""

from __future__ import annotations

import json
import re
from http.cookies import SimpleCookie
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rage.server.errors import NotYours
from rage.server.identity import HANDOVER_SECONDS, Keys, new_person
from server.conftest import Launch
from server.running import Running
from server.sitting import cookie

KEYS = Keys(b"a secret")


def flags(answer: httpx.Response) -> dict[str, str | bool]:
    (morsel,) = SimpleCookie(answer.headers["set-cookie"]).values()
    return {name: value for name, value in morsel.items() if value}


def test_who_has_no_cookie_gets_one(server: Running) -> None:
    client = server.nobody()
    answer = client.get("/api/me")
    me = answer.json()
    assert re.fullmatch("[a-z2-9]{12}", me.pop("person"))
    assert me == {"name": None, "language": "en", "secure": True}
    assert flags(answer) == {
        "path": "/", "httponly": True, "samesite": "Lax", "max-age": str(400 * 24 * 3600),
    }  # fmt: skip


def test_who_has_a_cookie_stays_the_same(server: Running) -> None:
    client = server.someone()
    assert client.get("/api/me").json()["person"] == client.get("/api/me").json()["person"]


def test_a_name_is_kept(server: Running) -> None:
    client = server.someone()
    assert client.put("/api/me", json={"name": "  Zoë 🂡 "}).json()["name"] == "Zoë 🂡"
    assert client.get("/api/me").json()["name"] == "Zoë 🂡"


@pytest.mark.parametrize("name", ["", "   ", "x" * 41, 7, None, "\ud800"])
def test_a_name_that_is_none_is_refused(server: Running, name: object) -> None:
    body = json.dumps({"name": name}).encode()
    answer = server.someone().put("/api/me", content=body)
    assert answer.status_code == 400
    assert answer.json().keys() == {"reason", "text"}


@pytest.mark.parametrize("lang", ["en", "de", "es"])
def test_the_language_is_that_of_the_request(server: Running, lang: str) -> None:
    client = server.someone()
    said = client.get("/api/me", headers={"accept-language": f"fr, {lang};q=0.8, xx;q=0.9"})
    assert said.json()["language"] == lang
    other = {"accept-language": "en"}
    assert client.get(f"/api/me?lang={lang}", headers=other).json()["language"] == lang
    refused = client.get("/api/tables/xxxxxxxx", headers={"accept-language": lang}).json()["text"]
    expected = {"en": "There is no", "de": "Einen Tisch", "es": "Aquí no hay"}[lang]
    assert refused.startswith(expected)


def test_a_language_that_there_is_not_is_refused(server: Running) -> None:
    answer = server.someone().get("/api/me?lang=fr")
    assert (answer.status_code, answer.json()["reason"]["code"]) == (400, "language.unknown")


@pytest.mark.parametrize(
    "value",
    ["", "x", "aaaaaaaaaaaa", "aaaaaaaaaaaa.", "aaaaaaaaaaaa.aaaa", ".", "é.é", "a" * 5000],
)
def test_a_cookie_that_is_not_ours_proves_nothing(server: Running, value: str) -> None:
    (name,) = server.someone().cookies
    sent = name.encode() + b"=" + value.encode()
    client = server.nobody(cookie=sent)  # type: ignore[arg-type]  # as sent
    answer = client.put("/api/me", json={"name": "Ann"})
    assert (answer.status_code, answer.json()["reason"]["code"]) == (403, "http.nobody")


def test_a_cookie_of_another_person_is_not_made_by_changing_one() -> None:
    (ann, hers), (ben, his) = ((each, KEYS.cookie(each)) for each in (new_person(), new_person()))
    assert KEYS.person(hers) == ann
    assert KEYS.person(hers.replace(ann, ben)) is None
    other = Keys(b"another secret")
    assert other.person(hers) is None
    renamed = other.cookie(ann).partition("=")[0] + "=" + hers.partition("=")[2]
    assert other.person(renamed) is None
    assert KEYS.asker([(b"cookie", f"a=1; {his}x; {renamed}; {hers}".encode())]) == ann


def test_a_server_that_starts_again_knows_everybody_still(launch: Launch) -> None:
    first = launch()
    client = first.someone("Ann")
    person, hers = client.get("/api/me").json()["person"], cookie(client)
    first.end()
    again = launch().nobody(cookie=hers).get("/api/me").json()
    assert (again["person"], again["name"]) == (person, "Ann")


def test_two_servers_of_one_host_leave_each_other_their_people(
    launch: Launch, tmp_path: Path
) -> None:
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
    before = phone.get("/api/me").json()["person"]
    answer = phone.post(f"/api/handover/{given['token']}")
    assert answer.json() == {"person": ann.get("/api/me").json()["person"], "name": "Ann"}
    assert phone.get("/api/me").json()["person"] == answer.json()["person"] != before
    again = server.nobody().post(f"/api/handover/{given['token']}")
    assert (again.status_code, again.json()["reason"]["code"]) == (403, "http.handover")
    assert "set-cookie" not in again.headers


@given(st.text(st.characters(codec="ascii", categories=("L", "N", "Pd", "Pc")), max_size=130))
def test_a_token_that_is_not_ours_is_refused(token: str) -> None:
    with pytest.raises(NotYours):
        KEYS.handed(token, 0)


def test_a_token_is_for_one_use_of_one_server_and_for_some_minutes() -> None:
    person, now = new_person(), 1_700_000_000_000
    token = KEYS.handover(person, now)
    assert KEYS.handed(token, now + HANDOVER_SECONDS * 1000).person == person
    for keys, at in ((KEYS, now + HANDOVER_SECONDS * 1000 + 1), (Keys(b"another"), now)):
        with pytest.raises(NotYours):
            keys.handed(token, at)
    for at in range(len(token)):
        other = token[:at] + ("A" if token[at] != "A" else "B") + token[at + 1 :]
        with pytest.raises(NotYours):
            KEYS.handed(other, now)
    assert KEYS.person(f"{KEYS.cookie(person).partition('.')[0]}.{token}") is None
