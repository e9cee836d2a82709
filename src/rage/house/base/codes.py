"""Codes for tables and people: easy to read aloud, hard to guess. Logs use fingerprints."""

from __future__ import annotations

import hmac
import secrets
from hashlib import sha256
from typing import Final
from unicodedata import category, normalize

from rage.say import NotReadable, without_unseen

#: Letters and digits without those that look alike.
ALPHABET: Final = "abcdefghjkmnpqrstuvwxyz23456789"
#: The length of a table's code.
TABLE_LENGTH: Final = 8


class NoTable(NotReadable):
    """There is no such table, or it has no such game."""


def new_code(length: int = TABLE_LENGTH) -> str:
    """An unguessable code: ``length`` characters of :data:`ALPHABET`."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def read_code(text: str) -> str:
    """The code of a table as people type it, perhaps in capitals, with spaces or hyphens. Raises
    :class:`NoTable`."""
    plain = normalize("NFKC", without_unseen(text)[:40]).lower()
    code = "".join(each for each in plain if category(each)[0] not in "PZ")
    if len(code) != TABLE_LENGTH or not set(code) <= set(ALPHABET):
        raise NoTable("http.no_table", table=text[:40])
    return code


def shown_code(code: str) -> str:
    """The code of a table as people read it, with a hyphen, as on the page."""
    return f"{code[:4]}-{code[4:]}"


class _Key:
    """The key that fingerprints are made with."""

    value = secrets.token_bytes(32)


def set_fingerprint_secret(secret: bytes) -> None:
    """Derive fingerprints from the server's secret, so that they survive a restart."""
    _Key.value = hmac.digest(secret, b"rage log 1", sha256)


def table_fingerprint(code: str) -> str:
    """The name of a table in the log: always the same eight digits, useless for joining it."""
    return hmac.digest(_Key.value, code.encode("utf-8", "surrogatepass"), sha256).hex()[:8]
