"""Metrics for Prometheus, served on a separate address."""

from __future__ import annotations

import contextlib
import errno
from collections.abc import Callable, Iterator
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Histogram, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from rage.place.requests.requester import Site
from rage.say import NotAllowed
from rage.server.app import App
from rage.server.config import Config
from rage.server.network import why_not_listening

#: The upper bounds of the histogram of commit times, in seconds.
COMMIT_BUCKETS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5)


@contextlib.contextmanager
def serve_metrics(config: Config, app: App) -> Iterator[None]:
    """Serve metrics at their configured address. Raises :class:`rage.NotAllowed` if it
    cannot be used."""
    assert config.metrics is not None
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


class MetricsCollector(Collector):
    """The metrics of a server, computed when they are read; none before it has started."""

    def __init__(self, site: Callable[[], Site | None]) -> None:
        self._site = site

    def collect(self) -> Iterator[Metric]:
        """All metrics as they are now."""
        site = self._site()
        if site is None:
            return
        hub = site.hub
        rooms = list(hub.rooms.values())
        clients = [client for room in rooms for client in list(room.clients.values())]
        yield _gauge("rage_tables", "tables_in_memory", len(rooms))
        yield _gauge("rage_sockets", "clients_connected", len(clients))
        unsent = sum(client.connection.unsent for client in clients)
        yield _gauge("rage_outbox_bytes", "bytes_not_read_yet", unsent)
        yield _gauge("rage_bots_waiting", "bots_thinking_or_waiting", hub.services.thinking.waiting)
        yield _counter("rage_moves", "moves_stored", hub.services.counts.moves)
        yield _counter("rage_events", "events_stored", hub.services.counts.events)
        yield _counter("rage_refused", "commands_refused", hub.services.counts.refused)
        yield _counter("rage_dropped", "clients_dropped", hub.services.counts.dropped)


def _gauge(name: str, about: str, value: float) -> Metric:
    return GaugeMetricFamily(name, about, value)


def _counter(name: str, about: str, value: float) -> Metric:
    return CounterMetricFamily(name, about, value)
