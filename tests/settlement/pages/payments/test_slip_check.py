"""The page *Check a slip*: printed so, edited, unknown; nothing of the file is kept."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from settlement.models import SlipPrint
from settlement.payments.slip_check import MOST_BYTES
from tests.support.cases.confirmed_house import PaidHouse
from tests.support.pages.page_staff import logged_in, words
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
PAGE = "/payouts/slips/check/"

house = kept_house(PaidHouse)


def answer(name: str, pdf: bytes) -> tuple[int, str]:
    response = logged_in(name).post(PAGE, {"file": SimpleUploadedFile("slip.pdf", pdf)})
    return response.status_code, words(response)


def test_the_page_says_what_a_file_is(house: PaidHouse) -> None:
    original, copy = house.print(house.first), house.print(house.first, "mere")
    status, page = answer("ines", copy)
    assert status == 200
    for sentence in (
        "Printed exactly so. The file is copy 1 of slip MAIN-1-1-1, unchanged.",
        "MAIN-1 Prize Royal Flush Amount NZD 600.00",
        f"Entry {house.first.entry_seq}, block",
    ):
        assert sentence in page
    assert "The file is the original of slip MAIN-1-1-1" in answer("mere", original)[1]
    status, page = answer("ines", original.replace(b"0", b"1", 1))
    assert status == 200
    assert "Not printed so: the file was edited. It says that it is slip MAIN-1-1-1" in page
    page = answer("ines", original.replace(b"MAIN-1-1-1", b"MAIN-3-1-1"))[1]
    assert "Unknown: the house did not print this file." in page
    assert "No such slip was printed." in page
    assert "It names no slip." in answer("ines", b"%PDF-1.7 poem")[1]
    assert SlipPrint.objects.count() == 2


def test_what_is_no_slip_is_refused_and_who_may_not_ask(house: PaidHouse) -> None:
    pdf = house.print(house.first)
    for content, sentence in (
        (b"poem", "This is not a PDF."),
        (b"%PDF-" + b" " * MOST_BYTES, "larger"),
    ):
        status, page = answer("ines", content)
        assert status != 200
        assert sentence in page
    assert "Choose a file." in words(logged_in("ines").post(PAGE, {}))
    for name in ("aroha", "tane", "sione"):
        assert logged_in(name).get(PAGE).status_code == 403
        assert answer(name, pdf)[0] == 403
    assert "Check a slip" in words(logged_in("ines").get("/payouts/"))
    assert "Check a slip" not in words(logged_in("tane").get("/payouts/"))
