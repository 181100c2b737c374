"""Archives of a few rows, forged by hand: each sentence that is said of them, whole."""

import gzip
from pathlib import Path
from typing import Any

import pytest

from tests.support.proof.signed_files import PUBLIC, entry, sign
from verifier.archive import UnknownFormat, findings, main, remarks

HASH = "ab" * 32
ROWS = {
    "tables_jackpotsystem": ("id,code", "7,main"),
    "jackpot_head": ("system_id,seq,block_number,block_hash", f"7,2,1,\\x{HASH}"),
    "jackpot_entry": ("system_id,seq,type,body_hash", "7,1,pay,\\x01", "7,2,close_day,\\x02"),
}
POINT = {"system": "main", "entry": 2, "block": 1, "hash": HASH}


def archive(folder: Path, **changes: Any) -> dict[str, Any]:
    """The order of a system with one close."""
    files = [
        entry(
            folder,
            f"{table}.csv.gz",
            gzip.compress("\n".join([*lines, ""]).encode(), mtime=0),
            table=table,
            columns=lines[0].split(","),
            rows=len(lines) - 1,
        )
        for table, lines in ROWS.items()
    ]
    body = {
        "format": 1,
        "kind": "archive",
        "release": "1.0",
        "through": "2026-10",
        "files": files,
        "checkpoints": [POINT],
        "closes": {"main": {"entry": 2, "body_hash": "02"}},
    } | changes
    sign(folder, body)
    return body


def test_it_is_as_it_was_signed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    archive(tmp_path)
    assert findings(tmp_path, PUBLIC) == []
    assert main([str(tmp_path), "--key", PUBLIC.hex()]) == 0
    assert capsys.readouterr().out == "The archive is as it was signed.\n"


@pytest.mark.parametrize(
    ("changes", "sentences"),
    [
        ({"kind": "export"}, ["the manifest is that of something else"]),
        *(
            ({"checkpoints": [POINT | other]},
             ["the order of main does not stand where the manifest says"])
            for other in ({"entry": 3}, {"block": 2}, {"hash": "cd" * 32})
        ),
        *(
            ({"closes": {"main": {"entry": 2, "body_hash": "02"} | other}},
             ["the close of 2026-10 is not in the order of main"])
            for other in ({"entry": 1, "body_hash": "01"}, {"body_hash": "03"}, {"entry": 3})
        ),
        ({"closes": {}}, []),
    ],
)  # fmt: skip
def test_what_a_manifest_says_otherwise(
    tmp_path: Path, changes: dict[str, Any], sentences: list[str]
) -> None:
    archive(tmp_path, **changes)
    assert findings(tmp_path, PUBLIC) == sentences


def test_what_became_of_the_files(tmp_path: Path) -> None:
    body = archive(tmp_path)
    columns, rows, broken = (dict(each) for each in body["files"])
    columns["columns"], rows["rows"] = ["id", "name"], 2
    broken |= entry(tmp_path, broken["name"], b"no archive")
    sign(tmp_path, body | {"files": [columns, rows, broken]})
    assert findings(tmp_path, PUBLIC) == [
        "jackpot_entry.csv.gz cannot be read: BadGzipFile(\"Not a gzipped file (b'no')\")",
        "jackpot_head.csv.gz has 1 rows, the manifest says 2",
        "tables_jackpotsystem.csv.gz has other columns than the manifest says",
    ]
    archive(tmp_path)
    (tmp_path / "jackpot_entry.csv.gz").write_bytes(b"")
    (tmp_path / "jackpot_head.csv.gz").unlink()
    (tmp_path / "more.csv.gz").write_bytes(b"")
    assert findings(tmp_path, PUBLIC) == [
        "jackpot_head.csv.gz is missing",
        "more.csv.gz is not of this archive",
        "jackpot_entry.csv.gz is not the file that was signed",
    ]


def test_a_later_format_is_read_by_its_own_release(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive(tmp_path, format=2)
    says = (
        "Release 1.0 wrote this archive in format 2, and format 1 is read here: read it with that"
        " release or a later one."
    )
    with pytest.raises(UnknownFormat) as why:
        findings(tmp_path, PUBLIC)
    assert str(why.value) == says
    assert main([str(tmp_path), "--key", PUBLIC.hex()]) == 2
    assert capsys.readouterr().err == f"{says}\n"


def test_rehearsals_are_said_to_be_such(tmp_path: Path) -> None:
    points = [POINT | {"system": code} for code in ("rehearsal-b", "main", "rehearsal-a")]
    archive(tmp_path, checkpoints=points)
    assert remarks(tmp_path) == "".join(
        f"The system rehearsal-{each} is a rehearsal: its money is not real, and nobody was paid.\n"
        for each in "ab"
    )


def test_what_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "nowhere"), "--key", PUBLIC.hex()]) == 2
    assert capsys.readouterr().err.startswith("The archive cannot be read: FileNotFoundError(")
    assert main([str(tmp_path)]) == 2
    assert capsys.readouterr().err == (
        "The archive cannot be read: NoteError('no key is given: name one by --key, or a file of"
        " them by --keys')\n"
    )
