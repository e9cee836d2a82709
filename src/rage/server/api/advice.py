"""``/api/tables/{table}/advice``: what somebody to act could do, for them alone.

It is made from what their own seat may know, where the table allows it, and nobody else is told
that it was asked for.
"""

from __future__ import annotations

import time

from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery
from msgspec import Struct

from rage.bots.advice import Advice, rounded
from rage.say import ReasonData
from rage.server.api.requester import Requester, refusals
from rage.server.codes import NoTable


class AdvisedMove(Struct):
    """A legal move: the points to expect (one's side's in this round, less the mean of the
    others), by how many it is behind the best, the standard error of that, and how likely the bid
    is met."""

    move: str
    points: float
    behind: float
    error: float | None
    meets: float | None


class AdviceAnswer(Struct):
    """What to do at a decision: the legal moves, the best first, and a sentence. They were tried in
    so many worlds; ``all_worlds``: in all that fit what the seat knows."""

    ply: int
    reason: ReasonData
    moves: list[AdvisedMove]
    worlds: int
    all_worlds: bool


@get("/api/tables/{table:str}/advice", responses=refusals(404, 409))
async def get_advice(
    requester: NamedDependency[Requester], table: FromPath[str], ply: FromQuery[int]
) -> AdviceAnswer:
    """What to do at one's own decision numbered ``ply``, where the table allows advice."""
    person = requester.require_person()
    requester.rate_limit("advice")
    requester.site.limits.check("guess", requester.address, time.monotonic())
    hub = requester.site.hub
    try:
        room = await hub.room(table)
    except NoTable:
        requester.rate_limit("guess")
        raise
    view = (await room.ready()).view_to_advise(person, ply)
    return answer_of(ply, await hub.bot_pool.advise(view))


def answer_of(ply: int, found: Advice) -> AdviceAnswer:
    """Advice as it is sent."""
    moves = [
        AdvisedMove(
            str(each.move),
            rounded(each.points),
            rounded(each.behind),
            None if each.error is None else rounded(each.error),
            None if each.meets is None else round(each.meets, 3),
        )
        for each in found.moves
    ]
    return AdviceAnswer(ply, found.reason.as_data(), moves, found.worlds, found.all_worlds)
