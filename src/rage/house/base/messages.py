"""The messages over the WebSocket (``docs/protocol.md``), as typed structs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Final

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from rage.say import Reason, ReasonData
from rage.table import Command, UnloggedCommand
from rage.table.facts.shapes import ReactionData, SaidData, TableData, ToActData

Number = Annotated[int, Meta(ge=0, le=2**53)]
Topics = Annotated[list[Annotated[str, Meta(max_length=30)]], Meta(max_length=60)]


class ClientMessage(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A message of a client, of one kind: a command (``do``, with the client's own number for it),
    ``ping``, ``since`` (send everything after this event again) or ``coach`` (send hints, after
    these lessons; ``null``: no more)."""

    id: Number | None = None
    do: Command | UnloggedCommand | None = None
    ping: Number | None = None
    since: Number | None = None
    coach: Topics | UnsetType | None = UNSET


class Outline(Struct, forbid_unknown_fields=True):
    """A client's message with any object in place of the command: enough to refuse an unreadable
    command."""

    id: Number | None = None
    do: dict[str, Any] | None = None
    ping: Number | None = None
    since: Number | None = None


class FullTable(Struct, tag_field="type", tag="table", omit_defaults=True):
    """Everything that a person may know of a table after event ``seq``. ``undone``: how many
    decisions have just been taken back; ``lost``: how many events shown to this person are lost, if
    that is why it is sent."""

    seq: int
    now: int
    you: str
    table: TableData
    turn: ToActData | None = None
    undone: int = 0
    lost: int = 0


class Update(Struct, tag_field="type", tag="update", omit_defaults=True):
    """The events up to number ``seq``, as this person may see them. ``at``: when they happened
    (omitted for moves at a table without a clock). After them: whose turn it is (``to_act``;
    omitted for its own player, who gets ``turn``, unless all bid at once), the fields of the table
    that differ from what this person was sent before (``changed``), whether they ``may_undo``
    their last decision, the sealed ``bid`` of the seat whose cards they see and, if they are to
    act now, their ``turn``. ``id``: the number of the command, for the client that sent it."""

    seq: int
    events: list[Raw]
    at: int | None = None
    to_act: int | None = None
    changed: dict[str, Any] = {}
    id: int | None = None
    may_undo: bool = False
    bid: int | None = None
    turn: ToActData | None = None


class ChatLines(Struct, tag_field="type", tag="chat"):
    """Lines of the chat that this person has not been sent yet."""

    lines: list[SaidData]


class Reacted(Struct, tag_field="type", tag="reaction"):
    """A person's reaction, to be shown for a moment."""

    reaction: ReactionData


class Announcement(Struct, tag_field="type", tag="announcement", omit_defaults=True):
    """An announcement by the server's operator: a ``text`` or a ``reason``; one with neither ends
    the one before."""

    text: str = ""
    reason: ReasonData | None = None


class Refused(Struct, tag_field="type", tag="refused", omit_defaults=True):
    """A command was refused, and nothing has changed."""

    id: int | None
    reason: ReasonData


class Pong(Struct, tag_field="type", tag="pong"):
    """The answer to a ping, with the server's time in milliseconds."""

    ping: int
    now: int


#: Close codes of the server, explained in ``docs/protocol.md``.
RESTART: Final = 1012
UNREADABLE: Final = 4000
ELSEWHERE: Final = 4001
FOREIGN: Final = 4003
NO_TABLE: Final = 4004
TOO_MANY: Final = 4008
TOO_SLOW: Final = 4009
REMOVED: Final = 4010
BROKEN: Final = 4011

#: The announcement while nothing can be stored.
READ_ONLY: Final = Announcement(reason=Reason("http.read_only").as_data())

#: A struct, or plain data, as JSON.
encode: Final[Callable[[object], bytes]] = msgspec.json.Encoder().encode
