"""The command ``rage`` in processes of its own, which have imported the server before they begin.

To import it is most of what a start takes, and the tests start hundreds of servers. One process
imports it (this program), and every server is a copy of that process.
"""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from functools import cache
from typing import IO, Any


class Forked:
    """A process with a command, as far as the tests need of ``subprocess.Popen``."""

    def __init__(self, helper: Helper, pid: int, stdout: IO[str]) -> None:
        self._helper, self.pid, self.stdout = helper, pid, stdout
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """The status it has ended with; ``None`` while it runs."""
        if self.returncode is None:
            self.returncode = self._helper.ask({"pid": self.pid})
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end. Raises ``subprocess.TimeoutExpired``."""
        end = None if timeout is None else time.monotonic() + timeout
        while (status := self.poll()) is None:
            if end is not None and time.monotonic() > end:
                raise subprocess.TimeoutExpired("rage", timeout or 0)
            time.sleep(0.005)
        return status

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class Helper:
    """The process of which the others are copies."""

    def __init__(self) -> None:
        self._line, other = socket.socketpair()
        self._lock = threading.Lock()
        # It ends when nobody is left at the other end of its line.
        process = subprocess.Popen(
            [sys.executable, __file__, str(other.fileno())], pass_fds=[other.fileno()],
            stdout=subprocess.PIPE,  # as the copies have: what cannot be sought in
        )  # fmt: skip
        assert process.stdout is not None
        process.stdout.close()
        process.returncode = 0  # nobody waits for it
        other.close()

    def ask(self, asked: dict[str, Any], files: list[int] | None = None) -> Any:
        """The answer to a question, with which files may be given."""
        with self._lock:
            socket.send_fds(self._line, [json.dumps(asked).encode()], files or [])
            return json.loads(self._line.recv(1000))

    def start(self, words: list[str], environment: dict[str, str], errors: IO[bytes]) -> Forked:
        """Run ``rage`` with some words."""
        reading, writing = os.pipe()
        asked = {"words": words, "environment": environment, "folder": os.getcwd()}
        pid = self.ask(asked, [writing, errors.fileno()])
        os.close(writing)
        return Forked(self, pid, os.fdopen(reading, encoding="utf-8"))


_STARTING = threading.Lock()


def helper() -> Helper:
    """The one helper, also for threads that ask for it at the same time: the cache alone would keep
    one of several, and the line of each other would be left open."""
    with _STARTING:
        return _helper()


@cache
def _helper() -> Helper:
    return Helper()


def _serve(line: socket.socket) -> list[str]:
    """Answer until this is a copy with something to do: its words."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the tests
    while True:
        data, files, _, _ = socket.recv_fds(line, 1 << 20, 2)
        if not data:
            os._exit(0)
        asked = json.loads(data)
        if "pid" in asked:
            pid, status = os.waitpid(asked["pid"], os.WNOHANG)
            said = os.waitstatus_to_exitcode(status) if pid else None
        elif (said := os.fork()) == 0:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            line.close()
            os.dup2(files[0], 1)
            os.dup2(files[1], 2)
            for each in files:
                os.close(each)
            os.chdir(asked["folder"])
            os.environ.clear()
            os.environ.update(asked["environment"])
            random.seed()
            words: list[str] = asked["words"]
            return words
        for each in files:
            os.close(each)
        line.sendall(json.dumps(said).encode())


if __name__ == "__main__":
    from rage.cli import main
    from rage.cli.commands import serve
    from rage.server import run

    assert serve
    assert run
    sys.path[0] = ""  # as with "python -m rage"
    sys.argv = ["rage", *_serve(socket.socket(fileno=int(sys.argv[1])))]
    raise SystemExit(main())
