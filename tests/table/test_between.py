"""Between two rounds: who is waited for before the next one is dealt, and until when."""

from __future__ import annotations

from random import Random

import pytest

from rage.table import (
    Claim,
    DealNext,
    GiveSeat,
    Join,
    Leave,
    Options,
    Pause,
    Play,
    ProposeUndo,
    Ready,
    Rematch,
    Resume,
    SetPresence,
    Start,
    StepIn,
    TakeBack,
    Watch,
)
from rage.table.facts.events import Dealt, GameOver, PlayerReady, RoundOver
from rage.table.facts.shapes import BetweenData
from table.tables import TableRun, assert_same, refusal_code, started_table, view_data

RULES = "poof+schedule:2.2.1"
UNTIL_READY = Options(between=None, takeover="at_once", grace=20)
A_MINUTE = Options(between=60)


def after_round(*people: str, options: Options = UNTIL_READY, players: int = 3) -> TableRun:
    """A game whose first round has just ended."""
    run = started_table(*people, rules=RULES, players=players, options=options)
    rng = Random(1)
    while run.game.rounds[0].points is None:
        run.play(rng.choice(run.game.legal_moves))
    return run


def waits(run: TableRun) -> bool:
    """Whether the next round waits, and nobody is to act, also for a table read from the log."""
    assert_same(run)
    assert run.table.state.between_rounds == (run.table.to_act is None)
    return run.table.state.between_rounds


def test_without_the_option_the_next_round_is_dealt_at_once() -> None:
    run = after_round("ann", "ben", options=Options())
    assert isinstance(run.log[-1].fact, Dealt)
    assert run.table.due(run.now).commands == ()


def test_it_waits_until_everybody_is_ready() -> None:
    run = after_round("ann", "ben")
    assert isinstance(run.log[-1].fact, RoundOver)
    assert waits(run)
    assert run.table.due(run.now) == ((), None)
    assert run.do(Ready(1), "ben") == [PlayerReady(1)]
    told = {"ready": [1], "unready": [0], "until": None}
    assert view_data(run.table, "ann")["between"] == told
    assert waits(run)
    first, dealt = run.do(Ready(1), "ann")
    assert first == PlayerReady(0)
    assert isinstance(dealt, Dealt)
    assert dealt.round == 2
    assert not waits(run)
    assert view_data(run.table, "ann")["between"] is None


def test_who_is_ready_says_so_once_for_the_round_that_is_over() -> None:
    run = after_round("ann", "ben")
    run.do(Watch("Eve"), "eve")
    assert refusal_code(run, Ready(2), "ann") == "table.not_between"
    run.do(Ready(1), "ann")
    assert refusal_code(run, Ready(1), "ann") == "table.ready_already"
    assert refusal_code(run, Ready(1), "eve") == "table.no_seat_of_yours"
    run.do(Ready(1), "ben")
    assert refusal_code(run, Ready(1), "ann") == "table.not_between"


def test_nobody_acts_claims_or_takes_back_meanwhile() -> None:
    run = after_round("ann", "ben", "cleo")
    ply = run.table.ply
    last = run.table.state.seats[run.table.state.require_play().trail[-1].seat].person
    assert refusal_code(run, ProposeUndo(ply), last) == "table.undo_round"
    assert refusal_code(run, Play(ply, "R1"), "ann") == "refuse.not_dealt"
    assert run.table.may_undo == set()
    assert not run.table.may_claim
    assert refusal_code(run, Claim(ply, (0, 0, 0)), "ann") == "table.claim_on_turn"
    assert run.table.bot_to_act() is None
    assert run.table.takeover is None
    for person in ("ann", "ben", "cleo"):
        assert run.table.turn_for(person) is None


def test_the_time_is_up() -> None:
    run = after_round("ann", "ben", options=A_MINUTE)
    over = run.now
    run.do(Ready(1), "ann")
    assert run.table.due(run.now) == ((), over + 60_000)
    run.now = over + 58_000
    assert refusal_code(run, DealNext(), None) == "table.not_due"
    assert refusal_code(run, DealNext(), "ann") == "table.house_only"
    run.now += 1000
    assert isinstance(run.do(DealNext(), None)[0], Dealt)
    assert refusal_code(run, DealNext(), None) == "table.not_due"
    assert not waits(run)


def test_everybody_is_told_who_is_waited_for_and_until_when() -> None:
    run = after_round("ann", "ben", options=A_MINUTE)
    over = run.now
    assert run.table.between == BetweenData([], [0, 1], over + 60_000)
    run.do(SetPresence("ben", False), None)
    away = run.now + 1000 * A_MINUTE.grace
    run.do(Ready(1), "ann")
    assert run.table.between == BetweenData([0], [1], away)
    run.do(Pause(), "ann")
    assert run.table.between == BetweenData([0], [1], None)
    run.do(Resume(), "ann")
    run.do(Ready(1), "ben")
    assert run.table.between is None


def test_a_pause_stops_the_time_but_not_those_who_read() -> None:
    run = after_round("ann", "ben", options=A_MINUTE)
    run.do(Pause(), "ann")
    run.now += 10**6
    assert run.table.due(run.now) == ((), None)
    assert run.do(Ready(1), "ann") == [PlayerReady(0)]
    assert refusal_code(run, DealNext(), None) == "table.while.paused"
    run.do(Resume(), "ann")
    assert run.table.due(run.now) == ((), run.now + 60_000)
    run.do(Pause(), "ann")
    assert run.do(Ready(1), "ben") == [PlayerReady(1)]
    run.do(Resume(), "ann")
    assert run.table.due(run.now).commands == (DealNext(),)
    assert isinstance(run.do(DealNext(), None)[0], Dealt)


def test_who_is_away_is_waited_for_only_so_long() -> None:
    run = after_round("ann", "ben")
    run.do(SetPresence("ben", False), None)
    left = run.now
    run.do(Ready(1), "ann")
    assert waits(run)
    due = run.table.due(run.now)
    assert due.next == left + 20_000
    run.now = left + 19_000
    assert DealNext() in run.table.due(run.now + 1000).commands
    assert isinstance(run.do(DealNext(), None)[0], Dealt)


def test_while_everybody_is_away_nothing_is_dealt() -> None:
    run = after_round("ann")
    run.do(SetPresence("ann", False), None)
    run.now += 10**9
    assert run.table.due(run.now) == ((), None)
    run.do(SetPresence("ann", True), None)
    assert waits(run)
    assert isinstance(run.do(Ready(1), "ann")[-1], Dealt)


@pytest.mark.parametrize("gone", [Leave(), GiveSeat(1, bot="random"), StepIn(1)])
def test_a_bot_is_not_waited_for(gone: Leave | GiveSeat | StepIn) -> None:
    run = after_round("ann", "ben")
    run.do(Ready(1), "ann")
    run.do(gone, "ben")
    assert waits(run)
    assert run.table.due(run.now).commands == (DealNext(),)
    assert isinstance(run.do(DealNext(), None)[0], Dealt)
    assert not waits(run)


def test_who_plays_again_has_to_be_ready() -> None:
    run = after_round("ann", "ben")
    run.do(StepIn(1), "ben")
    assert refusal_code(run, Ready(1), "ben") == "table.bot_plays"
    run.do(TakeBack(), "ben")
    run.do(Ready(1), "ann")
    assert run.table.due(run.now).commands == ()
    assert waits(run)


def test_a_seat_that_changes_hands_is_not_ready() -> None:
    run = after_round("ann", "ben")
    run.do(Watch("Eve"), "eve")
    run.do(Ready(1), "ann")
    run.do(GiveSeat(2, "eve"), "ann")
    run.do(Leave(), "ben")
    assert run.table.state.ready == {0}


def test_nothing_waits_after_the_last_round_or_before_the_next_game() -> None:
    run = after_round("ann")
    rng = Random(2)
    while run.table.phase == "playing":
        if run.table.to_act is None:
            run.do(Ready(len(run.game.rounds)), "ann")
        run.play(rng.choice(run.game.legal_moves))
    assert isinstance(run.log[-1].fact, GameOver)
    assert not run.table.state.between_rounds
    assert refusal_code(run, Ready(3), "ann") == "table.while.over"
    run.do(Rematch(), "ann", bytes(16))
    run.do(Join("Ben", 1), "ben")
    run.do(Start("random"), "ann")
    assert not waits(run)


def test_nobody_sees_what_is_to_be_dealt() -> None:
    run = after_round("ann", "ben")
    for person in ("ann", "ben"):
        game = view_data(run.table, person)["game"]
        assert game["hand"] == ""
        assert len(game["rounds"]) == 1
    assert len(run.game.rounds) == 1
