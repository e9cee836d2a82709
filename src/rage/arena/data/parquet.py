"""Simulated games as Parquet files, by PyArrow (extra ``data``)."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

from rage import __version__
from rage.arena.data.rows import Rows
from rage.arena.data.schema import TABLES, WIDE, Column
from rage.arena.data.simulation import Simulation, simulate
from rage.extras import install_command
from rage.game.history import side_of
from rage.rules.cards import CARD_CODES, LETTERS, MOVE_CODES, N_COLOURED, N_MOVES, WILD
from rage.rules.editions import ruleset
from rage.rules.ruleset import leading
from rage.say import NotAllowed

#: The key of the metadata in a file.
KEY: Final = b"rage"
#: The version of the columns: higher whenever they or their meanings change.
FORMAT: Final = 1
#: The numbers in the rows for no colour, and for no bid.
NONE: Final = 6
NO_BID: Final = 255
#: Where the counts of the action cards begin in the upper half of a hand.
COUNTS: Final = 48
Columns = Mapping[str, "array[int]"]
#: Columns without a dictionary of values in Parquet, because nearly all values differ.
_ALL_DIFFER: Final = frozenset(("hand_low", "hand_high", "legal_low", "legal_high"))


class Part(NamedTuple):
    """A part of a simulation: its number, its first game, the digest of its rows, and the bytes of
    a Parquet file by the name of its table."""

    number: int
    first: int
    games: int
    digest: str
    files: dict[str, bytes]


def check_pyarrow() -> None:
    """Raise :class:`rage.NotAllowed` without PyArrow: before games are played, not after."""
    try:
        import_module("pyarrow")
    except ModuleNotFoundError as error:
        if error.name != "pyarrow":
            raise
        raise NotAllowed("data.no_pyarrow", command=install_command("data")) from None


def make_part(simulation: Simulation, number: int, games: int, wide: bool) -> Part:
    """Play and encode a part. Raises as :func:`rage.arena.data.simulation.simulate` does."""
    check_pyarrow()  # on a cluster, each machine
    first = number * simulation.part_games
    rows = simulate(simulation, first, games)
    digest = digest_of(rows)
    told = {**described(simulation, wide), "first": first, "games": games, "digest": digest}
    files = {name: _encoded(_table(simulation, rows, name, wide), told) for name in TABLES}
    return Part(number, first, games, digest, files)


def described(simulation: Simulation, wide: bool) -> dict[str, Any]:
    """The description of simulated games, as in the metadata of their files."""
    head = {"format": FORMAT, "rage": __version__, **simulation._asdict(), "wide": wide}
    return {**head, "bots": list(simulation.bots), "network": simulation.network}


def digest_of(rows: Rows) -> str:
    """The SHA-256 of the numbers of all columns, table by table: little-endian, as wide as their
    types, 6 for no colour and 255 for no bid; without derived columns."""
    total = sha256()
    for table in rows.tables.values():
        for column in table.values():
            total.update(column)
    return total.hexdigest()


def _table(simulation: Simulation, rows: Rows, name: str, wide: bool) -> Any:
    """An Arrow table, from the rows."""
    import pyarrow

    found, columns = rows.tables[name], TABLES[name]
    if wide and name == "decisions":
        columns = (*columns, *WIDE)
    made = [_column(column, simulation, found) for column in columns]
    fields = [
        pyarrow.field(column.name, each.type, column.nullable, {b"says": column.says.encode()})
        for column, each in zip(columns, made, strict=True)
    ]
    return pyarrow.table(made, schema=pyarrow.schema(fields))


def _column(column: Column, simulation: Simulation, found: Columns) -> Any:
    """An Arrow column, from the columns of the rows."""
    import pyarrow

    match column.name, column.type:
        case "side", _:
            sides = [side_of(seat, simulation.sides) for seat in range(simulation.players)]
            return _numbers("uint8", _by_seat(found, sides))
        case _, "bot":
            names = sorted({*simulation.bots})
            return _words(_by_seat(found, [names.index(bot) for bot in simulation.bots]), names)
        case "winner", _:
            return pyarrow.array(_winners(simulation, found))
        case "hand", _:
            return pyarrow.array(map(_hand, found["hand_low"], found["hand_high"]))
        case "legal", _:
            return pyarrow.array(map(_moves, found["legal_low"], found["legal_high"]))
        case "move_code", _:
            return _words(found["move"], MOVE_CODES)
        case name, "colour":
            return _words(_without(found[name], NONE), LETTERS)
        case name, "bool":
            return _numbers("uint8", found[name]).cast(pyarrow.bool_())
        case name, kind if column.nullable:
            return _without(found[name], NO_BID)
        case name, kind:
            return _numbers(kind, found[name])


def _numbers(kind: str, values: Any) -> Any:
    """An Arrow array in the memory of these numbers."""
    import pyarrow

    memory = pyarrow.py_buffer(values)
    numbers = pyarrow.type_for_alias(kind)
    return pyarrow.Array.from_buffers(numbers, memory.size * 8 // numbers.bit_width, [None, memory])


def _without(values: array[int], none: int) -> Any:
    """Small numbers, in which ``none`` becomes null."""
    import pyarrow.compute

    numbers = _numbers("uint8", values)
    absent = pyarrow.compute.equal(numbers, pyarrow.scalar(none, numbers.type))
    return pyarrow.compute.if_else(absent, pyarrow.scalar(None, numbers.type), numbers)


def _words(numbers: Any, words: Sequence[str]) -> Any:
    """Text of a few values, by their numbers."""
    import pyarrow

    indices = numbers if isinstance(numbers, pyarrow.Array) else _numbers("uint8", numbers)
    return pyarrow.DictionaryArray.from_arrays(indices.cast("int8"), list(words))


def _by_seat(found: Columns, values: Sequence[int]) -> bytes:
    """A number for each row, by its seat."""
    return found["seat"].tobytes().translate(bytes(values).ljust(256))


def _winners(simulation: Simulation, found: Columns) -> Iterator[bool]:
    """In each row of ``games``, whether the side of the seat has won."""
    players, sides = simulation.players, simulation.sides
    rules = ruleset(simulation.rules)
    for at in range(0, len(found["seat"]), players):
        points, met = (found[name][at : at + sides] for name in ("points", "met"))
        won = leading(rules, points, met)
        yield from (side_of(seat, sides) in won for seat in range(players))


def _hand(low: int, high: int) -> str:
    """The cards of a hand as codes, in their order."""
    coloured = [_sixteen(at, (low | high << 64) >> at & 0xFFFF) for at in range(0, N_COLOURED, 16)]
    return " ".join(filter(None, [*coloured, _actions(high >> COUNTS)]))


def _moves(low: int, high: int) -> str:
    """A set of moves as codes, in their order."""
    both = low | high << 64
    return " ".join(
        filter(None, [_sixteen(at, both >> at & 0xFFFF) for at in range(0, N_MOVES, 16)])
    )


@lru_cache(maxsize=1 << 16)
def _sixteen(first: int, bits: int) -> str:
    """The codes of some of sixteen moves."""
    return " ".join(MOVE_CODES[first + bit] for bit in range(16) if bits >> bit & 1)


@lru_cache(maxsize=1 << 12)
def _actions(counts: int) -> str:
    """The codes of the action cards in a hand."""
    return " ".join(
        CARD_CODES[WILD + kind] for kind in range(5) for _ in range(counts >> 3 * kind & 7)
    )


def _encoded(table: Any, told: dict[str, Any]) -> bytes:
    """The bytes of a Parquet file: one row group, and its description as JSON in its metadata."""
    import pyarrow
    from pyarrow import parquet

    metadata = {KEY: json.dumps(told).encode()}
    written = pyarrow.BufferOutputStream()
    parquet.write_table(
        table.replace_schema_metadata(metadata),
        written,
        row_group_size=max(1, table.num_rows),
        compression="zstd",
        compression_level=1,
        use_dictionary=[name for name in table.column_names if name not in _ALL_DIFFER],
        write_statistics=False,
    )
    encoded: bytes = written.getvalue().to_pybytes()
    return encoded


def told_by(path: Path) -> dict[str, Any] | None:
    """The description in a file's metadata; ``None`` if it is not a whole file of a simulation."""
    import pyarrow
    from pyarrow import parquet

    try:
        metadata = parquet.read_metadata(path).metadata or {}
        told = json.loads(metadata[KEY])
    except (OSError, KeyError, ValueError, pyarrow.ArrowException):
        return None
    return told if isinstance(told, dict) else None
