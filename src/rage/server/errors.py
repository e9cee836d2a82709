"""What goes wrong over HTTP: each refusal with its status and the same shape."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from rage.say import NotAllowed, NotReadable, RageError, sentence
from rage.server.codes import NoTable
from rage.server.messages import reason_data
from rage.table.shapes import ReasonData


class NotThere(NotReadable):
    """Something that there is not."""


class NoMethod(NotReadable):
    """Something that cannot be done there."""


class NotYours(NotAllowed):
    """Something that is for others."""


class TooMany(NotAllowed):
    """More than one may ask for in a time; its ``seconds`` say how long to wait."""


class Problem(Struct):
    """Why a request was refused: a code with its parameters, and the sentence in the language
    asked for."""

    reason: ReasonData
    text: str


#: Refusals of the table itself that mean "not you".
_NOT_YOURS: Final = frozenset(
    ("table.stranger", "table.barred", "table.host_only", "table.no_seat_of_yours")
)


def status_of(error: RageError) -> int:
    """The HTTP status of a refusal."""
    match error:
        case NotThere() | NoTable():
            return 404
        case NoMethod():
            return 405
        case TooMany():
            return 429
        case NotYours():
            return 403
        case NotReadable():
            return 400
    return 403 if error.reason.code in _NOT_YOURS else 409


def problem(error: RageError, language: str) -> Problem:
    """A refusal as it is answered."""
    return Problem(reason_data(error.reason), sentence(error.reason, language))
