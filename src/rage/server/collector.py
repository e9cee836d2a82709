"""The metrics of the server, as a collector for Prometheus."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from rage.place.requests.requester import Site


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
