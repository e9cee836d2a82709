"""Where bids are hidden or secret, all bid at the same time, and may change their bids until the
last is in."""

from __future__ import annotations

from typing import Any

import pytest

from rage.table import (
    Answer,
    ChangeBid,
    Clock,
    GiveSeat,
    Nudge,
    Options,
    Pause,
    Play,
    Resume,
    SetPresence,
    StepIn,
    TakeBack,
    Watch,
)
from rage.table.facts.events import BidSealed, BidsShown, Nudged, Played, SteppedIn
from table.tables import TableRun, bot_move, refusal_code, started_table, view_data

PEOPLE = ("ann", "ben", "cleo")


def bidding(*people: str, mode: str = "hidden", **more: Any) -> TableRun:
    """A game in which everybody may bid; nobody is eldest but seat 0."""
    run = started_table(*people, rules=f"poof+{mode}-bids+schedule:2", **more)
    dealer = run.game.rounds[-1].dealer
    assert run.awaited == list(range(len(run.table.state.seats)))
    assert run.table.to_act == (dealer + 1) % len(run.awaited)
    return run


def in_order(run: TableRun) -> list[int]:
    return run.table.state.bidders


@pytest.mark.parametrize("mode", ["hidden", "secret"])
def test_all_bid_in_any_order_and_the_game_is_told_in_its_own(mode: str) -> None:
    run = bidding(*PEOPLE, mode=mode)
    first, second, third = in_order(run)
    ply = run.table.ply
    for person in PEOPLE:
        turn = run.table.turn_for(person)
        assert turn is not None
        assert turn.legal == "0 1 2"
    assert run.play("2", third) == [BidSealed(third, "2")]
    assert run.play("1", first) == [BidSealed(first, "1")]
    assert run.table.to_act == second
    assert run.table.ply == ply
    told = view_data(run.table, PEOPLE[third])["game"]
    assert told["has_bid"] == [seat != second for seat in range(3)]
    assert told["rounds"][-1]["bids"] == [2 if seat == third else None for seat in range(3)]
    assert run.change_bid("0", PEOPLE[third])
    assert not run.change_bid("0", PEOPLE[third])
    facts = run.play("1", second)
    bids = [(fact.ply, fact.seat, fact.move) for fact in facts if isinstance(fact, Played)]
    assert bids == [(ply, first, "1"), (ply + 1, second, "1"), (ply + 2, third, "0")]
    assert isinstance(facts[-1], BidsShown) == (mode == "hidden")
    assert not run.table.has_sealed


def test_a_bid_that_is_sent_again_counts_once_and_what_comes_late_is_refused() -> None:
    run = bidding(*PEOPLE)
    first, second, third = in_order(run)
    late = [Play(run.table.ply_of(seat), "1") for seat in (first, second)]
    change = ChangeBid(run.table.ply_of(second), "2")
    with pytest.raises(Exception, match="not due yet"):
        run.table.change_bid(change, PEOPLE[second])
    run.play("1", second)
    assert refusal_code(run, late[1], PEOPLE[second]) == "table.doubled"
    assert refusal_code(run, Play(late[1].ply, "2"), PEOPLE[second]) == "table.stale"
    assert refusal_code(run, Play(late[1].ply, "3"), PEOPLE[second]) == "table.stale"
    assert refusal_code(run, late[1], PEOPLE[first]) == "table.early"
    run.play("1", first)
    run.do(Pause(), "ann")
    assert refusal_code(run, late[0], PEOPLE[first]) == "table.doubled"
    run.do(Resume(), "ann")
    run.play("1", third)
    assert refusal_code(run, late[0], PEOPLE[first]) == "table.doubled"
    with pytest.raises(Exception, match="too late"):
        run.table.change_bid(change, PEOPLE[second])


def test_a_bot_bids_for_those_who_have_not_and_leaves_a_sealed_bid() -> None:
    run = bidding(*PEOPLE)
    seats = dict(zip(PEOPLE, range(3), strict=True))
    run.play("2", seats["ben"])
    for person in ("ben", "cleo"):
        run.do(StepIn(seats[person]), person)
    assert run.table.bots_to_act == [seats["cleo"]]
    run.do(bot_move(run.table), None)
    assert run.table.bots_to_act == []
    run.do(TakeBack(), "cleo")
    own = run.table.own_bid("cleo")
    assert run.change_bid(0 if own else 1, "cleo")
    facts = run.play("0", seats["ann"])
    played = {fact.seat: (fact.move, fact.by) for fact in facts if isinstance(fact, Played)}
    # That a bot's bid was changed, and by whom, is nobody's business.
    assert played[seats["cleo"]] == ("0" if own else "1", "bot")
    assert played[seats["ben"]] == ("2", "person")


def test_a_sealed_bid_stays_with_the_seat() -> None:
    run = bidding("ann", "ben", "cleo")
    run.do(Watch("Eve"), "eve")
    run.play("2", 1)
    run.do(GiveSeat(1, "eve"), "ben")
    run.play("1", 0)
    for person in ("ann", "cleo"):
        run.do(Answer(run.table.ply, True), person)
    assert run.table.own_bid("eve") == 2
    assert run.table.own_bid("ben") is None
    assert run.change_bid("1", "eve")


def test_a_bot_bids_what_it_would_bid_in_its_turn() -> None:
    """The same view and the same seed, no matter who has bid before."""
    run = bidding("ann", "ben", players=5, mode="secret")
    turns = {seat: run.table.bot_turn(seat) for seat in run.table.bots_to_act}
    assert sorted(turns) == [2, 3, 4]
    for seat in in_order(run)[:-1]:
        if seat in turns:
            again = run.table.bot_turn(seat)
            assert again[:4] == turns[seat][:4]
            assert again.view.as_data() == turns[seat].view.as_data()
            assert again.view.my_turn
        run.play("1", seat)


def test_the_late_are_dealt_with_one_after_the_other_without_more_waiting() -> None:
    """The time of everybody counts from when the bidding began, or from when they came back."""
    options = Options(takeover="at_once", clock=Clock(nudge=10, ask=20, hand_over=30), grace=600)
    run = bidding(*PEOPLE, options=options)
    first, second, third = in_order(run)
    began = run.table.state.turn_since
    assert run.table.due(run.now).next == began + 10_000
    run.now = began + 24_000
    run.do(SetPresence(PEOPLE[third], False), None)
    run.do(SetPresence(PEOPLE[third], True), None)
    back = run.now
    assert Nudge(first, run.table.ply) in run.table.due(run.now).commands
    run.play("0", first)
    assert run.table.due(run.now).commands[0] == Nudge(second, run.table.ply)
    assert run.do(Nudge(second, run.table.ply), None) == [Nudged(second, run.table.ply)]
    assert run.table.due(run.now).next == began + 30_000
    run.now = began + 30_000
    assert run.do(StepIn(second), None) == [SteppedIn(second, "steady")]
    run.do(bot_move(run.table), None)
    assert run.table.to_act == third
    assert run.table.state.turn_since == back
    assert run.table.due(run.now).next == back + 10_000


def test_where_bids_are_open_nothing_is_sealed() -> None:
    run = started_table(*PEOPLE, rules="poof+schedule:2")
    assert not run.table.state.sealing
    seat = run.table.to_act
    assert seat is not None
    other = (seat + 1) % 3
    assert refusal_code(run, Play(run.table.ply, "1"), PEOPLE[other]) == "refuse.turn"
    assert isinstance(run.play("1")[0], Played)
