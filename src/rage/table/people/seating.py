"""Folds facts about people and seats into the state."""

from __future__ import annotations

from rage.table.facts import events as e
from rage.table.parts import Guest, Seat
from rage.table.state import State


def joined(state: State, fact: e.Joined) -> None:
    """Add a person to the table."""
    state.guests[fact.person] = Guest(fact.name, state.at, screen=fact.screen, sign=fact.sign)
    state.gone.pop(fact.person, None)


def left(state: State, fact: e.Left) -> None:
    """Remove a person from the table, and empty their seat."""
    seat = state.seat_of(fact.person)
    if seat is not None:
        empty(state, seat)
    _go(state, fact.person)
    if state.owner == fact.person:
        state.owner = state.host
    if fact.barred:
        state.barred.add(fact.person)


def _go(state: State, person: str) -> None:
    """Remove a person from the guests; during a game, the hands they have seen are kept."""
    guest = state.guests.pop(person)
    if state.phase in ("playing", "paused") and person in state.saw:
        state.gone[person] = guest.name
    else:
        state.saw.pop(person, None)


def empty(state: State, seat: int) -> None:
    """Empty a seat, with its word, its votes, its readiness, and the permission to see its hand.
    Its person comes last among the spectators."""
    person = state.seats[seat].person
    if person is not None:
        state.guests[person] = state.guests.pop(person)
    state.seats[seat] = Seat()
    state.proposal = None
    state.votes.pop(seat, None)
    state.ready.discard(seat)
    stop_looking(state, seat)


def stop_looking(state: State, seat: int) -> None:
    """Stop showing the hand of a seat to spectators."""
    for guest in state.guests.values():
        if guest.looking == seat:
            guest.looking = None


def renamed(state: State, fact: e.Renamed) -> None:
    """Give a person a new name, also in a game that is not over, or a new sign."""
    guest = state.guests[fact.person]
    guest.name, guest.sign = fact.name, fact.sign
    if state.play is not None and state.phase in ("playing", "paused"):
        for number, occupants in state.play.occupants.items():
            state.play.occupants[number] = tuple(
                each._replace(name=fact.name) if each.person == fact.person else each
                for each in occupants
            )
    seat = state.seat_of(fact.person)
    if seat is not None:
        state.seats[seat].name, state.seats[seat].sign = fact.name, fact.sign
        name_game(state)


def name_game(state: State) -> None:
    """Give the game's players the current names. A person who leaves after the game keeps their
    name in it."""
    if state.play is not None and state.phase in ("playing", "paused"):
        state.play.game = state.play.game.with_names(state.names)


def sat(state: State, fact: e.Sat) -> None:
    """Seat a person, who sees the cards of the seat."""
    before = state.seat_of(fact.person)
    if before is not None:
        empty(state, before)
    empty(state, fact.seat)
    if fact.same_as is not None:
        _succeed(state, fact.person, fact.same_as)
    guest = state.guests[fact.person]
    guest.looking = guest.wants = None
    drop_wishes(state, fact.seat)
    state.seats[fact.seat] = Seat(guest.name, fact.person, sign=guest.sign)
    if state.dealt_to:
        before_it = state.dealt_to
        state.dealt_to = (*before_it[: fact.seat], fact.person, *before_it[fact.seat + 1 :])
        if state.play is not None:
            state.play.players[fact.person] = fact.seat
    first = next((each for each, at in state.replaced.items() if at == fact.seat), None)
    if fact.same_as is None or fact.person == first:
        state.replaced.pop(first or "", None)
    elif first is None:
        state.replaced[fact.same_as] = fact.seat
    note_seen(state, fact.person, fact.seat)
    name_game(state)
    state.renew_turn(fact.seat)


def _succeed(state: State, person: str, before: str) -> None:
    """Let a person take over from their other device: name, sign, rounds, host."""
    guest, old = state.guests[person], state.guests[before]
    guest.name, guest.sign = old.name, old.sign
    _go(state, before)
    state.host = person if state.host == before else state.host
    state.owner = person if state.owner == before else state.owner
    if state.play is not None:
        for number, occupants in state.play.occupants.items():
            state.play.occupants[number] = tuple(
                each._replace(person=person) if each.person == before else each
                for each in occupants
            )


def note_seen(state: State, person: str, seat: int) -> None:
    """Record that a person has seen the cards of a seat, if a round is under way."""
    if not state.between_rounds:
        state.saw.setdefault(person, set()).add(seat)


def bot_sat(state: State, fact: e.BotSat) -> None:
    """Give a seat to a bot. During a game it keeps the shape and stone of the last player, so that
    the seat looks the same."""
    kept = state.seats[fact.seat].sign[:2] if state.phase in ("playing", "paused") else ""
    empty(state, fact.seat)
    state.seats[fact.seat] = Seat(fact.name, bot=fact.bot, sign=kept)
    name_game(state)


def vacated(state: State, fact: e.Vacated) -> None:
    """Leave a seat without an occupant."""
    empty(state, fact.seat)


def swapped(state: State, fact: e.Swapped) -> None:
    """Swap the occupants of two seats, and stop showing their hands to spectators."""
    seats = state.seats
    seats[fact.seat], seats[fact.other] = seats[fact.other], seats[fact.seat]
    stop_looking(state, fact.seat)
    stop_looking(state, fact.other)


def host_passed(state: State, fact: e.HostPassed) -> None:
    """Set another host, or none. An owner who is still at the table remains the owner."""
    state.host = fact.person
    if state.owner not in state.guests:
        state.owner = fact.person


def word_committed(state: State, fact: e.WordCommitted) -> None:
    """Set the commitment to a player's word, replacing an earlier one."""
    state.seats[fact.seat].word_commitment = fact.hash


def presence_set(state: State, fact: e.PresenceSet) -> None:
    """Record presence. A person who returns has the full time again, and any vote on them ends."""
    guest = state.guests[fact.person]
    guest.present, guest.since = fact.present, state.at
    seat = state.seat_of(fact.person)
    if seat is not None and fact.present:
        state.votes.pop(seat, None)
        state.renew_turn(seat)


def seat_requested(state: State, fact: e.SeatRequested) -> None:
    """Record the seat that a spectator asks for, if any."""
    guest = state.guests[fact.person]
    guest.wants = fact.seat
    guest.wants_since = 0 if state.play is None else len(state.play.game.rounds)


def drop_wishes(state: State, seat: int | None = None) -> None:
    """Drop all requests for a seat (``None``: for any seat)."""
    for guest in state.guests.values():
        if seat in (None, guest.wants):
            guest.wants = None


def hand_shown(state: State, fact: e.HandShown) -> None:
    """Record whether spectators may see a hand."""
    state.seats[fact.seat].shows = fact.allowed
    if not fact.allowed:
        stop_looking(state, fact.seat)


def viewpoint_changed(state: State, fact: e.ViewpointChanged) -> None:
    """Record the seat that a spectator looks at, if any."""
    state.guests[fact.person].looking = fact.seat
    if fact.seat is not None:
        note_seen(state, fact.person, fact.seat)


def muted(state: State, fact: e.Muted) -> None:
    """Record that a person mutes or unmutes another."""
    muted = state.guests[fact.person].muted
    (muted.add if fact.muted else muted.discard)(fact.other)
