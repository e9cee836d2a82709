"""Seats that change hands: who may be given one, and who has to agree.

Before the game, the player of a seat or the host may give it away. During a game it comes with
cards. A bot may still be given one, because a bot tells nobody what it sees. But a person gets to
see those cards only if all others who play for themselves agree, and only the person who has a seat
may give it to another, even while a bot plays for them. If a player has left or was removed, nobody
else sees their hand until the next round is dealt: otherwise a host could remove everybody who
would have to be asked.
"""

from __future__ import annotations

from rage.say import NotAllowed
from rage.table import commands as c
from rage.table import events as e
from rage.table.guests import Facts, bot_name, free_name, pause_if_deserted
from rage.table.hosts import check_not_owner
from rage.table.options import check_bot
from rage.table.speech import check_may_speak
from rage.table.state import State


def give_seat(state: State, command: c.GiveSeat, actor: str | None) -> Facts:
    """The player of a seat, or the host, gives it to a spectator or a bot."""
    seat = state.check_seat(command.seat)
    _check_giver(state, seat, actor)
    if command.person is None:
        yield from _to_bot(state, command, actor)
        return
    _check_receiver(state, seat, command.person, actor)
    by = state.seat_of(actor)
    if state.phase != "gathering" and state.seats_asked("seat", by):
        yield e.SeatProposed(seat, command.person, state.ply, by)
    else:
        yield e.Sat(command.person, seat)


def _check_giver(state: State, seat: int, actor: str | None) -> None:
    """Raises :class:`rage.NotAllowed` if a person may not give a seat to anybody."""
    state.require_phase("gathering", "playing", "paused")
    state.check_not_of_the_day()
    if actor is None or state.seats[seat].person != actor:
        state.require_host(actor)
        check_not_owner(state, state.seats[seat].person)


def _check_receiver(state: State, seat: int, person: str, actor: str | None) -> None:
    """Raises :class:`rage.NotAllowed` if a person may not have a seat; during a game there are
    cards in it."""
    if state.phase == "gathering":
        check_may_sit(state, person, seat)
        return
    if state.seats[seat].person not in (None, actor):
        raise NotAllowed("table.seat_of_another", seat=seat)
    if state.dealt_to and state.dealt_to[seat] not in (None, actor, person):
        raise NotAllowed("table.hand_of_another")
    check_may_sit(state, person, seat)
    if state.proposal is not None:
        raise NotAllowed("table.proposal_open")


def may_give(state: State, actor: str) -> list[list[str]]:
    """By seat, the spectators to whom a person at the table may give it, perhaps only if others
    agree."""
    spectators = state.spectators
    if not spectators:
        return [[] for _ in state.seats]
    own = set(state.seats_where(lambda seat: _check_giver(state, seat, actor)))
    return [
        _receivers(state, seat, actor, spectators) if seat in own else []
        for seat in range(len(state.seats))
    ]


def _receivers(state: State, seat: int, actor: str, spectators: list[str]) -> list[str]:
    found = list[str]()
    for person in spectators:
        try:
            _check_receiver(state, seat, person, actor)
        except NotAllowed:
            continue
        found.append(person)
    return found


def may_seat_bot(state: State, actor: str) -> list[int]:
    """The seats of people that a person at the table may give to a bot."""
    seats = state.seats_where(lambda seat: _check_giver(state, seat, actor))
    return [seat for seat in seats if state.seats[seat].person is not None]


def _to_bot(state: State, command: c.GiveSeat, actor: str | None) -> Facts:
    seat, player = command.seat, state.seats[command.seat].person
    bot = check_bot(command.bot or state.options.bot)
    if command.name is None:
        name = bot_name(state, seat)
    else:
        check_may_speak(state, actor)
        name = free_name(state, command.name)
    yield e.BotSat(seat, bot, name)
    if player is not None:
        yield from pause_if_deserted(state, player)


def ask_for_seat(state: State, command: c.AskForSeat, actor: str | None) -> Facts:
    """A spectator asks for the seat of a bot during a game, or withdraws the request."""
    guest = state.require_guest(actor)
    assert actor is not None
    if command.seat is not None:
        _check_may_ask(state, actor, command.seat)
    if guest.wants != command.seat:
        yield e.SeatRequested(actor, command.seat)


def _check_may_ask(state: State, person: str, seat: int) -> None:
    state.require_phase("playing", "paused")
    state.check_not_of_the_day()
    if state.seats[state.check_seat(seat)].person is not None:
        raise NotAllowed("table.seat_taken", seat=seat)
    check_may_sit(state, person, seat)


def may_ask(state: State, person: str) -> list[int]:
    """The seats of bots that a person at the table may ask for."""
    if state.seat_of(person) is not None:
        return []
    return state.seats_where(lambda seat: _check_may_ask(state, person, seat))


def refuse_seat(state: State, command: c.RefuseSeat, actor: str | None) -> Facts:
    """The host refuses a spectator the seat they ask for."""
    state.require_host(actor)
    if state.require_guest(command.person).wants is not None:
        yield e.SeatRequested(command.person)


def check_may_sit(state: State, person: str, seat: int) -> None:
    """Raises :class:`rage.NotAllowed` for a television, and for a person who is not at the table,
    already has a seat, or has seen the cards of another seat in this round."""
    state.require_guest(person)
    state.check_no_screen(person)
    if state.seat_of(person) is not None:
        raise NotAllowed("table.sits_already")
    if state.phase != "gathering" and state.saw.get(person, set()) - {seat}:
        raise NotAllowed("table.knows_cards")


def vacate(state: State, command: c.Vacate, actor: str | None) -> Facts:
    """The host removes a bot before the game."""
    state.require_host(actor)
    state.require_phase("gathering")
    seat = state.check_seat(command.seat)
    if state.seats[seat].bot is None:
        raise NotAllowed("table.no_bot", seat=seat)
    yield e.Vacated(seat)


def swap(state: State, command: c.Swap, actor: str | None) -> Facts:
    """Before the game, the host moves people: two seats exchange who sits there."""
    state.require_host(actor)
    state.require_phase("gathering")
    seat, other = state.check_seat(command.seat), state.check_seat(command.other)
    if seat != other:
        yield e.Swapped(seat, other)
