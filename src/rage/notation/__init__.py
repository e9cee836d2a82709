"""Games as text: reading, writing and replaying records (``docs/record.md``).

:func:`parse_record` and :func:`write_record` handle the JSON format, :func:`read_text` and
:func:`write_text` the readable one, :func:`read_link` and :func:`write_link` the one for links;
:func:`read_record` reads any of the three. :func:`replay` plays a record through and returns its
:class:`rage.Game`, as :func:`read_game` does.
"""

from rage.notation.forms import example_record, read_game, read_record, replay_json, write_game
from rage.notation.link import read_link, write_link
from rage.notation.reader import parse_record
from rage.notation.record import (
    BrokenRule,
    NotARecord,
    Occupants,
    Record,
    RoundRecord,
    complete,
    deals_of,
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
    "deals_of",
    "example_record",
    "holders_of",
    "names_by_round",
    "occupants_of",
    "parse_record",
    "read_game",
    "read_link",
    "read_record",
    "read_text",
    "record_of",
    "replay",
    "replay_json",
    "result",
    "write_game",
    "write_link",
    "write_record",
    "write_text",
]
