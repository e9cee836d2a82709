"""Undo by consent, as a table option (refused once a card has been turned up or shown since)."""

from __future__ import annotations

from random import Random

from rage.notation import replay
from rage.rules.values import Colour
from rage.table import (
    Answer,
    Claim,
    Configure,
    Options,
    Play,
    ProposeUndo,
    Withdraw,
)
from rage.table.facts.events import (
    Answered,
    BidsShown,
    Configured,
    Played,
    ProposalEnded,
    TrumpSet,
    Undone,
    UndoProposed,
)
from table.tables import (
    TableRun,
    assert_same,
    comparable,
    game_with_cards,
    refusal_code,
    reloaded,
    started_table,
    view_data,
)


def agreed(run: TableRun, person: str) -> None:
    run.do(ProposeUndo(run.table.ply), person)
    seat = run.table.state.seat_of(person)
    assert seat is not None
    for other in run.table.state.seats_asked("undo", seat):
        asked = run.table.state.seats[other].person
        run.do(Answer(run.table.ply, True), asked)


THREE = ["R5 R6", "R1 G2", "R3 B4"]


def playing(rules: str = "poof+schedule:2", bids: str = "000") -> TableRun:
    """Ann, Ben and Cleo hold :data:`THREE`, trump is yellow; Ann is to lead."""
    run = game_with_cards(rules, 2, THREE, "Y1 Y2 Y3", "ann", "ben", "cleo")
    for bid in bids:
        run.play(bid)
    return run


def test_an_undo_takes_the_card_back_and_never_reuses_a_ply() -> None:
    run = playing()
    before = comparable(run.game)
    run.play("R5")
    agreed(run, "ann")
    assert run.log[-1].fact == Undone(1, 5)
    assert comparable(run.game) == before
    assert refusal_code(run, Play(3, "R5"), "ann") == "table.stale"
    assert refusal_code(run, Play(4, "R5"), "ann") == "table.stale"
    run.do(Play(5, "R6"), "ann")
    assert_same(run)
    replay(run.table.record())


def test_a_host_who_no_longer_allows_undo_ends_what_is_proposed() -> None:
    run = playing()
    run.play("R5")
    run.do(ProposeUndo(run.table.ply), "ann")
    settings = run.table.view_for("ann")
    again = Configure(settings.rules, 3, Options(grace=99))
    assert run.do(again, "ann") == [Configured(settings.rules, 3, Options(grace=99))]
    assert run.table.proposal is not None
    run.do(Answer(run.table.ply, True), "ben")
    facts = run.do(Configure(settings.rules, 3, Options(undo=False)), "ann")
    assert facts == [
        ProposalEnded("withdrawn"),
        Configured(settings.rules, 3, Options(undo=False)),
    ]
    assert run.table.proposal is None
    assert refusal_code(run, Answer(run.table.ply, True), "cleo") == "table.no_proposal"


def test_a_claim_goes_on_whatever_becomes_of_undo() -> None:
    run = playing()
    run.do(Claim(run.table.ply, (2, 0, 0)), "ann")
    run.do(Configure(run.table.view_for("ann").rules, 3, Options(undo=False)), "ann")
    assert run.table.proposal is not None


def test_an_undo_needs_everybodys_consent() -> None:
    run = playing()
    run.play("R5")
    assert run.do(ProposeUndo(4), "ann") == [UndoProposed(0, 4, 1)]
    assert refusal_code(run, Answer(4, True), "ann") == "table.not_asked"
    assert refusal_code(run, ProposeUndo(4), "ann") == "table.proposal_open"
    assert run.do(Answer(4, True), "ben") == [Answered(1, True)]
    assert refusal_code(run, Answer(4, True), "ben") == "table.not_asked"
    facts = run.do(Answer(4, False), "cleo")
    assert facts == [Answered(2, False), ProposalEnded("declined")]
    assert refusal_code(run, Answer(4, True), "ben") == "table.no_proposal"


def test_after_a_no_nobody_asks_again_before_the_next_decision() -> None:
    run = playing()
    run.play("R5")
    run.do(ProposeUndo(run.table.ply), "ann")
    run.do(Answer(run.table.ply, False), "cleo")
    assert "ann" not in reloaded(run.log).may_undo
    assert refusal_code(run, ProposeUndo(run.table.ply), "ann") == "table.undo_refused"
    run.play()
    assert run.table.may_undo == {"ben"}
    assert refusal_code(run, ProposeUndo(run.table.ply), "ann") == "table.undo_shown"


def test_the_next_decision_ends_the_proposal() -> None:
    run = playing()
    run.play("R5")
    run.do(ProposeUndo(4), "ann")
    assert run.play("R1")[0] == ProposalEnded("decided")
    assert run.table.state.proposal is None
    assert refusal_code(run, Answer(4, True), "cleo") == "table.no_proposal"


def test_a_proposal_can_be_withdrawn() -> None:
    run = playing()
    run.play("R5")
    run.do(ProposeUndo(4), "ann")
    assert refusal_code(run, Withdraw(), "ben") == "table.no_proposal"
    assert run.do(Withdraw(), "ann") == [ProposalEnded("withdrawn")]


def test_no_undo_once_another_card_has_been_shown() -> None:
    run = playing()
    run.play("R5")
    run.play("R1")
    assert refusal_code(run, ProposeUndo(5), "ann") == "table.undo_shown"
    assert not view_data(run.table, "ann")["may_undo"]
    assert view_data(run.table, "ben")["may_undo"]


def test_no_undo_once_another_open_bid_has_been_made() -> None:
    run = playing(bids="12")
    assert refusal_code(run, ProposeUndo(2), "ann") == "table.undo_shown"
    agreed(run, "ben")
    assert run.log[-1].fact == Undone(1, 3)


def test_hidden_bids_are_changed_without_asking_until_they_are_shown() -> None:
    run = playing("poof+hidden-bids+schedule:2", bids="12")
    assert refusal_code(run, ProposeUndo(0), "ann") == "table.nothing_to_undo"
    assert run.change_bid("0", "ann")
    *played, shown = run.play("1")
    assert [each.move for each in played if isinstance(each, Played)] == ["0", "2", "1"]
    assert shown == BidsShown((0, 2, 1))
    for person in ("ann", "ben", "cleo"):
        assert refusal_code(run, ProposeUndo(3), person) == "table.undo_turned"


def test_secret_bids_can_be_taken_back_until_a_card_is_played() -> None:
    """One bids again, and the others may."""
    run = playing("poof+secret-bids+schedule:2", bids="121")
    assert view_data(run.table, "ann")["may_undo"]
    agreed(run, "ben")
    assert run.log[-1].fact == Undone(3, 4, 1)
    assert view_data(run.table, "eve")["game"] is None
    assert view_data(run.table, "ann")["game"]["has_bid"] == [True, False, True]
    assert run.change_bid("2", "cleo")
    assert [each.move for each in run.play("0") if isinstance(each, Played)] == ["1", "0", "2"]
    run.play("R5")
    assert refusal_code(run, ProposeUndo(8), "ben") == "table.undo_shown"
    agreed(run, "ann")


def test_no_undo_once_a_card_has_been_turned_up() -> None:
    """By a Change, by the trick after an Out, by the next deal."""
    hands = ["C R6", "R1 G2", "R3 B4"]
    run = game_with_cards("amigo+schedule:2", 2, hands, "Y1 B9 P1", "ann", "ben", "cleo")
    run.bid()
    assert isinstance(run.play("C")[1], TrumpSet)
    assert refusal_code(run, ProposeUndo(4), "ann") == "table.undo_turned"
    hands = ["X R6", "R1 G2", "R3 B4"]
    run = game_with_cards("amigo+schedule:2", 2, hands, "Y1 B9 P1", "ann", "ben", "cleo")
    run.bid()
    for move in ("X", "R1"):
        run.play(move)
    assert view_data(run.table, "ben")["may_undo"]
    run.play("R3")
    assert refusal_code(run, ProposeUndo(6), "cleo") == "table.undo_turned"
    run = started_table("ann", "ben", "cleo", rules="poof+schedule:1.1")
    run.play_on(Random(1), 6)
    for person in ("ann", "ben", "cleo"):
        assert refusal_code(run, ProposeUndo(6), person) == "table.nothing_to_undo"


def test_a_named_trump_turns_up_nothing() -> None:
    hands = ["C R6", "R1 G2", "R3 B4"]
    run = game_with_cards("poof+schedule:2", 2, hands, "Y1 B9 P1", "ann", "ben", "cleo")
    run.bid()
    run.play("CR")
    agreed(run, "ann")
    view = run.table.game_view("ann")
    assert view is not None
    assert view.trump is Colour.YELLOW


def test_undo_is_a_table_option() -> None:
    run = started_table("ann", "ben", "cleo", options=Options(undo=False))
    actor = run.actor
    run.play()
    assert actor is not None
    assert refusal_code(run, ProposeUndo(1), actor) == "table.no_undo"


def test_bots_do_not_object_to_an_undo() -> None:
    run = game_with_cards("poof+schedule:2", 2, THREE, "Y1 Y2 Y3", "ann")
    run.play("0")
    facts = run.do(ProposeUndo(1), "ann")
    assert facts == [UndoProposed(0, 1, 1), ProposalEnded("accepted"), Undone(1, 2)]
