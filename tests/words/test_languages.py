"""A language is offered once its core is whole, and the docs say how complete each is."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from rage.say import LANGUAGES, catalogue
from tools.generated.languages import (
    LOCALE,
    NOTES,
    PAGE,
    PICTURES,
    arb,
    core,
    faults,
    missing,
    own,
    page,
)

CATALOGUES = [*LOCALE.glob("*.json"), Path(__file__).with_name("ar.json")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_core_of_a_language_is_whole(language: str) -> None:
    assert missing(language) == set()


@pytest.mark.parametrize("path", CATALOGUES, ids=[path.stem for path in CATALOGUES])
def test_nothing_is_wrong_with_a_catalogue(path: Path) -> None:
    assert [*faults(path)] == []


def in_json(**said: object) -> bytes:
    """A catalogue with one sentence."""
    return json.dumps({key.replace("_", "."): words for key, words in said.items()}).encode()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"page.home": "Dom",', "It is not JSON: line 1, column 21: "),
        ('{\n"page.home": "Główna"}'.encode("latin2"), "It is not UTF-8, as line 2 shows"),
        (b"\xef\xbb\xbf" + in_json(seat="Miejsce {seat}"), "It begins with a byte order mark"),
        (b"[]", "It has no sentences."),
        (b'{"page.home": "Dom", "page.home": "Start"}', "page.home is there twice."),
        (in_json(page_hone="Dom"), "page.hone is no key of en.json."),
        (in_json(page_home=5), "page.home is no text."),
        (in_json(seat="Miejsce"), "seat: {seat} is missing."),
        (in_json(seat="Miejsce {seat} {n}"), "seat: {n} is not in the English text."),
        (in_json(seat="Miejsce {seat}}"), "seat: a brace belongs to no placeholder."),
        (in_json(seat="Miejsce {seat}."), "seat: it must not end with a full stop."),
        (in_json(seat=" Miejsce {seat}"), "seat: it begins with a space."),
        (in_json(seat="Miejsce\u200b {seat}"), "seat: there is a character that does not print."),
        (
            in_json(account_tricks="{n} {n:plural|lewa}"),
            "account.tricks: {n:plural|lewa} needs a form for each category of language.plural: 2.",
        ),
        (in_json(language_plural="one fw other"), "language.plural: it cannot be 'one fw other'."),
        (in_json(language_rule="n > 1 ? 2 : 0"), "language.rule: it counts further than"),
        (in_json(language_rule="n >"), "language.rule: unexpected end of plural form."),
        (in_json(letter_R="CZE"), "letter.R: it cannot be 'CZE'."),
        (in_json(list_and_before="("), "list.and.before: it is no regular expression: "),
    ],
)
def test_what_is_wrong_with_a_catalogue_is_said(content: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "pl.json"
    path.write_bytes(content)
    assert next(faults(path)).startswith(said)


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
