"""Replacements for the C structs and addresses of the tables when they are not compiled."""

from __future__ import annotations

from array import array
from typing import Any

from rage.engine.kernel import Rules
from rage.engine.uncompiled import RuleTable, State, Struct
from rage.features.meanings import SIZE


class Table(Struct, of="rage.envs.batch"):
    """One table."""


class TableSet(Struct, of="rage.envs.batch"):
    """All tables, and the arrays of one call."""


def state_of(t: Table) -> State:
    """The state of a table."""
    state: State = t.s
    return state


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
    """The numbers of an array, one after the other; ``None`` for ``None``."""
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
    """Write a state as the bytes of its struct."""
    packed = s.packed()
    out[: len(packed)] = packed
