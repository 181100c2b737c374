"""A house in the United States prints on Letter, every other one on A4: slips, forms, reports."""

import io
from pathlib import Path

import pytest
from pypdf import PdfReader
from pytest_django import Settings

from settlement.jurisdiction.rules import OWN, paper_of
from settlement.payments.slips import print_slip
from settlement.reports.catalogue import reports
from settlement.reports.definitions.definition import Filters
from settlement.reports.writers import pdf_file
from settlement.reports.writers.sheet import Sheet
from tables.models import Casino
from tests.support.cases.confirmed_house import person
from tests.support.houses.jurisdiction_house import LawfulHouse
from tests.support.people.roles import acting_as

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
A4, LETTER = (595, 842), (612, 792)  # points, upright


def size_of(pdf: bytes) -> tuple[int, int]:
    """Of all its pages, which are of one size."""
    (size,) = {
        (round(page.mediabox.width), round(page.mediabox.height))
        for page in PdfReader(io.BytesIO(pdf)).pages
    }
    return size


def slip(house: LawfulHouse) -> bytes:
    with acting_as("web"):
        return print_slip(house.first, person("aroha"))[0]


def report(house: LawfulHouse, path: Path) -> bytes:
    filters, definition = Filters(house.casino, house.day, house.day), reports()["ledger"]
    bound = definition.report(filters)
    sheet = Sheet(definition, filters, bound, definition.totals(bound), [("Made by", "ines")])
    with acting_as("worker"):
        pdf_file.write(sheet, path, lambda _rows: None)
    return path.read_bytes()


def test_a_house_in_nevada_prints_on_letter(settings: Settings, tmp_path: Path) -> None:
    house = LawfulHouse(tmp_path, settings, "nevada", "USD")
    assert size_of(slip(house)) == LETTER
    assert size_of(report(house, tmp_path / "report.pdf")) == LETTER[::-1]
    assert size_of(house.draft(house.first, "w_2g")) == LETTER


def test_a_house_in_new_zealand_prints_on_a4(settings: Settings, tmp_path: Path) -> None:
    house = LawfulHouse(tmp_path, settings, "new_zealand", "NZD")
    assert size_of(slip(house)) == A4
    assert size_of(report(house, tmp_path / "report.pdf")) == A4[::-1]
    assert size_of(house.draft(house.first, "nz_cash_report")) == A4


def test_a_copy_is_on_the_paper_of_its_original(settings: Settings, tmp_path: Path) -> None:
    house = LawfulHouse(tmp_path, settings, "nevada", "USD")
    assert size_of(slip(house)) == LETTER
    settings.JURISDICTIONS = {"harbour": "neutral"}
    assert (paper_of(house.casino), size_of(slip(house))) == ("a4", LETTER)


def test_a_form_that_names_no_paper_is_on_that_of_the_house(
    settings: Settings, tmp_path: Path
) -> None:
    house = LawfulHouse(tmp_path, settings, "nevada", "USD")
    (tmp_path / "forms").mkdir()
    form = (OWN.parent / "forms" / "w_2g.yaml").read_text()
    (tmp_path / "forms" / "w_2g.yaml").write_text(form.replace("paper: letter\n", ""))
    assert size_of(house.draft(house.first, "w_2g")) == LETTER
    (tmp_path / "forms" / "w_2g.yaml").write_text(form.replace("paper: letter", "paper: a4"))
    assert size_of(house.draft(house.first, "w_2g")) == A4


def test_a_pack_that_cannot_be_read_stops_no_slip(settings: Settings, tmp_path: Path) -> None:
    house = LawfulHouse(tmp_path, settings, "nevada", "USD")
    Casino.objects.update(currency="NZD")  # which the pack is not in
    house.casino.refresh_from_db()
    assert paper_of(house.casino) == "a4"
