"""Figures about the server for Prometheus, on an address of their own."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Final

from rage.say import NotAllowed
from rage.server.api.asking import Site
from rage.server.config import Config

#: The upper ends of the classes of commit times, in seconds.
COMMITS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5)


@contextlib.contextmanager
def published(config: Config, site: Callable[[], Site | None]) -> Iterator[None]:
    """Answer on the address for metrics, where there is one. Raises :class:`rage.NotAllowed`
    where it is taken."""
    if config.metrics is None:
        yield
        return
    from prometheus_client import CollectorRegistry, start_http_server

    from rage.server.figures import Figures

    registry = CollectorRegistry()
    registry.register(Figures(site))
    host, port = config.metrics
    try:
        server, thread = start_http_server(port, host, registry)
    except OSError as error:
        reason = error.strerror or str(error)
        raise NotAllowed("serve.no_address", host=host, port=port, reason=reason) from None
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
