"""Running the server: its sockets, its signals, its end."""

from __future__ import annotations

import contextlib
import errno
import gc
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, Final, NoReturn

import uvicorn

from rage.say import NotAllowed
from rage.server import logs, metrics
from rage.server.app import App
from rage.server.certificate import check_certificate
from rage.server.config import Config
from rage.server.folder import held
from rage.server.network import own_url
from rage.server.patience import Patient
from rage.server.socket import MAX_MESSAGE
from rage.server.wire import Wire

#: After so many new objects it is looked for what can be forgotten: Python's 700 are three moves.
FORGET: Final = 10_000
#: How many ports are tried where none was asked for.
TRIES: Final = 20
#: How many seconds requests under way have at the end.
GRACE: Final = 3


class _Server(uvicorn.Server):
    """Says when it answers."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer."""
        await super().startup(sockets)
        if self.started:
            gc.freeze()  # what was imported stays; to look through it all again stops everybody
            gc.set_threshold(FORGET)
            self._ready()


def bind(host: str, port: int, *, tries: int = 1) -> list[socket.socket]:
    """Sockets that listen on a port of every address of a host; where it is taken, on one of the
    next ``tries``. Raises :class:`rage.NotAllowed`."""
    for number in range(port, port + tries):
        try:
            return _bind(host, number)
        except OSError as error:
            if error.errno == errno.EADDRINUSE and number + 1 < min(port + tries, 65536):
                continue
            _refuse(error, host, number)
    raise AssertionError


def _refuse(error: OSError, host: str, port: int) -> NoReturn:
    where = {"host": host or "*", "port": port}
    if isinstance(error, socket.gaierror):
        raise NotAllowed("serve.no_host", **where) from None
    if error.errno == errno.EADDRINUSE:
        raise NotAllowed("serve.port_taken", **where) from None
    if error.errno in (errno.EACCES, errno.EPERM):
        raise NotAllowed("serve.port_forbidden", **where) from None
    raise NotAllowed("serve.no_address", **where, reason=error.strerror or str(error)) from None


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
                # A machine may know of a version of addresses that it can't use.
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
        if sys.platform != "win32":  # there it would share the port with another program
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
    """Serve until a signal ends it; ``ready`` is called when it answers. Raises
    :class:`rage.NotAllowed` where the data folder or the certificate can't be used."""
    logs.set_up(config.log)
    os.umask(0o077)  # what is stored holds everybody's cards
    with held(config.data, own_url(config) + "/"), _ending(), _more_files():
        app = App(config)
        logging.getLogger("uvicorn.error").addFilter(lambda record: app.failed is None)
        with metrics.published(config, app):
            try:
                _Server(uvicorn_config(app, config), ready).run(sockets)
            except SystemExit:
                if app.failed is None:
                    raise
            except KeyboardInterrupt:
                pass
        if app.failed is not None:
            raise NotAllowed("serve.store", reason=str(app.failed))


def uvicorn_config(app: App, config: Config) -> uvicorn.Config:
    """What uvicorn is told. Raises :class:`rage.NotAllowed` for a certificate that is none."""
    if config.certfile is not None:
        check_certificate(config.certfile, config.keyfile)
    made = uvicorn.Config(
        app,
        loop="auto",
        http=Patient,
        ws=Wire,
        ws_max_size=MAX_MESSAGE,
        ws_max_queue=16,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        ws_per_message_deflate=False,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(config.proxies),
        forwarded_allow_ips=list(config.proxies),
        timeout_graceful_shutdown=GRACE,
        ssl_certfile=config.certfile,
        ssl_keyfile=config.keyfile,
    )
    try:
        made.load()
    except OSError as error:  # of which the errors of certificates are some
        reason = error.strerror or str(error)
        raise NotAllowed("serve.certificate", reason=reason) from None
    return made


@contextlib.contextmanager
def _ending() -> Iterator[None]:
    """Let SIGTERM end the server as Ctrl-C does: with all that is under way done."""

    def end(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    try:
        before = signal.signal(signal.SIGTERM, end)
    except ValueError:  # not in the main thread, where signals are none of ours
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextlib.contextmanager
def _more_files() -> Iterator[None]:
    """As many connections as the system lets us have."""
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
