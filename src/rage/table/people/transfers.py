"""Seats that change hands: who may be given one, and who has to agree.

Before the game, the player of a seat or the host may give it away. During a game it comes with
cards. A bot can still be given one, because a bot tells no one what it sees. But a person gets to
see those cards only if all others who play for themselves agree, and only the person who has a seat
can give it to another, even while a bot plays for them. If a player has left or was removed, no one
else sees their hand until the next round is dealt: otherwise a host could remove everyone who would
have to be asked.

A player whose device is gone can ask for their own seat from another one, even during a round: a
spectator asks for the seat of a person who is away. The host and all others who play for themselves
must agree. From then on the new device is the same player, and the old one is no longer at the
table; if it comes back in the same round, it has the seat again. If one person alone decides, the
player must have been away for a minute (:data:`ALONE_GRACE`) or longer. Such a request is refused
for the rest of a round in which a person has lost a seat. Where spectators are not allowed, the new
device comes with the request, and goes when it fails.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Final

from rage.say import NotAllowed, Reason
from rage.table import commands as c
from rage.table.facts import events as e
from rage.table.options import check_bot
from rage.table.people.guests import Facts, bot_name, come_to_ask, free_name, pause_if_deserted
from rage.table.people.hosts import check_not_owner
from rage.table.people.speech import check_may_speak
from rage.table.state import State

#: The fewest seconds that a player must be away before one person alone can accept someone as that
#: player on another device.
ALONE_GRACE: Final = 60


def give_seat(state: State, command: c.GiveSeat, actor: str | None, now: int) -> Facts:
    """Give a seat to a spectator or a bot: by its player, or by the host."""
    seat = state.check_seat(command.seat)
    _check_giver(state, seat, actor, command.person)
    if command.person is None:
        yield from _to_bot(state, command, actor)
        return
    _check_receiver(state, seat, command.person, actor, now)
    by = state.seat_of(actor)
    if state.phase != "gathering" and state.seats_asked("seat", by, seat):
        yield e.SeatProposed(seat, command.person, state.ply, by)
    else:
        yield sits(state, command.person, seat)


def sits(state: State, person: str, seat: int) -> e.Sat:
    """The fact that a person has taken a seat."""
    before = state.seats[seat].person
    return e.Sat(person, seat, same_as=before if state.asks_for_own(person, seat) else None)


def _check_giver(state: State, seat: int, actor: str | None, receiver: str | None = None) -> None:
    """Raise :class:`rage.NotAllowed` if a person cannot give a seat to a ``receiver`` (``None``: to
    a bot)."""
    state.require_phase("gathering", "playing", "paused")
    state.check_not_ranked()
    if actor is None or state.seats[seat].person != actor:
        state.require_host(actor)
        if not state.asks_for_own(receiver, seat):
            check_not_owner(state, state.seats[seat].person)


def _check_receiver(
    state: State, seat: int, person: str, actor: str | None, now: int | None = None
) -> None:
    """Raise :class:`rage.NotAllowed` if a person cannot have a seat; during a game it comes with
    cards."""
    state.require_guest(person)
    if state.phase == "gathering":
        check_may_sit(state, person, seat)
        return
    if state.asks_for_own(person, seat) and state.seats[seat].person != actor:
        check_may_return(state, person, seat)
        check_away_long(state, person, seat, now)
    elif state.seats[seat].person not in (None, actor):
        raise NotAllowed("table.seat_of_another", seat=seat)
    elif state.dealt_to and state.dealt_to[seat] not in (None, actor, person):
        raise NotAllowed("table.hand_of_another")
    check_may_sit(state, person, seat)
    if state.proposal is not None:
        raise NotAllowed("table.proposal_open")


def ending_visits(state: State, facts: Iterable[e.Fact]) -> Facts:
    """The facts, and the departure of each person whose request for their own seat fails. Used
    where spectators are not allowed."""
    asking = [
        person
        for person, guest in state.guests.items()
        if guest.wants is not None and state.asks_for_own(person, guest.wants)
    ]
    for fact in facts:
        yield fact
        match fact:
            case e.SeatRequested(person, None):
                gone = [person]
            case e.ProposalEnded("declined") if state.proposal is not None:
                gone = [state.proposal.person or ""]
            case e.BotSat(seat) | e.Sat(_, seat):
                gone = [each for each in asking if state.guests[each].wants == seat]
            case e.GameOver():
                gone = asking
            case _:
                continue
        receiver = fact.person if isinstance(fact, e.Sat) else None
        yield from (e.Left(each) for each in gone if each in asking and each != receiver)


def may_give(state: State, actor: str) -> list[list[str]]:
    """By seat, the spectators to whom a person at the table may give it, perhaps only if others
    agree."""
    spectators = state.spectators
    if not spectators:
        return [[] for _ in state.seats]
    own = set(state.seats_where(lambda seat: _check_giver(state, seat, actor)))

    def receivers(seat: int) -> list[str]:
        asked = (
            spectators
            if seat in own
            else filter(partial(state.asks_for_own, seat=seat), spectators)
        )
        return [each for each in asked if why_not_give(state, seat, each, actor) is None]

    return [receivers(seat) for seat in range(len(state.seats))]


def why_not_give(state: State, seat: int, person: str, actor: str) -> Reason | None:
    """Why a person at the table cannot give a seat to a spectator now; ``None`` if they can."""
    try:
        _check_giver(state, seat, actor, person)
        _check_receiver(state, seat, person, actor)
    except NotAllowed as refused:
        return refused.reason
    return None


def may_seat_bot(state: State, actor: str) -> list[int]:
    """The seats of people that a person at the table may give to a bot."""
    seats = state.seats_where(lambda seat: _check_giver(state, seat, actor))
    return [seat for seat in seats if state.seats[seat].person is not None]


def _to_bot(state: State, command: c.GiveSeat, actor: str | None) -> Facts:
    seat, player = command.seat, state.seats[command.seat].person
    bot = check_bot(command.bot or state.options.bot)
    if command.name is None:
        name = bot_name(state, bot)
    else:
        check_may_speak(state, actor)
        name = free_name(state, command.name)
    yield e.BotSat(seat, bot, name)
    if player is not None:
        yield from pause_if_deserted(state, player)


def ask_for_seat(state: State, command: c.AskForSeat, actor: str | None, now: int) -> Facts:
    """Ask during a game for the seat of a bot, or for the actor's own from another device, as a
    spectator or on coming to the table; or withdraw the request. If the seat is the host's, the
    others are asked at once."""
    seat = command.seat
    comes = seat is not None and command.name is not None and actor not in state.guests
    guest = None if comes else state.require_guest(actor)
    assert actor is not None
    if seat is not None:
        _check_may_ask(state, actor, seat, now)
    elif state.proposal is not None and state.proposal.person == actor:
        yield e.ProposalEnded("withdrawn")
    if guest is None:
        assert seat is not None
        assert command.name is not None
        yield from come_to_ask(state, seat, command.name, command.sign, actor)
    if guest is None or guest.wants != seat:
        yield e.SeatRequested(actor, seat)
    if seat is not None and _is_of_host(state, seat):
        yield e.SeatProposed(seat, actor, state.ply)


def _check_may_ask(state: State, person: str, seat: int, now: int | None = None) -> None:
    state.require_phase("playing", "paused")
    state.check_not_ranked()
    if state.seats[state.check_seat(seat)].person is None:
        _check_no_visit(state, person)
        check_may_sit(state, person, seat)
        return
    check_may_return(state, person, seat)
    if _is_of_host(state, seat):
        if not state.seats_asked("seat", None, seat):
            raise NotAllowed("table.nobody_to_ask")
        if state.proposal is not None:
            raise NotAllowed("table.proposal_open")
    check_away_long(state, person, seat, now)


def _check_no_visit(state: State, person: str) -> None:
    """Raise :class:`rage.NotAllowed` for a person who has come only to ask for their own seat: by
    asking for another one they would stay."""
    guest = state.guests.get(person)
    wants = None if guest is None else guest.wants
    own = wants is not None and state.asks_for_own(person, wants)
    if own and not state.options.spectators:
        raise NotAllowed("table.no_spectators")


def _is_of_host(state: State, seat: int) -> bool:
    return state.host is not None and state.seats[seat].person == state.host


def check_may_return(state: State, person: str, seat: int) -> None:
    """Raise :class:`rage.NotAllowed` if a person cannot take a seat now as its player on another
    device."""
    check_may_sit(state, person, seat)
    before = state.seats[seat].person
    assert before is not None
    if state.guests[before].present:
        raise NotAllowed("table.player_here", seat=seat)
    holders = [each.person for each in state.seats]
    lost = [
        to for to, holder in zip(state.dealt_to, holders, strict=False) if to not in (None, holder)
    ]
    if lost and not state.between_rounds:  # or a host could remove all who would be asked
        raise NotAllowed("table.hands_closed")
    if person in state.not_same:
        raise NotAllowed("table.not_same", seat=seat)


def check_away_long(state: State, person: str, seat: int, now: int | None) -> None:
    """Raise :class:`rage.NotAllowed` if, at ``now``, one person alone would accept someone as the
    player of a seat who has not been away long enough (``None``: not checked, because that will
    pass)."""
    before, options = state.seats[seat].person, state.options
    asked = {state.seats[at].person for at in state.seats_asked("seat", None, seat)}
    if now is None or before is None or len({*asked, state.host} - {before, person, None}) > 1:
        return
    slow = 0 if options.clock is None else options.clock.hand_over
    since, grace = state.guests[before].since, max(ALONE_GRACE, options.grace, slow)
    if (wait := since + 1000 * grace - now) > 0:
        raise NotAllowed("table.away_shortly", seat=seat, seconds=-(-wait // 1000))


def may_ask(state: State, person: str) -> list[int]:
    """The seats that a person at the table may ask for."""
    if state.seat_of(person) is not None:
        return []
    return state.seats_where(lambda seat: _check_may_ask(state, person, seat))


def refuse_seat(state: State, command: c.RefuseSeat, actor: str | None) -> Facts:
    """Refuse a spectator the seat they ask for (host)."""
    state.require_host(actor)
    if state.require_guest(command.person).wants is not None:
        if state.proposal is not None and state.proposal.person == command.person:
            yield e.ProposalEnded("withdrawn")
        yield e.SeatRequested(command.person)


def check_may_sit(state: State, person: str, seat: int) -> None:
    """Raise :class:`rage.NotAllowed` for a television, and for a person who already has a seat, or
    has seen the cards of another seat in this round."""
    state.check_no_screen(person)
    if state.seat_of(person) is not None:
        raise NotAllowed("table.sits_already")
    if state.phase != "gathering" and state.saw.get(person, set()) - {seat}:
        raise NotAllowed("table.knows_cards")


def vacate(state: State, command: c.Vacate, actor: str | None) -> Facts:
    """Remove a bot before the game (host)."""
    state.require_host(actor)
    state.require_phase("gathering")
    seat = state.check_seat(command.seat)
    if state.seats[seat].bot is None:
        raise NotAllowed("table.no_bot", seat=seat)
    yield e.Vacated(seat)


def swap(state: State, command: c.Swap, actor: str | None) -> Facts:
    """Swap the occupants of two seats before the game (host)."""
    state.require_host(actor)
    state.require_phase("gathering")
    seat, other = state.check_seat(command.seat), state.check_seat(command.other)
    if seat != other:
        yield e.Swapped(seat, other)
