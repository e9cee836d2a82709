"""What happens at a table without its people: bots play, and the clock runs."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict, deque
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import Final

from rage.house.base.codes import table_fingerprint
from rage.house.limits import THINKING
from rage.house.store import Conflict, StoreFailed
from rage.house.tables.audience import Audience
from rage.house.tables.event_log import EventLog
from rage.house.tables.presence import DEFERRABLE, RETRY_AFTER, Decide, Presence, Turn
from rage.house.tables.services import Services
from rage.table import BotTurn, Play

log: Final = logging.getLogger(__name__)
#: How many decisions with a choice are remembered per bot, so that those without one look alike.
REMEMBERED: Final = 64
#: How many of the last ones show how busy the server is now.
LATELY: Final = 8
#: By what factor a bot may exceed its time, because it checks the clock only now and then.
SLACK: Final = 1.25
#: The least seconds before looking at the clock again.
MIN_WAIT: Final = 0.05
#: The seconds before looking again while a command is deferred because its player may return.
DEFERRED_WAIT: Final = 0.5
#: The most seconds before looking again: the machine's clock may have been set meanwhile.
MAX_WAIT: Final = 60.0


class Automation:
    """The bots and the clock of one room."""

    def __init__(
        self,
        services: Services,
        log: EventLog,
        audience: Audience,
        presence: Presence,
        turn: Turn,
        decide: Decide,
    ) -> None:
        self._services = services
        self._log = log
        self._audience = audience
        self._presence = presence
        self._turn = turn
        self._decide = decide
        self._bots: dict[int, asyncio.Task[None]] = {}  # by seat
        # By bot, and whether it bid, how long it thought about its last decisions with a choice.
        self._thought: dict[tuple[str, bool], deque[float]] = defaultdict(
            partial(deque, maxlen=REMEMBERED)
        )
        self._alarm: asyncio.TimerHandle | None = None

    @property
    def at_work(self) -> bool:
        """Whether a bot is playing."""
        return bool(self._bots)

    @property
    def _awake(self) -> bool:
        """Whether bots play: somebody is here, or the other tables of an event wait."""
        return self._audience.awake or self._log.table.state.event is not None

    def update(self) -> None:
        """Let bots play, and set the alarm for the clock, after anything has happened, including a
        new connection. Does nothing in a closed room, or while the store is read-only."""
        if self._presence.closed or self._services.read_only:
            return
        if self._awake:
            for seat in self._log.table.bots_to_act:
                if seat not in self._bots:
                    self._bots[seat] = self._services.start(self._let_bot_play(seat))
        self._set_alarm()

    async def _let_bot_play(self, seat: int) -> None:
        try:
            while await self._let_bot_decide(seat):
                pass
        finally:
            del self._bots[seat]

    async def _let_bot_decide(self, seat: int) -> bool:
        """Make one decision of a bot, if it has one to make and the room is awake. Returns whether
        there may be another. It takes a random time, whatever the cards, and if all bid at once, no
        bot waits for another. A bot that thinks for longer is held back in steps, so the duration
        hardly shows how long it thought, or whether it had a choice."""
        try:
            async with self._turn() as table:
                awake = self._awake and not self._services.read_only
                if seat not in table.bots_to_act or not awake:
                    return False
                turn, begun = table.bot_turn(seat), monotonic()
            legal = turn.view.legal_moves
            forced = len(legal) == 1
            move = legal[0] if forced else await self._services.choose(turn, self._audience.asker)
            await asyncio.sleep(self._pause(turn, None if forced else monotonic() - begun))
            await self._decide(Play(turn.ply, str(move)))
        except StoreFailed as error:
            name = table_fingerprint(self._log.name)
            log.error("table %s: a bot's move was not stored: %s", name, error)
            await asyncio.sleep(RETRY_AFTER)
        return True

    def _pause(self, turn: BotTurn, thought: float | None) -> float:
        """The seconds to hold back a move of a bot that ``thought`` for some seconds; ``None``: it
        had no choice, and counts as if it had thought as long as for one of the last moves of the
        same kind where such a bot had one here. Each takes as long as the longest of these, up to
        the time that a bot may think; longer times are due to waiting for a processor, so only the
        last few of them count."""
        last = self._thought[turn.bot, turn.view.bidding]
        if thought is not None:
            last.append(thought)
        lately = list(last)[-LATELY:] or [0.0]
        took = self._services.draw(lately) if thought is None else thought
        slow = min(max(last, default=0.0), SLACK * THINKING), min(max(lately), 2 * THINKING)
        seconds = max(took, *slow)
        return seconds - (thought or 0.0) + self._services.bot_delay(seconds)

    def _set_alarm(self, least: float = 0.0) -> None:
        """Look at the clock when it has something to do, but not within ``least`` seconds."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if (at := self._log.due_at) is not None and not self._presence.closed:
            seconds = min(max(least, (at - self._services.now()) / 1000), MAX_WAIT)
            self._alarm = self._services.later(seconds, self.do_what_is_due)

    async def do_what_is_due(self) -> None:
        """Decide the commands that are due, except those deferred for a player who may be about to
        return. Raises :class:`StoreFailed`; the sweep retries."""
        if self._services.read_only:
            return
        async with self._turn() as table:
            due = table.due(self._services.now()).commands
        presence, deferred = self._presence, False
        for command in due:
            if isinstance(command, DEFERRABLE) and await presence.may_still_return(command.seat):
                deferred = True
            else:
                await self._decide(command)
        with suppress(Conflict):  # the next turn finds what the store has lost
            async with self._turn():
                await self._log.store_index()
        self._set_alarm(DEFERRED_WAIT if deferred else MIN_WAIT)  # a timer may fire a moment early

    def close(self) -> None:
        """Cancel the alarm and the bots, for good: the presence is closed already."""
        if self._alarm is not None:
            self._alarm.cancel()
        for bot in self._bots.values():
            bot.cancel()
