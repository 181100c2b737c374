"""Reports name the signed checkpoint that they were made from; the verifier looks at it."""

import base64
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from pypdf import PdfReader
from pytest_django import Settings

from jackpot.models import Checkpoint
from jackpot.transparency import checkpoints, notes, proofs
from settlement.audit import file_keys
from settlement.core import signing
from settlement.reports import exports
from settlement.reports.exports import folder_of
from tests.support.houses.office.exports import by_name, public_key, requested, write
from tests.support.pages.page_staff import logged_in
from tests.support.people.cast import ClaimHouse
from tests.support.proof.transparency import sign_checkpoints
from tests.support.suite.databases import FreshDatabase
from verifier.export import findings, main
from verifier.file_keys import FileKey
from verifier.notes import PublicKey
from verifier.proof import findings as is_proved


@pytest.fixture
def house(fresh_database: FreshDatabase, settings: Settings, tmp_path: Path) -> ClaimHouse:
    settings.EXPORT_DIR = str(tmp_path)
    settings.BUNDLE_SIGNING_KEY = "22" * 32
    file_keys.begin()
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
    assert is_proved(point["proof"], [key])[1] == []
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


def signed_again(folder: Path, copy: Path, **changed: Any) -> Path:
    """A copy whose manifest says something else of its one order, and is signed again."""
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(folder, copy)
    body = json.loads((folder / "manifest.json").read_text())
    body["checkpoints"][0] |= changed
    text = json.dumps(body).encode()
    (copy / "manifest.json").write_bytes(text)
    (copy / "manifest.sig").write_text(signing.sign(text).hex())
    return copy


def test_a_block_a_hash_or_a_proof_that_is_not_of_the_log_is_named(
    house: ClaimHouse, settings: Settings, tmp_path: Path
) -> None:
    """Whoever has the key of files alone cannot say that the order stood elsewhere."""
    key = sign_checkpoints(settings)
    folder = folder_of(write(requested("ledger", "csv")))
    (point,) = json.loads((folder / "manifest.json").read_text())["checkpoints"]
    proof, first = point["proof"], proofs.of_block(house.system, 1).to_text()
    lines = proof.split("\n")
    lines[3] = base64.b64encode(bytes(32)).decode()
    shorter = {**point["log"], "size": point["block"] - 1}
    for changed, words in (
        ({"block": 1}, "it is not of block 1 with the hash"),
        ({"block": point["block"] + 1}, f"it is not of block {point['block'] + 1}"),
        ({"hash": "00" * 32}, "it is not of block"),
        ({"proof": first}, "it is not of block"),
        ({"proof": None}, f"nothing shows that block {point['block']} is in the log"),
        ({"proof": "nothing"}, "the proof of main: it cannot be read"),
        ({"proof": "\n".join(lines)}, "the path does not lead from the leaf to the root"),
        ({"proof": proof.replace("\n— ", "\n— other.example/")}, "no key given signed"),
        ({"log": shorter}, "size and root beside it are not its own"),
    ):
        copy = signed_again(folder, tmp_path / "copy", **changed)
        assert words in " ".join(findings(copy, public_key(), [key])), changed
        assert findings(copy, public_key()) == []  # whoever asks for the files alone
    assert findings(signed_again(folder, tmp_path / "copy"), public_key(), [key]) == []


def test_a_block_that_came_while_the_report_was_read_is_proved_by_a_later_checkpoint(
    house: ClaimHouse, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = sign_checkpoints(settings)
    assert checkpoints.make(house.system) is not None
    house.press("t3")
    house.post()
    monkeypatch.setattr(exports, "_sign_logs", lambda _filters: None)
    export = write(requested("ledger", "csv"))
    (point,) = json.loads(by_name(export)["json"].read_text())["checkpoints"]
    assert point["log"]["size"] < point["block"]
    assert findings(folder_of(export), public_key(), [key]) == []


def test_a_report_of_an_old_key_is_good_and_one_that_it_signs_later_is_not(
    house: ClaimHouse, settings: Settings, tmp_path: Path
) -> None:
    old_key = settings.BUNDLE_SIGNING_KEY
    folder = folder_of(write(requested("ledger", "csv")))
    settings.BUNDLE_SIGNING_KEY = "33" * 32
    file_keys.begin()
    after = folder_of(write(requested("ledger", "csv")))
    published = [FileKey.parse(str(key)) for key in file_keys.published()]
    for each in (folder, after):
        assert findings(each, published) == []
    settings.BUNDLE_SIGNING_KEY = old_key
    body = json.loads((folder / "manifest.json").read_text())
    body["signed_at"] = timezone.now().isoformat()
    text = json.dumps(body).encode()
    (folder / "manifest.json").write_bytes(text)
    (folder / "manifest.sig").write_text(signing.sign(text).hex())
    assert f"key {published[1].id} was replaced at" in findings(folder, published)[0]
    export = write(requested("ledger", "csv"))
    assert (export.state, export.fault[:6]) == ("failed", "Since ")
    thief = FileKey.parse(str(file_keys.published()[0]))
    unknown = findings(folder, [thief])
    assert unknown == [
        f"the manifest is signed by key {published[1].id} of {published[1].name}, which is none of"
        " those given"
    ]
    keys = tmp_path / "keys.txt"
    keys.write_text("".join(f"{key}\n" for key in file_keys.published()))
    assert main([str(after), "--keys", str(keys)]) == 0
    assert main([str(folder), "--keys", str(keys)]) == 1


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
