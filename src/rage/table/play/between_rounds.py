"""Between two rounds: the next one waits until all who play for themselves are ready for it, or the
time in the options is up.

While it waits, it is no one's turn and nothing is taken back. It does not wait for bots. It waits
for people who are away until everyone present is ready and the others have been away for ``grace``
seconds, or until the time is up. While no one is present, nothing is dealt.
"""

from __future__ import annotations

from collections.abc import Iterator

from rage.say import NotAllowed
from rage.table import commands as c
from rage.table.facts import events as e
from rage.table.play.playing import deal_next
from rage.table.state import State

Facts = Iterator[e.Fact]


def deal_time(state: State) -> int | None:
    """When the next round will be dealt as things stand; ``None`` if something must happen first,
    or no round waits."""
    if not state.between_rounds:
        return None
    unready = state.unready
    if not unready:
        return 0
    between, times = state.options.between, list[int]()
    if between is not None:
        times.append(state.turn_since + 1000 * between)
    here = [at for at, seat in enumerate(state.seats) if seat.self_played and not state.is_away(at)]
    if here and not set(here) & set(unready):
        times.append(max(map(state.away_until, unready)))
    return min(times, default=None)


def ready(state: State, command: c.Ready, actor: str | None) -> Facts:
    """Mark a player as ready for the next round; once all are, it is dealt."""
    state.require_phase("playing", "paused")
    seat = state.require_seat(actor)
    if state.seats[seat].bot is not None:
        raise NotAllowed("table.bot_plays")
    play = state.require_play()
    if not state.between_rounds or command.round != play.game.rounds[-1].number:
        raise NotAllowed("table.not_between")
    if seat in state.ready:
        raise NotAllowed("table.ready_already")
    yield e.PlayerReady(seat)
    if state.unready == [seat] and state.phase == "playing":
        yield deal_next(play.game.copy(), play.dealer)


def deal(state: State, command: c.DealNext, actor: str | None, now: int) -> Facts:
    """Deal the next round, because everyone is ready or the time is up (house)."""
    if actor is not None:
        raise NotAllowed("table.house_only")
    state.require_phase("playing")
    at = deal_time(state)
    if at is None or at > now:
        raise NotAllowed("table.not_due")
    play = state.require_play()
    yield deal_next(play.game.copy(), play.dealer)
