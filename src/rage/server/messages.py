"""What goes over the WebSocket (``docs/protocol.md``), as typed structs."""

from __future__ import annotations

from typing import Annotated, Any, Final

from msgspec import Meta, Raw, Struct

from rage.say import Reason
from rage.table.shapes import ReasonData, TableData, ToActData

Number = Annotated[int, Meta(ge=0, le=2**53)]


class Said(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A message of a client, of one kind: a command (``do``, with the client's own number for
    it), ``ping``, or ``since``: tell me all after this event again."""

    id: Number | None = None
    do: dict[str, Any] | None = None
    ping: Number | None = None
    since: Number | None = None


class Whole(Struct, tag_field="type", tag="table", omit_defaults=True):
    """Everything that a person may know now of a table after event ``seq``."""

    seq: int
    now: int
    you: str
    table: TableData
    turn: ToActData | None = None


class Update(Struct, tag_field="type", tag="update", omit_defaults=True):
    """The events up to number ``seq``, as this person may see them. ``at``: when, but for what is
    played where the table has no clock; ``to_act``: whose turn it is after them, where they decide
    something; ``id``: to who asked for them."""

    seq: int
    events: list[Raw]
    at: int | None = None
    to_act: int | None = None
    id: int | None = None
    turn: ToActData | None = None


class Refused(Struct, tag_field="type", tag="refused", omit_defaults=True):
    """A command was refused, and nothing has changed."""

    id: int | None
    reason: ReasonData


class Pong(Struct, tag_field="type", tag="pong"):
    """The answer to a ping, with the server's time in milliseconds."""

    ping: int
    now: int


#: Why the server closes a connection; ``docs/protocol.md`` says what each means.
RESTART: Final = 1012
UNREADABLE: Final = 4000
ELSEWHERE: Final = 4001
FOREIGN: Final = 4003
NO_TABLE: Final = 4004
TOO_MANY: Final = 4008
TOO_SLOW: Final = 4009
REMOVED: Final = 4010


def reason_data(reason: Reason) -> ReasonData:
    """A reason as plain JSON data: its code and its parameters side by side."""
    params = {key: _plain(value) for key, value in reason.params.items()}
    return ReasonData({"code": reason.code, **params})


def _plain(value: Any) -> Any:
    if isinstance(value, Reason):
        return reason_data(value)
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value
