"""What happens at a table by itself: bots play, and the clock does what is due."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

from rage.server.store import StoreFailed
from rage.table import Play

if TYPE_CHECKING:
    from rage.server.room import Room

log: Final = logging.getLogger(__name__)
#: For how many seconds the house waits where the store has failed.
PATIENCE: Final = 1.0
#: How soon, in seconds, a clock is looked at again that had nothing to do.
BLINK: Final = 0.05


class House:
    """The bots and the clock of one room."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._bot: asyncio.Task[None] | None = None
        self._alarm: asyncio.TimerHandle | None = None

    @property
    def at_work(self) -> bool:
        """Whether a bot is thinking."""
        return self._bot is not None

    def look(self) -> None:
        """After anything has happened: which bot is to act, when to look at the clock."""
        if self._bot is None and self._room.table.bot_to_act() is not None:
            self._bot = self._room.hub.start(self._let_bots_play())
        self._set_alarm()

    async def _let_bots_play(self) -> None:
        """While a bot is to act, let it think, for at least a drawn time, so that how long it
        takes says nothing about its cards."""
        try:
            while await self._let_a_bot_play():
                pass
        finally:
            self._bot = None

    async def _let_a_bot_play(self) -> bool:
        """One decision of a bot; whether there may be another."""
        room = self._room
        try:
            if (turn := (await room.ready()).bot_to_act()) is None:
                return False
            pause = asyncio.sleep(room.hub.bot_delay())
            move, _ = await asyncio.gather(room.hub.choose(turn), pause)
            await room.do_quietly(Play(turn.ply, str(move)))
        except StoreFailed as error:
            log.error("table %s: a bot's move was not stored: %s", room.name, error)
            await asyncio.sleep(PATIENCE)
        return True

    def _set_alarm(self, least: float = 0.0) -> None:
        """Look at the clock when it has something to do, but not within ``least`` seconds."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if (at := self._room.due_at) is not None:
            seconds = max(least, (at - self._room.hub.now()) / 1000)
            self._alarm = self._room.hub.later(seconds, self.do_what_is_due)

    async def do_what_is_due(self) -> None:
        """Do what the clock asks for. Raises :class:`StoreFailed`; the sweep looks again."""
        table = await self._room.ready()
        for command in table.due(self._room.hub.now()).commands:
            await self._room.do_quietly(command)
        await self._room.store_index()
        self._set_alarm(BLINK)  # a timer may ring a moment early

    def close(self) -> None:
        """Let go of timers and bots."""
        if self._alarm is not None:
            self._alarm.cancel()
        if self._bot is not None:
            self._bot.cancel()
