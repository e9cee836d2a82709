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


class State:
    """The record of `kernel.pxd`, with the same fields."""

    def __init__(self) -> None:
        self.held = [0] * 16
        self.seen = [0] * 2
        self.stock = [0] * 32
        self.trick = [0] * 8
        self.bids = [0] * 8
        self.won = [0] * 8
        self.bonus_mad = [0] * 8
        self.voids = [0] * 8
        self.met = [0] * 8
        self.scores = [0] * 8
        self.phase = self.round = self.dealer = self.turn = self.leader = self.trump = 0
        self.led = self.count = self.tricks = self.hand = self.stock_size = self.turned = 0
        self.shown = self.up = self.flags = 0
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
        for name, value in vars(other).items():
            if isinstance(value, list):
                getattr(self, name)[:] = value
            elif name != "_after":
                setattr(self, name, value)


class RuleTable:
    """The rules as numbers and masks: the struct of `kernel.pxd`."""

    def __init__(self) -> None:
        self.n = self.sides = self.rounds = 0
        self.out_trick = self.exact = self.exact_zero = self.miss = 0
        self.not_tricks = self.bidding = self.sweep = self.tie = self.lazy_stock = 0
        self.pack_size = self.anytime = 0
        self.schedule = [0] * 32
        self.pack = [0] * 128
        self.presence = [0] * 5
        self.follow = [0] * 16
        self.adds = [0] * 128
        self.sets = [0] * 128
        self.half = [0] * 128
        self.not_trump = [0] * 8
        self.colour = [0] * 128
        self.rank = [0] * 128
        self.flip = [0] * 128
        self.kind = [0] * 128
        self.bonus_mad = [0] * 128


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
