"""Reads the move that a language model's answer names (``docs/text.md`` says how)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import Final
from unicodedata import normalize

from rage.game.view import View
from rage.notation.typed import record_code
from rage.rules.values import COLOURS, MOVE_OF, MOVES, Card, Move
from rage.say import (
    KIND_OF_CODE,
    NotReadable,
    card_name,
    check_kind,
    colour_name,
    kind_name,
    short_name,
    text,
)

#: JSON objects without nested objects.
_OBJECT: Final = re.compile(r"\{[^{}]*\}")
#: Whole numbers written as decimals.
_WHOLE: Final = re.compile(r"(?<![\d.])(\d+)\.0+(?!\.?\d)")
#: A decimal, which is no move, or a word.
_WORD: Final = re.compile(r"\d+(?:\.\d+)+|[^\W_]+")
#: Marks around words: tags, fences, code, emphasis, quotation marks, \boxed.
_MARKS: Final = re.compile(r"<[^<>]*>|```\w*|\\\w+|[*_`\"'“”„«»{}()\[\]]")


def read_answer(answer: str, view: View, language: str = "en") -> Move:
    """The one move that an answer names, legal or not, for the seat of ``view``: as ``"move"`` in
    the last JSON object that has one, otherwise in the last line: as the whole line, after its last
    colon, or by a code among other words. Raises :class:`rage.NotReadable` for no move and for
    several."""
    check_kind(answer, str, "text")
    answer = normalize("NFKC", answer)  # also full-width digits
    answer = _WHOLE.sub(r"\1", answer)
    edition = view.rules.edition
    if (given := _in_json(answer)) is not None:
        return _named(given, language, edition) or Move(given)  # raises the reason
    line = _last_line(answer)
    for part in (line, line.rpartition(":")[2]):
        if move := _named(part, language, edition):
            return move
    found = set(_among_words(line, language))
    # A bid may be explained by cards, and a card by numbers.
    found = {move for move in found if move.is_bid == view.bidding} or found
    if len(found) == 1:
        return found.pop()
    if not found:
        raise NotReadable("text.no_move")
    raise NotReadable(
        "text.several", moves=", ".join(short_name(str(move), language) for move in sorted(found))
    )


def _in_json(answer: str) -> str | None:
    """The ``"move"`` of the last JSON object that has one; ``None`` if there is none."""
    for written in reversed(_OBJECT.findall(answer)):
        try:
            found = json.loads(written)["move"]
        except (ValueError, KeyError, RecursionError):
            continue
        return str(found)
    return None


def _last_line(answer: str) -> str:
    """The last line with words in it, without marks, and with any kind of dash as a hyphen."""
    plain = re.sub("[−–—]", "-", _MARKS.sub(" ", answer))
    return next((line.strip() for line in reversed(plain.splitlines()) if line.strip()), "")


def _named(words: str, language: str, edition: str) -> Move | None:
    """The move that these words are: its code, the name of a card, a bid in words; ``None`` if they
    are anything else."""
    words = " ".join(words.split()).rstrip(".,;!").strip()
    code = _names(language, edition).get(words.casefold()) or _code(words, language)
    if code is None:
        return None
    return Move(code)  # a Wild without a colour is refused


def _code(words: str, language: str) -> str | None:
    """The code of a move, or of a Wild without its colour."""
    try:
        code = record_code(words, language)
    except NotReadable:
        return None
    return code if code in MOVE_OF or code == str(Card.WILD) else None


@cache
def _names(language: str, edition: str) -> Mapping[str, str]:
    """The codes of bids by their words, and of action cards by their names, with a colour and
    without."""
    names = {word: str(n) for n, word in enumerate(text("text.numbers", language).split(", "))}
    for code, kind in KIND_OF_CODE.items():
        names[kind_name(kind, language, edition)] = code
    for move in MOVES:
        code = str(move)
        if len(code) == 2 and code[0] in KIND_OF_CODE:
            kind = kind_name(KIND_OF_CODE[code[0]], language, edition)
            names[card_name(code, language, edition)] = code
            names[f"{kind} {colour_name(code[1], language)}"] = code
    return {name.casefold(): code for name, code in names.items()}


def _among_words(line: str, language: str) -> Iterator[Move]:
    """The moves whose codes are words of a line, and colours followed by a number. Codes of only
    letters must have their exact case: "wo" is a German word before it is a Wild."""
    words = _WORD.findall(line)
    numbers = set()
    for at, (first, second) in enumerate(pairwise(words)):
        if second.isdecimal() and first.casefold() in _colours(language):
            code = _code(f"{first} {second}", language)
            if code is not None:
                numbers.add(at + 1)
                yield Move(code)
    for at, word in enumerate(words):
        code = None if at in numbers else _code(word, language)
        if code is None or code not in MOVE_OF:
            continue
        if not word.isalpha() or word in (code, short_name(code, language)):
            yield MOVE_OF[code]


@cache
def _colours(language: str) -> frozenset[str]:
    return frozenset(colour_name(each.letter, language).casefold() for each in COLOURS)
