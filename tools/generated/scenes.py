"""``python -m tools.generated.scenes EDITION`` prints the guided round as the page plays it.

All that can happen in a scene is precomputed as messages of a table (docs/protocol.md), so that the
page follows a scene as it follows a server.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from rage.game.history import bidding_order
from rage.house.base.messages import FullTable, encode
from rage.learn import LEARNER, OTHERS, SCENES, Lesson, Step, scene
from rage.rules.settings import PRINTED
from rage.rules.values import Move
from rage.say import Reason
from rage.table import Create, Event, Play, Start, Table
from rage.table.facts import events as e
from rage.table.facts.shapes import HintData, ToActData
from rage.table.options import Options

#: The learner, and a placeholder for their name.
PERSON: Final = "learner"
NAME: Final = "Robin"
#: A table without anything that needs other people.
OPTIONS: Final = Options(undo=False, takeover="never", spectators=False, advice="never")
#: The facts after the last card, which a scene does not show: it has its own end.
_ENDS: Final = (e.RoundOver, e.GameOver)


def build_scenes(edition: str) -> dict[str, Any]:
    """Every scene: the ``table`` as dealt, the updates up to the first decision (``begin``), and
    the ``moments``. A moment is a decision of the learner (``turn``) with its ``choices``: for each
    move the ``updates`` that follow, and the ``next`` moment. Or it is the end: whether the bid was
    ``met``, and the ``account`` of the points. Updates have no numbers, because paths to the same
    moment differ in length; the last fact of each has the ``comment``."""
    return {
        "edition": edition,
        "scenes": {name: _Builder(name, edition).build() for name in SCENES},
    }


def page_scenes(edition: str) -> dict[str, Any]:
    """The scenes in the form for the page: if they differ from an earlier edition's only in the
    rules of their tables, just that edition (``like``) and these rules."""
    built = build_scenes(edition)
    own = {name: built["scenes"]["bid"]["table"]["table"][name] for name in ("rules", "settings")}
    for other in PRINTED[: PRINTED.index(edition)]:
        scenes = build_scenes(other)["scenes"]
        for scene_of_other in scenes.values():
            scene_of_other["table"]["table"] |= own
        if scenes == built["scenes"]:
            return {"edition": edition, "like": other, "table": own}
    return built


class _Builder:
    """Plays one scene in every possible way."""

    def __init__(self, name: str, edition: str) -> None:
        self._name = name
        self._lesson = Lesson(name, edition)
        self._moments: list[dict[str, Any]] = []
        self._known: dict[str, int] = {}

    def build(self) -> dict[str, Any]:
        lesson, table = self._lesson, self._dealt()
        full = FullTable(table.seq, 0, PERSON, table.view_for(PERSON))
        begin = _updates(table, lesson.begin())
        self._moment(lesson, table)
        return {"table": _plain(full), "begin": begin, "moments": self._moments}

    def _dealt(self) -> Table:
        """The table of a scene, dealt as in its file."""
        table, found = Table(), scene(self._name)
        rules = self._lesson.game.rules.name
        table.do(Create(rules, 1 + len(OTHERS), NAME, OPTIONS), PERSON, 0, seed=bytes(16))
        for event in table.decide(Start(names=OTHERS), PERSON, 0):
            fact = event.fact
            if isinstance(fact, e.Dealt):
                change = self._lesson.game.rounds[-1].trump_changes[0]
                fact = e.Dealt(
                    round=1,
                    dealer=found.dealer,
                    hands=tuple(found.hands),
                    stock=found.stock,
                    turned=str(change.cards),
                    trump=None if change.trump is None else change.trump.letter,
                    order=tuple(bidding_order(found.dealer, len(found.hands))),
                )
            table.apply(event._replace(fact=fact))
        return table

    def _moment(self, lesson: Lesson, table: Table) -> int:
        """The number of the moment a scene has reached; equal positions share one."""
        key = repr(lesson.game.position._fields())
        if key in self._known:
            return self._known[key]
        number = self._known[key] = len(self._moments)
        self._moments.append({})
        if lesson.game.over:
            self._moments[number] = {"met": lesson.met, "account": lesson.account.as_data()}
            return number
        choices = {}
        for move in lesson.game.legal_moves:
            after, there = lesson.copy(), table.__copy__()
            updates = _updates(there, after.play(move))
            choices[str(move)] = {"updates": updates, "next": self._moment(after, there)}
        self._moments[number] = {"turn": _turn(lesson, table), "choices": choices}
        return number


def _turn(lesson: Lesson, table: Table) -> Any:
    """The learner's legal moves, with the hint of the scene."""
    turn = table.turn_for(PERSON)
    assert turn is not None
    found = lesson.hint
    hint = None if found is None else HintData(found.reason.as_data(), 0, 0, cards=found.cards)
    why = turn.why_not
    return _plain(ToActData(turn.legal, why_not=why, may_claim=False, hint=hint))


def _updates(table: Table, steps: Sequence[Step]) -> list[dict[str, Any]]:
    """Play steps at a table, and return an update for each."""
    return [_update(table, *step) for step in steps]


def _update(table: Table, seat: int, move: Move, comment: Reason) -> dict[str, Any]:
    actor = PERSON if seat == LEARNER else None
    events = table.do(Play(table.ply, str(move)), actor, 0)
    facts = [_fact(table, event) for event in events]
    shown = [fact for event, fact in zip(events, facts, strict=True) if not _ends(event)]
    shown[-1]["comment"] = comment.as_data()
    to_act = None if table.phase == "over" else table.to_act
    return {"events": shown, "to_act": to_act}


def _ends(event: Event) -> bool:
    return isinstance(event.fact, _ENDS)


def _fact(table: Table, event: Event) -> Any:
    return _plain(table.redact(event, PERSON).fact)


def _plain(value: object) -> Any:
    """A struct as the page receives it."""
    return msgspec.json.decode(encode(value))


if __name__ == "__main__":
    sys.stdout.write(
        json.dumps(page_scenes(sys.argv[1]), separators=(",", ":"), sort_keys=True) + "\n"
    )
