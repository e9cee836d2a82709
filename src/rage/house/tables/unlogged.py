"""Commands that cause no events: chat, reactions, and changes of sealed bids."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from rage.house.store import Conflict
from rage.house.tables.audience import Audience
from rage.house.tables.event_log import EventLog
from rage.house.tables.presence import Turn
from rage.house.tables.services import Services
from rage.house.tables.turns import MAX_ATTEMPTS, Outcome, conflicts
from rage.table import ChangeBid, React
from rage.table.commands import UnloggedCommand


class Unlogged:
    """Does such commands at one room's table."""

    def __init__(self, services: Services, log: EventLog, audience: Audience, turn: Turn) -> None:
        self._services = services
        self._log = log
        self._audience = audience
        self._turn = turn

    async def do(
        self, command: UnloggedCommand, actor: str | None, done: Callable[[Outcome], None]
    ) -> None:
        """Do a command, and call ``done`` with no events or with the error."""
        try:
            if isinstance(command, ChangeBid):
                await self._change_bid(command, actor)
            else:
                async with self._turn() as table:
                    pass  # wait until nothing of it is being stored
                if isinstance(command, React):  # reactions are not stored
                    self._audience.send_reaction(table.react(command, actor))
                else:
                    self._services.check_writable()
                    line = table.say(command, actor, self._services.now())
                    self._audience.add_chat([await self._log.store_chat(line)])
        except Exception as error:
            done(error)
        else:
            done([])

    async def _change_bid(self, command: ChangeBid, actor: str | None) -> None:
        """Replace a sealed bid, retrying if another process has stored something meanwhile. Others
        must not notice, so it is sent only to the player and those who see their cards."""
        for _ in range(MAX_ATTEMPTS):
            async with self._turn() as table:
                self._services.check_writable()
                bids = table.change_bid(command, actor)
                if bids is None:
                    return
                with suppress(Conflict):
                    await self._log.change_bids(bids)
                    assert actor is not None
                    self._audience.send_bid(table.state.require_seat(actor), actor)
                    return
        raise conflicts(self._log.name)
