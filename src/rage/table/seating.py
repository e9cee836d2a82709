"""Facts about people and seats, folded into the state."""

from __future__ import annotations

from rage.table import events as e
from rage.table.state import Guest, Said, Seat, State


def joined(state: State, fact: e.Joined) -> None:
    """Somebody is here."""
    state.guests[fact.person] = Guest(fact.name, state.at)


def left(state: State, fact: e.Left) -> None:
    """Somebody is here no more, nor on a seat."""
    seat = state.seat_of(fact.person)
    if seat is not None:
        empty(state, seat)
    del state.guests[fact.person]
    if fact.barred:
        state.barred.add(fact.person)


def empty(state: State, seat: int) -> None:
    """Nobody's seat, and so nobody's word, votes, or leave to look."""
    state.seats[seat] = Seat()
    state.proposal = None
    state.votes.pop(seat, None)
    draw_curtain(state, seat)


def draw_curtain(state: State, seat: int) -> None:
    """Nobody looks into this hand any more."""
    for guest in state.guests.values():
        if guest.looking == seat:
            guest.looking = None


def renamed(state: State, fact: e.Renamed) -> None:
    """A new name, for the game too."""
    state.guests[fact.person].name = fact.name
    seat = state.seat_of(fact.person)
    if seat is not None:
        state.seats[seat].name = fact.name
        name_game(state)


def name_game(state: State) -> None:
    """Those who play now are the players of the game; who goes after it still was one."""
    if state.play is not None and state.phase in ("playing", "paused"):
        state.play.game.names = state.names


def sat(state: State, fact: e.Sat) -> None:
    """A seat has a new owner, who sees its cards."""
    before = state.seat_of(fact.person)
    if before is not None:
        empty(state, before)
    empty(state, fact.seat)
    guest = state.guests[fact.person]
    guest.looking = None
    state.seats[fact.seat] = Seat(guest.name, fact.person)
    saw(state, fact.person, fact.seat)
    name_game(state)
    if state.to_act == fact.seat:
        state.turn_since = state.at


def saw(state: State, person: str, seat: int) -> None:
    """Remember whose cards a person has seen."""
    state.saw.setdefault(person, set()).add(seat)


def bot_sat(state: State, fact: e.BotSat) -> None:
    """A bot owns a seat."""
    empty(state, fact.seat)
    state.seats[fact.seat] = Seat(fact.name, bot=fact.bot)
    name_game(state)


def vacated(state: State, fact: e.Vacated) -> None:
    """Nobody has a seat."""
    empty(state, fact.seat)


def host_passed(state: State, fact: e.HostPassed) -> None:
    """Another host, or none."""
    state.host = fact.person


def word_said(state: State, fact: e.WordSaid) -> None:
    """A player's word, in place of an earlier one."""
    state.seats[fact.seat].word = fact.word


def presence_set(state: State, fact: e.PresenceSet) -> None:
    """Who comes back has all the time there is, and is voted on no more."""
    guest = state.guests[fact.person]
    guest.present, guest.since = fact.present, state.at
    seat = state.seat_of(fact.person)
    if seat is not None and fact.present:
        state.votes.pop(seat, None)
        if state.to_act == seat:
            state.turn_since = state.at


def hand_shown(state: State, fact: e.HandShown) -> None:
    """Whether spectators may look."""
    state.seats[fact.seat].shows = fact.allowed
    if not fact.allowed:
        draw_curtain(state, fact.seat)


def looked(state: State, fact: e.Looked) -> None:
    """A spectator looks elsewhere."""
    state.guests[fact.person].looking = fact.seat
    if fact.seat is not None:
        saw(state, fact.person, fact.seat)


def chatted(state: State, fact: e.Chatted) -> None:
    """What was said is remembered for a while."""
    name = state.guests[fact.person].name
    said = Said(state.seq, state.at, fact.person, name, fact.text, fact.preset)
    state.chat.append(said)


def muted(state: State, fact: e.Muted) -> None:
    """Whom a person does not hear."""
    muted = state.guests[fact.person].muted
    (muted.add if fact.muted else muted.discard)(fact.other)
