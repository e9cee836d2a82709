"""``/api/analysis``: the cost of each decision of a game, worked out while the page waits.

The page sends the game, whether it was played on this server or not, and polls the progress.
Nothing is stored or logged.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from msgspec import Meta, Raw, Struct

from rage.analysis import AnalysisData
from rage.game.game import Game
from rage.house.base.errors import NotFound
from rage.house.games.analyses import Analysed, name_of
from rage.house.requests.requester import Requester
from rage.house.requests.shared import judge_game


class GameToAnalyse(Struct, forbid_unknown_fields=True):
    """A game in any of the three forms of ``docs/forms.md``."""

    game: Annotated[str, Meta(examples=["1.AAAA.AAAA"])]


class AnalysisState(Struct):
    """The progress of an analysis: how many pieces are ``done``, and the result, once all are
    (``docs/analysis.md``). ``failed``: there will be none."""

    name: str
    done: int
    total: int
    failed: bool
    analysis: AnalysisData | None


async def analyse_game(requester: Requester, data: GameToAnalyse) -> AnalysisState:
    """Begin to analyse a game, unless that was done recently."""
    name, game = await requester.work(partial(_named, data.game))
    return state_of(name, requester.site.analyses.begin(name, game, requester.address))


async def get_analysis(requester: Requester, name: str) -> AnalysisState:
    """The progress of an analysis."""
    with requester.guessing(name):
        if (found := requester.site.analyses.get(name)) is None:
            raise NotFound("http.no_analysis")
    return state_of(name, found)


def state_of(name: str, found: Analysed) -> AnalysisState:
    """An analysis as sent; its result is already encoded."""
    raw: Any = None if found.found is None else Raw(found.found)
    return AnalysisState(name, found.done, found.total, found.failed, raw)


def _named(game: str) -> tuple[str, Game]:
    """A game, and the name of its analysis. Raises what :func:`judge_game` raises."""
    record, whole = judge_game(game)
    return name_of(record), whole
