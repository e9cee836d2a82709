"""When a bot may play for somebody: at tables where none ever does, and when a turn restarts."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from rage.coach import Coach, topics
from rage.table import (
    Answer,
    Clock,
    GiveSeat,
    Nudge,
    OpenTakeoverVote,
    Options,
    Pause,
    ProposeUndo,
    Resume,
    SetPresence,
    StepIn,
    TakeBack,
    Vote,
    Watch,
)
from rage.table.facts.events import BotSat, Nudged, SteppedIn, TakeoverVoteOpened, Voted
from table.tables import TableRun, refusal_code, started_table

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
    assert refusal_code(run, OpenTakeoverVote(seat, ply), None) == "table.not_due"
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


def test_no_bot_plays_for_somebody_for_whom_nobody_waits() -> None:
    """ "for others it steps in only while somebody waits who plays for themselves" """
    run = started_table("ann", "ben", options=Options(takeover="at_once", grace=20))
    run.do(SetPresence("ben", False), None)
    run.do(StepIn(0), "ann")
    run.now += 20_000
    assert refusal_code(run, StepIn(1), None) == "table.not_due"
    assert refusal_code(run, StepIn(1), "ann") == "table.not_asked"
    run.do(TakeBack(), "ann")
    assert run.do(StepIn(1), "ann") == [SteppedIn(1, "steady")]


# --- when a turn starts again -----------------------------------------------------------------

AWAY = Options(takeover="vote", grace=20)
SLOW = Options(takeover="vote", grace=20, clock=Clock(30, 60, 90))


def asked_about(*people: str, options: Options) -> tuple[TableRun, int, str, str]:
    """A game whose others have just been asked whether a bot should play for the player to act;
    that player's seat, the player, and one of the others."""
    run = started_table(*people, options=options)
    seat, late = run.table.to_act, run.actor
    assert seat is not None
    assert late is not None
    if options.clock is None:
        run.do(SetPresence(late, False), None)
    run.now += 60_000
    run.do(OpenTakeoverVote(seat, run.table.ply), None)
    return run, seat, late, next(each for each in people if each != late)


def come_back(run: TableRun, seat: int, late: str) -> None:
    run.do(SetPresence(late, False), None)
    run.do(SetPresence(late, True), None)


def take_seat_back(run: TableRun, seat: int, late: str) -> None:
    run.do(StepIn(seat), late)
    run.do(TakeBack(), late)


def pause_and_resume(run: TableRun, seat: int, late: str) -> None:
    run.do(Pause(), "ann")
    run.do(Resume(), "ann")


def give_away(run: TableRun, seat: int, late: str) -> None:
    """The seat goes to a latecomer, and everybody else agrees."""
    run.do(Watch("Dan"), "dan")
    run.do(GiveSeat(seat, "dan"), late)
    for each in {"ann", "ben", "cleo"} - {late}:
        run.do(Answer(run.table.ply, True), each)


@pytest.mark.parametrize(
    ("options", "restart"),
    [
        (AWAY, come_back),
        (SLOW, come_back),
        (SLOW, take_seat_back),
        (SLOW, pause_and_resume),
        (SLOW, give_away),
    ],
)
def test_a_player_with_the_full_time_again_is_not_voted_on(
    options: Options, restart: Callable[[TableRun, int, str], None]
) -> None:
    run, seat, late, other = asked_about("ann", "ben", "cleo", options=options)
    run.do(Vote(seat, True), other)
    restart(run, seat, late)
    assert run.table.to_act == seat
    assert run.table.state.turn_since == run.now
    assert run.table.takeover is None
    asked = next(each for each in ("ann", "ben", "cleo") if each not in (late, other))
    assert refusal_code(run, Vote(seat, True), asked) == "table.no_vote"
    assert not run.table.state.votes


def test_a_player_who_is_slow_again_is_asked_about_again() -> None:
    run, seat, _, other = asked_about("ann", "ben", "cleo", options=SLOW)
    run.do(Vote(seat, True), other)
    run.do(Pause(), "ann")
    run.do(Resume(), "ann")
    began = run.now
    assert run.table.due(began).next == began + 30_000
    run.now = began + 29_000
    run.do(Nudge(seat, run.table.ply), None)
    run.now = began + 59_000
    assert run.do(OpenTakeoverVote(seat, run.table.ply), None) == [
        TakeoverVoteOpened(seat, run.table.ply)
    ]
    assert run.table.due(run.now) == ((), None), "an earlier vote is not counted"
    assert run.do(Vote(seat, True), other) == [Voted(seat, other, True)]


def test_an_undo_ends_the_vote_on_the_player_whose_turn_it_was() -> None:
    people = ("ann", "ben", "cleo", "dan")
    run = started_table(*people, options=SLOW)
    first = run.actor
    run.play()
    seat, late = run.table.to_act, run.actor
    assert seat is not None
    run.now += 60_000
    run.do(OpenTakeoverVote(seat, run.table.ply), None)
    run.do(Vote(seat, True), first)
    run.do(ProposeUndo(run.table.ply), first)
    ply = run.table.ply
    for each in people:
        if each != first:
            run.do(Answer(ply, True), each)
    assert run.actor == first
    assert not run.table.state.votes
    assert late is not None
    run.do(SetPresence(late, False), None)
    other = next(each for each in people if each not in (first, late))
    assert run.do(Vote(seat, True), other) == [Voted(seat, other, True)]


def test_the_coach_says_that_a_bid_was_made_before() -> None:
    """A person who is given a bot's seat in the middle of a round did not bid; nor do lessons of
    the next round speak of that bid as theirs."""
    run = started_table("ann", "cleo", players=3, rules="poof+schedule:3.3")
    run.bid()
    while run.table.to_act != 2:
        run.play()
    run.do(Watch("Dan"), "dan")
    run.do(GiveSeat(2, "dan"), "ann")
    run.do(Answer(run.table.ply, True), "cleo")
    coach = Coach(topics(run.table.state.ruleset(), 3))
    assert "coach.aim.inherited" in hint_codes(run, coach)
    while len(run.game.rounds) == 1 or run.table.to_act != 2:
        run.play()
    assert hint_codes(run, Coach({"bid"})).isdisjoint({"coach.met", "coach.missed"})
    while run.game.bidding or run.table.to_act != 2:
        run.play()
    assert "coach.aim.inherited" not in hint_codes(run, coach)


def hint_codes(run: TableRun, coach: Coach) -> set[str]:
    """The codes of the hint for Dan, whose turn it is."""
    turn = run.table.turn_for("dan", coach)
    assert turn is not None
    assert turn.hint is not None
    return set(re.findall(r"coach\.[a-z_.]+", str(turn.hint.reason)))
