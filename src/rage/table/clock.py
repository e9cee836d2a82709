"""The friendly clock, and bots that play for who is away. Time comes in; nothing here waits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from rage.say import NotAllowed
from rage.table import commands as c
from rage.table import events as e
from rage.table.state import State

Facts = Iterator[e.Fact]
Clocked = c.Nudge | c.Ask | c.StepIn


class Due(NamedTuple):
    """What the house may do now, and when (in milliseconds) there may be more to do; ``None``:
    not before something happens."""

    commands: tuple[Clocked, ...]
    next: int | None

    def first(self, now: int) -> int | None:
        """When there is something to do for the first time: ``now``, or when there may be more."""
        return now if self.commands else self.next


_NOTHING: Final = Due((), None)


def due(state: State, now: int) -> Due:
    """What the clock asks for at a time. Whoever notices does it; done twice, it is refused."""
    planned = list(_planned(state))
    if not planned:
        return _NOTHING
    now = max(now, state.at)
    later = [at for at, _ in planned if at > now]
    return Due(tuple(each for at, each in planned if at <= now), min(later, default=None))


def _planned(state: State) -> Iterator[tuple[int, Clocked]]:
    """Every step that is to come unless something happens, and its time."""
    if state.phase != "playing":
        return
    if state.options.takeover == "at_once":
        for seat in range(len(state.seats)):
            at = takeover_time(state, seat)
            if at is not None:
                yield at, c.StepIn(seat)
    seat_to_act = state.to_act
    if seat_to_act is None or not state.seats[seat_to_act].self_played:
        return
    clock, since, ply = state.options.clock, state.turn_since, state.ply
    if clock is not None and state.nudged != ply:
        yield since + 1000 * clock.nudge, c.Nudge(seat_to_act, ply)
    asking = _asking_time(state, seat_to_act)
    if asking is not None:
        yield asking, c.Ask(seat_to_act, ply)


def _asking_time(state: State, seat: int) -> int | None:
    """When the others are asked whether a bot shall play for the one to act."""
    times = []
    if state.options.clock is not None:
        times.append(state.turn_since + 1000 * state.options.clock.ask)
    if state.is_away(seat) and state.options.takeover == "vote":
        times.append(_graced(state, seat))
    if not times or state.asked == state.ply or next(state.waiting(seat), None) is None:
        return None
    return min(times)


def takeover_time(state: State, seat: int) -> int | None:
    """When a bot takes over a seat by itself, while somebody waits; ``None``: never."""
    each = state.seats[seat]
    if state.options.takeover != "at_once" or not each.self_played:
        return None
    times = []
    if state.is_away(seat):
        times.append(_graced(state, seat))
    if state.options.clock is not None and state.to_act == seat:
        times.append(state.turn_since + 1000 * state.options.clock.hand_over)
    if not times or next(state.waiting(seat), None) is None:
        return None
    return min(times)


def _graced(state: State, seat: int) -> int:
    """When a person has been away for longer than is forgiven."""
    person = state.seats[seat].person
    assert person is not None
    return state.guests[person].since + 1000 * state.options.grace


def remind(state: State, command: c.Nudge | c.Ask, actor: str | None, now: int) -> Facts:
    """The house nudges or asks, when it is time and only once a decision."""
    if actor is not None:
        raise NotAllowed("table.house_only")
    if command not in due(state, now).commands:
        raise NotAllowed("table.not_due")
    fact = e.Nudged if isinstance(command, c.Nudge) else e.Asked
    yield fact(command.seat, command.ply)


def step_in(state: State, command: c.StepIn, actor: str | None, now: int) -> Facts:
    """A bot plays for a person."""
    state.in_phase("playing", "paused")
    seat = state.check_seat(command.seat)
    if not state.seats[seat].self_played:
        raise NotAllowed("table.bot_plays_already", seat=seat)
    if actor is None:
        time = takeover_time(state, seat)
        if time is None or time > now or state.phase != "playing":
            raise NotAllowed("table.not_due")
    elif state.own_seat(actor) != seat:
        if state.options.takeover != "at_once":
            raise NotAllowed("table.vote_first", seat=seat)
        if not state.is_away(seat):
            raise NotAllowed("table.is_here", seat=seat)
    yield e.SteppedIn(seat, state.options.bot)


def vote(state: State, command: c.Vote, actor: str | None) -> Facts:
    """A player says whether a bot shall play for another; more than half of those who wait
    decide."""
    state.in_phase("playing")
    voter, seat = state.own_seat(actor), state.check_seat(command.seat)
    assert actor is not None
    if not state.seats[seat].self_played:
        raise NotAllowed("table.bot_plays_already", seat=seat)
    slow = state.to_act == seat and state.asked == state.ply
    if state.options.takeover != "vote" or not (slow or state.is_away(seat)):
        raise NotAllowed("table.no_vote", seat=seat)
    electors = {state.seats[each].person for each in state.waiting(seat)}
    if voter == seat or actor not in electors:
        raise NotAllowed("table.not_asked")
    yield e.Voted(seat, actor, command.yes)
    votes = {**state.votes.get(seat, {}), actor: command.yes}
    for_it = sum(yes for person, yes in votes.items() if person in electors)
    if 2 * for_it > len(electors):
        yield e.SteppedIn(seat, state.options.bot)


def take_back(state: State, command: c.TakeBack, actor: str | None) -> Facts:
    """A person plays again."""
    state.in_phase("playing", "paused")
    seat = state.own_seat(actor)
    if state.seats[seat].bot is None:
        raise NotAllowed("table.no_bot", seat=seat)
    yield e.TookBack(seat)
