"""``/api/analysis``: what each decision of a game cost, worked out while somebody waits.

The page sends the game, whether it was played at this server or is one that somebody was given, and
asks how far the work is. Nothing of it is stored or logged.
"""

from __future__ import annotations

import asyncio
from typing import Annotated

from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from msgspec import Meta, Struct

from rage.analysis import AnalysisData
from rage.game import Game
from rage.notation import NotARecord, Record, read_game, replay
from rage.server.analysing import Analysed
from rage.server.api.requester import Requester, refusals
from rage.server.api.shared import MAX_BODY, MAX_GAME
from rage.server.errors import NotFound


class GameToAnalyse(Struct, forbid_unknown_fields=True):
    """A game in any of the three forms of ``docs/forms.md``."""

    game: Annotated[str, Meta(examples=["1.AAAA.AAAA"])]


class AnalysisState(Struct):
    """How far an analysis is: so many pieces are ``done``, and what was found, once all are
    (``docs/analysis.md``). ``failed``: nothing will be."""

    name: str
    done: int
    total: int
    failed: bool
    analysis: AnalysisData | None


@post(
    "/api/analysis",
    status_code=200,
    responses=refusals(409, 413),
    request_max_body_size=MAX_BODY,
)
async def analyse_game(
    requester: NamedDependency[Requester], data: JSONBody[GameToAnalyse]
) -> AnalysisState:
    """Begin to analyse a game, unless that was done not long ago."""
    requester.rate_limit("analysis")
    if len(data.game) > MAX_GAME:
        raise NotARecord("notation.too_large", most=MAX_GAME)
    record, game = await asyncio.to_thread(_read, data.game)
    analyses = requester.site.hub.analyses
    name = analyses.begin(record, game)
    found = analyses.get(name)
    assert found is not None
    return state_of(name, found)


@get("/api/analysis/{name:str}", responses=refusals(404))
async def get_analysis(requester: NamedDependency[Requester], name: FromPath[str]) -> AnalysisState:
    """How far an analysis is."""
    found = requester.site.hub.analyses.get(name)
    if found is None:
        requester.rate_limit("guess")
        raise NotFound("http.no_analysis")
    return state_of(name, found)


def state_of(name: str, found: Analysed) -> AnalysisState:
    """An analysis as it is sent."""
    return AnalysisState(name, found.done, found.total, found.failed, found.found)


def _read(game: str) -> tuple[Record, Game]:
    """A game, replayed. Raises :class:`rage.notation.NotARecord` and
    :class:`rage.notation.BrokenRule`."""
    record = read_game(game.encode())
    if not record.rounds:
        raise NotARecord("notation.no_rounds")
    return record, replay(record)
