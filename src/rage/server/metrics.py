"""Metrics for Prometheus, served on a separate address."""

from __future__ import annotations

import contextlib
import errno
from collections.abc import Callable, Iterator
from typing import Any, Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Histogram,
    ProcessCollector,
    start_http_server,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from rage import __version__
from rage.house.base.errors import REFUSED
from rage.house.requests.requester import Site
from rage.say import NotAllowed
from rage.server.app import App
from rage.server.config import Config
from rage.server.http.gate import ANSWERED
from rage.server.network import why_not_listening

#: The label that distinguishes the metrics of several servers.
_LABELS: Final = ("server",)
#: The upper bounds, in seconds, of all histograms: commits, moves, and the lag of the event loop.
BUCKETS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)


@contextlib.contextmanager
def serve_metrics(config: Config, app: App) -> Iterator[None]:
    """Serve metrics at their configured address. Raises :class:`rage.NotAllowed` if it
    cannot be used."""
    assert config.metrics is not None
    registry = CollectorRegistry()
    registry.register(MetricsCollector(config.name, lambda: app.site))

    def histogram(name: str, about: str) -> Histogram:
        made = Histogram(name, about, _LABELS, buckets=BUCKETS, registry=registry)
        return made.labels(config.name)

    seconds = histogram("rage_commit_seconds", "How long a commit to the store takes.")
    appends = Counter("rage_appends", "Changes that were committed.", _LABELS, registry=registry)
    appends = appends.labels(config.name)

    def on_commit(took: float, jobs: int) -> None:
        seconds.observe(took)
        appends.inc(jobs)

    app.on_commit = on_commit
    app.on_move = histogram(
        "rage_move_seconds", "How long a move takes from its message to the answer."
    ).observe
    app.on_lag = histogram("rage_loop_lag_seconds", "How late the event loop is.").observe
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
    """The metrics of a server, computed when they are read; none before it has started. Each is
    labelled with its ``server``."""

    def __init__(self, server: str, site: Callable[[], Site | None]) -> None:
        self._server = server
        self._site = site
        self._process = ProcessCollector(registry=None)

    def collect(self) -> Iterator[Metric]:
        """Yield the current values of all metrics."""
        site = self._site()
        if site is None:
            return
        rooms = list(site.hub.rooms.values())
        clients = [client for room in rooms for client in list(room.clients.values())]
        unsent = sum(client.connection.unsent for client in clients)
        services = site.hub.services
        thinking, counts, pressure = services.thinking, services.counts, services.store.pressure
        gauge, counter = GaugeMetricFamily, CounterMetricFamily
        found: tuple[tuple[Any, str, str, float], ...] = (
            (gauge, "rage_tables", "Tables in memory.", len(rooms)),
            (gauge, "rage_sockets", "Clients that are connected.", len(clients)),
            (gauge, "rage_outbox_bytes", "Bytes that clients have not read yet.", unsent),
            (gauge, "rage_bots_waiting", "Bots, advice and analyses at work.", thinking.waiting),
            (gauge, "rage_store_bytes", "Bytes that the store takes.", services.stored),
            (gauge, "rage_store_limit_bytes", "Bytes it may take.", services.max_store),
            (gauge, "rage_store_reachable", "Whether it can be reached.", services.reachable),
            (gauge, "rage_writer_queue", "Changes that wait to be stored.", pressure.waiting),
            (counter, "rage_commits_retried", "Commits tried again.", pressure.retried),
            (counter, "rage_not_stored", "Commands that could not be stored.", counts.not_stored),
            (counter, "rage_tables_claimed", "Tables loaded from the store.", counts.claimed),
            (counter, "rage_tables_lost", "Tables that another server took.", counts.lost),
            (counter, "rage_sockets_opened", "Clients that have connected.", counts.sockets),
            (counter, "rage_moves", "Moves that were stored.", counts.moves),
            (counter, "rage_events", "Events that were stored.", counts.events),
            (counter, "rage_refused", "Commands at tables that were refused.", counts.refused),
            (counter, "rage_dropped", "Clients dropped for their behaviour.", counts.dropped),
            (counter, "rage_reports", "Reports of people.", counts.reports),
        )
        for kind, name, about, value in found:
            yield self._family(kind(name, about, labels=_LABELS), {(): value})
        refusals = CounterMetricFamily(
            "rage_refusals", "Refusals by reason.", labels=(*_LABELS, "reason")
        )
        yield self._family(refusals, {(code,): count for code, count in [*REFUSED.items()]})
        answers = CounterMetricFamily(
            "rage_http_answers", "Answers over HTTP by status.", labels=(*_LABELS, "status")
        )
        yield self._family(answers, {(str(each),): count for each, count in [*ANSWERED.items()]})
        build = GaugeMetricFamily("rage_build_info", "Which Rage.", labels=(*_LABELS, "version"))
        yield self._family(build, {(__version__,): 1})
        for each in self._process.collect():
            labels = {_LABELS[0]: self._server}
            each.samples = [sample._replace(labels=labels) for sample in each.samples]
            yield each

    def _family(self, family: Any, values: dict[tuple[str, ...], float]) -> Metric:
        """Add ``values`` to a family, keyed by the labels after the server's."""
        for labels, value in values.items():
            family.add_metric([self._server, *labels], value)
        found: Metric = family
        return found
