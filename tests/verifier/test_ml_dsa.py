"""A log's signature of ML-DSA-44: a library checks it, or it is said to be unchecked."""

import base64
import sys

import pytest

from jackpot.transparency import notes
from verifier.notes import Checkpoint, PublicKey

ORIGIN = "harbour.example/main"
CLASSIC, POST_QUANTUM = notes.key_of("77" * 32), notes.key_of("ml-dsa-44:" + "78" * 32)
THIEF = notes.key_of("ml-dsa-44:" + "79" * 32)
KEYS = [PublicKey.parse(key.verifier_key(ORIGIN)) for key in (CLASSIC, POST_QUANTUM)]


def checkpoint_by(*keys: notes.LogKey) -> Checkpoint:
    return Checkpoint.parse(notes.signed(ORIGIN, 5, b"r" * 32, list(keys)))


def with_a_forgery() -> Checkpoint:
    """The line names the log's key of ML-DSA-44, and a thief signed."""
    text = notes.body_of(ORIGIN, 5, b"r" * 32)
    value = POST_QUANTUM.key_id(ORIGIN) + THIEF.private.sign(text.encode())
    line = f"— {ORIGIN} {base64.b64encode(value).decode()}\n"
    return Checkpoint.parse(f"{text}\n{CLASSIC.sign(ORIGIN, text)}{line}")


@pytest.fixture
def without_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine with Python alone."""
    for name in list(sys.modules):
        if name.partition(".")[0] == "cryptography":
            monkeypatch.setitem(sys.modules, name, None)


def test_both_signatures_are_checked() -> None:
    checkpoint = checkpoint_by(CLASSIC, POST_QUANTUM)
    assert [key.has_signed(checkpoint.note) for key in KEYS] == [True, True]
    assert checkpoint.unsigned(KEYS) == checkpoint.unchecked(KEYS) == []
    assert checkpoint_by(POST_QUANTUM).unsigned(KEYS[1:]) == []


def test_a_forged_one_is_found_beside_a_good_one_of_ed25519() -> None:
    sentence = f"the signature of ML-DSA-44 by key {KEYS[1].id.hex()} is not good"
    assert with_a_forgery().unsigned(KEYS) == [sentence]
    assert with_a_forgery().unsigned(KEYS[:1]) == []  # that key was not given
    assert len(with_a_forgery().unsigned(KEYS[1:])) == 2


@pytest.mark.usefixtures("without_library")
def test_without_the_library_it_is_said_to_be_unchecked() -> None:
    for checkpoint in (checkpoint_by(CLASSIC, POST_QUANTUM), with_a_forgery()):
        assert checkpoint.unsigned(KEYS) == []
        (sentence,) = checkpoint.unchecked(KEYS)
        assert sentence.endswith("was not checked: install cryptography")
        assert POST_QUANTUM.key_id(ORIGIN).hex() in sentence
    assert checkpoint_by(POST_QUANTUM).unsigned(KEYS[1:]) == [
        "no key given signed the checkpoint as that log"
    ]
    assert checkpoint_by(CLASSIC).unchecked(KEYS) == []
