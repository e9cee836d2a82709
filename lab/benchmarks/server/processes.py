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
from typing import Final

from lab.benchmarks.progress import Failure
from lab.benchmarks.server.node import node, peers

#: The delay of our bots in seconds, so that a table of four can make four moves a second.
BOT_DELAY: Final = 0.05
#: Seconds to wait until a server answers.
_TIMEOUT: Final = 30
_TICK: Final = 1 / os.sysconf("SC_CLK_TCK")


class Server:
    """A server that answers requests. ``started``: how many seconds that took."""

    def __init__(self, name: str, process: subprocess.Popen[bytes], port: int, log: Path) -> None:
        self.name = name
        self.address = f"http://127.0.0.1:{port}"
        self._process = process
        self._port = port
        self._log = log
        begun = perf_counter()
        while not self._answers():
            if perf_counter() - begun > _TIMEOUT:
                raise self.failure(f"does not answer after {_TIMEOUT} s")
            sleep(0.005)
        self.started = perf_counter() - begun

    def _answers(self) -> bool:
        if self._process.poll() is not None:
            raise self.failure("has ended")
        connection = HTTPConnection("127.0.0.1", self._port, timeout=5)
        try:
            connection.request("GET", "/healthz")
            status = connection.getresponse().status
        except (OSError, HTTPException):
            return False
        finally:
            connection.close()
        return status == 200 or self.name != "rage"

    def failure(self, what: str) -> Failure:
        """An error about this server, with the end of its log."""
        words = self._log.read_text(errors="replace")[-2000:]
        return Failure(f"the server of {self.name} {what}\n{words}")

    @property
    def cpu(self) -> float:
        """Seconds of processor time so far, of the process and its children."""
        fields = (_stat(pid) for pid in _family(self._process.pid))
        return _TICK * sum(int(each[11]) + int(each[12]) for each in fields)

    @property
    def memory(self) -> float:
        """Resident megabytes of the process and its children."""
        return sum(_resident(pid) for pid in _family(self._process.pid)) / 1e6


@contextmanager
def serving(name: str, folder: Path, environment: dict[str, str]) -> Iterator[Server]:
    """A fresh server, terminated afterwards; ``environment`` is the one for ours. Raises
    :class:`Failure`."""
    port = _free_port()
    data = folder / f"{name}-{monotonic()}"
    data.mkdir()
    log = data / "log"
    command, settings = _command(name, port, data, environment)
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, env=settings, cwd=data, stdin=subprocess.DEVNULL, stdout=output, stderr=output
        )
    try:
        yield Server(name, process, port, log)
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _command(
    name: str, port: int, data: Path, environment: dict[str, str]
) -> tuple[Sequence[str], dict[str, str]]:
    """The command that starts a server, and its environment."""
    if name == "rage":
        options = ["--port", str(port), "--data", str(data / "tables"), "--no-browser"]
        options += ["--bot-delay", str(BOT_DELAY)]
        return [sys.executable, "-m", "rage", "serve", *options], environment
    settings = os.environ | {"NODE_ENV": "production", "PORT": str(port)}
    return [str(node()), str(peers() / f"{name}.js")], settings


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


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
