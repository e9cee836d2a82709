"""The authority of a table: seats, turns, clocks, bots stepping in; no network, no clock.

    >>> from rage.table import Create, Play, Start, Table
    >>> table = Table()
    >>> events = table.do(Create("poof", 3, "Ann"), "ann", 0, seed=bytes(16))
    >>> events = table.do(Start(), "ann", 1000)
    >>> table.phase
    'playing'

Commands in, events out: :meth:`Table.decide` says what a command brings about and changes
nothing, :meth:`Table.apply` makes it so. Who runs a table stores the events between the two.
"""

from rage.table.authority import BotTurn, Table
from rage.table.clock import Due
from rage.table.commands import (
    PRESETS,
    Answer,
    Ask,
    Chat,
    Claim,
    Command,
    Configure,
    Create,
    GiveSeat,
    Join,
    Leave,
    LookAt,
    Mute,
    Nudge,
    Pause,
    Play,
    ProposeUndo,
    Rematch,
    Remove,
    Rename,
    Resume,
    SayWord,
    SetPresence,
    ShowHand,
    Start,
    StepIn,
    TakeBack,
    TakeHost,
    Vacate,
    Vote,
    Watch,
    Withdraw,
    command_data,
    command_fields,
    read_command,
)
from rage.table.events import Event, Fact, fact_fields, read_event
from rage.table.options import Clock, Options

__all__ = [
    "PRESETS", "Answer", "Ask", "BotTurn", "Chat", "Claim", "Clock", "Command", "Configure",
    "Create", "Due", "Event", "Fact", "GiveSeat", "Join", "Leave", "LookAt", "Mute", "Nudge",
    "Options", "Pause", "Play", "ProposeUndo", "Rematch", "Remove", "Rename", "Resume", "SayWord",
    "SetPresence", "ShowHand", "Start", "StepIn", "Table", "TakeBack", "TakeHost", "Vacate",
    "Vote", "Watch", "Withdraw", "command_data", "command_fields", "fact_fields", "read_command",
    "read_event",
]  # fmt: skip
