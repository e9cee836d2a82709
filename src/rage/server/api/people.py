"""``/api/me`` and ``/api/handover``: who one is, and becoming the same on another device."""

from __future__ import annotations

import time
from typing import Annotated

from litestar import Response, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from msgspec import Meta, Struct

from rage.say import NotReadable
from rage.server.api.asking import Asker, refusals, strictly
from rage.server.errors import NotYours
from rage.server.identity import HANDOVER_SECONDS, new_person
from rage.server.network import qr_data
from rage.table.data import storable
from rage.table.guests import MAX_NAME

Name = Annotated[str, Meta(min_length=1, max_length=MAX_NAME, examples=["Ann"])]
Person = Annotated[str, Meta(pattern="^[a-z2-9]{12}$", examples=["k7wq2mzt9abc"])]


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
    """Whom this device has become."""

    person: Person
    name: Name | None


def read_name(name: str) -> str:
    """A name without blanks around it. Raises :class:`rage.NotReadable`."""
    name = name.strip()
    if not name or len(name) > MAX_NAME or not storable(name):
        raise NotReadable("table.text", most=MAX_NAME)
    return name


def _cookie(asker: Asker, person: str) -> str:
    path = asker.site.config.base_path + "/"
    secure = asker.url.startswith("https:")
    return asker.site.keys.set_cookie(person, path, secure=secure)


@get("/api/me", responses=refusals())
async def get_me(asker: NamedDependency[Asker]) -> Response[Me]:
    """Say who asks; who is nobody yet becomes somebody, by a cookie."""
    person, name = asker.person, None
    if person is None:
        asker.take("person")
        person = new_person()
    else:
        name = await asker.site.store.name_of(person)
    me = Me(person, name, asker.language, asker.secure)
    return Response(me, headers={"set-cookie": _cookie(asker, person)})


@put("/api/me", responses=refusals(), before_request=strictly(NewName))
async def put_me(asker: NamedDependency[Asker], data: JSONBody[NewName]) -> Me:
    """Go by another name at new tables."""
    person = asker.known()
    asker.take("name")
    name = read_name(data.name)
    await asker.site.store.rename(person, name)
    return Me(person, name, asker.language, asker.secure)


@post("/api/handover", responses=refusals())
async def hand_over(asker: NamedDependency[Asker]) -> Handover:
    """Make a token by which another device becomes this person."""
    person = asker.known()
    asker.take("handover")
    token = asker.site.keys.handover(person, _now())
    url = asker.link(f"/join#handover={token}")
    return Handover(token, url, qr_data(url), HANDOVER_SECONDS)


@post("/api/handover/{token:str}", status_code=200, responses=refusals())
async def take_over(asker: NamedDependency[Asker], token: FromPath[str]) -> Response[Become]:
    """Become the person who made a token; it can be used once."""
    asker.site.limits.take("handover", asker.address, None, time.monotonic())
    handed = asker.site.keys.handed(token, _now())
    if not await asker.site.store.spend(handed.nonce, handed.until):
        raise NotYours("http.handover")
    name = await asker.site.store.name_of(handed.person)
    return Response(
        Become(handed.person, name), headers={"set-cookie": _cookie(asker, handed.person)}
    )


def _now() -> int:
    return int(time.time() * 1000)
