"""An archive holds all that verifier and reports read, and shows whatever was changed in it."""

import datetime as dt
import gzip
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django import DjangoDbBlocker, Settings

import verifier.archive
from config.version import VERSION
from settlement.archives import opening
from settlement.archives.contents import FORMAT
from settlement.archives.writing import write
from settlement.core import signing
from settlement.core.errors import WrongState
from tests.support.cases.confirmed_house import person
from tests.support.pages.page_ledger import LedgerHouse
from tests.support.proof.archives import close_first, figures, triggers
from tests.support.suite.databases import FreshDatabase, clone, used_by_django
from verifier import verify
from verifier.archive import findings, main, remarks

FIRST = dt.date(2026, 1, 1)


def test_reports_and_verifier_read_the_same_from_an_archive(
    house: LedgerHouse,
    fresh_database: FreshDatabase,
    template_database: str,
    django_db_blocker: DjangoDbBlocker,
    tmp_path: Path,
    key: str,
) -> None:
    day, folder, tables = close_first(house), tmp_path / "archive", list[str]()
    before, guards = figures(), triggers()
    connection.close()
    body = write(day, folder, lambda table, _rows: tables.append(table))
    assert "jackpot_transfer" in tables
    assert body["closes"]["main"]["entry"] > 0
    assert (body["format"], body["release"]) == (FORMAT, VERSION)
    assert findings(folder, bytes.fromhex(key)) == []
    assert sum(len(rows) for rows in before.values()) > 10
    with clone(template_database) as other, used_by_django(other, django_db_blocker):
        opening.load(folder, opening.read(folder, key))
        assert figures() == before
        assert triggers() == guards  # on again, each as it was
        assert person("mere").password == "!"
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM tables_unitkey")
            assert cursor.fetchone() == (0,)
        connection.close()
        opened = verify(other.url, settled=False)
    recorded = verify(fresh_database.url, settled=False)
    assert (opened.findings, opened.counts) == (recorded.findings, recorded.counts)
    assert opened.findings == []


def test_a_day_that_is_open_is_not_archived(house: LedgerHouse, tmp_path: Path) -> None:
    folder = tmp_path / "archive"
    with pytest.raises(WrongState, match="is not closed: two people close it first"):
        write(FIRST, folder)
    assert list(tmp_path.iterdir()) == []
    folder.mkdir()
    with pytest.raises(WrongState, match="is there already"):
        write(FIRST, folder)


def test_one_that_is_broken_off_is_not_there(house: LedgerHouse, tmp_path: Path) -> None:
    day = close_first(house)

    def broken_off(table: str, _rows: int) -> None:
        if table == "jackpot_transfer":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(day, tmp_path / "archive", broken_off)
    assert list(tmp_path.iterdir()) == []
    write(day, tmp_path / "archive")


def test_without_a_key_nothing_is_begun(
    house: LedgerHouse, tmp_path: Path, settings: Settings
) -> None:
    settings.BUNDLE_SIGNING_KEY = ""
    with pytest.raises(WrongState, match="No signing key"):
        write(FIRST, tmp_path / "archive")
    assert list(tmp_path.iterdir()) == []


def edit_file(folder: Path) -> None:
    path = folder / "settlement_claim.csv.gz"
    path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes()) + b"9,9,x\n"))


def edit_manifest(folder: Path) -> None:
    path = folder / "manifest.json"
    path.write_bytes(path.read_bytes().replace(b'"rows":', b'"rows": ', 1))


def sign_anew(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """What somebody with the house's key could do: the manifest says otherwise, and is signed."""
    body = json.loads((folder / "manifest.json").read_bytes())
    change(body)
    text = json.dumps(body).encode()
    (folder / "manifest.json").write_bytes(text)
    (folder / "manifest.sig").write_text(signing.sign(text).hex())


TAMPERED: dict[str, tuple[Callable[[Path], object], str]] = {
    "a file": (edit_file, "settlement_claim.csv.gz is not the file that was signed"),
    "the manifest": (edit_manifest, "the manifest is not signed by this key"),
    "the signature": (
        lambda folder: (folder / "manifest.sig").write_text("00" * 64),
        "the manifest is not signed by this key",
    ),
    "a missing file": (
        lambda folder: (folder / "jackpot_hit.csv.gz").unlink(),
        "jackpot_hit.csv.gz is missing",
    ),
    "another file": (
        lambda folder: (folder / "more.csv.gz").write_bytes(b""),
        "more.csv.gz is not of this archive",
    ),
    "the number of rows": (
        lambda folder: sign_anew(folder, lambda body: body["files"][0].update(rows=10**6)),
        "rows, the manifest says 1000000",
    ),
    "where the order stood": (
        lambda folder: sign_anew(folder, lambda body: body["checkpoints"][0].update(entry=1)),
        "the order of main does not stand where the manifest says",
    ),
    "the close": (
        lambda folder: sign_anew(folder, lambda body: body["closes"]["main"].update(entry=1)),
        "is not in the order of main",
    ),
}


def test_tampering_with_an_archive_is_found_and_named(
    house: LedgerHouse, tmp_path: Path, key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    day = close_first(house)
    for what, (tamper, sentence) in TAMPERED.items():
        folder = tmp_path / what
        write(day, folder)
        assert main([str(folder), "--key", key]) == 0, what
        tamper(folder)
        assert main([str(folder), "--key", key]) == 1, what
        assert sentence in capsys.readouterr().out, what
    assert main([str(tmp_path / "nowhere"), "--key", key]) == 2
    with pytest.raises(WrongState, match="is not the file that was signed"):
        opening.read(tmp_path / "a file", key)
    with pytest.raises(WrongState, match="not signed by this key"):
        opening.read(tmp_path / "the manifest", key)


def later_format(body: dict[str, Any]) -> None:
    body.update(format=FORMAT + 1, release="9.2.0", files="in another way")


def test_a_later_format_is_refused_by_its_name(
    house: LedgerHouse, tmp_path: Path, key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "archive"
    write(close_first(house), folder)
    sign_anew(folder, later_format)
    sentence = (
        "Release 9.2.0 wrote this archive in format 2, and format 1 is read here:"
        " read it with that release or a later one."
    )
    with pytest.raises(WrongState, match=re.escape(sentence)):
        opening.read(folder, key)
    assert main([str(folder), "--key", key]) == 2
    assert capsys.readouterr().err.strip() == sentence
    assert verifier.archive.FORMAT == FORMAT


def test_it_names_each_rehearsal(tmp_path: Path) -> None:
    places = [{"system": code} for code in ("main", "rehearsal-main")]
    (tmp_path / "manifest.json").write_text(json.dumps({"checkpoints": places}))
    assert remarks(tmp_path).splitlines() == [
        "The system rehearsal-main is a rehearsal: its money is not real, and nobody was paid."
    ]


def test_by_the_commands(
    house: LedgerHouse,
    fresh_database: FreshDatabase,
    template_database: str,
    settings: Settings,
    tmp_path: Path,
    key: str,
) -> None:
    """As an operator and an inspector type them, each a process of its own."""
    day, folder = close_first(house), tmp_path / "archive"
    with pytest.raises(CommandError, match="Give a day like"):
        call_command("archive", through="soon", to=folder)

    def typed(*words: object) -> str:
        run = subprocess.run(
            [sys.executable, *map(str, words)],
            cwd=settings.BASE_DIR,
            env={
                **fresh_database.environment(),
                "SECRET_KEY": "archive",
                "BUNDLE_SIGNING_KEY": settings.BUNDLE_SIGNING_KEY,
            },
            capture_output=True,
            text=True,
            check=False,
        )
        return f"{run.returncode}: {run.stdout}{run.stderr}"

    connection.close()
    output = typed("manage.py", "archive", "--through", day, "--to", folder)
    check = f"python -m verifier.archive {folder} --key {key}"
    assert check in output, output
    assert main(check.split()[3:]) == 0
    with clone(template_database) as other:
        opened = typed("manage.py", "open_archive", folder, "--key", key, "--into", other.url)
        assert f"Opened, closed through {day}" in opened, opened
        checked = typed("-m", "verifier", "--database", other.url)
        assert checked.startswith("0: "), checked
        with pytest.raises(CommandError, match="is not empty"):
            call_command("open_archive", str(folder), into=other.url, key=key)
        with pytest.raises(CommandError, match="not signed by this key"):
            call_command("open_archive", str(folder), into=other.url, key="00" * 32)
