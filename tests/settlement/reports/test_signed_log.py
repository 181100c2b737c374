"""Reports name the signed checkpoint that they were made from; the verifier looks at it."""

import json
import shutil
from pathlib import Path

import pytest
from pypdf import PdfReader
from pytest_django import Settings

from jackpot.models import Checkpoint
from jackpot.transparency import notes
from settlement.core import signing
from settlement.reports.exports import folder_of
from tests.support.houses.office.exports import by_name, public_key, requested, write
from tests.support.pages.page_staff import logged_in
from tests.support.people.cast import ClaimHouse
from tests.support.proof.transparency import sign_checkpoints
from tests.support.suite.databases import FreshDatabase
from verifier.export import findings, main
from verifier.notes import PublicKey


@pytest.fixture
def house(fresh_database: FreshDatabase, settings: Settings, tmp_path: Path) -> ClaimHouse:
    settings.EXPORT_DIR = str(tmp_path)
    settings.BUNDLE_SIGNING_KEY = "22" * 32
    settings.CLAIM_WAIT_S = 0
    house = ClaimHouse()
    house.hit_royal()
    return house


def test_a_report_makes_and_names_a_checkpoint(
    house: ClaimHouse, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    key = sign_checkpoints(settings)
    export = write(requested("ledger", "csv", "pdf"))
    files = by_name(export)
    checkpoint = Checkpoint.objects.get()
    assert checkpoint.cause == "report"
    (point,) = json.loads(files["json"].read_text())["checkpoints"]
    assert point["log"] == {
        "size": point["block"],  # it covers all that the report says
        "root": bytes(checkpoint.root).hex(),
        "keys": [key.id.hex()],
        "note": checkpoint.note,
    }
    words = (
        f"main log of {checkpoint.size} blocks, root {bytes(checkpoint.root).hex()[:16]},"
        f" key {key.id.hex()}"
    )
    text = " ".join(PdfReader(files["pdf"]).pages[0].extract_text().split())
    assert words in text
    assert words in files["csv"].read_text()
    page = logged_in("ines").get("/reports/ledger/").content.decode()
    assert f"Signed: {words}." in " ".join(page.split())
    folder = folder_of(export)
    assert findings(folder, public_key(), [key]) == []
    options = ["--key", signing.public_key(), "--log-key"]
    assert main([str(folder), *options, notes.keys()[0].verifier_key("harbour.example/main")]) == 0
    assert capsys.readouterr().err == ""
    assert main([str(folder), *options[:2]]) == 0
    assert "the checkpoint of main was not checked: give the key of" in capsys.readouterr().err
    assert main([str(folder), *options, notes.keys()[0].verifier_key("harbour.example/other")]) == 2
    assert "No log of this export has the key harbour.example/other" in capsys.readouterr().err


def test_another_checkpoint_in_the_manifest_is_found(
    house: ClaimHouse, settings: Settings, tmp_path: Path
) -> None:
    """Whoever has the key of reports may sign another manifest, and not another checkpoint."""
    key = sign_checkpoints(settings)
    folder = folder_of(write(requested("ledger", "csv")))
    thief = notes.key_of("78" * 32)
    body = json.loads((folder / "manifest.json").read_text())
    true = body["checkpoints"][0]["log"]
    forged = notes.signed("harbour.example/main", true["size"], bytes(32), [thief])
    for log, words in (
        ({**true, "note": forged, "root": bytes(32).hex()}, "no key given signed"),
        ({**true, "root": bytes(32).hex()}, "size and root beside it are not its own"),
        ({**true, "note": "nothing"}, "cannot be read"),
        (None, "names no checkpoint of main"),
    ):
        copy = tmp_path / "copy"
        shutil.copytree(folder, copy)
        body["checkpoints"][0]["log"] = log
        text = json.dumps(body).encode()
        (copy / "manifest.json").write_bytes(text)
        (copy / "manifest.sig").write_text(signing.sign(text).hex())
        assert words in " ".join(findings(copy, public_key(), [key]))
        assert findings(copy, public_key()) == []  # whoever asks for the files alone
        shutil.rmtree(copy)


def test_without_a_key_a_report_says_that_there_is_none(
    house: ClaimHouse, settings: Settings
) -> None:
    for wrong in ("", "no-key"):
        settings.CHECKPOINT_SIGNING_KEY = wrong
        export = write(requested("ledger", "csv"))
        assert export.state == "done"
        files = by_name(export)
        assert json.loads(files["json"].read_text())["checkpoints"][0]["log"] is None
        assert "no signed log" in files["csv"].read_text()
        assert not Checkpoint.objects.exists()
    signed = PublicKey.parse(notes.key_of("77" * 32).verifier_key("harbour.example/main"))
    assert findings(folder_of(export), public_key(), [signed]) == [
        "the manifest names no checkpoint of main"
    ]
