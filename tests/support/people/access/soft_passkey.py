"""A passkey in software, as an authenticator keeps one (WebAuthn, sections 6.1 and 6.5)."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_der_private_key,
)
from django.test import Client
from fido2.cose import ES256
from fido2.utils import websafe_encode
from fido2.webauthn import AttestationObject, AttestedCredentialData, AuthenticatorData

PRESENT, VERIFIED, HAS_KEY = 1, 4, 64


class SoftPasskey:
    """One key. `origin`: the address that the browser believes it is at."""

    count = 0

    def __init__(self, origin: str = "http://testserver") -> None:
        self.origin = origin
        self.counter = 0
        SoftPasskey.count += 1
        self.key = ec.generate_private_key(ec.SECP256R1())
        cose = ES256.from_cryptography_key(self.key.public_key())
        self.credential = AttestedCredentialData.create(bytes(16), b"soft-%011d" % self.count, cose)

    # A house with people's keys is kept (`tests.support.suite.kept_house`).
    def __getstate__(self) -> dict[str, Any]:
        key = self.key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
        return {**vars(self), "key": key}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, key=load_der_private_key(state["key"], None))

    def makes(self, options: dict[str, Any], flags: int = PRESENT | VERIFIED) -> str:
        """What the browser answers to the options of a new one."""
        public = options["publicKey"]
        data = self._data(public["rp"]["id"], flags | HAS_KEY, self.credential)
        response = {
            "clientDataJSON": websafe_encode(self._client("webauthn.create", public)),
            "attestationObject": websafe_encode(AttestationObject.create("none", data, {})),
        }
        return self._answer(response)

    def signs(self, options: dict[str, Any], flags: int = PRESENT | VERIFIED) -> str:
        """What the browser answers where the person is to show it."""
        public = options["publicKey"]
        return self._answer(self._response(public, public["rpId"], flags))

    def signs_act(self, to_sign: dict[str, Any], flags: int = PRESENT | VERIFIED) -> str:
        """What the console's script sends of an act that is signed."""
        party = self.origin.partition("//")[2].partition(":")[0]
        body = json.loads(self._answer(self._response(to_sign, party, flags)))
        return json.dumps({**body, "statement": to_sign["statement"]})

    def _response(self, public: dict[str, Any], party: str, flags: int) -> dict[str, str]:
        self.counter += 1
        data, client = self._data(party, flags), self._client("webauthn.get", public)
        signed = self.key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(SHA256()))
        return {
            "clientDataJSON": websafe_encode(client),
            "authenticatorData": websafe_encode(data),
            "signature": websafe_encode(signed),
        }

    def signs_for(self, client: Client, address: str = "/account/passkey/challenge/") -> str:
        """The same with the challenge that this browser's session has now."""
        return self.signs(client.get(address).json())

    def _data(self, party: str, flags: int, key: Any = None) -> AuthenticatorData:
        party_hash = hashlib.sha256(party.encode()).digest()
        return AuthenticatorData.create(
            party_hash, AuthenticatorData.FLAG(flags), self.counter, key or b""
        )

    def _client(self, kind: str, public: dict[str, Any]) -> bytes:
        body = {"type": kind, "challenge": public["challenge"], "origin": self.origin}
        return json.dumps(body).encode()

    def _answer(self, response: dict[str, str]) -> str:
        name = websafe_encode(self.credential.credential_id)
        body = {"id": name, "rawId": name, "type": "public-key", "response": response}
        return json.dumps(body)
