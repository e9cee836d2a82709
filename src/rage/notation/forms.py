"""A game in any of its three forms: a record, readable text, or a link (``docs/forms.md``)."""

from __future__ import annotations

import re
from contextlib import suppress
from importlib.resources import files
from typing import Any, Final, Literal, get_args

from rage.game.game import Game
from rage.notation.fields import as_bytes
from rage.notation.link import read_link, write_link
from rage.notation.pasted import fragments, plain, read_linked
from rage.notation.reader import parse_record
from rage.notation.record import MAX_BYTES, NotARecord, Record, complete, record_of
from rage.notation.text import read_text, write_text
from rage.notation.validation import failure, replay, result
from rage.notation.writer import write_record
from rage.say import NotReadable, RageError, in_words

Form = Literal["record", "text", "link"]
FORMS: Final = get_args(Form)
#: The beginning of readable text: a tag. (A JSON list begins differently.)
_TEXT: Final = re.compile(rb"\[\s*[\w\"-]+ ")
#: Text that looks like the path of a file: one line that ends in a suffix, or has a slash or
#: backslash and no blank. A path of Windows has none of ``<>"|?*``, which other text has.
_PATH: Final = re.compile(
    r"""\s*([^\n<>"|?*]{1,250}\.\w{1,8}|[^\s<>"|?*]{0,250}[/\\][^\s<>"|?*]{1,250})\s*"""
)


def read_record(data: bytes | str) -> Record:
    """The record in ``data``, the content of a file in any form, recognised by its first
    characters; a link may be part of a sentence. Raises :class:`rage.notation.NotARecord`, also for
    the name of a file."""
    data = as_bytes(data)
    if len(data) > MAX_BYTES:
        raise NotARecord("notation.too_large", most=MAX_BYTES)
    data = plain(data)
    start = data.lstrip()[:200]
    if _TEXT.match(start):
        try:
            return read_text(data.decode("utf-8"))
        except UnicodeDecodeError as error:
            raise NotARecord("notation.not_utf8", at=error.start) from None
        except NotARecord:
            with suppress(RageError):  # a link in Markdown begins like a tag
                return read_linked(data.decode("utf-8"), read_link)
            raise
    text = "" if start.startswith(b"{") else data.decode("utf-8", "replace")
    if start.startswith((b"1.", b"http", b"#")) or next(fragments(text), None):
        return read_linked(text, read_link)
    if start.startswith(b"{"):
        return parse_record(data)
    if _PATH.fullmatch(text):
        raise NotARecord("notation.a_path", given=text.strip())
    raise NotARecord("notation.no_game")


def write_game(game: Game | Record, form: Form = "record") -> str:
    """A game, or its record, in one of the three forms, including its results so far. Raises like
    :func:`replay` and :func:`rage.notation.write_record`, and :class:`rage.NotReadable` for another
    form."""
    if form not in FORMS:
        raise NotReadable("notation.no_form", form=in_words(form), allowed=", ".join(FORMS))
    record = record_of(game) if isinstance(game, Game) else game
    complete(record, replay(record))
    if form == "link":
        return write_link(record)
    return write_text(record) if form == "text" else write_record(record).decode("utf-8")


def read_game(data: bytes | str) -> Game:
    """The game in ``data``, as :func:`read_record` reads it, checked move by move. Raises like it
    and :func:`replay`."""
    return replay(read_record(data))


def example_record() -> Record:
    """The record of an example: a game of four bots in all ten rounds of ``poof``, with everything
    that proves its deals."""
    return parse_record(files("rage.notation").joinpath("sample.rage.json").read_bytes())


def replay_json(data: bytes) -> dict[str, Any]:
    """The output of ``rage replay --json`` for the bytes of a file with a game in any form
    (``docs/record.md``)."""
    try:
        return result(read_game(data))
    except RageError as error:
        return failure(error)
