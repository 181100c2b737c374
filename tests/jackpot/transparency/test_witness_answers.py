"""What a witness may answer besides: nothing of it is taken for a cosignature, or holds us up."""

import base64
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from cryptography.hazmat.primitives.asymmetric.mldsa import MLDSA44PrivateKey
from django.utils import timezone
from pytest_django import Settings

from jackpot.models import WitnessAnswer
from jackpot.transparency import cosignatures, notes, witness_client
from tables.models import Alarm
from tests.support.play.house import House
from tests.support.proof.witnesses import NAME, ORIGIN, ask, contact, cosigned_sizes, grow

pytestmark = pytest.mark.django_db


class Scripted(ThreadingHTTPServer):
    """Answers what it is told to; `None`: a byte now and then, for ever."""

    def __init__(self) -> None:
        self.status, self.text = 200, ""
        self.drips, self.is_over = False, threading.Event()
        super().__init__(("127.0.0.1", 0), _Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/w"


class _Handler(BaseHTTPRequestHandler):
    server: Scripted

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(self.server.status)
        self.end_headers()
        while self.server.drips:
            try:
                self.wfile.write(b"x")
            except OSError:
                return
            self.server.is_over.wait(0.05)
        self.wfile.write(self.server.text.encode())

    def do_GET(self) -> None:
        self.send_error(404)

    def log_message(self, *values: object) -> None:
        """Nothing."""


@pytest.fixture
def scripted(house: House, settings: Settings) -> Iterator[Scripted]:
    public = notes.key_of("55" * 32).public
    digits = notes.key_id(NAME, b"\x04", public).hex()
    encoded = base64.b64encode(b"\x04" + public).decode()
    key = f"{NAME}+{digits}+{encoded}"
    with Scripted() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        settings.WITNESSES = f"{key} {server.url}"
        yield server
        server.drips = False
        server.shutdown()


@pytest.mark.parametrize(
    ("status", "text"),
    [
        (200, ""),
        (200, "no signature\n"),
        (200, "— witness.example/w1 AAAA\n"),
        (200, "— nobody.example/w1 " + base64.b64encode(bytes(76)).decode() + "\n"),
        (409, "0\n"),
        (409, "none\n"),
        (403, "who are you?\n"),
        (422, "\0 no\n"),
    ],
)
def test_what_is_no_cosignature_is_never_kept_as_one(
    house: House, scripted: Scripted, status: int, text: str
) -> None:
    scripted.status, scripted.text = status, text
    grow(house)
    ask()
    assert cosigned_sizes() == []
    assert contact().size == 0
    alarm = Alarm.objects.get(kind="witness")
    assert (alarm.kind, alarm.system) == ("witness", house.system)
    assert WitnessAnswer.objects.count() == (status != 200)


def test_a_cosignature_of_another_checkpoint_is_not_kept(house: House, scripted: Scripted) -> None:
    other = grow(house)
    checkpoint = grow(house)
    at = int(timezone.now().timestamp())
    message = f"cosignature/v1\ntime {at}\n" + other.note.rpartition("\n\n")[0] + "\n"
    key = notes.key_of("55" * 32)
    signature = at.to_bytes(8, "big") + key.private.sign(message.encode())
    id_ = notes.key_id(NAME, b"\x04", key.public)
    scripted.text = notes.signature_line(NAME, id_, signature)
    ask()
    assert contact().fault == "its cosignature is not good"
    assert cosignatures.good_lines(
        other.note, scripted.text, [cosignatures.WitnessKey(NAME, b"\x04", key.public)]
    )
    assert not WitnessAnswer.objects.filter(checkpoint=checkpoint).exists()


@pytest.mark.parametrize("status", [500, 503, 301, 429])
def test_trouble_of_the_witness_is_silence(house: House, scripted: Scripted, status: int) -> None:
    scripted.status = status
    grow(house)
    ask()
    assert contact().fault == f"{NAME} answers {status}"
    assert not WitnessAnswer.objects.exists()
    assert not Alarm.objects.filter(kind="witness").exists()


def test_a_witness_that_never_ends_is_cut_off(
    house: House, scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted.drips = True
    grow(house)
    began = time.monotonic()
    with pytest.raises(witness_client.Silent, match=r"not within 0\.5 s"):
        witness_client.ask(scripted.url, b"x", within_s=0.5)
    assert time.monotonic() - began < 5
    monkeypatch.setattr(witness_client, "LONGEST", 1)
    scripted.drips, scripted.text = False, "xx"
    with pytest.raises(witness_client.Silent, match="more than 1 bytes"):
        witness_client.ask(scripted.url, b"x")


def test_a_cosignature_that_a_quantum_computer_does_not_break_is_taken() -> None:
    """ML-DSA-44 of tlog-cosignature, beside one of Ed25519 by the same witness."""
    name = "witness.example/w2"
    private = MLDSA44PrivateKey.from_seed_bytes(bytes(range(32)))
    key = cosignatures.WitnessKey(name, b"\x06", private.public_key().public_bytes_raw())
    encoded = base64.b64encode(key.kind + key.public).decode()
    assert cosignatures.WitnessKey.parse(f"{name}+{key.id.hex()}+{encoded}") == key
    root = bytes(range(32))
    note = notes.signed(ORIGIN, 20852163, root, [notes.key_of("77" * 32)])
    at = 1_764_000_000
    parts = (
        b"subtree/v1\n\0",
        bytes([len(name)]) + name.encode(),
        at.to_bytes(8, "big"),
        bytes([len(ORIGIN)]) + ORIGIN.encode(),
        (0).to_bytes(8, "big") + (20852163).to_bytes(8, "big"),
        root,
    )
    signature = at.to_bytes(8, "big") + private.sign(b"".join(parts))
    line = notes.signature_line(name, key.id, signature)
    assert cosignatures.good_lines(note, line, [key]) == line
    assert cosignatures.time_of(line) == at
    assert cosignatures.good_lines(note.replace("20852163", "20852164"), line, [key]) == ""
