"""``/api/tables``: opening and finding tables."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from rage.house.base.codes import NoTable, read_code
from rage.house.limits import MAX_REPORT, MAX_RULES, MAX_TABLES
from rage.house.operating.personal import report
from rage.house.requests.people import Name, Person
from rage.house.requests.requester import Requester
from rage.house.requests.rows import Code, TableLine, table_line
from rage.house.store import BrokenTable, StoredTable
from rage.rules.settings import MAX_PLAYERS
from rage.say import NotReadable
from rage.table import Create, GiveSeat, Options, Start
from rage.table.options import DEFAULT_OPTIONS, BotName, check_bot


class NewTable(Struct, forbid_unknown_fields=True):
    """A table to open: its rules, the number of players, the host's name at it (by default their
    own), bots by seat from 1 on (``null``: that seat stays empty), and whether to start at once,
    with steady bots in the empty seats."""

    rules: Annotated[str, Meta(max_length=MAX_RULES, examples=["amigo+sweep"])]
    players: Annotated[int, Meta(ge=2, le=MAX_PLAYERS, examples=[4])]
    name: Name | None = None
    options: Options | None = None
    bots: Annotated[
        list[BotName | None], Meta(max_length=MAX_PLAYERS - 1, examples=[["steady", None]])
    ] = []
    start: bool = False


class NewReport(Struct, forbid_unknown_fields=True):
    """The person at the table who is reported, and why."""

    person: Person
    text: Annotated[str, Meta(max_length=MAX_REPORT, examples=["insults"])]


class Opened(Struct):
    """The code of a new table."""

    table: Code


class Tables(Struct):
    """The tables you are at, most recently used first; open tables, of as many different hosts as
    possible; and your tables whose stored data cannot be read."""

    mine: list[TableLine]
    open: list[TableLine]
    broken: list[Code]


async def open_table(requester: Requester, data: NewTable) -> Opened:
    """Open a table, with bots seated and the game begun if requested."""
    person = requester.require_person()
    hub = requester.site.hub
    for each in data.bots:
        if each is not None:
            check_bot(each)
    if len(data.bots) >= data.players:
        raise NotReadable("http.too_many_bots", bots=len(data.bots), players=data.players)
    profile = await requester.site.store.profile_of(person)
    name = data.name or profile.name
    if name is None:
        raise NotReadable("http.no_name")
    options = DEFAULT_OPTIONS if data.options is None else data.options
    if data.start:
        requester.rate_limit("begin")
    table = await hub.create(
        Create(data.rules, data.players, name, options, profile.sign), person, requester.address
    )
    for seat, bot in enumerate(data.bots, 1):
        if bot is not None:
            await hub.do(table, GiveSeat(seat, bot=bot), person)
    if data.start:
        await hub.do(table, Start(), person)
    return Opened(table)


async def report_person(requester: Requester, table: str, data: NewReport) -> None:
    """Report a person at your table to its host, and to the operator."""
    me, code = requester.require_person(), read_code(table)
    await report(requester.site.hub, code, me, data.person, data.text)


async def list_tables(requester: Requester) -> Tables:
    """The tables you are at, and the open ones."""
    store = requester.site.store
    mine = [] if requester.person is None else await store.tables_of(requester.person, MAX_TABLES)
    own = {each.table for each in mine}
    others = [each for each in await store.open_tables(MAX_TABLES) if each.table not in own]
    my_lines, broken = await _lines(requester, mine)
    lines, _ = await _lines(requester, others)
    return Tables(my_lines, lines, broken)


async def _lines(
    requester: Requester, found: list[StoredTable]
) -> tuple[list[TableLine], list[str]]:
    """The lines of tables, and the codes of those that cannot be read."""
    lines, broken = list[TableLine](), list[str]()
    for each in found:
        try:
            summary = await requester.site.hub.summary(each)
        except BrokenTable:
            broken.append(each.table)
        else:
            lines.append(table_line(each.table, summary, requester.person, requester.language))
    return lines, broken


async def get_table(requester: Requester, table: str) -> TableLine:
    """One table, for anyone who has its code."""
    person, hub = requester.person, requester.site.hub
    with requester.guessing(table) as guess:
        code = read_code(table)
        found = await requester.site.store.table(code)
        if found is None:
            raise NoTable("http.no_table", table=code)
        guess.own = person is not None and await hub.is_guest(code, person)
    summary = await hub.summary(found)
    return table_line(code, summary, person, requester.language)
