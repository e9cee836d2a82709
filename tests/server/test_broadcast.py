"""What people may do is told with what happens, and again when it changes."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from rage.house.tables.broadcast import Broadcast
from rage.table import Table
from rage.table.commands import Create, Join, Play, Start
from server.running import Running, open_table
from server.table_client import TableClient, connected, sit_down, start


async def play_bids(guests: list[TableClient]) -> TableClient:
    """Everybody bids 0. Returns the person who is to lead."""
    for _ in guests:
        bidder = await to_act(guests)
        assert bidder.turn is not None
        assert bidder.turn["may_claim"] is False
        answer = await bidder.do("play", ply=bidder.ply, move="0")
        assert answer["may_undo"] is True
    return await to_act(guests)


async def to_act(guests: list[TableClient]) -> TableClient:
    """Whose turn it is, once all have been told."""
    latest = max(guest.seq for guest in guests)
    for guest in guests:
        while guest.seq < latest:
            await guest.receive()
    (found,) = [guest for guest in guests if guest.turn is not None]
    return found


async def test_a_turn_is_told_again_when_no_claim_is_possible_any_more(server: Running) -> None:
    a, b = (server.someone(name) for name in ("Ann", "Ben"))
    code = open_table(a, "poof+schedule:3", players=2, bots=[None])
    async with connected(server.url, code, a) as ann, connected(server.url, code, b) as ben:
        await sit_down([ann, ben])
        await start(ann, ben, bot="random")
        first = await play_bids([ann, ben])
        other = ben if first is ann else ann
        assert first.turn is not None
        assert first.turn.get("may_claim", True)
        tricks = [3, 0] if first is ann else [0, 3]
        answer = await first.do("claim", ply=first.ply, tricks=tricks)
        asked = 1 if first is ann else 0
        assert answer["changed"]["proposal"]["asked"] == [asked]
        assert answer["turn"]["may_claim"] is False
        proposed = await other.until(lambda message: "proposal" in message.get("changed", {}))
        assert proposed["changed"]["proposal"] == answer["changed"]["proposal"]
        assert "turn" not in proposed
        ended = await other.do("answer", ply=other.ply, yes=False)
        assert ended["changed"]["proposal"] is None
        await first.fact("proposal_ended")
        assert first.turn["may_claim"] is False


def test_what_a_seat_is_told_of_a_move_is_short() -> None:
    """150 bytes on average, as the figure ``server-update`` of the benchmarks asks."""
    rng, sizes = Random(7), list[int]()
    people = [f"p{seat}" for seat in range(4)]
    for seed in (b"one" * 8, b"two" * 8, b"six" * 8):
        table = Table()
        table.do(Create("poof", 4, "Ann"), people[0], 1, seed=seed)
        for person in people[1:]:
            table.do(Join(f"player {person}"), person, 1)
        table.do(Start(), people[0], 1)
        known: Mapping[str, Any] = table.shared_data
        owns = {person: table.own_data(person) for person in people}
        while (seat := table.to_act) is not None:
            turn = table.turn_for(people[seat])
            assert turn is not None
            move = rng.choice(turn.legal.split())
            made = Broadcast(table, table.do(Play(table.ply, move), people[seat], 2), known)
            known = made.known
            for at, person in enumerate(people):
                own = owns[person] if made.moves_only else table.own_data(person)
                news = None if own == owns[person] else own
                owns[person] = own
                message = made.message_for(
                    person, 99 if at == seat else None, own=news, prompt=at == table.to_act
                )
                sizes.append(len(message))
    assert sum(sizes) / len(sizes) <= 150
