"""Slips of a rehearsal say that nothing was paid, and keep it."""

from io import BytesIO

import msgspec
import pytest
from pypdf import PdfReader

from settlement.models import Payout, SlipPrint
from settlement.payments.slips import print_slip, slip_of
from tests.support.cases.confirmed_house import person
from tests.support.houses.rehearsals import CODE, RehearsalHouse
from tests.support.people.cast import ClaimHouse
from tests.support.suite.kept_house import kept_house

house = kept_house(ClaimHouse)


@pytest.fixture
def rehearsal(house: ClaimHouse) -> RehearsalHouse:
    rehearsal = RehearsalHouse(house)
    rehearsal.take_to_the_end()
    return rehearsal


@pytest.mark.django_db
def test_the_words_of_a_slip(rehearsal: RehearsalHouse, house: ClaimHouse) -> None:
    pdf, printed = print_slip(Payout.objects.get(), person("aroha"))
    text = PdfReader(BytesIO(pdf)).pages[0].extract_text()
    assert "REHEARSAL: NO MONEY. Nothing was paid." in text
    assert f"Slip {CODE.upper()}-1-1-1" in text
    assert "COPY 1" in text
    assert printed.copy == 1


@pytest.mark.django_db
def test_a_slip_keeps_whether_it_is_of_a_rehearsal(
    rehearsal: RehearsalHouse, house: ClaimHouse
) -> None:
    """It stands in what is kept, and is not read from a name."""
    payout = Payout.objects.get()
    original = SlipPrint.objects.get(payout=payout, copy=0)
    assert original.content
    assert original.content["is_rehearsal"] is True
    slip = slip_of(payout)
    assert slip.is_rehearsal
    assert not msgspec.structs.replace(slip, is_rehearsal=False).is_rehearsal
