"""A progress bar on standard error for long work: Rich's, or a plain count without Rich; none if
that is not a terminal."""

from __future__ import annotations

import importlib.util
import signal
import sys
import threading
from collections.abc import Generator
from typing import TypeVar

T = TypeVar("T")


def with_progress_bar(
    pieces: Generator[T, None, None], words: str, total: int, done: int = 0
) -> Generator[T, None, None]:
    """Yields the pieces of work as they finish, with a progress bar. SIGTERM ends such work as
    Ctrl-C does."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _end)
    if not sys.stderr.isatty():
        return pieces
    if importlib.util.find_spec("rich") is None:
        return _counted(pieces, words, total, done)
    return _under_a_bar(pieces, words, total, done)


def _end(*_: object) -> None:
    """End as Ctrl-C does, with the exit status of SIGTERM."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # while what was begun ends
    raise KeyboardInterrupt(143)


def _counted(
    pieces: Generator[T, None, None], words: str, total: int, done: int
) -> Generator[T, None, None]:
    line = ""
    try:
        for number, each in enumerate(pieces, done + 1):
            yield each
            line = f"{words} {number}/{total}"
            print(f"\r{line}", end="", file=sys.stderr, flush=True)
    finally:
        print(f"\r{' ' * len(line)}\r", end="", file=sys.stderr, flush=True)


def _under_a_bar(
    pieces: Generator[T, None, None], words: str, total: int, done: int
) -> Generator[T, None, None]:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    counts = BarColumn(), MofNCompleteColumn()
    times = TimeElapsedColumn(), TextColumn("/"), TimeRemainingColumn()
    console = Console(stderr=True)
    with Progress(TextColumn(words), *counts, *times, console=console, transient=True) as bar:
        task = bar.add_task("", total=total, completed=done)
        for each in pieces:
            yield each
            bar.advance(task)
