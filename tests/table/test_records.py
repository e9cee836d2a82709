"""``earlier`` in the record of a table's game: which rounds were dealt to others."""

from __future__ import annotations

from typing import Any

import msgspec

from rage.table import (
    GiveSeat,
    Leave,
    Rename,
    Start,
    StepIn,
    Table,
    TakeBack,
    Watch,
)
from table.tables import TableRun, started_table, table_of

RULES = "poof+schedule:1.1.1"


def earlier(run: TableRun) -> Any:
    """What the record says of earlier rounds; the same after a restart."""
    found = run.table.record().extra.get("earlier")
    again = Table.from_snapshot(run.table.snapshot())
    assert again.record().extra.get("earlier") == found
    rounds = [] if found is None else [each["round"] for each in found]
    assert list(again.earlier_occupants()) == rounds
    return found


def test_a_new_name_during_the_game_or_after_it_is_nobody_else() -> None:
    run = started_table("ann", "ben", rules=RULES)
    run.play_round()
    run.do(Rename("Anna"), "ann")
    assert earlier(run) is None
    run.play_out()
    assert earlier(run) is None
    run.do(Rename("Annette"), "ann")
    assert earlier(run) is None
    assert run.table.record().names == ["Anna", "Ben"]


def test_a_new_name_after_the_game_is_not_the_one_in_earlier_rounds() -> None:
    run = started_table("ann", "ben", "cleo", rules=RULES)
    run.play_round()
    run.do(Leave(), "ben")
    run.play_out()
    before = earlier(run)
    assert before == [
        {"round": 1, "players": ["Ann", "Ben", "Cleo"], "bots": [None] * 3},
        {"round": 2, "players": ["Ann", "Ben", "Cleo"], "bots": [None] * 3},
    ]
    run.do(Rename("Anna"), "ann")
    assert earlier(run) == before
    held = [[*map(msgspec.structs.astuple, each)] for each in run.table.view_for("ann").holders]
    assert held == [
        [("Ann", False, 1)],
        [("Ben", False, 1), ("Vega", True, 3)],
        [("Cleo", False, 1)],
    ]


def test_a_bot_under_the_name_of_the_person_before_it_is_another() -> None:
    run = started_table("ann", "ben", rules=RULES)
    run.play_round()
    run.do(Leave(), "ben")
    run.do(GiveSeat(1, bot="random", name="Ben"), "ann")
    assert earlier(run) == [
        {"round": number, "players": ["Ann", "Ben"], "bots": [None, None]} for number in (1, 2)
    ]
    run.play_out()
    record = run.table.record()
    assert (record.names, record.extra["bots"]) == (["Ann", "Ben"], [None, "random"])
    assert [each["bots"] for each in earlier(run)] == [[None, None]] * 2


def test_another_bot_is_another() -> None:
    run = started_table("ann", "ben", players=3, rules=RULES)
    run.play_round()
    run.do(GiveSeat(2, bot="steady", name="Sirius"), "ann")
    run.play_out()
    assert [(each["round"], each["bots"]) for each in earlier(run)] == [
        (1, [None, None, "random"]),
        (2, [None, None, "random"]),
    ]


def test_another_person_of_the_same_name_is_another() -> None:
    run = started_table("ann", "ben", rules=RULES)
    run.play_round()
    run.do(Leave(), "ben")
    run.play_round()  # the hand that was Ben's is seen by nobody else
    run.do(Watch("Ben"), "ben2")
    run.do(GiveSeat(1, "ben2"), "ann")
    run.play_out()
    assert [(each["round"], each["bots"]) for each in earlier(run)] == [
        (1, [None, None]),
        (2, [None, None]),
        (3, [None, "steady"]),
    ]


def test_who_leaves_and_comes_back_under_another_name_is_nobody_else() -> None:
    run = started_table("ann", "ben", rules=RULES)
    run.play_round()
    run.do(Leave(), "ben")
    run.play_round()
    run.do(Watch("Benny"), "ben")
    run.do(GiveSeat(1, "ben"), "ann")
    run.play_out()
    assert run.table.record().names == ["Ann", "Benny"]
    assert [(each["round"], each["bots"]) for each in earlier(run)] == [(3, [None, "steady"])]


def test_a_bot_that_steps_in_for_somebody_is_nobody_else() -> None:
    run = started_table("ann", "ben", rules=RULES)
    run.play_round()
    run.do(StepIn(1), "ben")
    run.play_round()
    run.do(TakeBack(), "ben")
    assert earlier(run) is None
    run.do(StepIn(1), "ben")
    run.play_out()
    assert earlier(run) is None


def test_who_takes_a_seat_after_the_game_has_not_played_it() -> None:
    run = table_of("ann", "ben", rules="poof+schedule:1", players=3)
    run.do(Start("random"), "ann")
    run.play_out()
    bots = run.table.record().extra["bots"]
    run.do(Leave(), "ben")
    assert earlier(run) is None
    assert run.table.record().extra["bots"] == bots == [None, None, "random"]
    assert run.table.record().names[:2] == ["Ann", "Ben"]
