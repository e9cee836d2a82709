"""The cases in ``tests/scores``, which the page is tested against, too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rage import NotReadable
from rage.say import LANGUAGES, RageError, sentence
from rage.score.file import read_sheet, sheet_from
from rage.score.link import read_link
from tools.generated.score_cases import good_case

FOLDER = Path(__file__).parents[1] / "scores"


def cases(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    return found


@pytest.mark.parametrize("case", cases("good"), ids=lambda case: case["about"])
def test_a_sheet_in_all_its_forms(case: dict[str, Any]) -> None:
    sheet = read_sheet(case["file"].encode())
    assert good_case(case["about"], sheet) == case
    assert read_link(case["link"]) == sheet._replace(extra={})


@pytest.mark.parametrize("case", cases("refused"), ids=lambda case: case["about"])
def test_a_sheet_that_is_refused(case: dict[str, Any]) -> None:
    with pytest.raises(RageError) as refused:
        sheet_from(case["sheet"])
    reason = refused.value.reason
    assert isinstance(refused.value, NotReadable) == (case["status"] == 2)
    assert reason.params.get("round") == case["round"]
    assert reason.params.get("why", reason).code == case["code"]
    for language in LANGUAGES:
        assert sentence(reason, language)
