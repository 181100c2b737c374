"""A forgotten completion on the pages: the sign, the form, the handover, the incident."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from jackpot.terms.money import MICROS
from settlement.tasks import catch_up
from tables.protocol import messages
from tests.support.pages.page_staff import logged_in, page_of, refused, reply
from tests.support.people.cast import ClaimHouse
from tests.support.play.books import royal_terms
from tests.support.suite.kept_house import kept_house

pytestmark = pytest.mark.django_db
PAGE = "/irregularities/"
MISSED = f"{PAGE}main/t3/missed/"
INCREMENTS = [
    {"source": "per_round", "amount": MICROS // 2},
    {"source": "drop", "basis_points": 10_000},
]
STEPS = [{"pot_from": 20 * MICROS, "take": MICROS}]


def build_house() -> ClaimHouse:
    """Round 1 of table 3 has no completion; nothing else is missing."""
    terms = royal_terms(increments=INCREMENTS) | {"funding": "players", "drop_steps": STEPS}
    claim_house = ClaimHouse(terms)
    claim_house.open("t3")
    for _ in range(3):
        claim_house.press("t3")
    for number in (2, 3):
        claim_house.say("t3", messages.RoundCompleted, round=number, pot=4000, jackpot_drop=100)
    claim_house.post()
    return claim_house


house = kept_house(build_house, CLAIM_WAIT_S=0)


def test_the_sign_leads_to_the_form_and_the_money_counts_once(house: ClaimHouse) -> None:
    pool = house.balance("royal:pool")
    assert "Completion missing: round 1, Table 3" in page_of("tane", "/handover/")
    page = logged_in("sione").get(PAGE).content.decode()
    assert "Completion missing" in page
    (form,) = re.findall(rf'href="({MISSED}\?entry=[^"]*completion=1)"', page)
    form = form.replace("&amp;", "&")
    page = logged_in("sione").get(form).content.decode()
    assert '<option value="completion" selected>' in page
    assert 'value="1"' in page
    assert "Completion missing at this table: round 1" in page_of("sione", form)
    fields = {"what": "completion", "count": "1", "rounds": "1", "drop": "1.00", "evidence": "x"}
    without = {**fields, "what": "rounds", "rounds": ""}
    assert "completion of round 1 is missing" in refused("sione", MISSED, **without)
    reply("sione", form, **fields)
    house.post()
    assert house.balance("royal:pool") == pool + MICROS
    page = page_of("mere", PAGE)
    assert "Completion missing" not in page
    assert "A missed completion, Table 3" in page
    assert "Credited a missed completion" in page
    assert "A missed completion at Table 3, Main floor, by sione" in page_of("mere", "/handover/")
    history = page_of("mere", "/pools/main/royal/")
    assert "Missed completion credited" in history


def test_a_completion_that_contradicts_it_is_an_open_incident(house: ClaimHouse) -> None:
    reply(
        "sione",
        MISSED,
        what="completion",
        count="1",
        rounds="1",
        drop="1.00",
        evidence="Camera 4",
    )
    house.say("t3", messages.RoundCompleted, round=1, pot=4000, jackpot_drop=300)
    house.post()
    catch_up()
    page = page_of("mere", "/incidents/")
    assert "Figures differ Table 3, Main floor Round 1: what its unit reported later" in page
    assert "drop 1.00 credited, 3.00 reported" in page
    assert "found in the order" in page
    assert "Figures differ: Table 3" in page_of("mere", "/handover/")
    text = logged_in("mere").get("/incidents/").content.decode()
    forms, _begin, rest = text.partition('<form class="filters')
    narrowing = rest.partition("</form>")[0]
    assert '<option value="figures"' in narrowing  # people find it, and enter none
    assert '<option value="unit' in forms
    assert '<option value="figures"' not in forms


@pytest.mark.parametrize("address", [PAGE, "/handover/"])
def test_more_signs_ask_no_more(house: ClaimHouse, address: str) -> None:
    client = logged_in("mere")

    def query_count() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert client.get(address).status_code == 200
        return len(queries)

    query_count()
    before = query_count()
    for _ in range(6):
        house.press("t3")
    house.post()
    assert query_count() == before
