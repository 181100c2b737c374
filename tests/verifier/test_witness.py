"""The witness: cosigns growth alone, answers as C2SP tlog-witness says, keeps both histories."""

import base64
import threading
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from jackpot.transparency import merkle, notes
from verifier import ed25519, proof
from verifier.notes import Checkpoint, Note, PublicKey
from verifier.witness import Answer, Witness, server

ORIGIN = "harbour.example/main"
LOG = notes.key_of("77" * 32)
THIEF = notes.key_of("78" * 32)
HONEST = [merkle.leaf_hash(str(number).encode()) for number in range(20)]
FORGED = [merkle.leaf_hash(b"forged"), *HONEST[1:]]


def checkpoint(hashes: list[bytes], size: int, key: notes.LogKey = LOG, name: str = ORIGIN) -> str:
    root = merkle.root_of(merkle.append([], 0, hashes[:size]))
    return notes.signed(name, size, root, [key])


def path_of(hashes: list[bytes], old: int, size: int) -> list[bytes]:
    def find(height: int, index: int) -> bytes:
        leaves = hashes[index << height : (index + 1) << height]
        return merkle.root_of(merkle.append([], 0, leaves))

    return merkle.consistency_proof(old, size, find)


def request(hashes: list[bytes], old: int, size: int, note: str | None = None) -> bytes:
    lines = [f"old {old}"]
    lines += [base64.b64encode(step).decode() for step in path_of(hashes, min(old, size), size)]
    return "\n".join([*lines, "", note or checkpoint(hashes, size)]).encode()


@pytest.fixture
def witness(tmp_path: Path) -> Witness:
    log = PublicKey.parse(LOG.verifier_key(ORIGIN))
    return Witness(tmp_path, "witness.example/w1", [log], now=lambda: 1_764_000_000.5)


def test_signatures_are_those_of_everybody() -> None:
    """Made here, checked by the library; the public keys agree."""
    secret = bytes(range(32))
    theirs = Ed25519PrivateKey.from_private_bytes(secret)
    assert ed25519.public_key(secret) == theirs.public_key().public_bytes_raw()
    assert ed25519.sign(secret, b"meter") == theirs.sign(b"meter")


def test_it_cosigns_growth(witness: Witness, tmp_path: Path) -> None:
    key = PublicKey.parse(witness.public_key())
    for old, size in ((0, 5), (5, 5), (5, 13), (13, 20)):
        answer = witness.add(request(HONEST, old, size))
        assert answer.status == 200, answer
        note = Note.parse(checkpoint(HONEST, size) + answer.text)
        assert key.has_signed(note)
        at = int.from_bytes(note.signatures[-1].value[:8], "big")
        assert at == 1_764_000_000
    log = PublicKey.parse(LOG.verifier_key(ORIGIN))
    again = Witness(tmp_path, "witness.example/w1", [log])  # it stopped and came back
    assert again.public_key() == witness.public_key()
    assert again.add(request(HONEST, 5, 20)) == Answer(409, "20\n", "text/x.tlog.size")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (request(HONEST, 0, 5, checkpoint(HONEST, 5, name="other.example/main")), 404),
        (request(HONEST, 0, 5, checkpoint(HONEST, 5, THIEF)), 403),
        (request(HONEST, 9, 5), 400),
        (request(HONEST, 3, 5), 409),
        (b"old 0\n\nno checkpoint", 400),
        (b"old 00\n\n" + checkpoint(HONEST, 5).encode(), 400),
        (b"old 0\nAAAA\n\n" + checkpoint(HONEST, 5).encode(), 400),
        (b"\xff", 400),
        (
            request(HONEST, 0, 5).replace(
                b"old 0\n", b"old 0\n" + base64.b64encode(bytes(32)) + b"\n"
            ),
            422,
        ),
    ],
)
def test_it_refuses_what_it_must(witness: Witness, body: bytes, status: int) -> None:
    assert witness.add(body).status == status


def test_it_keeps_both_histories(witness: Witness) -> None:
    witness.add(request(HONEST, 0, 8))
    assert witness.add(request(FORGED, 8, 20)).status == 422
    same_size = witness.add(request(FORGED, 8, 8))
    assert (same_size.status, same_size.text) == (409, "8\n")
    assert witness.add(request(FORGED, 8, 20)).status == 422  # again: kept once
    page = witness.page()
    assert page.count("REFUSED") == 2
    for note in (checkpoint(HONEST, 8), checkpoint(FORGED, 8), checkpoint(FORGED, 20)):
        assert note in page
    assert witness.add(request(HONEST, 8, 20)).status == 200  # the true history goes on


def test_it_answers_over_http(witness: Witness) -> None:
    with server(witness, ("127.0.0.1", 0)) as listening:
        threading.Thread(target=listening.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{listening.server_address[1]}/"
        add, body = f"{address}add-checkpoint", request(HONEST, 0, 3)
        with urllib.request.urlopen(add, body, timeout=10) as answer:  # noqa: S310
            assert answer.read().decode().startswith("— witness.example/w1 ")
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(add, body, timeout=10)  # noqa: S310
        assert refused.value.code == 409
        assert refused.value.headers["Content-Type"] == "text/x.tlog.size"
        assert refused.value.read() == b"3\n"
        refused.value.close()
        with urllib.request.urlopen(address, timeout=10) as page:
            assert "3 blocks" in page.read().decode()
        listening.shutdown()


def test_a_proof_is_checked_offline(
    witness: Witness, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    leaves = [str(number).encode() for number in range(20)]

    def find(height: int, index: int) -> bytes:
        return merkle.root_of(merkle.append([], 0, HONEST[index << height : (index + 1) << height]))

    path = [base64.b64encode(step).decode() for step in merkle.inclusion_proof(7, 20, find)]
    cosigned = checkpoint(HONEST, 20) + witness.add(request(HONEST, 0, 20)).text
    extra = base64.b64encode(leaves[7]).decode()
    lines = ["c2sp.org/tlog-proof@v1", f"extra {extra}", "index 7", *path, "", cosigned]
    file = tmp_path / "meter.tlog-proof"
    file.write_text("\n".join(lines))
    keys = ["--key", LOG.verifier_key(ORIGIN), "--key", witness.public_key()]
    assert proof.main([str(file), *keys, "--witnesses", "1"]) == 0
    assert "It stands in the log." in capsys.readouterr().out
    assert proof.main([str(file), *keys, "--witnesses", "2"]) == 1
    assert proof.main([str(file), "--key", THIEF.verifier_key(ORIGIN)]) == 1
    for what, status in ((("index 7", "index 8"), 1), ((extra, "MTg="), 1), ((path[0], "%"), 2)):
        file.write_text("\n".join(lines).replace(*what))
        assert proof.main([str(file), *keys]) == status
    assert Checkpoint.parse(cosigned).size == 20
