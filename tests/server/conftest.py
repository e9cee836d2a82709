"""Servers to test from outside: ``server`` for tests that change nothing others would notice,
``launch`` for those that need one of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from server.postgres import cluster
from server.running import Running

Launch = Callable[..., Running]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server that many tests share, with bots that answer at once."""
    running = Running(tmp_path_factory.mktemp("server") / "data")
    yield running
    running.end()
    running.check_log()


@pytest.fixture
def launch(tmp_path: Path) -> Iterator[Launch]:
    """Starts servers, on one data folder unless another is given; ends them afterwards."""
    started = []

    def start(
        *options: str,
        data: Path | None = None,
        port: int = 0,
        **environment: str,
    ) -> Running:
        data = data or tmp_path / "data"
        running = Running(data, options, port=port, environment=environment)
        started.append(running)
        return running

    yield start
    for running in started:
        running.end()
        running.check_log()


@pytest.fixture(params=["sqlite", "postgres"])
async def store_options(request: pytest.FixtureRequest, tmp_path: Path) -> list[str]:
    """The options of a server for each store: none, or those for a PostgreSQL database."""
    return [] if request.param == "sqlite" else ["--store", await cluster().url(tmp_path.name)]
