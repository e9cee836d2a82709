"""Reactions to a card, over real sockets: who sees them, and what is refused."""

from __future__ import annotations

from typing import Any

from server.running import Running, people
from server.table_client import TableClient, connected, game_of

RULES = "poof+schedule:2"


async def reaction(guest: TableClient) -> dict[str, Any]:
    """The next reaction that somebody is sent."""
    message = await guest.until(lambda each: each["type"] == "reaction")
    found: dict[str, Any] = message["reaction"]
    return found


async def play_a_card(*guests: TableClient) -> dict[str, Any]:
    """Bids and the first card, of which all are told; where it lies."""
    for _ in range(len(guests) + 1):
        due = next(guest for guest in guests if guest.turn is not None)
        move = due.turn["legal"].split()[0] if due.turn else ""
        await due.do("play", ply=due.due, move=move)
        for guest in guests:
            if guest is not due:
                await guest.fact("played")
    return {"round": 1, "trick": 1, "seat": guests[0].facts[-1]["seat"]}


async def test_a_reaction_is_seen_by_all_who_have_not_muted_its_sender_and_kept_by_nobody(
    server: Running,
) -> None:
    with people(server.url, "Ann", "Ben", "Eve") as (ann, ben, eve):
        async with game_of(server.url, [ann, ben], eve, rules=RULES) as (first, second, watcher):
            async with connected(server.url, first.code, ann, screen=True) as screen:
                await screen.do("watch", name="Television")
                card = await play_a_card(first, second)
                answer = await second.do("react", kind="bravo", **card)
                assert (answer["type"], answer["events"]) == ("update", [])
                told = [await reaction(guest) for guest in (first, watcher, screen)]
                person = told[0]["person"]
                assert told == [{"person": person, "kind": "bravo", **card}] * 3
                await watcher.do("react", kind="wow", **card)
                assert (await reaction(first))["kind"] == "wow"
                await first.do("mute", person=person)
                await second.do("react", kind="ouch", **card)
                await watcher.do("react", kind="hm", **card)
                assert (await reaction(screen))["kind"] == "wow"
                assert (await reaction(screen))["kind"] == "ouch"
                assert (await reaction(first))["kind"] == "hm"
            async with connected(server.url, first.code, ann) as again:
                assert [each["type"] for each in again.messages] == ["table"]


async def test_who_may_not_speak_may_not_react(server: Running) -> None:
    with people(server.url, "Ann", "Ben", "Eve", "Fay") as (ann, ben, eve, fay):
        async with game_of(server.url, [ann, ben], eve, rules=RULES) as (first, second, watcher):
            card = await play_a_card(first, second)
            assert await watcher.refusal_code("react", kind="rude", **card) == "table.reaction"
            wrong = {**card, "trick": 2}
            assert await watcher.refusal_code("react", kind="wow", **wrong) == "table.not_played"
            await first.do("show_hand", allowed=True)
            await watcher.do("look_at", seat=0)
            assert await watcher.refusal_code("react", kind="wow", **card) == "table.looking"
            async with connected(server.url, first.code, fay) as visitor:
                assert await visitor.refusal_code("react", kind="wow", **card) == "table.stranger"
