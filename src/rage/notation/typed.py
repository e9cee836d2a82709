"""Parses commands, cards, moves and colours as people type them, with the words and letters of
their language.

Cards are shown as they are typed. The letters of ``docs/record.md`` are accepted too, except those
that mean another colour in the language: in German, G is yellow.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from rage.rules.cards import LETTERS
from rage.rules.values import COLOURS, Colour
from rage.say import NotReadable, catalogue, colour_name, text, without_unseen


def split_list(written: str) -> list[str]:
    """The items of a list separated by commas, including Chinese and Japanese ones."""
    return [each.strip() for each in re.split("[,，、]", _unmarked(written))]


def cards_in(written: str) -> list[str]:
    """Cards as people type or paste them: separated by blanks, commas or semicolons, with any kind
    of dash."""
    return re.sub("[−–—]", "-", without_unseen(written)).replace(",", " ").replace(";", " ").split()


def _unmarked(written: str) -> str:
    """A text without the byte order mark of the file it was copied from."""
    return written.removeprefix("\ufeff")


def command_names(codes: Mapping[str, str], language: str) -> dict[str, list[str]]:
    """The names of commands, from the catalogue entries in ``codes``: for each command the names in
    the language first, then the English one."""
    return {each: [*text(code, language).split(", "), each] for each, code in codes.items()}


def read_command(line: str, names: Mapping[str, Sequence[str]]) -> tuple[str, str] | None:
    """The command whose name begins a line, and the rest of the line; ``None`` if there is none."""
    for command, own in names.items():
        for name in own:
            if f"{line.lower()} ".startswith(f"{name} "):
                return command, line[len(name) :].strip()
    return None


def letters(language: str) -> dict[str, Colour]:
    """The colours by their letters in a language, in capitals."""
    texts = catalogue(language)
    return {texts[f"letter.{each}"].upper(): each for each in COLOURS}


@cache
def _words(language: str) -> dict[str, Colour]:
    """Every word that means a colour: the letters of a record, and the names and letters of the
    language. Where they collide, the language's letter wins."""
    names = {colour_name(each.letter, language).upper(): each for each in COLOURS}
    return {each.letter: each for each in COLOURS} | names | letters(language)


def colours(language: str) -> str:
    """All colours with their letters: "R red, O orange ..."."""
    texts = catalogue(language)
    return ", ".join(f"{texts[f'letter.{each}']} {texts[f'colour.{each}']}" for each in LETTERS)


def colour(word: str, language: str) -> Colour:
    """The colour of a letter or a name. Raises :class:`rage.NotReadable`, which lists all."""
    found = _words(language).get(word.strip().upper())
    if found is None:
        raise NotReadable("plain.no_colour", word=word.strip(), colours=colours(language))
    return found


def record_code(line: str, language: str) -> str:
    """The record code of a typed card, move or bid; other words in capitals. Raises
    :class:`rage.NotReadable`, repeating the line, for a ``W`` or ``C`` followed by something that
    is not a colour."""
    typed = without_unseen(line).strip()
    word = typed.upper()
    if word[:1] in ("W", "C") and len(word) > 1:
        named = _words(language).get(word[1:].strip())
        if named is None:
            raise NotReadable(
                "plain.no_colour_named", word=typed, card=word[0], colours=colours(language)
            )
        return f"{word[0]}{named}"
    match = re.fullmatch(r"([^\W\d]+) ?([0-9]+)", word)
    if match is None or match[1] not in _words(language):
        return word
    return f"{_words(language)[match[1]]}{match[2]}"
