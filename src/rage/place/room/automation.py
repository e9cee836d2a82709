"""What happens at a table without anybody asking for it: bots play, and the clock runs."""

from __future__ import annotations

import asyncio
import logging
import weakref
from time import monotonic
from typing import TYPE_CHECKING, Final

from rage.place.store import StoreFailed
from rage.server.logs import table_fingerprint
from rage.table import Nudge, OpenTakeoverVote, Play, StepIn

if TYPE_CHECKING:
    from rage.place.room.room import Room

#: What the clock does about somebody who keeps the others waiting.
HELD: Final = (Nudge, OpenTakeoverVote, StepIn)
log: Final = logging.getLogger(__name__)
#: How many seconds to wait before retrying something that could not be stored.
RETRY_AFTER: Final = 1.0
#: How long, in seconds, to wait at least before looking at the clock again.
MIN_WAIT: Final = 0.05
#: And where something is held until people had the time to come back.
HELD_WAIT: Final = 0.5
#: And at most: the machine's own clock may have been set meanwhile.
MAX_WAIT: Final = 60.0


class Automation:
    """The bots and the clock of one room."""

    def __init__(self, room: Room) -> None:
        self._room: Room = weakref.proxy(room)  # a cycle would wait for the garbage collector
        self._bots: dict[int, asyncio.Task[None]] = {}  # by seat
        self._alarm: asyncio.TimerHandle | None = None

    @property
    def at_work(self) -> bool:
        """Whether a bot is playing."""
        return bool(self._bots)

    def update(self) -> None:
        """After anything has happened, also after somebody has connected: let bots play, and set
        the alarm for the clock; not in a room that is closed."""
        if self._room.closed:
            return
        if self._room.awake:
            for seat in self._room.table.bots_to_act:
                if seat not in self._bots:
                    self._bots[seat] = self._room.hub.start(self._let_bot_play(seat))
        self._set_alarm()

    async def _let_bot_play(self, seat: int) -> None:
        try:
            while await self._let_bot_decide(seat):
                pass
        finally:
            del self._bots[seat]

    async def _let_bot_decide(self, seat: int) -> bool:
        """One decision of a bot, if it has one to make and the room is awake; whether there may be
        another. It takes a random time, whatever the cards, and where all bid at the same time, no
        bot waits for another. A bot that thinks for longer than that is held back in steps, so its
        duration shows only roughly how long it thought."""
        room = self._room
        try:
            table = await room.ready()
            if seat not in table.bots_to_act or not room.awake:
                return False
            turn, begun = table.bot_turn(seat), monotonic()
            move = await room.hub.choose(turn, room.asker)
            await asyncio.sleep(room.hub.bot_delay(monotonic() - begun))
            await room.do_quietly(Play(turn.ply, str(move)))
        except StoreFailed as error:
            name = table_fingerprint(room.name)
            log.error("table %s: a bot's move was not stored: %s", name, error)
            await asyncio.sleep(RETRY_AFTER)
        return True

    def _set_alarm(self, least: float = 0.0) -> None:
        """Look at the clock when it has something to do, but not within ``least`` seconds."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if (at := self._room.log.due_at) is not None and not self._room.closed:
            seconds = min(max(least, (at - self._room.hub.now()) / 1000), MAX_WAIT)
            self._alarm = self._room.hub.later(seconds, self.do_what_is_due)

    async def do_what_is_due(self) -> None:
        """Do what the clock says is due, but not yet what is ``HELD`` for somebody who may be about
        to come back. Raises :class:`StoreFailed`; the hub's sweep retries."""
        table = await self._room.ready()
        held = False
        for command in table.due(self._room.hub.now()).commands:
            if isinstance(command, HELD) and await self._room.awaits(command.seat):
                held = True
            else:
                await self._room.do_quietly(command)
        await self._room.store_index()
        self._set_alarm(HELD_WAIT if held else MIN_WAIT)  # a timer may fire a moment early

    def close(self) -> None:
        """Cancel the alarm and the bots."""
        if self._alarm is not None:
            self._alarm.cancel()
        for bot in self._bots.values():
            bot.cancel()
