"""What is stored of one person: told, and erased (``docs/hosting.md``)."""

from __future__ import annotations

import logging
from collections.abc import Callable
from secrets import token_hex
from typing import Any, Final

import msgspec
from msgspec import Struct

from rage.notation import read_record, write_record
from rage.place.codes import table_fingerprint
from rage.place.hub import Hub
from rage.place.identity import Keys, new_person
from rage.place.limits import MAX_REPORT, MAX_REPORTS, REPORTED_LINES
from rage.place.messages import Announcement, encode
from rage.place.room.index import StoredGame
from rage.place.room.loading import load
from rage.place.store import REPORT, BrokenTable, ChatRow, Finished, Store
from rage.place.store.sql import SqlReader
from rage.say import Reason
from rage.table.erasing import neutral_name
from rage.table.guests import clean

log: Final = logging.getLogger(__name__)
#: The most tables of a person that are told.
_ALL: Final = 1_000_000


class Report(Struct):
    """What somebody (``by``) reports of a person at a table, with the last lines of theirs in its
    chat, and the time in milliseconds."""

    at: int
    table: str
    by: str
    person: str
    name: str
    text: str
    lines: list[str]


read_report: Final = msgspec.json.Decoder(Report).decode


async def report(hub: Hub, table: str, by: str, person: str, text: str) -> None:
    """Report a person to the host of a table, if connected, and to the operator. Raises
    :class:`rage.NotAllowed` unless both are there, :class:`rage.NotReadable` for a text that cannot
    be kept, :class:`NoTable` and :class:`StoreFailed`."""
    room = await hub.room(table)
    state, store, now = (await room.ready()).state, hub.services.store, hub.services.now()
    state.require_guest(by)
    said = [line for line in state.chat if line.person == person]
    name = (
        said[-1].name if person not in state.guests and said else state.require_guest(person).name
    )
    text = clean(text, MAX_REPORT)
    lines = [line.text or line.preset or "" for line in said[-REPORTED_LINES:]]
    written = msgspec.json.encode(Report(now, table, by, person, name, text, lines))
    await store.put(f"{REPORT}{now:013} {token_hex(4)}", written)
    for old in list(await store.reports())[:-MAX_REPORTS]:
        await store.take(old)
    hub.services.counts.reports += 1
    log.warning("somebody was reported at the table %s", table_fingerprint(table))
    host = None if state.host in (by, person) else room.clients.get(state.host or "")
    if host is not None:
        reason = Reason("report.to_host", {"name": name, "text": text})
        host.write(encode(Announcement(reason=reason.as_data())))


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
        "reports": [
            {"table": each.table, "at": each.at, "person": each.person, "text": each.text}
            for each in map(read_report, (await store.reports()).values())
            if each.by == person
        ],
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
    for name, reported in (await store.reports()).items():
        if person.encode() in reported:
            await store.take(name)
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
