"""Wrong terms are corrected on one page: a reset amount of 25,000 in place of 12, and a hand."""

import pytest
from django.utils import timezone

from jackpot.display import values as display
from jackpot.models import DisplayMessage
from jackpot.terms.money import MICROS
from settlement.claims import services as claims
from settlement.models import Proposal
from tables.models import DisplayReading, GamingTable
from tests.support.pages.page_staff import logged_in, page_of, reply, words
from tests.support.people.cast import PASSWORD, ClaimHouse
from tests.support.play.books import royal_terms
from tests.support.suite.kept_house import kept_house

pytestmark = pytest.mark.django_db
PAGE = "/put-right/main/house/"


def build_house() -> ClaimHouse:
    """The pool held 12.50 at the hand and starts again at 25,000.00."""
    house = ClaimHouse(royal_terms(reset=12 * MICROS))
    house.decide("put_terms", terms=royal_terms(reset=25_000 * MICROS))
    house.hit_royal()
    claims.catch_up(house.system)
    assert (house.hit(1).held, house.balance("royal:pool")) == (13 * MICROS, 25_000 * MICROS)
    return house


house = kept_house(build_house, CLAIM_WAIT_S=0)


def agree(who: str, **more: str) -> None:
    reply(who, f"/proposals/{Proposal.objects.latest('id').pk}/agree/", password=PASSWORD, **more)


def test_step_by_step(house: ClaimHouse) -> None:
    page = page_of("sione", PAGE)
    assert "Royal Flush: reset amount NZD 12.00 NZD 25,000.00 × 2,083" in page
    assert "1. Stop what follows In play" in page
    assert "2. Post the correct terms To do" in page
    assert "Draft with terms No. 1" in page
    assert "Royal Flush 25,000.00 12.00 24,988.00 0.00 Propose down by NZD 24,988.00" in page
    assert "MAIN-1 Table 3 Reported 13.00" in page
    assert "5. Look at the displays To do" in page
    draft = words(logged_in("sione").get("/drafts/main/house/?version=1"))
    assert "Royal Flush: reset amount NZD 25,000.00 NZD 12.00 ÷ 2,083" in draft
    life = {"tier": "royal", "do": "suspend", "reason": "The notice is wrong"}
    reply("sione", "/jackpots/main/house/", **life)
    house.post()
    assert "1. Stop what follows Suspended" in page_of("sione", PAGE)
    right = royal_terms(reset=12 * MICROS)
    house.decide("put_terms", terms=right, force="the notice was wrong")
    page = page_of("sione", PAGE + "?version=2")
    assert "1. Stop what follows Terms are right" in page
    assert "Terms No. 4 replaced them" in page
    assert "MAIN-1 Table 3 Reported 13.00" in page  # it keeps the terms of its round


def test_the_form_of_the_adjustment_is_filled_in(house: ClaimHouse) -> None:
    house.decide("put_terms", terms=royal_terms(reset=12 * MICROS), force="the notice was wrong")
    client = logged_in("sione")
    html = client.get(PAGE + "?version=2").content.decode()
    address = html.partition('href="/pools/main/royal/adjust/')[2].partition('"')[0]
    address = "/pools/main/royal/adjust/" + address.replace("&amp;", "&")
    form = client.get(address).content.decode()
    assert 'value="24,988.00"' in form
    assert '<option value="down" selected>' in form
    assert "Terms No. 2 were wrong" in form
    fields = {"into": "pool", "way": "down", "source": "operator", "reason": "A05"}
    reply(
        "sione",
        address,
        **fields,
        amount="24,988.00",
        evidence="Terms No. 2 were wrong",
        mark="pool -24988000000",
    )
    assert "An adjustment waits for a second person" in page_of("sione", PAGE + "?version=2")
    agree("mere")
    house.post()
    page = page_of("sione", PAGE + "?version=2")
    assert "Royal Flush 12.00 12.00 24,988.00 -24,988.00 Nothing" in page
    assert "3. Correct the pool Done" in page


def test_displays_that_read_it_back(house: ClaimHouse) -> None:
    house.decide("put_terms", terms=royal_terms(reset=12 * MICROS), force="the notice was wrong")
    display.refresh(house.system.pk)
    newest = DisplayMessage.objects.latest("id")
    for table in GamingTable.objects.all():
        assert "5. Look at the displays To do" in page_of("tane", PAGE + "?version=2")
        DisplayReading.objects.create(
            table=table,
            system_seq=newest.system_seq,
            terms=3,
            display="d-1",
            said_at=timezone.now(),
            received_at=timezone.now(),
            shown={},
        )
    assert "5. Look at the displays Done" in page_of("tane", PAGE + "?version=2")


def test_what_nobody_posted_is_no_page(house: ClaimHouse) -> None:
    assert logged_in("tane").get(PAGE + "?version=9").status_code == 404
    assert logged_in("tane").get("/put-right/main/none/").status_code == 404
    assert "Correct wrong terms" in page_of("tane", "/terms/main/house/")
