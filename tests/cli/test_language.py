"""Which language is spoken: ``RAGE_LANG``, ``LC_ALL``, ``LC_MESSAGES``, ``LANG``, in this order."""

from __future__ import annotations

from itertools import combinations

import pytest

from rage.cli import COMMANDS, main
from rage.say import LANGUAGES

NAMES = ("RAGE_LANG", "LC_ALL", "LC_MESSAGES", "LANG")
#: An error in three of the languages.
SAID = {"en": "required: FILE", "de": "es fehlt: FILE", "es": "falta: FILE"}


def spoken(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], **environment: str
) -> str:
    """The language of an error where these variables are set, and no other of the four."""
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit):
        main(["replay"])
    error = capsys.readouterr().err
    (language,) = (language for language, words in SAID.items() if words in error)
    return language


@pytest.mark.parametrize(("first", "later"), [*combinations(NAMES, 2)])
def test_each_variable_goes_before_those_after_it(
    first: str, later: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for one, other in (("de", "es"), ("es", "de")):
        assert spoken(monkeypatch, capsys, **{first: one, later: other}) == one


@pytest.mark.parametrize("name", NAMES)
def test_each_variable_counts_alone_and_counts_for_nothing_when_empty(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert spoken(monkeypatch, capsys, **{name: "es"}) == "es"
    assert spoken(monkeypatch, capsys, **{name: ""}) == "en"
    if name != "LANG":
        assert spoken(monkeypatch, capsys, **{name: "", "LANG": "de"}) == "de"


def test_a_language_that_is_not_spoken_is_english_and_not_the_next(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for value in ("C", "C.UTF-8", "POSIX", "tlh_XX.UTF-8"):
        assert spoken(monkeypatch, capsys, LC_ALL=value, LANG="de_DE.UTF-8") == "en"
    assert spoken(monkeypatch, capsys, LANG="de_AT.UTF-8") == "de"
    assert spoken(monkeypatch, capsys) == "en"


@pytest.mark.parametrize("name", ["RAGE_LANG", "LC_ALL", "LANG"])
@pytest.mark.parametrize("value", ["DE", "de_DE.UTF-8", "De-at", "de@euro", " de "])
def test_a_language_may_be_written_as_systems_do(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert spoken(monkeypatch, capsys, **{name: value}) == "de"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_tells_its_help_in_every_language(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Wherever the option stands."""
    for words, heading in (
        ([command, "--lang", "de", "--help"], "Umgebungsvariablen"),
        (["--lang", "es", command, "--help"], "variables de entorno"),
        ([command, "--help", "--lang=en_GB.UTF-8"], "environment variables"),
    ):
        with pytest.raises(SystemExit) as end:
            main(words)
        assert end.value.code == 0
        assert heading in capsys.readouterr().out


def test_the_language_of_the_option_goes_before_that_of_the_environment(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RAGE_LANG", "tlh")
    for words in (["rules", "--lang", "de"], ["--lang", "DE", "rules"], ["rules", "--la", "de"]):
        assert main(words) == 0
        assert capsys.readouterr().out.startswith("Ausgaben\n")


@pytest.mark.parametrize(
    "words", [["--version"], ["--lang", "tlh", "--version"], ["--help"], ["play", "--help"]]
)
def test_a_language_that_is_not_spoken_stops_neither_version_nor_help(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RAGE_LANG", "tlh")
    with pytest.raises(SystemExit) as end:
        main(words)
    assert end.value.code == 0
    assert capsys.readouterr().err == ""


def test_otherwise_it_is_said_which_there_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RAGE_LANG", "tlh")
    assert main(["rules"]) == 2
    said = capsys.readouterr()
    assert said.err.startswith("rage: RAGE_LANG is tlh, ")
    assert ", ".join(LANGUAGES) in said.err
    assert said.out == ""
    monkeypatch.setenv("RAGE_LANG", "de")
    assert main(["rules", "--lang", "tlh"]) == 2
    known = ", ".join(LANGUAGES)
    assert capsys.readouterr().err == f"rage: eine Sprache tlh gibt es nicht; es gibt {known}\n"
    with pytest.raises(SystemExit):
        main(["--lang"])
    assert "--lang: ein Wert fehlt" in capsys.readouterr().err
