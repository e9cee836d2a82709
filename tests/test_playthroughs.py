"""A short game of each edition is what it was: a change of behaviour is a difference in a text."""

from __future__ import annotations

from pathlib import Path

import pytest

from rage.rules.settings import PRINTED
from tools.generated.playthrough import playthrough

FOLDER = Path(__file__).with_name("playthroughs")


@pytest.mark.parametrize("edition", PRINTED)
def test_a_game_is_played_and_told_as_it_was(edition: str) -> None:
    text = (FOLDER / f"{edition}.txt").read_text(encoding="utf-8")
    assert [*playthrough(edition)] == text.splitlines(), "make generated, and read what differs"
