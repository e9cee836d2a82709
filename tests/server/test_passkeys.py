"""Passkeys: another device becomes the same person, by the library webauthn."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from copy import deepcopy
from pathlib import Path
from typing import Any

import httpx
import pytest

from rage.house.base.errors import Forbidden
from rage.house.limits import MAX_PASSKEYS
from rage.house.people.identity import CHALLENGE_SECONDS, Keys
from rage.server.stores import STORE
from server.authenticator import Authenticator, text
from server.conftest import Launch
from server.running import Running, open_table, person_of, refusal
from server.table_client import connected, cookie

#: A server behind a proxy, as its visitors see it.
ORIGIN = "https://cards.example.org"
VISITOR = {"host": "cards.example.org", "x-forwarded-proto": "https"}


def options(client: httpx.Client, what: str) -> dict[str, Any]:
    """What the browser is to ask for."""
    asked: dict[str, Any] = client.post(f"/api/passkeys/{what}").json()["options"]
    return asked


def created(client: httpx.Client, origin: str | None = None) -> Authenticator:
    """A passkey of a person."""
    key = Authenticator(origin or str(client.base_url).rstrip("/"))
    credential = key.create(options(client, "begin"))
    answer = client.post("/api/passkeys", json={"credential": credential})
    assert answer.status_code == 201, answer.text
    return key


def use(client: httpx.Client, credential: dict[str, Any], **more: object) -> httpx.Response:
    return client.post("/api/passkeys/use", json={"credential": credential, **more})


def used(client: httpx.Client, key: Authenticator, **more: object) -> httpx.Response:
    return use(client, key.get(options(client, "ask")), **more)


async def test_a_passkey_gives_the_same_person_and_seat_until_it_is_removed(
    server: Running,
) -> None:
    ann = server.someone("Ann")
    person, table = person_of(ann), open_table(ann)
    assert ann.get("/api/recovery").json() == {"made": None, "passkeys": []}
    asked = options(ann, "begin")
    assert asked["rp"] == {"name": "Rage", "id": "localhost"}
    assert asked["user"]["name"] == "Ann"
    assert asked["authenticatorSelection"] == {
        "residentKey": "required", "requireResidentKey": True, "userVerification": "preferred",
    }  # fmt: skip
    assert asked["attestation"] == "none"
    key, other = created(ann), created(ann)
    assert text(key.id) in [each["id"] for each in options(ann, "begin")["excludeCredentials"]]
    for phone in (server.someone("Phone"), server.nobody()):  # and again
        assert used(phone, key).json() == {"person": person, "name": "Ann"}
        assert cookie(phone) == cookie(ann)  # both are signed in
        async with connected(server.url, table, cookie(phone)) as client:
            assert client.table["me"]["seat"] == 0
    first, second = ann.get("/api/recovery").json()["passkeys"]
    left = ann.post("/api/passkeys/remove", json={"made": first}).json()
    assert left == {"made": None, "passkeys": [second]}
    refused = used(server.nobody(), key)
    assert refusal(refused) == (403, "http.passkey")
    assert "set-cookie" not in refused.headers
    assert used(server.nobody(), other).status_code == 200


async def test_the_old_session_ends_if_wanted_and_all_else_that_recovers(server: Running) -> None:
    ann = server.someone("Ann")
    table, before = open_table(ann), cookie(ann)
    key, other = created(ann), created(ann)
    words = ann.post("/api/recovery").json()["words"]
    phone = server.nobody()
    async with connected(server.url, table, before) as old:
        assert used(phone, key, end_sessions=True).json()["name"] == "Ann"
        assert await old.close_code() == 4003
    assert ann.post("/api/recovery").json()["reason"]["code"] == "http.nobody"
    assert used(server.nobody(), other).status_code == 403
    said = {"words": " ".join(words)}
    assert server.nobody().post("/api/recovery/use", json=said).status_code == 403
    state = phone.get("/api/recovery").json()
    assert (state["made"], len(state["passkeys"])) == (None, 1)
    assert used(server.nobody(), key).status_code == 200
    assert phone.post("/api/me/end-sessions").status_code == 200
    assert used(server.nobody(), key).status_code == 403


def other_origin(key: Authenticator, asked: dict[str, Any]) -> dict[str, Any]:
    key.origin = "http://localhost:1"
    return key.get(asked)


def other_challenge(key: Authenticator, asked: dict[str, Any]) -> dict[str, Any]:
    return key.get({**asked, "challenge": text(bytes(64))})


def other_host(key: Authenticator, asked: dict[str, Any]) -> dict[str, Any]:
    return key.get({**asked, "rpId": "example.org"})


def other_key(key: Authenticator, asked: dict[str, Any]) -> dict[str, Any]:
    foreign = Authenticator(key.origin)
    foreign.id, foreign.person, foreign.counter = key.id, key.person, 10
    return foreign.get(asked)


def unknown_key(key: Authenticator, asked: dict[str, Any]) -> dict[str, Any]:
    return Authenticator(key.origin).get(asked)


def other_person(key: Authenticator, asked: dict[str, Any]) -> dict[str, Any]:
    key.person = text(b"k7wq2mzt9abc")
    return key.get(asked)


def copied_key(key: Authenticator, asked: dict[str, Any]) -> dict[str, Any]:
    key.counter -= 1
    return key.get(asked)


def for_creation(key: Authenticator, asked: dict[str, Any]) -> dict[str, Any]:
    return key.create({**asked, "rp": {"id": "localhost"}, "user": {"id": key.person}})


@pytest.mark.parametrize(
    "answer",
    [
        other_origin, other_challenge, other_host, other_key, unknown_key, other_person, copied_key,
        for_creation,
        lambda key, asked: {},
        lambda key, asked: {**key.get(asked), "id": 5},
        lambda key, asked: {**key.get(asked), "response": {"clientDataJSON": text(b"[]")}},
        lambda key, asked: {"id": "A" * 9000, "response": {"clientDataJSON": text(b'{"a":1}')}},
    ],
)  # fmt: skip
def test_what_a_passkey_has_not_signed_for_this_is_refused(
    server: Running, answer: Callable[[Authenticator, dict[str, Any]], dict[str, Any]]
) -> None:
    key = created(server.someone("Ann"))
    eve = server.nobody()
    refused = use(eve, answer(key, options(eve, "ask")))
    assert refusal(refused) == (403, "http.passkey")
    assert "set-cookie" not in refused.headers


def test_an_answer_counts_once_and_for_its_person_alone(server: Running) -> None:
    ann, eve = server.someone("Ann"), server.someone("Eve")
    key = Authenticator(server.url)
    new = {"credential": key.create(options(ann, "begin"))}
    assert eve.post("/api/passkeys", json=new).status_code == 403
    broken = deepcopy(new)
    broken["credential"]["response"]["attestationObject"] = text(b"\xbf" * 5000)
    assert ann.post("/api/passkeys", json=broken).status_code == 403
    assert ann.post("/api/passkeys", json=new).status_code == 201
    assert ann.post("/api/passkeys", json=new).status_code == 403
    key.person = ""  # as what keeps only one person
    stolen = {"credential": key.create(options(eve, "begin"))}  # an id that is Ann's
    assert eve.post("/api/passkeys", json=stolen).status_code == 403
    assert eve.get("/api/recovery").json()["passkeys"] == []
    key.person = ""
    answer = key.get(options(ann, "ask"))
    assert use(ann, answer).status_code == 200
    assert use(eve, answer).status_code == 403


def test_a_challenge_is_short_lived() -> None:
    keys, now = Keys(b"a secret"), 1_700_000_000_000
    challenge = keys.challenge(None, now)
    assert keys.read_challenge(challenge, None, now + CHALLENGE_SECONDS * 1000)
    for at, person, by in (
        (now + CHALLENGE_SECONDS * 1000 + 1, None, keys),
        (now - 1, None, keys),
        (now, "k7wq2mzt9abc", keys),
        (now, None, Keys(b"another secret")),
    ):
        with pytest.raises(Forbidden):
            by.read_challenge(challenge, person, at)


def test_behind_a_proxy_the_origin_is_that_of_its_visitors_and_tries_are_limited(
    launch: Launch,
) -> None:
    behind = launch("--proxy", "127.0.0.1,::1", "--allowed-hosts", "cards.example.org")
    ann = behind.nobody(**VISITOR)
    ann.headers["cookie"] = ann.get("/api/me").headers["set-cookie"].partition(";")[0]
    key = created(ann, ORIGIN)
    eve = behind.nobody(**VISITOR, **{"x-forwarded-for": "9.9.7.9"})
    assert options(eve, "ask")["rpId"] == "cards.example.org"
    wrong = Authenticator(ORIGIN)
    statuses = [used(eve, wrong).status_code for _ in range(14)]
    assert statuses.count(403) == 10
    assert statuses[-1] == 429
    assert used(behind.nobody(**VISITOR, **{"x-forwarded-for": "9.9.7.8"}), key).status_code == 200
    # The browser has no passkeys there.
    unsafe = behind.someone("Ben", host="cards.example.org")
    assert unsafe.post("/api/passkeys/begin").status_code == 404
    assert unsafe.get("/api/recovery/words").json()["passkeys"] is False


def without_passkeys(client: httpx.Client) -> None:
    """Nothing says that there are passkeys anywhere."""
    assert client.get("/api/recovery").json()["passkeys"] is None
    assert client.get("/api/recovery/words").json()["passkeys"] is False
    for path, data in (
        ("begin", None), ("ask", None), ("remove", {"made": 1}), ("use", {"credential": {}}),
    ):  # fmt: skip
        refused = client.post(f"/api/passkeys/{path}", json=data)
        assert refusal(refused) == (404, "http.no_route")


def test_an_address_in_numbers_has_none(server: Running) -> None:
    client = server.someone("Ann", host=f"127.0.0.1:{server.port}")
    without_passkeys(client)


def test_a_server_without_the_library_has_none(launch: Launch, tmp_path: Path) -> None:
    blocked = "import sys; sys.modules['webauthn'] = None"
    (tmp_path / "sitecustomize.py").write_text(blocked, encoding="utf-8")
    without_passkeys(launch(PYTHONPATH=str(tmp_path)).someone("Ann"))


def test_a_person_has_ten_at_most(launch: Launch) -> None:
    server = launch()
    ann = server.someone("Ann")
    person = person_of(ann)
    with closing(sqlite3.connect(server.data / STORE)) as store, store:
        rows = [(bytes([each]), person, b"", 0, each) for each in range(MAX_PASSKEYS)]
        store.executemany("INSERT INTO passkeys VALUES (?, ?, ?, ?, ?, 0)", rows)
    refused = ann.post("/api/passkeys/begin")
    assert refusal(refused) == (409, "http.passkeys")
