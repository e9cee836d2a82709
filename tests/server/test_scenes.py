"""The guided round as the page plays it: messages of a table, equal to what its lessons say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rage.learn import LEARNER, SCENES, Lesson
from rage.rules.settings import PRINTED
from rage.rules.values import Move
from tools.generated.scenes import build_scenes, page_scenes

PAGE = Path(__file__).parents[2] / "web/src/guided/built"
each_edition = pytest.mark.parametrize("edition", PRINTED)


@each_edition
def test_the_page_has_the_scenes_as_they_are_built(edition: str) -> None:
    """Where this fails: ``make generated``."""
    shown = json.loads((PAGE / f"{edition}.json").read_text(encoding="utf-8"))
    assert shown == page_scenes(edition)


@each_edition
@pytest.mark.parametrize("name", SCENES)
def test_every_legal_move_leads_on_and_every_other_card_is_refused(name: str, edition: str) -> None:
    data = build_scenes(edition)["scenes"][name]

    def follow(lesson: Lesson, moment: dict[str, Any]) -> None:
        if lesson.game.over:
            assert moment == {"met": lesson.met, "account": lesson.account.as_data()}
            return
        turn = moment["turn"]
        legal = turn["legal"].split()
        assert set(moment["choices"]) == set(legal) == {*map(str, lesson.game.legal_moves)}
        refused = " ".join(codes for codes, _ in turn.get("why_not", [])).split()
        if not lesson.game.bidding:
            hand = {*map(str, lesson.game.view(LEARNER).hand)}
            assert hand == {move[0] if move[0] in "WC" else move for move in legal} | {*refused}
        for move, choice in moment["choices"].items():
            after = lesson.copy()
            steps = after.play(Move(move))
            told = [update["events"][-1]["comment"] for update in choice["updates"]]
            made = [update["events"][0] for update in choice["updates"]]
            assert told == [step.comment.as_data() for step in steps]
            assert [(fact["seat"], fact["move"]) for fact in made] == [
                (step.seat, str(step.move)) for step in steps
            ]
            follow(after, data["moments"][choice["next"]])

    lesson = Lesson(name, edition)
    assert len(data["begin"]) == len(lesson.begin())
    follow(lesson, data["moments"][0])


@each_edition
def test_no_hand_of_the_others_is_shown(edition: str) -> None:
    for name, data in build_scenes(edition)["scenes"].items():
        assert "hands" not in json.dumps(data), name
        assert "stock" not in json.dumps(data), name
