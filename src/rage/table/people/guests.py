"""Arrivals and departures, names, shown hands, the host's configuration, and lost connections."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, count
from typing import Final

from rage.bots.names import names_of
from rage.rules.editions import ruleset
from rage.rules.settings import MAX_PLAYERS
from rage.say import NotAllowed
from rage.table import commands as c
from rage.table.facts import events as e
from rage.table.options import check_options
from rage.table.people.names import alike, read_name
from rage.table.people.signs import read_sign
from rage.table.people.speech import check_may_speak, is_silenced
from rage.table.state import State

MAX_GUESTS: Final = 120
#: The most people who can see hands in one round.
MAX_VIEWERS: Final = 500

Facts = Iterator[e.Fact]


def free_name(state: State, text: str, person: str | None = None) -> str:
    """The stored form of a name, which no one else at the table has, nor a similar one. Raises
    :class:`rage.NotReadable` and :class:`rage.NotAllowed`."""
    name = read_name(text)
    for other in _names_in_use(state, person):
        check_distinguishable(name, other)
    return name


def is_free(state: State, name: str) -> bool:
    """Return whether no one at the table has this name or a similar one."""
    return not any(alike(name, other) for other in _names_in_use(state, None))


def check_distinguishable(name: str, other: str) -> None:
    """Raise :class:`rage.NotAllowed` if one name could be mistaken for the other."""
    if name.casefold() == other.casefold():
        raise NotAllowed("table.name_taken", name=name)
    if alike(name, other):
        raise NotAllowed("table.name_alike", name=name, other=other)


def _names_in_use(state: State, person: str | None) -> list[str]:
    guests = (guest.name for other, guest in state.guests.items() if other != person)
    return [*guests, *(seat.name for seat in state.seats if seat.person is None and seat.bot)]


def bot_name(state: State, bot: str, avoid: Iterable[str] = ()) -> str:
    """The first of a bot's names that resembles none at the table and none in ``avoid``."""
    own = names_of(bot)
    names = (name for name in chain(own, _numbered(own[0])) if is_free(state, name))
    return next(name for name in names if not any(alike(name, other) for other in avoid))


def configure(state: State, command: c.Configure, actor: str | None) -> Facts:
    """Change the options, the rules or the number of players (host)."""
    state.require_host(actor)
    state.check_not_ranked()
    rules = ruleset(command.rules).for_players(command.players)
    check_options(command.options)
    if rules != state.rules or command.players != len(state.seats):
        state.require_phase("gathering")
        if state.deals_id is not None:
            raise NotAllowed("table.given_rules")
    yield from _clear_removed_seats(state, command.players)
    proposal = state.proposal
    if proposal is not None and proposal.kind == "undo" and not command.options.undo:
        yield e.ProposalEnded("withdrawn")
    yield e.Configured(rules.name, command.players, command.options)


def _clear_removed_seats(state: State, players: int) -> Facts:
    """Vacate the seats that are removed: their people move to an empty seat, or else a bot's, and
    their bots go. Raises :class:`rage.NotAllowed` if a person would be left without a seat."""
    left = [at for at, seat in enumerate(state.seats[:players]) if seat.person is None]
    left.sort(key=lambda at: not state.seats[at].empty)
    for at, seat in enumerate(state.seats[players:], players):
        if seat.person is not None:
            if not left:
                raise NotAllowed("table.seats_taken", players=players)
            yield e.Sat(seat.person, left.pop(0))
        elif seat.bot is not None:
            yield e.Vacated(at)


def join(state: State, command: c.Join, actor: str | None) -> Facts:
    """Seat a person before the game."""
    person = _check_may_come(state, actor)
    state.require_phase("gathering")
    state.check_no_screen(person)
    if person not in state.guests:
        yield from _make_room(state, MAX_GUESTS)
    free = [seat.person is None for seat in state.seats]
    if command.seat is None:
        seat = next((at for at, each in enumerate(state.seats) if each.empty), None)
        seat = free.index(True) if seat is None and True in free else seat
        if seat is None:
            raise NotAllowed("table.full")
    else:
        seat = state.check_seat(command.seat)
        if not free[seat]:
            raise NotAllowed("table.seat_taken", seat=seat)
    yield from _arrival(state, person, command.name, command.sign)
    yield e.Sat(person, seat)


def watch(state: State, command: c.Watch, actor: str | None) -> Facts:
    """Bring a spectator to the table."""
    person = _check_may_come(state, actor)
    if person in state.guests:
        raise NotAllowed("table.here_already")
    if not state.options.spectators:
        raise NotAllowed("table.no_spectators")
    yield from _arrival_without_seat(
        state, person, command.name, command.sign, screen=command.screen
    )


def come_to_ask(state: State, seat: int, text: str, sign: str, actor: str | None) -> Facts:
    """Bring a person to the table to ask for a seat; a name like its player's gets a number until
    the seat is theirs."""
    person, before = _check_may_come(state, actor), state.seats[seat].person
    if before is None and not state.options.spectators:
        raise NotAllowed("table.no_spectators")
    if before is not None and alike(text, state.guests[before].name):
        text = next(name for name in _numbered(text) if is_free(state, name))
    yield from _arrival_without_seat(state, person, text, sign)


def _arrival_without_seat(
    state: State, person: str, text: str, sign: str, *, screen: bool = False
) -> Facts:
    yield from _make_room(state, MAX_GUESTS - MAX_PLAYERS)  # so that players can still come
    yield from _arrival(state, person, text, sign, screen=screen)


def _numbered(name: str) -> Iterator[str]:
    return (f"{name} {number}" for number in count(2))


def _check_may_come(state: State, actor: str | None) -> str:
    state.ruleset()
    if actor is None:
        raise NotAllowed("table.house")
    if actor in state.barred:
        raise NotAllowed("table.barred")
    return actor


def _make_room(state: State, most: int) -> Facts:
    """If there are ``most`` people at the table, remove the spectator who has been away longest.
    Raises :class:`rage.NotAllowed` if no spectator is away."""
    if len(state.guests) < most:
        return
    away = [
        (guest.since, person)
        for person, guest in state.guests.items()
        if not guest.present and person != state.owner and state.seat_of(person) is None
    ]
    if not away:
        raise NotAllowed("table.full")
    yield from departure(state, e.Left(min(away)[1]))


def _arrival(state: State, person: str, text: str, sign: str, *, screen: bool = False) -> Facts:
    """Bring a person to the table, or rename one who is there. A silenced person cannot take a new
    name, and gets no sign."""
    guest, sign = state.guests.get(person), read_sign(sign)
    known = state.gone.get(person) if guest is None else guest.name
    if guest is not None and text == known:
        return  # even if an earlier version allowed a name that this one does not
    name = free_name(state, text, person)
    if name != known:
        check_may_speak(state, person)
    if guest is None:
        yield e.Joined(person, name, screen, "" if is_silenced(state, person) else sign)
        if state.host is None and not screen:
            yield e.HostPassed(person)
    elif name != known:
        yield e.Renamed(person, name, guest.sign)


def leave(state: State, command: c.Leave, actor: str | None) -> Facts:
    """Leave for good; during a game, a bot plays on in the seat."""
    state.require_guest(actor)
    assert actor is not None
    yield from departure(state, e.Left(actor))


def departure(state: State, fact: e.Left) -> Facts:
    """Let a person go: during a game a bot takes their seat, a new host replaces them if needed,
    and if only bots are left, the game pauses."""
    person = fact.person
    seat = state.seat_of(person)
    if seat is not None and state.phase in ("revealing", "playing", "paused"):
        bot = state.seats[seat].bot or state.options.bot
        yield e.BotSat(seat, bot, bot_name(state, bot))
    yield fact
    if state.proposal is not None and state.proposal.person == person:
        yield e.ProposalEnded("gone")
    if state.host == person:
        yield e.HostPassed(_next_host(state, person))
    if seat is not None:
        yield from pause_if_deserted(state, person)


def _next_host(state: State, person: str) -> str | None:
    """The next host, never a television: the owner, if present; otherwise players before
    spectators, and those present before those who are away."""
    others = [each for each, guest in state.guests.items() if each != person and not guest.screen]

    def order(each: str) -> tuple[bool, bool, bool]:
        away = not state.guests[each].present
        return each != state.owner or away, state.seat_of(each) is None, away

    return min(others, key=order, default=None)


def pause_if_deserted(state: State, person: str) -> Facts:
    """Pause the game when its last person leaves; at an event, bots finish it."""
    if state.phase != "playing" or state.event is not None:
        return
    if all(seat.person in (None, person) for seat in state.seats):
        yield e.Paused()


def rename(state: State, command: c.Rename, actor: str | None) -> Facts:
    """Take another name that is free at the table, or another sign."""
    state.require_guest(actor)
    assert actor is not None
    if state.phase == "revealing":  # the seating has just been fixed, by name
        raise NotAllowed("table.while.revealing")
    check_may_speak(state, actor)
    name, own = free_name(state, command.name, actor), state.seat_of(actor)
    if any(name == other for at, other in enumerate(state.seating) if at != own):
        raise NotAllowed("table.name_taken", name=name)  # the proof would report exchanged seats
    sign = state.guests[actor].sign if command.sign is None else read_sign(command.sign)
    yield e.Renamed(actor, name, sign)


def set_presence(state: State, command: c.SetPresence, actor: str | None) -> Facts:
    """Record that a connection was lost or is back (house)."""
    if actor is not None:
        raise NotAllowed("table.house_only")
    if command.present and command.person in state.replaced:
        yield from _own_seat_back(state, command.person)
    elif state.require_guest(command.person).present != command.present:
        yield e.PresenceSet(command.person, command.present)
        if command.present:
            yield from _end_requests_for_own(state, state.seat_of(command.person))


def _own_seat_back(state: State, person: str) -> Facts:
    """Give a returning player their seat back, which was given in this round to someone as the same
    player."""
    seat = state.replaced[person]
    now = state.seats[seat]
    if person in state.barred:
        return
    if person not in state.guests:
        name = state.gone.get(person, now.name)
        names = (each for each in chain([name], _numbered(name)) if is_free(state, each))
        yield e.Joined(person, next(names))
    yield e.Sat(person, seat, same_as=now.person)


def _end_requests_for_own(state: State, seat: int | None) -> Facts:
    """Drop requests for a seat whose own player is back."""
    asking = [person for person, guest in state.guests.items() if guest.wants == seat is not None]
    proposal = state.proposal
    if proposal is not None and proposal.person in asking and proposal.seat != seat:
        yield e.ProposalEnded("back")
    for person in asking:
        yield e.SeatRequested(person)


def show_hand(state: State, command: c.ShowHand, actor: str | None) -> Facts:
    """Allow spectators to see the actor's hand, or forbid it."""
    seat = state.require_seat(actor)
    if state.seats[seat].shows != command.allowed:
        yield e.HandShown(seat, command.allowed)


def look_at(state: State, command: c.LookAt, actor: str | None) -> Facts:
    """Choose the view of a spectator."""
    guest = state.require_guest(actor)
    assert actor is not None
    _check_may_look(state, actor, command.seat)
    if guest.looking != command.seat:
        yield e.ViewpointChanged(actor, command.seat)


def _check_may_look(state: State, person: str, seat: int | None) -> None:
    if state.seat_of(person) is not None:
        raise NotAllowed("table.sits_already")
    if seat is None:
        return
    state.check_no_screen(person)
    if not state.options.spectators:
        raise NotAllowed("table.no_spectators")
    if not state.seats[state.check_seat(seat)].shows:
        raise NotAllowed("table.not_shown", seat=seat)
    if person not in state.saw and len(state.saw) >= MAX_VIEWERS:
        raise NotAllowed("table.full")


def may_look(state: State, person: str) -> list[int]:
    """The seats whose cards a person without a seat may see."""
    if state.seat_of(person) is not None:
        return []
    return state.seats_where(lambda seat: _check_may_look(state, person, seat))
