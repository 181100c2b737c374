"""Reports as files, as people ask for them and the worker writes them."""

import csv
import datetime as dt
import io
import uuid
from pathlib import Path

from settlement.core import signing
from settlement.core.gaming_day import today
from settlement.models import ReportExport
from settlement.reports import exports
from settlement.reports.catalogue import reports
from settlement.reports.definitions.definition import Filters
from settlement.reports.exports import files_of, run_next
from tables.models import Casino
from tests.support.cases.confirmed_house import person
from tests.support.people.roles import acting_as


def days() -> Filters:
    """The last three gaming days of the one casino."""
    casino = Casino.objects.get()
    day = today(casino)
    return Filters(casino, day - dt.timedelta(days=2), day)


def requested(code: str = "ledger", *formats: str, who: str = "ines") -> ReportExport:
    """Asked for on a page; all kinds of files unless some are named."""
    with acting_as("web"):
        return exports.request_export(
            reports()[code], days(), list(formats or exports.formats()), person(who), uuid.uuid4()
        )


def write(export: ReportExport) -> ReportExport:
    """The same after the worker was there."""
    with acting_as("worker"):
        assert run_next()
    export.refresh_from_db()
    return export


def by_name(export: ReportExport) -> dict[str, Path]:
    """Its files by their kind."""
    return {path.suffix.removeprefix("."): path for path in files_of(export)}


def public_key() -> bytes:
    return bytes.fromhex(signing.public_key())


def csv_rows(path: Path) -> list[dict[str, str]]:
    """The rows between the lines above the headings and those of the totals."""
    text = path.read_text(encoding="utf-8-sig")
    lines = [line for line in text.splitlines(keepends=True) if not line.startswith("# ")]
    return list(csv.DictReader(io.StringIO("".join(lines))))
