"""Undo by consent, as a table option (refused once a card has been turned up or shown since)."""

from __future__ import annotations

from random import Random

from rage.notation import replay
from rage.table import (
    Answer,
    Options,
    Play,
    ProposeUndo,
    Withdraw,
)
from rage.table.events import (
    Answered,
    BidsShown,
    ProposalEnded,
    TrumpSet,
    Undone,
    UndoProposed,
)
from table.people import Evening, folded, refused, stacked, started, told, whole


def agreed(evening: Evening, person: str) -> None:
    evening.do(ProposeUndo(evening.table.ply), person)
    seat = evening.table.state.seat_of(person)
    assert seat is not None
    for other in evening.table.state.consulted(seat):
        asked = evening.table.state.seats[other].person
        evening.do(Answer(evening.table.ply, True), asked)


THREE = ["R5 R6", "R1 G2", "R3 B4"]


def playing(rules: str = "poof+schedule:2", bids: str = "000") -> Evening:
    """Ann, Ben and Cleo hold :data:`THREE`, trump is yellow; Ann is to lead."""
    evening = stacked(rules, 2, THREE, "Y1 Y2 Y3", "ann", "ben", "cleo")
    for bid in bids:
        evening.play(bid)
    return evening


def test_an_undo_takes_the_card_back_and_never_reuses_a_ply() -> None:
    evening = playing()
    before = whole(evening.game)
    evening.play("R5")
    agreed(evening, "ann")
    assert evening.log[-1].fact == Undone(1, 5)
    assert whole(evening.game) == before
    assert refused(evening, Play(3, "R5"), "ann") == "table.stale"
    assert refused(evening, Play(4, "R5"), "ann") == "table.stale"
    evening.do(Play(5, "R6"), "ann")
    assert whole(folded(evening.log)) == whole(evening.table)
    replay(evening.table.record())


def test_an_undo_needs_everybodys_consent() -> None:
    evening = playing()
    evening.play("R5")
    assert evening.do(ProposeUndo(4), "ann") == [UndoProposed(0, 4, 1)]
    assert refused(evening, Answer(4, True), "ann") == "table.not_asked"
    assert refused(evening, ProposeUndo(4), "ann") == "table.proposal_open"
    assert evening.do(Answer(4, True), "ben") == [Answered(1, True)]
    assert refused(evening, Answer(4, True), "ben") == "table.not_asked"
    facts = evening.do(Answer(4, False), "cleo")
    assert facts == [Answered(2, False), ProposalEnded("declined")]
    assert refused(evening, Answer(4, True), "ben") == "table.no_proposal"


def test_the_next_decision_ends_what_is_proposed() -> None:
    evening = playing()
    evening.play("R5")
    evening.do(ProposeUndo(4), "ann")
    evening.play("R1")
    assert evening.table.state.proposal is None
    assert refused(evening, Answer(4, True), "cleo") == "table.no_proposal"


def test_a_proposal_can_be_withdrawn() -> None:
    evening = playing()
    evening.play("R5")
    evening.do(ProposeUndo(4), "ann")
    assert refused(evening, Withdraw(), "ben") == "table.no_proposal"
    assert evening.do(Withdraw(), "ann") == [ProposalEnded("withdrawn")]


def test_no_undo_once_another_card_has_been_shown() -> None:
    evening = playing()
    evening.play("R5")
    evening.play("R1")
    assert refused(evening, ProposeUndo(5), "ann") == "table.undo_shown"
    assert not told(evening.table, "ann")["me"]["may_undo"]
    assert told(evening.table, "ben")["me"]["may_undo"]


def test_no_undo_once_another_bid_has_been_said() -> None:
    evening = playing(bids="12")
    assert refused(evening, ProposeUndo(2), "ann") == "table.undo_shown"
    agreed(evening, "ben")
    assert evening.log[-1].fact == Undone(1, 3)


def test_hidden_bids_are_taken_back_together_until_they_are_shown() -> None:
    evening = playing("poof+hidden-bids+schedule:2", bids="12")
    agreed(evening, "ann")
    assert evening.log[-1].fact == Undone(2, 3)
    assert evening.game.to_act == 0
    for bid in "00":
        evening.play(bid)
    assert isinstance(evening.play("1")[1], BidsShown)
    for person in ("ann", "ben", "cleo"):
        assert refused(evening, ProposeUndo(6), person) == "table.undo_turned"


def test_secret_bids_can_be_taken_back_until_a_card_is_played() -> None:
    evening = playing("poof+secret-bids+schedule:2", bids="121")
    assert told(evening.table, "ann")["me"]["may_undo"]
    evening.play("R5")
    assert refused(evening, ProposeUndo(4), "ben") == "table.undo_shown"
    agreed(evening, "ann")


def test_no_undo_once_a_card_has_been_turned_up() -> None:
    """By a Change, by the trick after an Out, by the next deal."""
    hands = ["C R6", "R1 G2", "R3 B4"]
    evening = stacked("amigo+schedule:2", 2, hands, "Y1 B9 P1", "ann", "ben", "cleo")
    evening.bid()
    assert isinstance(evening.play("C")[1], TrumpSet)
    assert refused(evening, ProposeUndo(4), "ann") == "table.undo_turned"
    hands = ["X R6", "R1 G2", "R3 B4"]
    evening = stacked("amigo+schedule:2", 2, hands, "Y1 B9 P1", "ann", "ben", "cleo")
    evening.bid()
    for move in ("X", "R1"):
        evening.play(move)
    assert told(evening.table, "ben")["me"]["may_undo"]
    evening.play("R3")
    assert refused(evening, ProposeUndo(6), "cleo") == "table.undo_turned"
    evening = started("ann", "ben", "cleo", rules="poof+schedule:1.1")
    evening.play_on(Random(1), 6)
    for person in ("ann", "ben", "cleo"):
        assert refused(evening, ProposeUndo(6), person) == "table.nothing_to_undo"


def test_a_named_trump_turns_up_nothing() -> None:
    hands = ["C R6", "R1 G2", "R3 B4"]
    evening = stacked("poof+schedule:2", 2, hands, "Y1 B9 P1", "ann", "ben", "cleo")
    evening.bid()
    evening.play("CR")
    agreed(evening, "ann")
    view = evening.table.game_view("ann")
    assert view is not None
    assert view.trump == 2


def test_undo_is_a_table_option() -> None:
    evening = started("ann", "ben", "cleo", options=Options(undo=False))
    actor = evening.actor
    evening.play()
    assert actor is not None
    assert refused(evening, ProposeUndo(1), actor) == "table.no_undo"


def test_bots_do_not_object_to_an_undo() -> None:
    evening = stacked("poof+schedule:2", 2, THREE, "Y1 Y2 Y3", "ann")
    evening.play("0")
    facts = evening.do(ProposeUndo(1), "ann")
    assert facts == [UndoProposed(0, 1, 1), ProposalEnded("accepted"), Undone(1, 2)]
