"""``rage admin``: manages the tables and people of servers while they run."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rage.cli.arguments import (
    LOCATIONS,
    configure_location,
    read_location,
    read_secret,
    store_refusals,
)
from rage.cli.operator_view import (
    cells_of,
    data_of,
    gap_of,
    moment,
    players_in,
    print_report,
    summary_for,
)
from rage.cli.parser import FILES, Parser
from rage.files import replacing
from rage.rules.number import read_number
from rage.say import NotAllowed, NotReadable, text

if TYPE_CHECKING:
    from rage.house.operating.orders import Order
    from rage.house.store import GameEntry
    from rage.house.store.queries import StoreReader
    from rage.house.store.sql import Store
    from rage.server.stores.readers import Reader

#: Other environment variables that it reads, for the help.
VARIABLES = (*LOCATIONS, "RAGE_SECRET")
PHASES: Final = ("gathering", "revealing", "playing", "paused", "over")
#: The default and the highest number of tables to list.
_TABLES: Final = 50
_MAX_TABLES: Final = 1_000_000
#: The longest ban with an end.
_MAX_DAYS: Final = 36_500
#: Fields of a table that are printed verbatim, one per line.
_SHOWN: Final = ("table", "log", "rules", "round", "game", "used", "server", "gap")
#: Games read at once.
_BATCH: Final = 500


def configure(parser: Parser) -> None:
    """Add the subcommands for operators."""

    def command(name: str, *names: str) -> Parser:
        added = parser.add_command(name, f"cli.admin.{name}", variables=VARIABLES)
        for each in names:
            added.option(each, code=f"cli.admin.{each}", metavar=each.upper())
        configure_location(added)
        return added

    listing = command("list")
    listing.choice("--phase", code="cli.admin.phase", of=PHASES)
    listing.option("--open", code="cli.admin.open", action="store_true")
    listing.option("--most", code="cli.admin.most", metavar="N", usual=_TABLES)
    listing.option("--json", code="cli.admin.json", action="store_true")
    command("show", "code").option("--json", code="cli.admin.json", action="store_true")
    command("close", "code")
    command("remove", "code")
    command("delete-game", "code").option("game", code="cli.admin.game", metavar="GAME")
    command("end-sessions", "person")
    command("export", "person").option("--out", code="cli.admin.out", metavar="FILE", values=FILES)
    command("erase", "person")
    command("ban", "person").option("--days", code="cli.admin.days", metavar="N")
    command("unban", "person")
    reports = command("reports")
    reports.option("--show", code="cli.admin.show_report", metavar="N")
    reports.option("--done", code="cli.admin.done_report", metavar="N")
    command("results")
    command("announce", "text")
    command("read-only").choice("switch", code="cli.admin.switch", of=("on", "off"))


def run(arguments: argparse.Namespace) -> int:
    """Run the subcommand of ``admin``."""
    for name in ("code", "person"):
        if not getattr(arguments, name, name).strip():
            raise NotReadable("admin.empty", name=name.upper())
    if arguments.action is None:
        raise NotReadable("admin.which", allowed=", ".join(arguments.parser.commands))
    with store_refusals():
        asyncio.run(_ACTIONS.get(arguments.action, _order)(arguments))
    return 0


@contextlib.asynccontextmanager
async def _reading(arguments: argparse.Namespace) -> AsyncIterator[Reader]:
    """Open the store that servers use for reading. Raises :class:`rage.NotReadable` if there is
    none."""
    from rage.house.base.codes import set_fingerprint_secret
    from rage.server.stores.readers import reader_of

    async with reader_of(read_location(arguments)) as found:
        # As servers do, so that tables are named as in their log.
        if (secret := read_secret() or await found.found_setting("secret")) is not None:
            set_fingerprint_secret(secret)
        yield found


@contextlib.asynccontextmanager
async def _writing(arguments: argparse.Namespace) -> AsyncIterator[Store]:
    """Open the store for writing, after :func:`_reading` has found it."""
    from rage.server.stores import open_store

    store = await open_store(read_location(arguments), serves=False)
    try:
        yield store
    finally:
        await store.close()


# Commands that only read.


async def _list(arguments: argparse.Namespace) -> None:
    from rage.house.operating.orders import READ_ONLY

    most = _number("--most", arguments.most, _MAX_TABLES) or _TABLES
    language = arguments.language
    async with _reading(arguments) as store:
        found = await store.all_tables(arguments.phase, found=arguments.open, most=most)
        listed = [(each, await summary_for(store, each)) for each in found]
        read_only = READ_ONLY in await store.orders()
    if arguments.json:
        print(json.dumps([data_of(*each) for each in listed], indent=2, ensure_ascii=False))
        return
    if read_only:
        print(text("cli.admin.is_read_only", language))
    if not listed:
        chosen = arguments.phase or arguments.open
        print(text("cli.admin.none" if chosen else "cli.admin.empty", language))
        return
    names = ("code", "rules", "phase", "round", "used", "players")
    rows = [[text(f"cli.admin.head.{name}", language) for name in names]]
    rows += [cells_of(*each, language) for each in listed]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        print("  ".join(cells).rstrip())


async def _show(arguments: argparse.Namespace) -> None:
    from rage.house.base.codes import shown_code

    code = _read_code(arguments.code)
    async with _reading(arguments) as store:
        found = await store.listed_table(code)
        if found is None:
            raise NotReadable("admin.no_table", table=arguments.code)
        data = data_of(found, await summary_for(store, found))
        if gap := await gap_of(store, code):
            data["gap"] = gap
        if (server := await store.server_of(code)) is not None:
            data["server"] = server
    if arguments.json:
        print(json.dumps(data, indent=2, ensure_ascii=False))
        return
    language = arguments.language
    data["table"] = shown_code(code)
    for name, value in data.items():
        if name == "seats":
            for number, seat in enumerate(value, 1):
                who = seat["person"] or seat["bot"] or "-"
                print(text("cli.admin.seat", language, n=number, name=seat["name"], who=who))
        elif name in _SHOWN and value is not None:
            print(text(f"cli.admin.of.{name}", language, value=value))
        elif name == "phase":
            print(text("cli.admin.of.phase", language,
                       value=text(f"cli.admin.phase.{value}", language)))  # fmt: skip
        elif name in ("watching", "barred") and value:
            print(text(f"cli.admin.of.{name}", language, value=", ".join(value)))
        elif name in ("open", "broken") and value:
            print(text(f"cli.admin.of.{name}", language))


async def _results(arguments: argparse.Namespace) -> None:
    """Print a line of CSV for each player of each finished game."""
    from rage.score.spreadsheet import quoted

    names = ("ended", "table", "game", "rules", "seat", "name", "bot", "points", "won", "deals")
    async with _reading(arguments) as store:
        print(",".join(names))
        last: GameEntry | None = None
        while games := await store.all_games(last, _BATCH):
            for game in games:
                for row in players_in(game):
                    print(",".join(quoted(str(cell)) for cell in row))
            last = games[-1]


def _number(option: str, given: str | None, most: int) -> int | None:
    """The number given for an option, if any. Raises :class:`rage.NotReadable`."""
    number = None if given is None else read_number(given, 1, most)
    if given is not None and number is None:
        raise NotReadable("serve.number", option=option, least=1, most=most, given=given)
    return number


async def _reports(arguments: argparse.Namespace) -> None:
    """List the reports and bans, show a report, or remove it."""
    from rage.house.limits import FOREVER, MAX_REPORTS
    from rage.house.store import BAN

    language = arguments.language
    show = _number("--show", arguments.show, MAX_REPORTS)
    done = _number("--done", arguments.done, MAX_REPORTS)
    async with _reading(arguments) as store:
        found, orders = list((await store.reports()).items()), await store.orders()
    if (number := show or done or 0) > len(found):
        raise NotReadable("admin.no_report", number=number)
    if done is not None:
        async with _writing(arguments) as writing:
            await writing.take(found[done - 1][0])
        print(text("cli.admin.done.reports", language))
        return
    for n, (_, data) in enumerate(found, 1):
        if show in (None, n):
            print_report(n, data, language, whole=show is not None)
    bans = {name.removeprefix(BAN): int(until) for name, until in orders.items()
            if name.startswith(BAN) and show is None}  # fmt: skip
    for person, until in bans.items():
        day = "-" if until >= FOREVER else moment(until).date()
        print(text("cli.admin.banned", language, person=person, until=str(day)))
    if not found:
        print(text("cli.admin.no_reports", language))


async def _export(arguments: argparse.Namespace) -> None:
    """Write everything stored about a person, as JSON."""
    import msgspec

    from rage.house.operating.personal import export

    async with _reading(arguments) as store:
        found = await export(store, await _read_person(arguments, store))
    written = msgspec.json.format(msgspec.json.encode(found)).decode() + "\n"
    if arguments.out is None:
        print(written, end="")
    else:
        with replacing(Path(arguments.out)) as path:
            path.write_text(written, "utf-8")


# Commands that servers carry out.


async def _announce(arguments: argparse.Namespace) -> None:
    from rage.house.operating.orders import announce

    async with _reading(arguments) as found:
        await _check_served(found)  # servers that start later would not show it
    async with _writing(arguments) as store:
        await announce(store, arguments.text)
    print(text("cli.admin.done.announce", arguments.language))


async def _set_read_only(arguments: argparse.Namespace) -> None:
    from rage.house.operating.orders import set_read_only

    async with _reading(arguments) as found:
        served = await found.is_served()
    async with _writing(arguments) as store:
        await set_read_only(store, arguments.switch == "on")
    done = f"cli.admin.done.read-only.{arguments.switch}"
    print(text(done if served else f"{done}.alone", arguments.language))


async def _check_served(store: Reader) -> None:
    """Raise :class:`rage.NotAllowed` if no server is running."""
    if not await store.is_served():
        raise NotAllowed("admin.none_running")


async def _order(arguments: argparse.Namespace) -> None:
    from rage.house.operating.orders import ask

    async with _reading(arguments) as found:
        order = await _read_order(arguments, found)
        await _check_served(found)
    async with _writing(arguments) as store:
        await ask(store, order)
    done = f"cli.admin.done.{arguments.action}"
    named = {
        "table": getattr(arguments, "code", None),
        "person": getattr(arguments, "person", None),
        "game": getattr(arguments, "game", None),
    }
    print(text(done, arguments.language, **named))


def _read_code(given: str) -> str:
    """The code of a table. Raises :class:`rage.NotReadable`."""
    from rage.house.base.codes import NoTable, read_code

    try:
        return read_code(given)
    except NoTable:
        raise NotReadable("admin.no_table", table=given) from None


async def _read_order(arguments: argparse.Namespace, store: StoreReader) -> Order:
    """The order that the arguments name."""
    from rage.house.operating import orders
    from rage.house.operating.orders import (
        BanPerson,
        CloseTable,
        DeleteGame,
        RemoveTable,
        UnbanPerson,
    )

    if arguments.action == "unban":  # nothing else might be stored about them
        return UnbanPerson(arguments.person)
    if arguments.action == "ban":
        days = _number("--days", arguments.days, _MAX_DAYS)
        return BanPerson(await _read_person(arguments, store), days)
    if (of_person := _OF_PERSON.get(arguments.action)) is not None:
        order: Order = getattr(orders, of_person)(await _read_person(arguments, store))
        return order
    code = _read_code(arguments.code)
    if arguments.action == "delete-game":
        game = read_number(arguments.game, 1, 2**31 - 1)
        if game is None or await store.finished_game(code, game) is None:
            raise NotReadable("http.no_game", table=arguments.code, game=arguments.game)
        return DeleteGame(code, game)
    if await store.table(code) is None:
        raise NotReadable("admin.no_table", table=arguments.code)
    return CloseTable(code) if arguments.action == "close" else RemoveTable(code)


async def _read_person(arguments: argparse.Namespace, store: StoreReader) -> str:
    """A person about whom something is stored. Raises :class:`rage.NotReadable`."""
    from rage.house.people.identity import PERSON_LENGTH

    person: str = arguments.person
    known = await store.profile_of(person)
    if known.name is None and not (
        await store.tables_of(person, 1)
        or await store.games_of(person, 1)
        or (len(person) == PERSON_LENGTH and await store.traces_of([person]))
    ):
        raise NotReadable("admin.no_person", person=person)
    return person


#: The orders about a person.
_OF_PERSON: Final = {"end-sessions": "EndSessions", "erase": "ErasePerson"}
#: The subcommands that are not orders to a server.
_ACTIONS: Final = {
    "list": _list,
    "show": _show,
    "results": _results,
    "export": _export,
    "reports": _reports,
    "announce": _announce,
    "read-only": _set_read_only,
}
