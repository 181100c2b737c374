"""The logo of the house stands in the head of every page of a report as PDF."""

import io
from pathlib import Path

import pytest
from PIL import Image
from pypdf import PdfReader

from jackpot.models import HouseLook
from settlement.core.gaming_day import today
from settlement.reports.catalogue import reports
from settlement.reports.definitions.definition import Filters
from settlement.reports.writers import pdf_file
from settlement.reports.writers.sheet import Sheet
from tests.support.cases.confirmed_house import ConfirmedHouse
from tests.support.people.roles import acting_as


@pytest.mark.django_db
@pytest.mark.usefixtures("no_writer")
def test_the_logo_of_the_house_stands_on_each_page_of_a_pdf(tmp_path: Path) -> None:
    casino = ConfirmedHouse().system.casino
    casino.refresh_from_db()
    filters = Filters(casino, today(casino), today(casino), {"system": "main"})
    definition = reports()["ledger"]
    report = definition.report(filters)
    sheet = Sheet(definition, filters, report, definition.totals(report), [("Made by", "ines")])

    def images() -> set[int]:
        pdf_file.write(sheet, tmp_path / "ledger.pdf", lambda _rows: None)
        return {len(page.images) for page in PdfReader(tmp_path / "ledger.pdf").pages}

    assert images() == {0}
    file = io.BytesIO()
    Image.new("RGBA", (300, 60), "teal").save(file, "PNG")
    colours = {"background": "#000000", "text": "#ffffff", "accent": "#ffd700", "font": "sans"}
    HouseLook.objects.create(
        casino=casino, picture=file.getvalue(), picture_type="image/png", **colours
    )
    with acting_as("worker"):
        assert images() == {1}
