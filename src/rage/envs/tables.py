"""Thousands of tables that advance in one call, for learners that make many moves at once."""

from __future__ import annotations

import itertools
import os
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from typing import Any, Final, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from rage.engine.deal import Deal
from rage.engine.kernel import Rules
from rage.engine.position import Position
from rage.envs.arrays import Results, Step, described
from rage.envs.batch import AUTORESETS, ILLEGAL, OBSERVATIONS, OPPONENTS, Batch
from rage.envs.units import Unit, check_choice, to_list, unit_rules
from rage.features.encode import SIZE
from rage.rules.number import as_int
from rage.rules.ruleset import RuleSet

#: The length of a compact observation, in bytes.
COMPACT_SIZE: Final = 256
#: The most tables, and the most rule sets.
MAX_TABLES: Final = 2**24

Observe = Literal["full", "compact"]
T = TypeVar("T")


class Tables:
    """``count`` tables, each with one episode after another; a call makes a move at all of them.

    ``rules`` is a rule set or its name, for a number of ``players``; with ``unit="round"`` an
    episode is one round, with ``hand`` cards each (by default as many as in the first round of a
    game), with ``"game"`` a whole game. Instead of a rule set, ``rules`` may be
    :class:`~rage.engine.kernel.Rules`, or a sequence of them from which each episode draws: their
    players and schedules count then, and ``players``, ``unit`` and ``hand`` must be left out.

    All chance in episode *e* of table *i* follows from (``seed``, *i*, *e*) alone, whatever the
    number of tables and threads. Without a ``seed``, one is drawn.

    - ``observe``: ``"full"`` is a row of :mod:`rage.features.encode`, ``"compact"`` the state in
      256 bytes, ``None`` only the legal moves. Observations name colours by their place in the
      canonical order, and so do legal moves and actions. With ``None``, both are plain moves of the
      kernel.
    - ``opponents``: the bot that plays the seats not among ``seats``: ``"random"`` or ``"steady"``;
      ``seats`` is seat 0 by default. Without opponents the caller plays all seats.
    - ``autoreset``: when the next episode begins: with the ``"next_step"`` after ``terminated``
      (its action is ignored), in the ``"same_step"``, or (``"disabled"``) with a :meth:`reset`;
      until then the table waits, and actions are ignored.
    - ``illegal``: what an illegal action does: ``"raise"``: raise ``ValueError``, before anything
      changes at any table; ``"lose"``: the episode ends, and the side gets the worst reward that
      any play could get; ``"random"``: a random legal move is made instead.
    - ``rewards``: ``"leads"``: a side's points less the mean of the other sides' points;
      ``"points"``: its points.
    - ``deals``: a function from the numbers of a table and an episode to the deals of that episode,
      one for each round, in place of deals from the seed.
    - ``threads``: how many threads share the work; worthwhile from about a thousand tables on."""

    def __init__(
        self,
        rules: str | RuleSet | Rules | Sequence[Rules],
        count: int,
        seed: int | None = None,
        *,
        players: int | None = None,
        unit: Unit | None = None,
        hand: int | None = None,
        observe: Observe | None = "full",
        opponents: Literal["random", "steady"] | None = None,
        seats: Iterable[int] | None = None,
        autoreset: Literal["next_step", "same_step", "disabled"] = "next_step",
        illegal: Literal["raise", "lose", "random"] = "raise",
        rewards: Literal["leads", "points"] = "leads",
        deals: Callable[[int, int], Iterable[Deal]] | None = None,
        threads: int = 1,
    ) -> None:
        self.rules: list[Rules] = _all_rules(rules, players, unit, hand)
        self.count: int = _number("count", count, 1, MAX_TABLES)
        if deals is not None and not callable(deals):
            raise ValueError(f"deals is a function of a table and an episode, not {deals!r}")
        self.sides: int = max(each.ruleset.teams or each.players for each in self.rules)
        seats = None if seats is None else to_list("seats", seats)
        self.observe: Observe | None = observe
        self.autoreset = autoreset
        self.illegal = illegal
        self._threads = _number("threads", threads, 1, 1024)
        self._ranges = _ranges(self.count, self._threads)
        #: The other threads, and the process in which they run: a fork has none of them.
        self._pool: tuple[int, ThreadPoolExecutor] | None = None
        self._batch = Batch(
            self.rules,
            self.count,
            self.sides,
            seed=self._seeded(seed),
            seats=_seats(seats, opponents, min(each.players for each in self.rules)),
            opponents=_choose("opponents", opponents, OPPONENTS),
            autoreset=_choose("autoreset", autoreset, AUTORESETS),
            illegal=_choose("illegal", illegal, ILLEGAL),
            points=_choose("rewards", rewards, {"leads": 0, "points": 1}),
            observe=_choose("observe", observe, OBSERVATIONS),
            given=deals is not None,
        )
        self._settings = {
            "observe": observe, "opponents": opponents, "seats": seats, "autoreset": autoreset,
            "illegal": illegal, "rewards": rewards, "threads": threads,
        }  # fmt: skip
        self._legal: NDArray[np.uint64] = np.zeros((self.count, 2), np.uint64)
        self._begun = False
        self._deals = deals
        #: By table, the number of an episode, and its deals to come.
        self._dealt: dict[int, tuple[int, Iterator[Deal]]] = {}
        keeps = autoreset == "same_step" and observe is not None
        self._last = np.zeros(*self._kinds()[0]) if keeps else None

    def __repr__(self) -> str:
        return f"<Tables, {self.count} tables, seed {self.seed}>"

    def _seeded(self, seed: int | None) -> int:
        number = secrets.randbits(64) if seed is None else as_int(seed)
        if number is None or not 0 <= number < 2**64:
            raise ValueError(f"a seed is an integer from 0 to 2**64 - 1, not {seed!r}")
        self.seed: int = number
        return number

    def __reduce__(self) -> tuple[Any, ...]:
        if self._deals is not None:
            raise TypeError("Tables with deals of their own cannot be copied or pickled")
        state = (self._batch.memory, self._legal, self._last, self._begun)
        made = (self.rules, self.count, self.seed)
        return (_restored, (made, self._settings, deepcopy(state)))

    # --- play ------------------------------------------------------------------------------

    def empty(self) -> Step:
        """Uninitialized arrays for ``out``, of the right shapes and types."""
        made = [None if kind is None else np.empty(shape, kind) for shape, kind in self._kinds()]
        return Step(*made)  # type: ignore[arg-type]  # each as _kinds has it

    def _kinds(self) -> list[tuple[tuple[int, ...], Any]]:
        """The shape and the type of each array of a step; ``None`` for no array."""
        n, size = self.count, SIZE if self.observe == "full" else COMPACT_SIZE
        kinds = {"full": np.int16, "compact": np.uint8, None: None}
        return [
            ((n, size), kinds[self.observe]),
            ((n, 2), np.uint64),
            ((n,), np.int8),
            ((n, self.sides), np.float32),
            ((n,), np.bool_),
        ]

    def reset(self, mask: Any = None, *, seed: int | None = None, out: Step | None = None) -> Step:
        """Begin the next episode at all tables, or where ``mask`` ((N,) bool) is true; the first
        one, if there has been none or a ``seed`` is given."""
        chosen = self._mask(mask)
        if chosen is not None and not self._begun:
            raise ValueError("the first reset, also after failed deals, is of all tables")
        if seed is not None:
            if chosen is not None:
                raise ValueError("a seed is for all tables, without a mask")
            self._batch.start(self._seeded(seed))
            self._dealt.clear()
        self._begun = True
        return self._run(self._batch.begin_range, None, chosen, out, reset=True)

    def step(self, actions: Any, mask: Any = None, *, out: Step | None = None) -> Step:
        """Take an action, the number of a move, at all tables ((N,) integers), or where ``mask``
        ((N,) bool) is true; nothing happens at the others. Where an episode was over, the next
        begins (``"next_step"``), or nothing happens (``"disabled"``), whatever the action.

        Returns new arrays, or writes into those of ``out`` and returns it: into NumPy arrays, or
        objects that share memory with them, such as PyTorch tensors. For tables where ``mask`` is
        false, observation and seat are unchanged and not written into ``out``. Raises
        ``ValueError`` for illegal actions if ``illegal`` is ``"raise"``, and before the first
        reset."""
        if not self._begun:
            raise ValueError("reset() comes before the first step()")
        given = np.asarray(actions)
        if given.shape != (self.count,) or given.dtype.kind not in "iu":
            raise ValueError(
                f"actions are integers of shape ({self.count},), not {described(given)}"
            )
        # Unsigned numbers that are too large become negative, which is not legal either.
        taken = np.ascontiguousarray(given.astype(np.int64, copy=False))
        return self._run(self._batch.step_range, taken, self._mask(mask), out)

    def _run(
        self,
        part: Callable[[int, int], None],
        actions: NDArray[np.int64] | None,
        chosen: NDArray[np.bool_] | None,
        out: Step | None,
        reset: bool = False,
    ) -> Step:
        step = self.empty() if out is None else out
        arrays = step if out is None else Step(*self._checked(out))
        self._batch.bind(
            actions,
            None if chosen is None else chosen.view(np.uint8),
            arrays.observation,
            self._last,
            self._legal,
            arrays.to_act,
            arrays.rewards,
            arrays.terminated.view(np.uint8),
            kept=out is not None and not reset,
        )
        if actions is not None and self.illegal == "raise":
            wrong = self._batch.illegal_at()
            if wrong >= 0:
                raise ValueError(f"action {actions[wrong]} is not legal at table {wrong}")
        if len(self._ranges) == 1:
            part(0, self.count)
        else:
            self._share(part)
        if self._deals is not None:
            self._deal(self._deals)
        arrays.legal[...] = self._legal
        if self._last is None:
            return step
        final = self._last[:0] if reset else self._last[arrays.terminated]
        return step._replace(final_observation=final)

    def _deal(self, deals: Callable[[int, int], Iterable[Deal]]) -> None:
        """Deal where a table waits for it. After an error, only a reset is possible."""
        self._begun = False
        for table in self._batch.waiting():
            episode = self._batch.episode(table)
            if self._dealt.get(table, (-1, None))[0] != episode:
                self._dealt[table] = episode, iter(deals(table, episode))
            deal = next(self._dealt[table][1], None)
            if deal is None:
                raise ValueError(f"no deal is left for episode {episode} of table {table}")
            if not isinstance(deal, Deal):
                raise ValueError(f"deals gives each Deal of rage.engine.deal, not {deal!r}")
            self._batch.deal(table, deal)
        cut = self._batch.cut_at()
        if cut >= 0:
            raise ValueError(f"the stock at table {cut} ended before a card to be turned over")
        self._begun = True

    def _share(self, part: Callable[[int, int], None]) -> None:
        """Share the work among threads, including this one: each takes the next part left."""
        left = iter(self._ranges)

        def work() -> None:
            for first, last in left:
                part(first, last)

        if self._pool is None or self._pool[0] != os.getpid():
            self._pool = os.getpid(), ThreadPoolExecutor(self._threads - 1, "tables")
        others = [self._pool[1].submit(work) for _ in range(self._threads - 1)]
        work()
        for other in others:
            other.result()

    def _checked(self, out: Step) -> list[Any]:
        """The arrays of ``out``, checked; they can share their memory with other objects."""
        if not isinstance(out, Step):
            raise ValueError("out is a Step, such as empty() makes")
        arrays: list[Any] = []
        for name, given, (shape, kind) in zip(Step._fields, out[:5], self._kinds(), strict=False):
            if kind is None:
                arrays.append(None)
                continue
            shares = isinstance(given, np.ndarray) or hasattr(given, "__array__")
            array = np.asarray(given) if shares else None
            if (
                array is None
                or array.shape != shape
                or array.dtype != kind
                or not (array.flags.c_contiguous and array.flags.writeable)
            ):
                wanted = f"{np.dtype(kind)} of shape {shape}"
                raise ValueError(f"out.{name} is a writable, contiguous array of {wanted}")
            arrays.append(array)
        return arrays

    def _mask(self, mask: Any) -> NDArray[np.bool_] | None:
        if mask is None:
            return None
        chosen = np.ascontiguousarray(mask)
        if chosen.shape != (self.count,) or chosen.dtype != np.bool_:
            raise ValueError(f"a mask is bool of shape ({self.count},), not {described(chosen)}")
        return chosen

    # --- choices and results ---------------------------------------------------------------

    def choices(
        self, bot: Literal["random", "steady"] = "steady", mask: Any = None
    ) -> NDArray[np.int64]:
        """The actions that a bot would choose for the seats to act, ``(N,)``: at all tables, or
        where ``mask`` ((N,) bool) is true; 0 elsewhere, and where an episode is over."""
        if not self._begun:
            raise ValueError("reset() comes before the first choices()")
        number = _choose("bot", bot, {name: each for name, each in OPPONENTS.items() if name})
        chosen = self._mask(mask)
        actions = np.empty(self.count, np.int64)
        self._batch.choose(number, None if chosen is None else chosen.view(np.uint8), actions)
        return actions

    def results(self) -> Results:
        """The last round that ended at each table."""
        numbers = np.empty((self.count, 2), np.int64)
        seats = np.empty((self.count, 2, 8), np.uint8)
        points = np.empty((self.count, self.sides), np.int16)
        self._batch.results(numbers, seats, points)
        return Results(numbers[:, 0], numbers[:, 1], points, seats[:, 0], seats[:, 1])

    # --- single tables ---------------------------------------------------------------------

    def position(self, table: int) -> Position:
        """A copy of the position of a table, with everything that is hidden."""
        return self._batch.position(_number("table", table, 0, self.count - 1))

    def rule_number(self, table: int) -> int:
        """The index of the rules of a table in ``rules``."""
        return self._batch.rule_number(_number("table", table, 0, self.count - 1))

    def episode(self, table: int) -> int:
        """The number of the episode of a table, from 0; -1 before the first reset."""
        return self._batch.episode(_number("table", table, 0, self.count - 1))


def _restored(made: tuple[Any, ...], settings: dict[str, Any], state: tuple[Any, ...]) -> Tables:
    """Unpickle tables. Raises ``ValueError`` if another version made them."""
    tables = Tables(*made, **settings)
    memory, tables._legal, tables._last, tables._begun = state
    if len(tables._batch.memory) != len(memory):
        raise ValueError("these tables were pickled by another version")
    tables._batch.memory[:] = memory
    return tables


# --- arguments -----------------------------------------------------------------------------


def _choose(name: str, given: Any, allowed: dict[Any, int]) -> int:
    check_choice(name, given, allowed)
    return allowed[given]


def _number(name: str, given: Any, least: int, most: int) -> int:
    number = as_int(given)
    if number is None or not least <= number <= most:
        raise ValueError(f"{name} is an integer from {least} to {most}, not {given!r}")
    return number


def _all_rules(rules: Any, players: int | None, unit: Unit | None, hand: int | None) -> list[Rules]:
    if isinstance(rules, str | RuleSet):
        return [unit_rules(rules, 4 if players is None else players, unit or "round", hand)]
    found = [rules] if isinstance(rules, Rules) else rules
    found = list(found) if isinstance(found, Iterable) else []
    if not found or not all(isinstance(each, Rules) for each in found):
        raise ValueError("rules are a rule set, its name, Rules, or a sequence of Rules")
    if (players, unit, hand) != (None, None, None):
        raise ValueError("players, unit and hand are for a rule set; Rules have them")
    return found


def _seats(seats: Iterable[int] | None, opponents: str | None, players: int) -> int:
    """The caller's seats as a set of bits."""
    if opponents is None:
        if seats is not None:
            raise ValueError("seats are for play against opponents")
        return 255
    chosen = [_number("a seat", seat, 0, players - 1) for seat in ([0] if seats is None else seats)]
    if not chosen:
        raise ValueError("the caller plays at least one of the seats")
    return sum(1 << seat for seat in set(chosen))


def _ranges(count: int, threads: int) -> list[tuple[int, int]]:
    """The parts of the work, as ranges of tables: four for each thread, because a busy machine
    slows some of them down."""
    parts = 4 * threads if threads > 1 else 1
    bounds = [count * part // parts for part in range(parts + 1)]
    return [(a, b) for a, b in itertools.pairwise(bounds) if a < b]
