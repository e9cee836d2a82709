"""People without accounts: signed cookies prove who they are, and signed tokens take them to other
devices.

The keys are derived from one secret of the store, one for each purpose, so that nothing signed for
one purpose is valid for another. (``docs/dependencies.md`` explains why these few lines of ``hmac``
are not itsdangerous.)
"""

from __future__ import annotations

import hmac
import re
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import Final, NamedTuple

from rage.engine.deal import SEED_BYTES
from rage.house.base.codes import ALPHABET, TABLE_LENGTH, new_code
from rage.house.base.errors import Forbidden
from rage.house.base.messages import FOREIGN

#: The longest that browsers keep a cookie.
COOKIE_SECONDS: Final = 400 * 24 * 3600
HANDOVER_SECONDS: Final = 10 * 60
#: How long a person has for the passkey dialog.
CHALLENGE_SECONDS: Final = 5 * 60
_PERSON: Final = re.compile(f"[{ALPHABET}]{{12}}")
_TOKEN: Final = re.compile(r"[\w-]{1,120}", re.ASCII)
_SIGNATURE_BYTES: Final = 32
#: The length of a person's code.
PERSON_LENGTH: Final = 12
#: Random bytes, and the time of expiry (milliseconds).
_NONCE_BYTES: Final = 12 + 8


class Handover(NamedTuple):
    """The content of a handover token: its person, and its nonce."""

    person: str
    nonce: bytes


def new_person() -> str:
    """An unguessable code, for a person without a cookie."""
    return new_code(PERSON_LENGTH)


class Sessions:
    """Knows which cookies are still valid: each has a number, which must be the current one of its
    person (0 until they end all sessions). The store keeps these numbers forever: a cookie has no
    date, so without the number a stolen one would be valid again. Also knows each person's open
    connections to tables, as functions that close them with a close code."""

    def __init__(self, numbers: dict[str, int] | None = None) -> None:
        self._numbers = {} if numbers is None else numbers
        self._open: dict[str, set[Callable[[int], None]]] = {}

    def number(self, person: str) -> int:
        """The number that a cookie of a person must have."""
        return self._numbers.get(person, 0)

    def end(self, person: str, number: int) -> None:
        """End all sessions of a person; new ones have this number. Does nothing if already done."""
        if number <= self._numbers.get(person, 0):
            return
        self._numbers[person] = number
        for end in list(self._open.get(person, ())):
            end(FOREIGN)

    @contextmanager
    def open(self, person: str, end: Callable[[int], None]) -> Iterator[None]:
        """A context for a connection of a person, which ``end`` closes."""
        self._open.setdefault(person, set()).add(end)
        try:
            yield
        finally:
            self._open[person].discard(end)
            if not self._open[person]:
                del self._open[person]


class Keys:
    """The keys, derived from one secret. Anything signed for a person before they ended their
    ``sessions`` is invalid."""

    def __init__(self, secret: bytes, sessions: Sessions | None = None) -> None:
        self.sessions: Final = Sessions() if sessions is None else sessions
        self._cookie = hmac.digest(secret, b"rage cookie 1", sha256)
        self._handover = hmac.digest(secret, b"rage handover 1", sha256)
        self._recovery = hmac.digest(secret, b"rage recovery 1", sha256)
        self._challenge = hmac.digest(secret, b"rage passkey 1", sha256)
        self._screen = hmac.digest(secret, b"rage screen 1", sha256)
        self._erased = hmac.digest(secret, b"rage erased 1", sha256)
        self._day = hmac.digest(secret, b"rage day 1", sha256)
        self._sheet = hmac.digest(secret, b"rage sheet 1", sha256)
        # Browsers keep cookies by host, not by port. With one name for all servers, two on one
        # machine would overwrite each other's cookies.
        self._name = "rage-" + hmac.digest(secret, b"rage cookie name 1", sha256).hex()[:8]

    @staticmethod
    def new_secret() -> bytes:
        """32 random bytes, from which all keys of a server are derived."""
        return secrets.token_bytes(32)

    def cookie(self, person: str) -> str:
        """The cookie that proves a person, as a browser sends it: ``name=value``."""
        number = self.sessions.number(person)
        said = f"{person}.{number}" if number else person
        return f"{self._name}={said}.{_text(hmac.digest(self._cookie, said.encode(), sha256))}"

    def set_cookie(self, person: str, path: str, *, secure: bool) -> str:
        """The value of a ``Set-Cookie`` header with that cookie."""
        rules = f"Path={path}; Max-Age={COOKIE_SECONDS}; HttpOnly; SameSite=Lax"
        return f"{self.cookie(person)}; {rules}{'; Secure' if secure else ''}"

    def person(self, cookie: str) -> str | None:
        """The person that a cookie proves, if any."""
        name, _, value = cookie.partition("=")
        value = value.strip('"')
        person = value.partition(".")[0]
        if name != self._name or _PERSON.fullmatch(person) is None:
            return None
        given = f"{name}={value}"
        valid = hmac.compare_digest(given.encode(), self.cookie(person).encode())
        return person if valid and not self.sessions.number(self.erased(person)) else None

    def authenticate(self, headers: Iterable[tuple[bytes, bytes]]) -> str | None:
        """The person that the headers of a request prove, if any."""
        for name, value in headers:
            if name == b"cookie":
                for each in value.decode("latin-1").split(";"):
                    if person := self.person(each.strip()):
                        return person
        return None

    def day_seed(self, day: str) -> bytes:
        """The seed of the deals of a day: the same for everyone, and unknown before."""
        return hmac.digest(self._day, b"seed\n" + day.encode(), sha256)[:SEED_BYTES]

    def day_table(self, day: str, person: str) -> str:
        """The code of the table at which a person plays the deals of a day, so that each person
        plays them once."""
        digest = hmac.digest(self._day, f"table\n{day}\n{person}".encode(), sha256)
        return _code(digest[:TABLE_LENGTH])

    def sheet(self, key: str) -> str:
        """The code of a shared sheet, from the key of its keeper: always the same, even after a
        restart, and no other key has it."""
        return _code(hmac.digest(self._sheet, key.encode(), sha256)[:TABLE_LENGTH])

    def erased(self, person: str) -> str:
        """The code that stands for an erased person, so that their cookies stay invalid."""
        return _code(hmac.digest(self._erased, person.encode(), sha256)[:PERSON_LENGTH])

    def screen(self, person: str) -> str:
        """The id of the shared screens that a person opens: always the same, and different from
        their own, so that a screen has neither their seat nor their cards."""
        return _code(hmac.digest(self._screen, person.encode(), sha256)[:PERSON_LENGTH])

    def recovery(self, code: int) -> bytes:
        """The digest by which a recovery code is stored. A fast hash will do, because it is keyed:
        anyone with the key can sign cookies, and needs no code."""
        return hmac.digest(self._recovery, b"%d" % code, sha256)

    def handover(self, person: str, now: int) -> str:
        """A token with which another device can become this person, once, within
        :data:`HANDOVER_SECONDS` of ``now`` (milliseconds)."""
        said = person.encode() + _new_nonce(now, HANDOVER_SECONDS)
        return _text(said + self._sign_handover(said, person))

    def _sign_handover(self, said: bytes, person: str) -> bytes:
        number = self.sessions.number(person)
        return hmac.digest(self._handover, said + (b"%d" % number if number else b""), sha256)

    def read_handover(self, token: str, now: int) -> Handover:
        """The content of a token that is ours and still valid. Raises :class:`Forbidden` for any
        other."""
        data = _bytes(token)
        said, signature = data[:-_SIGNATURE_BYTES], data[-_SIGNATURE_BYTES:]
        person = said[:PERSON_LENGTH].decode("latin-1")
        ours = hmac.compare_digest(signature, self._sign_handover(said, person))
        nonce = said[PERSON_LENGTH:]
        if not ours or not _is_fresh(nonce, now, HANDOVER_SECONDS):
            raise Forbidden("http.handover")
        return Handover(person, nonce)

    def challenge(self, person: str | None, now: int) -> bytes:
        """A challenge for a passkey to sign, once, within :data:`CHALLENGE_SECONDS` of ``now``
        (milliseconds); ``person``: the one who creates a passkey (``None``: one is used)."""
        nonce = _new_nonce(now, CHALLENGE_SECONDS)
        return nonce + self._sign_challenge(nonce, person)

    def _sign_challenge(self, nonce: bytes, person: str | None) -> bytes:
        return hmac.digest(self._challenge, nonce + (person or "").encode(), sha256)

    def read_challenge(self, challenge: bytes, person: str | None, now: int) -> bytes:
        """The nonce of a challenge that is ours, for this person, and still valid. Raises
        :class:`Forbidden` for any other."""
        nonce, signature = challenge[:-_SIGNATURE_BYTES], challenge[-_SIGNATURE_BYTES:]
        ours = hmac.compare_digest(signature, self._sign_challenge(nonce, person))
        if not ours or not _is_fresh(nonce, now, CHALLENGE_SECONDS):
            raise Forbidden("http.passkey")
        return nonce


def _new_nonce(now: int, seconds: int) -> bytes:
    """A nonce that is valid for some seconds from ``now`` (milliseconds) on."""
    until = now + seconds * 1000
    return secrets.token_bytes(_NONCE_BYTES - 8) + until.to_bytes(8, "big")


def _is_fresh(nonce: bytes, now: int, seconds: int) -> bool:
    """Return whether a nonce is valid: neither expired nor from the future (the clock may have been
    set back)."""
    until = int.from_bytes(nonce[-8:], "big")
    return len(nonce) == _NONCE_BYTES and now <= until <= now + seconds * 1000


def _code(digest: bytes) -> str:
    """A code with a letter for each byte."""
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in digest)


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def _bytes(token: str) -> bytes:
    """The bytes of a token; empty if it is not in our encoding."""
    if _TOKEN.fullmatch(token) is None:
        return b""
    try:
        data = urlsafe_b64decode(token + "=" * (-len(token) % 4))
    except NotBase64:
        return b""
    return data if _text(data) == token else b""
