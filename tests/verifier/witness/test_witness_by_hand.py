"""Each answer of a witness, whole; who may be one; what it keeps of a history that was forged."""

import hashlib
from pathlib import Path

import pytest

from jackpot.transparency import merkle
from tests.support.proof.log_requests import HONEST, LOG, ORIGIN, checkpoint, request
from verifier.notes import COSIGNATURE, NoteError, PublicKey
from verifier.witness import keys, server
from verifier.witness.witness import LONGEST_NAME, MOST_REFUSALS, Answer, Witness

FORGED = [merkle.leaf_hash(b"forged"), *HONEST[1:]]
NAME = "witness.example/w1"
KEY = PublicKey.parse(LOG.verifier_key(ORIGIN))
PLAIN, SIZE = "text/plain; charset=utf-8", "text/x.tlog.size"
DIGITS = hashlib.sha256(ORIGIN.encode()).hexdigest()


@pytest.fixture
def witness(tmp_path: Path) -> Witness:
    """It knows five blocks."""
    witness = Witness(tmp_path, NAME, [KEY], now=lambda: 1_764_000_000.5)
    assert witness.add(request(HONEST, 0, 5)).status == 200
    return witness


def test_each_refusal_in_words(witness: Witness) -> None:
    note = checkpoint(HONEST, 7)
    other = checkpoint(HONEST, 7, name="other.example/main")
    forged = checkpoint(FORGED, 7)
    assert [
        witness.add(body)
        for body in (
            b"\xff",
            b"old 5\n",
            b"new 5\n\n" + note.encode(),
            b"old x\n\n" + note.encode(),
            b"old 5\nAAAA\n\n" + note.encode(),
            b"old 5\n\nno checkpoint",
            request(HONEST, 5, 7, other),
            request(HONEST, 5, 7, note.split("\n\n")[0] + "\n\n— nobody AAAAAAAA\n"),
            request(HONEST, 8, 7),
            request(HONEST, 4, 7),
            request(HONEST, 5, 7, forged),
        )
    ] == [
        Answer(400, "'utf-8' codec can't decode byte 0xff in position 0: invalid start byte\n"),
        Answer(400, "an empty line stands before the checkpoint\n"),
        Answer(400, "the first line is `old` and a size\n"),
        Answer(400, "x is no size\n"),
        Answer(400, "a line of the proof is no hash\n"),
        Answer(400, "a note ends with an empty line and its signatures\n"),
        Answer(404, "other.example/main is not a log of this witness\n"),
        Answer(403, f"no key of {ORIGIN} signed the checkpoint\n"),
        Answer(400, "the old size 8 is above that of the checkpoint\n"),
        Answer(409, "5\n", SIZE),
        Answer(422, "the proof does not lead from 5 to 7\n"),
    ]


def test_a_signature_that_is_not_good(witness: Witness) -> None:
    text, _, _ = checkpoint(HONEST, 7).rpartition("\n\n")
    wrong = f"{text}\n\n{LOG.sign(ORIGIN, 'something else')}"
    assert witness.add(request(HONEST, 5, 7, wrong)) == Answer(
        403, f"a signature of {ORIGIN} is not good\n"
    )


def test_a_proof_has_so_many_hashes(witness: Witness) -> None:
    head, _, rest = request(HONEST, 5, 5).decode().partition("\n\n")
    hash_ = "A" * 43 + "="
    for count, says in ((63, "the proof does not lead from 5 to 5\n"),
                        (64, "a proof has at most 63 hashes\n")):  # fmt: skip
        lines = [head, *[hash_] * count]
        assert witness.add(("\n".join(lines) + "\n\n" + rest).encode()).text == says


def test_pages_before_and_after(witness: Witness, tmp_path: Path) -> None:
    other = Witness(tmp_path / "new", NAME, [KEY])
    folder = DIGITS[:16]
    assert other.health() == Answer(200, f"works\n{ORIGIN} 0 refused 0\n", PLAIN)
    assert other.checkpoint(DIGITS) == Answer(404, "no checkpoint of this log was cosigned\n")
    assert other.page() == (
        f"Witness {NAME}\n{other.public_key()}\n\nLog {ORIGIN}: nothing yet\nFolder {folder}\n"
    )
    root = merkle.root_of(merkle.append([], 0, HONEST[:5])).hex()
    assert witness.health().text == f"works\n{ORIGIN} 5 refused 0\n"
    assert f"Log {ORIGIN}: 5 blocks, {root}\nFolder {folder}\n" in witness.page()
    assert witness.checkpoint(DIGITS).text.startswith(checkpoint(HONEST, 5))
    assert witness.checkpoint("0" * 64).status == 404


def test_what_it_keeps_of_a_forged_history(witness: Witness, tmp_path: Path) -> None:
    folder = tmp_path / DIGITS[:16]
    last = (folder / "last").read_text()
    for body, why in (
        (request(HONEST, 5, 5, checkpoint(FORGED, 5)), "another root of the same size 5"),
        (request(HONEST, 3, 5, checkpoint(FORGED[::-1], 5)), "another root of the same size 5"),
        (request(HONEST, 5, 9, checkpoint(FORGED, 9)), "no proof that it grew from 5 to 9 blocks"),
    ):
        before = {*folder.glob("refused-*")}
        witness.add(body)
        (new,) = {*folder.glob("refused-*")} - before
        head, _, rest = new.read_text().partition("\n\n")
        assert head.startswith("REFUSED 20")
        assert head.endswith(f"Z: {why}")
        note = body.decode().partition("\n\n")[2]
        assert rest == f"Cosigned before:\n{last}\nRefused:\n{note}"
        assert new.name.startswith("refused-20")
        assert new.stat().st_mode & 0o777 == 0o600
        witness.add(body)
        assert len({*folder.glob("refused-*")}) == len(before) + 1  # once
    assert (folder / "last").read_text() == last
    assert witness.health().text == f"works\n{ORIGIN} 5 refused 3\n"
    assert witness.page().count("REFUSED 20") == 3


def test_it_keeps_only_so_many(witness: Witness, tmp_path: Path) -> None:
    folder = tmp_path / DIGITS[:16]
    for number in range(MOST_REFUSALS - 1):
        (folder / f"refused-{number}-x").touch()
    for size in (8, 9):
        witness.add(request(HONEST, 5, size, checkpoint(FORGED, size)))
    assert len([*folder.glob("refused-*")]) == MOST_REFUSALS == 1000


def test_who_may_be_a_witness(tmp_path: Path) -> None:
    cosigner = PublicKey(ORIGIN, b"1234", COSIGNATURE, bytes(31))
    longest = PublicKey("a" * LONGEST_NAME, b"1234", KEY.kind, KEY.key)
    longer = PublicKey("a" * (LONGEST_NAME + 1), b"1234", KEY.kind, KEY.key)
    Witness(tmp_path, "b" * LONGEST_NAME, [KEY, cosigner, longest])
    for name, logs, says in (
        ("a b", [KEY], "a b is no name of a witness: it has neither spaces nor a plus"),
        ("b" * 256, [KEY], f"{'b' * 256} is longer than 255 bytes"),
        (NAME, [KEY, longer], f"{'a' * 256} is longer than 255 bytes"),
        (NAME, [cosigner], f"{ORIGIN} has no key of Ed25519: a witness checks no other kind"),
    ):
        with pytest.raises(NoteError) as why:
            Witness(tmp_path, name, logs)
        assert str(why.value) == says


def test_a_key_that_is_none(tmp_path: Path) -> None:
    file = tmp_path / "secret-key"
    (first,) = keys.keys_in(tmp_path, with_ml_dsa=False)
    assert file.stat().st_mode & 0o777 == 0o600
    assert bytes.fromhex(file.read_text()) == first.secret
    assert keys.keys_in(tmp_path, with_ml_dsa=False)[0].public == first.public
    file.write_text("00" * 31)
    with pytest.raises(NoteError) as why:
        keys.keys_in(tmp_path, with_ml_dsa=False)
    assert str(why.value) == f"{file} is no key: it has 64 hexadecimal digits"


def test_a_folder_that_fails_is_said(witness: Witness, tmp_path: Path) -> None:
    last = tmp_path / DIGITS[:16] / "last"
    good = last.read_text()
    last.write_text("torn")
    fault = "a note ends with an empty line and its signatures"
    assert witness.add(request(HONEST, 5, 7)) == Answer(500, "the witness cannot use its folder\n")
    assert witness.health() == Answer(503, f"the witness cannot use its folder: {fault}\n")
    last.write_text(good)
    assert witness.add(request(HONEST, 5, 7)).status == 200
    assert witness.health().status == 200


def test_the_command_says_why_it_cannot_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--state", str(tmp_path), "--name", NAME, "--log", LOG.verifier_key(ORIGIN)]
    with server._alone(tmp_path):
        assert server.main(words) == 2
    assert capsys.readouterr().err == f"The witness cannot answer: another one uses {tmp_path}\n"
    assert server.main([*words, "--listen", "127.0.0.1:x"]) == 2
    assert capsys.readouterr().err.startswith("The witness cannot answer: invalid literal for int")
