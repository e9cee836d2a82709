"""Analyse every decision and every round of a game, in threads on all processors."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Event
from typing import Final

from rage.analysis.decisions import Decision, choices, judge
from rage.analysis.luck import TIMES, RoundLuck, luck_of
from rage.analysis.results import Analysis
from rage.bots.cores import as_they_end
from rage.bots.interface import Budget, check_budget
from rage.engine.kernel import COMPILED
from rage.game.game import Game
from rage.rules.number import whole_number
from rage.say import check_kind

#: The worlds for each decision: a game of four takes about 15 s of processor time.
WORLDS: Final = 1000 if COMPILED else 10
#: How many pieces are queued for each thread.
_AHEAD: Final = 3
Piece = Callable[[], Decision | RoundLuck | None]


class Work:
    """The pieces of an analysis: each decision of a game, to be judged in ``worlds`` worlds, and
    each round, to be replayed ``times`` times by bots. Equal seeds give equal analyses, with any
    number of threads."""

    def __init__(self, game: Game, worlds: int = WORLDS, seed: int = 1, times: int = TIMES) -> None:
        self._game, self._worlds, self._seed, self._times = game, worlds, seed, times
        self._called_off = Event()
        # Created one by one: the views of thousands of decisions take many megabytes.
        self._coming = enumerate(self._pieces())
        total = sum(1 for each in game.rounds for _ in each.moves) + len(game.rounds)
        self._found: list[Decision | RoundLuck | None] = [None] * total
        #: The number of pieces done.
        self.done: int = 0

    def __len__(self) -> int:
        """The number of pieces of the work."""
        return len(self._found)

    def _pieces(self) -> Iterator[Piece]:
        off = self._called_off.is_set
        for choice in choices(self._game):
            yield partial(judge, choice, self._worlds, self._seed, off)
        for each in self._game.rounds:
            yield partial(luck_of, self._game, each, self._times, self._seed, off)

    def do_next(self) -> None:
        """Do the next piece; for callers with their own threads, one at a time."""
        at, piece = next(self._coming)
        self._note(at, piece())

    def run(self, threads: int = 1) -> Generator[int, None, None]:
        """Do the work, yielding the number of pieces done after each."""
        if threads == 1:
            while self.done < len(self):
                self.do_next()
                yield self.done
            return
        with ThreadPoolExecutor(threads, "rage-analyse") as pool:
            try:
                jobs = (partial(_numbered, *each) for each in self._coming)
                for at, found in as_they_end(pool, jobs, threads * _AHEAD):
                    self._note(at, found)
                    yield self.done
            finally:  # also if the caller stops early
                self._called_off.set()
                pool.shutdown(wait=False, cancel_futures=True)

    def _note(self, at: int, found: Decision | RoundLuck | None) -> None:
        self._found[at] = found
        self.done += 1

    def result(self) -> Analysis:
        """The analysis, once all pieces are done."""
        decisions = tuple(each for each in self._found if isinstance(each, Decision))
        rounds = tuple(each for each in self._found if isinstance(each, RoundLuck))
        return Analysis(self._game, self._worlds, self._seed, decisions, rounds)


def _numbered(at: int, piece: Piece) -> tuple[int, Decision | RoundLuck | None]:
    return at, piece()


def analyse(game: Game, worlds: int = WORLDS, seed: int = 1, threads: int = 1) -> Analysis:
    """What each decision of a game cost, judged in ``worlds`` worlds, and how much of the result
    was luck of the deal. Raises :class:`rage.NotReadable` for anything but a game and integers,
    and :class:`rage.NotAllowed` for more than a billion worlds."""
    check_kind(game, Game, "game")
    tried = whole_number(worlds)
    check_budget(Budget(tried))
    work = Work(game, tried, whole_number(seed))
    for _ in work.run(max(1, min(whole_number(threads), len(work)))):
        pass
    return work.result()
