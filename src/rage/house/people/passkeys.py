"""Passkeys, by which a device, a password manager or a security key proves a person. The webauthn
library does the work; the extra ``passkeys`` installs it, and it is imported when first needed."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from rage.house.base.errors import Forbidden
from rage.house.limits import MAX_PASSKEY
from rage.house.people.identity import CHALLENGE_SECONDS

#: Our name in the browser's dialog.
_NAME: Final = "Rage"
#: How long it shows that dialog, in milliseconds.
_TIMEOUT: Final = CHALLENGE_SECONDS * 1000


class RelyingParty(NamedTuple):
    """The site that passkeys are for: a host name, and the origin of its pages."""

    host: str
    origin: str


class Created(NamedTuple):
    """The data stored for a new passkey."""

    id: bytes
    public_key: bytes
    counter: int


class Answer(NamedTuple):
    """The unproved claims in a browser's answer: the challenge, the id of the passkey and, if one
    is used, the person for whom it was created."""

    challenge: bytes
    id: bytes
    person: bytes


@cache
def _is_installed() -> bool:
    return find_spec("webauthn") is not None


def relying_party(url: str, *, secure: bool) -> RelyingParty | None:
    """The relying party for the address of a server as the browser knows it; ``None`` where there
    are no passkeys: without the library, in an insecure context, and at a numeric address."""
    host = urlsplit(url).hostname or ""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return RelyingParty(host, url) if host and secure and _is_installed() else None
    return None


def creation_options(
    party: RelyingParty,
    challenge: bytes,
    person: str,
    name: str,
    existing: Iterable[bytes],
) -> dict[str, Any]:
    """The options for a browser to create a passkey, unless the device has one of the ``existing``
    ids."""
    from webauthn import generate_registration_options
    from webauthn.helpers import options_to_json_dict
    from webauthn.helpers.structs import (
        AuthenticatorSelectionCriteria,
        PublicKeyCredentialDescriptor,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    options = generate_registration_options(
        rp_id=party.host,
        rp_name=_NAME,
        user_id=person.encode(),
        user_name=name,
        challenge=challenge,
        timeout=_TIMEOUT,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED,
            user_verification=UserVerificationRequirement.PREFERRED,
        ),
        exclude_credentials=[PublicKeyCredentialDescriptor(id=each) for each in existing],
    )
    return options_to_json_dict(options)


def request_options(party: RelyingParty, challenge: bytes) -> dict[str, Any]:
    """The options for a browser to ask for any of our passkeys."""
    from webauthn import generate_authentication_options
    from webauthn.helpers import options_to_json_dict

    options = generate_authentication_options(
        rp_id=party.host, challenge=challenge, timeout=_TIMEOUT
    )
    return options_to_json_dict(options)


@contextmanager
def _refusing() -> Iterator[None]:
    """Turn any error about an answer into :class:`rage.house.base.errors.Forbidden`."""
    try:
        yield
    except Exception as error:
        raise Forbidden("http.passkey") from error


def read_answer(credential: dict[str, Any]) -> Answer:
    """Read the answer of a browser. Raises :class:`rage.house.base.errors.Forbidden`."""
    from webauthn.helpers import base64url_to_bytes, parse_client_data_json

    with _refusing():
        response = credential["response"]
        signed = parse_client_data_json(base64url_to_bytes(response["clientDataJSON"]))
        person = base64url_to_bytes(response.get("userHandle") or "")
        return Answer(signed.challenge, base64url_to_bytes(credential["id"]), person)


def check_created(credential: dict[str, Any], party: RelyingParty, challenge: bytes) -> Created:
    """Check the answer to :func:`creation_options`. Raises
    :class:`rage.house.base.errors.Forbidden`."""
    from webauthn import verify_registration_response

    with _refusing():
        found = verify_registration_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=party.host,
            expected_origin=party.origin,
        )
        created = Created(found.credential_id, found.credential_public_key, found.sign_count)
        if len(created.id) + len(created.public_key) > MAX_PASSKEY:
            raise ValueError
        return created


def check_used(
    credential: dict[str, Any],
    party: RelyingParty,
    challenge: bytes,
    public_key: bytes,
    counter: int,
) -> int:
    """Check the answer to :func:`request_options` against a stored public key and counter. Returns
    the new counter. Raises :class:`rage.house.base.errors.Forbidden`, also if the counter is not
    higher: the passkey may have been copied."""
    from webauthn import verify_authentication_response

    with _refusing():
        found = verify_authentication_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=party.host,
            expected_origin=party.origin,
            credential_public_key=public_key,
            credential_current_sign_count=counter,
        )
        return found.new_sign_count
