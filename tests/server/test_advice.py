"""Advice over HTTP: in your own turn, from your own cards, and nobody else hears of it."""

from __future__ import annotations

from random import Random
from typing import Any

import httpx

from rage.say import Reason, sentence
from server.running import Running, open_table
from server.table_client import TableClient, connected, game_of
from server.test_socket import acting


def asked(client: httpx.Client, table: str, ply: int) -> httpx.Response:
    return client.get(f"/api/tables/{table}/advice", params={"ply": ply})


async def turn_of(guest: TableClient) -> None:
    while guest.turn is None:
        await guest.receive()


async def pong(guest: TableClient, number: int) -> list[dict[str, Any]]:
    """What a guest is told before a ping is answered."""
    seen = len(guest.messages)
    await guest.send({"ping": number})
    await guest.until(lambda message: message.get("ping") == number)
    return guest.messages[seen:-1]


async def test_who_plays_with_bots_alone_may_ask(server: Running) -> None:
    client = server.someone("Ann")
    code = open_table(client, "poof+schedule:3", 3, bots=["steady", "steady"], start=True)
    async with connected(server.url, code, client) as ann:
        for _ in range(3):
            await turn_of(ann)
            assert ann.turn is not None
            assert ann.turn["advice"] is True
            answer = asked(client, code, ann.ply)
            assert answer.status_code == 200, answer.text
            assert answer.json()["ply"] == ann.ply
            told = answer.json()["advice"]
            moves = [each["move"] for each in told["moves"]]
            assert sorted(moves) == sorted(ann.turn["legal"].split())
            assert told["moves"][0]["gap"] == 0
            reason = {**told["reason"]}
            said = sentence(Reason(reason.pop("code"), reason), edition="poof")
            assert said.endswith(".")
            before = ann.ply
            await ann.play(Random(1))
            assert asked(client, code, before).json()["reason"]["code"] in (
                "table.stale",
                "table.advice_later",
            )


async def test_with_other_people_the_host_decides(server: Running) -> None:
    clients = [server.someone(name) for name in ("Ann", "Ben")]
    async with game_of(server.url, clients) as guests:
        actor = acting(guests)
        other = next(each for each in guests if each is not actor)
        assert actor.turn is not None
        assert "advice" not in actor.turn
        refused = asked(clients[guests.index(actor)], actor.code, actor.ply)
        assert (refused.status_code, refused.json()["reason"]["code"]) == (409, "table.no_advice")
        assert asked(clients[guests.index(other)], actor.code, actor.ply).status_code == 409


async def test_nobody_else_is_told_that_it_was_asked_for(server: Running) -> None:
    clients = [server.someone(name) for name in ("Ann", "Ben")]
    async with game_of(server.url, clients, options={"advice": "always"}) as guests:
        actor = acting(guests)
        other = next(each for each in guests if each is not actor)
        await pong(other, 1)
        assert asked(clients[guests.index(actor)], actor.code, actor.ply).status_code == 200
        assert asked(clients[guests.index(other)], actor.code, actor.ply).status_code == 409
        assert await pong(other, 2) == []


async def test_a_turn_is_sent_again_when_the_host_changes_who_may_ask(server: Running) -> None:
    clients = [server.someone(name) for name in ("Ann", "Ben")]
    async with game_of(server.url, clients) as guests:
        actor, ply = acting(guests), guests[0].ply
        for advice in ("always", "never"):
            actor.turn = None
            change = {"rules": "poof", "players": 2, "options": {"advice": advice}}
            await guests[0].do("configure", **change)
            await turn_of(actor)
            assert actor.turn is not None
            assert actor.turn.get("advice", False) == (advice == "always")
            answer = asked(clients[guests.index(actor)], actor.code, ply)
            assert answer.status_code == (200 if advice == "always" else 409)


def test_what_is_not_a_decision_of_theirs_is_refused(server: Running) -> None:
    client, stranger = server.someone("Ann"), server.someone("Eve")
    code = open_table(client, "poof", 3, bots=["steady", "steady"], start=True)
    assert asked(stranger, code, 1).status_code == 403
    assert asked(server.nobody(), code, 1).status_code == 403
    assert asked(client, "aaaaaaaa", 1).status_code == 404
    assert client.get(f"/api/tables/{code}/advice").status_code == 400
    assert client.get(f"/api/tables/{code}/advice?ply=x").status_code == 400
