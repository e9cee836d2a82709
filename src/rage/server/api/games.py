"""``/api/games``: games that are over, whole, for who was there."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath
from msgspec import Struct

from rage.notation import Record, write_record
from rage.notation.writing import record_data
from rage.server.api.asking import Asker, refusals
from rage.server.api.lines import GameLine, game_line
from rage.server.codes import NoTable, read_code
from rage.server.errors import NotYours
from rage.server.replay import Replay, replay_of
from rage.server.store import event_of
from rage.table import Table

#: How many games a list names.
MOST: Final = 200


class Games(Struct):
    """One's finished games, the last one first."""

    games: list[GameLine]


class FinishedGame(Struct):
    """A finished game to step through, and its record (``docs/record.md``)."""

    replay: Replay
    record: dict[str, Any]


@get("/api/games", responses=refusals())
async def list_games(asker: NamedDependency[Asker]) -> Games:
    """One's finished games."""
    if asker.person is None:
        return Games([])
    lines = await asker.site.store.games_of(asker.person, MOST)
    return Games([game_line(line, asker.language) for line in lines])


@get("/api/tables/{table:str}/games/{game:int}", responses=refusals(404))
async def get_game(
    asker: NamedDependency[Asker], table: FromPath[str], game: FromPath[int]
) -> FinishedGame:
    """A finished game whole, for who played or watched it."""
    events = await _events(asker, table, game)
    return await asyncio.to_thread(_whole, events)


@get("/api/tables/{table:str}/games/{game:int}/record", responses=refusals(404))
async def get_record(
    asker: NamedDependency[Asker], table: FromPath[str], game: FromPath[int]
) -> Response[bytes]:
    """The record of a finished game as a file, for who played or watched it."""
    events = await _events(asker, table, game)
    body = await asyncio.to_thread(lambda: write_record(_record(events)))
    name = f"{read_code(table)}-{game}.rage.json"
    disposition = f'attachment; filename="{name}"'
    return Response(
        body, media_type="application/json", headers={"content-disposition": disposition}
    )


async def _events(asker: Asker, table: str, game: int) -> list[bytes]:
    """The events of a table up to the end of a game. Raises :class:`NoTable` and
    :class:`NotYours`."""
    person = asker.known()
    asker.take("game")
    code = read_code(table)
    found = await asker.site.store.finished(code, game) if 0 < game < 2**31 else None
    if found is None:
        asker.take("guess")
        raise NoTable("http.no_game", table=code, game=game)
    if person not in found.seats:
        raise NotYours("http.game_of_others")
    events = await asker.site.store.events(code)
    return events[: found.seq]


def _record(events: list[bytes]) -> Record:
    table = Table.from_events(event_of(data) for data in events)
    return table.record()


def _whole(events: list[bytes]) -> FinishedGame:
    record = _record(events)
    return FinishedGame(replay_of(record), record_data(record))
