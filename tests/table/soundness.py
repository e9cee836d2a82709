"""What must be so at any table at any time, whatever has been asked of it."""

from __future__ import annotations

from itertools import combinations

from rage import NotAllowed
from rage.engine.deal import word_commitment
from rage.table import (
    Answer,
    AskForSeat,
    Claim,
    Command,
    GiveSeat,
    LookAt,
    ProposeUndo,
    Settle,
    StepIn,
    Table,
    Vote,
)
from rage.table.facts.events import (
    Dealt,
    Fact,
    Played,
    RoundOver,
    Started,
    SteppedIn,
    TrickWon,
    TrumpSet,
)
from rage.table.people.names import alike


def assert_reasons_public(table: Table, fact: Fact) -> None:
    """What a fact that was just applied says of the rules is what a spectator sees, who sees no
    hidden card or bid: no more, and no less."""
    if isinstance(fact, Started):
        view = table.view_for(None)
        assert [*map(list, fact.sides)] == view.sides
        assert list(fact.withheld) == view.withheld
    if not isinstance(fact, Dealt | Played | TrickWon | TrumpSet | RoundOver):
        return
    game = table.state.require_play().game.view(None).as_data()
    now = game["rounds"][-1]
    if isinstance(fact, Dealt):
        assert list(fact.order) == now["order"]
    elif isinstance(fact, Played):
        bids = fact.hidden or (fact.move or "").isdigit()
        assert fact.last == (bids and fact.seat == now["dealer"])
    elif isinstance(fact, TrickWon):
        assert fact.ruling is not None
        assert fact.ruling == [each for each in now["tricks"] if each["ruling"]][-1]["ruling"]
    elif isinstance(fact, TrumpSet):
        changes = [each for each in now["trump_changes"] if each["cause"] == fact.cause]
        assert fact.seat == changes[-1]["seat"]
    else:
        assert [list(fact.met), list(fact.accounts)] == [now["met"], now["accounts"]]


def assert_sound(table: Table, now: int) -> None:
    """What must be so at any table at any time."""
    state = table.state
    seated = [seat.person for seat in state.seats if seat.person is not None]
    assert len(seated) == len(set(seated))
    assert {*seated, *filter(None, [state.host, state.owner])} <= state.guests.keys()
    assert (state.host is None) == all(guest.screen for guest in state.guests.values())
    assert (state.host is None) == (state.owner is None)
    assert state.owner not in state.barred
    names = [guest.name for guest in state.guests.values()]
    names += [seat.name for seat in state.seats if seat.bot and not seat.person]
    assert not any(alike(one, other) for one, other in combinations(names, 2))
    watching = [person for person, guest in state.guests.items() if guest.screen]
    assert not any(person in watching for person in (*seated, state.host, state.owner))
    if state.proposal is not None and state.proposal.kind == "seat":
        assert state.proposal.person in state.guests.keys() - set(seated)
    assert_can_be_settled(table, now)
    times = [state.turn_since, *(guest.since for guest in state.guests.values())]
    assert max(times, default=0) <= state.at
    for person, guest in state.guests.items():
        if guest.looking is not None:
            assert state.seats[guest.looking].shows
            assert person not in seated
    if state.phase == "revealing":
        assert any(state.word_commitments)
        assert not any(seat.empty for seat in state.seats)
        assert table.due(now).first(now) is not None
    assert_words_fit(table)
    assert_may(table, now)
    if state.phase in ("playing", "paused"):
        assert state.play is not None
        assert not any(seat.empty for seat in state.seats)
        assert state.play.game.names == state.names
        assert not state.play.game.over


def assert_can_be_settled(table: Table, now: int) -> None:
    """Somebody can still answer an open proposal or decide a vote, or the house does so now."""
    due = table.due(table.state.at).commands
    if (open_ := table.proposal) is not None:
        left = set(open_.asked) - set(open_.agreed)
        paused = table.phase == "paused" and open_.kind != "seat"
        assert paused or (not left) == (Settle() in due)
        for seat in () if paused else left:
            person = table.state.seats[seat].person
            assert person is not None
            assert is_allowed(table, Answer(open_.ply, True), person, now)
    for seat, votes in table.state.votes.items():
        for person in [voter for voter, yes in votes.items() if yes]:
            if facts := facts_of(table, Vote(seat, True), person, now):  # once more
                carried = any(isinstance(fact, SteppedIn) for fact in facts)
                assert carried == (StepIn(seat) in due)


def assert_words_fit(table: Table) -> None:
    """No word is revealed before all commitments are fixed, and none that does not match."""
    state = table.state
    if state.phase == "gathering":
        assert not any(seat.word for seat in state.seats)
    words = state.play.words if state.play else [word or "" for word in state.words]
    for word, due in zip(words, state.word_commitments, strict=True):
        assert word == "" or word_commitment(state.commitment, word) == due


def assert_may(table: Table, now: int) -> None:
    """The table allows exactly what it tells people that they may do."""
    state = table.state
    for person in state.guests if state.proposal is None else ():
        may = is_allowed(table, ProposeUndo(table.ply), person, now)
        assert (person in table.may_undo) == may
    for person in state.guests:
        assert_may_about_seats(table, person, now)
    if state.to_act is not None and (actor := state.seats[state.to_act].person) is not None:
        position = state.require_play().game.position
        left = position.hand_size - position.tricks
        tricks = tuple(left * (seat == state.to_act) for seat in range(len(state.seats)))
        assert table.may_claim == is_allowed(table, Claim(table.ply, tricks), actor, now)
    if (found := table.takeover) is None:
        return
    for person in state.guests:
        at = state.seat_of(person)
        vote, step_in = Vote(found.seat, True), StepIn(found.seat)
        assert is_allowed(table, vote, person, now) == (found.how == "vote" and at in found.voters)
        if at in found.voters:
            assert is_allowed(table, step_in, person, now) == (found.how == "at_once")
            decided = any(
                isinstance(fact, SteppedIn) for fact in facts_of(table, vote, person, now)
            )
            others = sum(each != at for each in found.yes)
            assert decided == (found.how == "vote" and others + 1 >= found.needed)


def assert_may_about_seats(table: Table, person: str, now: int) -> None:
    """The table allows exactly what it tells a person that they may do about seats: at once, or
    after a player has been away for long enough."""
    state, told = table.state, table.own_data(person)
    later = now + 3_600_000
    assert told is not None
    for seat in range(len(state.seats)):
        look, ask = LookAt(seat), AskForSeat(seat)
        guest = state.guests[person]
        if guest.looking != seat:  # once more would change nothing
            assert (seat in told.may_look) == is_allowed(table, look, person, now)
        if guest.wants != seat:
            assert (seat in told.may_ask) == is_allowed(table, ask, person, later)
        gifts = {each: GiveSeat(seat, each) for each in state.guests}
        allowed = [each for each, gift in gifts.items() if is_allowed(table, gift, person, later)]
        assert told.may_give[seat] == allowed
        if state.seats[seat].person is not None:
            bot = GiveSeat(seat, bot="random")
            assert (seat in told.may_seat_bot) == is_allowed(table, bot, person, now)


def facts_of(table: Table, command: Command, actor: str, now: int) -> list[Fact]:
    """What a command would bring about; nothing if it is refused."""
    try:
        return [event.fact for event in table.decide(command, actor, now)]
    except NotAllowed:
        return []


def is_allowed(table: Table, command: Command, actor: str, now: int) -> bool:
    """Whether a command would bring anything about."""
    return bool(facts_of(table, command, actor, now))
