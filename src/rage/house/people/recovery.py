"""Recovery codes: a few words to write down, by which another device becomes the same person.

A code is a random number of :data:`BITS` bits, written as words of one of the lists. The first
:data:`LETTERS` letters, without accents, distinguish the words of a list, so no one has to type
more.
"""

from __future__ import annotations

import json
import re
import secrets
from functools import cache
from importlib.resources import files
from typing import Final
from unicodedata import normalize

from rage.say import NotReadable, without_unseen

#: The words of a code, and the bits that each of them stands for.
WORDS: Final = 7
_BITS_PER_WORD: Final = 9
BITS: Final = WORDS * _BITS_PER_WORD
#: The letters that distinguish the words of a language.
LETTERS: Final = 4
#: The most characters of a code as people type it.
MAX_TYPED: Final = 200
_SEPARATORS: Final = re.compile(r"[\W\d_]+")


@cache
def word_lists() -> dict[str, list[str]]:
    """By language, the words from which recovery codes are made; other languages use the English
    ones."""
    data = files("rage.house.people").joinpath("recovery_words.json").read_text(encoding="utf-8")
    lists: dict[str, list[str]] = json.loads(data)
    return lists


def new_code() -> int:
    """A new recovery code, too long to be guessed."""
    return secrets.randbits(BITS)


def words_of(code: int, language: str) -> list[str]:
    """The words of a code in a language."""
    words = word_lists().get(language, word_lists()["en"])
    shifts = range(0, BITS, _BITS_PER_WORD)
    return [words[code >> shift & (len(words) - 1)] for shift in shifts]


def read_words(typed: str) -> list[int]:
    """The codes that typed words may stand for: one for each language that has all of them.
    Capitals, accents, separators and all letters after the first few do not matter. Raises
    :class:`rage.NotReadable` for a wrong number of words, and if no list has all of them."""
    # Composed, because a combining accent would separate words, as would invisible characters.
    composed = normalize("NFC", without_unseen(typed)[:MAX_TYPED])
    words = [word for word in _SEPARATORS.split(composed) if word]
    keys = [_key(word) for word in words]
    if len(keys) != WORDS:
        raise NotReadable("http.recovery_words", n=len(keys), words=WORDS)
    numbers = [[each.get(key) for key in keys] for each in _numbers().values()]
    found = [_join(each) for each in numbers if None not in each]
    if not found:
        raise NotReadable("http.recovery_word", word=_unknown(words, numbers))
    return found


def _join(numbers: list[int | None]) -> int:
    return sum((number or 0) << at * _BITS_PER_WORD for at, number in enumerate(numbers))


def _unknown(words: list[str], numbers: list[list[int | None]]) -> str:
    """The first word that is unknown in the language that knows most of them."""
    best = min(numbers, key=lambda each: each.count(None))
    return words[best.index(None)][:20]


def _key(word: str) -> str:
    """What distinguishes a word: its first letters, without accents and capitals."""
    plain = normalize("NFKD", word.casefold())
    return "".join(letter for letter in plain if letter.isalpha())[:LETTERS]


@cache
def _numbers() -> dict[str, dict[str, int]]:
    return {
        language: {_key(word): number for number, word in enumerate(words)}
        for language, words in word_lists().items()
    }
