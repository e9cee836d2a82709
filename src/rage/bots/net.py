"""Networks: from the features that a seat may know to the value of each of its moves.

A network is trained elsewhere (`lab/training/`) and read here from a file of plain arrays in the
safetensors format: a first layer over the features, residual layers of the same width, and two
heads, the values of the canonical moves and the logits of how many tricks the seat will win. Most
features are 0, so the first layer adds up only the rows of the others; only legal moves are valued.
"""

from __future__ import annotations

import json
import struct
from array import array
from functools import cache
from hashlib import sha256
from importlib.resources import files
from math import exp, isfinite, prod
from typing import Any

from rage.bots.interface import acting_seat
from rage.features.encode import seat_number
from rage.say import NotReadable, Reason

try:
    import cython
except ImportError:
    from rage.engine import uncompiled as cython

if not cython.compiled:
    from rage.bots.uncompiled import Layers
    from rage.engine.canonical import canonical_colours, invert, rename_move, rename_moves
    from rage.engine.kernel import legal_set, lowest
    from rage.engine.position import Position
    from rage.engine.uncompiled import Moves, RuleTable, State
    from rage.features.encode import N_FEATURES, encode_state

    MAX_WIDTH = 512

    def add_rows(out: list[float], x: Any, rows: Any, at: int, n: int, width: int) -> None:
        """Add to ``out`` each row of the matrix at ``at``, times its number in ``x``."""
        for i in range(n):
            factor = x[i]
            if factor:
                start = at + i * width
                for j in range(width):
                    out[j] += factor * rows[start + j]

    def run_layers(n: Layers, row: Any, x: list[float], y: list[float]) -> None:
        """Write into ``x`` the output of the layers for a row of features; ``y`` is scratch
        space."""
        width = n.width
        for j in range(width):
            x[j] = n.first_bias[j]
        for i in range(N_FEATURES):
            y[i] = row[i]
        add_rows(x, y, n.first, 0, N_FEATURES, width)
        for j in range(width):
            x[j] = max(0.0, x[j])
        for block in range(n.blocks):
            for j in range(width):
                y[j] = n.inner_bias[block * width + j]
            add_rows(y, x, n.inner, block * width * width, width, width)
            for j in range(width):
                if y[j] > 0:
                    x[j] += y[j]

    def numbers(values: array[float]) -> Any:
        """How a struct refers to an array: by address when compiled."""
        return values

    def dot(x: list[float], rows: Any, at: int, width: int) -> float:
        """The product of ``x`` with a row."""
        return sum(x[j] * rows[at + j] for j in range(width))


def value_moves(n: Layers, x: list[float], moves: Moves, values: Any) -> int:
    """Write the values of some canonical moves, in points, from the output of the layers. Returns
    the best move, the first among equals."""
    best = -1
    while moves.lo | moves.hi:
        if moves.lo:
            move = lowest(moves.lo)
            moves.lo &= moves.lo - 1
        else:
            move = 64 + lowest(moves.hi)
            moves.hi &= moves.hi - 1
        values[move] = n.points * (n.values_bias[move] + dot(x, n.values, move * n.width, n.width))
        if best < 0 or values[move] > values[best]:
            best = move
    return best


def look_at(n: Layers, s: State, r: RuleTable, seat: int, x: list[float]) -> None:
    """Write into ``x`` the output of the layers for what a seat may know."""
    if not cython.compiled:
        row = [0] * N_FEATURES
        y = [0.0] * N_FEATURES
    encode_state(s, r, seat, row)
    run_layers(n, row, x, y)


def value_legal(n: Layers, s: State, r: RuleTable, perm: list[int], values: Any) -> int:
    """Write into ``perm`` the canonical colours for the seat to act, and into ``values`` the values
    of its legal moves, renamed by them. Returns the best move."""
    if not cython.compiled:
        x = [0.0] * MAX_WIDTH
    look_at(n, s, r, s.turn, x)
    canonical_colours(s, r, s.turn, perm)
    return value_moves(n, x, rename_moves(legal_set(s, r), perm), values)


def net_move(n: Layers, s: State, r: RuleTable) -> int:
    """The move that the network values most for the seat to act."""
    if not cython.compiled:
        values = [0.0] * 128
        perm = [0] * 6
        back = [0] * 6
    best = value_legal(n, s, r, perm, values)
    invert(perm, back)
    return rename_move(best, back)


def net_best_value(n: Layers, s: State, r: RuleTable) -> float:
    """The value of the best move of the seat to act, in points."""
    if not cython.compiled:
        values = [0.0] * 128
        perm = [0] * 6
    best = value_legal(n, s, r, perm, values)
    return values[best]


# --- reading -------------------------------------------------------------------------------


#: The factor from a network's values to points.
POINTS = 10.0

#: The arrays of a file, and their shapes. ``inner`` has one layer after the other; in ``first`` and
#: ``inner`` the weights of one input are contiguous.
SHAPES = {
    "first": ("features", "width"),
    "first_bias": ("width",),
    "inner": ("blocks", "width", "width"),
    "inner_bias": ("blocks", "width"),
    "values": ("moves", "width"),
    "values_bias": ("moves",),
    "tricks": ("counts", "width"),
    "tricks_bias": ("counts",),
}


def read_arrays(data: bytes) -> tuple[dict[str, array[float]], dict[str, list[int]]]:
    """The arrays of a safetensors file, and their shapes. Raises :class:`rage.NotReadable` for
    anything else."""
    try:
        (length,) = struct.unpack_from("<Q", data)
        header = json.loads(data[8 : 8 + length])
        header.pop("__metadata__", None)
        body = memoryview(data)[8 + length :]
        arrays, shapes = {}, {}
        for name, entry in header.items():
            start, end = entry["data_offsets"]
            size = {"F16": 2, "F32": 4}[entry["dtype"]]
            letter = "e" if size == 2 else "f"
            count = (end - start) // size
            arrays[name] = array("f", struct.unpack(f"<{count}{letter}", body[start:end]))
            if not all(map(isfinite, arrays[name])):
                raise NotReadable("net.unreadable")
            shapes[name] = [int(each) for each in entry["shape"]]
    except (
        struct.error, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError
    ) as error:  # fmt: skip
        raise NotReadable("net.unreadable") from error
    return arrays, shapes


def check_shapes(arrays: dict[str, array[float]], shapes: dict[str, list[int]]) -> tuple[int, int]:
    """Return the width and the number of residual layers. Raises :class:`rage.NotReadable` unless
    the arrays are a network over the features of :mod:`rage.features.encode`."""
    if shapes.keys() != SHAPES.keys() or len(shapes["first"]) != 2 or len(shapes["inner"]) != 3:
        raise NotReadable("net.unreadable")
    width, blocks = shapes["first"][1], shapes["inner"][0]
    sizes = {"features": N_FEATURES, "width": width, "blocks": blocks, "moves": 128, "counts": 16}
    for name, axes in SHAPES.items():
        expected = [sizes[axis] for axis in axes]
        if shapes[name] != expected or len(arrays[name]) != prod(expected):
            raise NotReadable("net.shape", name=name, expected=str(expected))
    if not 0 < width <= MAX_WIDTH:
        raise NotReadable("net.shape", name="first", expected=f"width <= {MAX_WIDTH}")
    return width, blocks


# --- for Python ----------------------------------------------------------------------------


class Network:
    """A network, read from the bytes of a file; ``digest``, the beginning of their SHA-256,
    identifies it. Raises :class:`rage.NotReadable` for bytes that are not a network."""

    def __cinit__(self) -> None:
        """When compiled, take the address of the embedded struct."""
        if cython.compiled:
            self.n = cython.address(self.own_layers)

    def __init__(self, data: bytes) -> None:
        arrays, shapes = read_arrays(data)
        width, blocks = check_shapes(arrays, shapes)
        if not cython.compiled:
            self.n = Layers()
        self.arrays = arrays  # the struct points into them
        self.digest = sha256(data).hexdigest()[:16]
        n = self.n
        n.width = width
        n.blocks = blocks
        n.points = POINTS
        n.first = numbers(arrays["first"])
        n.first_bias = numbers(arrays["first_bias"])
        n.inner = numbers(arrays["inner"])
        n.inner_bias = numbers(arrays["inner_bias"])
        n.values = numbers(arrays["values"])
        n.values_bias = numbers(arrays["values_bias"])
        n.tricks = numbers(arrays["tricks"])
        n.tricks_bias = numbers(arrays["tricks_bias"])

    def best_move(self, position: Position) -> int:
        """The move that it values most for the seat to act; the position may be masked. Raises
        :class:`rage.NotAllowed` if no seat is to act, or the hand is masked."""
        acting_seat(position)
        return net_move(self.n, position.s, position.r)

    def values(self, position: Position) -> dict[int, float]:
        """The legal moves of the seat to act, in canonical order, with their expected points: for
        its side in this round, less the mean of the other sides. Raises as :meth:`best_move`
        does."""
        acting_seat(position)
        if not cython.compiled:
            found = [0.0] * 128
            perm = [0] * 6
        value_legal(self.n, position.s, position.r, perm, found)
        actual = {rename_move(move, perm): move for move in position.legal_moves}
        return {actual[move]: found[move] for move in sorted(actual)}

    def tricks(self, position: Position, seat: int) -> list[float]:
        """By number of tricks, 0 to the hand size, the chance that the seat wins that many in the
        round. Raises :class:`rage.NotAllowed` for a seat that does not exist."""
        number = seat_number(position, seat)
        if not cython.compiled:
            x = [0.0] * MAX_WIDTH
        look_at(self.n, position.s, position.r, number, x)
        found = []
        for count in range(position.hand_size + 1):
            odds = dot(x, self.n.tricks, count * self.n.width, self.n.width)
            found.append(odds + self.n.tricks_bias[count])
        most = max(found)
        shares = [exp(each - most) for each in found]
        return [each / sum(shares) for each in shares]


def network(name: str) -> Network:
    """A network that ships with the package. Raises :class:`rage.NotReadable`, with the name of its
    file, if that is missing or broken."""
    found = _read(name)
    if isinstance(found, Reason):
        raise NotReadable(found.code, **found.params)
    return found


@cache
def _read(name: str) -> Network | Reason:
    """A network, or why there is none. Even a broken file is read only once, because this is called
    whenever a table is drawn."""
    path = files("rage.bots") / "networks" / f"{name}.safetensors"
    try:
        data = path.read_bytes()
    except OSError:
        return Reason("net.missing", {"file": str(path)})
    try:
        return Network(data)
    except NotReadable as error:
        return Reason("net.broken", {"file": str(path), "why": error.reason})
