"""The WebSocket as `docs/protocol.md` has it, over real sockets to a real server."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from random import Random
from typing import Any

import httpx
import pytest

from server.raw_client import UPGRADE, RawClient
from server.running import Running, open_table
from server.table_client import TableClient, connected, cookie, game_of, play_out, seated


def guests_at(
    server: Running, *names: str, start: bool = True, **fields: Any
) -> AbstractAsyncContextManager[list[TableClient]]:
    """A table at which these people sit, in this order; the game has begun."""
    people = [server.someone(name) for name in names]
    return (game_of if start else seated)(server.url, people, **fields)


def acting(guests: list[TableClient]) -> TableClient:
    return next(guest for guest in guests if guest.turn is not None)


async def test_a_whole_game_of_four(server: Running) -> None:
    async with guests_at(server, "Ann", "Ben", "Cleo", "Dan") as guests:
        await play_out(guests, Random(1))
        ends = [next(f for f in each.facts if f["type"] == "game_over") for each in guests]
        assert all(end == ends[0] for end in ends)
        public = [fact for fact in guests[0].facts if fact["type"] == "played"]
        for guest in guests[1:]:
            assert [fact for fact in guest.facts if fact["type"] == "played"] == public


async def test_only_the_player_to_act_is_told_the_legal_moves(server: Running) -> None:
    async with guests_at(server, "Ann", "Ben", "Cleo", rules="amigo+plus-minus-one") as guests:
        assert sum(guest.turn is not None for guest in guests) == 1
        for _ in range(20):
            one = acting(guests)
            await one.play(Random(2))
            for guest in guests:
                if guest is not one:
                    await guest.fact("played")
            assert sum(guest.turn is not None for guest in guests) == 1


async def test_a_move_that_is_late_early_or_sent_twice_is_refused(server: Running) -> None:
    async with guests_at(server, "Ann", "Ben") as guests:
        one = acting(guests)
        assert one.turn is not None
        move = one.turn["legal"].split()[0]
        assert await one.refusal_code("play", ply=one.ply + 1, move=move) == "table.early"
        first = await one.do("play", ply=0, move=move)
        assert first["events"][0]["move"] == move
        assert await one.refusal_code("play", ply=0, move=move) == "table.doubled"
        assert await one.refusal_code("play", ply=0, move="9") == "table.stale"


async def test_a_ping_is_answered_with_the_time(server: Running) -> None:
    async with guests_at(server, "Ann", start=False) as (ann,):
        await ann.send({"ping": 3})
        pong = await ann.until(lambda message: message["type"] == "pong")
        assert pong["ping"] == 3
        assert pong["now"] >= ann.messages[0]["now"]


async def test_what_cannot_be_told_as_events_is_told_as_the_whole_table(server: Running) -> None:
    """An undo takes back what a page has folded."""
    async with guests_at(server, "Ann", "Ben", rules="poof") as guests:
        one, other = acting(guests), next(guest for guest in guests if guest.turn is None)
        await one.play(Random(4))
        await other.fact("played")
        await one.ask("propose_undo", ply=1)
        await other.fact("undo_proposed")
        await other.ask("answer", ply=1, yes=True)
        for guest in guests:
            whole = await guest.until(lambda message: message["type"] == "table")
            assert whole["undone"] == 1
            assert whole["table"]["ply"] == 2
            assert whole["table"]["game"]["rounds"][-1]["bids"] == [None, None]
        assert one.turn is not None
        await one.play(Random(5))
        await other.fact("played")
        assert other.turn is not None


async def test_a_screen_that_a_player_opens_watches_as_somebody_else(server: Running) -> None:
    """It has no seat and no cards, ends no connection of theirs, and is the same one each time."""
    async with guests_at(server, "Ann", "Ben", rules="poof+hidden-bids") as guests:
        code, ann = guests[0].code, guests[0].client
        assert isinstance(ann, httpx.Client)
        seen: list[dict[str, Any]] = []
        for _ in range(2):
            async with connected(server.url, code, ann, screen=True) as screen:
                if not seen:
                    assert not screen.table["game"]
                    await screen.do("join", name="Television")  # no player, whatever it asks
                    (watching,) = screen.table["spectators"]
                    assert watching["screen"]
                    assert (await screen.do("ask_for_seat", seat=0))["type"] == "refused"
                seen.append(screen.table["me"])
                assert screen.table["game"]["hand"] == ""
                assert screen.turn is None
        assert seen[0] == seen[1]
        assert seen[0]["seat"] is None
        async with connected(server.url, code, ann, screen=True) as screen:
            bidder = acting(guests)
            await bidder.do("play", ply=bidder.due, move="1")
            assert "move" not in await screen.fact("bid_sealed")
            assert (await guests[0].do("chat", text="still here"))["type"] == "update"
            ann.post("/api/me/end-sessions")
            assert await screen.close_code() == 4003


async def test_a_stranger_sees_who_is_there_and_no_game(server: Running) -> None:
    async with guests_at(server, "Ann", "Ben") as guests:
        code = guests[0].code
        async with connected(server.url, code, server.someone("Eve")) as eve:
            assert not eve.table["game"]
            assert not eve.table["me"]
            assert [seat["name"] for seat in eve.table["seats"]] == ["Ann", "Ben"]
            assert await eve.refusal_code("chat", text="hello") == "table.stranger"
            await eve.do("watch", name="Eve")
            assert eve.table["me"]["seat"] is None
            assert eve.table["game"]["hand"] == ""
            await acting(guests).play(Random(6))
            played = await eve.fact("played")
            assert played["ply"] == 0


async def test_a_removed_guest_is_told_so(server: Running) -> None:
    async with guests_at(server, "Ann", "Ben", start=False) as (ann, ben):
        person = ben.table["me"]["person"]
        await ann.ask("remove", person=person, bar=True)
        assert await ben.close_code() == 4010
        code, client = ben.code, ben.client
        async with connected(server.url, code, client) as again:
            assert await again.refusal_code("join", name="Ben") == "table.barred"


async def test_a_lost_connection_is_seen_by_the_others(server: Running) -> None:
    async with guests_at(server, "Ann", "Ben") as (ann, ben):
        await ben.socket.close()
        assert not (await ann.fact("presence_set", 8)).get("present", False)
        async with connected(server.url, ben.code, ben.client):
            assert (await ann.fact("presence_set", 8))["present"]


async def test_a_code_may_be_written_as_people_do(server: Running) -> None:
    client = server.someone("Ann")
    code = open_table(client, "poof", 3, bots=["steady", "steady"], start=True)
    for written in (code.upper(), f"{code[:4]}-{code[4:]}", f"{code[:4]}%20{code[4:]}"):
        async with connected(server.url, written, client) as ann:
            assert ann.table["me"]["name"] == "Ann"
        asked = client.get(f"/api/tables/{written}/advice", params={"ply": 10**6})
        assert asked.json()["reason"]["code"] in ("table.early", "table.advice_later")


@pytest.mark.parametrize(
    ("code", "cookies", "closed"),
    [("abcdefgh", True, 4004), ("nonsense!", True, 4004), ("%00", True, 4004),
     ("a" * 500, True, 4004), (None, False, 4003)],
)  # fmt: skip
def test_an_unknown_table_or_person_is_told_so(
    server: Running, code: str | None, cookies: bool, closed: int
) -> None:
    ann = server.someone("Ann")
    table = open_table(ann) if code is None else code
    with RawClient(server.url, table, cookie(ann) if cookies else "") as one:
        assert one.close_code() == closed


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://localhost.evil:7243"])
def test_another_sites_page_cannot_connect(server: Running, origin: str) -> None:
    ann = server.someone("Ann")
    asked = {**UPGRADE, "Origin": origin}
    assert ann.get(f"/ws/{open_table(ann)}", headers=asked).status_code == 403
    assert "a WebSocket was refused" in server.logged()
