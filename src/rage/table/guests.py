"""Who comes, goes, sits, watches and talks: commands of people, as facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from rage.editions import name_of, ruleset
from rage.say import NotAllowed, NotReadable
from rage.table import commands as c
from rage.table import events as e
from rage.table.data import storable
from rage.table.options import check_bot, check_options
from rage.table.state import State

MAX_NAME: Final = 40
MAX_WORD: Final = 100
MAX_CHAT: Final = 300
MAX_GUESTS: Final = 200

Facts = Iterator[e.Fact]


def clean(text: str, most: int) -> str:
    """Text without blanks around it. Raises :class:`rage.NotReadable` where nothing is left, it
    is too long or cannot be stored."""
    text = text.strip()
    if not text or len(text) > most or not storable(text):
        raise NotReadable("table.text", most=most)
    return text


def free_name(state: State, name: str, person: str | None = None) -> str:
    """A name that nobody else at the table has. Raises :class:`rage.NotAllowed`."""
    name = clean(name, MAX_NAME)
    if name.casefold() in _taken(state, person):
        raise NotAllowed("table.name_taken", name=name)
    return name


def _taken(state: State, person: str | None) -> set[str]:
    guests = (guest.name for other, guest in state.guests.items() if other != person)
    bots = (seat.name for seat in state.seats if seat.person is None)
    return {name.casefold() for name in (*guests, *bots)}


def bot_name(state: State, bot: str, seat: int, besides: Iterable[str] = ()) -> str:
    """A name for a bot that was given none; nobody's at the table, and none of ``besides``."""
    taken = _taken(state, None) | {name.casefold() for name in besides}
    number = seat + 1
    while f"{bot} {number}".casefold() in taken:
        number += len(state.seats)
    return f"{bot} {number}"


def configure(state: State, command: c.Configure, actor: str | None) -> Facts:
    """The host changes options, rules or the number of players."""
    state.as_host(actor)
    rules = ruleset(command.rules).for_players(command.players)
    check_options(command.options)
    if rules != state.rules or command.players != len(state.seats):
        state.in_phase("gathering")
    yield from _close_up(state, command.players)
    yield e.Configured(name_of(rules), command.players, command.options)


def _close_up(state: State, players: int) -> Facts:
    """Where there are fewer seats, whoever sat in one of those that go takes one that is empty,
    else a bot's; bots in them go. Nobody loses a seat."""
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
    """Somebody sits down, while people gather."""
    person = _may_come(state, actor)
    state.in_phase("gathering")
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
    yield from _arrives(state, person, command.name)
    yield e.Sat(person, seat)


def watch(state: State, command: c.Watch, actor: str | None) -> Facts:
    """Somebody comes to watch."""
    person = _may_come(state, actor)
    if person in state.guests:
        raise NotAllowed("table.here_already")
    if not state.options.spectators:
        raise NotAllowed("table.no_spectators")
    yield from _arrives(state, person, command.name)


def _may_come(state: State, actor: str | None) -> str:
    state.ruleset()
    if actor is None:
        raise NotAllowed("table.house")
    if actor in state.barred:
        raise NotAllowed("table.barred")
    if actor not in state.guests and len(state.guests) >= MAX_GUESTS:
        raise NotAllowed("table.full")
    return actor


def _arrives(state: State, person: str, name: str) -> Facts:
    name = free_name(state, name, person)
    if person not in state.guests:
        yield e.Joined(person, name)
        if state.host is None:
            yield e.HostPassed(person)
    elif state.guests[person].name != name:
        yield e.Renamed(person, name)


def leave(state: State, command: c.Leave, actor: str | None) -> Facts:
    """Somebody goes for good."""
    state.guest(actor)
    assert actor is not None
    yield from _goes(state, e.Left(actor))


def remove(state: State, command: c.Remove, actor: str | None) -> Facts:
    """The host removes somebody."""
    state.as_host(actor)
    state.guest(command.person)
    if command.person == actor:
        raise NotAllowed("table.not_yourself")
    yield from _goes(state, e.Left(command.person, removed=True, barred=command.bar))


def _goes(state: State, fact: e.Left) -> Facts:
    """In the middle of a game a bot gets the seat; the table needs a host; and bots alone
    don't play on."""
    person = fact.person
    seat = state.seat_of(person)
    if seat is not None and state.phase in ("playing", "paused"):
        bot = state.seats[seat].bot or state.options.bot
        yield e.BotSat(seat, bot, bot_name(state, bot, seat))
    yield fact
    if state.host == person:
        yield e.HostPassed(_heir(state, person))
    if seat is not None:
        yield from _deserted(state, person)


def _heir(state: State, person: str) -> str | None:
    """Who is host next: who sits, before who watches; who is here, before who is away."""
    others = [each for each in state.guests if each != person]

    def order(each: str) -> tuple[bool, bool]:
        return state.seat_of(each) is None, not state.guests[each].present

    return min(others, key=order, default=None)


def _deserted(state: State, person: str) -> Facts:
    """The game waits when its last person goes."""
    if state.phase == "playing" and all(seat.person in (None, person) for seat in state.seats):
        yield e.Paused()


def rename(state: State, command: c.Rename, actor: str | None) -> Facts:
    """Somebody wants another name."""
    state.guest(actor)
    assert actor is not None
    yield e.Renamed(actor, free_name(state, command.name, actor))


def give_seat(state: State, command: c.GiveSeat, actor: str | None) -> Facts:
    """A seat passes on to a spectator or a bot, by its owner's will or the host's."""
    state.in_phase("gathering", "playing", "paused")
    seat = state.check_seat(command.seat)
    if actor is None or state.seats[seat].person != actor:
        state.as_host(actor)
    if command.person is not None:
        state.guest(command.person)
        _may_sit(state, command.person, seat)
        yield e.Sat(command.person, seat)
        return
    bot = check_bot(command.bot or state.options.bot)
    name = command.name
    yield e.BotSat(
        seat, bot, bot_name(state, bot, seat) if name is None else free_name(state, name)
    )
    owner = state.seats[seat].person
    if owner is not None:
        yield from _deserted(state, owner)


def _may_sit(state: State, person: str, seat: int) -> None:
    """Nobody plays who sits already, or has seen the cards of another seat in this round."""
    if state.seat_of(person) is not None:
        raise NotAllowed("table.sits_already")
    if state.phase != "gathering" and state.saw.get(person, set()) - {seat}:
        raise NotAllowed("table.knows_cards")


def vacate(state: State, command: c.Vacate, actor: str | None) -> Facts:
    """The host sends a bot away."""
    state.as_host(actor)
    state.in_phase("gathering")
    seat = state.check_seat(command.seat)
    if state.seats[seat].bot is None:
        raise NotAllowed("table.no_bot", seat=seat)
    yield e.Vacated(seat)


def take_host(state: State, command: c.TakeHost, actor: str | None) -> Facts:
    """Somebody who is here becomes host instead of one who is not."""
    state.guest(actor)
    if state.host is not None and state.guests[state.host].present:
        raise NotAllowed("table.host_is_here")
    yield e.HostPassed(actor)


def set_presence(state: State, command: c.SetPresence, actor: str | None) -> Facts:
    """A connection was lost, or is there again."""
    if actor is not None:
        raise NotAllowed("table.house_only")
    if state.guest(command.person).present != command.present:
        yield e.PresenceSet(command.person, command.present)


def show_hand(state: State, command: c.ShowHand, actor: str | None) -> Facts:
    """A player lets spectators look, or not."""
    seat = state.own_seat(actor)
    if state.seats[seat].shows != command.allowed:
        yield e.HandShown(seat, command.allowed)


def look_at(state: State, command: c.LookAt, actor: str | None) -> Facts:
    """A spectator chooses a view."""
    guest = state.guest(actor)
    assert actor is not None
    if state.seat_of(actor) is not None:
        raise NotAllowed("table.sits_already")
    seat = command.seat
    if seat is not None:
        if not state.options.spectators:
            raise NotAllowed("table.no_spectators")
        if not state.seats[state.check_seat(seat)].shows:
            raise NotAllowed("table.not_shown", seat=seat)
    if guest.looking != seat:
        yield e.Looked(actor, seat)


def chat(state: State, command: c.Chat, actor: str | None) -> Facts:
    """Somebody says something; a spectator who has seen a hand keeps quiet while it is played."""
    state.guest(actor)
    assert actor is not None
    quiet = state.saw.get(actor) and state.seat_of(actor) is None
    if quiet and state.phase in ("playing", "paused"):
        raise NotAllowed("table.looking")
    if (command.text is None) == (command.preset is None):
        raise NotReadable("table.chat")
    if command.preset is not None:
        if command.preset not in c.PRESETS:
            raise NotReadable("table.preset", allowed=", ".join(c.PRESETS))
        yield e.Chatted(actor, preset=command.preset)
    else:
        yield e.Chatted(actor, text=clean(command.text or "", MAX_CHAT))


def mute(state: State, command: c.Mute, actor: str | None) -> Facts:
    """Somebody hears another's chat no more, or again."""
    guest = state.guest(actor)
    assert actor is not None
    if command.person == actor:
        raise NotAllowed("table.not_yourself")
    if command.muted:
        state.guest(command.person)
    if (command.person in guest.muted) != command.muted:
        yield e.Muted(actor, command.person, command.muted)
