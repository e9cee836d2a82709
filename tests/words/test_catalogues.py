"""The catalogues read alike, and are kept so that people can work on them at once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rage
from rage.say import LANGUAGES, catalogue

LOCALE = Path(rage.__file__).parent / "locale"
everywhere = pytest.mark.parametrize("language", LANGUAGES)


@everywhere
def test_a_sentence_ends_alike_in_every_language(language: str) -> None:
    """What is a whole sentence in English is one everywhere: it may be read after another."""
    english = catalogue("en")
    for code, template in catalogue(language).items():
        assert template.endswith(".") == english[code].endswith("."), code


@everywhere
def test_files_are_sorted_and_plain(language: str) -> None:
    """So that two people who add sentences at once don't get in each other's way."""
    text = (LOCALE / f"{language}.json").read_text(encoding="utf-8")
    plain = json.dumps(json.loads(text), sort_keys=True, ensure_ascii=False, indent=2)
    assert text == plain + "\n"


def test_no_parameter_hides_the_code_of_its_reason() -> None:
    """On the wire a reason is its code and its parameters side by side (docs/protocol.md)."""
    for language in LANGUAGES:
        assert not [key for key, words in catalogue(language).items() if "{code" in words]
