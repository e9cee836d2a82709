"""Tables where no bot plays for anybody who is away."""

from __future__ import annotations

import pytest

from rage.table import (
    Answer,
    Ask,
    Clock,
    GiveSeat,
    Nudge,
    Options,
    SetPresence,
    StepIn,
    Vote,
    Watch,
)
from rage.table.events import BotSat, Nudged, SteppedIn
from table.tables import refusal_code, started_table

NEVER = Options(takeover="never", grace=1, clock=Clock(30, 60, 90))


@pytest.mark.parametrize("present", [True, False])
def test_nobody_is_replaced_however_long_they_take(present: bool) -> None:
    run = started_table("ann", "ben", "cleo", options=NEVER)
    seat, late, ply = run.table.to_act, run.actor, run.table.ply
    assert seat is not None
    assert late is not None
    other = next(each for each in ("ann", "ben", "cleo") if each != late)
    if not present:
        run.do(SetPresence(late, False), None)
    run.now += 29_000
    assert run.do(Nudge(seat, ply), None) == [Nudged(seat, ply)]
    run.now += 10**9
    assert run.table.due(run.now) == ((), None)
    assert refusal_code(run, Ask(seat, ply), None) == "table.not_due"
    assert refusal_code(run, StepIn(seat), None) == "table.not_due"
    assert refusal_code(run, StepIn(seat), other) == "table.never_bots"
    assert refusal_code(run, Vote(seat, True), other) == "table.no_vote"
    takeover = run.table.takeover
    assert (takeover and takeover.how) == (None if present else "wait")


def test_the_host_may_give_the_seat_and_one_may_ask_for_a_bot_oneself() -> None:
    run = started_table("ann", "ben", "cleo", options=NEVER)
    run.do(SetPresence("ben", False), None)
    assert isinstance(run.do(GiveSeat(1, bot="random"), "ann")[0], BotSat)
    assert run.do(StepIn(2), "cleo") == [SteppedIn(2, "steady")]


def test_a_latecomer_may_have_such_a_seat() -> None:
    run = started_table("ann", "cleo", players=3, options=NEVER)
    run.do(Watch("Dan"), "dan")
    run.do(GiveSeat(2, "dan"), "ann")
    run.do(Answer(run.table.ply, True), "cleo")
    assert run.table.state.seat_of("dan") == 2
