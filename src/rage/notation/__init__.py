"""Games as text: reading, writing and replaying records (``docs/record.md``).

:func:`read_record` and :func:`write_record` handle the JSON format, :func:`read_text` and
:func:`write_text` the readable one, :func:`read_link` and :func:`write_link` the one for links;
:func:`read_game` reads any of the three, and :func:`sample` is a game to try them with.
:func:`replay` plays a record through and returns its :class:`rage.Game`.
"""

from rage.notation.forms import read_game, replay_json, sample, write_game
from rage.notation.link import read_link, write_link
from rage.notation.reader import read_record
from rage.notation.record import (
    BrokenRule,
    NotARecord,
    Occupants,
    Record,
    RoundRecord,
    complete,
    dealer_of,
    holders_of,
    names_by_round,
    occupants_of,
    record_of,
)
from rage.notation.text import read_text, write_text
from rage.notation.validation import replay, result
from rage.notation.writer import write_record

__all__ = [
    "BrokenRule",
    "NotARecord",
    "Occupants",
    "Record",
    "RoundRecord",
    "complete",
    "dealer_of",
    "holders_of",
    "names_by_round",
    "occupants_of",
    "read_game",
    "read_link",
    "read_record",
    "read_text",
    "record_of",
    "replay",
    "replay_json",
    "result",
    "sample",
    "write_game",
    "write_link",
    "write_record",
    "write_text",
]
