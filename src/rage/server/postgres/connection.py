"""Connections to a PostgreSQL database: making them, and recognizing that one is lost."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import time
from typing import Any, Final, TypeAlias

import asyncpg
from asyncpg.exceptions import TargetServerAttributeNotMatched

from rage.files import system_reason
from rage.house.store import StoreFailed
from rage.say import Reason, sentence
from rage.server.postgres.url import called

#: Seconds to wait for a lost database, while everyone waits for their moves.
PATIENCE: Final = 5.0
#: Seconds between two attempts to connect.
RETRY_AFTER: Final = 0.2
#: Errors of the connection, not of the query.
LOST: Final = (
    OSError,
    TimeoutError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # it was lost in the middle of an answer
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.TooManyConnectionsError,
    asyncpg.IdleInTransactionSessionTimeoutError,
    asyncpg.ReadOnlySQLTransactionError,  # it has become a replica
)
#: Settings of all connections, so that nothing waits forever.
SETTINGS: Final[Any] = {
    "timeout": PATIENCE,
    "command_timeout": 10.0,
    "server_settings": {"application_name": "rage"},
}
#: Seconds for a query that reads the whole database.
SCAN_TIMEOUT: Final = 3600.0
#: Set in each session, because PgBouncer refuses it as a connection parameter: a transaction of a
#: paused server must not lock others out.
_SESSION: Final = "SET idle_in_transaction_session_timeout = 2000"
#: For sessions that repeat the same few statements: planning each one every time would make an
#: event cost PostgreSQL more than twice as much.
_PLANNED: Final = f"{_SESSION}; SET plan_cache_mode = force_generic_plan"
#: PostgreSQL's errors for statements that were prepared in another session.
_SWITCHED: Final = (
    asyncpg.InvalidSQLStatementNameError,
    asyncpg.DuplicatePreparedStatementError,
)

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"


class Unreachable(StoreFailed):
    """The database cannot be reached."""


class Patience:
    """Waits for a lost database at ``url``, but not forever."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._until = time.monotonic() + PATIENCE

    async def wait(self, error: Exception) -> None:
        """Wait a little, or raise :class:`Unreachable`."""
        if time.monotonic() > self._until:
            raise unreachable(self._url, error) from error
        await asyncio.sleep(RETRY_AFTER)


def reason(error: Exception) -> str:
    """The message of an error, or its kind if it has none."""
    return sentence(system_reason(error))


def unreachable(url: str, error: Exception | Reason) -> Unreachable:
    """The error to raise if the database at ``url`` cannot be used."""
    why = error if isinstance(error, Reason) else system_reason(error)
    # The first is how asyncpg reports that the connection ended before an answer.
    if "connection_lost" in str(error) or isinstance(error, ConnectionResetError):
        why = Reason("store.hung_up")
    elif isinstance(error, TargetServerAttributeNotMatched | asyncpg.ReadOnlySQLTransactionError):
        why = Reason("store.standby")
    return Unreachable(Reason("store.unreachable", {"database": called(url), "reason": why}))


async def connect(url: str, *, writes: bool = True) -> Connection:
    """Connect to a database; if the connection ``writes``, to the primary of several. Raises one of
    :data:`LOST`, ``asyncpg.PostgresError`` or ``ValueError``."""
    only: Any = primary(url) if writes else {}
    connection = await asyncpg.connect(url, **SETTINGS, **only)
    try:
        await connection.execute(_PLANNED)
    except BaseException:
        connection.terminate()
        raise
    return connection


def primary(url: str) -> dict[str, str]:
    """The option that connects to the primary, unless the address chooses a server itself."""
    named = "target_session_attrs" in url or "PGTARGETSESSIONATTRS" in os.environ
    return {} if named else {"target_session_attrs": "read-write"}


async def set_up(connection: Connection) -> None:
    """Prepare a reading connection of the pool."""
    await connection.execute(_SESSION)


async def check_session(url: str, connection: Connection) -> None:
    """Raise :class:`StoreFailed` unless this connection hears notifications from another one: it
    never would behind a pooler that gives each transaction a different session."""
    heard, channel = asyncio.Event(), f"rage_{secrets.token_hex(8)}"

    def heard_of(*said: object) -> None:
        heard.set()

    try:
        await connection.add_listener(channel, heard_of)
        other = await connect(url)
        await other.execute(f"NOTIFY {channel}")
        other.terminate()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(heard.wait(), PATIENCE)
        await connection.remove_listener(channel, heard_of)
    except _SWITCHED:
        heard.clear()
    if not heard.is_set():
        raise unreachable(url, Reason("store.pooler"))
