"""The authority of a table: seats, turns, time limits, stand-in bots. It is told the time.

    >>> from rage.table import Create, Play, Start, Table
    >>> table = Table()
    >>> events = table.do(Create("poof", 3, "Ann"), "ann", 0, seed=bytes(16))
    >>> events = table.do(Start(), "ann", 1000)
    >>> table.phase
    'playing'

Commands in, events out: :meth:`Table.decide` returns the events that a command causes, without
changing anything; :meth:`Table.apply` folds one. The caller stores the events in between.
"""

from rage.table.authority import BotTurn, Table
from rage.table.commands import (
    PRESETS,
    REACTIONS,
    Answer,
    AskForSeat,
    ChangeBid,
    Chat,
    Claim,
    Command,
    CommitWord,
    Configure,
    Create,
    DealNext,
    GiveSeat,
    GoOn,
    Join,
    Leave,
    LookAt,
    Mute,
    Nudge,
    OpenTakeoverVote,
    Pause,
    Play,
    ProposeUndo,
    React,
    Ready,
    RefuseSeat,
    Rematch,
    Remove,
    Rename,
    Resume,
    RevealWord,
    SetClock,
    SetPresence,
    Settle,
    ShowHand,
    Start,
    StartAnyway,
    StepIn,
    Swap,
    TakeBack,
    TakeHost,
    UnloggedCommand,
    Vacate,
    Vote,
    Watch,
    Withdraw,
    read_command,
)
from rage.table.facts.events import Event, Fact, read_event, write_event
from rage.table.options import Clock, Options
from rage.table.play.clock import Due

__all__ = [
    "PRESETS", "REACTIONS", "Answer", "AskForSeat", "BotTurn", "ChangeBid", "Chat", "Claim",
    "Clock", "Command", "CommitWord", "Configure", "Create", "DealNext", "Due", "Event", "Fact",
    "GiveSeat", "GoOn", "Join", "Leave", "LookAt", "Mute", "Nudge", "OpenTakeoverVote", "Options",
    "Pause", "Play", "ProposeUndo", "React", "Ready", "RefuseSeat", "Rematch", "Remove", "Rename",
    "Resume", "RevealWord", "SetClock", "SetPresence", "Settle", "ShowHand", "Start", "StartAnyway",
    "StepIn", "Swap", "Table", "TakeBack", "TakeHost", "UnloggedCommand", "Vacate", "Vote", "Watch",
    "Withdraw", "read_command", "read_event", "write_event",
]  # fmt: skip
