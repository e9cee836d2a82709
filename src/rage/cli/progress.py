"""A progress bar on standard error for long work; none if that is not a terminal."""

from __future__ import annotations

import sys
from collections.abc import Generator
from typing import TypeVar

T = TypeVar("T")


def with_progress_bar(
    pieces: Generator[T, None, None], words: str, total: int, done: int = 0
) -> Generator[T, None, None]:
    """Yields the pieces of work as they finish, with a progress bar."""
    if not sys.stderr.isatty():
        return pieces
    return _under_a_bar(pieces, words, total, done)


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
