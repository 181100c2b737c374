"""Held rounds on the console: found on the overview, looked at, accepted and refused."""

import pytest

from settlement.models import Proposal
from settlement.pages.floor.held_rounds import ranges, read_ranges
from tests.support.cases.held_rounds import HALF, LIMIT, FastHouse
from tests.support.pages.page_staff import logged_in, page_of, post, refused, reply
from tests.support.people.cast import PASSWORD
from tests.support.suite.kept_house import kept_house

pytestmark = pytest.mark.django_db
PAGE = "/irregularities/main/t3/held/"


house = kept_house(FastHouse, CLAIM_WAIT_S=0)


def test_from_the_overview_to_the_decision(house: FastHouse) -> None:
    assert "rounds held at" not in page_of("sione", "/")
    house.presses(20)
    page = page_of("sione", "/")
    assert "rounds held at 1 table" in page
    assert "Button pressed too often: main/t3" in page
    assert "14 rounds held: button pressed too often" in page_of("sione", "/irregularities/")
    left = page_of("mere", "/handover/")
    assert "14 rounds held: button pressed too often, Table 3, Main floor" in left
    page = page_of("sione", PAGE)
    assert "14 rounds held" in page
    assert 'value="7-20"' in logged_in("sione").get(PAGE).content.decode()
    fields = {"rounds": "7, 9-11", "note": "Camera 4: four hands"}
    assert "Queued" in reply("sione", PAGE, do="accept", **fields)
    house.post()
    assert "10 rounds held" in page_of("sione", PAGE)
    reply("sione", PAGE, do="refuse", rounds="8 12-20", note="Camera 4: nobody there")
    house.post()
    assert "No round is held at this table" in page_of("sione", PAGE)
    assert house.grown == (LIMIT + 4) * HALF
    decided = page_of("sione", "/irregularities/")
    assert "Accepted rounds that were held" in decided
    assert "Refused rounds that were held" in decided


def test_figures_take_a_second_person(house: FastHouse) -> None:
    house.presses(8)
    house.complete_all(7, 8)
    assert "2 of them have figures, so a second person must approve" in page_of("sione", PAGE)
    form = {"do": "refuse", "rounds": "7-8", "note": "Camera 4: nobody there"}
    page = reply("sione", PAGE, **form)
    assert "Proposed for 2 rounds: some have figures" in page
    assert "sione proposes to refuse rounds 7-8. Camera 4: nobody there" in page
    assert "You proposed this" in page
    assert "refuse rounds that have figures" in page_of("mere", "/")
    assert "Approve refusal" in page_of("mere", PAGE)
    number = Proposal.objects.get().pk
    assert "Agreed and queued" in reply("mere", f"/proposals/{number}/agree/", password=PASSWORD)
    house.post()
    assert "No round is held" in page_of("mere", PAGE)


def test_what_is_typed_wrongly_is_said(house: FastHouse) -> None:
    house.presses(7)
    assert "Write round numbers and ranges" in refused(
        "sione", PAGE, do="accept", rounds="seven", note="x"
    )
    assert "Describe what you saw." in refused("sione", PAGE, do="accept", rounds="7", note="")
    assert "Decision" not in page_of("tane", PAGE)
    assert "Your role does not allow this" in refused(
        "tane", PAGE, do="accept", rounds="7", note="x"
    )
    assert post("nobody", PAGE, do="accept", rounds="7", note="x").status_code == 403


def test_ranges_are_read_as_they_are_written() -> None:
    numbers = [1, 3, 4, 5, 9]
    assert ranges(numbers) == "1, 3-5, 9"
    assert read_ranges(ranges(numbers)) == numbers
    for wrong in ("", "0", "5-", "-5", "5-3", "1-1001", "1-999999999999", "١", "1.5", "1--3"):
        with pytest.raises(ValueError, match="round"):
            read_ranges(wrong)
