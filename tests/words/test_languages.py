"""A language is offered once its core is whole, and the docs say how complete each is."""

from __future__ import annotations

import pytest

from rage.say import LANGUAGES
from tools.generated.languages import PAGE, core, missing, page


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_core_of_a_language_is_whole(language: str) -> None:
    assert missing(language) == set()


def test_the_core_is_what_players_need() -> None:
    assert {"page.table.points", "refuse.follow", "rules.score.example", "fact.undone"} <= core()
    assert not {"cli.variable.RAGE_LANG", "page.analysis.about", "tui.points"} & core()


def test_the_docs_say_how_complete_each_language_is() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()
