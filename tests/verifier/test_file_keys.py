"""Keys of files, checked with Python alone: whose signature, and whether the key signed by then."""

import base64
import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest

from verifier import ed25519
from verifier.file_keys import FileKey, keys_of, signer_of, unsigned
from verifier.notes import ED25519, NoteError, key_id

NAME = "harbour.example/house/files"
SECRETS = {"old": bytes([1] * 32), "new": bytes([2] * 32), "thief": bytes([3] * 32)}
MONDAY, FRIDAY = "2026-11-23T10:00:00+00:00", "2026-11-27T10:00:00+00:00"


def line(whose: str, *times: str, name: str = NAME) -> str:
    """As the house publishes it."""
    public = bytes([ED25519]) + ed25519.public_key(SECRETS[whose])
    encoded = base64.b64encode(public).decode()
    return " ".join([f"{name}+{key_id(name, public).hex()}+{encoded}", *times])


KEYS = [
    FileKey.parse(line("new", "since", FRIDAY)),
    FileKey.parse(line("old", "since", MONDAY, "until", FRIDAY)),
]


def manifest(whose: str, at: str, **other: Any) -> tuple[bytes, bytes]:
    name = line(whose).rpartition("+")[0]
    text = json.dumps({"key": name, "signed_at": at, **other}).encode()
    return text, ed25519.sign(SECRETS[whose], text)


def faults(whose: str, at: str, keys: list[FileKey] = KEYS, **other: Any) -> list[str]:
    text, signature = manifest(whose, at, **other)
    key = signer_of(text, signature, keys)
    return key.faults(json.loads(text)) if key else unsigned(text, signature, keys)


def test_each_key_is_good_for_its_own_time() -> None:
    wednesday, saturday = "2026-11-25T10:00:00+00:00", "2026-11-28T10:00:00+00:00"
    assert faults("old", wednesday) == faults("new", saturday) == faults("new", FRIDAY) == []
    assert "was replaced at" in faults("old", saturday)[0]
    assert "was replaced at" in faults("old", FRIDAY)[0]
    assert "signed from" in faults("new", wednesday)[0]
    assert "signed from" in faults("old", "2026-11-20T10:00:00+00:00")[0]


def test_a_key_that_nobody_published_is_named() -> None:
    digits = KEYS[1].id
    (fault,) = faults("thief", FRIDAY)
    assert f"is signed by key {line('thief').split('+')[1]} of {NAME}" in fault
    assert faults("thief", FRIDAY, key=f"{NAME}+{digits}") == [
        "the manifest is not signed by this key"
    ]
    plain = [FileKey.parse(ed25519.public_key(SECRETS["old"]).hex())]
    assert faults("thief", FRIDAY, plain) == ["the manifest is not signed by this key"]


def test_a_manifest_names_the_key_that_signed_it() -> None:
    plain = [FileKey.parse(ed25519.public_key(SECRETS["old"]).hex())]
    assert faults("old", FRIDAY, plain) == []  # when it signed, nobody said
    for keys in (plain, KEYS):
        other = faults("old", MONDAY, keys, key=f"{NAME}+{KEYS[0].id}")
        assert other == [f"the manifest names key {KEYS[0].id}, and another one signed it"]
        assert "does not name the key" in faults("old", MONDAY, keys, key="")[0]
        assert "does not say when" in faults("old", "then", keys)[0]
        assert "does not say when" in faults("old", "2026-11-25T10:00:00", keys)[0]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "22" * 31,
        "zz" * 32,
        f"{'22' * 32} since {MONDAY}",
        line("old").replace("+", "+0", 1),
        f"{line('old')} from {MONDAY}",
        f"{line('old')} since",
        f"{line('old')} since yesterday",
        f"{line('old')} since 2026-11-23T10:00:00",
    ],
)
def test_what_is_no_key_is_refused(text: str) -> None:
    with pytest.raises((NoteError, ValueError)):
        FileKey.parse(text)


def test_keys_come_from_files_with_one_a_line(tmp_path: Path) -> None:
    file = tmp_path / "keys.txt"
    file.write_text(f"{line('new', 'since', FRIDAY)}\n\n{line('old')}\n")
    keys = keys_of([ed25519.public_key(SECRETS["thief"]).hex()], [file])
    assert [key.since for key in keys] == [None, dt.datetime.fromisoformat(FRIDAY), None]
    with pytest.raises(NoteError, match="no key is given"):
        keys_of([])
