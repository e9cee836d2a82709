"""Several servers on one PostgreSQL."""

from __future__ import annotations

import asyncio
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from server.fronts import NAME
from server.postgres import cluster
from server.running import Running

#: As docs/servers.md starts them, with the proxy on the same machine.
OPTIONS = ("--proxy", "127.0.0.1,::1", "--allowed-hosts", NAME, "--log", "json",
           "--people-per-address", "400")  # fmt: skip


class Fleet:
    """Two servers with one store, named by 0 and 1. ``options``: what they are given beside the
    usual; ``environments``: what each finds in its own."""

    def __init__(
        self, folder: Path, *options: str, environments: tuple[dict[str, str], ...] = ({}, {})
    ) -> None:
        self.folder, self._options, self._environments = folder, options, environments
        self.url = asyncio.run(cluster().url(folder.name))
        with ThreadPoolExecutor() as both:
            self.servers = list(both.map(self._start, (0, 1)))

    def _start(self, which: int, port: int = 0) -> Running:
        return Running(
            self.folder / f"server{which}",
            ("--store", self.url, *OPTIONS, *self._options),
            port=port,
            environment=self._environments[which],
        )

    @property
    def ports(self) -> tuple[int, ...]:
        """Where they listen."""
        return tuple(each.port for each in self.servers)

    def end(self, which: int, number: int = signal.SIGTERM) -> int:
        """End one; its exit status."""
        return self.servers[which].end(number)

    def kill(self, which: int) -> None:
        """End one as a power cut does."""
        self.end(which, signal.SIGKILL)

    def start(self, which: int) -> None:
        """Start one that has ended, on the same port."""
        self.servers[which] = self._start(which, self.servers[which].port)

    def close(self) -> None:
        """End all of them."""
        for each in self.servers:
            each.end()
            each.check_log()
