"""Tables, games and reports as ``rage admin`` shows them to an operator."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from rage.say import text, visible

if TYPE_CHECKING:
    from rage.house.store import GameEntry, ListedTable
    from rage.house.store.queries import StoreReader
    from rage.house.tables.summary import Summary


def cells_of(table: ListedTable, summary: Summary | None, language: str) -> list[str]:
    """A table's line in the list, cell by cell."""
    from rage.house.base.codes import shown_code

    phase = text(f"cli.admin.phase.{table.phase}", language)
    if table.open:
        phase = text("cli.admin.phase.open", language, phase=phase)
    used = moment(table.used).astimezone().strftime("%Y-%m-%d %H:%M")
    code = shown_code(table.stored.table)
    if summary is None:
        return [code, "?", phase, "?", used, "?"]
    names = ", ".join(seat.name for seat in summary.seats if seat.name)
    return [code, summary.rules, phase, str(summary.round or "-"), used, names]


async def summary_for(store: StoreReader, listed: ListedTable) -> Summary | None:
    """The summary of a table, from its events if the stored one is out of date; ``None`` if the
    table cannot be read."""
    from rage.house.store import BrokenTable
    from rage.house.tables.loading import load
    from rage.house.tables.summary import read_summary, summary_of

    stored = listed.stored
    if stored.summary is not None and (summary := read_summary(stored.summary)) is not None:
        return summary
    try:
        table = (await load(store, stored.table)).table
    except BrokenTable:
        return None
    return summary_of(table) if table.seq else None


async def gap_of(store: StoreReader, table: str) -> int:
    """How many of the last events of a table cannot be read."""
    from rage.house.store import BrokenTable
    from rage.house.tables.loading import load

    try:
        return (await load(store, table)).table.state.gap
    except BrokenTable:
        return 0


def data_of(table: ListedTable, summary: Summary | None) -> dict[str, Any]:
    """A table in the form of ``--json``."""
    from rage.house.base.codes import table_fingerprint

    data: dict[str, Any] = {
        "table": table.stored.table,
        "log": table_fingerprint(table.stored.table),
        "phase": table.phase,
        "open": table.open,
        "used": moment(table.used).isoformat(),
    }
    if summary is None:
        return {**data, "broken": True}
    seats = [{"name": s.name, "person": s.person, "bot": s.bot} for s in summary.seats]
    seated = {seat.person for seat in summary.seats}
    watching = [person for person in summary.guests if person not in seated]
    more = {"round": summary.round, "game": summary.game, "seats": seats, "watching": watching}
    return {**data, "rules": summary.rules, **more, "barred": summary.barred}


def moment(at: int) -> datetime:
    """A time in milliseconds since 1970, to the second."""
    return datetime.fromtimestamp(at // 1000, UTC)


def players_in(game: GameEntry) -> Iterator[list[object]]:
    """The row of each player of a game: the game, the player and their result."""
    import msgspec

    from rage.game.history import side_of
    from rage.house.tables.index import StoredGame
    from rage.score.spreadsheet import safe

    line = msgspec.json.decode(game.line, type=StoredGame)
    ended = moment(game.ended).isoformat()
    for seat, name in enumerate(line.names):
        side = side_of(seat, len(line.scores))
        won = int(side in line.winners)
        of_game = [ended, game.table, game.game, line.rules]
        who = [seat + 1, safe(name), line.bots[seat] or ""]
        yield [*of_game, *who, line.scores[side], won, game.deals_id or ""]


def print_report(number: int, data: bytes, language: str, *, whole: bool) -> None:
    """Print a report; ``whole``: include its sender and the chat."""
    from rage.house.operating.personal import read_report

    report = read_report(data)
    at = moment(report.at).astimezone().strftime("%Y-%m-%d %H:%M")
    told = {"at": at, "table": report.table, "name": report.name, "text": report.text}
    print(text("cli.admin.report", language, n=number, person=report.person, **told))
    if whole:
        print(text("cli.admin.report.by", language, person=report.by))
        for line in report.lines:
            print(f"  > {visible(line)}")
