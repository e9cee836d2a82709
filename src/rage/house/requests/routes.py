"""All requests that a house answers, in one table."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any, Final, Literal, NamedTuple

import msgspec

from rage.house.limits import MAX_BODY, MAX_GAME_BODY
from rage.house.requests import (
    advice,
    again,
    analysis,
    days,
    evenings,
    events,
    games,
    health,
    links,
    people,
    recovery,
    rules,
    shared,
    sheets,
    tables,
)
from rage.house.requests.requester import Requester
from rage.say import NotReadable
from rage.table.schema import UNREADABLE, field_of


class Route(NamedTuple):
    """A request: its path, with a parameter of ``answer`` in each pair of braces, and the function
    that answers it. The function's other parameters are the ``requester``, the body (``data``) and
    those of the query; one without a requester counts towards no limit.

    ``person``: whether it requires a cookie; ``stores``: whether it changes stored data of tables
    and people, which the operator can forbid for a while; ``limit``: the rate limit that it counts
    towards, in addition to the general one; ``refusals``: the statuses with which it may be
    refused, in addition to the usual ones; ``most``: the largest body, in bytes; ``media``: the
    type of its answer; ``banned``: whether banned people may ask, too."""

    method: Literal["GET", "POST", "PUT"]
    path: str
    answer: Callable[..., Awaitable[Any]]
    person: bool = False
    stores: bool = False
    limit: str | None = None
    status: int = 200
    refusals: tuple[int, ...] = ()
    most: int = MAX_BODY
    media: str = "application/json"
    banned: bool = False

    async def ask(self, requester: Requester, **given: Any) -> Any:
        """Answer the request. Raises what the function raises,
        :class:`rage.house.base.errors.Forbidden`, :class:`rage.house.base.errors.ServerFull` and
        :class:`rage.house.base.errors.TooManyRequests`."""
        if self.person:
            requester.require_person()
        if self.stores:
            requester.site.hub.services.check_writable()
            if not self.banned:
                requester.site.hub.services.check_allowed(requester.person)
        if self.limit is not None:
            requester.rate_limit(self.limit)
        return await self.answer(requester, **given)


def path_pattern(path: str) -> re.Pattern[str]:
    """The pattern of the paths of a route, with a group for each parameter."""
    return re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", path))


def read_body(body: bytes, kind: Any) -> Any:
    """Read a JSON body, which must be exactly of a kind: "4" is not 4. Raises
    :class:`rage.NotReadable`, which names the field."""
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.ValidationError as error:
        if (field := field_of(error)) is not None:
            raise NotReadable("http.field", field=field) from None
        raise NotReadable("http.unreadable") from None
    except UNREADABLE:
        raise NotReadable("http.unreadable") from None


_TABLE: Final = "/api/tables/{table}"
_GAME: Final = "/api/tables/{table}/games/{game}"
_EVENT: Final = "/api/events/{event}"
_SHEET: Final = "/api/sheets/{sheet}"
ROUTES: Final = (
    Route("GET", "/api/me", people.get_me),
    Route("PUT", "/api/me", people.put_me, person=True, stores=True, limit="name"),
    Route("POST", "/api/me/end-sessions", people.end_sessions, person=True, stores=True,
          limit="sessions"),
    Route("GET", "/api/me/data", people.get_data, person=True, limit="data"),
    Route("POST", "/api/me/erase", people.erase_me, person=True, stores=True, limit="erase",
          banned=True),
    Route("POST", "/api/handover", people.hand_over, person=True, limit="handover", status=201),
    Route("POST", "/api/handover/{token}", people.take_over, stores=True),
    Route("GET", "/api/recovery", recovery.get_recovery, person=True),
    Route("POST", "/api/recovery", recovery.make_recovery, person=True, stores=True,
          limit="code", status=201),
    Route("GET", "/api/recovery/words", recovery.list_recovery_words),
    Route("POST", "/api/recovery/use", recovery.recover, stores=True),
    Route("POST", "/api/passkeys/begin", recovery.begin_passkey, person=True, limit="code",
          refusals=(404, 409)),
    Route("POST", "/api/passkeys", recovery.keep_passkey, person=True, stores=True, limit="code",
          status=201, refusals=(404,)),
    Route("POST", "/api/passkeys/remove", recovery.remove_passkey, person=True, stores=True,
          refusals=(404,)),
    Route("POST", "/api/passkeys/ask", recovery.ask_for_passkey, refusals=(404,)),
    Route("POST", "/api/passkeys/use", recovery.use_passkey, stores=True, refusals=(404,)),

    Route("POST", "/api/tables", tables.open_table, person=True, stores=True, limit="open",
          status=201, refusals=(409,)),
    Route("GET", "/api/tables", tables.list_tables, limit="list"),
    Route("GET", _TABLE, tables.get_table, refusals=(404, 409)),
    Route("POST", f"{_TABLE}/report", tables.report_person, person=True, stores=True,
          limit="report", status=204, refusals=(404,)),
    Route("GET", f"{_TABLE}/advice", advice.get_advice, person=True, limit="advice",
          refusals=(404, 409)),

    Route("GET", "/api/games", games.list_games, limit="list"),
    Route("GET", _GAME, games.get_game, limit="game", refusals=(404,)),
    Route("POST", f"{_GAME}/delete", games.delete_game, person=True, stores=True, limit="game",
          status=204, refusals=(404,), banned=True),
    Route("GET", f"{_GAME}/record", games.get_record, limit="game", refusals=(404,)),
    Route("GET", f"{_GAME}/same", again.list_same, limit="same", refusals=(404,)),
    Route("GET", f"{_GAME}/evening", evenings.get_evening, limit="same", refusals=(404,)),
    Route("POST", f"{_GAME}/again", again.play_again, stores=True, limit="game", status=201,
          refusals=(404, 409)),
    Route("GET", "/api/day", days.get_day, limit="list"),
    Route("POST", "/api/day", days.play_day, person=True, stores=True, limit="open", status=201,
          refusals=(409,)),

    Route("POST", "/api/events", events.open_event, person=True, stores=True, limit="event",
          status=201, refusals=(409,)),
    Route("GET", "/api/events", events.list_events, limit="list"),
    Route("GET", _EVENT, events.get_event, refusals=(404,)),
    Route("POST", f"{_EVENT}/join", events.join_event, person=True, stores=True, limit="direct",
          refusals=(404, 409)),
    Route("POST", f"{_EVENT}/leave", events.leave_event, person=True, stores=True, limit="direct",
          refusals=(404, 409)),
    Route("POST", f"{_EVENT}/direct", events.direct_event, person=True, stores=True, limit="direct",
          refusals=(404, 409)),

    Route("POST", "/api/open", shared.open_game, limit="given", refusals=(409, 413),
          most=MAX_GAME_BODY),
    Route("POST", "/api/analysis", analysis.analyse_game, limit="analysis", refusals=(409, 413),
          most=MAX_GAME_BODY),
    Route("GET", "/api/analysis/{name}", analysis.get_analysis, refusals=(404,)),

    Route("GET", "/api/rules", rules.list_rules),
    Route("GET", "/api/rules/{rules}", rules.get_rules, refusals=(409,)),
    Route("GET", "/api/box", rules.find_box),

    Route("POST", "/api/sheets", sheets.name_sheet),
    Route("PUT", _SHEET, sheets.keep_sheet, refusals=(409,)),
    Route("GET", _SHEET, sheets.get_sheet, refusals=(404,)),
    Route("POST", f"{_SHEET}/stop", sheets.stop_sheet, status=204, refusals=(404,)),
    Route("POST", f"{_SHEET}/free", sheets.free_player, refusals=(404,)),
    Route("POST", f"{_SHEET}/phones", sheets.join_sheet, refusals=(404, 409)),
    Route("PUT", f"{_SHEET}/bids", sheets.bid_on_sheet, refusals=(404, 409)),

    Route("GET", "/api/qr", links.get_qr, limit="qr", refusals=(409,),
          media="image/svg+xml"),
    Route("GET", "/api/network", links.get_network),
    Route("GET", "/healthz", health.get_health),
    Route("GET", "/readyz", health.get_ready),
)  # fmt: skip
