"""Where bots think: quick ones here, in the event loop; slow ones in another worker, unless it is
busy, so that the tables keep running."""

from __future__ import annotations

import pickle
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, TypeVar

from rage.bots import Budget, bot
from rage.bots.advice import Advice, advise
from rage.bots.learned import within
from rage.bots.stand_in import SLOW
from rage.game.view import View
from rage.house.base.thinking import Asker
from rage.rules.values import Move

T = TypeVar("T")
#: Has pickled work done elsewhere by :func:`do`, and returns its result; raises if it cannot.
Ask = Callable[[bytes], Awaitable[bytes]]
#: How far bots look ahead here, where Python is not compiled.
WORLDS: Final = 16
SECONDS: Final = 2.0


class SecondWorker:
    """See :class:`rage.house.base.thinking.Thinking`. ``ask`` reaches the second worker; without
    one, or if it fails, the work is done here, and everything else waits."""

    waiting = 0

    def __init__(self, ask: Ask | None = None) -> None:
        self._ask: Final = ask
        self._asked = 0

    async def choose(self, name: str, seed: int, view: View, asker: Asker) -> Move:
        """The move that the bot called ``name`` chooses for a view. Raises whatever it raises."""
        work = partial(_choose, name, seed, view)
        return await self._soon(work) if name in SLOW else work()

    async def advise(self, view: View, asker: Asker) -> Advice:
        """Advise the seat of a view."""
        return await self._soon(partial(advise, view))

    async def run(self, piece: Callable[[], T], asker: Asker) -> T:
        """Do a short piece of other work."""
        return piece()

    async def _soon(self, work: Callable[[], T]) -> T:
        """Do work of a second or two: here if the second worker is busy, because a piece of an
        analysis may take longer."""
        return work() if self._asked else await self.in_second_worker(work)

    async def in_second_worker(self, work: Callable[[], T]) -> T:
        """Do work in the second worker; it and its result must be picklable."""
        if self._ask is None:
            return work()
        self._asked += 1
        try:
            said = await self._ask(pickle.dumps(work))
        except Exception:
            return work()
        finally:
            self._asked -= 1
        found = pickle.loads(said)
        if isinstance(found, Exception):
            raise found
        answer: T = found
        return answer

    def close(self) -> None:
        """Do nothing: the second worker ends with the first one."""


def do(work: bytes) -> bytes:
    """The pickled result of pickled work, or a pickled error if it raised one."""
    found: object
    try:
        found = pickle.loads(work)()
    except Exception as error:
        found = RuntimeError(str(error))
    return pickle.dumps(found)


def _choose(name: str, seed: int, view: View) -> Move:
    usual = within(name, SECONDS)
    return bot(name, seed).choose(view, usual and Budget(WORLDS, usual.seconds))
