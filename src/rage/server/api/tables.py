"""``/api/tables``: opening them, finding them."""

from __future__ import annotations

import time
from typing import Annotated, Final, Literal

from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from msgspec import Meta, Struct, structs

from rage.rules import MAX_PLAYERS
from rage.say import NotReadable, text
from rage.server.api.asking import Asker, refusals, strictly
from rage.server.api.lines import MAX_RULES, Code, TableLine, table_line
from rage.server.api.people import Name
from rage.server.codes import NoTable, read_code
from rage.table import Clock, Create, GiveSeat, Options, Start
from rage.table.options import MAX_SECONDS, USUAL, check_bot

#: How many tables a list names.
MOST: Final = 30
BotName = Annotated[str, Meta(examples=["steady"])]
Seconds = Annotated[int, Meta(ge=0, le=MAX_SECONDS)]


class ClockData(Struct, forbid_unknown_fields=True):
    """The friendly clock (``rage.table.Clock``), in seconds from when a turn began."""

    nudge: Seconds = 30
    ask: Seconds = 60
    hand_over: Seconds = 90

    def read(self) -> Clock:
        """The same for the table."""
        return Clock(**structs.asdict(self))


class OptionsData(Struct, forbid_unknown_fields=True):
    """What a host chooses beside the rules (``rage.table.Options``)."""

    access: Literal["open", "link"] = "link"
    undo: bool = True
    known: bool = False
    takeover: Literal["at_once", "vote"] = "vote"
    spectators: bool = True
    grace: Seconds = 20
    bot: BotName = "steady"
    clock: ClockData | None = None

    def read(self) -> Options:
        """The same for the table."""
        clock = None if self.clock is None else self.clock.read()
        return Options(**{**structs.asdict(self), "clock": clock})


class NewTable(Struct, forbid_unknown_fields=True):
    """A table to open: its rules, how many play, the name of who opens it (where it isn't the one
    they go by), bots by seat from 1 on (``null``: that seat stays empty), and whether to start
    at once, with steady bots in the seats that are left."""

    rules: Annotated[str, Meta(max_length=MAX_RULES, examples=["amigo+sweep"])]
    players: Annotated[int, Meta(ge=2, le=MAX_PLAYERS, examples=[4])]
    name: Name | None = None
    options: OptionsData | None = None
    bots: Annotated[
        list[BotName | None], Meta(max_length=MAX_PLAYERS - 1, examples=[["steady", None]])
    ] = []
    start: bool = False


class Opened(Struct):
    """The code of a new table."""

    table: Code


class Tables(Struct):
    """The tables one is at, and those that anybody may find; the one used last first."""

    mine: list[TableLine]
    open: list[TableLine]


@post("/api/tables", responses=refusals(409), before_request=strictly(NewTable))
async def open_table(asker: NamedDependency[Asker], data: JSONBody[NewTable]) -> Opened:
    """Open a table, with bots seated and the game begun where that is asked for."""
    person = asker.known()
    asker.take("open")
    hub = asker.site.hub
    for each in data.bots:
        if each is not None:
            check_bot(each)
    if len(data.bots) >= data.players:
        raise NotReadable("http.too_many_bots", bots=len(data.bots), players=data.players)
    name = data.name or await asker.site.store.name_of(person)
    if name is None:
        raise NotReadable("http.no_name")
    options = USUAL if data.options is None else data.options.read()
    table = await hub.create(Create(data.rules, data.players, name, options), person)
    names = _bot_names(name, asker.language)
    for seat, bot in enumerate(data.bots, 1):
        if bot is not None:
            await hub.do(table, GiveSeat(seat, bot=bot, name=names.pop(0)), person)
    if data.start:
        await hub.do(table, Start(names=tuple(names)), person)
    return Opened(table)


def _bot_names(host: str, language: str) -> list[str]:
    """What bots are called in a language, but for the name of the host: stars, for hardly anybody
    else who comes is called so."""
    return [
        name
        for name in text("bot.names", language).split(", ")
        if name.casefold() != host.strip().casefold()
    ]


@get("/api/tables", responses=refusals())
async def list_tables(asker: NamedDependency[Asker]) -> Tables:
    """The tables one is at, and the open ones."""
    store = asker.site.store
    mine = [] if asker.person is None else await store.tables_of(asker.person, MOST)
    others = [each for each in await store.open_tables(MOST) if each not in mine]
    return Tables(await _lines(asker, mine), await _lines(asker, others))


async def _lines(asker: Asker, codes: list[str]) -> list[TableLine]:
    hub = asker.site.hub
    return [table_line(code, await hub.table(code), asker.person, asker.language) for code in codes]


@get("/api/tables/{table:str}", responses=refusals(404))
async def get_table(asker: NamedDependency[Asker], table: FromPath[str]) -> TableLine:
    """One table, for who has its code."""
    asker.site.limits.check("guess", asker.address, time.monotonic())
    try:
        code = read_code(table)
        found = await asker.site.hub.table(code)
    except NoTable:
        asker.take("guess")
        raise
    return table_line(code, found, asker.person, asker.language)
