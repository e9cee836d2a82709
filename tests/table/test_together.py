"""What people do together at a table, named after the sentences of issue 3."""

from __future__ import annotations

from random import Random

import pytest

from rage import sentence
from rage.fair import verify
from rage.notation import read_record, write_record
from rage.table import (
    PRESETS,
    Ask,
    Chat,
    Clock,
    GiveSeat,
    Join,
    LookAt,
    Mute,
    Nudge,
    Options,
    Pause,
    Play,
    Rematch,
    Resume,
    SetPresence,
    ShowHand,
    Start,
    StepIn,
    TakeBack,
    Vote,
    Watch,
)
from rage.table.events import (
    Chatted,
    Nudged,
    Played,
    SteppedIn,
    TookBack,
    Voted,
)
from table.people import SEED, refused, started, table_of, thought, told

AT_ONCE = Options(takeover="at_once", bot="random", grace=20, clock=Clock(30, 60, 90))


# --- spectators ----------------------------------------------------------------------------


def test_spectators_see_the_public_view_or_one_seats_if_that_player_allows() -> None:
    evening = started("ann", "ben", "cleo", rules="poof+schedule:3")
    evening.do(Watch("Eve"), "eve")

    def hand() -> str:
        found: str = told(evening.table, "eve")["game"]["hand"]
        return found

    assert hand() == ""
    assert refused(evening, LookAt(1), "eve") == "table.not_shown"
    evening.do(ShowHand(True), "ben")
    evening.do(LookAt(1), "eve")
    assert hand() == told(evening.table, "ben")["game"]["hand"] != ""
    evening.do(ShowHand(False), "ben")
    assert hand() == ""


def test_a_player_sees_no_hand_but_their_own() -> None:
    evening = started("ann", "ben", "cleo")
    evening.do(ShowHand(True), "ben")
    assert refused(evening, LookAt(1), "ann") == "table.sits_already"


def test_who_looked_while_people_gather_and_then_sits_elsewhere_looks_no_more() -> None:
    evening = table_of("ann", "ben", players=3)
    evening.do(Watch("Eve"), "eve")
    evening.do(ShowHand(True), "ben")
    evening.do(LookAt(1), "eve")
    evening.do(Join("Eve", 2), "eve")
    assert told(evening.table, "eve")["me"]["looking"] is None


def test_who_looked_and_then_sits_there_looks_no_more() -> None:
    evening = started("ann", "ben", "cleo")
    evening.do(Watch("Eve"), "eve")
    evening.do(ShowHand(True), "ben")
    evening.do(LookAt(1), "eve")
    evening.do(GiveSeat(1, person="eve"), "ben")
    evening.do(ShowHand(True), "eve")
    assert told(evening.table, "eve")["me"]["looking"] is None
    evening.do(GiveSeat(1), "eve")
    assert evening.table.game_view("eve") is not None
    assert told(evening.table, "eve")["game"]["seat"] is None


def test_leave_to_look_ends_with_who_gave_it() -> None:
    evening = started("ann", "ben", "cleo")
    evening.do(Watch("Eve"), "eve")
    evening.do(ShowHand(True), "ben")
    evening.do(LookAt(1), "eve")
    evening.do(GiveSeat(1), "ben")
    assert told(evening.table, "eve")["game"]["seat"] is None
    assert told(evening.table, "ben")["game"]["seat"] is None


def test_a_table_may_have_no_spectators() -> None:
    evening = started("ann", "ben", options=Options(spectators=False))
    assert refused(evening, Watch("Eve"), "eve") == "table.no_spectators"


# --- a bot takes over an absent player's seat at once or on a vote, and gives it back ------


def test_a_bot_takes_over_at_once_and_gives_the_seat_back_with_one_command() -> None:
    evening = started("ann", "ben", "cleo", options=AT_ONCE)
    evening.do(SetPresence("ben", False), None)
    gone = evening.now
    assert refused(evening, StepIn(1), None) == "table.not_due"
    assert evening.table.due(gone).next == gone + 20_000
    evening.now = gone + 20_000
    assert StepIn(1) in evening.table.due(evening.now).commands
    assert evening.do(StepIn(1), None) == [SteppedIn(1, "random")]
    while evening.table.bot_to_act() is None:
        evening.play()
    assert refused(evening, Play(evening.table.ply, "1"), "ben") == "table.bot_plays"
    (fact,) = evening.do(thought(evening.table), None)[:1]
    assert isinstance(fact, Played)
    assert (fact.seat, fact.by) == (1, "bot")
    assert evening.do(TakeBack(), "ben") == [TookBack(1)]
    assert evening.table.state.names[1] == "Ben"


def test_a_friend_may_call_the_bot_for_one_who_is_away() -> None:
    evening = started("ann", "ben", "cleo", options=AT_ONCE)
    assert refused(evening, StepIn(1), "ann") == "table.is_here"
    evening.do(SetPresence("ben", False), None)
    evening.do(StepIn(1), "ann")


def test_a_bot_takes_over_on_a_vote_of_more_than_half_of_those_who_wait() -> None:
    evening = started("ann", "ben", "cleo", "dan")
    assert refused(evening, Vote(1, True), "ann") == "table.no_vote"
    evening.do(SetPresence("ben", False), None)
    assert refused(evening, StepIn(1), "ann") == "table.vote_first"
    assert refused(evening, Vote(1, True), "ben") == "table.not_asked"
    assert evening.do(Vote(1, True), "ann") == [Voted(1, "ann", True)]
    evening.do(Vote(1, False), "cleo")
    facts = evening.do(Vote(1, True), "dan")
    assert facts == [Voted(1, "dan", True), SteppedIn(1, "steady")]


def test_votes_are_forgotten_when_the_player_is_back() -> None:
    evening = started("ann", "ben", "cleo", "dan")
    evening.do(SetPresence("ben", False), None)
    evening.do(Vote(1, True), "ann")
    evening.do(SetPresence("ben", True), None)
    evening.do(SetPresence("ben", False), None)
    assert evening.do(Vote(1, True), "dan") == [Voted(1, "dan", True)]


def test_one_may_let_a_bot_play_for_oneself() -> None:
    evening = started("ann", "ben", "cleo")
    assert evening.do(StepIn(2), "cleo") == [SteppedIn(2, "steady")]
    assert refused(evening, StepIn(2), "cleo") == "table.bot_plays_already"


def test_no_bot_takes_over_where_nobody_waits() -> None:
    """Alone against bots, a closed laptop must not lose the game."""
    evening = started("ann", players=3, options=AT_ONCE)
    while evening.actor is None:
        evening.do(thought(evening.table), None)
    evening.do(SetPresence("ann", False), None)
    due = evening.table.due(evening.now + 10**9)
    assert not [each for each in due.commands if isinstance(each, StepIn | Ask)]
    assert refused(evening, StepIn(0), None) == "table.not_due"


# --- friendly clock: nudges, asks, hands over; never ends the game -------------------------


def test_the_clock_nudges_asks_and_hands_over() -> None:
    evening = started("ann", "ben", "cleo", options=AT_ONCE)
    seat, since = evening.table.to_act, evening.table.state.turn_since
    assert seat is not None
    for seconds, command in ((30, Nudge(seat, 0)), (60, Ask(seat, 0)), (90, StepIn(seat))):
        at = since + 1000 * seconds
        assert evening.table.due(at - 1) == ((), at)
        assert refused(evening, command, None) == "table.not_due"
        evening.now = at - 1000
        assert evening.table.due(at).commands == (command,)
        evening.do(command, None)
        assert refused(evening, command, None) in ("table.not_due", "table.bot_plays_already")
    assert evening.table.phase == "playing"
    assert evening.table.due(10**12) == ((), None)


def test_on_a_vote_the_clock_only_asks() -> None:
    evening = started("ann", "ben", "cleo", options=Options(clock=Clock(30, 60, 90)))
    seat = evening.table.to_act
    assert seat is not None
    evening.now = 10**6
    assert evening.table.due(evening.now).commands == (Nudge(seat, 0), Ask(seat, 0))
    assert evening.do(Nudge(seat, 0), None) == [Nudged(seat, 0)]
    evening.do(Ask(seat, 0), None)
    assert evening.table.due(10**12) == ((), None)
    others = [each for at, each in enumerate(("ann", "ben", "cleo")) if at != seat]
    evening.do(Vote(seat, True), others[0])
    assert SteppedIn(seat, "steady") in evening.do(Vote(seat, True), others[1])


def test_time_begins_anew_for_who_comes_back_takes_over_or_was_paused() -> None:
    evening = started("ann", "ben", "cleo", options=AT_ONCE)
    seat, actor = evening.table.to_act, evening.actor
    assert seat is not None
    assert actor is not None

    def first_due() -> int | None:
        return evening.table.due(evening.now).next

    for begin, again in (
        ((SetPresence(actor, False), None), (SetPresence(actor, True), None)),
        ((StepIn(seat), actor), (TakeBack(), actor)),
        ((Pause(), "ann"), (Resume(), "ann")),
        ((Watch("Dan"), "dan"), (GiveSeat(seat, person="dan"), "ann")),
    ):
        evening.now += 10_000
        evening.do(*begin)
        evening.now += 10_000
        evening.do(*again)
        assert first_due() == evening.now + 30_000


def test_no_player_can_nudge_or_ask() -> None:
    evening = started("ann", "ben", "cleo", options=AT_ONCE)
    evening.now = 10**6
    due = evening.table.due(evening.now).commands
    (nudge,) = [each for each in due if isinstance(each, Nudge)]
    assert refused(evening, nudge, "ann") == "table.house_only"
    assert refused(evening, SetPresence("ben", False), "ann") == "table.house_only"


# --- rematch with the same people, spectators kept -----------------------------------------


def test_a_rematch_keeps_everybody_and_the_deal_moves_on() -> None:
    evening = table_of("ann", "ben", rules="poof+schedule:1.1", players=3)
    evening.do(Watch("Eve"), "eve")
    evening.do(Start("random"), "ann")
    for game in (1, 2, 3):
        last = evening.table.state.next_dealer
        if game > 1:
            assert evening.game.rounds[0].dealer == last
        evening.play_on(Random(game), 99)
        record = read_record(write_record(evening.table.record_for("eve")))
        assert all(finding.right for finding in verify(record))
        assert refused(evening, Rematch(), "ben") == "table.host_only"
        dealer = evening.game.rounds[-1].dealer
        evening.do(Rematch(), "ann", SEED + bytes([game]))
        assert evening.table.phase == "gathering"
        assert evening.table.state.next_dealer == (dealer + 1) % 3
        assert [seat.person for seat in evening.table.state.seats] == ["ann", "ben", None]
        assert "eve" in evening.table.state.guests
        evening.do(Start(), "ann")
    assert evening.table.state.games == 4


# --- chat with presets, mute ---------------------------------------------------------------


def test_chat_with_presets_and_a_bounded_length() -> None:
    evening = started("ann", "ben", "cleo")
    for preset in PRESETS:
        (fact,) = evening.do(Chat(preset=preset), "ann")
        assert isinstance(fact, Chatted)
        assert fact.phrase is not None
        assert sentence(fact.phrase, "es")
    evening.do(Chat("x" * 300), "ann")
    assert refused(evening, Chat("x" * 301), "ann") == "table.text"
    assert refused(evening, Chat(" "), "ann") == "table.text"
    assert refused(evening, Chat(preset="rude"), "ann") == "table.preset"
    assert refused(evening, Chat("hi", "hello"), "ann") == "table.chat"
    assert refused(evening, Chat("hi"), "nobody") == "table.stranger"


def test_the_muted_are_not_heard_and_are_not_told() -> None:
    evening = started("ann", "ben", "cleo")
    evening.do(Mute("ann"), "ben")
    mute = evening.log[-1]
    evening.do(Chat("hello"), "ann")
    said = evening.log[-1]
    shown = {p: evening.table.redact(said, p)["type"] for p in ("ann", "ben", "cleo")}
    assert shown == {"ann": "chatted", "ben": "hidden", "cleo": "chatted"}
    shown = {p: evening.table.redact(mute, p)["type"] for p in ("ann", "ben", "cleo")}
    assert shown == {"ann": "hidden", "ben": "muted", "cleo": "hidden"}
    evening.do(Mute("ann", False), "ben")
    assert evening.table.redact(said, "ben")["type"] == "chatted"


def test_a_spectator_who_sees_a_hand_keeps_quiet() -> None:
    evening = started("ann", "ben", "cleo")
    evening.do(Watch("Eve"), "eve")
    evening.do(Chat("hello"), "eve")
    evening.do(ShowHand(True), "ben")
    evening.do(LookAt(1), "eve")
    evening.do(LookAt(None), "eve")
    assert refused(evening, Chat("Ben holds the red 15"), "eve") == "table.looking"


@pytest.mark.parametrize("clock", [Clock(0, 1, 1), Clock(5, 4, 9), Clock(1, 2, 10**9)])
def test_a_clock_that_makes_no_sense_is_refused(clock: Clock) -> None:
    with pytest.raises(ValueError, match="seconds"):
        table_of("ann", "ben", options=Options(clock=clock))


def test_who_comes_later_is_told_what_was_said_last() -> None:
    evening = table_of("ann", "ben")
    for number in range(60):
        evening.do(Chat(text=f"line {number}"), "ann")
    evening.do(Chat(preset="hello"), "ben")
    evening.do(Watch("Eve"), "eve")
    said = told(evening.table, "eve")["chat"]
    assert [line["text"] for line in said] == [*(f"line {n}" for n in range(11, 60)), None]
    assert (said[-1]["name"], said[-1]["preset"]) == ("Ben", "hello")
    evening.do(Mute("ann"), "eve")
    assert [line["person"] for line in told(evening.table, "eve")["chat"]] == ["ben"]
    assert told(evening.table, "nobody")["chat"] == []
