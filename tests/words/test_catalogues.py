"""The catalogues say the same things in every language, and nothing that is never said."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

import rage
from rage.say import LANGUAGES, catalogue

SOURCE = Path(rage.__file__).parent
PLACE = re.compile(r"\{(\w+)(?::([a-z]*)(\|[^{}|]*\|[^{}|]*)?)?\}")
PRINTF = re.compile(r"%(?:\(\w+\))?[sr]")
KINDS = set(re.findall(r"``\{x:(\w+)", (SOURCE / "say.py").read_text(encoding="utf-8")))
others = pytest.mark.parametrize("language", [each for each in LANGUAGES if each != "en"])
everywhere = pytest.mark.parametrize("language", LANGUAGES)


def places(template: str) -> Counter[str]:
    """The placeholders of a template, without the words that a plural chooses from."""
    found = [f"{match[1]}:{match[2] or ''}" for match in PLACE.finditer(template)]
    return Counter(found + PRINTF.findall(template))


@others
def test_the_same_sentences_in_every_language(language: str) -> None:
    assert catalogue(language).keys() == catalogue("en").keys()


@others
def test_the_same_placeholders_in_every_language(language: str) -> None:
    english = catalogue("en")
    differ = {
        code: (english[code], template)
        for code, template in catalogue(language).items()
        if places(template) != places(english[code])
    }
    assert not differ


@everywhere
def test_every_placeholder_is_of_a_known_kind(language: str) -> None:
    for code, template in catalogue(language).items():
        rest = PLACE.sub("", template)
        assert "{" not in rest, code
        assert "}" not in rest, code
        for match in PLACE.finditer(template):
            assert match[2] in {None, *KINDS}, code
            assert (match[2] == "plural") == (match[3] is not None), code


@everywhere
def test_a_sentence_ends_alike_in_every_language(language: str) -> None:
    """What is a whole sentence in English is one everywhere: it may be read after another."""
    english = catalogue("en")
    for code, template in catalogue(language).items():
        assert template.endswith(".") == english[code].endswith("."), code


@everywhere
def test_files_are_sorted_and_plain(language: str) -> None:
    """So that two people who add sentences at once don't get in each other's way."""
    text = (SOURCE / "locale" / f"{language}.json").read_text(encoding="utf-8")
    plain = json.dumps(json.loads(text), sort_keys=True, ensure_ascii=False, indent=2)
    assert text == plain + "\n"


def test_every_sentence_is_said_somewhere() -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py"))
    whole = set(re.findall(r"[\"']([a-z_]+(?:\.[^\"'{}]+)*)[\"']", source))
    begun = tuple(set(re.findall(r"f[\"']([a-z_]+\.(?:[\w.-]+\.|\w+_)?)\{", source)))
    unsaid = [code for code in catalogue("en") if code not in whole and not code.startswith(begun)]
    assert not unsaid
