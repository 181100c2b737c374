"""Cosignatures of ML-DSA-44 (C2SP tlog-cosignature): their bytes, and who finds a wrong one."""

import base64
import hashlib
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.mldsa import MLDSA44PrivateKey

from jackpot.transparency import cosignatures, notes
from tests.support.proof.log_requests import HONEST, LOG, ORIGIN, checkpoint, path_of, request
from tests.support.proof.witnesses import RunningWitness
from verifier import proof
from verifier.notes import (
    COSIGNATURE,
    ML_DSA_COSIGNATURE,
    Checkpoint,
    Note,
    NoteError,
    PublicKey,
    Signature,
    cosigned,
    number_of_witnesses,
)
from verifier.witness.witness import Witness

NAME = "witness.example/w1"
AT, SIZE, ROOT = 1_764_000_000, 20_852_163, bytes(range(32))
TEXT = notes.body_of(ORIGIN, SIZE, ROOT)
SEED, THIEF = (MLDSA44PrivateKey.from_seed_bytes(bytes([number]) * 32) for number in (1, 2))
PUBLIC = SEED.public_key().public_bytes_raw()
# Put together by hand from the text of the specification.
MESSAGE = bytes.fromhex(
    "737562747265652f76310a00"  # subtree/v1, a line feed and a zero
    "12" "7769746e6573732e6578616d706c652f7731"  # 18 bytes: witness.example/w1
    "0000000069248100"  # 1764000000
    "14" "686172626f75722e6578616d706c652f6d61696e"  # 20 bytes: harbour.example/main
    "0000000000000000"  # from the first leaf on
    "00000000013e2dc3"  # 20852163
    "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
)  # fmt: skip
PLACES = {  # of a byte of each field in the message
    "label": 3,
    "length of the name": 12,
    "name": 20,
    "time": 38,
    "length of the origin": 39,
    "origin": 45,
    "start": 67,
    "end": 75,
    "root": 107,
}


def key_id() -> bytes:
    return hashlib.sha256(NAME.encode() + b"\n\x06" + PUBLIC).digest()[:4]


KEY = PublicKey(NAME, key_id(), 6, PUBLIC)
OF_CONSOLE = cosignatures.WitnessKey(NAME, b"\x06", PUBLIC)


def line_of(signature: bytes, at: int = AT) -> str:
    return Signature(NAME, key_id(), at.to_bytes(8, "big") + signature).line()


def both_say(line: str, text: str = TEXT) -> list[bool]:
    """Whether verifier and console take it for the witness's."""
    document = f"{text}\n{LOG.sign(ORIGIN, text)}"
    is_kept = cosignatures.good_lines(document, line, [OF_CONSOLE]) == line
    return [KEY.has_signed(Note.parse(document + line)), is_kept]


def test_the_message_is_that_of_the_specification() -> None:
    assert len(MESSAGE) == 12 + 1 + 18 + 8 + 1 + 20 + 8 + 8 + 32
    assert cosigned(ML_DSA_COSIGNATURE, NAME, AT, TEXT) == MESSAGE
    assert OF_CONSOLE._message(f"{TEXT}\n{LOG.sign(ORIGIN, TEXT)}", AT) == MESSAGE
    assert both_say(line_of(SEED.sign(MESSAGE))) == [True, True]
    assert OF_CONSOLE.id == key_id()


def test_lines_of_extension_are_not_signed() -> None:
    longer = TEXT + "an extension\nanother one\n"
    assert cosigned(ML_DSA_COSIGNATURE, NAME, AT, longer) == MESSAGE
    assert both_say(line_of(SEED.sign(MESSAGE)), longer) == [True, True]
    assert cosigned(COSIGNATURE, NAME, AT, longer).endswith(b"another one\n")


@pytest.mark.parametrize("field", PLACES)
def test_a_wrong_byte_in_any_field_is_refused(field: str) -> None:
    wrong = bytearray(MESSAGE)
    wrong[PLACES[field]] ^= 1
    assert both_say(line_of(SEED.sign(bytes(wrong)))) == [False, False]


@pytest.mark.parametrize(
    "line",
    [
        line_of(THIEF.sign(MESSAGE)),
        line_of(SEED.sign(MESSAGE), AT + 1),
        line_of(SEED.sign(MESSAGE)[:-1]),
        line_of(SEED.sign(MESSAGE) + b"x"),
        line_of(SEED.sign(TEXT.encode())),
        line_of(SEED.sign(MESSAGE.replace((AT).to_bytes(8, "big"), bytes(8))), 0),
        line_of(SEED.sign(MESSAGE.replace((AT).to_bytes(8, "big"), b"\xff" * 8)), 2**64 - 1),
    ],
)
def test_what_else_is_no_cosignature(line: str) -> None:
    assert both_say(line) == [False, False]


def test_names_that_no_message_holds() -> None:
    with pytest.raises(NoteError, match="1 to 255 bytes"):
        cosigned(ML_DSA_COSIGNATURE, "é" * 128, AT, TEXT)
    with pytest.raises(NoteError, match="a name, a size"):
        cosigned(ML_DSA_COSIGNATURE, NAME, AT, "no checkpoint\n")


@pytest.fixture
def witness(tmp_path: Path) -> Witness:
    log = PublicKey.parse(LOG.verifier_key(ORIGIN))
    return Witness(tmp_path / "w", NAME, [log], now=lambda: AT + 0.5, with_ml_dsa=True)


def test_a_witness_cosigns_by_both(witness: Witness, tmp_path: Path) -> None:
    keys = list(map(PublicKey.parse, witness.public_keys()))
    assert [key.kind for key in keys] == [COSIGNATURE, ML_DSA_COSIGNATURE]
    assert witness.public_keys()[1] in witness.page()
    for old, size in ((0, 5), (5, 13)):
        answer = witness.add(request(HONEST, old, size))
        assert (answer.status, answer.text.count("— ")) == (200, 2)
        note = Note.parse(checkpoint(HONEST, size) + answer.text)
        assert [key.has_signed(note) for key in keys] == [True, True]
        assert {line.value[:8] for line in note.signatures[1:]} == {AT.to_bytes(8, "big")}
    for file in (tmp_path / "w").glob("secret-key*"):
        assert file.stat().st_mode & 0o777 == 0o600
    # A key that was made signs at every start.
    again = Witness(tmp_path / "w", NAME, [PublicKey.parse(LOG.verifier_key(ORIGIN))])
    assert again.public_keys() == witness.public_keys()


def test_a_name_is_no_longer_than_a_message_holds(tmp_path: Path) -> None:
    log = PublicKey.parse(LOG.verifier_key("l" * 256))
    for name, logs in (("w" * 256, []), (NAME, [log])):
        with pytest.raises(NoteError, match="longer than 255 bytes"):
            Witness(tmp_path, name, logs)


def test_without_the_library_it_does_not_start_and_forgets_no_key(tmp_path: Path) -> None:
    log = LOG.verifier_key(ORIGIN)
    with RunningWitness(tmp_path, log, ml_dsa=True) as witness:
        keys = witness.start_with_keys()
        witness.kill()
        assert witness.start_with_keys() == keys
        witness.kill()
    with RunningWitness(tmp_path, log) as plain, pytest.raises(AssertionError, match="not start"):
        plain.start()


def test_a_witness_counts_once(witness: Witness) -> None:
    one, other = map(PublicKey.parse, witness.public_keys())
    stranger = PublicKey("witness.example/w2", other.id, 6, PUBLIC)
    same_key = PublicKey("witness.example/w3", one.id, one.kind, one.key)
    assert number_of_witnesses([]) == 0
    assert number_of_witnesses([one, other]) == 1
    assert number_of_witnesses([one, stranger]) == 2
    assert number_of_witnesses([other, same_key]) == 2
    assert number_of_witnesses([other, same_key, one]) == 1  # the one name has both keys


@pytest.fixture
def proof_file(witness: Witness, tmp_path: Path) -> Path:
    """Growth from 5 to 13, cosigned."""
    cosigned_notes = [
        checkpoint(HONEST, size) + witness.add(request(HONEST, old, size)).text
        for old, size in ((0, 5), (5, 13))
    ]
    hashes = [base64.b64encode(step).decode() for step in path_of(HONEST, 5, 13)]
    file = tmp_path / "growth"
    file.write_text("\n".join(["log-growth@v1", *hashes, "", *cosigned_notes]))
    return file


def verdict(file: Path, *keys: str, witnesses: int = 1) -> int:
    options = [option for key in keys for option in ("--key", key)]
    return proof.main([str(file), *options, "--witnesses", str(witnesses)])


def test_the_verifier_checks_it_offline(
    witness: Witness, proof_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = LOG.verifier_key(ORIGIN)
    classic, post_quantum = witness.public_keys()
    assert verdict(proof_file, log, post_quantum) == 0
    assert verdict(proof_file, log, classic, post_quantum, witnesses=2) == 1
    capsys.readouterr()
    digits = post_quantum.split("+")[1]
    message = MESSAGE.replace(SIZE.to_bytes(8, "big"), (13).to_bytes(8, "big"))
    by_thief = AT.to_bytes(8, "big") + THIEF.sign(message)
    forged = notes.signature_line(NAME, bytes.fromhex(digits), by_thief)
    lines = proof_file.read_text().splitlines(keepends=True)
    proof_file.write_text("".join([*lines[:-1], forged]))
    sentence = f"the cosignature of ML-DSA-44 of {NAME} by key {digits} is not good"
    for keys in ((log, classic, post_quantum), (log, post_quantum)):
        assert verdict(proof_file, *keys) == 1
        assert f"of 13: {sentence}" in capsys.readouterr().out
    assert verdict(proof_file, log, classic) == 0  # that key was not given


def test_without_the_library_it_is_said_to_be_unchecked(
    witness: Witness,
    proof_file: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in list(sys.modules):
        if name.partition(".")[0] == "cryptography":
            monkeypatch.setitem(sys.modules, name, None)
    log, (classic, post_quantum) = LOG.verifier_key(ORIGIN), witness.public_keys()
    assert verdict(proof_file, log, classic, post_quantum) == 0
    assert "was not checked: install cryptography" in capsys.readouterr().out
    assert verdict(proof_file, log, post_quantum) == 1
    out = capsys.readouterr().out
    assert "0 of the witnesses cosigned it, and not 1" in out
    assert "was not checked: install cryptography" in out


def test_the_parsed_checkpoint_knows_who_forged() -> None:
    text = f"{TEXT}\n{LOG.sign(ORIGIN, TEXT)}{line_of(THIEF.sign(MESSAGE))}"
    keys = [PublicKey.parse(LOG.verifier_key(ORIGIN)), KEY]
    assert Checkpoint.parse(text).unsigned(keys) == [
        f"the cosignature of ML-DSA-44 of {NAME} by key {key_id().hex()} is not good"
    ]
