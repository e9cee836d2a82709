"""Socket options and buffer sizes that asyncio's transports do not expose."""

from __future__ import annotations

import contextlib
import socket
import sys
from asyncio.transports import BaseTransport
from typing import Final

#: The size of the system's send buffer, in bytes. What does not fit stays in our own buffer, where
#: it can be counted.
SEND_BUFFER: Final = 64 * 1024


def unacknowledged(transport: BaseTransport) -> int:
    """How many bytes are in the system's send buffer and not acknowledged by the other side; 0 if
    the system doesn't tell. (The buffer accepts more only once a good part of it is free, which may
    take long; so a full buffer does not mean that nothing arrives.)"""
    try:
        import fcntl
        import termios

        file = transport.get_extra_info("socket").fileno()
        return int.from_bytes(fcntl.ioctl(file, termios.TIOCOUTQ, bytes(4)), sys.byteorder)
    except (ImportError, OSError):
        return 0


def set_option(transport: BaseTransport, option: int, value: int | bytes) -> None:
    """Set an option of the socket, if the system has it."""
    connection = transport.get_extra_info("socket")
    with contextlib.suppress(OSError):
        connection.setsockopt(socket.SOL_SOCKET, option, value)


def address(transport: BaseTransport, name: str) -> tuple[str, int] | None:
    """One end of a connection (``peername`` or ``sockname``) in the form of ASGI; ``None`` for a
    Unix socket."""
    found = transport.get_extra_info(name)
    if isinstance(found, tuple | list) and len(found) >= 2:
        return str(found[0]), int(found[1])
    return None
