"""A return as files: all its reports as one export, of one moment, under one signed manifest."""

import io
import json
import uuid
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from settlement.audit import file_keys
from settlement.core import signing
from settlement.core.errors import NotPermitted, WrongState
from settlement.jurisdiction.returns import Return
from settlement.models import ReportExport
from settlement.reports import exports, manifest
from settlement.reports.exports import files_of, folder_of
from tests.support.cases.confirmed_house import person
from tests.support.houses.office.exports import days, public_key, write
from tests.support.pages.page_ledger import Clock, LedgerHouse
from tests.support.pages.page_staff import logged_in, page_of, reply
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import acting_as
from tests.support.suite.databases import FreshDatabase
from verifier.export import findings, main


@pytest.fixture
def files(fresh_database: FreshDatabase, settings: Settings, tmp_path: Path) -> Path:
    """The folder of the exports of a house that signs."""
    settings.EXPORT_DIR = str(tmp_path)
    settings.BUNDLE_SIGNING_KEY = "22" * 32
    file_keys.begin()
    settings.CLAIM_WAIT_S = 0
    return tmp_path


@pytest.fixture
def house(files: Path) -> ClaimHouse:
    house = ClaimHouse()
    house.hit_royal()
    return house


@pytest.fixture
def october(files: Path, monkeypatch: pytest.MonkeyPatch) -> LedgerHouse:
    """The house played and hit on the 30th of October; it is November now."""
    house = LedgerHouse(Clock(monkeypatch))
    house.play(2)
    house.hit_royal("t3")
    house.clock.on(days=3)
    return house


MONTHLY_FILE = [
    *("roll-forward", "hit-register", "payouts", "adjustments", "liability"),
    "significant-events",
]


def requested_return() -> ReportExport:
    """The monthly file of the house's pack, as a page asks for it: a double click is one."""
    assert "Monthly file" in page_of("ines", "/reports/")
    form = {"return": "Monthly file", "key": str(uuid.uuid4())}
    for _ in range(2):
        page = reply("ines", "/reports/returns/files/", **form)
    assert page.count("Monthly file") == 1
    return ReportExport.objects.get()


def test_all_reports_of_a_return_are_one_signed_export(
    october: LedgerHouse, tmp_path: Path
) -> None:
    export = requested_return()
    assert (export.report, export.of_return, export.reports) == ("", "Monthly file", MONTHLY_FILE)
    archive = f"/reports/files/{export.pk}/all.zip"
    assert logged_in("ines").get(archive).status_code == 404
    assert write(export).state == "done"
    body = json.loads((folder_of(export) / "manifest.json").read_text())
    assert [each["report"] for each in body["reports"]] == MONTHLY_FILE
    assert (body["return"], body["format"]) == ("Monthly file", 2)
    parts = {each["report"]: each for each in body["reports"]}
    moved, hits = parts["roll-forward"]["totals"], parts["hit-register"]
    # Four rounds of 123.45, 123.45, 123.46 and 123.46, a quarter of a percent of each, and a third
    # of a cent of these and of the round that hit.
    assert (moved["from_pot"], moved["from_operator"]) == ("1.23455", "0.016665")
    assert (moved["opened"], moved["hits"], moved["held"]) == ("1000", "1", "-1002")
    assert (hits["rows"], hits["totals"]["amount"]) == (1, "1002")
    rows = sum(each["rows"] for each in body["reports"])
    assert export.rows_done == export.rows_total == 3 * rows == 15
    assert "All files of the return" in page_of("ines", "/reports/files/")
    answer: Any = logged_in("ines").get(archive)
    assert answer["Content-Type"] == "application/zip"
    assert 'filename="monthly-file-' in answer["Content-Disposition"]
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as files:
        files.extractall(tmp_path / "unzipped")
    (folder,) = (tmp_path / "unzipped").iterdir()
    names = {path.name for path in folder.iterdir()} - {"manifest.json", "manifest.sig"}
    for number, code in enumerate(MONTHLY_FILE, start=1):
        own = {Path(name).suffix for name in names if name.startswith(f"{number:02}-{code}-")}
        assert own == {".csv", ".xlsx", ".pdf"}
    assert len(names) == 3 * len(MONTHLY_FILE)
    assert main([str(folder), "--key", signing.public_key()]) == 0
    assert logged_in("aroha").get(archive).status_code == 403
    again = logged_in("ines").post("/reports/returns/files/", {"return": "Nothing"})
    assert again.status_code == 404
    same = exports.again(export, person("ines"), uuid.uuid4())
    assert (same.of_return, same.codes) == ("Monthly file", MONTHLY_FILE)


def test_an_edited_return_is_findings_with(
    house: ClaimHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its last report, and the sums of the first one, although whoever has the key signed them."""
    folder = folder_of(write(requested_return()))
    assert findings(folder, public_key()) == []
    last = next(folder.glob("06-*.csv"))
    text = last.read_bytes()
    last.write_bytes(text + b"\n")
    assert findings(folder, public_key()) == [f"{last.name} is not the file that was signed"]
    last.unlink()
    assert findings(folder, public_key()) == [f"{last.name} is missing"]
    last.write_bytes(text)
    body = json.loads((folder / "manifest.json").read_text())
    first = body["reports"][0]
    first["totals"][next(iter(first["totals"]))] = "1"
    first["rows"] += 1
    manifest.sign(folder, {**body, "checkpoints": []})
    assert any("rows, the manifest says" in each for each in findings(folder, public_key()))
    assert any("comes to" in each for each in findings(folder, public_key()))


def test_a_long_report_of_a_return_has_no_pdf(house: ClaimHouse) -> None:
    due = Return("Books", "", days().first, days().last, ("payouts", "ledger"), "")
    with acting_as("web"):
        export = exports.request_return(days().casino, due, person("ines"), uuid.uuid4())
    write(export)
    kinds = {path.name.partition("-")[0] + path.suffix for path in files_of(export)}
    assert kinds >= {"01.csv", "01.xlsx", "01.pdf", "02.csv", "02.xlsx"}
    assert "02.pdf" not in kinds
    body = json.loads((folder_of(export) / "manifest.json").read_text())
    count = sum(each["rows"] * len(each["files"]) for each in body["reports"])
    assert export.rows_done == export.rows_total == count > 0
    assert findings(folder_of(export), public_key()) == []
    assert [each["left_out"] for each in body["reports"]] == [[], ["pdf"]]
    assert exports.left_out(export) == ""  # not for its rows


def test_a_return_as_pdf_alone_fails_over_a_long_report(house: ClaimHouse) -> None:
    """Rather than leave it out: a schedule of PDF alone whose rules name a ledger later."""
    export = requested_return()
    ReportExport.objects.update(formats=["pdf"], reports=["payouts", "ledger"])
    write(export)
    assert export.state == "failed"
    assert export.fault.endswith(
        "has a row for each event, too many for a PDF: choose CSV or XLSX."
    )
    assert export.fault.startswith("“General ledger”")
    assert files_of(export) == []


def test_a_manifest_that_leaves_something_out_is_findings_with(house: ClaimHouse) -> None:
    """Although whoever has the key signed it."""
    folder = folder_of(write(requested_return()))
    body = json.loads((folder / "manifest.json").read_text())
    parts = body["reports"]

    def findings_with(**more: Any) -> str:
        manifest.sign(folder, {**body, "checkpoints": [], **more})
        return "\n".join(findings(folder, public_key()))

    assert findings_with() == ""
    assert findings_with(format=3) == "the manifest has the format 3, not 1 or 2"
    assert findings_with(format=None) == "the manifest has the format None, not 1 or 2"
    assert findings_with(reports=[]).startswith("the manifest names no report\n")
    names = [each["name"] for each in parts[0]["files"]]
    assert "roll-forward has no file" in findings_with(
        reports=[{**parts[0], "files": []}, *parts[1:]]
    )
    assert findings_with(reports=[*parts, parts[0]]).splitlines() == [
        f"{name} is named 2 times" for name in names
    ]


def test_a_return_of_reports_that_are_not_there_says_so(house: ClaimHouse) -> None:
    due = Return("Books", "", days().first, days().last, ("payouts", "nothing"), "")
    with pytest.raises(WrongState, match="There is no report nothing"):
        exports.request_return(days().casino, due, person("ines"), uuid.uuid4())
    with pytest.raises(NotPermitted):
        exports.request_return(
            days().casino, replace(due, reports=("payouts",)), person("aroha"), uuid.uuid4()
        )
