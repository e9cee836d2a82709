"""``/api/tables/{table}/advice``: advice for the player to act, and for them alone.

If the table allows it, it is based on what their own seat may know; no one else learns of it.
"""

from __future__ import annotations

from msgspec import Struct

from rage.bots.advice import AdviceData
from rage.house.base.codes import read_code
from rage.house.base.thinking import Asker
from rage.house.requests.requester import Requester


class AdviceAnswer(Struct):
    """Advice on the decision numbered ``ply``."""

    ply: int
    advice: AdviceData


async def get_advice(requester: Requester, table: str, ply: int) -> AdviceAnswer:
    """Advice on your own decision numbered ``ply``, if the table allows it."""
    person = requester.require_person()
    hub = requester.site.hub
    with requester.guessing(table) as guess:
        room = await hub.room(read_code(table))
        guess.own = person in room.table.state.guests
    view = (await room.ready()).view_to_advise(person, ply)
    asker = Asker(person, frozenset((requester.address,)))
    advice = await hub.services.thinking.advise(view, asker)
    return AdviceAnswer(ply, advice.as_data())
