"""What people do together at a table."""

from __future__ import annotations

from random import Random

import pytest

from rage import Reason
from rage.notation import parse_record, write_record
from rage.notation.fair import verify
from rage.say import sentence
from rage.table import (
    PRESETS,
    REACTIONS,
    Answer,
    Chat,
    Clock,
    GiveSeat,
    LookAt,
    Mute,
    Nudge,
    OpenTakeoverVote,
    Options,
    Pause,
    Play,
    React,
    Rematch,
    Resume,
    SetPresence,
    Settle,
    ShowHand,
    Start,
    StepIn,
    TakeBack,
    Vote,
    Watch,
)
from rage.table.facts.events import Nudged, Played, ProposalEnded, Sat, SteppedIn, TookBack, Voted
from rage.table.facts.shapes import TakeoverData
from table.tables import SEED, bot_move, data_of, refusal_code, started_table, table_of, view_data

AT_ONCE = Options(takeover="at_once", bot="random", grace=20, clock=Clock(30, 60, 90))


# --- spectators ----------------------------------------------------------------------------


def test_spectators_see_the_public_view_or_one_seats_if_that_player_allows() -> None:
    run = started_table("ann", "ben", "cleo", rules="poof+schedule:3")
    run.do(Watch("Eve"), "eve")

    def hand() -> str:
        found: str = view_data(run.table, "eve")["game"]["hand"]
        return found

    assert hand() == ""
    assert refusal_code(run, LookAt(1), "eve") == "table.not_shown"
    run.do(ShowHand(True), "ben")
    run.do(LookAt(1), "eve")
    assert hand() == view_data(run.table, "ben")["game"]["hand"] != ""
    run.do(ShowHand(False), "ben")
    assert hand() == ""


def test_permission_to_look_ends_with_the_player_who_gave_it() -> None:
    run = started_table("ann", "ben", "cleo")
    run.do(Watch("Eve"), "eve")
    run.do(ShowHand(True), "ben")
    run.do(LookAt(1), "eve")
    run.do(GiveSeat(1), "ben")
    assert view_data(run.table, "eve")["game"]["seat"] is None
    assert refusal_code(run, LookAt(1), "eve") == "table.not_shown"
    run.do(GiveSeat(1, "ben"), "ann")
    run.do(Answer(run.table.ply, True), "cleo")
    assert run.table.state.seats[1].person == "ben"
    assert refusal_code(run, LookAt(1), "eve") == "table.not_shown"


def test_a_player_sees_no_hand_but_their_own() -> None:
    run = started_table("ann", "ben", "cleo")
    run.do(ShowHand(True), "ben")
    assert refusal_code(run, LookAt(1), "ann") == "table.sits_already"


def test_a_spectator_who_sits_down_there_no_longer_looks() -> None:
    run = started_table("ann", "ben", "cleo")
    run.do(Watch("Eve"), "eve")
    run.do(ShowHand(True), "ben")
    run.do(LookAt(1), "eve")
    run.do(GiveSeat(1, person="eve"), "ben")
    for each in ("ann", "cleo"):
        run.do(Answer(run.table.ply, True), each)
    run.do(ShowHand(True), "eve")
    assert view_data(run.table, "eve")["me"]["looking"] is None
    run.do(GiveSeat(1), "eve")
    assert run.table.game_view("eve") is not None
    assert view_data(run.table, "eve")["game"]["seat"] is None


def test_a_table_may_have_no_spectators() -> None:
    run = started_table("ann", "ben", options=Options(spectators=False))
    assert refusal_code(run, Watch("Eve"), "eve") == "table.no_spectators"


# --- a bot takes over an absent player's seat at once or on a vote, and gives it back ------


def test_a_bot_takes_over_at_once_and_gives_the_seat_back_with_one_command() -> None:
    run = started_table("ann", "ben", "cleo", options=AT_ONCE)
    run.do(SetPresence("ben", False), None)
    gone = run.now
    assert refusal_code(run, StepIn(1), None) == "table.not_due"
    assert run.table.due(gone).next == gone + 20_000
    run.now = gone + 20_000
    assert StepIn(1) in run.table.due(run.now).commands
    assert run.do(StepIn(1), None) == [SteppedIn(1, "random")]
    while run.table.bot_to_act() is None:
        run.play()
    assert refusal_code(run, Play(run.table.ply, "1"), "ben") == "table.bot_plays"
    (fact,) = run.do(bot_move(run.table), None)[:1]
    assert isinstance(fact, Played)
    assert (fact.seat, fact.by) == (1, "bot")
    assert run.do(TakeBack(), "ben") == [TookBack(1)]
    assert run.table.state.names[1] == "Ben"


def test_a_friend_may_call_the_bot_for_somebody_who_is_away() -> None:
    run = started_table("ann", "ben", "cleo", options=AT_ONCE)
    assert refusal_code(run, StepIn(1), "ann") == "table.is_here"
    run.do(SetPresence("ben", False), None)
    run.do(StepIn(1), "ann")


def test_a_bot_takes_over_on_a_vote_of_more_than_half_of_those_who_wait() -> None:
    run = started_table("ann", "ben", "cleo", "dan")
    assert refusal_code(run, Vote(1, True), "ann") == "table.no_vote"
    run.do(SetPresence("ben", False), None)
    assert refusal_code(run, StepIn(1), "ann") == "table.vote_first"
    assert refusal_code(run, Vote(1, True), "ben") == "table.not_asked"
    assert run.do(Vote(1, True), "ann") == [Voted(1, "ann", True)]
    run.do(Vote(1, False), "cleo")
    facts = run.do(Vote(1, True), "dan")
    assert facts == [Voted(1, "dan", True), SteppedIn(1, "steady")]


def test_all_are_told_who_is_awaited_and_who_decides() -> None:
    """For the seat to act alone, while the game is played."""
    run = started_table("ann", "ben", "cleo", "dan", players=5)
    while run.actor != "ben":
        run.play()
    assert run.table.takeover is None
    run.do(SetPresence("cleo", False), None)
    assert run.table.takeover is None  # nobody waits for Cleo yet
    run.do(SetPresence("ben", False), None)
    assert run.table.takeover == TakeoverData(1, "vote", [0, 3], [], [], 2)
    run.do(Vote(1, False), "dan")
    run.do(Vote(1, True), "ann")
    for person in ("ann", "ben", None):
        now = view_data(run.table, person)["takeover"]
        assert (now["yes"], now["no"], now["needed"]) == ([0], [3], 2)
    run.do(Pause(), "ann")
    assert run.table.takeover is None


def test_a_vote_is_carried_when_those_who_have_not_voted_leave() -> None:
    run = started_table("ann", "ben", "cleo", "dan")
    run.do(SetPresence("ben", False), None)
    run.do(Vote(1, True), "ann")
    assert refusal_code(run, StepIn(1), None) == "table.not_due"
    run.do(SetPresence("cleo", False), None)
    assert StepIn(1) not in run.table.due(run.now).commands
    run.do(SetPresence("dan", False), None)  # one of one
    assert StepIn(1) in run.table.due(run.now).commands
    assert run.do(StepIn(1), None) == [SteppedIn(1, "steady")]


def test_a_proposal_is_settled_when_those_who_have_not_answered_leave() -> None:
    """Ben is asked about a seat although a bot plays for him, for as long as he is there."""
    run = started_table("ann", "ben", "cleo", players=4)
    run.do(Watch("Eve"), "eve")
    run.do(StepIn(1), "ben")
    run.do(GiveSeat(3, person="eve"), "ann")
    run.do(Answer(run.table.ply, True), "cleo")
    assert refusal_code(run, Settle(), None) == "table.not_due"
    run.do(SetPresence("ben", False), None)
    for paused in (True, False):
        assert run.table.proposal is not None
        assert run.table.proposal.asked == run.table.proposal.agreed == [2]
        assert Settle() in run.table.due(run.now).commands
        run.do(Pause() if paused else Resume(), "ann")
    assert refusal_code(run, Settle(), "ann") == "table.house_only"
    assert run.do(Settle(), None) == [ProposalEnded("accepted"), Sat("eve", 3)]
    assert refusal_code(run, Settle(), None) == "table.not_due"


def test_who_is_slow_is_only_waited_for_if_bots_take_over_by_themselves() -> None:
    run = started_table("ann", "ben", "cleo", options=AT_ONCE)
    seat = run.table.to_act
    assert seat is not None
    voters = [at for at in range(3) if at != seat]
    run.now = run.table.state.turn_since + 60_000
    run.do(OpenTakeoverVote(seat, 0), None)
    assert run.table.takeover == TakeoverData(seat, "wait", voters, [], [], 2)
    run.do(SetPresence(("ann", "ben", "cleo")[seat], False), None)
    assert run.table.takeover == TakeoverData(seat, "at_once", voters, [], [], 2)
    run.do(StepIn(seat), ("ann", "ben", "cleo")[voters[0]])
    assert run.table.takeover is None


def test_votes_are_forgotten_when_the_player_is_back() -> None:
    run = started_table("ann", "ben", "cleo", "dan")
    run.do(SetPresence("ben", False), None)
    run.do(Vote(1, True), "ann")
    run.do(SetPresence("ben", True), None)
    run.do(SetPresence("ben", False), None)
    assert run.do(Vote(1, True), "dan") == [Voted(1, "dan", True)]


def test_anybody_may_let_a_bot_play_for_them() -> None:
    run = started_table("ann", "ben", "cleo")
    assert run.do(StepIn(2), "cleo") == [SteppedIn(2, "steady")]
    assert refusal_code(run, StepIn(2), "cleo") == "table.bot_plays_already"


def test_no_bot_takes_over_if_nobody_waits() -> None:
    """Alone against bots, a closed laptop must not lose the game."""
    run = started_table("ann", players=3, options=AT_ONCE)
    while run.actor is None:
        run.do(bot_move(run.table), None)
    run.do(SetPresence("ann", False), None)
    due = run.table.due(run.now + 10**9)
    assert not [each for each in due.commands if isinstance(each, StepIn | OpenTakeoverVote)]
    assert refusal_code(run, StepIn(0), None) == "table.not_due"


# --- friendly clock: nudges, asks, hands over; never ends the game -------------------------


def test_the_clock_nudges_asks_and_hands_over() -> None:
    run = started_table("ann", "ben", "cleo", options=AT_ONCE)
    seat, since = run.table.to_act, run.table.state.turn_since
    assert seat is not None
    for seconds, command in (
        (30, Nudge(seat, 0)),
        (60, OpenTakeoverVote(seat, 0)),
        (90, StepIn(seat)),
    ):
        at = since + 1000 * seconds
        assert run.table.due(at - 1) == ((), at)
        assert refusal_code(run, command, None) == "table.not_due"
        run.now = at - 1000
        assert run.table.due(at).commands == (command,)
        run.do(command, None)
        assert refusal_code(run, command, None) in ("table.not_due", "table.bot_plays_already")
    assert run.table.phase == "playing"
    assert run.table.due(10**12) == ((), None)


def test_on_a_vote_the_clock_only_asks() -> None:
    run = started_table("ann", "ben", "cleo", options=Options(clock=Clock(30, 60, 90)))
    seat = run.table.to_act
    assert seat is not None
    run.now = 10**6
    assert run.table.due(run.now).commands == (Nudge(seat, 0), OpenTakeoverVote(seat, 0))
    assert run.do(Nudge(seat, 0), None) == [Nudged(seat, 0)]
    run.do(OpenTakeoverVote(seat, 0), None)
    assert run.table.due(10**12) == ((), None)
    others = [each for at, each in enumerate(("ann", "ben", "cleo")) if at != seat]
    run.do(Vote(seat, True), others[0])
    assert SteppedIn(seat, "steady") in run.do(Vote(seat, True), others[1])


def test_no_player_can_nudge_or_ask() -> None:
    run = started_table("ann", "ben", "cleo", options=AT_ONCE)
    run.now = 10**6
    due = run.table.due(run.now).commands
    (nudge,) = [each for each in due if isinstance(each, Nudge)]
    assert refusal_code(run, nudge, "ann") == "table.house_only"
    assert refusal_code(run, SetPresence("ben", False), "ann") == "table.house_only"


# --- rematch with the same people, spectators kept -----------------------------------------


def test_a_rematch_keeps_everybody_and_the_next_seat_deals() -> None:
    run = table_of("ann", "ben", rules="poof+schedule:1.1", players=3)
    run.do(Watch("Eve"), "eve")
    run.do(Start("random"), "ann")
    for game in (1, 2, 3):
        last = run.table.state.next_dealer
        if game > 1:
            assert run.game.rounds[0].dealer == last
        run.play_on(Random(game), 99)
        record = parse_record(write_record(run.table.record()))
        assert all(finding.ok is not False for finding in verify(record))
        assert refusal_code(run, Rematch(), "ben") == "table.host_only"
        dealer = run.game.rounds[-1].dealer
        run.do(Rematch(), "ann", SEED + bytes([game]))
        assert run.table.phase == "gathering"
        assert run.table.state.next_dealer == (dealer + 1) % 3
        assert [seat.person for seat in run.table.state.seats] == ["ann", "ben", None]
        assert "eve" in run.table.state.guests
        run.do(Start(), "ann")
    assert run.table.state.games == 4


# --- chat with presets, mute ---------------------------------------------------------------


def test_chat_with_presets_and_a_bounded_length() -> None:
    run = started_table("ann", "ben", "cleo")
    for preset in PRESETS:
        said = run.say(Chat(preset=preset), "ann")
        assert (said.preset, said.text, said.name) == (preset, None, "Ann")
        assert sentence(Reason(f"chat.{preset}"), "es")
    assert run.say(Chat(" " + "x" * 300), "ann").text == "x" * 300
    assert refusal_code(run, Chat("x" * 301), "ann") == "table.text"
    assert refusal_code(run, Chat(" "), "ann") == "table.text"
    assert refusal_code(run, Chat(preset="rude"), "ann") == "table.preset"
    assert refusal_code(run, Chat("hi", "hello"), "ann") == "table.chat"
    assert refusal_code(run, Chat("hi"), "nobody") == "table.stranger"


def test_muted_people_are_not_heard_and_not_told() -> None:
    run = started_table("ann", "ben", "cleo")
    run.do(Mute("ann"), "ben")
    mute = run.log[-1]
    run.say(Chat("hello"), "ann")
    heard = {p: len(run.table.chat_for(p)) for p in ("ann", "ben", "cleo", "nobody", None)}
    assert heard == {"ann": 1, "ben": 0, "cleo": 1, "nobody": 0, None: 0}
    shown = {p: data_of(run.table.redact(mute, p))["type"] for p in ("ann", "ben", "cleo")}
    assert shown == {"ann": "hidden", "ben": "muted", "cleo": "hidden"}
    run.do(Mute("ann", False), "ben")
    assert len(run.table.chat_for("ben")) == 1


def test_one_reacts_to_a_card_that_has_been_played() -> None:
    run = started_table("ann", "ben", "cleo", rules="poof+schedule:2")
    for _ in range(4):  # the bids, and the first card
        run.play()
    leader = run.game.rounds[0].tricks[0].leader
    then = (leader + 1) % 3
    for kind in REACTIONS:
        found = run.table.react(React(kind, 1, 1, leader), "cleo")
        assert (found.person, found.kind, found.seat) == ("cleo", kind, leader)
    for wrong in ((1, 1, then), (1, 2, leader), (2, 1, leader), (0, 1, 0), (1, 0, 0), (1, 1, 3)):
        assert refusal_code(run, React("wow", *wrong), "cleo") == "table.not_played"
    assert refusal_code(run, React("rude", 1, 1, leader), "cleo") == "table.reaction"
    assert refusal_code(run, React("wow", 1, 1, leader), "nobody") == "table.stranger"


@pytest.mark.parametrize("clock", [Clock(0, 1, 1), Clock(5, 4, 9), Clock(1, 2, 10**9)])
def test_a_clock_that_makes_no_sense_is_refused(clock: Clock) -> None:
    with pytest.raises(ValueError, match="seconds"):
        table_of("ann", "ben", options=Options(clock=clock))


def test_a_newcomer_is_told_the_last_lines_of_the_chat() -> None:
    run = table_of("ann", "ben")
    for number in range(60):
        run.say(Chat(text=f"line {number}"), "ann")
    run.say(Chat(preset="hello"), "ben")
    assert run.table.seq == len(run.log)  # it is not part of the events
    run.do(Watch("Eve"), "eve")
    said = view_data(run.table, "eve")["chat"]
    assert [line["text"] for line in said] == [*(f"line {n}" for n in range(11, 60)), None]
    assert (said[-1]["name"], said[-1]["preset"]) == ("Ben", "hello")
    run.do(Mute("ann"), "eve")
    assert [line["person"] for line in view_data(run.table, "eve")["chat"]] == ["ben"]
    assert view_data(run.table, "nobody")["chat"] == []
