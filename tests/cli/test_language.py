"""Which language is spoken: ``RAGE_LANG``, ``LC_ALL``, ``LC_MESSAGES``, ``LANG``, in this order."""

from __future__ import annotations

from itertools import combinations

import pytest

from rage.cli import main

NAMES = ("RAGE_LANG", "LC_ALL", "LC_MESSAGES", "LANG")
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
    for value in ("C", "C.UTF-8", "POSIX", "fr_FR.UTF-8"):
        assert spoken(monkeypatch, capsys, LC_ALL=value, LANG="de_DE.UTF-8") == "en"
    assert spoken(monkeypatch, capsys, LANG="de_AT.UTF-8") == "de"
    assert spoken(monkeypatch, capsys) == "en"
