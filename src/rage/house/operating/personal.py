"""The stored data of one person: reported, exported and erased (``docs/hosting.md``)."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Any, Final

import msgspec
from msgspec import Struct

from rage.house.base.codes import table_fingerprint
from rage.house.base.messages import Announcement, encode
from rage.house.contests.contest import read_contest
from rage.house.contests.events import ALL, Events, is_hidden
from rage.house.limits import FOREVER, MAX_REPORT, MAX_REPORTS, REPORTED_LINES
from rage.house.people.identity import Keys, new_person
from rage.house.store import BrokenTable, Finished
from rage.house.store.queries import StoreReader
from rage.house.tables.hub import Hub
from rage.house.tables.index import StoredGame
from rage.house.tables.loading import load, read_line
from rage.notation import parse_record, write_record
from rage.say import Reason
from rage.table.erasure import neutral_name
from rage.table.people.speech import clean

log: Final = logging.getLogger(__name__)


class Report(Struct):
    """A report by one person (``by``) about another at a table, with the last chat lines of the
    latter there, and the time in milliseconds."""

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
    :class:`rage.NotAllowed` unless ``by`` is there, and the person or their chat lines are,
    :class:`rage.NotReadable` for an invalid text, :class:`rage.house.base.codes.NoTable` and
    :class:`rage.house.store.StoreFailed`."""
    room = await hub.room(table)
    state, services = (await room.ready()).state, hub.services
    state.require_guest(by)
    said = [line for line in state.chat if line.person == person]
    there = person in state.guests or not said
    name = state.require_guest(person).name if there else said[-1].name
    text = clean(text, MAX_REPORT)
    lines = [line.text or line.preset or "" for line in said[-REPORTED_LINES:]]
    written = Report(services.now(), table, by, person, name, text, lines)
    await services.store.keep_report(msgspec.json.encode(written), MAX_REPORTS)
    services.counts.reports += 1
    log.warning("somebody was reported at the table %s", table_fingerprint(table))
    host = None if state.host in (by, person) else room.clients.get(state.host or "")
    if host is not None:
        reason = Reason("report.to_host", {"name": name, "text": text})
        host.write(encode(Announcement(reason=reason.as_data())))


async def export(store: StoreReader, person: str) -> dict[str, Any]:
    """Everything stored about a person, to be written as JSON (``docs/protocol.md``); for each
    table, their view of it. Raises :class:`rage.house.store.StoreFailed`."""
    profile = await store.profile_of(person)
    reports = map(read_report, (await store.reports()).values())
    chat = [
        {"table": table, "at": row.at, **msgspec.to_builtins(line)}
        for table, rows in (await store.told_by(person)).items()
        for row in rows
        if (line := read_line(row)) is not None and line.person == person
    ]
    return {
        "person": person,
        "name": profile.name,
        "sign": profile.sign,
        "recovery_code": await store.code_since(person),
        "reports": [
            {"table": each.table, "at": each.at, "person": each.person, "text": each.text}
            for each in reports
            if each.by == person
        ],
        "passkeys": [each.made for each in await store.passkeys_of(person)],
        "tables": [
            {"table": stored.table, "view": await _view(store, stored.table, person)}
            for stored in await store.tables_of(person, ALL)
        ],
        "games": [
            await _game(store, table, number, person)
            for table, number in await store.games_with([person])
        ],
        "events": [
            {"event": code, "at": contest.made, "name": contest.name_of(person)}
            for code, data in await store.contests_of(person, ALL)
            if (contest := read_contest(data))
        ],
        "chat": chat,
    }


async def _view(store: StoreReader, table: str, person: str) -> msgspec.Raw | None:
    """A person's view of a table; ``None`` if it cannot be read."""
    with suppress(BrokenTable):
        return msgspec.Raw(msgspec.json.encode((await load(store, table)).table.view_for(person)))
    return None


async def _game(store: StoreReader, table: str, number: int, person: str) -> dict[str, Any]:
    """A finished game of a person; without its record if that cannot be read, or if others still
    play its deals."""
    about: dict[str, Any] = {"table": table, "game": number}
    with suppress(BrokenTable):
        if (found := await store.finished_game(table, number)) is not None:
            about |= {"ended": found.ended, "seat": found.seats.get(person)}
            hidden = await is_hidden(store, found.deals_id)
            return {**about, "record": None if hidden else msgspec.Raw(found.record)}
    return {**about, "ended": None, "seat": None, "record": None}


async def erase(hub: Hub, keys: Keys, person: str) -> None:
    """Erase a person, everywhere and for good: they leave their tables, and others keep their games
    with a neutral name in them. Raises :class:`rage.house.store.StoreFailed`, after which it can be
    repeated."""
    store, people = hub.services.store, (person, keys.screen(person))
    for table in await store.traces_of(people):
        await hub.erase(table, people)
    for table, number in await store.games_with(people):
        try:
            if (found := await store.finished_game(table, number)) is not None:
                await store.replace_game(table, _without(found, people)._replace(seats={}))
        except BrokenTable:
            await store.drop_game(table, number)
    await Events(store, hub, keys).erase(person, new_person())
    for name, reported in (await store.reports()).items():
        if person.encode() in reported:
            await store.take(name)
    digest = keys.erased(person)
    for table in await store.erase(people, digest):  # tables they have just joined
        await hub.erase(table, people)
    keys.sessions.end(person, FOREVER)
    keys.sessions.end(digest, 1)
    hub.services.start(store.rewrite())


def _without(over: Finished, people: Collection[str]) -> Finished:
    """A finished game with a neutral name in place of any that a person had in it, under any of
    their ids."""
    line = msgspec.json.decode(over.line, type=StoredGame)
    rounds = [
        (line.people, line.names),
        *((each.people, each.names) for each in line.dealt.values()),
    ]
    names = {name for held in rounds for who, name in zip(*held, strict=True) if who in people}
    neutral, stranger = neutral_name((over.line + over.record).decode()), new_person()

    def put(given: list[str]) -> list[str]:
        return [neutral if name in names else name for name in given]

    for who_had, written in rounds:
        written[:] = put(written)
        who_had[:] = [stranger if who in people else who for who in who_had]
    return over._replace(line=msgspec.json.encode(line), record=_renamed(over.record, put))


def _renamed(record: bytes, put: Callable[[list[str]], list[str]]) -> bytes:
    """A record in which some players, now and earlier and in the seating, have other names, and
    those players no signs. Its words stay, because the proof of its deals needs them."""
    read = parse_record(record)
    before, read.names = read.names, put(read.names)
    if "signs" in read.extra:
        seats = zip(before, read.names, read.extra["signs"], strict=True)
        read.extra["signs"] = [sign if old == new else "" for old, new, sign in seats]
    if "seating" in read.extra:
        read.extra["seating"] = put(read.extra["seating"])
    for each in read.extra.get("earlier", ()):
        each["players"] = put(each["players"])
    return write_record(read)
