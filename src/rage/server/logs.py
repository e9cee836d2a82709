"""What the server writes down about itself: what failed, never who holds what.

No message names a card, a seed, a cookie or a token: tracebacks show our own lines without values.
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from typing import Any, Final, Literal

#: Others whose every step, and every stray request, nobody needs to read.
_QUIET: Final = ("uvicorn.error", "uvicorn.access", "asyncio", "websockets")


class _Text(logging.Formatter):
    """A line for people: when, how bad, and what."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")


class _Json(logging.Formatter):
    """A line for programs: one JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as JSON, an error with its traceback in ``error``."""
        at = datetime.fromtimestamp(record.created, UTC)
        line: dict[str, Any] = {
            "at": at.isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= getattr(record, "about", {})
        if record.exc_info:
            line["error"] = "".join(traceback.format_exception(*record.exc_info))
        return json.dumps(line, ensure_ascii=False)


def set_up(form: Literal["text", "json"]) -> None:
    """Write what is logged to the error output, a line each."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Json() if form == "json" else _Text())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO if form == "json" else logging.WARNING)
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.ERROR)
