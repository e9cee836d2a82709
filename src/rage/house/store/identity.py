"""The identities of people in a store: sessions, recovery codes, passkeys and names, as
transactions (:mod:`rage.house.store.transactions`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rage.house.store import Passkey, Recovered
from rage.house.store.checking import checksum, sealed
from rage.house.store.transactions import Steps, put_row

#: The columns of a passkey.
PASSKEY: Final = "id, person, public_key, counter, at"
_PUT_CODE: Final = put_row("codes", "person", "digest", "at")
_PUT_NAME: Final = put_row("names", "person", "name", "sign", "at")


def end_sessions(person: str, passkey: bytes | None = None) -> Steps[int]:
    """Increment the session number of a person, and forget their recovery code and all passkeys
    except this one. Returns the number."""
    yield "DELETE FROM codes WHERE person = ?1", (person,)
    yield "DELETE FROM passkeys WHERE person = ?1 AND id <> ?2", (person, passkey or b"")
    query = (
        "INSERT INTO sessions (person, number, crc) VALUES (?1, 1, 0)"
        " ON CONFLICT (person) DO UPDATE SET number = sessions.number + 1 RETURNING number"
    )
    rows = yield query, (person,)
    number: int = rows[0][0]
    query = "UPDATE sessions SET crc = ?2 WHERE person = ?1"
    yield query, (person, checksum("sessions", person, number))
    return number


def keep_code(person: str, digest: bytes, at: int) -> Steps[None]:
    """Store the digest of a person's recovery code, in place of an earlier one."""
    yield _PUT_CODE, sealed("codes", person, digest, at)


def recover(digests: Sequence[bytes], end: bool) -> Steps[Recovered | None]:
    """The person whose recovery code has one of these digests, if any; ``end``: end their sessions
    as well."""
    query = "SELECT person FROM codes WHERE digest = ?1"
    if end:  # of several who ask at once, one is answered
        query = "DELETE FROM codes WHERE digest = ?1 RETURNING person"
    for digest in digests:
        if found := (yield query, (digest,)):
            person: str = found[0][0]
            return Recovered(person, (yield from end_sessions(person)) if end else None)
    return None


def keep_passkey(passkey: Passkey) -> Steps[bool]:
    """Store a passkey. Returns whether its id is new."""
    query = "INSERT INTO passkeys VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (id) DO NOTHING"
    return bool((yield f"{query} RETURNING 1", sealed("passkeys", *passkey)))


def use_passkey(passkey: Passkey, end: bool) -> Steps[Recovered | None]:
    """Store the counter of a passkey, unless it was removed, and return its person; ``end``: end
    their sessions as well."""
    query = (
        "UPDATE passkeys SET counter = CASE WHEN counter < ?1 THEN ?1 ELSE counter END"
        f" WHERE id = ?2 RETURNING {PASSKEY}"
    )
    if not (rows := (yield query, (passkey.counter, passkey.id))):
        return None
    yield "UPDATE passkeys SET crc = ?2 WHERE id = ?1", (passkey.id, checksum("passkeys", *rows[0]))
    person = passkey.person
    return Recovered(person, (yield from end_sessions(person, passkey.id)) if end else None)


def remove_passkey(person: str, made: int) -> Steps[None]:
    """Remove the passkey that a person created then, if any."""
    yield "DELETE FROM passkeys WHERE person = ?1 AND at = ?2", (person, made)


def keep_profile(person: str, name: str, sign: str, at: int) -> Steps[None]:
    """Store the name and the sign of a person."""
    yield _PUT_NAME, sealed("names", person, name, sign, at)
