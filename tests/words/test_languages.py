"""A language is offered once its core is whole, and the docs say how complete each is."""

from __future__ import annotations

import json
import re

import pytest

from rage.say import LANGUAGES, catalogue
from tools.generated.languages import NOTES, PAGE, PICTURES, arb, core, missing, own, page


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_core_of_a_language_is_whole(language: str) -> None:
    assert missing(language) == set()


def test_the_core_is_what_players_need() -> None:
    assert {"page.table.points", "refuse.follow", "rules.score.example", "fact.undone"} <= core()
    assert not {"cli.variable.RAGE_LANG", "page.analysis.about", "tui.points"} & core()


def test_the_docs_say_how_complete_each_language_is() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_passes_the_check_that_servers_are_given(language: str) -> None:
    """The regular expression of the docs, as Weblate applies it: what it finds is the same set."""
    page = PAGE.read_text(encoding="utf-8")
    (flag,) = re.findall(r'`placeholders:r"(.+?)"`', page)
    english = catalogue("en")
    for key, words in own(language).items():
        if key in english:
            assert {*re.findall(flag, words)} == {*re.findall(flag, english[key])}, key


def test_translators_have_notes_and_pictures() -> None:
    bundle, english = arb(), catalogue("en")
    assert {key: words for key, words in bundle.items() if key[0] != "@"} == english
    about = bundle["@page.table.turn.bid"]
    assert isinstance(about, dict)
    assert "Buttons are short" in about["description"]
    assert "tests/page/pictures/" in about["description"]
    assert about["placeholders"] == {"most": {}}
    begins = {".".join(key.split(".")[:n]) for key in english for n in range(1, 9)}
    assert json.loads(NOTES.read_text(encoding="utf-8")).keys() <= begins
    for key, names in json.loads(PICTURES.read_text(encoding="utf-8")).items():
        assert key in english
        assert all((PICTURES.parent / f"{name}.webp").is_file() for name in names)
