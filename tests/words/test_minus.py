"""A minus is one sign, −, wherever a person reads it; and any that a person types is read."""

from __future__ import annotations

import re

import pytest

from rage import ruleset
from rage.game.plain_text import rule_lines
from rage.say import LANGUAGES, catalogue, decimal, signed, text

#: A hyphen as the sign of a number; ``miss:-5`` is what is typed.
HYPHEN = re.compile(r"(?<![\w:\-])-\d")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_has_a_hyphen_for_it(language: str) -> None:
    found = [code for code, words in catalogue(language).items() if HYPHEN.search(words)]
    assert found == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_points_below_zero_have_it_in_sentences(language: str) -> None:
    assert signed(-5) == signed(-5, "+d") == "−5"
    assert decimal(-0.6, ".1f", "en") == "−0.6"
    assert "−7" in text("tui.points", language, points=-7)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sums_of_the_rules_have_it(language: str) -> None:
    lines = [*rule_lines(ruleset("amigo"), 4, language)]
    assert any(re.search(r"\d − 5 = −\d", line) for line in lines)
    assert not any(re.search(r"\d - \d", line) for line in lines)


@pytest.mark.parametrize("sign", ["-", "−", "–"])
def test_any_sign_is_read_in_a_rule_set(sign: str) -> None:
    assert ruleset(f"poof+miss:{sign}5").miss == -5
