"""Metrics for Prometheus, served on a separate address."""

from __future__ import annotations

import contextlib
import errno
from collections.abc import Iterator
from typing import Final

from rage.say import NotAllowed
from rage.server.app import App
from rage.server.config import Config
from rage.server.network import why_not_listening

#: The upper bounds of the histogram of commit times, in seconds.
COMMIT_BUCKETS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5)


@contextlib.contextmanager
def serve_metrics(config: Config, app: App) -> Iterator[None]:
    """Serve metrics, if an address for them is configured. Raises :class:`rage.NotAllowed` if it
    cannot be used."""
    if config.metrics is None:
        yield
        return
    from prometheus_client import CollectorRegistry, Counter, Histogram, start_http_server

    from rage.server.collector import MetricsCollector

    registry = CollectorRegistry()
    registry.register(MetricsCollector(lambda: app.site))
    seconds = Histogram(
        "rage_commit_seconds", "seconds_a_commit", buckets=COMMIT_BUCKETS, registry=registry
    )
    appends = Counter("rage_appends", "appends_committed", registry=registry)

    def on_commit(took: float, jobs: int) -> None:
        seconds.observe(took)
        appends.inc(jobs)

    app.on_commit = on_commit
    host, port = config.metrics
    try:
        server, thread = start_http_server(port, host, registry)
    except (OSError, UnicodeError) as error:
        if port == config.port and getattr(error, "errno", None) == errno.EADDRINUSE:
            raise NotAllowed("serve.metrics_port", port=port) from None
        raise why_not_listening(error, host, port) from None
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
