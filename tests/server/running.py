"""The real server in a process of its own, and clients for it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx

from server.forking import Forked, helper

#: What a page of this server sends with everything that changes something.
OURS = {"X-Rage": "1"}
#: For how many seconds a busy machine may stand still at any moment of a test: what is promised to
#: happen within some time is given so much more, and what only happens after some time, longer.
STANDSTILL = 2.5
#: Seconds for what has to happen, whenever a busy machine comes to it.
PATIENCE = 60.0
_READY = re.compile(r"http[s]?://\S+")


class Running:
    """A server on a free port of this machine, with a data folder of its own."""

    def __init__(
        self,
        data: Path,
        options: Sequence[str] = (),
        *,
        port: int = 0,
        environment: dict[str, str] | None = None,
    ) -> None:
        self.data = data
        begun = time.monotonic()
        self.errors = data.parent / f"{data.name}.err"
        self._clients: list[httpx.Client] = []
        words = ["serve", "--no-browser", "--port", str(port), "--bot-delay", "0", *options]
        if "--store" not in options:
            words += ["--data", str(data)]
        fresh = any(name.startswith("PYTHON") for name in environment or {})
        env = {**os.environ, "RAGE_LANG": "en", **(environment or {})}
        self.process: subprocess.Popen[str] | Forked
        with self.errors.open("ab") as errors:
            if fresh or not hasattr(os, "fork"):
                self.process = subprocess.Popen(
                    [sys.executable, "-m", "rage", *words], stdout=subprocess.PIPE, stderr=errors,
                    text=True, encoding="utf-8", env=env,
                )  # fmt: skip
            else:
                self.process = helper().start(words, env, errors)
        self.said = self._wait()
        #: Where it answers, without a slash at the end.
        self.url = _READY.findall(self.said[0])[0].rstrip("/")
        #: How long that took.
        self.seconds = time.monotonic() - begun

    @property
    def port(self) -> int:
        """The port it listens on."""
        return httpx.URL(self.url).port or 80

    def _wait(self) -> list[str]:
        """What it prints until it answers."""
        assert self.process.stdout is not None
        said = []
        for line in self.process.stdout:
            said.append(line.rstrip("\n"))
            if "Ctrl-C" in line:
                return said
        raise AssertionError(f"it ended: {said} {self.logged()}")

    def logged(self) -> str:
        """What it has written to the error output."""
        return self.errors.read_text(encoding="utf-8")

    def check_log(self) -> None:
        """Fail if it has logged an error of the program, which has a traceback."""
        logged = self.logged()
        assert "  File " not in logged, logged
        assert "Traceback" not in logged, logged

    def someone(self, name: str | None = None, **headers: str) -> httpx.Client:
        """A person with a cookie, and a name if one is given."""
        return introduced(self.nobody(**headers), name)

    def nobody(self, **headers: str) -> httpx.Client:
        """A client without a cookie."""
        client = httpx.Client(base_url=self.url, headers={**OURS, **headers}, verify=False)
        self._clients.append(client)
        return client

    def end(self, number: int = signal.SIGTERM) -> int:
        """End it with a signal; its exit status."""
        for client in self._clients:
            client.close()
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            return self.process.wait(PATIENCE)
        finally:
            self.process.kill()
            self.process.wait()
            assert self.process.stdout is not None
            self.process.stdout.close()


def free_port() -> int:
    """A port of this machine on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def introduced(client: httpx.Client, name: str | None = None, base: str = "") -> httpx.Client:
    """A client once it has a cookie, and a name if one is given. ``base``: the server's base
    path."""
    assert client.get(f"{base}/api/me").status_code == 200
    if name is not None:
        assert client.put(f"{base}/api/me", json={"name": name}).status_code == 200
    return client


@contextlib.contextmanager
def people(url: str, *names: str) -> Iterator[list[httpx.Client]]:
    """Persons with a name and a cookie, at a server anywhere."""
    with contextlib.ExitStack() as stack:
        clients = [stack.enter_context(httpx.Client(base_url=url, headers=OURS)) for _ in names]
        yield [introduced(client, name) for client, name in zip(clients, names, strict=True)]


def person_of(client: httpx.Client) -> str:
    """The id of the person that somebody is to the server."""
    found: str = client.get("/api/me").json()["person"]
    return found


def refusal(answer: httpx.Response) -> tuple[int, str]:
    """The status and the code of what an answer refuses."""
    return answer.status_code, answer.json()["reason"]["code"]


def open_table(client: httpx.Client, rules: str = "amigo", players: int = 4, **fields: Any) -> str:
    """Open a table; its code."""
    asked = {"rules": rules, "players": players, "name": "Ann", **fields}
    answer = client.post("/api/tables", json=asked)
    assert answer.status_code == 201, answer.text
    code: str = answer.json()["table"]
    return code


async def wait_until(condition: Callable[[], object], seconds: float = PATIENCE) -> float:
    """Wait until a condition holds; how long that took, in seconds."""
    begun = time.monotonic()
    while not condition():
        assert time.monotonic() < begun + seconds
        await asyncio.sleep(0.01)
    return time.monotonic() - begun


def writers(server: int) -> list[int]:
    """The processes of a server that write."""
    lists = Path(f"/proc/{server}/task").glob("*/children")
    return [int(pid) for each in lists for pid in each.read_text().split() if is_writer(pid)]


def is_writer(pid: int | str) -> bool:
    """Whether this process lives and writes the store of a server."""
    try:
        return "store_writer" in Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return False


def memory(process: int | str) -> int:
    """How much memory a process has, in bytes."""
    pages = Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def busy(server: Running | None = None) -> float:
    """How much slower everything is than on a machine with nothing else to do, at least one: by
    the work that waits for each processor, and by how long the server took to start."""
    waiting = os.getloadavg()[0] / (os.cpu_count() or 1)
    return max(1.0, waiting, server.seconds if server else 0)
