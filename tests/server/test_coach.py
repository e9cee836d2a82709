"""Hints over the socket: for players who ask for them, on their own turn, and for nobody else."""

from __future__ import annotations

from random import Random
from typing import Any

from rage import Reason
from rage.say import sentence
from server.running import Running
from server.table_client import TableClient, connected
from server.test_socket import acting, guests_at


def hint_of(message: dict[str, Any]) -> dict[str, Any]:
    """The hint that a message brings."""
    found: dict[str, Any] = message["turn"]["hint"]
    return found


def has_hint(message: dict[str, Any]) -> bool:
    return "hint" in (message.get("turn") or {})


def said(hint: dict[str, Any]) -> str:
    """A hint as a sentence, as it came over the wire."""

    def reason(data: dict[str, Any]) -> Reason:
        inner = {
            name: reason(value) if isinstance(value, dict) else value
            for name, value in data.items()
            if name != "code"
        }
        return Reason(data["code"], inner)

    return sentence(reason(hint["reason"]), edition="poof")


async def play_until_turn(guests: list[TableClient], guest: TableClient, rng: Random) -> None:
    """Play until it is this guest's turn again."""
    ply = guest.ply
    while guest.turn is None or guest.ply == ply:
        actor = acting(guests)
        answer = await actor.play(rng)
        for each in guests:
            while each.seq < answer["seq"]:
                await each.receive()


async def test_who_asks_has_a_hint_at_once_and_at_each_turn(server: Running) -> None:
    rng = Random(1)
    async with guests_at(server, "Ann", "Ben", "Cleo") as guests:
        ann = acting(guests)
        others = [guest for guest in guests if guest is not ann]
        assert not any(map(has_hint, ann.messages))
        await ann.send({"coach": []})
        first = hint_of(await ann.until(has_hint))
        assert first["topic"] == "bid"
        assert said(first).startswith("How many of 10 tricks will you win?")
        assert (first["had"], first["lessons"]) == (1, 17)
        assert ann.turn is not None
        assert str(first["bid"]) in ann.turn["legal"].split()
        await play_until_turn(guests, ann, rng)
        second = hint_of(ann.messages[-1])
        assert second.get("topic") != "bid"
        assert not any(has_hint(message) for each in others for message in each.messages)


async def test_lessons_that_somebody_had_are_not_given_again(server: Running) -> None:
    async with guests_at(server, "Ann", "Ben") as guests:
        ann = acting(guests)
        await ann.send({"coach": ["bid", "two", "of an older page"]})
        hint = hint_of(await ann.until(has_hint))
        assert "topic" not in hint
        assert "Bid about " in said(hint)


async def test_no_more_hints_means_none(server: Running) -> None:
    rng = Random(2)
    async with guests_at(server, "Ann", "Ben") as guests:
        ann = acting(guests)
        await ann.send({"coach": []})
        await ann.until(has_hint)
        await ann.send({"coach": None})
        await play_until_turn(guests, ann, rng)
        assert not has_hint(ann.messages[-1])
        await ann.send({"coach": []})
        assert hint_of(await ann.until(has_hint))


async def test_a_spectator_who_asks_has_none_whosever_hand_they_see(server: Running) -> None:
    rng = Random(3)
    async with guests_at(server, "Ann", "Ben", players=2) as guests:
        ann = acting(guests)
        cleo = server.someone("Cleo")
        async with connected(server.url, ann.code, cleo) as watching:
            await watching.do("watch", name="Cleo")
            await watching.send({"coach": []})
            await ann.do("show_hand", allowed=True)
            seat = ann.table["me"]["seat"]
            await watching.do("look_at", seat=seat)
            await ann.send({"coach": []})
            await ann.until(has_hint)
            await play_until_turn(guests, ann, rng)
            assert has_hint(ann.messages[-1])
            while watching.seq < ann.seq:
                await watching.receive()
            assert watching.table["game"]["hand"]
            assert not any(map(has_hint, watching.messages))


async def test_what_is_no_list_of_lessons_is_refused(server: Running) -> None:
    for wrong in ({"coach": "bid"}, {"coach": [1]}, {"coach": ["x" * 31]}, {"coach": ["x"] * 61}):
        async with guests_at(server, "Ann", "Ben") as (ann, _):
            await ann.send(wrong)
            assert await ann.close_code() == 4000


async def test_who_does_not_ask_pays_nothing(server: Running) -> None:
    """The frames of the others are the same bytes, no matter who has hints."""
    async with guests_at(server, "Ann", "Ben", "Cleo") as guests:
        for guest in guests:
            if guest.turn is None:
                await guest.send({"coach": []})
        await play_until_turn(guests, acting(guests), Random(4))
        bare = [m for g in guests for m in g.messages if m.get("turn") and not has_hint(m)]
        assert bare
        assert all(set(message["turn"]) <= {"legal", "why_not", "may_claim"} for message in bare)
