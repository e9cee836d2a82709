"""Who asks: persons without accounts, proved by signed cookies, handed over by signed tokens.

Everything is signed with keys made from one secret of the store, a key of its own for each use, so
that nothing signed for one can pass for another.
"""

from __future__ import annotations

import hmac
import re
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from collections.abc import Iterable
from hashlib import sha256
from typing import Final, NamedTuple

from rage.server.codes import ALPHABET, new_code
from rage.server.errors import NotYours

#: Browsers keep no cookie longer than this.
COOKIE_SECONDS: Final = 400 * 24 * 3600
HANDOVER_SECONDS: Final = 10 * 60
_PERSON: Final = re.compile(f"[{ALPHABET}]{{12}}")
_TOKEN: Final = re.compile(r"[\w-]{1,120}", re.ASCII)
_SIGNED: Final = 32
_PERSON_BYTES: Final = 12
_NONCE_BYTES: Final = 12


class Handed(NamedTuple):
    """What a handover token says: for whom it is, its own number, and until when (milliseconds)
    it may be used."""

    person: str
    nonce: bytes
    until: int


def new_person() -> str:
    """Somebody whom nobody has met."""
    return new_code(_PERSON_BYTES)


class Keys:
    """What signs: a key for each use, from one secret."""

    def __init__(self, secret: bytes) -> None:
        self._cookie = hmac.digest(secret, b"rage cookie 1", sha256)
        self._handover = hmac.digest(secret, b"rage handover 1", sha256)
        # Browsers keep cookies by host, whatever the port: with one name for all, two servers of
        # one machine would take each other's people away.
        self._name = "rage-" + hmac.digest(secret, b"rage cookie name 1", sha256).hex()[:8]

    @staticmethod
    def new_secret() -> bytes:
        """A secret to keep."""
        return secrets.token_bytes(32)

    def cookie(self, person: str) -> str:
        """The cookie that proves a person, as a browser sends it: its name and its value."""
        return f"{self._name}={person}.{_text(hmac.digest(self._cookie, person.encode(), sha256))}"

    def set_cookie(self, person: str, path: str, *, secure: bool) -> str:
        """The header that gives a browser the cookie."""
        rules = f"Path={path}; Max-Age={COOKIE_SECONDS}; HttpOnly; SameSite=Lax"
        return f"{self.cookie(person)}; {rules}{'; Secure' if secure else ''}"

    def person(self, cookie: str) -> str | None:
        """Whom a cookie proves, if anybody."""
        name, _, value = cookie.partition("=")
        value = value.strip('"')
        person = value.partition(".")[0]
        if name != self._name or _PERSON.fullmatch(person) is None:
            return None
        given = f"{name}={value}"
        return person if hmac.compare_digest(given.encode(), self.cookie(person).encode()) else None

    def asker(self, headers: Iterable[tuple[bytes, bytes]]) -> str | None:
        """Whom the headers of a request prove, if anybody."""
        for name, value in headers:
            if name == b"cookie":
                for each in value.decode("latin-1").split(";"):
                    if person := self.person(each.strip()):
                        return person
        return None

    def handover(self, person: str, now: int) -> str:
        """A token by which another device becomes this person, once, from ``now`` (milliseconds)
        on for some minutes."""
        until = now + HANDOVER_SECONDS * 1000
        said = person.encode() + secrets.token_bytes(_NONCE_BYTES) + until.to_bytes(8, "big")
        return _text(said + hmac.digest(self._handover, said, sha256))

    def handed(self, token: str, now: int) -> Handed:
        """What a token says that is ours and not too old. Raises :class:`NotYours`."""
        data = _bytes(token)
        said, signature = data[:-_SIGNED], data[-_SIGNED:]
        ours = hmac.compare_digest(signature, hmac.digest(self._handover, said, sha256))
        if not ours or len(said) != _PERSON_BYTES + _NONCE_BYTES + 8:
            raise NotYours("http.handover")
        until = int.from_bytes(said[-8:], "big")
        if until < now:
            raise NotYours("http.handover")
        return Handed(said[:_PERSON_BYTES].decode(), said[_PERSON_BYTES:-8], until)


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def _bytes(token: str) -> bytes:
    """The bytes of a token; none where it is not written as we write them."""
    if _TOKEN.fullmatch(token) is None:
        return b""
    try:
        data = urlsafe_b64decode(token + "=" * (-len(token) % 4))
    except NotBase64:
        return b""
    return data if _text(data) == token else b""
