"""Logging: failures, but nothing secret or personal, and never enough to fill a disk.

No message contains a card, a seed, a cookie, a token, a person or the code of a table. A table is
logged as a fingerprint, a path without its client-supplied parts, an error as its type and
traceback.
"""

from __future__ import annotations

import contextlib
import json
import logging
import re
import sqlite3
import sys
import time
import traceback
from datetime import UTC, datetime
from typing import Any, Final, Literal, NamedTuple

from rage.house.base.codes import NoTable, read_code, table_fingerprint
from rage.house.limits.rate import Rate, RateLimit
from rage.house.requests.routes import ROUTES

#: Loggers of libraries of which only errors matter.
_QUIET: Final = ("uvicorn.error", "uvicorn.access", "asyncio")
#: Path parts of the page and of requests that every server has, so they are not secret.
_KNOWN: Final = frozenset(
    ("assets", "g", "join", "judge", "mine", "new", "openapi.json", "schema", "settings", "sheet",
     "stats", "t", "tv", "ws",
     *(part for route in ROUTES for part in route.path.split("/") if "{" not in part))
)  # fmt: skip
#: Path parts followed by the code of a table.
_BEFORE_CODES: Final = ("tables", "t", "tv", "g", "ws")
#: How many lines of a kind are written: of requests, which have one each, and of all others.
_REQUESTS: Final = Rate(1000, 0.02)
_OTHERS: Final = Rate(10, 1.0)
#: The most kinds of lines remembered, and the seconds between reports of lines left out.
MAX_KINDS: Final = 1000
REPORT_INTERVAL: Final = 5.0
LEFT_OUT: Final = "left_out=%d: %s"
#: Marks where a library's message turns from fixed text to values.
_VALUES: Final = re.compile(r"[\n(<\[{'\"]")


def redacted_path(path: str) -> str:
    """A path in its logged form: with a table's fingerprint instead of its code, and ``…`` for
    anything else that may be secret."""
    parts = path[:200].split("/")
    return "/".join(
        _redacted_part(part, parts[at - 1] if at else "") for at, part in enumerate(parts[:8])
    )


def _redacted_part(part: str, before: str) -> str:
    if not part or part in _KNOWN:
        return part
    if before in _BEFORE_CODES:
        try:
            return table_fingerprint(read_code(part))
        except NoTable:
            pass
    return "…"


def _message(record: logging.LogRecord) -> str:
    """The message of a record; only the fixed text if it is a library's, because its values may be
    anything."""
    message = record.getMessage()
    if record.name.partition(".")[0] == "rage":
        return message.replace("\n", " ")
    return _VALUES.split(message, maxsplit=1)[0].rstrip()


def _error_text(error: BaseException | None) -> str:
    """An error with its traceback; its message is included only if it comes from the system."""
    lines: list[str] = []
    while error is not None:
        kind = type(error)
        words = f": {error}" if isinstance(error, OSError | sqlite3.Error) else ""
        lines = [
            *traceback.format_tb(error.__traceback__),
            f"{kind.__module__}.{kind.__qualname__}{words}\n",
            *lines,
        ]
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return "".join(lines).rstrip("\n")


class _Text(logging.Formatter):
    """Formats a log record as a line for people."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as a line, followed by the traceback of an error."""
        line = f"{self.formatTime(record)} {record.levelname} {record.name}: {_message(record)}"
        return f"{line}\n{_error_text(record.exc_info[1])}" if record.exc_info else line


class _Json(logging.Formatter):
    """Formats a log record as a JSON object for programs; each names the ``server``."""

    def __init__(self, server: str) -> None:
        super().__init__()
        self._server = server

    def format(self, record: logging.LogRecord) -> str:
        """The record as JSON, with the traceback of an error in ``error``."""
        at = datetime.fromtimestamp(record.created, UTC)
        line: dict[str, Any] = {
            "at": at.isoformat(timespec="milliseconds"),
            "server": self._server,
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _message(record),
        }
        line |= getattr(record, "about", {})
        if record.exc_info:
            line["error"] = _error_text(record.exc_info[1])
        return json.dumps(line, ensure_ascii=False)


class _Kind(NamedTuple):
    """The common part of log lines that differ only in their values."""

    logger: str
    level: int
    template: str


class RateLimitedHandler(logging.StreamHandler[Any]):
    """Writes lines of each kind at a limited rate, and reports how many were left out."""

    def __init__(self, stream: Any) -> None:
        super().__init__(stream)
        self._requests, self._others = (
            RateLimit(_REQUESTS, MAX_KINDS),
            RateLimit(_OTHERS, MAX_KINDS),
        )
        self._left_out: dict[_Kind, tuple[int, logging.LogRecord]] = {}
        self._reported = 0.0

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line, or count it as left out."""
        now = time.monotonic()
        kind = _Kind(record.name, record.levelno, str(record.msg)[:200])
        self._report_if_due(now)
        limit = self._requests if record.levelno <= logging.INFO else self._others
        if not limit.try_acquire(kind, now):
            if not self._left_out:
                self._reported = now
            self._left_out[kind] = self._left_out.get(kind, (0, record))[0] + 1, record
            return
        super().emit(record)

    def report(self) -> None:
        """Report left-out lines if a report is due."""
        with self.lock or contextlib.nullcontext():
            self._report_if_due(time.monotonic())

    def _report_if_due(self, now: float) -> None:
        if self._left_out and now - self._reported >= REPORT_INTERVAL:
            self._report(now)

    def _report(self, now: float) -> None:
        """Write how many lines of each kind were left out, and the last of them."""
        left_out, self._left_out, self._reported = self._left_out, {}, now
        for (logger, level, _), (count, last) in left_out.items():
            said = (count, _message(last))
            record = logging.LogRecord(logger, level, "", 0, LEFT_OUT, said, None)
            record.about = {"left_out": count}
            super().emit(record)

    def close(self) -> None:
        """Report the remaining left-out lines."""
        self._report(time.monotonic())
        super().close()


def report_left_out() -> None:
    """Report left-out lines even if no other line is ever written."""
    for handler in logging.getLogger().handlers:
        if isinstance(handler, RateLimitedHandler):
            handler.report()


def set_up(form: Literal["text", "json"], server: str) -> None:
    """Log to standard error, one line for each record; ``server``: the name of this server."""
    handler = RateLimitedHandler(sys.stderr)
    handler.setFormatter(_Json(server) if form == "json" else _Text())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO if form == "json" else logging.WARNING)
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.ERROR)
