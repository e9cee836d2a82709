"""``/api/games``: finished games, for those who played or watched them."""

from __future__ import annotations

from functools import partial
from typing import Any

from msgspec import Struct

from rage.house.base.codes import NoTable, read_code
from rage.house.base.errors import Forbidden
from rage.house.contests.events import is_hidden
from rage.house.games.replay import Replay, replay_of
from rage.house.limits import MAX_GAMES
from rage.house.requests.requester import Reply, Requester
from rage.house.requests.rows import GameLine, game_line
from rage.house.store import Finished
from rage.notation import parse_record
from rage.notation.writer import record_data


class Games(Struct):
    """Your finished games, latest first."""

    games: list[GameLine]


class FinishedGame(Struct):
    """A finished game to step through, and its record (``docs/record.md``). ``seat``: yours
    (``null``: you watched)."""

    seat: int | None
    replay: Replay
    record: dict[str, Any]


async def list_games(requester: Requester) -> Games:
    """List the finished games of the person who asks."""
    if requester.person is None:
        return Games([])
    lines = await requester.site.store.games_of(requester.person, MAX_GAMES)
    return Games([game_line(line, requester.person, requester.language) for line in lines])


async def get_game(requester: Requester, table: str, game: int) -> FinishedGame:
    """A whole finished game, for those who played or watched it."""
    found = await record_of_game(requester, table, game)
    return await requester.work(
        partial(_whole, found.record, found.seats.get(requester.require_person()))
    )


async def delete_game(requester: Requester, table: str, game: int) -> None:
    """Take a finished game out of your list; it is removed for good if no one else keeps it, or no
    one else has played it."""
    await record_of_game(requester, table, game)
    person = requester.require_person()
    await requester.site.store.drop_game(read_code(table), game, person)


async def get_record(requester: Requester, table: str, game: int) -> Reply[bytes]:
    """The record of a finished game as a file, for those who played or watched it."""
    body = (await record_of_game(requester, table, game)).record
    name = f"{read_code(table)}-{game}.rage.json"
    disposition = f'attachment; filename="{name}"'
    return Reply(body, {"content-disposition": disposition})


async def record_of_game(requester: Requester, table: str, game: int) -> Finished:
    """A finished game of the requester, who may have watched it on a screen of theirs. Raises
    :class:`NoTable` and :class:`Forbidden`."""
    with requester.guessing(table) as guess:
        code = read_code(table)
        found = await requester.site.store.finished_game(code, game) if 0 < game < 2**31 else None
        if found is None:
            raise NoTable("http.no_game", table=code, game=game)
        person, screen = requester.person, requester.site.keys.screen
        guess.own = person is not None and not {person, screen(person)}.isdisjoint(found.seats)
    if not guess.own:
        raise Forbidden("http.game_of_others", link="page.after.copy_link")
    if await is_hidden(requester.site.store, found.deals_id):
        raise Forbidden("evening.hidden")
    return found


def _whole(written: bytes, seat: int | None) -> FinishedGame:
    record = parse_record(written)
    return FinishedGame(seat, replay_of(record), record_data(record))
