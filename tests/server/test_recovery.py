"""Recovery codes: words by which another device becomes the same person."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from unicodedata import normalize

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rage.house import limits
from rage.house.people.recovery import BITS, LETTERS, WORDS, read_words, word_lists, words_of
from rage.say import NotReadable
from server.conftest import Launch
from server.running import Running, open_table
from server.table_client import connected, cookie


def plain(word: str) -> str:
    """A word as somebody types it on a keyboard without accents."""
    return "".join(letter for letter in normalize("NFD", word) if letter.isascii())


@pytest.mark.parametrize("language", word_lists())
def test_four_letters_distinguish_the_words_of_a_language(language: str) -> None:
    words = word_lists()[language]
    assert len(words) ** WORDS == 2**BITS >= 2**60
    starts = {plain(word)[:LETTERS] for word in words}
    assert len(starts) == len(words)
    assert all(len(start) == LETTERS and start.isalpha() for start in starts)


TYPED: list[Callable[[str], str]] = [
    str,
    str.upper,
    str.title,
    plain,
    lambda word: normalize("NFD", word),
    lambda word: plain(word)[:LETTERS],
    lambda word: plain(word)[:LETTERS] + "x",
]


@given(
    st.integers(0, 2**BITS - 1),
    st.sampled_from([*word_lists(), "another"]),
    st.sampled_from([" ", "-", ", ", "\n", " \u2013 ", "; 1. "]),
    st.sampled_from([*TYPED, lambda word: "\u00ad\u200d".join(word) + "\u200b"]),
)
def test_words_are_read_however_they_are_typed(
    code: int, language: str, between: str, typed: Callable[[str], str]
) -> None:
    words = between.join(typed(word) for word in words_of(code, language))
    assert code in read_words(f" {words}. ")


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("acorn bell", "http.recovery_words"),
        ("", "http.recovery_words"),
        ("bell bell bell bell bell bell qqqq", "http.recovery_word"),
        ("🂡 " * 50, "http.recovery_words"),
    ],
)
def test_what_is_not_a_code_says_which_word(typed: str, code: str) -> None:
    with pytest.raises(NotReadable) as refused:
        read_words(typed)
    assert refused.value.reason.code == code


def use(client: httpx.Client, words: list[str], **more: object) -> httpx.Response:
    return client.post("/api/recovery/use", json={"words": " ".join(words), **more})


async def test_words_give_the_same_person_seat_and_games(launch: Launch, tmp_path: Path) -> None:
    """In another language and in capitals; until there are new ones."""
    server = launch(data=tmp_path)
    ann = server.someone("Ann")
    person, table = ann.get("/api/me").json()["person"], open_table(ann)
    assert ann.get("/api/recovery").json() == {"made": None, "passkeys": []}
    words = ann.post("/api/recovery", headers={"accept-language": "de"}).json()["words"]
    assert len(words) == WORDS
    assert ann.get("/api/recovery").json()["made"] > 0
    phone = server.someone("Phone")
    answer = use(phone, [word.upper() for word in words])
    assert answer.json() == {"person": person, "name": "Ann"}
    assert phone.get("/api/tables").json()["mine"][0]["table"] == table
    assert cookie(phone) == cookie(ann)  # both are signed in
    async with connected(server.url, table, cookie(phone)) as client:
        assert client.table["me"]["seat"] == 0
    assert use(server.nobody(), words).status_code == 200  # and again
    newer = ann.post("/api/recovery").json()["words"]
    refused = use(server.nobody(), words)
    assert (refused.status_code, refused.json()["reason"]["code"]) == (403, "http.recovery")
    assert "set-cookie" not in refused.headers
    assert use(server.nobody(), newer).status_code == 200
    server.end()
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    assert " ".join(newer).encode() not in stored


async def test_the_old_session_ends_if_wanted_and_the_code_with_it(launch: Launch) -> None:
    server = launch()
    ann = server.someone("Ann")
    table, before = open_table(ann), cookie(ann)
    words = ann.post("/api/recovery").json()["words"]
    phone = server.nobody()
    async with connected(server.url, table, before) as old:
        assert use(phone, words, end_sessions=True).json()["name"] == "Ann"
        assert await old.close_code() == 4003
    assert ann.post("/api/recovery").json()["reason"]["code"] == "http.nobody"
    assert use(server.nobody(), words).status_code == 403
    assert phone.get("/api/recovery").json() == {"made": None, "passkeys": []}
    async with connected(server.url, table, cookie(phone)) as new:
        assert new.table["me"]["seat"] == 0
    words = phone.post("/api/recovery").json()["words"]
    phone.post("/api/me/end-sessions")
    assert use(server.nobody(), words).status_code == 403
    server.end()


def test_nobody_without_a_cookie_gets_a_code(server: Running) -> None:
    nobody = server.nobody()
    assert nobody.post("/api/recovery").json()["reason"]["code"] == "http.nobody"
    assert nobody.get("/api/recovery").json()["reason"]["code"] == "http.nobody"


def test_wrong_codes_of_others_keep_nobody_from_theirs(launch: Launch) -> None:
    """However many there are, and from however many addresses: the log says so, once."""
    behind = launch("--proxy", "127.0.0.1,::1")
    ann = behind.someone("Ann")
    right, wrong = ann.post("/api/recovery").json()["words"], word_lists()["en"][:WORDS]
    eve, tries = behind.nobody(), itertools.count()
    while not behind.logged():  # in bursts, because the limit refills meanwhile
        for number in itertools.islice(tries, limits.WRONG_CODES.burst + 20):
            eve.headers["x-forwarded-for"] = f"9.{number // 250}.9.{number % 250}"
            assert use(eve, wrong).status_code == 403
    assert use(behind.nobody(**{"x-forwarded-for": "8.8.8.8"}), right).status_code == 200
    (line,) = behind.logged().splitlines()
    assert "many wrong recovery codes" in line
