"""The process that writes the embedded store: it commits each batch it is sent, and answers once
the batch is on the disk, until its input ends.

It is started often, so it imports little.
"""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import signal
import sqlite3
import sys
from typing import Any, Final, NamedTuple

from msgspec import msgpack

from rage.house.store import Append, StoreFailed
from rage.house.store.file import StoreFile, connect
from rage.house.store.writer import Operation, Writer

_encode: Final = msgpack.Encoder().encode
_decode: Final = msgpack.Decoder(list[Append]).decode
#: The number of bytes before an answer that give its size.
SIZE: Final = 4


class Answer(NamedTuple):
    """The results or errors of a batch, the seconds each of its commits took with the number of
    jobs to count, and an error about damaged pages, if there was one."""

    results: list[Any]
    commits: list[tuple[float, int]]
    damage: str


def request(operations: list[Operation]) -> bytes:
    """Serialize a batch for the process. Appends, by far the most frequent, take a tenth of the
    time pickle would need."""
    plain = all(type(operation) is Append for operation in operations)
    return pickle.dumps(_encode(operations) if plain else operations, 5)


def _send(data: bytes) -> None:
    """Write all of the data, leaving nothing in a buffer that no one would flush."""
    while data:
        data = data[os.write(1, data) :]


def main() -> None:
    """Write to the file named by the first message."""
    # A signal ends the server first, and this process once everything is written.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    commits: list[tuple[float, int]] = []
    try:
        file: StoreFile = pickle.load(sys.stdin.buffer)
        file.check()  # a new file is of no use
        writer = Writer(connect(file.path), file, lambda *commit: commits.append(commit))
    except EOFError:
        return
    except (StoreFailed, sqlite3.Error, OSError) as error:
        sys.exit(f"{file.path}: {error}")
    gc.freeze()
    with contextlib.suppress(EOFError, pickle.UnpicklingError, BrokenPipeError):
        while True:
            batch = pickle.load(sys.stdin.buffer)
            operations: list[Operation] = [*_decode(batch)] if type(batch) is bytes else batch
            results = writer.commit(operations)
            answer = pickle.dumps(tuple(Answer(results, commits, file.damage)), 5)
            commits.clear()
            _send(len(answer).to_bytes(SIZE, "big") + answer)
    writer.close()


if __name__ == "__main__":
    main()
