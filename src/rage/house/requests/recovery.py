"""``/api/recovery`` and ``/api/passkeys``: becoming the same person on another device when the
first one is gone."""

from __future__ import annotations

import time
from functools import partial
from typing import Annotated, Any

from msgspec import Meta, Struct

from rage.house.base.errors import Forbidden, NotFound
from rage.house.limits import MAX_PASSKEYS
from rage.house.people import passkeys
from rage.house.people.passkeys import RelyingParty
from rage.house.people.recovery import MAX_TYPED, new_code, read_words, word_lists, words_of
from rage.house.requests.people import Become, become
from rage.house.requests.requester import Reply, Requester
from rage.house.store import Passkey, Recovered
from rage.say import NotAllowed


class RecoveryCode(Struct):
    """A recovery code, as words of the language of the answer."""

    words: list[str]


class RecoveryState(Struct):
    """When your recovery code was made, in milliseconds (``null``: you have none), and when each of
    your passkeys was created (``null``: there are none at this address)."""

    made: int | None
    passkeys: list[int] | None


class RecoveryWords(Struct):
    """By language, the words that recovery codes consist of; the first four letters of each
    distinguish it. ``passkeys``: whether a passkey works, too."""

    lists: dict[str, list[str]]
    passkeys: bool


class Recover(Struct, forbid_unknown_fields=True):
    """The words of a recovery code, in any language; ``end_sessions``: end the sessions in all
    other browsers as well."""

    words: Annotated[
        str, Meta(max_length=MAX_TYPED, examples=["acorn-actor-album-alley-almond-amber-anchor"])
    ]
    end_sessions: bool = False


class PasskeyOptions(Struct):
    """The options for the browser to ask with, as ``PublicKeyCredentialCreationOptionsJSON`` or
    ``PublicKeyCredentialRequestOptionsJSON`` of WebAuthn."""

    options: dict[str, Any]


class NewPasskey(Struct, forbid_unknown_fields=True):
    """The browser's answer, as ``RegistrationResponseJSON`` of WebAuthn."""

    credential: dict[str, Any]


class UsedPasskey(Struct, forbid_unknown_fields=True):
    """The browser's answer, as ``AuthenticationResponseJSON`` of WebAuthn; ``end_sessions``: end
    the sessions in all other browsers as well."""

    credential: dict[str, Any]
    end_sessions: bool = False


class OldPasskey(Struct, forbid_unknown_fields=True):
    """A passkey, by when it was created (milliseconds)."""

    made: Annotated[int, Meta(ge=0, le=2**53)]


async def get_recovery(requester: Requester) -> RecoveryState:
    """Whether you have a recovery code, which is shown only once, and which passkeys."""
    person, store = requester.require_person(), requester.site.store
    made = await store.code_since(person)
    if _party(requester) is None:
        return RecoveryState(made, None)
    return RecoveryState(made, [each.made for each in await store.passkeys_of(person)])


async def make_recovery(requester: Requester) -> RecoveryCode:
    """Make a recovery code, in place of an earlier one: words by which any device becomes this
    person, until they make another or end their sessions."""
    code = new_code()
    site = requester.site
    await site.store.keep_code(requester.require_person(), site.keys.recovery(code))
    return RecoveryCode(words_of(code, requester.language))


async def list_recovery_words(requester: Requester) -> RecoveryWords:
    """All words of recovery codes, for those who type one."""
    return RecoveryWords(word_lists(), _party(requester) is not None)


async def recover(requester: Requester, data: Recover) -> Reply[Become]:
    """Become the person whose recovery code this is."""
    codes = read_words(data.words)
    site = requester.site
    site.limits.acquire("recovery", requester.address, None, time.monotonic())
    digests = [site.keys.recovery(code) for code in codes]
    found = await site.store.recover(digests, end=data.end_sessions)
    if found is None:
        site.limits.note_wrong_code()
        raise Forbidden("http.recovery")
    return await _become(requester, found)


async def _become(requester: Requester, found: Recovered) -> Reply[Become]:
    if found.number is not None:
        requester.site.keys.sessions.end(found.person, found.number)
    return await become(requester, found.person)


def _party(requester: Requester) -> RelyingParty | None:
    return passkeys.relying_party(requester.url, secure=requester.secure)


def _require_party(requester: Requester) -> RelyingParty:
    party = _party(requester)
    if party is None:
        raise NotFound("http.no_route")
    return party


async def begin_passkey(requester: Requester) -> PasskeyOptions:
    """Begin to create a passkey, by which any device that has it becomes this person."""
    party, person, site = _require_party(requester), requester.require_person(), requester.site
    existing = [each.id for each in await site.store.passkeys_of(person)]
    if len(existing) >= MAX_PASSKEYS:
        raise NotAllowed("http.passkeys", most=MAX_PASSKEYS)
    name = (await site.store.profile_of(person)).name or "Rage"
    challenge = site.keys.challenge(person, site.hub.services.now())
    options = partial(passkeys.creation_options, party, challenge, person, name, existing)
    return PasskeyOptions(await requester.work(options))


async def keep_passkey(requester: Requester, data: NewPasskey) -> RecoveryState:
    """Store the passkey that the browser has created."""
    party, person, site = _require_party(requester), requester.require_person(), requester.site
    now = site.hub.services.now()
    answer = await requester.work(partial(passkeys.read_answer, data.credential))
    nonce = site.keys.read_challenge(answer.challenge, person, now)
    check = partial(passkeys.check_created, data.credential, party, answer.challenge)
    created = await requester.work(check)
    passkey = Passkey(created.id, person, created.public_key, created.counter, now)
    if not (await site.store.spend(nonce) and await site.store.keep_passkey(passkey)):
        raise Forbidden("http.passkey")
    return await get_recovery(requester)


async def remove_passkey(requester: Requester, data: OldPasskey) -> RecoveryState:
    """Remove one of your passkeys."""
    _require_party(requester)
    await requester.site.store.remove_passkey(requester.require_person(), data.made)
    return await get_recovery(requester)


async def ask_for_passkey(requester: Requester) -> PasskeyOptions:
    """Begin to use a passkey."""
    party, site = _require_party(requester), requester.site
    challenge = site.keys.challenge(None, site.hub.services.now())
    return PasskeyOptions(await requester.work(partial(passkeys.request_options, party, challenge)))


async def use_passkey(requester: Requester, data: UsedPasskey) -> Reply[Become]:
    """Become the person whose passkey has signed."""
    party, site = _require_party(requester), requester.site
    site.limits.acquire("recovery", requester.address, None, time.monotonic())
    answer = await requester.work(partial(passkeys.read_answer, data.credential))
    nonce = site.keys.read_challenge(answer.challenge, None, site.hub.services.now())
    passkey = await site.store.passkey(answer.id)
    if passkey is None or answer.person not in (b"", passkey.person.encode()):
        raise Forbidden("http.passkey")
    counter = await requester.work(
        partial(
            passkeys.check_used,
            *(data.credential, party, answer.challenge, passkey.public_key, passkey.counter),
        )
    )
    if not await site.store.spend(nonce):
        raise Forbidden("http.passkey")
    used = passkey._replace(counter=counter)
    found = await site.store.use_passkey(used, end=data.end_sessions)
    if found is None:
        raise Forbidden("http.passkey")
    return await _become(requester, found)
