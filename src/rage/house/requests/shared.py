"""``/api/open``: any submitted game, judged and told moment by moment.

A shared game is in its link, and a link's fragment never reaches a server by itself: the page sends
it here. Nothing is stored or logged, and no cookie is needed.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from msgspec import Meta, Struct

from rage.game.game import Game
from rage.house.games.replay import Replay, replay_of
from rage.house.limits import GIVEN_UNIT, MAX_GAME
from rage.house.requests.requester import Requester
from rage.notation import NotARecord, Record, complete, read_record, replay, write_record
from rage.notation.writer import record_data
from rage.score.link import is_sheet


class GivenGame(Struct, forbid_unknown_fields=True):
    """A game in any of the three forms of ``docs/forms.md``: a record, readable text, or a
    link."""

    game: Annotated[str, Meta(examples=["1.AAAA.AAAA"])]


class OpenedGame(Struct):
    """A game to step through, and its record (``docs/record.md``)."""

    replay: Replay
    record: dict[str, Any]


async def open_game(requester: Requester, data: GivenGame) -> OpenedGame:
    """A game to step through, which is neither stored nor logged."""
    requester.site.limits.charge("given", requester.address, len(data.game) // GIVEN_UNIT)
    return await requester.work(partial(read_opened, data.game))


def judge_game(game: str) -> tuple[Record, Game]:
    """Read and judge a game. This may take a while, and belongs in a thread. Raises
    :class:`rage.notation.NotARecord` and :class:`rage.notation.BrokenRule`."""
    if len(game) > MAX_GAME:
        raise NotARecord("notation.too_large", most=MAX_GAME)
    data = game.encode()
    try:
        record = read_record(data)
    except NotARecord:
        if is_sheet(data):
            raise NotARecord("notation.is_sheet") from None
        raise
    if not record.rounds:
        raise NotARecord("notation.no_rounds")
    return record, replay(record)


def read_opened(game: str) -> OpenedGame:
    """A game to step through. Raises what :func:`judge_game` raises."""
    record, whole = judge_game(game)
    complete(record, whole)
    if len(write_record(record)) > MAX_GAME:
        raise NotARecord("notation.too_large", most=MAX_GAME)
    return OpenedGame(replay_of(record, whole), record_data(record))
