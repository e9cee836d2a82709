"""The processes in which a browser runs pages and workers: slowed as on a phone, and weighed.

The developer tools slow a page's own thread alone, not its workers.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from time import monotonic, sleep
from typing import Final

#: Seconds that a renderer runs; then it stands for three times as long as it really ran.
_RUNNING: Final = 0.004
#: Seconds between two looks for new renderers.
_LOOK: Final = 0.1


def renderers(profile: Path) -> list[int]:
    """The renderers of the browser whose profile is in a folder."""
    found = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if entry.name.isdigit():
                # Chromium may have set spaces between the words.
                is_one = b"--type=renderer" in (entry / "cmdline").read_bytes()
                if is_one and _is_of(int(entry.name), profile):
                    found.append(int(entry.name))
    return found


def _is_of(process: int, profile: Path) -> bool:
    """Whether a process descends from the browser with a profile."""
    wanted = f"--user-data-dir={profile}".encode()
    while process > 1:
        folder = Path("/proc", str(process))
        if wanted in (folder / "cmdline").read_bytes():
            return True
        process = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
    return False


@contextmanager
def slowed(profile: Path) -> Iterator[None]:
    """Let the renderers of a browser run only a quarter of the time."""
    ended = Event()

    def signal_all(processes: list[int], number: int) -> None:
        for each in processes:
            with contextlib.suppress(ProcessLookupError):
                os.kill(each, number)

    def slow() -> None:
        processes, looked, continued = list[int](), 0.0, monotonic()
        while not ended.is_set():
            if monotonic() - looked > _LOOK:
                processes, looked = renderers(profile), monotonic()
            signal_all(processes, signal.SIGSTOP)
            sleep(3 * (monotonic() - continued))
            signal_all(processes, signal.SIGCONT)
            continued = monotonic()
            sleep(_RUNNING)

    thread = Thread(target=slow, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def memory(profile: Path) -> int:
    """The bytes of memory that the renderers of a browser have for themselves, and their part of
    what they share (Pss)."""
    found = 0
    for process in renderers(profile):
        with contextlib.suppress(OSError):
            text = Path("/proc", str(process), "smaps_rollup").read_text()
            found += sum(int(line.split()[1]) for line in text.splitlines() if line[:4] == "Pss:")
    return found * 1024
