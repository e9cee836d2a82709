"""Nothing in the rules is left without a test here: settings, variants, rulings, quotations."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rage.rules.ruleset import VARIANTS
from rage.rules.settings import SETTINGS

HERE = Path(__file__).parent
TESTS = "\n".join(
    path.read_text(encoding="utf-8") for path in HERE.glob("test_*.py") if path != Path(__file__)
)
RULES = (HERE.parents[1] / "docs" / "rules.md").read_text(encoding="utf-8")


def plain(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("**", ""))


@pytest.mark.parametrize("setting", [each.name for each in SETTINGS])
def test_every_setting_is_tried_in_a_game(setting: str) -> None:
    assert re.search(rf"\b{setting}[:=]|\"{setting}\"", TESTS)


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_is_tried_by_name(variant: str) -> None:
    assert re.search(rf"\+{variant}\b|{variant.split('-')[0]}\S*-bids", TESTS)


def test_every_ruling_has_a_test_of_its_number() -> None:
    numbers = {int(number) for number in re.findall(r"^(\d+)\. \*", section("Rulings"), re.M)}
    assert numbers == set(range(1, 16))
    assert {int(number) for number in re.findall(r"def test_ruling_(\d+)_", TESTS)} == numbers


def section(title: str) -> str:
    return RULES.split(f"## {title}\n")[1].split("\n## ")[0]


def quoted(docstring: str) -> list[str]:
    """The passages in quotation marks, each the longest that the page has; there may be quotation
    marks inside."""
    found = []
    at = docstring.find('"')
    while at >= 0:
        ends = [match.start() for match in re.finditer('"', docstring) if match.start() > at]
        for end in reversed(ends):
            if on_page(docstring[at + 1 : end]):
                found.append(docstring[at + 1 : end])
                break
        else:
            pytest.fail(f"not in docs/rules.md: {docstring}")
        at = docstring.find('"', end + 1)
    return found


def on_page(passage: str) -> bool:
    page = plain(RULES)
    return plain(passage) in page or all(part in page for part in plain(passage).split(" ... "))


def test_every_quotation_is_in_the_rules() -> None:
    docstrings = re.findall(r'"""(.*?)"""', TESTS, re.S)
    assert sum(len(quoted(each)) for each in docstrings) > 80


def test_every_test_of_the_rulings_quotes_them() -> None:
    rulings = plain(section("Rulings"))
    source = (HERE / "test_rulings.py").read_text(encoding="utf-8")
    for body in source.split("def test_ruling_")[1:]:
        docstring = re.search(r'"""(.*?)"""', body, re.S)
        assert docstring, body
        assert any(plain(each) in rulings for each in quoted(docstring[1])), body
