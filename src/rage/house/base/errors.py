"""Errors over HTTP: each has a status, and all have the same form."""

from __future__ import annotations

from collections import Counter
from typing import Final

from msgspec import Struct

from rage.house.base.codes import NoTable
from rage.say import NotAllowed, NotReadable, RageError, ReasonData, sentence


class NotFound(NotReadable):
    """A path, a score sheet or an analysis that does not exist."""


class MethodNotAllowed(NotReadable):
    """A method that a path does not support."""


class UpgradeRequired(NotReadable):
    """A request for a WebSocket that does not ask for one, because a proxy has removed that."""


class Forbidden(NotAllowed):
    """Something that only others may do or see."""


class TooManyRequests(NotAllowed):
    """More than a limit allows; ``seconds`` tells how long to wait."""


class ServerFull(NotAllowed):
    """No more connections can be accepted, and ``seconds`` tells how long to wait; or the store has
    no room for anything new, or is read-only for now."""


class Problem(Struct):
    """Why a request was refused: a code with its parameters, and the sentence in the requested
    language."""

    reason: ReasonData
    text: str


#: Refusals of the table itself that mean "not you".
_NOT_YOURS: Final = frozenset(
    ("table.stranger", "table.barred", "table.host_only", "table.no_seat_of_yours")
)


def status_of(error: RageError) -> int:
    """The HTTP status of an error."""
    match error:
        case NotFound() | NoTable():
            return 404
        case MethodNotAllowed():
            return 405
        case UpgradeRequired():
            return 426
        case TooManyRequests():
            return 429
        case ServerFull():
            return 503
        case Forbidden():
            return 403
        case NotReadable():
            return 400
    return 403 if error.reason.code in _NOT_YOURS else 409


#: The number of refusals since the start, by the code of the reason.
REFUSED: Final[Counter[str]] = Counter()


def problem(error: RageError, language: str) -> Problem:
    """Count an error, and return the body of the answer to it."""
    REFUSED[error.reason.code] += 1
    return Problem(error.reason.as_data(), sentence(error.reason, language))
