"""The witness: cosigns growth alone, answers as C2SP tlog-witness says, keeps both histories."""

import base64
import hashlib
import http.client
import threading
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from jackpot.transparency import merkle, notes
from tests.support.proof.log_requests import HONEST, LOG, ORIGIN, checkpoint, request
from tests.support.proof.witnesses import RunningWitness
from verifier import ed25519, proof
from verifier.notes import Checkpoint, Note, NoteError, PublicKey
from verifier.witness.server import LONGEST, Server
from verifier.witness.witness import Answer, Witness

THIEF = notes.key_of("78" * 32)
FORGED = [merkle.leaf_hash(b"forged"), *HONEST[1:]]


def many_signatures() -> str:
    """Of somebody whom nobody knows, each another one."""
    return "".join(
        notes.signature_line("nobody", number.to_bytes(4, "big"), bytes(64)) for number in range(64)
    )


def bad_signature() -> str:
    """A line that names the log's key and is of something else."""
    return LOG.sign(ORIGIN, "something else")


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
        (b"old 0\n" + checkpoint(HONEST, 5).encode(), 400),
        ("old ٠\n\n".encode() + checkpoint(HONEST, 5).encode(), 400),
        (request(HONEST, 0, 5, checkpoint(HONEST, 5).replace("\n5\n", "\n٥\n")), 400),
        (request(HONEST, 0, 5, checkpoint(HONEST, 5).replace("\n5\n", f"\n{2**63}\n")), 400),
        (request(HONEST, 0, 5, checkpoint(HONEST, 5).replace("\n\n", "\n\n\n")), 400),
        (request(HONEST, 0, 5, checkpoint(HONEST, 5).replace("main ", "main\r ")), 400),
        (request(HONEST, 0, 5, checkpoint(HONEST, 5) + many_signatures()), 400),
        (b"old 0\n" + 64 * (base64.b64encode(bytes(32)) + b"\n") + b"\nx", 400),
        (request(HONEST, 0, 5, checkpoint(HONEST, 5) + bad_signature()), 403),
        (request(HONEST, 0, 0, notes.signed(ORIGIN, 0, bytes(32), [LOG])), 422),
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
    assert witness.add(request(FORGED, 8, 8)).status == 422  # the same size, another root
    assert witness.add(request(FORGED, 8, 20)).status == 422  # again: kept once
    page = witness.page()
    assert page.count("REFUSED") == 2
    assert "another root of the same size 8" in page
    for note in (checkpoint(HONEST, 8), checkpoint(FORGED, 8), checkpoint(FORGED, 20)):
        assert note in page
    assert "refused 2" in witness.health().text
    assert witness.add(request(HONEST, 8, 20)).status == 200  # the true history goes on


def test_another_root_is_kept_though_the_old_size_is_wrong(witness: Witness) -> None:
    witness.add(request(HONEST, 0, 8))
    assert witness.add(request(FORGED, 3, 8)) == Answer(409, "8\n", "text/x.tlog.size")
    assert checkpoint(FORGED, 8) in witness.page()


def test_a_wrong_proof_of_a_true_history_is_no_reproach_for_ever(witness: Witness) -> None:
    """Anybody may send a checkpoint that was published, with a proof that shows nothing."""
    witness.add(request(HONEST, 0, 8))
    made_up = b"old 8\n" + base64.b64encode(bytes(32)) + b"\n\n" + checkpoint(HONEST, 20).encode()
    assert witness.add(made_up).status == 422
    assert "no proof that it grew from 8 to 20 blocks" in witness.page()
    assert witness.add(request(HONEST, 8, 20)).status == 200
    assert "REFUSED" not in witness.page()


def test_both_keys_of_a_log_are_good_while_they_change(tmp_path: Path) -> None:
    newer = notes.key_of("79" * 32)
    both = [PublicKey.parse(key.verifier_key(ORIGIN)) for key in (LOG, newer)]
    witness = Witness(tmp_path, "witness.example/w1", both)
    root = merkle.root_of(merkle.append([], 0, HONEST[:9]))
    steps = [
        checkpoint(HONEST, 5),
        notes.signed(ORIGIN, 9, root, [newer, LOG]),
        checkpoint(HONEST, 20, newer),
    ]
    for (old, size), note in zip(((0, 5), (5, 9), (9, 20)), steps, strict=True):
        assert witness.add(request(HONEST, old, size, note)).status == 200
    only_newer = Witness(tmp_path, "witness.example/w1", both[1:])
    assert only_newer.add(request(HONEST, 20, 20, checkpoint(HONEST, 20))).status == 403


def test_a_key_that_it_cannot_check_is_no_key_of_its_own(tmp_path: Path) -> None:
    other = PublicKey.parse(notes.key_of("ml-dsa-44:" + "77" * 32).verifier_key(ORIGIN))
    with pytest.raises(NoteError, match="no key of Ed25519"):
        Witness(tmp_path, "witness.example/w1", [other])
    log = PublicKey.parse(LOG.verifier_key(ORIGIN))
    witness = Witness(tmp_path, "witness.example/w1", [other, log])
    assert witness.add(request(HONEST, 0, 5)).status == 200


def test_each_log_has_a_history_of_its_own(tmp_path: Path) -> None:
    other = "harbour.example/high"
    logs = [PublicKey.parse(LOG.verifier_key(name)) for name in (ORIGIN, other)]
    witness = Witness(tmp_path, "witness.example/w1", logs)
    assert witness.add(request(HONEST, 0, 8)).status == 200
    assert witness.add(request(FORGED, 0, 5, checkpoint(FORGED, 5, name=other))).status == 200
    assert witness.health().text == f"works\n{other} 5 refused 0\n{ORIGIN} 8 refused 0\n"


def test_it_signs_nothing_that_it_cannot_store(witness: Witness, tmp_path: Path) -> None:
    witness.add(request(HONEST, 0, 5))
    (folder,) = (each for each in tmp_path.iterdir() if each.is_dir())
    (folder / "last").write_text("half a chec")
    assert witness.add(request(HONEST, 5, 8)).status == 500
    assert witness.health().status == 503
    (folder / "last").write_text(checkpoint(HONEST, 5))
    assert witness.add(request(HONEST, 5, 8)).status == 200
    assert witness.health().status == 200


def test_it_answers_over_http(witness: Witness) -> None:
    with Server(witness, ("127.0.0.1", 0)) as listening:
        threading.Thread(target=listening.serve_forever, daemon=True).start()
        port = listening.server_address[1]
        wire = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        line = ask(wire, "POST", "/add-checkpoint", request(HONEST, 0, 3))
        assert line.text.startswith("— witness.example/w1 ")
        again = ask(wire, "POST", "/add-checkpoint", request(HONEST, 0, 3))
        assert again == Answer(409, "3\n", "text/x.tlog.size")
        assert "3 blocks" in ask(wire, "GET", "/").text
        assert ask(wire, "GET", "/health").text == f"works\n{ORIGIN} 3 refused 0\n"
        digits = hashlib.sha256(ORIGIN.encode()).hexdigest()
        answer = ask(wire, "GET", f"/{digits}/checkpoint")
        assert answer.text == checkpoint(HONEST, 3) + line.text
        assert ask(wire, "GET", f"/{'0' * 64}/checkpoint").status == 404
        assert ask(wire, "GET", "/elsewhere").status == 404
        # Nothing is read of a request that is too long; the connection ends with it.
        assert ask(wire, "POST", "/add-checkpoint", bytes(LONGEST + 1)).status == 413
        wire.close()
        assert ask(wire, "POST", "/elsewhere", b"x").status == 404
        wire.close()
        listening.shutdown()


def ask(wire: http.client.HTTPConnection, method: str, path: str, body: bytes = b"") -> Answer:
    """On a connection that stays open."""
    wire.request(method, path, body or None)
    answer = wire.getresponse()
    return Answer(answer.status, answer.read().decode(), answer.headers["Content-Type"])


def test_what_it_cosigned_survives_a_kill(tmp_path: Path) -> None:
    """It runs with Python alone, and is killed as soon as it has answered."""
    with RunningWitness(tmp_path, LOG.verifier_key(ORIGIN)) as witness:
        keys = {witness.start()}
        for old, size in ((0, 3), (3, 8), (8, 13)):
            wire = http.client.HTTPConnection("127.0.0.1", witness.port, timeout=10)
            answer = ask(wire, "POST", "/add-checkpoint", request(HONEST, old, size))
            assert answer.status == 200
            witness.kill()
            wire.close()
            (folder,) = (each for each in tmp_path.iterdir() if each.is_dir())
            (folder / ".last.new").write_text("half a chec")  # killed while it wrote the next
            keys.add(witness.start())
            wire = http.client.HTTPConnection("127.0.0.1", witness.port, timeout=10)
            stale = ask(wire, "POST", "/add-checkpoint", request(HONEST, old, size))
            assert (stale.status, stale.text) == (409, f"{size}\n")
            wire.close()
        assert len(keys) == 1
        second = RunningWitness(tmp_path, LOG.verifier_key(ORIGIN))
        with second, pytest.raises(AssertionError, match="did not start"):
            second.start()


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
