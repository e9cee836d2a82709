"""Figures about the server for Prometheus, on an address of their own."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Final

from rage.say import NotAllowed
from rage.server.app import App
from rage.server.config import Config

#: The upper ends of the classes of commit times, in seconds.
COMMITS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5)


@contextlib.contextmanager
def published(config: Config, app: App) -> Iterator[None]:
    """Answer on the address for metrics, where there is one. Raises :class:`rage.NotAllowed`
    where it is taken."""
    if config.metrics is None:
        yield
        return
    from prometheus_client import CollectorRegistry, Counter, Histogram, start_http_server

    from rage.server.figures import Figures

    registry = CollectorRegistry()
    registry.register(Figures(lambda: app.site))
    seconds = Histogram(
        "rage_commit_seconds", "seconds_a_commit", buckets=COMMITS, registry=registry
    )
    appends = Counter("rage_appends", "appends_committed", registry=registry)

    def committed(took: float, jobs: int) -> None:
        seconds.observe(took)
        appends.inc(jobs)

    app.committed = committed
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
