"""Analyses games for people, piece by piece, where the bots think.

Each address has one piece done at a time, and addresses take turns
(:mod:`rage.server.work.fair_queue`). Results are cached in memory under a name derived from the
game, so that asking again costs nothing; submitted games are never stored.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from functools import partial
from hashlib import sha256
from math import inf
from time import monotonic
from typing import Final

import msgspec

from rage.analysis import Work
from rage.engine.kernel import COMPILED
from rage.game.game import Game
from rage.house.base.thinking import Asker, Thinking
from rage.house.limits import (
    MAX_ANALYSES_BYTES,
    MAX_ANALYSING,
    MAX_ANALYSING_FROM,
    MOVES_AGAIN,
    MOVES_BESIDES,
    MOVES_IN_WORLDS,
    TIMES,
    WORLDS,
)
from rage.house.limits.networks import Crowd
from rage.notation import Record, write_link
from rage.say import NotAllowed

log: Final = logging.getLogger(__name__)
#: The bytes of an analysis in addition to its result.
ENTRY: Final = 1000


def worlds_for(game: Game) -> int:
    """The number of worlds per decision of a game: fewer in a long game, so it takes no longer."""
    a_world = sum(_moves_in_a_world(game.players, each.hand_size) for each in game.rounds)
    left = MOVES_IN_WORLDS - MOVES_BESIDES * game.ply
    return min(max(left // max(1, a_world), WORLDS[0]), WORLDS[-1])


def _moves_in_a_world(players: int, cards: int) -> int:
    """About how many moves it takes to try each choice of a round in one world, to the end of the
    round: there is one more bid than cards, and about half of a hand can be played."""
    bids = players * (cards + 1) * players * (cards + 1)
    return bids + sum(players * (left + 1) * players * left // 2 for left in range(1, cards + 1))


class Analysed:
    """An analysis, under way or over: how many of its pieces are ``done``, and its result, as JSON.
    ``failed``: it has ended without one."""

    def __init__(self, game: Game) -> None:
        self.total = game.ply + len(game.rounds)
        self.done = 0
        self.found: bytes | None = None
        self.failed = False
        self.polled = monotonic()

    @property
    def ended(self) -> bool:
        """Whether it is over, with or without a result."""
        return self.failed or self.found is not None


class Analyses:
    """All analyses under way, and recent results. ``patience``: the seconds after which one fails
    that is no longer polled."""

    def __init__(self, thinking: Thinking, patience: float = inf) -> None:
        self._thinking = thinking
        self._patience = patience
        self._known: OrderedDict[str, Analysed] = OrderedDict()
        self._from = Crowd()
        self._tasks = set[asyncio.Task[None]]()

    def get(self, name: str) -> Analysed | None:
        """The analysis with a name."""
        if name in self._known:
            self._known.move_to_end(name)
            self._known[name].polled = monotonic()
        return self._known.get(name)

    def begin(self, name: str, game: Game, address: str | None) -> Analysed:
        """The analysis of a game, by its name, begun if necessary. ``address``: the client's, as
        rate limits count it. Raises :class:`rage.NotAllowed` if too many games wait."""
        known = self.get(name)
        if known is not None and not known.failed:
            return known
        if not COMPILED:
            raise NotAllowed("analysis.slow")
        asker = Asker(f"analyses for {address}" if address else name, frozenset((address,)))
        too_many_from = self._from.full(address, MAX_ANALYSING_FROM, MAX_ANALYSING)
        if too_many_from or len(self._tasks) >= MAX_ANALYSING:
            raise NotAllowed("analysis.busy")
        self._known[name] = analysed = Analysed(game)
        self._from.add(address)
        task = asyncio.get_running_loop().create_task(self._analyse(game, analysed, asker))
        self._tasks.add(task)
        task.add_done_callback(partial(self._ended, address))
        return analysed

    def _ended(self, address: str | None, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._from.remove(address)

    async def _analyse(self, game: Game, analysed: Analysed, asker: Asker) -> None:
        try:
            work = await self._thinking.run(partial(_work, game), asker)
            while work.done < len(work):
                if monotonic() - analysed.polled > self._patience:
                    analysed.failed = True
                    return
                await self._thinking.run(work.do_next, asker)
                analysed.done = work.done
            analysed.found = await self._thinking.run(partial(_result, work), asker)
        except Exception:
            log.exception("an analysis has failed")
            analysed.failed = True
        finally:
            self._forget()

    def _forget(self) -> None:
        """Forget the least recently used analyses beyond a number of bytes."""
        kept = 0
        for name, each in reversed([*self._known.items()]):
            kept += len(each.found or b"") + ENTRY
            if kept > MAX_ANALYSES_BYTES and each.ended:
                del self._known[name]

    def close(self) -> None:
        """Stop all analyses that are under way."""
        for task in self._tasks:
            task.cancel()


def _work(game: Game) -> Work:
    """The pieces of an analysis. This replays the game, and belongs in a thread."""
    times = min(max(MOVES_AGAIN // max(1, game.ply), TIMES[0]), TIMES[-1])
    return Work(game, worlds_for(game), times=times)


def _result(work: Work) -> bytes:
    return msgspec.json.encode(work.result().as_data())


def name_of(record: Record) -> str:
    """The name of a game's analysis, derived from the whole game, so that only people who have the
    game can find it."""
    return sha256(b"rage-analysis-1\n" + write_link(record).encode()).hexdigest()[:32]
