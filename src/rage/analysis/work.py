"""The work: every decision of a game, and every round, in threads on all processors."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Event
from typing import Final

from rage.analysis.decisions import Decision, choices, judged
from rage.analysis.luck import TIMES, RoundLuck, luck_of
from rage.analysis.results import Analysis
from rage.cores import as_they_end
from rage.game import Game
from rage.kernel import COMPILED

#: In how many worlds each decision is tried: a game of four takes some 15 s of a processor.
WORLDS: Final = 1000 if COMPILED else 10
#: How many pieces each thread is given ahead.
_AHEAD: Final = 3


class Work:
    """The pieces of an analysis: each decision of a game, to be judged in so many worlds, and each
    round, to be played again by bots so many ``times``. Equal seeds give equal analyses, with any
    number of threads."""

    def __init__(self, game: Game, worlds: int = WORLDS, seed: int = 1, times: int = TIMES) -> None:
        self._game, self._worlds, self._seed = game, worlds, seed
        self._called_off = Event()
        off = self._called_off.is_set
        self._pieces: list[Callable[[], Decision | RoundLuck | None]] = [
            *(partial(judged, each, worlds, seed, off) for each in choices(game)),
            *(partial(luck_of, game, each, times, seed, off) for each in game.rounds),
        ]
        self._found: list[Decision | RoundLuck | None] = [None] * len(self._pieces)
        #: How many pieces are done.
        self.done = 0

    def __len__(self) -> int:
        """How many pieces there are."""
        return len(self._pieces)

    def pieces(self) -> Iterator[Callable[[], None]]:
        """What is to be done, piece by piece: for callers with threads of their own."""
        for at in range(len(self)):
            yield partial(self._do, at)

    def _do(self, at: int) -> None:
        self._note(*self._judged(at))

    def _judged(self, at: int) -> tuple[int, Decision | RoundLuck | None]:
        return at, self._pieces[at]()

    def run(self, threads: int = 1) -> Generator[int, None, None]:
        """Do the work; how many pieces are done, after each."""
        if threads == 1:
            for do in self.pieces():
                do()
                yield self.done
            return
        with ThreadPoolExecutor(threads, "rage-analyse") as pool:
            try:
                jobs = (partial(self._judged, at) for at in range(len(self)))
                for at, found in as_they_end(pool, jobs, threads * _AHEAD):
                    self._note(at, found)
                    yield self.done
            finally:  # also where whoever asked wants no more
                self._called_off.set()
                pool.shutdown(wait=False, cancel_futures=True)

    def _note(self, at: int, found: Decision | RoundLuck | None) -> None:
        self._found[at] = found
        self.done += 1

    def result(self) -> Analysis:
        """The analysis, once all is done."""
        decisions = tuple(each for each in self._found if isinstance(each, Decision))
        rounds = tuple(each for each in self._found if isinstance(each, RoundLuck))
        return Analysis(self._game, self._worlds, self._seed, decisions, rounds)


def analyse(game: Game, worlds: int = WORLDS, seed: int = 1, threads: int = 1) -> Analysis:
    """What each decision of a game cost, judged in so many worlds, and what of its result was luck
    of the deal."""
    work = Work(game, worlds, seed)
    for _ in work.run(threads):
        pass
    return work.result()
