"""``/api/me`` and ``/api/handover``: who one is, and becoming the same person on another device."""

from __future__ import annotations

import time
from typing import Annotated

from litestar import Response, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from msgspec import Meta, Struct

from rage.place.errors import Forbidden
from rage.place.identity import HANDOVER_SECONDS, new_person
from rage.place.requests.requester import END, Requester, refusals
from rage.server.network import qr_data
from rage.table.names import read_name

#: `read_name` limits its length, once it is composed.
Name = Annotated[str, Meta(examples=["Ann"])]
Person = Annotated[str, Meta(pattern=f"^[a-z2-9]{{12}}{END}", examples=["k7wq2mzt9abc"])]


class Me(Struct):
    """This person, the name they go by (``null``: none yet), the language of the answers, and
    whether the browser counts this page as secure."""

    person: Person
    name: Name | None
    language: Annotated[str, Meta(examples=["en"])]
    secure: bool


class NewName(Struct, forbid_unknown_fields=True):
    """The name to go by."""

    name: Name


class Handover(Struct):
    """A token by which another device becomes this person, as a link to open there, and as an
    image (``data:``) of that link; how many ``seconds`` it may be used, once."""

    token: str
    url: str
    qr: str
    seconds: int


class Become(Struct):
    """The person that this device has become."""

    person: Person
    name: Name | None


def _cookie(requester: Requester, person: str) -> str:
    path = requester.site.config.base_path + "/"
    secure = requester.url.startswith("https:")
    return requester.site.keys.set_cookie(person, path, secure=secure)


@get("/api/me", responses=refusals())
async def get_me(requester: NamedDependency[Requester]) -> Response[Me]:
    """Say who asks; somebody without a cookie gets one."""
    person, name = requester.person, None
    if person is None:
        requester.rate_limit("person")
        person = new_person()
    else:
        name = await requester.site.store.name_of(person)
    me = Me(person, name, requester.language, requester.secure)
    return Response(me, headers={"set-cookie": _cookie(requester, person)})


@put("/api/me", responses=refusals())
async def put_me(requester: NamedDependency[Requester], data: JSONBody[NewName]) -> Me:
    """Go by another name at new tables."""
    person = requester.require_person()
    requester.rate_limit("name")
    name = read_name(data.name)
    await requester.site.store.rename(person, name)
    return Me(person, name, requester.language, requester.secure)


@post("/api/me/end-sessions", status_code=200, responses=refusals())
async def end_sessions(requester: NamedDependency[Requester]) -> Response[Me]:
    """End the sessions of this person in all other browsers, and cancel unused handovers;
    connections to tables are closed, also those of this browser."""
    person = requester.require_person()
    requester.rate_limit("sessions")
    store = requester.site.store
    requester.site.keys.sessions.end(person, await store.end_sessions(person))
    me = Me(person, await store.name_of(person), requester.language, requester.secure)
    return Response(me, headers={"set-cookie": _cookie(requester, person)})


@post("/api/handover", responses=refusals())
async def hand_over(requester: NamedDependency[Requester]) -> Handover:
    """Make a token by which another device becomes this person."""
    person = requester.require_person()
    requester.rate_limit("handover")
    token = requester.site.keys.handover(person, requester.site.hub.services.now())
    url = await requester.link(f"/join#handover={token}")
    return Handover(token, url, qr_data(url), HANDOVER_SECONDS)


@post("/api/handover/{token:str}", status_code=200, responses=refusals())
async def take_over(
    requester: NamedDependency[Requester], token: FromPath[str]
) -> Response[Become]:
    """Become the person who made a token; it can be used once."""
    requester.site.limits.acquire("handover", requester.address, None, time.monotonic())
    handed = requester.site.keys.read_handover(token, requester.site.hub.services.now())
    if not await requester.site.store.spend(handed.nonce):
        raise Forbidden("http.handover")
    name = await requester.site.store.name_of(handed.person)
    return Response(
        Become(handed.person, name), headers={"set-cookie": _cookie(requester, handed.person)}
    )
