"""Coarse analyses in the second worker, piece by piece, and only while someone waits for them."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from time import monotonic
from typing import Final

import msgspec

from rage.analysis import Work
from rage.game.game import Game
from rage.house.alone.thinking import SecondWorker
from rage.house.games.analyses import Analysed, Analyses, worlds_for
from rage.house.limits import WORLDS

_log: Final = logging.getLogger(__name__)
#: What a server's worlds are divided by, because each takes longer here, and how often rounds are
#: played again.
PART: Final = 25
TIMES: Final = 3
#: The seconds after which an analysis is given up if it is no longer polled.
PATIENCE: Final = 10.0
#: The analysis under way in the second worker, by name.
_works: Final = dict[str, Work]()


class CoarseAnalyses(Analyses):
    """Analyses made in the second worker, and given up when they are no longer polled."""

    def __init__(self, second_worker: SecondWorker) -> None:
        super().__init__(second_worker)
        self._worker = second_worker
        self._asked: dict[str, float] = {}

    def get(self, name: str) -> Analysed | None:
        """The analysis with a name; asking for it keeps it going."""
        self._asked[name] = monotonic()
        return super().get(name)

    def begin(self, name: str, game: Game, address: str | None) -> Analysed:
        """The analysis of a game, by its name, begun if necessary."""
        known = self.get(name)
        if known is not None and not known.failed:
            return known
        self._known[name] = analysed = Analysed(game)
        task = asyncio.get_running_loop().create_task(self._work(name, game, analysed))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return analysed

    async def _work(self, name: str, game: Game, analysed: Analysed) -> None:
        in_second_worker = self._worker.in_second_worker
        try:
            await in_second_worker(partial(_begin, name, game))
            while analysed.done < analysed.total:
                if monotonic() - self._asked[name] > PATIENCE:
                    analysed.failed = True
                    return
                analysed.done = await in_second_worker(partial(_go_on, name))
                await asyncio.sleep(0)  # without a second worker, let the tables run, too
            analysed.found = await in_second_worker(partial(_end, name))
        except Exception:
            _log.exception("an analysis has failed")
            analysed.failed = True
        finally:
            self._forget()


def _begin(name: str, game: Game) -> None:
    _works.clear()
    _works[name] = Work(game, max(worlds_for(game) // PART, WORLDS[0]), times=TIMES)


def _go_on(name: str) -> int:
    _works[name].do_next()
    return _works[name].done


def _end(name: str) -> bytes:
    return msgspec.json.encode(_works.pop(name).result().as_data())
