"""What replaces the C structs and addresses of the tables if they are not compiled."""

from __future__ import annotations

import struct
from array import array
from typing import Any

from rage.bots.uncompiled import Weights
from rage.engine.kernel import Rules
from rage.engine.uncompiled import RuleTable, State
from rage.features.meanings import SIZE


class Table:
    """One table: the struct of `batch.pxd`."""

    def __init__(self) -> None:
        self.s = State()
        self.deals = self.moves = self.episode = self.rounds = 0
        self.rules = self.seat = self.over = self.waiting = self.hand = 0
        self.before = [0] * 8
        self.points = [0] * 8
        self.places = [0] * 8
        self.bids = [0] * 8
        self.won = [0] * 8


class Hall:
    """All tables, and the arrays of one call: the struct of `batch.pxd`."""

    def __init__(self) -> None:
        self.tables: list[Table] | int = 0
        self.rules: list[RuleTable] | int = 0
        self.weights = Weights()
        self.seed = self.choices = self.count = self.sides = self.seats = 0
        self.opponents = self.autoreset = self.illegal = self.points = self.observe = 0
        self.given = self.kept = 0
        self.templates: Any = 0
        self.actions: Any = 0
        self.chosen: Any = 0
        self.full: Any = 0
        self.last_full: Any = 0
        self.compact: Any = 0
        self.last_compact: Any = 0
        self.legal: Any = 0
        self.to_act: Any = 0
        self.rewards: Any = 0
        self.terminated: Any = 0


def state_of(t: Table) -> State:
    """The state of a table."""
    return t.s


def table_of(h: Any, i: int) -> Table:
    """A table by number."""
    table: Table = h.tables[i]
    return table


def table_memory(count: int) -> list[Table]:
    """Memory for tables."""
    return [Table() for _ in range(count)]


def rule_memory(count: int) -> list[RuleTable]:
    """Memory for references to rules."""
    return [RuleTable()] * count


def template_memory(count: int) -> array[int]:
    """Memory for rows of features."""
    return array("h", bytes(2 * SIZE * count))


def copy_row(out: memoryview, row: memoryview) -> None:
    """Copy a row of features."""
    out[:] = row


def tables_in(memory: list[Table]) -> list[Table]:
    """The tables in a memory."""
    return memory


def rules_in(memory: list[RuleTable]) -> list[RuleTable]:
    """The rules in a memory."""
    return memory


def rule_table(rules: Rules) -> RuleTable:
    """The rules as the kernel reads them."""
    return rules.r


def flat(numbers: Any) -> memoryview | None:
    """The numbers of an array, one after the other; of ``None``, nothing."""
    if numbers is None:
        return None
    view: Any = memoryview(numbers)
    found: memoryview = view.cast("B").cast(view.format)
    return found


def full_row(rows: memoryview, i: int) -> memoryview:
    """One row of features."""
    return rows[SIZE * i : SIZE * (i + 1)]


def compact_row(rows: memoryview, i: int) -> memoryview:
    """One compact row."""
    return rows[256 * i : 256 * (i + 1)]


def state_in(out: memoryview) -> State:
    """An empty state, which :func:`put_state` writes into the row."""
    return State()


def put_state(s: State, out: memoryview) -> None:
    """Write a state as the 255 bytes of its struct."""
    bytes_of = bytes([*s.stock, *s.trick, *s.bids, *s.won, *s.bonus_mad, *s.voids, *s.met])
    rest = [s.phase, s.round, s.dealer, s.turn, s.leader, s.trump, s.led, s.count, s.tricks]
    rest += [s.hand, s.stock_size, s.turned, s.shown, s.up, s.flags]
    packed = struct.pack("=18Q80s8h15B", *s.held, *s.seen, bytes_of, *s.scores, *rest)
    out[: len(packed)] = packed
