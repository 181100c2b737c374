"""What a passkey signed, and what it just did not: each refusal in its own words."""

import base64
import hashlib
import json
from typing import Any

import pytest

from tests.support.people.access.soft_passkey import SoftPasskey
from verifier.webauthn import acts_of, fault_of, is_signed, nameless, stated

ORIGIN, CHALLENGE = "https://house.example:8443", bytes(range(32))
HOST = hashlib.sha256(b"house.example").digest()
DEVICE = HOST + bytes([0b101]) + bytes(4)
ELSEWHERE = "it was signed for another address"
UNASKED = "the device did not ask who is there"


def client(**changes: Any) -> bytes:
    fields: dict[str, Any] = {
        "type": "webauthn.get", "origin": ORIGIN,
        "challenge": base64.urlsafe_b64encode(CHALLENGE).rstrip(b"=").decode(),
    }  # fmt: skip
    return json.dumps(fields | changes).encode()


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (client(), None),
        (client(crossOrigin=False, more=1), None),
        (b"{", "what the browser signed cannot be read"),
        (b"NaN", "what the browser signed cannot be read"),
        (b"null", "what the browser signed cannot be read"),
        (b"[]", "what the browser signed is no assertion"),
        (client(type="webauthn.create"), "what the browser signed is no assertion"),
        (client(origin="https://house.example"), ELSEWHERE),
        (client(crossOrigin=True), ELSEWHERE),
        (client(crossOrigin=None), ELSEWHERE),
        (client(challenge="AAAA"), "other bytes were signed"),
    ],
)
def test_what_the_browser_says(data: bytes, why: str | None) -> None:
    assert fault_of(ORIGIN, CHALLENGE, DEVICE, data) == why


def test_what_the_device_says() -> None:
    for device, why in (
        (DEVICE + b"more", None),
        (bytes(32) + DEVICE[32:], ELSEWHERE),
        (DEVICE[:36], UNASKED),
        (HOST + bytes([0b001]) + bytes(4), UNASKED),
        (HOST + bytes([0b100]) + bytes(4), UNASKED),
        (HOST + bytes([0b1111]) + bytes(4), None),
    ):
        assert fault_of(ORIGIN, CHALLENGE, device, client()) == why
    for origin in ("ftp://house.example", "https://house.example/x", "https://"):
        assert fault_of(origin, CHALLENGE, DEVICE, client(origin=origin)) == ELSEWHERE
    plain = "http://house.example"
    assert fault_of(plain, CHALLENGE, DEVICE, client(origin=plain)) is None


def statement(**changes: Any) -> str:
    document = {"acts": [{"act": "pay"}], "at": "2026-11-21T10:00:00Z", "v": 1} | changes
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def test_a_statement_is_canonical() -> None:
    acts, at = stated(statement()) or ([], None)
    assert acts == acts_of(statement()) == [{"act": "pay"}]
    assert str(at) == "2026-11-21 10:00:00+00:00"
    accent = statement(acts=[{"note": "é"}])
    assert acts_of(accent) == [{"note": "é"}]
    for wrong in (
        statement(v=2), statement(v="1"), statement(v=True), statement(v=1.0), statement(more=1),
        statement(acts={}), statement(at=5), statement(at="2026-11-21T10:00:00"),
        statement(at="2026-11-21T10:00:00+00:00"), statement(at="2026-13-21T10:00:00Z"),
        statement() + " ", statement().replace(":1", ": 1"), accent.replace("é", "\\u00e9"), "[]",
        "",
    ):  # fmt: skip
        assert stated(wrong) is None, wrong
        assert acts_of(wrong) == []


def test_a_log_in_may_be_renamed() -> None:
    act = {"act": "pay", "person": 5, "name": "mere", "of_name": "david", "body": {"name": "x"}}
    assert nameless(act) == {"act": "pay", "person": 5, "body": {"name": "x"}}
    assert nameless(["name"]) == ["name"]


def test_a_key_signs_exactly_that() -> None:
    key = SoftPasskey(ORIGIN)
    options = {
        "challenge": base64.urlsafe_b64encode(CHALLENGE).rstrip(b"=").decode(),
        "statement": "s",
    }
    answer = json.loads(key.signs_act(options))["response"]

    def part(name: str) -> bytes:
        text = answer[name]
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))

    data, signed, signature = (
        part(each) for each in ("authenticatorData", "clientDataJSON", "signature")
    )
    numbers = key.key.public_key().public_numbers()
    public = numbers.x.to_bytes(32, "big") + numbers.y.to_bytes(32, "big")
    assert is_signed(-7, public, data, signed, signature)
    assert fault_of(ORIGIN, CHALLENGE, data, signed) is None
    assert not is_signed(-257, public, data, signed, signature)
    assert not is_signed(-8, public, data, signed, signature)
    assert not is_signed(-7, public, data + b"x", signed, signature)
    assert not is_signed(-7, public, data, signed + b"x", signature)
    assert not is_signed(-7, public[::-1], data, signed, signature)
    assert not is_signed(-7, public + b"x", data, signed, signature)
    for place in range(len(signature)):
        forged = bytearray(signature)
        forged[place] ^= 1
        assert not is_signed(-7, public, data, signed, bytes(forged)), place
