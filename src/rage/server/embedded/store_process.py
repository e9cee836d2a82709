"""The embedded store: the event loop writes a few moves itself, and a separate process the rest, so
that neither waits for the other's interpreter lock."""

from __future__ import annotations

import asyncio
import logging
import os
import pickle
import sys
import time
from collections import deque
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

from rage.house.store import Append, StoreBusy, StoreFailed
from rage.house.store.file import set_impatient
from rage.house.store.transactions import Operation as Transaction
from rage.house.store.writer import Operation, Writer
from rage.house.tables.turns import settle
from rage.server.embedded import store_writer
from rage.server.embedded.store_writer import SIZE, Answer, request

_log: Final = logging.getLogger(__name__)
#: The most jobs in one commit; more wait for the next.
MAX_JOBS: Final = 1000
#: The most appends that the event loop writes itself.
FEW: Final = 4
#: The event loop commits only while recent commits took at most this many seconds. A slow one
#: counts for less by this factor with each later one: after 50 ms, the process makes a hundred.
QUICK: Final = 0.002
FADING: Final = 0.97
#: The most commits in a row that the event loop makes. With the next one, the process can copy the
#: write-ahead log into the file.
IN_A_ROW: Final = 500

T = TypeVar("T")
Job = tuple[Operation, "asyncio.Future[Any]"]


class StoreProcess(asyncio.SubprocessProtocol):
    """The process that writes a store alongside the local ``writer``, and the thread that reads.

    Waking the process and being woken by it costs several times as much as a commit. So if there is
    little to write, the event loop waits for the disk itself, as long as that is quick and nothing
    else is writing. Otherwise, everything that arrives during a commit goes into the next one
    together: one message to the process, one back.

    If the process ends, every pending operation fails, as on a failing disk; any that was committed
    all the same shows when its table is loaded again. The process ends with the server, however
    that ends, because its input does.
    """

    def __init__(self, writer: Writer) -> None:
        self._loop = asyncio.get_running_loop()
        self._reader = ThreadPoolExecutor(1, "rage-read")
        self._jobs: deque[Job] = deque()
        self._closing = False
        self._writer = writer
        self._file = writer.file
        set_impatient(writer.connection)
        self._took = 0.0  # seconds of the slowest recent commit; older ones count for less
        self._in_a_row = 0
        self._waking = False
        self._sent: list[Job] = []
        self._process: asyncio.SubprocessTransport
        self._pipe: Any = None
        self._received = bytearray()
        self._closed: asyncio.Future[None] = self._loop.create_future()
        self._starting = False
        self._start()

    def write(self, operation: Append | Transaction[T]) -> asyncio.Future[T]:
        future: asyncio.Future[T] = self._loop.create_future()
        if self._closing:
            future.set_exception(StoreFailed("store closed"))
            return future
        self._jobs.append((operation, future))
        if not self._waking and not self._sent:
            self._waking = True
            self._loop.call_soon(self._go_on)  # once all messages read together are handled
        return future

    @property
    def waiting(self) -> int:
        return len(self._jobs)

    def read(self, work: Callable[[], T]) -> asyncio.Future[T]:
        return self._loop.run_in_executor(self._reader, work)

    def read_aside(self, work: Callable[[], T]) -> Awaitable[T]:
        return asyncio.to_thread(work)

    async def close(self) -> None:
        self._closing = True
        self._go_on()
        await self._closed
        self._writer.close()
        self._reader.shutdown()

    def _start(self) -> None:
        self._starting = True
        self._task = self._loop.create_task(self._spawn())

    async def _spawn(self) -> None:
        command = [sys.executable, "-P", "-m", store_writer.__name__]
        paths = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        try:
            await self._loop.subprocess_exec(
                lambda: self,
                *command,
                stderr=None,
                env=os.environ | paths,
                start_new_session=True,  # Ctrl-C is for the server, which ends it cleanly
            )
        except OSError as error:
            self._on_end(error)

    def connection_made(self, transport: Any) -> None:
        """The process has started and can be sent requests."""
        self._process, self._pipe = transport, transport.get_pipe_transport(0)
        self._starting = False
        self._pipe.write(pickle.dumps(self._file))
        self._go_on()

    def _go_on(self) -> None:
        """Send pending operations, to a new process if the last one has ended; or end it when there
        is nothing more to do."""
        self._waking = False
        if not self._sent:
            self._commit_here()
        if self._sent or self._starting:
            return
        if self._pipe is None:
            if self._jobs:
                self._start()
            elif self._closing and not self._closed.done():
                self._closed.set_result(None)
            return
        while self._jobs and len(self._sent) < MAX_JOBS:
            self._sent.append(self._jobs.popleft())
        if self._sent:
            try:
                self._pipe.write(request([operation for operation, _ in self._sent]))
            except Exception as error:  # no caller must wait forever
                _log.exception("a commit has failed")
                self._settle([StoreFailed(error) for _ in self._sent])
        elif self._closing:
            self._pipe.close()

    def _commit_here(self) -> None:
        """Write all pending operations, if they are few enough for this to be quick."""
        if not 0 < len(self._jobs) <= FEW or self._took > QUICK or self._in_a_row >= IN_A_ROW:
            return
        operations = [operation for operation, _ in self._jobs]
        if any(type(operation) is not Append for operation in operations):
            return
        begun = time.perf_counter()
        results = self._writer.commit(operations)
        if isinstance(results[0], StoreBusy):
            return
        self._note(time.perf_counter() - begun)
        self._in_a_row += 1
        self._sent = [*self._jobs]
        self._jobs.clear()
        self._settle(results)

    def _note(self, took: float) -> None:
        self._took = max(took, FADING * self._took)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Receive a part of an answer."""
        self._received += data
        size = int.from_bytes(self._received[:SIZE], "big")
        if len(self._received) < SIZE + size or len(self._received) < SIZE:
            return
        answer = Answer(*pickle.loads(self._received[SIZE:]))
        self._received.clear()
        self._file.damage = answer.damage or self._file.damage
        self._settle(answer.results)
        self._in_a_row = 0
        for took, jobs in answer.commits:
            self._note(took)
            self._count(took, jobs)
        self._go_on()

    def _count(self, took: float, jobs: int) -> None:
        try:
            self._writer.on_commit(took, jobs)
        except Exception:
            _log.exception("a commit was not counted")

    def _settle(self, results: list[Any]) -> None:
        jobs, self._sent = self._sent, []
        for (_, future), result in zip(jobs, results, strict=True):
            settle(future, result)

    def connection_lost(self, exc: Exception | None) -> None:
        """The process has ended and sends nothing more."""
        self._process.close()
        self._on_end("writer ended")

    def _on_end(self, reason: OSError | str) -> None:
        self._pipe, self._starting = None, False
        self._received.clear()
        if self._sent or self._jobs or not self._closing:
            _log.error("the store failed: %s", reason)
        self._sent += self._jobs
        self._jobs.clear()
        self._settle([StoreFailed(reason) for _ in self._sent])
        self._go_on()
