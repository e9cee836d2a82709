"""Score sheets that others watch, and the bids that players make on phones of their own."""

from __future__ import annotations

import itertools
import secrets
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from rage.house import limits
from rage.house.base.errors import NotFound
from rage.house.games import shown_sheets
from rage.house.games.shown_sheets import LiveSheets
from rage.rules.editions import ruleset
from rage.score.link import read_link, write_link
from rage.score.sheet import Sheet
from score.entering import begin_round, enter, new_sheet
from server.conftest import Launch
from server.fronts import Front
from server.running import Running, refusal

NAMES = ("Ann", "Ben", "Cem")


def secret() -> str:
    """32 random bytes as a page draws them."""
    return urlsafe_b64encode(secrets.token_bytes(32)).decode().rstrip("=")


def code_for(client: httpx.Client, key: str) -> str:
    """The code of a key's sheet."""
    code: str = client.post("/api/sheets", json={"key": key}).raise_for_status().json()["code"]
    return code


def begun(rules: str = "amigo+hidden-bids", names: tuple[str, ...] = NAMES) -> Sheet:
    """A sheet whose first round has just begun."""
    return begin_round(new_sheet(ruleset(rules), names))


class Keeper:
    """The device on which a sheet is kept, and the phones of those who play."""

    def __init__(self, server: Running | Front, sheet: Sheet, **headers: str) -> None:
        self.server, self.sheet, self.headers = server, sheet, headers
        self.client = server.nobody(**headers)
        self.key, self.game = secret(), "one"
        self.code = code_for(self.client, self.key)
        self.keep()
        self.proofs: dict[str, str] = {}

    def put(self, **fields: Any) -> httpx.Response:
        told = {"key": self.key, "game": self.game, "sheet": write_link(self.sheet)}
        return self.client.put(f"/api/sheets/{self.code}", json={**told, **fields})

    def keep(self, **fields: Any) -> dict[str, Any]:
        answer = self.put(**fields)
        assert answer.status_code == 200, answer.text
        shown: dict[str, Any] = answer.json()
        return shown

    def seen(self) -> httpx.Response:
        """What somebody sees who has the code."""
        return self.server.nobody(**self.headers).get(f"/api/sheets/{self.code}")

    def join(self, name: str, proof: str | None = None) -> httpx.Response:
        self.proofs[name] = proof or self.proofs.get(name) or secret()
        asked = {"name": name, "proof": self.proofs[name]}
        return self.client.post(f"/api/sheets/{self.code}/phones", json=asked)

    def bid(self, name: str, n: int, /, **fields: Any) -> httpx.Response:
        made = {"name": name, "proof": self.proofs[name], "game": self.game, "bid": n}
        path = f"/api/sheets/{self.code}/bids"
        return self.client.put(path, json={**made, "round": len(self.sheet.rounds), **fields})

    def free(self, name: str, **fields: str) -> httpx.Response:
        asked = {"key": self.key, "name": name, **fields}
        return self.client.post(f"/api/sheets/{self.code}/free", json=asked)

    def stop(self) -> httpx.Response:
        return self.client.post(f"/api/sheets/{self.code}/stop", json={"key": self.key})


def bids_in(shown: dict[str, Any]) -> tuple[int | None, ...]:
    return read_link(shown["sheet"]).rounds[-1].bids


# --- watching ------------------------------------------------------------------------------


def test_everybody_with_the_code_sees_each_change(server: Running) -> None:
    ann = Keeper(server, begun("poof"))
    assert read_link(ann.seen().json()["sheet"]) == ann.sheet
    ann.sheet = enter(enter(ann.sheet, bids=(1, 2, 3)), won=(1, 2, 7))
    assert ann.keep()["code"] == ann.code
    seen = ann.seen().json()
    assert read_link(seen["sheet"]) == ann.sheet
    assert (seen["hidden"], seen["asked"], seen["heard"]) == (False, [], None)
    assert ann.client.get(f"/api/sheets/{ann.code[:4].upper()}-{ann.code[4:]}").is_success


def test_what_has_not_changed_is_not_sent_again(server: Running) -> None:
    ann = Keeper(server, begun())
    first = ann.seen()
    assert first.headers["cache-control"] == "private, no-cache"
    asked = {"if-none-match": first.headers["etag"]}
    again = ann.client.get(f"/api/sheets/{ann.code}", headers=asked)
    assert (again.status_code, again.content) == (304, b"")
    ann.sheet = enter(ann.sheet, bids=(1, None, None))
    ann.keep()
    changed = ann.client.get(f"/api/sheets/{ann.code}", headers=asked)
    assert changed.status_code == 200
    assert changed.headers["etag"] != first.headers["etag"]


def test_once_it_is_stopped_nobody_sees_it(server: Running) -> None:
    ann = Keeper(server, begun())
    ann.join("Ben")
    assert ann.stop().status_code == 204
    assert refusal(ann.seen()) == (404, "http.sheet_stopped")
    assert refusal(ann.join("Ben")) == (404, "http.sheet_stopped")
    assert ann.keep()["phones"] == [None] * 3


def test_after_a_restart_it_is_there_again_under_the_same_code(launch: Launch) -> None:
    one = launch()
    ann = Keeper(one, begun())
    ann.join("Ben")
    ann.bid("Ben", 4)
    one.end()
    two = launch(port=one.port)
    ann.client = two.nobody()
    assert refusal(ann.seen()) == (404, "http.no_sheet")
    shown = ann.keep()
    assert shown["code"] == ann.code
    assert (shown["phones"], shown["have_bid"]) == ([None] * 3, [])
    assert ann.join("Ben").status_code == 200
    assert ann.bid("Ben", 4).json()["have_bid"] == [1]


# --- bids on phones ------------------------------------------------------------------------


def test_hidden_bids_are_shown_once_all_have_bid(server: Running) -> None:
    ann = Keeper(server, begun())
    for name in NAMES[:2]:
        assert ann.join(name).status_code == 200
    assert ann.bid("Ben", 4).json()["have_bid"] == [1]
    shown = ann.bid("Ann", 0).json()
    assert (shown["hidden"], shown["asked"], bids_in(shown)) == (True, [2], (None,) * 3)
    # Cem has no phone, and whispers to the keeper of the sheet.
    ann.sheet = enter(ann.sheet, bids=(None, None, 5))
    shown = ann.keep()
    assert (shown["hidden"], shown["asked"], bids_in(shown)) == (False, [], (0, 4, 5))
    assert ann.seen().json() == shown


@pytest.mark.parametrize(
    "other", [begun("amigo"), begun("poof+secret-bids"), begun("poof+hidden-bids", NAMES[:2])]
)
def test_no_other_sheet_of_the_same_round_shows_hidden_bids(server: Running, other: Sheet) -> None:
    """The keeper could look, and go back to the sheet that hides them."""
    ann = Keeper(server, begun())
    for at, name in enumerate(NAMES[:2]):
        ann.join(name)
        ann.bid(name, at + 3)
    before, ann.sheet = ann.sheet, other
    assert set(bids_in(ann.keep())) == {None}
    ann.sheet = before
    assert set(bids_in(ann.keep())) == {None}


def test_secret_bids_are_shown_once_the_tricks_are_entered(server: Running) -> None:
    names = (*NAMES, *(f"P{n}" for n in range(7)))  # as many as a sheet is for
    ann = Keeper(server, begun("poof+secret-bids", names))
    for at, name in enumerate(names):
        ann.join(name)
        shown = ann.bid(name, at).json()
        assert (shown["hidden"], bids_in(shown)) == (True, (None,) * 10)
    assert shown["asked"] == []
    assert refusal(ann.put(won=[1] * 9 + [2])) == (409, "score.won_total")
    assert bids_in(ann.seen().json()) == (None,) * 10
    shown = ann.keep(won=[1] * 10)
    assert (shown["hidden"], bids_in(shown)) == (False, tuple(range(10)))


def test_secret_bids_that_the_keeper_knows_are_as_secret(server: Running) -> None:
    ann = Keeper(server, begun("poof+secret-bids"))
    ann.sheet = enter(enter(ann.sheet, bids=(1, 2, 3)), won=(1, None, None))
    shown = ann.keep()
    current = read_link(shown["sheet"]).rounds[-1]
    assert (current.bids, current.won, current.bonus) == ((None,) * 3, (None,) * 3, (0,) * 3)
    ann.sheet = enter(ann.sheet, won=(1, 2, 7))
    assert read_link(ann.keep()["sheet"]) == ann.sheet


@pytest.mark.parametrize("rules", ["amigo+hidden-bids", "poof+secret-bids"])
@pytest.mark.parametrize("by_hand", [True, False])
def test_no_byte_of_what_others_get_depends_on_a_hidden_bid(
    server: Running, rules: str, by_hand: bool
) -> None:
    """Neither of what is sent, nor of its headers."""
    ann = Keeper(server, begun(rules))
    for name in NAMES:
        ann.join(name)
    empty, answers = ann.sheet, []
    for n in (0, 3, 10):
        ann.game, ann.sheet = "another", empty
        ann.keep()
        ann.game = "one"  # once more from the beginning
        ann.keep()
        if by_hand:
            ann.sheet = enter(empty, bids=(None, n, None))
            said = [ann.put()]
        else:
            said = [ann.bid("Ben", n)]
        said += [ann.bid("Cem", 2), ann.seen(), ann.put(), ann.free("Ann"), ann.join("Ann")]
        said += [ann.join("Ann", secret()), ann.bid("Ben", 1), ann.seen()]
        ann.free("Ann")
        ann.join("Ann")
        answers.append(said)
    for same in zip(*answers, strict=True):
        assert len({_without_numbers(each) for each in same}) == 1


def _without_numbers(answer: httpx.Response) -> tuple[Any, ...]:
    """An answer, without what counts up in it."""
    body = answer.json()
    body.pop("phones", None)
    headers = {name: each for name, each in answer.headers.items() if name not in ("date", "etag")}
    headers.pop("content-length")
    return answer.status_code, repr(body), repr(headers)


def test_the_tag_of_a_hidden_bid_is_the_same_for_all_bids(server: Running) -> None:
    ann = Keeper(server, begun())
    ann.join("Ben")
    tags = set()
    for n in range(11):
        ann.game = "another"
        ann.keep()
        ann.game = "one"
        ann.keep()
        ann.bid("Ben", n)
        seen = ann.seen()
        tags.add((seen.headers["etag"], seen.content))
    assert len(tags) == 1


def test_open_bids_are_made_in_turn_and_may_not_add_up(server: Running) -> None:
    ann = Keeper(server, begun("amigo+plus-minus-one"))
    for name in NAMES:
        ann.join(name)
    assert refusal(ann.bid("Ann", 3)) == (409, "score.bid_turn")
    assert bids_in(ann.bid("Ben", 3).json()) == (None, 3, None)
    ann.bid("Cem", 3)
    assert refusal(ann.bid("Ann", 4)) == (409, "score.bid_total")
    assert bids_in(ann.bid("Ann", 5).json()) == (5, 3, 3)


def test_a_hidden_bid_can_be_changed_until_all_have_bid(server: Running) -> None:
    ann = Keeper(server, begun())
    for name in NAMES:
        ann.join(name)
    first = ann.bid("Ben", 4).content
    assert ann.bid("Ben", 5).content == first  # nobody sees that
    ann.bid("Ann", 3)
    assert bids_in(ann.bid("Cem", 2).json()) == (3, 5, 2)
    assert refusal(ann.bid("Ben", 6)) == (409, "score.bid_made")


def test_an_open_bid_is_for_good_unless_the_keeper_takes_it_back(server: Running) -> None:
    ann = Keeper(server, begun("amigo"))
    ann.join("Ben")
    ann.bid("Ben", 4)
    assert refusal(ann.bid("Ben", 5)) == (409, "score.bid_made")
    assert ann.free("Ben").json()["have_bid"] == []
    assert refusal(ann.bid("Ben", 5)) == (403, "http.sheet_not_yours")
    ann.join("Ben")
    assert ann.bid("Ben", 5).json()["have_bid"] == [1]


def test_a_bid_that_is_sent_again_has_been_made(server: Running) -> None:
    """Its answer may have been lost; but it has not where it does not count."""
    ann = Keeper(server, begun("amigo+plus-minus-one"))
    ann.join("Ben")
    assert ann.bid("Ben", 4).json() == ann.bid("Ben", 4).json()
    ann.sheet = enter(ann.sheet, bids=(None, 6, None))
    ann.keep()
    assert refusal(ann.bid("Ben", 4)) == (409, "score.bid_made")
    ann.sheet = enter(ann.sheet, bids=(3, None, 3))  # with a 4 they would add up to 10
    ann.keep()
    assert refusal(ann.bid("Ben", 4)) == (409, "score.bid_total")


def test_nobody_finds_out_what_the_keeper_has_entered(server: Running) -> None:
    ann = Keeper(server, begun())
    ann.sheet = enter(ann.sheet, bids=(None, 6, None))
    ann.keep()
    ann.join("Ben")
    for n in range(11):
        assert refusal(ann.bid("Ben", n)) == (409, "score.bid_made")


def test_what_the_keeper_enters_counts(server: Running) -> None:
    ann = Keeper(server, begun())
    ann.join("Ben")
    ann.bid("Ben", 4)
    ann.sheet = enter(ann.sheet, bids=(1, 6, 2))
    assert bids_in(ann.keep()) == (1, 6, 2)


@pytest.mark.parametrize(
    ("fields", "refused"),
    [
        ({"bid": 11}, (409, "score.bid")), ({"bid": 16}, (400, "http.field")),
        ({"bid": -1}, (400, "http.field")), ({"bid": "4"}, (400, "http.field")),
        ({"round": 2}, (409, "http.sheet_round")), ({"game": "two"}, (409, "http.sheet_round")),
        ({"name": "Dora"}, (403, "http.sheet_not_yours")),
        ({"proof": "A" * 43}, (403, "http.sheet_not_yours")),
        ({"proof": "A"}, (400, "http.field")), ({"more": 1}, (400, "http.field")),
    ],
)  # fmt: skip
def test_a_bid_that_cannot_be_is_refused(
    server: Running, fields: dict[str, Any], refused: tuple[int, str]
) -> None:
    ann = Keeper(server, begun())
    ann.join("Ben")
    assert refusal(ann.bid("Ben", 4, **fields)) == refused
    assert ann.seen().json()["have_bid"] == []


def test_bids_do_not_outlive_their_round(server: Running) -> None:
    ann = Keeper(server, begun())
    ann.join("Ben")
    ann.bid("Ben", 4)
    ann.sheet = begin_round(enter(enter(ann.sheet, bids=(1, 4, 2)), won=(1, 4, 5)))
    shown = ann.keep()
    assert (shown["have_bid"], shown["phones"]) == ([], [None, 1, None])
    assert ann.bid("Ben", 2).json()["have_bid"] == [1]


def test_a_name_belongs_to_the_first_phone_and_a_phone_to_one_name(server: Running) -> None:
    ann = Keeper(server, begun())
    assert ann.join("Ben").json()["phones"] == [None, 1, None]
    assert ann.join("Ben").json()["phones"] == [None, 1, None]
    mine = ann.proofs["Ben"]
    assert refusal(ann.join("Ben", secret())) == (409, "http.sheet_taken")
    assert ann.join("Cem", mine).json()["phones"] == [None, None, 2]
    assert refusal(ann.join("Dora")) == (409, "http.sheet_no_player")


def test_the_next_game_goes_on_with_the_same_phones(server: Running) -> None:
    ann = Keeper(server, begun())
    ann.join("Ben")
    ann.game, ann.sheet = "two", begun(names=("Ben", "Dora", "Ann"))
    assert ann.keep()["phones"] == [1, None, None]
    assert ann.bid("Ben", 1).json()["have_bid"] == [0]


# --- who may, how much, how long -----------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"sheet": "1.abc.def"}, 400), ({"sheet": "hello"}, 400), ({"sheet": ""}, 400),
        ({"sheet": "1." + "A" * 16_000}, 400), ({"sheet": "1." + "A" * 20_000}, 413),
        ({"key": "short"}, 400), ({"key": "ä" * 43}, 400), ({"game": "x" * 41}, 400),
        ({"won": [1] * 11}, 400), ({"won": [16]}, 400),
    ],
)  # fmt: skip
def test_what_is_no_sheet_is_refused(server: Running, fields: dict[str, Any], status: int) -> None:
    ann = Keeper(server, begun())
    before = ann.seen().content
    answer = ann.put(**fields)
    assert answer.status_code == status, answer.text
    assert "\n" not in answer.json()["text"]
    assert ann.seen().content == before


def test_another_key_is_another_sheet(server: Running) -> None:
    ann = Keeper(server, begun())
    ann.join("Ben")
    before = ann.seen().content
    ann.key = secret()
    for answer in (ann.put(), ann.stop(), ann.free("Ben")):
        assert refusal(answer) == (403, "http.sheet_key")
    assert ann.seen().content == before
    other = ann.code = code_for(ann.client, ann.key)
    assert ann.keep()["code"] == other
    assert ann.stop().status_code == 204
    assert refusal(ann.free("Ben")) == (404, "http.sheet_stopped")


def test_every_server_with_the_secret_knows_the_code_of_a_key(
    launch: Launch, tmp_path: Path
) -> None:
    """So a proxy may ask any of them, and send everything else to the same one by the code."""
    key, same = secret(), {"RAGE_SECRET": "a secret of thirty-two characters"}
    one, two = launch(**same), launch(data=tmp_path / "two", **same)
    assert code_for(one.nobody(), key) == code_for(two.nobody(), key)


def test_a_keeper_does_not_write_for_ever_and_nothing_private_is_logged(launch: Launch) -> None:
    behind = launch("--proxy", "127.0.0.1,::1", "--log", "json")
    at = {"x-forwarded-for": "9.9.9.9"}
    ann, *_ = [Keeper(behind, begun(), **at) for _ in range(20)]  # no more begin at this address
    begun_at, statuses = time.monotonic(), [ann.put().status_code for _ in range(80)]
    assert 59 <= statuses.count(200) <= 61 + 2 * (time.monotonic() - begun_at)
    ann.join("Ann")
    behind.end()
    logged = behind.logged()
    assert '"path": "/api/sheets/…/phones"' in logged
    for private in (ann.key, ann.code, ann.proofs["Ann"], "Ann", "9.9.9.9"):
        assert private not in logged


def test_a_stranger_cannot_use_up_what_the_players_may_do(launch: Launch) -> None:
    """A person who has the link, by claiming to be a player or by joining again and again."""
    behind = launch("--proxy", "127.0.0.1,::1")
    ann = Keeper(behind, begun(), **{"x-forwarded-for": "8.8.8.8"})
    ann.join("Ben")
    bens, mine = ann.proofs["Ben"], ann.client
    ann.client = behind.nobody(**{"x-forwarded-for": "9.9.9.9"})
    assert {ann.bid("Ben", 4, proof=secret()).status_code for _ in range(70)} == {403}
    names = itertools.cycle(("Ann", "Cem"))
    joined = (ann.join(next(names), "A" * 43).status_code for _ in range(100))
    assert 60 <= len(list(itertools.takewhile(lambda status: status == 200, joined))) < 100
    ann.client = mine
    assert ann.bid("Ben", 4, proof=bens).status_code == 200
    for name in ("Ann", "Cem"):
        ann.free(name)
        assert ann.join(name, secret()).status_code == 200
    tried = (ann.bid("Ben", 5, proof=bens).status_code for _ in range(100))
    assert 59 <= len(list(itertools.takewhile(lambda status: status == 200, tried))) < 100


class Clock:
    def __init__(self) -> None:
        self.ms = 1_000_000

    def __call__(self) -> int:
        return self.ms


@pytest.fixture
def clock() -> Clock:
    return Clock()


def shows(sheets: LiveSheets) -> Callable[..., shown_sheets.LiveSheet]:
    """Shows sheets by their codes."""

    def show(code: str, address: str | None = None, key: str = "key") -> shown_sheets.LiveSheet:
        found = sheets.of_keeper(code, key, address)
        found.keep("one", write_link(begun()), None)
        sheets.show(found)
        return found

    return show


def test_a_keeper_who_is_not_heard_of_is_away_and_then_forgotten(clock: Clock) -> None:
    sheets = LiveSheets(clock)
    found = shows(sheets)("aaaaaaaa")
    clock.ms += shown_sheets.AWAY_AFTER * 1000
    assert found.view(clock()).heard is None
    clock.ms += 1
    assert found.view(clock()).heard == 1_000_000
    clock.ms = 1_000_000 + limits.FORGET_AFTER * 1000
    with pytest.raises(NotFound):
        sheets.get("aaaaaaaa")
    assert len(sheets) == 0


def test_there_are_only_so_many_in_all_and_from_one_address(clock: Clock) -> None:
    sheets = LiveSheets(clock)
    show = shows(sheets)
    for n in range(limits.MAX_SHEETS_FROM + 5):
        show(f"from {n}", "1.2.3.4")
    assert len(sheets) == limits.MAX_SHEETS_FROM
    show("from 5", "1.2.3.4")  # heard of again
    show("one more", "1.2.3.4")
    sheets.get("from 5")
    for n in range(limits.MAX_SHEETS + 5):
        show(f"all {n}")
    assert len(sheets) == limits.MAX_SHEETS
    with pytest.raises(NotFound):
        sheets.get("all 0")
    sheets.get("one more")  # of an address that has fewer


def test_what_is_no_sheet_takes_no_room(clock: Clock) -> None:
    sheets = LiveSheets(clock)
    with pytest.raises(ValueError, match="not a link"):
        sheets.of_keeper("aaaaaaaa", "key", None).keep("one", "nothing", None)
    assert len(sheets) == 0
