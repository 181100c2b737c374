"""A table's boot counter on its page: proposed by one, approved by another, in the record."""

import pytest

from settlement.models import Proposal
from tables.models import Stream
from tests.support.pages.page_staff import page_of, post, reply
from tests.support.people.cast import PASSWORD, ClaimHouse
from tests.support.suite.kept_house import kept_house

pytestmark = pytest.mark.django_db
PAGE = "/tables/main/t3/"
FORM = {"boot": "7", "reason": "Unit replaced, its key was cloned"}


def build_house() -> ClaimHouse:
    house = ClaimHouse()
    house.open("t3")
    house.post()
    Stream.objects.create(
        system=house.system,
        table_id=Stream.objects.get().table_id,
        boot=9_007_199_253,
        committed_seq=0,
        last_seq=0,
    )
    return house


house = kept_house(build_house, CLAIM_WAIT_S=0)


def test_from_the_form_to_the_next_boot(house: ClaimHouse) -> None:
    assert "A unit without memory gets boot 9,007,199,253." in page_of("mere", PAGE)
    for name in ("tane", "aroha", "ines"):
        assert "Boot counter" not in page_of(name, PAGE)
    page = reply("sione", f"{PAGE}boots/", **FORM)
    assert "Proposed. A second person must approve it with a password." in page
    assert "sione proposes to continue from boot 7. Unit replaced, its key was cloned" in page
    assert "sione proposes to reset the boot counter of a table" in page_of("mere", "/")
    assert "reset the boot counter of a table: Table 3, Main floor" in page_of("mere", "/handover/")
    agree = f"/proposals/{Proposal.objects.get().pk}/agree/"
    assert "Agreed and queued" in reply("mere", agree, password=PASSWORD)
    house.post()
    page = page_of("mere", PAGE)
    assert "Newest boot 7. A unit without memory gets boot 8." in page
    assert "9,007,199,253 discarded" in page


@pytest.mark.parametrize("boot", ["", "-1", "many", "9007199254", "7.5"])
def test_a_boot_that_is_none(house: ClaimHouse, boot: str) -> None:
    page = reply("sione", f"{PAGE}boots/", **FORM | {"boot": boot})
    assert "A boot is a number up to 9,007,199,253; 0 if none was the unit" in page
    assert not Proposal.objects.exists()


def test_others_are_refused(house: ClaimHouse) -> None:
    assert post("aroha", f"{PAGE}boots/", **FORM).status_code == 403
    assert not Proposal.objects.exists()
