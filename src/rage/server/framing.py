"""WebSocket frames as bytes (RFC 6455, 5.2), as far as moves need them.

The ``websockets`` library makes and parses frames of every kind. But a move arrives as one short
text frame, and is sent on in frames that are made once and written to many connections; for these
alone the library takes 7 µs of the 170 that a move costs. So they are handled here, and everything
else by the library; the tests compare the two.
"""

from __future__ import annotations

import struct
from typing import Final

#: The first byte of a frame that is a whole text message.
_WHOLE_TEXT: Final = 0x81
#: The bit of the second byte that says that the payload is masked, as those of clients are.
_MASKED: Final = 0x80
#: The header of a masked frame with a short payload: two bytes, and the mask.
_MASK_AT, _HEAD = 2, 6
#: From these lengths on, the length of a payload takes 2 or 8 more bytes.
_MEDIUM, _LONG = 126, 0x10000


def frame(payload: bytes) -> bytes:
    """A server's frame of one text message."""
    length = len(payload)
    if length < _MEDIUM:
        return bytes((_WHOLE_TEXT, length)) + payload
    if length < _LONG:
        return struct.pack("!BBH", _WHOLE_TEXT, 126, length) + payload
    return struct.pack("!BBQ", _WHOLE_TEXT, 127, length) + payload


def short_text(data: bytes) -> bytes | None:
    """The payload of a client's frame, if ``data`` is exactly one frame of one short text
    message."""
    length = len(data) - _HEAD
    if not 0 <= length < _MEDIUM or data[0] != _WHOLE_TEXT or data[1] != _MASKED | length:
        return None
    mask = (data[_MASK_AT:_HEAD] * (length // 4 + 1))[:length]
    masked = int.from_bytes(data[_HEAD:], "big") ^ int.from_bytes(mask, "big")
    return masked.to_bytes(length, "big")


def masked_size(length: int) -> int:
    """The size in bytes of a client's frame with a payload of ``length`` bytes, if it encodes the
    length as briefly as it can."""
    more = 0 if length < _MEDIUM else 2 if length < _LONG else 8
    return _HEAD + length + more
