"""The encoding of links: one large number in a mixed radix, in base64url."""

from __future__ import annotations

import base64


def to_base64url(data: bytes) -> str:
    """Bytes as base64url, without padding."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def from_base64url(text: str) -> bytes:
    """The bytes of base64url without padding. Raises :class:`binascii.Error`."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


class Digits:
    """A number in a mixed radix, built or read digit by digit, each with its own base."""

    def __init__(self, data: bytes = b"") -> None:
        self.left = int.from_bytes(data, "little")
        self._digits: list[tuple[int, int]] = []

    def put(self, digit: int, base: int) -> None:
        """Add a digit from 0 to ``base`` - 1."""
        assert 0 <= digit < base
        self._digits.append((digit, base))

    def take(self, base: int) -> int:
        """The next digit. Raises ValueError for an impossible base."""
        if base < 1:
            raise ValueError
        self.left, digit = divmod(self.left, base)
        return digit

    def as_bytes(self) -> bytes:
        """The number built so far."""
        number = 0
        for digit, base in reversed(self._digits):
            number = number * base + digit
        return number.to_bytes((number.bit_length() + 7) // 8, "little")
