"""How much of the data written to a socket the system has not delivered yet."""

from __future__ import annotations

import sys
from asyncio import BaseTransport


def unacknowledged(transport: BaseTransport) -> int:
    """How many bytes in the system's send buffer the other side has not acknowledged; 0 if the
    system doesn't tell. (The buffer accepts more only once a good part of it is free, which may
    take long. So a full buffer does not mean that nothing arrives.)"""
    try:
        import fcntl
        import termios

        file = transport.get_extra_info("socket").fileno()
        return int.from_bytes(fcntl.ioctl(file, termios.TIOCOUTQ, bytes(4)), sys.byteorder)
    except (ImportError, OSError):
        return 0
