"""Runs inside the folder's Python (``alone.py``): how long a bot thinks there."""

from __future__ import annotations

from time import perf_counter
from typing import Final

from rage import Game, bot
from rage.house.alone.thinking import SecondWorker
from rage.house.base.thinking import Asker

ME: Final = Asker("me", frozenset())


def think(name: str, every: int) -> list[float]:
    """The milliseconds of each of ``every`` moves with a choice that a bot would make in a game of
    poof of four, which others play."""
    game, second_worker, taken = Game("poof", 4, seed=b"1"), SecondWorker(), list[float]()
    while game.to_act is not None:
        view = game.view(game.to_act)
        if len(view.legal_moves) > 1 and game.ply % every == 0:
            started = perf_counter()
            try:
                second_worker.choose(name, 1, view, ME).send(None)
            except StopIteration:
                taken.append(1e3 * (perf_counter() - started))
        game.play(bot("medium", 1).choose(view))
    return taken
