"""What pages say of the start of the gaming day: alone, by two people, or by nobody any more."""

from typing import Any

import pytest

from settlement.set_up import casinos
from tables.models import Casino
from tests.support.pages.page_staff import page_of, post, reply, words
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import acting_as
from tests.support.people.set_up import HARBOUR, hana, harbour
from tests.support.play.books import royal_terms

__all__ = ["hana", "harbour"]

pytestmark = pytest.mark.django_db

ADDRESS = "/set-up/casinos/harbour/"
TWO = "another start of the day takes two people"
FORM = {"do": "change", "name": "Harbour", "timezone": "Pacific/Auckland", "currency": "NZD"}


def test_the_page_says_nothing_of_two_while_nobody_could_agree(hana: Any) -> None:
    with acting_as("web"):
        casinos.make_casino(hana, HARBOUR)
    assert TWO not in page_of("hana", ADDRESS)


def test_the_page_leads_to_the_rules_once_somebody_can_agree(harbour: Casino, hana: Any) -> None:
    assert TWO in page_of("hana", ADDRESS)
    answer = post("hana", ADDRESS, **FORM, minor_digits="2", day_starts="09:00")
    assert "takes two people now: propose it on the page Rules of the house" in words(answer)


def test_the_pages_say_that_it_stays_once_anything_is_posted() -> None:
    code = ClaimHouse(royal_terms()).system.casino.code
    rules = f"/house-rules/?casino={code}"
    assert "once anything is posted" in reply("hana", rules, kind="day_starts", value="09:00")
    assert "Stays, as terms or rounds are posted." in page_of("hana", rules)
    assert TWO not in page_of("hana", f"/set-up/casinos/{code}/")
