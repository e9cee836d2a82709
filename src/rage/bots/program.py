"""Bots that are programs: for each decision, a line of JSON to standard input, and one back.

A program is started by its first question, and answers for every seat that it plays in this
process, at any table: each question is self-contained, with a seed for random choices. It ends when
its input ends.
"""

from __future__ import annotations

import atexit
import contextlib
import io
import json
import os
import shlex
import signal
import subprocess
from collections.abc import Iterator
from queue import Empty, Queue, SimpleQueue
from threading import Lock, Thread, current_thread, main_thread
from typing import Any, Final

from rage.bots.interface import PROGRAM, BaseBot, Budget, check_answer
from rage.files import expand
from rage.game.view import View
from rage.rules.ruleset import RuleSet
from rage.rules.settings import SETTING_NAMES
from rage.rules.values import Move
from rage.say import NotAllowed, NotReadable, brief

#: Seconds that a program may think about one move.
MOVE_TIMEOUT: Final = 60.0
#: Seconds that it may take to exit after the end of its input.
_EXIT_TIMEOUT: Final = 1.0
#: The longest line read as an answer, and how much of a program's stderr is kept, in bytes.
_MAX_LINE: Final = 1 << 16
_MAX_ERRORS: Final = 1 << 13
#: How many answers are read ahead: enough to notice one too many.
_MAX_ANSWERS: Final = 2
_EXAMPLE: Final = '{"move": "R15"}'


class ProgramBot(BaseBot):
    """A bot that is a program: one process for all seats that it plays."""

    def __init__(self, name: str, seed: int | None, timeout: float = MOVE_TIMEOUT) -> None:
        end_programs_by_signals()
        self.name = name
        self._seed = seed
        self._timeout = timeout
        try:
            words = shlex.split(name.removeprefix(PROGRAM), posix=os.name != "nt")
        except ValueError:
            words = []
        if not words:
            raise NotReadable("bot.own.no_name", bot=name)
        self._words = [expand(words[0]), *words[1:]]

    def choose(self, view: View, budget: Budget | None = None) -> Move:
        """The program's answer, checked to be legal. Raises :class:`rage.NotAllowed` if it cannot
        be started, exits, times out, or answers anything but a legal move; it is then stopped, and
        restarted for the next question."""
        program = _running(self.name, self._words)
        try:
            line = program.ask(question(view, self._seed), self._timeout)
            return check_answer(self.name, _read(self.name, line), view)
        except NotAllowed:
            _stop(self.name)
            raise


def question(view: View, seed: int | None) -> bytes:
    """The question to a program: one line."""
    asked = {"rules": _rules_data(view.rules), "seed": seed, "view": view.as_data()}
    return json.dumps(asked, separators=(",", ":")).encode() + b"\n"


def _rules_data(rules: RuleSet) -> dict[str, Any]:
    """The name and every setting of a rule set, because programs do not know the editions."""
    settings = {name: getattr(rules, name) for name in SETTING_NAMES}
    return {"name": rules.name, **settings, "pack": vars(rules.pack)}


def _read(name: str, line: bytes) -> str:
    """The code of the move in a line of JSON; other fields are ignored."""
    try:
        answer: Any = json.loads(line)
        move = answer["move"]
    except (ValueError, KeyError, TypeError, RecursionError):
        move = None
    if isinstance(move, str):
        return move
    raise NotAllowed("bot.program.unreadable", bot=name, line=_said(line), example=_EXAMPLE)


def _said(line: bytes) -> str:
    return brief(line.decode("utf-8", "replace").strip())


class _Program:
    """A running program, in its own session, so that it can be killed with all its children.
    Threads write and read its lines, so that a wait always ends, even if it never reads."""

    def __init__(self, name: str, words: list[str]) -> None:
        self.name = name
        self._lock = Lock()
        self._questions = SimpleQueue[bytes]()
        self._answers = Queue[bytes](_MAX_ANSWERS)
        self._errors = b""
        self._stopping = False
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(
                words, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
            )
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise NotAllowed("bot.program.no_start", bot=name, error=why) from None
        self._listening = Thread(target=self._read_errors, daemon=True)
        for thread in (
            Thread(target=self._write, daemon=True),
            Thread(target=self._read, daemon=True),
            self._listening,
        ):
            thread.start()

    def _write(self) -> None:
        """Pass on questions until an empty one, then close the program's input."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError), self._process.stdin as out:  # it may have exited
            while asked := self._questions.get():
                out.write(asked)
                out.flush()

    def _read(self) -> None:
        """Pass on answers; an empty one marks the end. A program that writes too much waits."""
        assert self._process.stdout is not None
        with self._process.stdout as source:
            while line := source.readline(_MAX_LINE):
                if not self._stopping:
                    self._answers.put(line)
        self._answers.put(b"")

    def _read_errors(self) -> None:
        """Keep the end of the program's stderr."""
        assert isinstance(self._process.stderr, io.BufferedReader)
        with self._process.stderr as source:
            while said := source.read1(_MAX_ERRORS):
                self._errors = (self._errors + said)[-_MAX_ERRORS:]

    def ask(self, asked: bytes, seconds: float) -> bytes:
        """Ask the program, and return its answer, one line. Raises :class:`rage.NotAllowed` if
        there is none, or if an extra line came before, which would be mistaken for this answer."""
        with self._lock:
            if not self._answers.empty():
                raise self._unasked(self._answers.get())
            self._questions.put(asked)
            try:
                line = self._answers.get(timeout=seconds)
            except Empty:
                code = "bot.program.silent"
                raise NotAllowed(code, bot=self.name, seconds=f"{seconds:g}") from None
        if not line:
            raise self._ended()
        return line

    def _unasked(self, line: bytes) -> NotAllowed:
        """The error for an answer without a question, or for a program that exited."""
        if not line:
            return self._ended()
        return NotAllowed("bot.program.unasked", bot=self.name, line=_said(line))

    def _ended(self) -> NotAllowed:
        """The error for a program that exited, with its stderr."""
        try:
            status: object = self._process.wait(_EXIT_TIMEOUT)
        except subprocess.TimeoutExpired:  # it has only closed its stdout
            status = "?"
        self._listening.join(_EXIT_TIMEOUT)
        words = brief(_error_line(self._errors.decode("utf-8", "replace").splitlines()))
        return NotAllowed("bot.program.ended", bot=self.name, status=status, words=words)

    def stop(self) -> None:
        """Stop the program, by closing its input or else by force."""
        self._stopping = True
        self._questions.put(b"")
        with contextlib.suppress(Empty):  # makes room for the end mark
            while True:
                self._answers.get_nowait()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_EXIT_TIMEOUT)
        self.kill()
        self._process.wait()

    def kill(self) -> None:
        """Kill the program with all its children (on Windows, the program alone)."""
        if os.name == "nt":
            self._process.kill()
        else:
            with contextlib.suppress(OSError):  # already gone
                os.killpg(self._process.pid, signal.SIGKILL)


def _error_line(lines: list[str]) -> str:
    """The line of an interpreter's output that says what went wrong: the last with the word Error,
    rather than a version at the end."""
    said = [line.strip() for line in lines if line.strip()]
    return next((line for line in reversed(said) if "Error" in line), said[-1] if said else "-")


#: The running programs, by the names of their bots.
_PROGRAMS: Final[dict[str, _Program]] = {}
_STARTING: Final = Lock()


def _running(name: str, words: list[str]) -> _Program:
    """The program of a bot, started if necessary. Raises :class:`rage.NotAllowed`."""
    with _STARTING:
        program = _PROGRAMS.get(name)
    if program is None:
        # A signal that came meanwhile is handled once the lock, which that takes, is free again.
        with _signals_deferred(), _STARTING:
            program = _PROGRAMS.get(name)
            if program is None:
                program = _PROGRAMS[name] = _Program(name, words)
    return program


def _stop(name: str) -> None:
    """Stop the program of a bot, if it is running."""
    with _STARTING:
        program = _PROGRAMS.pop(name, None)
    if program is not None:
        program.stop()


@atexit.register
def stop_programs() -> None:
    """Stop all programs that play here."""
    for name in [*_PROGRAMS]:
        _stop(name)


def kill_programs() -> None:
    """Kill all programs of this process before it ends. None is started later."""
    _STARTING.acquire(timeout=_EXIT_TIMEOUT)  # another thread may be starting one
    for program in [*_PROGRAMS.values()]:
        program.kill()


#: Signals that end a process by default: a closed terminal, a request, Ctrl-\. (Ctrl-C is an
#: exception.) A program in its own session does not receive them.
_ENDINGS: Final = tuple(
    getattr(signal, name) for name in ("SIGHUP", "SIGTERM", "SIGQUIT") if hasattr(signal, name)
)


def end_programs_by_signals() -> None:
    """Make signals that end this process end its programs too; only in the main thread."""
    if current_thread() is not main_thread():
        return
    for number in _ENDINGS:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _end_by_signal)


@contextlib.contextmanager
def _signals_deferred() -> Iterator[None]:
    """Hold back signals that end this process: a program that is being started could not be ended
    yet. (Signals are handled in the main thread, which waits for other threads.)"""
    came: list[int] = []
    ours = [number for number in _ENDINGS if signal.getsignal(number) is _end_by_signal]
    if current_thread() is not main_thread():
        ours.clear()
    for number in ours:
        signal.signal(number, lambda number, _: came.append(number))
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, _end_by_signal)
        for number in came:
            _end_by_signal(number, None)


def _end_by_signal(number: int, _frame: object) -> None:
    kill_programs()
    signal.signal(number, signal.SIG_DFL)
    signal.raise_signal(number)
