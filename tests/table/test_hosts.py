"""Who is host, who owns the table, and who gets a seat that has cards."""

from __future__ import annotations

import pytest

from rage.rules.settings import MAX_PLAYERS
from rage.table import (
    Answer,
    AskForSeat,
    Clock,
    Command,
    Configure,
    GiveSeat,
    Join,
    Leave,
    LookAt,
    Mute,
    Options,
    Pause,
    Remove,
    Resume,
    SetPresence,
    ShowHand,
    Start,
    StepIn,
    TakeBack,
    TakeHost,
    Watch,
    Withdraw,
)
from rage.table.facts.events import Answered, HostPassed, ProposalEnded, Sat, SeatProposed
from rage.table.people.guests import MAX_GUESTS, MAX_VIEWERS
from rage.table.people.hosts import HOST_GRACE, MAX_BARRED
from rage.table.people.speech import MAX_MUTED
from table.tables import (
    TableRun,
    assert_same,
    refusal_code,
    reloaded,
    started_table,
    table_of,
    view_data,
)

GRACE = 1000 * HOST_GRACE


def with_absent_host(*people: str, watching: tuple[str, ...] = ()) -> TableRun:
    """A game whose host has just lost the connection."""
    run = started_table(*people)
    for each in watching:
        run.do(Watch(each.title()), each)
    run.do(SetPresence(people[0], False), None)
    return run


def with_new_host() -> TableRun:
    """A game of three, of which Ben has become host while Ann, the owner, was away."""
    run = with_absent_host("ann", "ben", "cleo", watching=("eve",))
    run.now += GRACE
    run.do(TakeHost(), "ben")
    run.do(SetPresence("ann", True), None)
    return run


def test_a_television_is_never_a_player_or_the_host() -> None:
    run = table_of("ann", players=3)
    run.do(Watch("TV", screen=True), "tv")
    offers: tuple[Command, ...] = (Join("TV", 1), GiveSeat(1, "tv"), TakeHost())
    givers = ("tv", "ann", "tv")
    for command, person in zip(offers, givers, strict=True):
        assert refusal_code(run, command, person) == "table.screen"
    run.do(Start("random"), "ann")
    run.do(ShowHand(True), "ann")
    for command, person in ((AskForSeat(1), "tv"), (GiveSeat(1, "tv"), "ann"), (LookAt(0), "tv")):
        assert refusal_code(run, command, person) == "table.screen"
    assert view_data(run.table, "ann")["me"]["may_give"] == [[], [], []]
    run.do(Leave(), "ann")
    assert run.table.state.host is None
    assert view_data(reloaded(run.log), "tv")["me"]["host_free_at"] is None
    run.do(Watch("Ben"), "ben")
    assert run.table.state.host == "ben"


# --- being host instead ----------------------------------------------------------------------


def test_the_host_is_forgiven_a_poor_connection() -> None:
    run = with_absent_host("ann", "ben", "cleo")
    run.now += GRACE - 1001
    assert refusal_code(run, TakeHost(), "ben") == "table.host_grace"
    run.do(SetPresence("ann", True), None)
    run.do(SetPresence("ann", False), None)
    run.now += GRACE - 1001
    assert refusal_code(run, TakeHost(), "ben") == "table.host_grace"
    run.now += 1001
    assert run.do(TakeHost(), "ben") == [HostPassed("ben")]
    run.do(Pause(), "ben")


def test_a_spectator_becomes_host_only_if_nobody_has_a_seat() -> None:
    run = with_absent_host("ann", "ben", watching=("eve",))
    run.now += 100 * GRACE
    assert refusal_code(run, TakeHost(), "eve") == "table.host_seated"
    run.do(SetPresence("ben", False), None)
    assert refusal_code(run, TakeHost(), "eve") == "table.host_seated"
    run.do(GiveSeat(1), "ben")
    run.do(GiveSeat(0), "ann")
    run.do(TakeHost(), "eve")
    assert run.table.state.host == "eve"


def test_nobody_replaces_a_host_who_is_here() -> None:
    run = started_table("ann", "ben")
    run.now += GRACE
    assert refusal_code(run, TakeHost(), "ben") == "table.host_is_here"


def test_everybody_is_told_when_they_may_become_host() -> None:
    run = with_absent_host("ann", "ben", watching=("eve",))

    def free_at(person: str) -> int | None:
        found: int | None = view_data(run.table, person)["me"]["host_free_at"]
        return found

    away = run.now
    assert [free_at(each) for each in ("ann", "ben", "eve")] == [None, away + GRACE, None]
    run.now += GRACE
    run.do(TakeHost(), "ben")
    assert [free_at(each) for each in ("ann", "ben", "eve")] == [0, None, None]
    assert (view_data(run.table, "eve")["host"], view_data(run.table, "eve")["owner"]) == (
        "ben",
        "ann",
    )


# --- the owner -------------------------------------------------------------------------------


def test_the_owner_is_host_again_at_once() -> None:
    run = with_new_host()
    assert run.do(TakeHost(), "ann") == [HostPassed("ann")]
    assert refusal_code(run, TakeHost(), "ben") == "table.host_is_here"


@pytest.mark.parametrize("command", [Remove("ann"), Remove("ann", True), GiveSeat(0)])
def test_nobody_sends_the_owner_away(command: Command) -> None:
    run = with_new_host()
    assert refusal_code(run, command, "ben") == "table.owner"
    run.do(TakeHost(), "ann")
    run.do(Remove("ben", True), "ann")
    assert run.table.state.barred == {"ben"}


def test_a_present_owner_is_host_again_when_the_host_leaves() -> None:
    run = with_new_host()
    run.do(GiveSeat(0), "ann")
    run.do(Leave(), "ben")
    assert run.table.state.host == "ann"


def test_when_the_owner_leaves_the_host_owns_the_table() -> None:
    run = with_new_host()
    run.do(Leave(), "ann")
    state = run.table.state
    assert (state.host, state.owner) == ("ben", "ben")
    run.do(Leave(), "ben")
    assert (run.table.state.host, run.table.state.owner) == ("cleo", "cleo")


# --- a seat with cards in it -----------------------------------------------------------------


def proposed(person: str = "eve") -> TableRun:
    """A game of four, of which a bot has the last seat; Ann would like to give it to Eve."""
    run = started_table("ann", "ben", "cleo", players=4)
    run.do(Watch("Eve"), "eve")
    run.do(Watch("Fay"), "fay")
    assert run.do(GiveSeat(3, person=person), "ann") == [SeatProposed(3, person, 0, 0)]
    return run


def test_all_players_must_agree_to_who_gets_a_seat() -> None:
    run = proposed()
    assert view_data(run.table, "cleo")["proposal"] == {
        "kind": "seat", "seat": 0, "ply": 0, "count": 0, "tricks": [], "hand": "", "given": 3,
        "person": "eve", "agreed": [], "asked": [1, 2],
    }  # fmt: skip
    assert refusal_code(run, Answer(0, True), "ann") == "table.not_asked"
    assert refusal_code(run, Answer(0, True), "eve") == "table.no_seat_of_yours"
    run.do(Answer(0, True), "ben")
    assert view_data(run.table, "eve")["game"]["hand"] == ""
    facts = run.do(Answer(0, True), "cleo")
    assert facts == [Answered(2, True), ProposalEnded("accepted"), Sat("eve", 3)]
    assert view_data(run.table, "eve")["game"]["hand"] != ""
    assert_same(run)


def test_one_player_who_does_not_agree_is_enough() -> None:
    run = proposed()
    assert run.do(Answer(0, False), "ben")[-1] == ProposalEnded("declined")
    assert run.table.state.seats[3].person is None


def test_a_seat_can_be_agreed_on_while_the_game_is_paused() -> None:
    run = proposed()
    run.do(Pause(), "ann")
    run.do(Answer(0, True), "ben")
    run.do(Withdraw(), "ann")
    run.do(GiveSeat(3, person="eve"), "ann")
    for each in ("ben", "cleo"):
        run.do(Answer(0, True), each)
    run.do(Resume(), "ann")
    assert run.table.state.seat_of("eve") == 3


def test_only_that_person_gives_a_persons_seat_away() -> None:
    """Also while a bot plays for them, and not by the host."""
    run = started_table("ann", "ben", "cleo")
    run.do(Watch("Eve"), "eve")
    assert refusal_code(run, GiveSeat(1, person="eve"), "ann") == "table.seat_of_another"
    run.do(StepIn(1), "ben")
    assert refusal_code(run, GiveSeat(1, person="eve"), "ann") == "table.seat_of_another"
    assert refusal_code(run, GiveSeat(1, person="eve"), "cleo") == "table.host_only"
    assert run.do(GiveSeat(1, person="eve"), "ben") == [SeatProposed(1, "eve", 0, 1)]
    assert view_data(run.table, "ann")["proposal"]["asked"] == [0, 2]
    run.do(Answer(0, True), "ann")
    run.do(Answer(0, True), "cleo")
    assert run.table.state.seats[1].person == "eve"


def test_a_host_without_a_seat_asks_all_who_play() -> None:
    run = started_table("ann", "ben", "cleo")
    run.do(GiveSeat(0), "ann")
    run.do(Watch("Eve"), "eve")
    assert run.do(GiveSeat(0, person="eve"), "ann") == [SeatProposed(0, "eve", 0)]
    assert view_data(run.table, "ben")["proposal"]["asked"] == [1, 2]
    assert refusal_code(run, Withdraw(), "eve") == "table.host_only"
    assert run.do(Withdraw(), "ann") == [ProposalEnded("withdrawn")]


def test_with_nobody_to_ask_the_seat_passes_at_once() -> None:
    run = started_table("ann", players=3)
    run.do(Watch("Eve"), "eve")
    assert run.do(GiveSeat(2, person="eve"), "ann") == [Sat("eve", 2)]


def test_a_spectator_who_has_seen_another_hand_by_then_does_not_get_the_seat() -> None:
    run = proposed()
    run.do(ShowHand(True), "ben")
    run.do(LookAt(1), "eve")
    run.do(Answer(0, True), "ben")
    assert run.do(Answer(0, True), "cleo")[-1] == ProposalEnded("knows_cards")
    assert run.table.state.seat_of("eve") is None
    assert refusal_code(run, GiveSeat(3, person="eve"), "ann") == "table.knows_cards"


def test_the_proposal_ends_when_the_spectator_leaves() -> None:
    run = proposed()
    assert ProposalEnded("gone") in run.do(Leave(), "eve")
    assert refusal_code(run, Answer(0, True), "ben") == "table.no_proposal"


def test_any_decision_or_change_of_player_ends_the_proposal() -> None:
    for command, actor in ((StepIn(1), "ben"), (GiveSeat(2), "cleo"), (Leave(), "ben")):
        run = proposed()
        assert run.do(command, actor)[0] == ProposalEnded("seats")
        assert run.table.state.proposal is None
    run = proposed()
    run.do(StepIn(1), "ben")
    run.do(GiveSeat(3, person="eve"), "ann")
    assert run.do(TakeBack(), "ben")[0] == ProposalEnded("seats")
    assert run.table.state.proposal is None
    run.do(GiveSeat(3, person="eve"), "ann")
    assert refusal_code(run, GiveSeat(3, person="fay"), "ann") == "table.proposal_open"
    assert run.play()[0] == ProposalEnded("decided")
    assert run.table.state.proposal is None


def test_before_the_game_the_host_gives_seats_without_asking() -> None:
    run = table_of("ann", "ben", players=3)
    run.do(Watch("Eve"), "eve")
    assert run.do(GiveSeat(1, person="eve"), "ann") == [Sat("eve", 1)]
    run.do(Join("Ben", 2), "ben")
    assert run.table.state.seat_of("ben") == 2


@pytest.mark.parametrize("away", [GiveSeat(1), Remove("ben"), Remove("ben", bar=True)])
def test_nobody_gets_the_hand_of_a_player_who_was_sent_away(away: Command) -> None:
    """At a table of two nobody would be left to be asked."""
    run = started_table("ann", "ben", rules="poof+schedule:2.1")
    run.do(Watch("Eve"), "eve")
    run.do(away, "ann")
    assert refusal_code(run, GiveSeat(1, person="eve"), "ann") == "table.hand_of_another"
    run.play_round()
    assert run.do(GiveSeat(1, person="eve"), "ann") == [Sat("eve", 1)]


def test_a_player_who_was_sent_away_may_be_given_the_hand_back() -> None:
    run = started_table("ann", "ben", "cleo")
    run.do(GiveSeat(1), "ann")
    assert run.do(GiveSeat(1, person="ben"), "ann") == [SeatProposed(1, "ben", 0, 0)]
    run.do(Answer(0, True), "cleo")
    assert run.table.state.seat_of("ben") == 1


def test_nobody_gets_the_hand_of_a_player_who_left() -> None:
    run = started_table("ann", "ben", "cleo")
    run.do(Watch("Eve"), "eve")
    run.do(Leave(), "ben")
    assert refusal_code(run, GiveSeat(1, person="eve"), "ann") == "table.hand_of_another"


def test_a_present_player_is_asked_even_while_a_bot_plays_for_them() -> None:
    """A host can bring that about by the clock."""
    options = Options(takeover="at_once", clock=Clock(1, 1, 1))
    run = started_table("ann", "ben", players=3, rules="poof+schedule:2.1")
    run.do(Watch("Sue"), "sue")
    run.do(Configure("poof+schedule:2.1", 3, options), "ann")
    while run.table.to_act != 1:
        run.play()
    run.now += 5000
    run.do(StepIn(1), None)
    assert run.table.state.seats[1].bot
    facts = run.do(GiveSeat(2, person="sue"), "ann")
    assert facts == [SeatProposed(2, "sue", run.table.ply, 0)]
    assert view_data(run.table, "ben")["proposal"]["asked"] == [1]
    assert run.do(Answer(run.table.ply, True), "ben")[-1] == Sat("sue", 2)


# --- how much a table remembers of people --------------------------------------------------


def test_a_table_remembers_no_more_people_than_it_must() -> None:
    run = table_of("ann", "ben")
    for number in range(MAX_BARRED):
        run.do(Watch(f"W{number}"), f"w{number}")
        run.do(Remove(f"w{number}", bar=True), "ann")
    run.do(Watch("Eve"), "eve")
    assert refusal_code(run, Remove("eve", bar=True), "ann") == "table.barred_enough"
    run.do(Remove("eve"), "ann")
    for number in range(MAX_MUTED):
        run.do(Watch("Eve"), f"e{number}")
        run.do(Mute(f"e{number}"), "ann")
        run.do(Leave(), f"e{number}")
    run.do(Watch("Eve"), "eve")
    assert refusal_code(run, Mute("eve"), "ann") == "table.muted_enough"
    assert set(run.table.state.saw) == {"ann", "ben"}
    assert run.table.state.gone == {}


def test_people_who_are_away_make_room() -> None:
    """A table is full only of people who are here, and never for players."""
    run = table_of("ann", players=3)
    for number in range(MAX_GUESTS - MAX_PLAYERS - 1):
        run.do(Watch(f"W{number}"), f"w{number}")
    assert refusal_code(run, Watch("Eve"), "eve") == "table.full"
    run.do(Join("Ben"), "ben")
    for away in ("w7", "w5"):
        run.do(SetPresence(away, False), None)
    facts = run.do(Join("Cleo"), "cleo")
    assert "w7" in run.table.state.guests
    assert Sat("cleo", 2) in facts
    run.do(Leave(), "cleo")
    run.do(Leave(), "ben")
    run.do(Watch("Eve"), "eve")
    assert "w7" not in run.table.state.guests
    assert "w5" in run.table.state.guests


def test_the_number_of_people_who_look_into_hands_is_limited() -> None:
    run = started_table("ann", "ben")
    run.do(ShowHand(True), "ben")
    for number in range(MAX_VIEWERS - 2):
        run.do(Watch(f"W{number}"), f"w{number}")
        run.do(LookAt(1), f"w{number}")
        run.do(Leave(), f"w{number}")
    run.do(Watch("Eve"), "eve")
    assert refusal_code(run, LookAt(1), "eve") == "table.full"
