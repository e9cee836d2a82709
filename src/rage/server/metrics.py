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

#: What distinguishes the metrics of several servers.
_LABELS: Final = ("server",)
#: The upper bounds of the histogram of commit times, in seconds.
COMMIT_BUCKETS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5)


@contextlib.contextmanager
def serve_metrics(config: Config, app: App) -> Iterator[None]:
    """Serve metrics at their configured address. Raises :class:`rage.NotAllowed` if it
    cannot be used."""
    assert config.metrics is not None
    registry = CollectorRegistry()
    registry.register(MetricsCollector(config.name, lambda: app.site))
    seconds = Histogram(
        "rage_commit_seconds",
        "seconds_a_commit",
        _LABELS,
        buckets=COMMIT_BUCKETS,
        registry=registry,
    ).labels(config.name)
    appends = Counter("rage_appends", "appends_committed", _LABELS, registry=registry)
    appends = appends.labels(config.name)

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
    """The metrics of a server, computed when they are read; none before it has started. Each has
    the ``server`` it is of as a label."""

    def __init__(self, server: str, site: Callable[[], Site | None]) -> None:
        self._server = server
        self._site = site

    def collect(self) -> Iterator[Metric]:
        """All metrics as they are now."""
        site = self._site()
        if site is None:
            return
        rooms = list(site.hub.rooms.values())
        clients = [client for room in rooms for client in list(room.clients.values())]
        unsent = sum(client.connection.unsent for client in clients)
        thinking, counts = site.hub.services.thinking, site.hub.services.counts
        found = (
            (GaugeMetricFamily, "rage_tables", "tables_in_memory", len(rooms)),
            (GaugeMetricFamily, "rage_sockets", "clients_connected", len(clients)),
            (GaugeMetricFamily, "rage_outbox_bytes", "bytes_not_read_yet", unsent),
            (GaugeMetricFamily, "rage_bots_waiting", "bots_thinking_or_waiting", thinking.waiting),
            (CounterMetricFamily, "rage_moves", "moves_stored", counts.moves),
            (CounterMetricFamily, "rage_events", "events_stored", counts.events),
            (CounterMetricFamily, "rage_refused", "commands_refused", counts.refused),
            (CounterMetricFamily, "rage_dropped", "clients_dropped", counts.dropped),
        )
        for kind, name, about, value in found:
            family = kind(name, about, labels=_LABELS)
            family.add_metric([self._server], value)
            yield family
