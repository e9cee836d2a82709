"""``/api/me``, ``/api/handover`` and ``/api/recovery``: who you are, and becoming the same person
on another device."""

from __future__ import annotations

import time
from typing import Annotated

from msgspec import Meta, Struct

from rage.place.errors import Forbidden
from rage.place.identity import HANDOVER_SECONDS, new_person
from rage.place.limiting import too_many
from rage.place.recovery import MAX_TYPED, new_code, read_words, word_lists, words_of
from rage.place.requests.requester import END, Reply, Requester
from rage.table.names import read_name

#: `read_name` limits its length, once it is composed.
Name = Annotated[str, Meta(examples=["Ann"])]
Person = Annotated[str, Meta(pattern=f"^[a-z2-9]{{12}}{END}", examples=["k7wq2mzt9abc"])]


class Me(Struct):
    """This person, their name (``null``: none yet), the language of the answers, and whether the
    browser counts this page as secure."""

    person: Person
    name: Name | None
    language: Annotated[str, Meta(examples=["en"])]
    secure: bool


class NewName(Struct, forbid_unknown_fields=True):
    """The new name."""

    name: Name


class Handover(Struct):
    """A token by which another device becomes this person, as a link to open there, and as an
    image (``data:``) of that link; how many ``seconds`` it may be used, once."""

    token: str
    url: str
    qr: str
    seconds: int


class RecoveryCode(Struct):
    """A recovery code, as words of the language of the answer."""

    words: list[str]


class RecoveryState(Struct):
    """When your recovery code was made, in milliseconds (``null``: you have none)."""

    made: int | None


class RecoveryWords(Struct):
    """By language, the words of which recovery codes consist; the first four letters of each
    distinguish it."""

    lists: dict[str, list[str]]


class Recover(Struct, forbid_unknown_fields=True):
    """The words of a recovery code, in any language; ``end_sessions``: end the sessions in all
    other browsers as well."""

    words: Annotated[
        str, Meta(max_length=MAX_TYPED, examples=["acorn-actor-album-alley-almond-amber-anchor"])
    ]
    end_sessions: bool = False


class Become(Struct):
    """The person that this device has become."""

    person: Person
    name: Name | None


def _cookie(requester: Requester, person: str) -> str:
    path = requester.site.links.base_path + "/"
    secure = requester.url.startswith("https:")
    return requester.site.keys.set_cookie(person, path, secure=secure)


async def get_me(requester: Requester) -> Reply[Me]:
    """Who you are; somebody without a cookie gets one."""
    person, name = requester.person, None
    if person is None:
        requester.rate_limit("person")
        person = new_person()
    else:
        name = await requester.site.store.name_of(person)
    me = Me(person, name, requester.language, requester.secure)
    return Reply(me, {"set-cookie": _cookie(requester, person)})


async def put_me(requester: Requester, data: NewName) -> Me:
    """Take another name at new tables."""
    person = requester.require_person()
    name = read_name(data.name)
    await requester.site.store.rename(person, name)
    return Me(person, name, requester.language, requester.secure)


async def end_sessions(requester: Requester) -> Reply[Me]:
    """End the sessions of this person in all other browsers, and cancel unused handovers;
    connections to tables are closed, including those of this browser."""
    person = requester.require_person()
    store = requester.site.store
    requester.site.keys.sessions.end(person, await store.end_sessions(person))
    me = Me(person, await store.name_of(person), requester.language, requester.secure)
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
    name = await requester.site.store.name_of(handed.person)
    cookie = _cookie(requester, handed.person)
    return Reply(Become(handed.person, name), {"set-cookie": cookie})


async def get_recovery(requester: Requester) -> RecoveryState:
    """Whether you have a recovery code; the code itself is shown only once."""
    person = requester.require_person()
    return RecoveryState(await requester.site.store.code_since(person))


async def make_recovery(requester: Requester) -> RecoveryCode:
    """Make a recovery code, in place of an earlier one: words by which any device becomes this
    person, until they make another or end their sessions."""
    code = new_code()
    site = requester.site
    await site.store.keep_code(requester.require_person(), site.keys.recovery(code))
    return RecoveryCode(words_of(code, requester.language))


async def list_recovery_words(requester: Requester) -> RecoveryWords:
    """All words of recovery codes, for those who type one."""
    return RecoveryWords(word_lists())


async def recover(requester: Requester, data: Recover) -> Reply[Become]:
    """Become the person whose recovery code this is."""
    codes = read_words(data.words)
    site = requester.site
    site.limits.acquire("recovery", requester.address, None, time.monotonic())
    if wait := site.limits.wrong_codes.wait():
        raise too_many(wait)
    digests = [site.keys.recovery(code) for code in codes]
    found = await site.store.recover(digests, end=data.end_sessions)
    if found is None:
        site.limits.wrong_codes.try_acquire()
        raise Forbidden("http.recovery")
    if found.number is not None:
        site.keys.sessions.end(found.person, found.number)
    name = await site.store.name_of(found.person)
    return Reply(Become(found.person, name), {"set-cookie": _cookie(requester, found.person)})
