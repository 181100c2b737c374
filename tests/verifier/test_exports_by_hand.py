"""Exports of a few rows, forged by hand: each sentence that is said of them, whole."""

import base64
from pathlib import Path
from typing import Any

import pytest

from tests.support.proof.signed_files import DIGITS, NAME, PUBLIC, entry, sign
from verifier import ed25519
from verifier.export import findings, idle_keys, main, unchecked
from verifier.file_keys import FileKey
from verifier.notes import PublicKey

CSV = b"\xef\xbb\xbfThe house\nAmount,Who\n1.50,ana\n2.00,bo\nfoot\n"
POINT: dict[str, Any] = {"system": "main", "block": 0}
LOG = PublicKey("harbour.example/main", b"1234", 1, bytes(32))


def export(folder: Path, content: bytes = CSV, **changes: Any) -> dict[str, Any]:
    """One report of two rows."""
    file = entry(folder, "a.csv", content, head_lines=1, foot_lines=1)
    body = {
        "format": 1,
        "report": "slips",
        "columns": [["amount", "Amount"], ["who", "Who"]],
        "totals": {"amount": "3.50"},
        "rows": 2,
        "files": [file],
        "checkpoints": [POINT],
    } | changes
    sign(folder, body)
    return body


def test_it_is_as_it_was_signed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    export(tmp_path)
    assert findings(tmp_path, PUBLIC) == []
    assert main([str(tmp_path), "--key", PUBLIC.hex()]) == 0
    output = capsys.readouterr()
    assert output.out == "The files are as they were signed, and their sums agree.\n"
    assert output.err == (
        "the checkpoint of main was not checked: give the key of its log by --log-key\n"
    )


@pytest.mark.parametrize(
    ("changes", "sentences"),
    [
        ({"format": 3}, ["the manifest has the format 3, not 1 or 2"]),
        ({"format": 2, "reports": []},
         ["the manifest names no report", "a.csv is not of this export"]),
        ({"rows": 3}, ["a.csv has 2 rows, the manifest says 3"]),
        ({"totals": {"amount": "3.51"}}, ["a.csv: amount comes to 3.50, the manifest says 3.51"]),
        ({"totals": {"who": "1"}},
         ["a.csv: row 1 cannot be read: InvalidOperation([<class 'decimal.ConversionSyntax'>])"]),
        ({"files": []}, ["slips has no file", "a.csv is not of this export"]),
    ],
)  # fmt: skip
def test_what_a_manifest_says_otherwise(
    tmp_path: Path, changes: dict[str, Any], sentences: list[str]
) -> None:
    export(tmp_path, **changes)
    assert findings(tmp_path, PUBLIC) == sentences


def test_what_became_of_the_files(tmp_path: Path) -> None:
    body = export(tmp_path)
    (tmp_path / "b.csv").write_bytes(b"")
    (tmp_path / "a.csv").write_bytes(CSV + b"x")
    assert findings(tmp_path, PUBLIC) == [
        "b.csv is not of this export",
        "a.csv is not the file that was signed",
    ]
    (tmp_path / "a.csv").unlink()
    (tmp_path / "b.csv").unlink()
    assert findings(tmp_path, PUBLIC) == ["a.csv is missing"]
    twice = export(tmp_path, files=body["files"] * 2)
    assert findings(tmp_path, PUBLIC) == ["a.csv is named 2 times"]
    of_a_return = {"format": 2, "reports": [{**body, "report": "one"}, {**twice, "files": []}]}
    sign(tmp_path, of_a_return | {"checkpoints": []})
    assert findings(tmp_path, PUBLIC) == ["slips has no file"]


def test_a_short_row_and_an_empty_amount(tmp_path: Path) -> None:
    export(tmp_path, CSV.replace(b"2.00,bo", b",bo"), totals={"amount": "1.50"})
    assert findings(tmp_path, PUBLIC) == []
    export(
        tmp_path,
        CSV.replace(b"2.00,bo", b"2.00"),
        totals={"who": "1"},
        columns=[["x", "X"], ["who", "Who"]],
    )
    (sentence,) = findings(tmp_path, PUBLIC)
    assert sentence.startswith("a.csv: row 1 cannot be read: InvalidOperation(")


def test_whose_signature_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    export(tmp_path)
    other = ed25519.public_key(bytes(32))
    unsigned = "the manifest is not signed by this key"
    assert findings(tmp_path, other) == [unsigned]
    others = [FileKey(other, "elsewhere", "00000000")]
    assert findings(tmp_path, others) == [
        f"the manifest is signed by key {DIGITS} of {NAME}, which is none of those given"
    ]
    (tmp_path / "manifest.sig").write_text("no digits")
    assert findings(tmp_path, PUBLIC) == [unsigned]
    (tmp_path / "manifest.sig").unlink()
    assert findings(tmp_path, PUBLIC) == [unsigned]
    assert main([str(tmp_path), "--key", PUBLIC.hex()]) == 1
    assert capsys.readouterr().out == f"{unsigned}\n"
    (tmp_path / "manifest.json").unlink()
    assert main([str(tmp_path), "--key", PUBLIC.hex()]) == 2
    assert capsys.readouterr().err.startswith("The export cannot be read: FileNotFoundError(")


def test_keys_of_logs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A point without a log, without a proof, and a key that is of no log here."""
    assert idle_keys([POINT], [LOG]) == []
    assert idle_keys([{"system": "other"}], [LOG]) == ["harbour.example/main"]
    assert unchecked([POINT], [LOG]) == []
    export(tmp_path)
    assert findings(tmp_path, PUBLIC, [LOG]) == ["the manifest names no checkpoint of main"]
    export(tmp_path, checkpoints=[{**POINT, "log": {"note": "no note"}}])
    assert findings(tmp_path, PUBLIC, [LOG]) == [
        "the checkpoint of main cannot be read: a note ends with an empty line and its signatures"
    ]
    key = "other.example/elsewhere+2fc86a2e+AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    words = [str(tmp_path), "--key", PUBLIC.hex(), "--log-key", key]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("verifier.notes.key_id", lambda _name, _public: bytes.fromhex("2fc86a2e"))
        patch.setattr("verifier.file_keys.key_id", lambda _name, _public: bytes.fromhex(DIGITS))
        assert main(words) == 2
    assert capsys.readouterr().err == "No log of this export has the key other.example/elsewhere.\n"


@pytest.mark.parametrize(
    ("key", "statement", "sentence"),
    [
        ({}, {"key": ""}, "the manifest does not name the key that signed it"),
        ({}, {"key": "+"}, "the manifest does not name the key that signed it"),
        ({}, {"key": f"{NAME}+00"}, "the manifest names key 00, and another one signed it"),
        ({"name": "x"}, {}, f"the manifest names key {DIGITS}, and another one signed it"),
        ({}, {"signed_at": "soon"}, "the manifest does not say when it was signed"),
        ({}, {"signed_at": "2026-11-21T10:00:00"}, "the manifest does not say when it was signed"),
        ({"since": "2026-11-21T10:00:01+00:00"}, {},
         f"it was signed at 2026-11-21 10:00:00+00:00, and key {DIGITS} signed from"
         " 2026-11-21 10:00:01+00:00 on"),
        ({"until": "2026-11-21T10:00:00+00:00"}, {},
         f"it was signed at 2026-11-21 10:00:00+00:00, and key {DIGITS} was replaced at"
         " 2026-11-21 10:00:00+00:00"),
        ({"since": "2026-11-21T10:00:00+00:00", "until": "2026-11-21T10:00:01+00:00"}, {}, ""),
    ],
)  # fmt: skip
def test_the_time_of_a_key(
    tmp_path: Path, key: dict[str, str], statement: dict[str, Any], sentence: str
) -> None:
    export(tmp_path, **statement)
    times = " ".join(f"{name} {key[name]}" for name in ("since", "until") if name in key)
    encoded = base64.b64encode(b"\x01" + PUBLIC).decode()
    file_key = FileKey.parse(f"{NAME}+{DIGITS}+{encoded} {times}")
    if "name" in key:
        file_key = FileKey(PUBLIC, key["name"])
    assert findings(tmp_path, [file_key]) == ([sentence] if sentence else [])
