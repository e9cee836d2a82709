"""Spectators who ask for a seat in the middle of a game: that of a bot, or their own, which they
had on another device."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rage import NotAllowed
from rage.table import (
    Answer,
    AskForSeat,
    Clock,
    GiveSeat,
    Join,
    Leave,
    LookAt,
    Options,
    Pause,
    RefuseSeat,
    Remove,
    SetPresence,
    ShowHand,
    StepIn,
    TakeBack,
    Watch,
)
from rage.table.facts.events import (
    Answered,
    Joined,
    ProposalEnded,
    Sat,
    SeatProposed,
    SeatRequested,
)
from table.tables import TableRun, assert_same, refusal_code, started_table, table_of, view_data


def with_latecomers() -> TableRun:
    """A game of two and two bots, and two who came too late."""
    run = started_table("ann", "ben", players=4)
    run.do(Watch("Dan"), "dan")
    run.do(Watch("Eve"), "eve")
    return run


def wishes(run: TableRun, person: str) -> dict[str, int]:
    """Who asks for which seat, as a person is told."""
    assert_same(run)
    spectators = view_data(run.table, person)["spectators"]
    return {each["person"]: each["wants"] for each in spectators if each["wants"] is not None}


def test_everybody_is_told_and_the_host_gives_it() -> None:
    run = with_latecomers()
    assert run.do(AskForSeat(2), "dan") == [SeatRequested("dan", 2)]
    assert run.do(AskForSeat(2), "dan") == []
    run.do(AskForSeat(2), "eve")
    for person in ("ann", "ben", "dan"):
        assert wishes(run, person) == {"dan": 2, "eve": 2}
    run.play()
    assert wishes(run, "ann") == {"dan": 2, "eve": 2}
    assert isinstance(run.do(GiveSeat(2, "dan"), "ann")[0], SeatProposed)
    run.do(Answer(run.table.ply, True), "ben")
    assert run.table.state.seat_of("dan") == 2
    assert wishes(run, "ann") == {}


def test_the_host_may_refuse_and_who_asked_may_think_again() -> None:
    run = with_latecomers()
    run.do(Pause(), "ann")
    run.do(AskForSeat(2), "dan")
    assert refusal_code(run, RefuseSeat("dan"), "ben") == "table.host_only"
    assert run.do(RefuseSeat("dan"), "ann") == [SeatRequested("dan")]
    assert run.do(RefuseSeat("dan"), "ann") == []
    run.do(AskForSeat(3), "dan")
    assert run.do(AskForSeat(), "dan") == [SeatRequested("dan")]
    assert wishes(run, "ann") == {}


def test_a_request_ends_with_the_round_after_it() -> None:
    run = with_latecomers()
    run.do(AskForSeat(2), "dan")
    for asked in ({"dan": 2}, {}):
        run.play_round()
        assert wishes(run, "ann") == asked
    assert SeatRequested("dan") in [event.fact for event in run.log]


def test_the_seat_of_somebody_who_is_here_cannot_be_asked_for() -> None:
    run = with_latecomers()
    run.do(StepIn(1), "ben")
    assert refusal_code(run, AskForSeat(1), "dan") == "table.player_here"
    assert refusal_code(run, AskForSeat(2), "ben") == "table.sits_already"
    assert refusal_code(run, AskForSeat(2), "zoe") == "table.stranger"
    assert refusal_code(run, AskForSeat(9), "dan") == "view.no_seat"
    run.do(ShowHand(True), "ann")
    run.do(LookAt(0), "dan")
    assert refusal_code(run, AskForSeat(2), "dan") == "table.knows_cards"


def test_before_the_game_one_sits_down() -> None:
    run = table_of("ann", "ben", players=3)
    run.do(Watch("Dan"), "dan")
    assert refusal_code(run, AskForSeat(1), "dan") == "table.while.gathering"
    run.do(Join("Dan"), "dan")
    assert run.table.state.seat_of("dan") == 2


# --- the own seat, from another device -----------------------------------------------------


def with_dead_phone(gone: str = "ben", **options: Any) -> TableRun:
    """A game of three and a bot. The phone of one of them is dead; its player is here again as
    ``new``, and somebody else, ``eve``, watches."""
    run = started_table("ann", "ben", "cleo", players=4, **options)
    run.do(SetPresence(gone, False), None)
    run.do(Watch("Fox"), "new")
    run.do(Watch("Eve"), "eve")
    return run


def test_a_player_goes_on_with_another_device_if_all_agree() -> None:
    """Within the round: with the same hand, name and rounds, and nothing is left to the old one."""
    run = with_dead_phone()
    hand = view_data(run.table, "ben")["game"]["hand"]
    assert run.do(AskForSeat(1), "new") == [SeatRequested("new", 1)]
    assert view_data(run.table, "new")["game"]["hand"] == ""
    assert run.do(GiveSeat(1, "new"), "ann") == [SeatProposed(1, "new", run.table.ply, 0)]
    assert run.table.proposal is not None
    assert run.table.proposal.asked == [2]
    facts = run.do(Answer(run.table.ply, True), "cleo")
    assert facts == [Answered(2, True), ProposalEnded("accepted"), Sat("new", 1, same_as="ben")]
    assert_same(run)
    assert view_data(run.table, "new")["game"]["hand"] == hand
    assert view_data(run.table, "new")["me"]["name"] == "Ben"
    assert view_data(run.table, "ben")["me"] is None
    assert view_data(run.table, "ben")["game"] is None
    assert refusal_code(run, TakeBack(), "ben") == "table.no_seat_of_yours"
    run.play_out()
    assert run.table.earlier_occupants() == {}  # it was one player all the time


def test_with_the_host_away_the_others_are_asked_at_once() -> None:
    """The new device is then host, and owner."""
    run = with_dead_phone("ann")
    facts = run.do(AskForSeat(0), "new")
    assert facts == [SeatRequested("new", 0), SeatProposed(0, "new", run.table.ply)]
    assert run.table.proposal is not None
    assert run.table.proposal.asked == [1, 2]
    run.do(Answer(run.table.ply, True), "ben")
    run.do(Answer(run.table.ply, True), "cleo")
    assert (run.table.state.host, run.table.state.owner) == ("new", "new")
    assert_same(run)


def test_whom_the_others_do_not_know_may_ask_again_with_the_next_round() -> None:
    run = with_dead_phone()
    run.do(AskForSeat(1), "new")
    run.do(GiveSeat(1, "new"), "ann")
    assert run.do(Answer(run.table.ply, False), "cleo")[-1] == ProposalEnded("declined")
    assert refusal_code(run, GiveSeat(1, "new"), "ann") == "table.not_same"
    why = dict(view_data(run.table, "ann")["me"]["why_not_give"])
    assert why["new"]["code"] == "table.not_same"
    assert refusal_code(run, AskForSeat(1), "new") == "table.not_same"
    assert_same(run)
    run.play_round()
    run.do(AskForSeat(1), "new")
    assert isinstance(run.do(GiveSeat(1, "new"), "ann")[0], SeatProposed)


def test_who_is_connected_keeps_the_seat() -> None:
    """Also against a proposal that all are about to accept."""
    run = with_dead_phone()
    assert refusal_code(run, AskForSeat(2), "new") == "table.player_here"
    run.do(AskForSeat(1), "new")
    run.do(GiveSeat(1, "new"), "ann")
    facts = run.do(SetPresence("ben", True), None)
    assert facts[1:] == [ProposalEnded("back"), SeatRequested("new")]
    assert refusal_code(run, Answer(run.table.ply, True), "cleo") == "table.no_proposal"
    assert refusal_code(run, AskForSeat(1), "new") == "table.player_here"
    assert_same(run)


def test_who_has_seen_another_hand_gets_no_seat() -> None:
    """However they come by it: before they ask, or while the others are asked."""
    run = with_dead_phone()
    run.do(ShowHand(True), "cleo")
    run.do(LookAt(2), "eve")
    run.do(LookAt(), "eve")
    assert refusal_code(run, AskForSeat(1), "eve") == "table.knows_cards"
    run.do(Leave(), "eve")
    run.do(Watch("Eve"), "eve")
    assert refusal_code(run, AskForSeat(1), "eve") == "table.knows_cards"
    run.do(AskForSeat(1), "new")
    run.do(GiveSeat(1, "new"), "ann")
    run.do(LookAt(2), "new")
    assert run.do(Answer(run.table.ply, True), "cleo")[-1] == ProposalEnded("knows_cards")
    assert run.table.state.seat_of("new") is None
    assert refusal_code(run, AskForSeat(0), "cleo") == "table.sits_already"


def test_a_host_cannot_remove_those_who_would_be_asked() -> None:
    """Not in the round whose hands the new device would see."""
    run = with_dead_phone()
    run.do(Remove("cleo"), "ann")
    assert refusal_code(run, AskForSeat(1), "new") == "table.hands_closed"
    run.play_round()
    run.now += 60_000
    assert run.do(AskForSeat(1), "new") == [SeatRequested("new", 1)]


def test_a_lone_player_is_nobody_elses() -> None:
    """Whoever has the code of the table could take over the seat of a host who plays with bots; and
    a television plays never."""
    run = started_table("ann", players=3)
    run.do(SetPresence("ann", False), None)
    run.do(Watch("Fox"), "new")
    run.do(Watch("Television", screen=True), "tv")
    assert refusal_code(run, AskForSeat(0), "new") == "table.nobody_to_ask"
    assert refusal_code(run, AskForSeat(0), "tv") == "table.screen"


SLOW = Options(grace=300), Options(clock=Clock(30, 60, 90))


@pytest.mark.parametrize(
    ("bots", "options", "seconds"),
    [(0, Options(), 60), (2, Options(), 60), (0, SLOW[0], 300), (2, SLOW[1], 90)],
)
def test_one_person_alone_gives_nobody_the_hand_of_somebody_who_was_here_just_now(
    bots: int, options: Options, seconds: int
) -> None:
    """Nor if others who had to agree have gone by then."""
    run = started_table("ann", "ben", players=2 + bots, options=options)
    run.do(Watch("Fox"), "new")
    run.do(SetPresence("ben", False), None)
    away = run.table.state.guests["ben"].since
    run.now = away + 3500
    assert refusal_code(run, AskForSeat(1), "new") == "table.away_shortly"
    run.now = away + 1000 * seconds - 1001
    with pytest.raises(NotAllowed, match=r"in 1 second\."):
        run.do(AskForSeat(1), "new")
    run.now = away + 1000 * seconds - 1000
    run.do(AskForSeat(1), "new")
    assert run.do(GiveSeat(1, "new"), "ann") == [Sat("new", 1, same_as="ben")]
    assert_same(run)

    two = with_dead_phone()
    two.do(AskForSeat(1), "new")
    two.do(StepIn(2), "cleo")
    two.do(SetPresence("cleo", False), None)
    assert refusal_code(two, GiveSeat(1, "new"), "ann") == "table.away_shortly"


def handed_over(options: Options | None = None) -> TableRun:
    """A game of two, where the first has let somebody be the second."""
    run = started_table("ann", "ben", options=options or Options())
    run.do(Watch("Fox"), "new")
    run.do(SetPresence("ben", False), None)
    run.now += 60_000
    run.do(AskForSeat(1), "new")
    run.do(GiveSeat(1, "new"), "ann")
    return run


def test_who_comes_back_within_the_round_has_the_seat_again() -> None:
    """Without asking anybody, with name and hand; and the other one is nobody."""
    run = handed_over()
    hand = view_data(run.table, "new")["game"]["hand"]
    assert run.do(SetPresence("ben", True), None) == [
        Joined("ben", "Ben 2"),
        Sat("ben", 1, same_as="new"),
    ]
    assert view_data(run.table, "ben")["game"]["hand"] == hand
    assert view_data(run.table, "ben")["me"]["name"] == "Ben"
    assert view_data(run.table, "new")["me"] is None
    assert run.table.state.replaced == {}
    assert refusal_code(run, SetPresence("new", True), None) == "table.stranger"
    assert_same(run)


def test_the_seat_comes_back_also_from_a_bot_and_over_several() -> None:
    """It is that of the first; who only said to be them does not get it back."""
    run = handed_over()
    run.do(Leave(), "new")
    assert run.do(SetPresence("ben", True), None) == [Joined("ben", "Ben"), Sat("ben", 1)]
    assert_same(run)
    run = handed_over()
    run.do(Watch("Eve"), "eve")
    run.do(SetPresence("new", False), None)
    run.now += 60_000
    run.do(AskForSeat(1), "eve")
    run.do(GiveSeat(1, "eve"), "ann")
    assert refusal_code(run, SetPresence("new", True), None) == "table.stranger"
    assert run.do(SetPresence("ben", True), None)[-1] == Sat("ben", 1, same_as="eve")
    assert run.table.state.replaced == {}
    assert_same(run)


def test_with_the_next_round_the_seat_is_that_of_the_new_device() -> None:
    run = handed_over()
    run.play_round()
    assert refusal_code(run, SetPresence("ben", True), None) == "table.stranger"
    assert run.table.state.seat_of("new") == 1


def test_the_host_learns_why_a_request_cannot_be_granted_now() -> None:
    run = with_latecomers()
    run.do(Leave(), "ben")
    run.do(AskForSeat(1), "dan")
    why = dict(view_data(run.table, "ann")["me"]["why_not_give"])
    assert why["dan"]["code"] == "table.hand_of_another"
    run.play_round()
    assert view_data(run.table, "ann")["me"]["why_not_give"] == []


def test_where_nobody_may_watch_one_still_comes_to_ask_for_the_own_seat() -> None:
    """Under a name that differs from the seat's; one cannot come for the seat of a bot."""
    run = started_table("ann", "ben", "cleo", players=4, options=Options(spectators=False))
    assert refusal_code(run, AskForSeat(1, "Ben"), "new") == "table.player_here"
    run.do(SetPresence("ben", False), None)
    assert refusal_code(run, AskForSeat(1), "new") == "table.stranger"
    assert refusal_code(run, AskForSeat(3, "Fox"), "new") == "table.no_spectators"
    assert run.do(AskForSeat(1, "Ben"), "new") == [Joined("new", "Ben 2"), SeatRequested("new", 1)]
    assert refusal_code(run, AskForSeat(3), "new") == "table.no_spectators"
    run.do(GiveSeat(1, "new"), "ann")
    assert run.do(Answer(run.table.ply, True), "cleo")[-1] == Sat("new", 1, same_as="ben")
    assert view_data(run.table, "new")["me"]["name"] == "Ben"
    assert_same(run)


def _declined(run: TableRun) -> None:
    run.do(GiveSeat(1, "new"), "ann")
    run.do(Answer(run.table.ply, False), "cleo")
    assert refusal_code(run, AskForSeat(1, "Ben"), "new") == "table.not_same"


def _refused(run: TableRun) -> None:
    run.do(GiveSeat(1, "new"), "ann")
    run.do(RefuseSeat("new"), "ann")
    assert run.table.proposal is None


def _withdrawn(run: TableRun) -> None:
    run.do(GiveSeat(1, "new"), "ann")
    run.do(AskForSeat(), "new")
    assert run.table.proposal is None


def _back(run: TableRun) -> None:
    run.do(SetPresence("ben", True), None)


def _given_to_another(run: TableRun) -> None:
    run.do(AskForSeat(1, "Ben"), "other")
    run.do(GiveSeat(1, "other"), "ann")
    run.do(Answer(run.table.ply, True), "cleo")
    assert run.table.state.seat_of("other") == 1


def _given_to_a_bot(run: TableRun) -> None:
    run.do(GiveSeat(1), "ann")


def _not_answered(run: TableRun) -> None:
    run.play_out()


@pytest.mark.parametrize(
    "how",
    [_declined, _refused, _withdrawn, _back, _given_to_another, _given_to_a_bot, _not_answered],
)
def test_who_came_only_to_ask_goes_when_that_fails(how: Callable[[TableRun], None]) -> None:
    run = started_table("ann", "ben", "cleo", players=4, options=Options(spectators=False))
    run.do(SetPresence("ben", False), None)
    run.do(AskForSeat(1, "Ben"), "new")
    how(run)
    assert "new" not in run.table.state.guests
    assert_same(run)
