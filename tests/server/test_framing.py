"""Frames that are made and read by hand are what the library makes and reads."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from rage.server.framing import frame, masked_size, short_text

LENGTHS = (0, 1, 3, 4, 5, 124, 125, 126, 127, 65535, 65536, 70000)


@pytest.mark.parametrize("length", LENGTHS)
def test_a_frame_of_ours_is_one_of_the_library(length: int) -> None:
    payload = b"x" * length
    assert frame(payload) == Frame(Opcode.TEXT, payload).serialize(mask=False)


@pytest.mark.parametrize("length", LENGTHS)
def test_how_long_a_clients_frame_is(length: int) -> None:
    assert masked_size(length) == len(Frame(Opcode.TEXT, bytes(length)).serialize(mask=True))


@given(st.binary(max_size=130))
def test_a_short_text_is_read_and_a_longer_one_left_to_the_library(payload: bytes) -> None:
    made = Frame(Opcode.TEXT, payload).serialize(mask=True)
    assert short_text(made) == (payload if len(payload) < 126 else None)


@given(st.binary(max_size=125), st.data())
def test_anything_else_is_left_to_the_library(payload: bytes, data: st.DataObject) -> None:
    whole = Frame(Opcode.TEXT, payload).serialize(mask=True)
    other = data.draw(st.sampled_from([each for each in Opcode if each is not Opcode.TEXT]))
    for made in (
        Frame(other, payload).serialize(mask=True),
        Frame(Opcode.TEXT, payload, fin=False).serialize(mask=True),
        Frame(Opcode.TEXT, payload).serialize(mask=False),
        bytes((whole[0] | 0x40,)) + whole[1:],
        whole + whole,
        whole + b"\x81",
        whole[: data.draw(st.integers(0, len(whole) - 1))],
    ):
        assert short_text(made) is None


def test_an_unmasked_frame_is_not_taken_for_a_masked_one() -> None:
    assert short_text(b"\x81\x05abcdef") is None
    assert short_text(b"") is None
