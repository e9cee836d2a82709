"""Games that are analysed for people: one at a time, piece by piece, in the threads of the bots.

A bot that is to move waits for one piece at the most. What was found is kept in memory for a while,
under a name that follows from the game, so that asking again costs nothing; nothing of a game that
somebody was given is stored.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from hashlib import sha256
from typing import Final

from rage.analysis import AnalysisData, Work
from rage.game import Game
from rage.kernel import COMPILED
from rage.notation import Record, write_link
from rage.say import NotAllowed
from rage.server.bot_pool import BotPool
from rage.server.fair_queue import Asker

log: Final = logging.getLogger(__name__)
#: In how many worlds a decision is tried, at most and at least; and how many for a whole game.
WORLDS: Final = range(20, 301)
WORLDS_A_GAME: Final = 80_000
#: How often bots play each round.
TIMES: Final = 60
#: How many games may wait, and how many analyses are kept.
MAX_WAITING: Final = 8
MAX_KEPT: Final = 32


class Analysed:
    """An analysis, under way or done: how many of all pieces are ``done``, and what was found.
    ``failed``: it has ended without."""

    def __init__(self, game: Game) -> None:
        worlds = min(max(WORLDS_A_GAME // max(1, game.ply), WORLDS[0]), WORLDS[-1])
        self.work: Work | None = Work(game, worlds, times=TIMES)
        self.total = len(self.work)
        self.found: AnalysisData | None = None
        self.failed = False

    @property
    def done(self) -> int:
        """How many of the ``total`` pieces are done; all, once the work itself is gone."""
        return self.total if self.work is None else self.work.done


class Analyses:
    """All games that are being analysed, and those that were not long ago."""

    def __init__(self, pool: BotPool) -> None:
        self._pool = pool
        self._known: OrderedDict[str, Analysed] = OrderedDict()
        self._preparing = asyncio.Lock()
        self._turn = asyncio.Lock()
        self._tasks = set[asyncio.Task[None]]()

    def get(self, name: str) -> Analysed | None:
        """The analysis of a name."""
        if name in self._known:
            self._known.move_to_end(name)
        return self._known.get(name)

    async def begin(self, name: str, game: Game, address: str | None) -> Analysed:
        """The analysis of a game, by its name; it begins now unless it has before. ``address``: of
        whoever asks, as rate limits count it. Raises :class:`rage.NotAllowed` where too many games
        wait."""
        async with self._preparing:
            known = self.get(name)
            if known is not None and not known.failed:
                return known
            if not COMPILED:
                raise NotAllowed("analysis.slow")
            if len(self._tasks) > MAX_WAITING:
                raise NotAllowed("analysis.busy")
            # In a thread, for it replays the game, and everybody's moves would wait.
            self._known[name] = analysed = await asyncio.to_thread(Analysed, game)
        while len(self._known) > MAX_KEPT + MAX_WAITING:
            self._known.popitem(last=False)
        task = asyncio.get_running_loop().create_task(
            self._analyse(analysed, Asker(name, frozenset((address,))))
        )
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return analysed

    async def _analyse(self, analysed: Analysed, asker: Asker) -> None:
        work = analysed.work
        assert work is not None
        try:
            async with self._turn:
                for piece in work.pieces():
                    await self._pool.run(piece, asker)
                analysed.found = await self._pool.run(lambda: work.result().as_data(), asker)
        except Exception:
            log.exception("an analysis has failed")
            analysed.failed = True
        finally:
            analysed.work = None

    def close(self) -> None:
        """Stop all that is under way."""
        for task in self._tasks:
            task.cancel()


def name_of(record: Record) -> str:
    """What the analysis of a game is called: it follows from all of the game, so that nobody finds
    it who has not got the game."""
    return sha256(b"rage-analysis-1\n" + write_link(record).encode()).hexdigest()[:32]
