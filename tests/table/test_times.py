"""A clock that was ahead for a moment: no time in the future binds a table."""

from __future__ import annotations

import re
from dataclasses import fields
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from rage.table import (
    Clock,
    GiveSeat,
    Nudge,
    OpenTakeoverVote,
    Options,
    Rename,
    SetClock,
    SetPresence,
    StepIn,
    TakeHost,
    Vote,
    Watch,
)
from rage.table.facts.events import ClockSet, Nudged, SteppedIn, TakeoverVoteOpened
from rage.table.parts import Guest, TableGame
from rage.table.people.hosts import HOST_GRACE
from rage.table.play.clock import MAX_AHEAD
from rage.table.state import State
from table.tables import TableRun, assert_same, comparable, refusal_code, started_table, table_of

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

YEAR = 365 * 24 * 3_600_000
VOTE = Options(takeover="vote", grace=20, clock=Clock(30, 60, 90))
AT_ONCE = Options(takeover="at_once", grace=20, clock=Clock(30, 60, 90))


def with_clock_jump(options: Options) -> tuple[TableRun, int, str]:
    """A game of three with a decision a year ahead; the seat and the person to act."""
    run = started_table("ann", "ben", "cleo", options=options)
    run.now += YEAR
    run.play()
    run.do(SetPresence("cleo", False), None)
    run.do(SetPresence("cleo", True), None)
    run.now -= YEAR
    seat, actor = run.table.to_act, run.actor
    assert seat is not None
    assert actor is not None
    return run, seat, actor


def test_the_clock_goes_on_from_now() -> None:
    run, seat, actor = with_clock_jump(VOTE)
    ply = run.table.ply
    assert run.table.due(run.now) == ((SetClock(),), None)
    run.do(SetClock(), None)
    assert run.log[-1].at == run.now
    began = run.now
    assert run.table.due(began).next == began + 30_000
    run.now = began + 29_000
    assert run.do(Nudge(seat, ply), None) == [Nudged(seat, ply)]
    run.now = began + 59_000
    assert run.do(OpenTakeoverVote(seat, ply), None) == [TakeoverVoteOpened(seat, ply)]
    electors = [each for each in ("ann", "ben", "cleo") if each != actor]
    run.do(Vote(seat, True), electors[0])
    assert SteppedIn(seat, "steady") in run.do(Vote(seat, True), electors[1])
    assert_same(run)


def test_a_bot_steps_in_again() -> None:
    run, seat, actor = with_clock_jump(AT_ONCE)
    run.do(SetClock(), None)
    run.do(SetPresence(actor, False), None)
    assert refusal_code(run, StepIn(seat), None) == "table.not_due"
    run.now += 20_000
    assert run.do(StepIn(seat), None) == [SteppedIn(seat, "steady")]


def test_somebody_else_may_be_host_again() -> None:
    run = started_table("ann", "ben")
    run.now += YEAR
    run.do(SetPresence("ann", False), None)
    run.now -= YEAR
    run.do(SetClock(), None)
    run.now += 1000 * HOST_GRACE
    run.do(TakeHost(), "ben")


def test_any_event_corrects_a_clock_that_was_ahead() -> None:
    run, _, _ = with_clock_jump(VOTE)
    assert run.table.state.turn_since > YEAR
    run.do(Watch("Eve"), "eve")
    assert run.log[-1].at == run.now
    assert run.table.state.turn_since == run.now
    assert all(each.since <= run.now for each in run.table.state.guests.values())
    assert run.table.due(run.now).next == run.now + 30_000


def test_no_time_is_forgotten() -> None:
    """Every number that a state keeps is either set back or known not to be a time."""
    run, _, _ = with_clock_jump(VOTE)
    run.do(SetClock(), None)

    def ahead(value: object, path: str) -> list[str]:
        if isinstance(value, dict):
            return [each for key in value for each in ahead(value[key], f"{path}.{key}")]
        if isinstance(value, list):
            return [each for at, one in enumerate(value) for each in ahead(one, f"{path}.{at}")]
        late = isinstance(value, int) and run.now < value < 2 * YEAR
        return [path] if late else []

    assert ahead(comparable(run.table), "") == []


def test_every_field_annotated_as_a_time_is_set_back() -> None:
    now, later = 5, {"Time": 9, "Time | None": 9, "list[Time]": [9]}
    play: Any = SimpleNamespace(**times(TableGame, later))
    guest = Guest("Ann", **times(Guest, later))
    state = State(guests={"ann": guest}, play=play, **times(State, later))
    state.set_back(now)
    set_back = {"Time": now, "Time | None": now, "list[Time]": [now]}
    for kind, held in ((State, state), (Guest, guest), (TableGame, play)):
        wanted = times(kind, set_back)
        assert wanted
        assert {name: getattr(held, name) for name in wanted} == wanted


def times(kind: type[DataclassInstance], values: dict[str, Any]) -> dict[str, Any]:
    """The fields of a class that hold times, with a value for each annotation."""
    found = {each.name: str(each.type) for each in fields(kind)}
    assert all(each in values for each in found.values() if re.search(r"\bTime\b", each))
    return {name: values[each] for name, each in found.items() if each in values}


def test_only_the_house_sets_the_clock_and_only_when_it_is_due() -> None:
    run, _, actor = with_clock_jump(VOTE)
    assert refusal_code(run, SetClock(), actor) == "table.house_only"
    run.do(SetClock(), None)
    assert refusal_code(run, SetClock(), None) == "table.not_due"


@pytest.mark.parametrize("ahead", [0, 1, MAX_AHEAD])
def test_a_moment_ahead_does_not_matter(ahead: int) -> None:
    run = table_of("ann", "ben")
    last = run.log[-1].at
    (event,) = run.table.decide(Rename("Bea"), "ben", last - ahead)
    assert event.at == last
    assert run.table.due(last - ahead).commands == ()
    (event,) = run.table.decide(Rename("Bea"), "ben", last - MAX_AHEAD - 1)
    assert event.at == last - MAX_AHEAD - 1


@pytest.mark.parametrize("phase", ["gathering", "over"])
def test_a_table_at_rest_is_corrected_too(phase: str) -> None:
    run = table_of("ann", "ben") if phase == "gathering" else started_table("ann", "ben")
    if phase == "over":
        run = started_table("ann", "ben", rules="poof+schedule:1")
        run.now += YEAR
        run.play_out()
        run.now -= YEAR
    else:
        run.now += YEAR
        run.do(GiveSeat(1), "ben")
        run.now -= YEAR
    assert run.table.phase == phase
    assert run.table.due(run.now).commands == (SetClock(),)
    assert run.do(SetClock(), None) == [ClockSet()]
    assert run.table.due(run.now) == ((), None)
