"""The friendly clock, and bots that play for people who are away. Time is passed in.

Events are dated by the machine's clock, which may have been wrong. If the last event is more than
:data:`MAX_AHEAD` in the future, the table corrects its times (``SetClock``); otherwise its clock
would stand still until then.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import attrgetter
from typing import Final, Literal, NamedTuple

from rage.say import NotAllowed
from rage.table import commands as c
from rage.table.facts import events as e
from rage.table.facts.shapes import TakeoverData
from rage.table.play.between_rounds import deal_time
from rage.table.play.consent import is_unanimous
from rage.table.state import State

Facts = Iterator[e.Fact]
Clocked = (
    c.SetClock | c.StartAnyway | c.Settle | c.DealNext | c.Nudge | c.OpenTakeoverVote | c.StepIn
)
#: Milliseconds by which the last event may be in the future and still count as now.
MAX_AHEAD: Final = 10_000
_PRESENT: Final = attrgetter("present")
#: Seconds that the players' pages have to reveal their words.
REVEAL_SECONDS: Final = 10


class Due(NamedTuple):
    """The commands that the house may send now, and when there may be more, in milliseconds
    (``None`` if something must happen first)."""

    commands: tuple[Clocked, ...]
    next: int | None

    def first(self, now: int) -> int | None:
        """When to act next: ``now`` if there are commands, otherwise when there may be some."""
        return now if self.commands else self.next


_NOTHING: Final = Due((), None)


def due(state: State, now: int) -> Due:
    """The commands due at a time. Several processes may send them; a second attempt is refused."""
    if is_ahead(state, now):
        return Due((c.SetClock(),), None)
    steps = list(_schedule(state))
    if not steps:
        return _NOTHING
    now = max(now, state.at)
    later = [at for at, _ in steps if at > now]
    return Due(tuple(each for at, each in steps if at <= now), min(later, default=None))


def is_ahead(state: State, now: int) -> bool:
    """Return whether the last event is so far in the future that the clock must have been wrong."""
    return state.phase != "new" and state.at > now + MAX_AHEAD


def set_clock(state: State, command: c.SetClock, actor: str | None, now: int) -> Facts:
    """Correct times in the future (house)."""
    if actor is not None:
        raise NotAllowed("table.house_only")
    if not is_ahead(state, now):
        raise NotAllowed("table.not_due")
    yield e.ClockSet()


def _schedule(state: State) -> Iterator[tuple[int, Clocked]]:
    """Every step that will become due unless something happens first, with its time. The clock of a
    game stops while no one is connected to see it."""
    if state.gap:
        return
    if state.phase == "revealing":
        wait = 1000 * REVEAL_SECONDS if state.unrevealed else 0
        yield state.words_closed_at + wait, c.StartAnyway()
    if state.proposal is not None and is_unanimous(state):
        yield 0, c.Settle()
    if state.phase != "playing" or not any(map(_PRESENT, state.guests.values())):
        return
    if (dealt := deal_time(state)) is not None:
        yield dealt, c.DealNext()
    seats, clock = state.away, state.options.clock
    asked = state.asked == state.ply or clock is not None
    if not asked and not seats:  # the usual case
        return
    seat_to_act = state.to_act
    if asked and seat_to_act is not None:
        seats = sorted({seat_to_act, *seats})
    for seat in seats:  # a bot steps in only for these
        at = takeover_time(state, seat)
        if at is not None:
            yield at, c.StepIn(seat)
    if seat_to_act is None or not state.seats[seat_to_act].self_played:
        return
    since, ply = state.turn_since, state.ply
    if clock is not None and state.nudged != ply:
        yield since + 1000 * clock.nudge, c.Nudge(seat_to_act, ply)
    asking = _ask_time(state, seat_to_act)
    if asking is not None:
        yield asking, c.OpenTakeoverVote(seat_to_act, ply)


def _ask_time(state: State, seat: int) -> int | None:
    """When the others will be asked whether a bot should play for the seat to act, if ever."""
    if state.options.takeover == "never":
        return None
    times = []
    if state.options.clock is not None:
        times.append(state.turn_since + 1000 * state.options.clock.ask)
    if state.is_away(seat) and state.options.takeover == "vote":
        times.append(state.away_until(seat))
    if not times or state.asked == state.ply or next(state.waiting(seat), None) is None:
        return None
    return min(times)


def takeover_time(state: State, seat: int) -> int | None:
    """When a bot will take over a seat as things stand, or ``None`` if none will or no one waits
    for it. A carried vote takes effect at once, even if it was carried because a voter left."""
    each = state.seats[seat]
    if _may_be_voted_on(state, seat):
        return 0 if _is_carried(state, seat, state.votes.get(seat, {})) else None
    if state.options.takeover != "at_once" or not each.self_played:
        return None
    times = []
    if state.is_away(seat):
        times.append(state.away_until(seat))
    if state.options.clock is not None and state.to_act == seat:
        times.append(state.turn_since + 1000 * state.options.clock.hand_over)
    if not times or next(state.waiting(seat), None) is None:
        return None
    return min(times)


def remind(
    state: State, command: c.Nudge | c.OpenTakeoverVote, actor: str | None, now: int
) -> Facts:
    """Nudge a player or open the vote when that is due, once per decision (house)."""
    if actor is not None:
        raise NotAllowed("table.house_only")
    if command not in due(state, now).commands:
        raise NotAllowed("table.not_due")
    fact = e.Nudged if isinstance(command, c.Nudge) else e.TakeoverVoteOpened
    yield fact(command.seat, command.ply)


def step_in(state: State, command: c.StepIn, actor: str | None, now: int) -> Facts:
    """Let a bot play for a person."""
    state.require_phase("playing", "paused")
    state.check_not_of_the_day()
    seat = state.check_seat(command.seat)
    if not state.seats[seat].self_played:
        raise NotAllowed("table.bot_plays_already", seat=seat)
    if actor is None:
        time = takeover_time(state, seat)
        if time is None or time > now or state.phase != "playing":
            raise NotAllowed("table.not_due")
    elif (own := state.require_seat(actor)) != seat:
        if state.options.takeover != "at_once":
            vote_first = state.options.takeover == "vote"
            raise NotAllowed("table.vote_first" if vote_first else "table.never_bots", seat=seat)
        if not state.is_away(seat):
            raise NotAllowed("table.is_here", seat=seat)
        if own not in state.waiting(seat):
            raise NotAllowed("table.not_asked")
    yield e.SteppedIn(seat, state.options.bot)


def vote(state: State, command: c.Vote, actor: str | None) -> Facts:
    """Vote on whether a bot should play for another player; it does if more than half of the
    players who wait agree."""
    state.require_phase("playing")
    voter, seat = state.require_seat(actor), state.check_seat(command.seat)
    assert actor is not None
    if not state.seats[seat].self_played:
        raise NotAllowed("table.bot_plays_already", seat=seat)
    if not _may_be_voted_on(state, seat):
        raise NotAllowed("table.no_vote", seat=seat)
    if voter == seat or voter not in state.waiting(seat):
        raise NotAllowed("table.not_asked")
    yield e.Voted(seat, actor, command.yes)
    if _is_carried(state, seat, {**state.votes.get(seat, {}), actor: command.yes}):
        yield e.SteppedIn(seat, state.options.bot)


def _may_be_voted_on(state: State, seat: int) -> bool:
    """Return whether the players who wait for a seat may vote on a bot there."""
    if state.options.takeover != "vote" or not state.seats[seat].self_played:
        return False
    return state.is_away(seat) or (state.to_act == seat and state.asked == state.ply)


def _is_carried(state: State, seat: int, votes: Mapping[str, bool]) -> bool:
    """Return whether a majority of the players who wait for a seat voted for a bot there."""
    electors = [state.seats[at].person or "" for at in state.waiting(seat)]
    return sum(votes.get(person, False) for person in electors) >= _majority(len(electors))


def _majority(voters: int) -> int:
    """The smallest number that is more than half."""
    return voters // 2 + 1


def takeover(state: State) -> TakeoverData | None:
    """What can be done about the player to act, if they are away or a vote on them is open."""
    seat = state.to_act
    if seat is None or not state.seats[seat].self_played:
        return None
    away = state.is_away(seat)
    if not away and state.asked != state.ply:
        return None
    voters, votes = list(state.waiting(seat)), state.votes.get(seat, {})
    voted = {at: votes.get(state.seats[at].person or "") for at in voters}
    how: Literal["vote", "at_once", "wait"] = "wait"
    if state.options.takeover == "vote":
        how = "vote"
    elif state.options.takeover == "at_once" and away:
        how = "at_once"
    return TakeoverData(
        seat=seat,
        how=how,
        voters=voters,
        yes=[at for at in voters if voted[at] is True],
        no=[at for at in voters if voted[at] is False],
        needed=_majority(len(voters)),
    )


def take_back(state: State, command: c.TakeBack, actor: str | None) -> Facts:
    """Let a person play again instead of the bot."""
    state.require_phase("playing", "paused")
    seat = state.require_seat(actor)
    if state.seats[seat].bot is None:
        raise NotAllowed("table.no_bot", seat=seat)
    yield e.TookBack(seat)
