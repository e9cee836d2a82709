"""The server processes: starting them, waiting for them, measuring them from outside."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from time import monotonic, perf_counter, sleep
from typing import Final, NamedTuple

from lab.benchmarks.progress import Failure
from lab.benchmarks.server.databases import Database
from lab.benchmarks.server.node import node, peers

#: The delay of our bots in seconds, so that a table of four can make four moves a second.
BOT_DELAY: Final = 0.05
#: Seconds to wait until a server answers.
_TIMEOUT: Final = 30
_TICK: Final = 1 / os.sysconf("SC_CLK_TCK")


class Server:
    """A server, or several with one database, that answer requests. ``started``: how many seconds
    that took."""

    def __init__(
        self, name: str, started: Sequence[_Started], log: Path, database: Database | None
    ) -> None:
        self.name = name
        self.addresses = [f"http://127.0.0.1:{each.port}" for each in started]
        self._processes = [each.process for each in started]
        self._log = log
        self._database = database
        begun = perf_counter()
        while not all(self._answers(*each) for each in started):
            if perf_counter() - begun > _TIMEOUT:
                raise self.failure(f"does not answer after {_TIMEOUT} s")
            sleep(0.005)
        self.started = perf_counter() - begun

    def _answers(self, process: subprocess.Popen[bytes], port: int) -> bool:
        if process.poll() is not None:
            raise self.failure("has ended")
        connection = HTTPConnection("127.0.0.1", port, timeout=5)
        try:
            connection.request("GET", "/healthz")
            status = connection.getresponse().status
        except (OSError, HTTPException):
            return False
        finally:
            connection.close()
        return status == 200 or self.name != "rage"

    @property
    def address(self) -> str:
        """Where the first of them answers."""
        return self.addresses[0]

    def failure(self, what: str) -> Failure:
        """An error about this server, with the end of its log."""
        words = self._log.read_text(errors="replace")[-2000:]
        return Failure(f"the server of {self.name} {what}\n{words}")

    @property
    def cpu(self) -> float:
        """Seconds of processor time so far, of its processes and their children."""
        return sum(_cpu(process.pid) for process in self._processes)

    @property
    def database_cpu(self) -> float:
        """Seconds of processor time so far, of its database, or zero on SQLite."""
        return _cpu(self._database.pid) if self._database else 0

    @property
    def memory(self) -> float:
        """Resident megabytes of its processes and their children, without the database."""
        pids = (pid for process in self._processes for pid in _family(process.pid))
        return sum(_resident(pid) for pid in pids) / 1e6


class _Started(NamedTuple):
    process: subprocess.Popen[bytes]
    port: int


@contextmanager
def serving(
    name: str,
    folder: Path,
    environment: dict[str, str],
    store: Path | Database | None = None,
    count: int = 1,
) -> Iterator[Server]:
    """A fresh server, or ``count`` of them, terminated afterwards; ``environment`` is the one for
    ours, and ``store`` its data folder or database (by default an empty folder). Raises
    :class:`Failure`."""
    data = folder / f"{name}-{monotonic()}"
    data.mkdir()
    log = data / "log"
    processes: list[_Started] = []
    try:
        for _ in range(count):
            port = _free_port()
            command, settings = _command(name, port, store or data / "tables", environment)
            with log.open("ab") as output:
                process = subprocess.Popen(
                    command, env=settings, cwd=data,
                    stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                )  # fmt: skip
            processes.append(_Started(process, port))
        yield Server(name, processes, log, store if isinstance(store, Database) else None)
    finally:
        for process, _ in processes:
            process.terminate()
        for process, _ in processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _command(
    name: str, port: int, store: Path | Database, environment: dict[str, str]
) -> tuple[Sequence[str], dict[str, str]]:
    """The command that starts a server, and its environment."""
    if name == "rage":
        options = ["--port", str(port), "--no-browser", "--bot-delay", str(BOT_DELAY)]
        if isinstance(store, Database):
            options += ["--store", store.url, "--name", str(port)]
        else:
            options += ["--data", str(store)]
        return [sys.executable, "-m", "rage", "serve", *options], environment
    settings = os.environ | {"NODE_ENV": "production", "PORT": str(port)}
    return [str(node()), str(peers() / f"{name}.js")], settings


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def _cpu(pid: int) -> float:
    """Seconds of processor time so far, of a process and its descendants, those that have ended
    included."""
    return _TICK * sum(int(part) for each in _family(pid) for part in _stat(each)[11:15])


def _stat(pid: int) -> list[str]:
    """The fields of ``/proc/PID/stat`` from the state on; zeros for a process that has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ["0"] * 50


def _resident(pid: int) -> int:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _family(pid: int) -> list[int]:
    """A process and all its descendants."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        children = []
    return [pid, *(each for child in children for each in _family(int(child)))]
