"""What is stored of one person: told, and erased (``docs/hosting.md``)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from rage.notation import read_record, write_record
from rage.place.hub import Hub
from rage.place.identity import Keys, new_person
from rage.place.room.index import StoredGame
from rage.place.room.loading import load
from rage.place.store import BrokenTable, ChatRow, Finished, Store
from rage.place.store.sql import SqlReader
from rage.table.erasing import neutral_name

#: The most tables of a person that are told.
_ALL = 1_000_000


async def export(store: SqlReader | Store, person: str) -> dict[str, Any]:
    """Everything stored of a person, as JSON (``docs/protocol.md``): of a table, what they see
    there. Raises :class:`StoreFailed`."""
    profile = await store.profile_of(person)
    said, tables = await store.told_by(person), list[dict[str, Any]]()
    for stored in await store.tables_of(person, _ALL):
        try:
            view = (await load(store, stored.table)).table.view_for(person)
        except BrokenTable:
            view = None
        tables.append({"table": stored.table, "view": msgspec.to_builtins(view)})
    games = list[dict[str, Any]]()
    for table, number in await store.games_with(person):
        if (found := await store.finished_game(table, number)) is not None:
            record = msgspec.json.decode(found.record)
            about = {"table": table, "game": number, "ended": found.ended}
            games.append({**about, "seat": found.seats.get(person), "record": record})
    return {
        "person": person,
        "name": profile.name,
        "sign": profile.sign,
        "recovery_code": await store.code_since(person),
        "passkeys": [each.made for each in await store.passkeys_of(person)],
        "tables": tables,
        "games": games,
        "chat": [
            {"table": table, "at": line.at, **_line(line)}
            for table, lines in said.items()
            for line in lines
            if _line(line).get("person") == person
        ],
    }


def _line(line: ChatRow) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(line.data)
    return found


async def erase(hub: Hub, keys: Keys, person: str) -> None:
    """Erase a person, everywhere and for good: they leave their tables, and others keep their games
    with a neutral name in them. Raises :class:`StoreFailed`, and then it can be done again."""
    store, people = hub.services.store, (person, keys.screen(person))
    for each in people:
        for table in await store.traces_of(each):
            await hub.erase(table, each)
    games = {game for each in people for game in await store.games_with(each)}
    changed = list[tuple[str, Finished]]()
    for table, number in sorted(games):
        found = await store.finished_game(table, number)
        if found is not None:
            for each in people:
                found = _without(found, each)
            changed.append((table, found._replace(seats={})))
    digest = keys.erased(person)
    number = await store.erase(people, digest, changed)
    keys.sessions.end(person, number)
    keys.sessions.end(digest, 1)
    for table in await store.traces_of(person):  # if they have just come to another one
        await hub.erase(table, person)
    await store.rewritten()


def _without(over: Finished, person: str) -> Finished:
    """A finished game with a neutral name in place of those that a person had in it."""
    line = msgspec.json.decode(over.line, type=StoredGame)
    rounds = [
        (line.people, line.names),
        *((each.people, each.names) for each in line.dealt.values()),
    ]
    names = {name for held in rounds for who, name in zip(*held, strict=True) if who == person}
    neutral, stranger = neutral_name((over.line + over.record).decode()), new_person()

    def put(given: list[str]) -> list[str]:
        return [neutral if name in names else name for name in given]

    for people, written in rounds:
        written[:] = put(written)
        people[:] = [stranger if who == person else who for who in people]
    return over._replace(line=msgspec.json.encode(line), record=_renamed(over.record, put))


def _renamed(record: bytes, put: Callable[[list[str]], list[str]]) -> bytes:
    """A record with other names: of the players, of those before them, and of the seating, by which
    the proof of its deals still holds."""
    read = read_record(record)
    read.players = put(read.players)
    if "seating" in read.extra:
        read.extra["seating"] = put(read.extra["seating"])
    for each in read.extra.get("earlier", ()):
        each["players"] = put(each["players"])
    return write_record(read)
