"""Runs the server: sockets, signals, limits of the system, shutdown."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import FrameType
from typing import Any, Final

import uvicorn

from rage.house.limits import MAX_HEAD, MAX_MESSAGE
from rage.say import NotAllowed
from rage.server import logs
from rage.server.app import App
from rage.server.config import Config
from rage.server.embedded.folder import lock_folder
from rage.server.network import own_url, why_not_listening
from rage.server.wire.certificate import check_certificate
from rage.server.wire.http import Http
from rage.server.wire.websocket import WebSocket

#: Collect garbage after this many new objects (Python's own 700 are three moves), the survivors
#: after this many such collections (everyone waits meanwhile, so the fewer the better), and all
#: objects after this many of those, at the earliest.
GC_THRESHOLDS: Final = (10_000, 2, 50)
#: The seconds for which a thread that reads a record may hold up the event loop: a fifth of
#: Python's own.
SWITCH_INTERVAL: Final = 0.001
#: How many ports to try if none is requested.
PORT_TRIES: Final = 20
#: How many open files a server needs besides its connections: its own, and for connections refused
#: because it is full. With very few files, connections get a quarter of them.
OWN_FILES: Final = 150
#: The seconds that requests under way have when the server stops.
SHUTDOWN_GRACE: Final = 3

_log: Final = logging.getLogger(__name__)


class _Server(uvicorn.Server):
    """Calls ``ready`` as soon as it answers requests."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and call ``ready``."""
        await super().startup(sockets)
        if self.started:
            gc.freeze()  # imported modules stay, so never scan them again
            gc.set_threshold(*GC_THRESHOLDS)
            sys.setswitchinterval(SWITCH_INTERVAL)
            self._ready()


def bind(host: str, port: int, *, tries: int = 1) -> list[socket.socket]:
    """Listen on a port of every address of a host; if it is in use, try the next ones, ``tries``
    ports in all. Raises :class:`rage.NotAllowed`."""
    for number in range(port, port + tries):
        try:
            return _bind(host, number)
        except (OSError, UnicodeError) as error:
            taken = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
            if taken and number + 1 < min(port + tries, 65536):
                continue
            raise why_not_listening(error, host, number) from None
    raise AssertionError


def _bind(host: str, port: int) -> list[socket.socket]:
    passive = socket.getaddrinfo(
        host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )
    found: list[socket.socket] = []
    try:
        for family, kind, protocol, _, address in dict.fromkeys(passive):
            if found and port == 0:  # all on the port that the system chose for the first
                address = (address[0], found[0].getsockname()[1], *address[2:])
            try:
                found.append(_listen(family, kind, protocol, address))
            except OSError as error:
                # A machine may resolve a name to an IP version that it can't use.
                if error.errno not in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT) or (
                    not found and address == passive[-1][4]
                ):
                    raise
    except OSError:
        for each in found:
            each.close()
        raise
    return found


def _listen(family: int, kind: int, protocol: int, address: Any) -> socket.socket:
    one = socket.socket(family, kind, protocol)
    try:
        if sys.platform != "win32":  # there it would let two programs share the port
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        one.bind(address)
        one.listen(2048)
    except OSError:
        one.close()
        raise
    one.set_inheritable(False)
    return one


def serve(config: Config, sockets: list[socket.socket], ready: Callable[[], None]) -> None:
    """Serve until a signal comes; ``ready`` is called when the server answers requests. Raises
    :class:`rage.NotAllowed` if the data folder or the certificate can't be used."""
    logs.set_up(config.log, config.name)
    os.umask(0o077)  # the store has everyone's cards
    with _folder(config), _ended_by_sigterm(), _with_more_files():
        config = replace(config, max_connections=max_connections(config))
        app = App(config)
        logging.getLogger("uvicorn.error").addFilter(lambda record: app.failed is None)
        with _metrics(config, app):
            try:
                _Server(uvicorn_config(app, config), ready).run(sockets)
            except SystemExit:
                if app.failed is None:
                    raise
            except KeyboardInterrupt:
                pass
        if app.failed is not None:
            raise NotAllowed("serve.store", reason=app.failed.reason)


def _folder(config: Config) -> contextlib.AbstractContextManager[None]:
    """Lock the data folder, if there is one. Raises :class:`rage.NotAllowed`."""
    if config.store is not None:
        return contextlib.nullcontext()
    return lock_folder(config.data, own_url(config) + "/")


def _metrics(config: Config, app: App) -> contextlib.AbstractContextManager[None]:
    """Serve metrics, if they are configured. Raises :class:`rage.NotAllowed`."""
    if config.metrics is None:
        return contextlib.nullcontext()
    from rage.server.metrics import serve_metrics  # its library is large, and most do without

    return serve_metrics(config, app)


def uvicorn_config(app: App, config: Config) -> uvicorn.Config:
    """The settings with which uvicorn runs the server. Raises :class:`rage.NotAllowed` for an
    unusable certificate."""
    if config.certfile is not None:
        check_certificate(config.certfile, config.keyfile)
    logging.getLogger("uvicorn.error").addFilter(_is_no_cancellation)
    return uvicorn.Config(
        app,
        loop="auto",
        http=Http,  # over h11, which unlike httptools limits the head of a request
        h11_max_incomplete_event_size=MAX_HEAD,
        limit_concurrency=config.max_connections + 1,  # uvicorn refuses the last one itself
        ssl_certfile=config.certfile,
        ssl_keyfile=config.keyfile,
        ws=WebSocket,
        ws_max_size=MAX_MESSAGE,
        ws_ping_interval=20,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(config.proxies),
        forwarded_allow_ips=list(config.proxies),
        timeout_graceful_shutdown=SHUTDOWN_GRACE,
    )


def _is_no_cancellation(record: logging.LogRecord) -> bool:
    """Filter out the tracebacks that uvicorn logs for requests cancelled by a shutdown."""
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error, asyncio.CancelledError)


@contextlib.contextmanager
def _ended_by_sigterm() -> Iterator[None]:
    """Make SIGTERM shut down gracefully, as Ctrl-C does."""

    def end(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    try:
        before = signal.signal(signal.SIGTERM, end)
    except ValueError:  # only the main thread may handle signals
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def max_connections(config: Config) -> int:
    """The most connections: as configured, or fewer if the system allows fewer open files."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return config.max_connections
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if files == resource.RLIM_INFINITY or files - OWN_FILES >= config.max_connections:
        return config.max_connections
    most = max(files // 4, files - OWN_FILES)
    _log.warning("the system allows %d open files, so at most %d connections", files, most)
    return most


@contextlib.contextmanager
def _with_more_files() -> Iterator[None]:
    """Raise the limit of open files as far as the system allows."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 65_536 if hard == resource.RLIM_INFINITY else min(hard, 65_536)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    yield
