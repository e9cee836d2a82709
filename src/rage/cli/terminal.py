"""The terminal: how the program was invoked, its browser, questions, notes and progress."""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import sys
import threading
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Final, TypeVar

from rage.bots.titles import notes_on
from rage.engine.kernel import COMPILED
from rage.extras import command_line, runner
from rage.rules.editions import ruleset
from rage.say import text


def program_name() -> str:
    """The command as invoked: ``rage``, with a path if needed, such as ``.venv/bin/rage``,
    ``python -m rage``, or a tool that runs it once."""
    if once := runner():
        return command_line([*once, "rage-cards[play]"])
    path = sys.argv[0]
    name = os.path.basename(path)
    if name == "__main__.py":
        python = os.path.basename(sys.executable)
        # In a virtual environment it may be a link to an interpreter without Rage.
        found = shutil.which(python) == sys.executable
        return command_line([python if found else _nearest(sys.executable), "-m", "rage"])
    if os.path.splitext(name)[0] != "rage" or not os.path.isfile(path):
        return "rage"
    program = shutil.which("rage")
    if program is not None and os.path.samefile(program, path):
        return "rage"
    return command_line([_nearest(path)])


def _nearest(path: str) -> str:
    """The relative path if it leads into this folder; otherwise the path unchanged."""
    try:
        near = os.path.relpath(path)
    except ValueError:  # another drive of Windows
        return path
    return path if near.startswith(os.pardir) else near


def output_width() -> int | None:
    """The columns of the terminal that the output goes to; ``None`` if it goes elsewhere."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def has_browser() -> bool:
    """Return whether there is a screen to open a browser on, or ``BROWSER`` is set."""
    if os.environ.get("BROWSER"):
        return True
    if sys.platform.startswith("linux"):
        return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return not os.environ.get("SSH_CONNECTION")


def open_in_browser(url: str) -> bool:
    """Open an address in the desktop's browser. Returns whether it could be started."""
    import webbrowser

    return webbrowser.open(url)


def ask(code: str, language: str, *, usual: bool = True) -> bool | None:
    """Ask a yes-or-no question. Enter alone means ``usual``; returns ``None`` if the input has
    ended."""
    while True:
        print(text(code, language), end=" ", flush=True)
        line = sys.stdin.readline()
        if not line:
            print()
            return None
        word = line.strip().lower()
        if not word:
            return usual
        if word in text("play.yes", language).split():
            return True
        if word in text("play.no", language).split():
            return False


T = TypeVar("T")


def with_progress_bar(
    pieces: Generator[T, None, None], words: str, total: int, done: int = 0
) -> Generator[T, None, None]:
    """Yield the pieces of work as they finish, with a progress bar. SIGTERM ends the work as Ctrl-C
    does."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _end)
    if not sys.stderr.isatty():
        return pieces
    if importlib.util.find_spec("rich") is None:
        return _counted(pieces, words, total, done)
    return _under_a_bar(pieces, words, total, done)


def _end(*_: object) -> None:
    """End as Ctrl-C does, with the exit status of SIGTERM."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # while the work winds down
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


#: The file in the data folder that marks that the note about the compiler was shown.
_SAID: Final = ".compiler-noted"


def uncompiled_note(language: str, folder: Path) -> str | None:
    """A note that Rage is slower because it was installed without a C compiler; ``None`` if it was
    compiled, or the note was already shown with this data folder."""
    if COMPILED:
        return None
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        (folder / _SAID).touch(exist_ok=False)
    except FileExistsError:
        return None
    except OSError:  # then it is shown again the next time
        pass
    return text("cli.uncompiled", language)


def note_bots(bots: Iterable[str], rules: str, language: str) -> None:
    """Print which bots stand in for any of these under the rule set ``rules``."""
    for each in notes_on(bots, ruleset(rules), language):
        print(each, file=sys.stderr)
