"""What replaces C if the compiled modules run as plain Python.

`kernel.pxd` declares ``State`` and ``RuleTable`` as C structs; here they are classes with the same
fields. Adding to a pointer moves it through an array; adding to a ``State`` gives the next one,
made when first needed. The rest replaces the module ``cython``, a build requirement that need not
be installed to play.
"""

from __future__ import annotations

from contextlib import nullcontext

compiled = False
nogil = nullcontext()


class Moves:
    """A set of moves as 128 bits: bit *m* of ``lo`` (m < 64) or bit *m* - 64 of ``hi``."""

    __slots__ = ("hi", "lo")

    def __init__(self, lo: int = 0, hi: int = 0) -> None:
        self.lo: int = lo
        self.hi: int = hi


_LISTS = {
    "held": 16,
    "seen": 2,
    "stock": 32,
    "trick": 8,
    "bids": 8,
    "won": 8,
    "bonus_mad": 8,
    "voids": 8,
    "met": 8,
    "scores": 8,
}
_SCALARS = (
    "phase",
    "round",
    "dealer",
    "turn",
    "leader",
    "trump",
    "led",
    "count",
    "tricks",
    "hand",
    "stock_size",
    "turned",
    "shown",
    "up",
    "flags",
)


class State:
    """The record of `kernel.pxd`, with the same fields."""

    __slots__ = (*_LISTS, *_SCALARS, "_after")
    held: list[int]
    seen: list[int]
    stock: list[int]
    trick: list[int]
    bids: list[int]
    won: list[int]
    bonus_mad: list[int]
    voids: list[int]
    met: list[int]
    scores: list[int]
    phase: int
    round: int
    dealer: int
    turn: int
    leader: int
    trump: int
    led: int
    count: int
    tricks: int
    hand: int
    stock_size: int
    turned: int
    shown: int
    up: int
    flags: int

    def __init__(self) -> None:
        for name, size in _LISTS.items():
            setattr(self, name, [0] * size)
        for name in _SCALARS:
            setattr(self, name, 0)
        self._after: State | None = None

    def __add__(self, steps: int) -> State:
        state = self
        for _ in range(steps):
            if state._after is None:
                state._after = State()
            state = state._after
        return state

    def assign(self, other: State) -> None:
        """Take over every field of ``other``."""
        for name in _LISTS:
            getattr(self, name)[:] = getattr(other, name)
        for name in _SCALARS:
            setattr(self, name, getattr(other, name))


class RuleTable:
    """The rules as numbers and masks: the struct of `kernel.pxd`."""

    n: int
    sides: int
    rounds: int
    out_trick: int
    exact: int
    exact_zero: int
    miss: int
    not_tricks: int
    bidding: int
    sweep: int
    tie: int
    lazy_stock: int
    pack_size: int
    anytime: int

    def __init__(self) -> None:
        self.n = self.sides = self.rounds = 0
        self.out_trick = self.exact = self.exact_zero = self.miss = 0
        self.not_tricks = self.bidding = self.sweep = self.tie = self.lazy_stock = 0
        self.pack_size = self.anytime = 0
        self.schedule: list[int] = [0] * 32
        self.pack: list[int] = [0] * 128
        self.presence: list[int] = [0] * 5
        self.follow: list[int] = [0] * 16
        self.adds: list[int] = [0] * 128
        self.sets: list[int] = [0] * 128
        self.half: list[int] = [0] * 128
        self.not_trump: list[int] = [0] * 8
        self.colour: list[int] = [0] * 128
        self.rank: list[int] = [0] * 128
        self.flip: list[int] = [0] * 128
        self.kind: list[int] = [0] * 128
        self.bonus_mad: list[int] = [0] * 128


class Generator:
    """The state of a random generator, and the pack that it shuffles: the struct of
    `kernel.pxd`."""

    def __init__(self) -> None:
        self.random: int = 0
        self.pack: list[int] = [0] * 128


class Totals:
    """Counts over games: the struct of `kernel.pxd`."""

    def __init__(self) -> None:
        self.count: int = 0
        self.digest: int = 0
