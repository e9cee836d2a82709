"""``/api/me`` and ``/api/handover``: who you are, and becoming the same person on another device
that is at hand."""

from __future__ import annotations

import time
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from rage.house.base.errors import Forbidden
from rage.house.operating.personal import erase, export
from rage.house.people.identity import HANDOVER_SECONDS, new_person
from rage.house.requests.requester import END, Reply, Requester
from rage.house.store import Profile
from rage.table.people.names import read_name
from rage.table.people.signs import read_sign

#: `read_name` limits its length, once it is composed.
Name = Annotated[str, Meta(examples=["Ann"])]
Person = Annotated[str, Meta(pattern=f"^[a-z2-9]{{12}}{END}", examples=["k7wq2mzt9abc"])]


#: `read_sign` says which texts are signs.
Sign = Annotated[str, Meta(examples=["", "35Zo"])]


class Me(Struct):
    """This person, their name (``null``: none yet) and sign (empty: none chosen), the language of
    the answers, and whether the browser counts this page as secure."""

    person: Person
    name: Name | None
    sign: Sign
    language: Annotated[str, Meta(examples=["en"])]
    secure: bool


class NewName(Struct, forbid_unknown_fields=True):
    """The new name, and the new sign (``null``: the same as before)."""

    name: Name
    sign: Sign | None = None


class Handover(Struct):
    """A token by which another device becomes this person, as a link to open there, and as an image
    (``data:``) of that link; it can be used once, within ``seconds``."""

    token: str
    url: str
    qr: str
    seconds: int


class Become(Struct):
    """The person that this device has become."""

    person: Person
    name: Name | None


def _cookie(requester: Requester, person: str) -> str:
    path = requester.site.links.base_path + "/"
    secure = requester.url.startswith("https:")
    return requester.site.keys.set_cookie(person, path, secure=secure)


async def get_me(requester: Requester) -> Reply[Me]:
    """Who you are; a person without a cookie gets one."""
    person, profile = requester.person, Profile()
    if person is None:
        requester.rate_limit("person")
        person = new_person()
    else:
        profile = await requester.site.store.profile_of(person)
    me = Me(person, *profile, requester.language, requester.secure)
    return Reply(me, {"set-cookie": _cookie(requester, person)})


async def put_me(requester: Requester, data: NewName) -> Me:
    """Change your name or sign at new tables."""
    person, store = requester.require_person(), requester.site.store
    name = read_name(data.name)
    sign = (await store.profile_of(person)).sign if data.sign is None else read_sign(data.sign)
    await store.keep_profile(person, name, sign)
    return Me(person, name, sign, requester.language, requester.secure)


async def end_sessions(requester: Requester) -> Reply[Me]:
    """End the sessions of this person in all other browsers, and cancel unused handovers;
    connections to tables are closed, including this browser's."""
    person = requester.require_person()
    store = requester.site.store
    requester.site.keys.sessions.end(person, await store.end_sessions(person))
    me = Me(person, *await store.profile_of(person), requester.language, requester.secure)
    return Reply(me, {"set-cookie": _cookie(requester, person)})


async def get_data(requester: Requester) -> Reply[bytes]:
    """Everything stored about this person, as a file."""
    found = await export(requester.site.store, requester.require_person())
    body = await requester.work(lambda: msgspec.json.format(msgspec.json.encode(found)))
    return Reply(body, {"content-disposition": 'attachment; filename="rage.json"'})


async def erase_me(requester: Requester) -> Reply[Me]:
    """Erase this person everywhere, for good, and become a new one."""
    await erase(requester.site.hub, requester.site.keys, requester.require_person())
    person = new_person()
    me = Me(person, None, "", requester.language, requester.secure)
    return Reply(me, {"set-cookie": _cookie(requester, person)})


async def hand_over(requester: Requester) -> Handover:
    """Make a token by which another device becomes this person."""
    person = requester.require_person()
    token = requester.site.keys.handover(person, requester.site.hub.services.now())
    url = await requester.link(f"/join#handover={token}")
    return Handover(token, url, requester.site.links.image_data(url), HANDOVER_SECONDS)


async def take_over(requester: Requester, token: str) -> Reply[Become]:
    """Become the person who made a token; it can be used once."""
    requester.site.limits.acquire("handover", requester.address, None, time.monotonic())
    handed = requester.site.keys.read_handover(token, requester.site.hub.services.now())
    if not await requester.site.store.spend(handed.nonce):
        raise Forbidden("http.handover")
    return await become(requester, handed.person)


async def become(requester: Requester, person: str) -> Reply[Become]:
    """The answer with which a browser becomes a person."""
    name, _ = await requester.site.store.profile_of(person)
    return Reply(Become(person, name), {"set-cookie": _cookie(requester, person)})
