"""Runs inside the folder's Python (``alone.py``): how long bots and an analysis take there."""

from __future__ import annotations

import asyncio
from time import perf_counter
from typing import Final

from rage import Game, bot
from rage.house.alone.thinking import InTheLoop
from rage.house.base.thinking import Asker
from rage.house.games.analyses import Analyses

_ME: Final = Asker("me", frozenset())


async def think(name: str) -> list[float]:
    """The milliseconds of each move with a choice that a bot would make in a game of poof of four,
    which others play."""
    game, thinking, taken = Game("poof", 4, seed=b"1"), InTheLoop(), list[float]()
    while game.to_act is not None:
        view = game.view(game.to_act)
        if len(view.legal_moves) > 1:
            started = perf_counter()
            await thinking.choose(name, 1, view, _ME)
            taken.append(1e3 * (perf_counter() - started))
        game.play(bot("medium", 1).choose(view))
    return taken


async def analyse() -> float:
    """The seconds that it takes to analyse that game."""
    game, player = Game("poof", 4, seed=b"1"), bot("medium", 1)
    while game.to_act is not None:
        game.play(player.choose(game.view(game.to_act)))
    started = perf_counter()
    analysed = Analyses(InTheLoop()).begin("", game, None)
    while not analysed.ended:
        await asyncio.sleep(0.05)
    assert analysed.found
    return perf_counter() - started
