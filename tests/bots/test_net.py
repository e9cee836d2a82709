"""Networks: read from a file, evaluated as the layers say, and blind to what is hidden."""

from __future__ import annotations

import json
import re
import struct
from math import exp, isclose, prod
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rage
from features.lines import any_line
from rage import NotAllowed, NotReadable
from rage.bots import net
from rage.bots.net import POINTS, SHAPES, Network, network, read_arrays
from rage.engine.position import Position
from rage.features.encode import SIZE, canonical_move, colour_places, encode

#: More than the 64 sums that are added up at once (`layers.h`), and not a multiple of them.
WIDTH, BLOCKS = 90, 2
SIZES = {"features": SIZE, "width": WIDTH, "blocks": BLOCKS, "moves": 128, "counts": 16}
seeds = st.integers(0, 2**32 - 1)


def written(arrays: dict[str, tuple[list[int], list[float]]], letter: str = "f") -> bytes:
    """A file in the format safetensors."""
    header: dict[str, object] = {"__metadata__": {"made": "by a test"}}
    body = b""
    for name, (shape, numbers) in arrays.items():
        data = struct.pack(f"<{len(numbers)}{letter}", *numbers)
        kind = {"f": "F32", "e": "F16", "d": "F64"}[letter]
        header[name] = {
            "dtype": kind,
            "shape": shape,
            "data_offsets": [len(body), len(body) + len(data)],
        }
        body += data
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + body


def random_arrays(seed: int) -> dict[str, tuple[list[int], list[float]]]:
    """A small network with random weights; the features differ in size, so its first layer, too."""
    rng = Random(seed)
    arrays = {}
    for name, axes in SHAPES.items():
        shape = [SIZES[axis] for axis in axes]
        arrays[name] = (shape, [round(rng.gauss(0, 0.1), 4) for _ in range(prod(shape))])
    return arrays


SMALL = Network(written(random_arrays(1)))


def slow(position: Position, seat: int) -> tuple[list[float], list[float]]:
    """The outputs of ``SMALL``, layer by layer: the values of the canonical moves, and the odds."""
    arrays = {name: numbers for name, (_, numbers) in random_arrays(1).items()}

    def through(x: list[float], name: str, out: int, at: int = 0) -> list[float]:
        weights = arrays[name][at * len(x) * out :]
        bias = arrays[f"{name}_bias"][at * out :]
        return [
            bias[j] + sum(x[i] * weights[i * out + j] for i in range(len(x)) if x[i])
            for j in range(out)
        ]

    x = [max(0, each) for each in through(list(encode(position, seat)), "first", WIDTH)]
    for block in range(BLOCKS):
        x = [a + max(0, b) for a, b in zip(x, through(x, "inner", WIDTH, block), strict=True)]

    def head(name: str, count: int) -> list[float]:
        rows = [arrays[name][i * WIDTH : (i + 1) * WIDTH] for i in range(count)]
        return [
            bias + sum(a * b for a, b in zip(x, row, strict=True))
            for bias, row in zip(arrays[f"{name}_bias"], rows, strict=True)
        ]

    return [POINTS * each for each in head("values", 128)], head("tricks", 16)


def under_way(seed: int, share: float = 0.2) -> list[Position]:
    """Some positions of a random game in which somebody is to act."""
    rng = Random(seed)
    line = any_line(rng, rounds=2, most=8)
    acting = (each.copy() for each in line.positions() if each.to_act is not None)
    return [each for each in acting if rng.random() < share]


@settings(max_examples=5, deadline=None)
@given(seeds)
def test_the_values_are_those_of_the_layers(seed: int) -> None:
    for position in under_way(seed, 0.05):
        assert position.to_act is not None
        expected, odds = slow(position, position.to_act)
        places = colour_places(position, position.to_act)
        values = SMALL.values(position)
        assert sorted(values) == position.legal_moves
        assert [canonical_move(move, places) for move in values] == sorted(
            canonical_move(move, places) for move in values
        )
        for move, value in values.items():
            assert isclose(value, expected[canonical_move(move, places)], abs_tol=2e-3)
        assert SMALL.best_move(position) == max(values, key=lambda move: values[move])
        shares = [exp(each) for each in odds[: position.hand_size + 1]]
        for found, share in zip(SMALL.tricks(position, position.to_act), shares, strict=True):
            assert isclose(found, share / sum(shares), abs_tol=1e-4)


def test_where_nobody_is_to_act_there_are_no_values() -> None:
    position = rage.Game("poof", 4, seed=b"no turn").position
    other = position.masked((position.to_act or 0) ^ 1)
    for call in (SMALL.values, SMALL.best_move):
        with pytest.raises(NotAllowed, match="the seat whose turn it is"):
            call(other)


def test_half_precision_is_read() -> None:
    data = written(random_arrays(3), "e")
    arrays, shapes = read_arrays(data)
    whole, _ = read_arrays(written(random_arrays(3)))
    assert shapes["first"] == [SIZE, WIDTH]
    assert all(isclose(a, b, rel_tol=2e-3, abs_tol=1e-4) for a, b in zip(
        arrays["first"], whole["first"], strict=True
    ))  # fmt: skip
    Network(data)


GOOD = random_arrays(2)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"x" * 7,
        b"\xff" * 64,
        b"\x05\x00\x00\x00\x00\x00\x00\x00[1,2]",
        struct.pack("<Q", 100_000) + b"[" * 100_000,
        written(GOOD, "d"),
        written(GOOD)[:-4],
        written({name: GOOD[name] for name in list(GOOD)[1:]}),
        written(GOOD | {"more": ([1], [0.0])}),
        written(GOOD | {"first_bias": ([WIDTH + 1], [0.0] * (WIDTH + 1))}),
        written(GOOD | {"values": ([128, WIDTH], [0.0] * 5)}),
        written(GOOD | {"first": ([SIZE, 600], [0.0] * 600 * SIZE)}),
    ],
)
def test_what_is_no_network_is_refused(data: bytes) -> None:
    with pytest.raises(NotReadable, match="network"):
        Network(data)


@pytest.mark.parametrize("seat", [-1, 4, 99])
def test_a_seat_that_is_not_there_has_no_tricks(seat: int) -> None:
    with pytest.raises(NotAllowed, match="seat"):
        network("general").tricks(rage.Game("poof", 4, seed=b"seats").position, seat)


def test_a_missing_file_is_named() -> None:
    with pytest.raises(NotReadable, match="nothing\\.safetensors"):
        network("nothing")


def test_a_broken_file_is_named_and_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table asks for it whenever it is drawn."""
    (tmp_path / "networks").mkdir()
    file = tmp_path / "networks" / "torn.safetensors"
    file.write_bytes(written(GOOD)[:-4])
    monkeypatch.setattr(net, "files", lambda package: tmp_path)
    for _ in range(2):
        with pytest.raises(NotReadable, match="torn\\.safetensors is broken: these bytes"):
            network("torn")
        file.unlink(missing_ok=True)


def test_the_sizes_in_c_are_large_enough() -> None:
    """They are written by hand, for C knows neither `SIZE` nor `MAX_WIDTH` of Cython."""
    folder = Path(rage.__file__).parent / "bots"
    types = (folder / "net.pxd").read_text(encoding="utf-8")
    layers = (folder / "layers.h").read_text(encoding="utf-8")

    def size(pattern: str, text: str) -> int:
        found = re.search(pattern, text)
        assert found is not None
        return int(found[1])

    most = size(r"RAGE_MAX_INPUTS (\d+)", layers)
    assert size(r"Wide\[(\d+)\]", types) == most
    assert most >= max(SIZE, size(r"MAX_WIDTH = (\d+)", types))
    assert size(r"FeatureRow\[(\d+)\]", types) >= SIZE


@pytest.mark.parametrize("wrong", [float("nan"), float("inf")])
def test_a_network_of_numbers_that_are_none_is_refused(wrong: float) -> None:
    arrays = random_arrays(1)
    arrays["values"][1][3] = wrong
    with pytest.raises(NotReadable):
        Network(written(arrays))
