"""A security key made of software, and the browser around it."""

from __future__ import annotations

import json
import secrets
from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256


def text(data: bytes) -> str:
    """Bytes in base64url, as WebAuthn has them in JSON."""
    return urlsafe_b64encode(data).decode().rstrip("=")


class Authenticator:
    """One passkey, in a browser that shows pages of ``origin``. Each answer counts one up."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.id = secrets.token_bytes(16)
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.counter = 0
        self.person = ""

    def create(self, options: dict[str, Any]) -> dict[str, Any]:
        """What ``navigator.credentials.create`` answers."""
        self.person = options["user"]["id"]
        at = self.key.public_key().public_numbers()
        x, y = (each.to_bytes(32, "big") for each in (at.x, at.y))
        key = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: x, -3: y})
        credential = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + key
        data = self._data(options["rp"]["id"], 0b0100_0101) + credential
        made = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        return self._answer(
            clientDataJSON=self._signed("webauthn.create", options), attestationObject=made
        )

    def get(self, options: dict[str, Any]) -> dict[str, Any]:
        """What ``navigator.credentials.get`` answers."""
        data = self._data(options["rpId"], 0b0000_0101)
        signed = self._signed("webauthn.get", options)
        signature = self.key.sign(data + sha256(signed).digest(), ec.ECDSA(SHA256()))
        answer = self._answer(clientDataJSON=signed, authenticatorData=data, signature=signature)
        answer["response"]["userHandle"] = self.person
        return answer

    def _data(self, host: str, flags: int) -> bytes:
        self.counter += 1
        return sha256(host.encode()).digest() + bytes([flags]) + self.counter.to_bytes(4, "big")

    def _signed(self, kind: str, options: dict[str, Any]) -> bytes:
        said = {"type": kind, "challenge": options["challenge"], "origin": self.origin}
        return json.dumps(said).encode()

    def _answer(self, **response: bytes) -> dict[str, Any]:
        said = {name: text(data) for name, data in response.items()}
        return {"id": text(self.id), "rawId": text(self.id), "type": "public-key", "response": said}
