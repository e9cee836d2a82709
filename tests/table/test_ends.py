"""A proposal that ends for any reason: everybody is told why."""

from __future__ import annotations

import pytest

from rage.table import Claim, GiveSeat, Leave, ProposeUndo, StepIn, TakeBack
from rage.table.events import BotSat, Played, ProposalEnded, SteppedIn, TookBack
from table.tables import TableRun, comparable, data_of, reloaded, started_table


def with_request() -> tuple[TableRun, str, int]:
    """A game in which somebody asks to take a bid back; who, and their seat."""
    run = started_table("ann", "ben", "cleo")
    seat, asker = run.table.to_act, run.actor
    assert seat is not None
    assert asker is not None
    run.play()
    run.do(ProposeUndo(run.table.ply), asker)
    return run, asker, seat


def ends(run: TableRun, why: str) -> bool:
    """Whether nothing is proposed any more, and everybody has been told why."""
    assert comparable(reloaded(run.log)) == comparable(run.table)
    told = [data_of(run.table.redact(event, "ben")) for event in run.log[-6:]]
    return run.table.proposal is None and any(each.get("why") == why for each in told)


def test_the_next_one_acts() -> None:
    run, _, _ = with_request()
    ended, played = run.play()
    assert ended == ProposalEnded("decided")
    assert isinstance(played, Played)
    assert ends(run, "decided")


def test_who_claims_plays_on() -> None:
    run = started_table("ann", "ben", rules="poof+schedule:3")
    run.bid()
    run.do(Claim(run.table.ply, (1, 2)), run.actor)
    assert run.play()[0] == ProposalEnded("decided")
    assert ends(run, "decided")


@pytest.mark.parametrize("gone", [Leave(), None])
def test_somebody_goes(gone: Leave | None) -> None:
    run, asker, seat = with_request()
    first, second, *_ = run.do(gone or StepIn(seat), asker)
    assert first == ProposalEnded("seats")
    assert isinstance(second, BotSat if gone else SteppedIn)
    assert ends(run, "seats")


def test_somebody_comes_back() -> None:
    run = started_table("ann", "ben", "cleo")
    seat, asker = run.table.to_act, run.actor
    assert seat is not None
    away = (seat + 2) % 3
    person = ("ann", "ben", "cleo")[away]
    run.do(StepIn(away), person)
    run.play()
    run.do(ProposeUndo(run.table.ply), asker)
    assert run.do(TakeBack(), person) == [ProposalEnded("seats"), TookBack(away)]
    assert ends(run, "seats")


def test_the_host_gives_a_seat_to_a_bot() -> None:
    run, _, seat = with_request()
    other = 1 if seat != 1 else 2
    assert run.do(GiveSeat(other, bot="random"), "ann")[0] == ProposalEnded("seats")
    assert ends(run, "seats")
