"""Cards, moves and colours as people type them: with the letters of their language.

What is shown is what is typed. The letters of ``docs/record.md`` are taken too, but for those
that mean another colour in the language: in German, G is yellow.
"""

from __future__ import annotations

import re
from functools import cache

from rage.cards import LETTERS
from rage.say import NotReadable, card_name, catalogue, colour_name


def spoken(code: str, language: str) -> str:
    """A card or a move as it is shown and typed in a language, from its code in a record:
    ``Gr4``, ``WGr``."""
    head, letter = code[:1], code[1:2]
    if head in LETTERS:
        return card_name(code, language)
    if letter and letter in LETTERS:
        return head + catalogue(language)[f"letter.{letter}"]
    return code


def letters(language: str) -> dict[str, int]:
    """The colours by their letters in a language, in capitals."""
    texts = catalogue(language)
    return {texts[f"letter.{each}"].upper(): colour for colour, each in enumerate(LETTERS)}


@cache
def _words(language: str) -> dict[str, int]:
    """Everything that means a colour: record letters, names, and above them all the letters."""
    names = {colour_name(each, language).upper(): i for i, each in enumerate(LETTERS)}
    return {each: i for i, each in enumerate(LETTERS)} | names | letters(language)


def colours(language: str) -> str:
    """All colours with their letters: "R red, O orange ..."."""
    texts = catalogue(language)
    return ", ".join(f"{texts[f'letter.{each}']} {texts[f'colour.{each}']}" for each in LETTERS)


def colour(word: str, language: str) -> int:
    """The colour of a letter or a name. Raises :class:`rage.NotReadable`, which names all."""
    found = _words(language).get(word.strip().upper())
    if found is None:
        raise NotReadable("plain.no_colour", word=word.strip(), colours=colours(language))
    return found


def record_code(line: str, language: str) -> str:
    """The code in a record of the card, the move or the bid that was typed; other words as they
    are. Raises :class:`rage.NotReadable` for a Wild or a Change with what is no colour."""
    word = line.strip().upper()
    if word[:1] in ("W", "C") and len(word) > 1:
        return word[0] + LETTERS[colour(line.strip()[1:], language)]
    match = re.fullmatch(r"([^\W\d]+) ?([0-9]+)", word)
    if match is None or match[1] not in _words(language):
        return word
    return f"{LETTERS[_words(language)[match[1]]]}{match[2]}"
