"""The page of a casino that is not open yet: where each step leads."""

import re
from typing import Any

import pytest

from settlement.pages.set_up import step_links
from settlement.pages.set_up.step_links import step_lines
from settlement.set_up import casinos
from settlement.set_up.steps import STEPS, Step
from tables.models import Casino
from tests.support.pages.page_staff import logged_in
from tests.support.people.roles import acting_as
from tests.support.people.set_up import hana, harbour

__all__ = ["hana", "harbour"]

pytestmark = pytest.mark.django_db


def steps_shown(person: str) -> tuple[str, dict[str, str]]:
    """Which step is next, and where each leads, by the beginning of its label."""
    page = logged_in(person).get("/set-up/casinos/harbour/").content.decode()
    items = re.search(r'<ol [^>]*"Steps">(.*?)</ol>', page, re.DOTALL)
    assert items
    (following,) = re.findall(r'<li aria-current="step">.*?</li>', items[1], re.DOTALL)
    links = re.findall(r'<a href="([^"]*)">([^:<]*)', items[1])
    return " ".join(re.sub("<.*?>", " ", following).split()), {name: to for to, name in links}


def test_each_step_leads_to_its_page_and_one_is_next(harbour: Casino, hana: Any) -> None:
    following, links = steps_shown("hana")
    assert following == "Next Jackpot systems"
    assert links["Tables"] == "/set-up/casinos/harbour/#new-system"
    with acting_as("web"):
        casinos.make_system(hana, harbour, "main", "Main")
    following, links = steps_shown("hana")
    assert following == "Next Tables"
    assert links == {
        "Casino": "/set-up/casinos/harbour/#facts",
        "Jackpot systems": "/set-up/casinos/harbour/#new-system",
        "Tables": "/set-up/systems/main/",
        "People": "/people/",
        "Jurisdiction pack": "/set-up/casinos/harbour/jurisdiction/",
        "Amount above which two managers confirm": ("/house-rules/?casino=harbour#second_manager"),
        "Keys to sign with": "/signing-keys/",
        "Rehearsal": "/set-up/casinos/harbour/rehearsal/",
        "Open": "/set-up/casinos/harbour/#steps",
    }, "terms and displays are for others, as the page says"
    assert {logged_in("hana").get(address).status_code for address in links.values()} == {200}
    rules = logged_in("hana").get(links["Amount above which two managers confirm"])
    assert 'id="second_manager"' in rules.content.decode()


def test_a_step_that_may_wait_is_next_until_somebody_goes_on(
    harbour: Casino, hana: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def following(*codes: str) -> str:
        way = [Step(code, is_done=code in codes) for code in STEPS]
        monkeypatch.setattr(step_links, "steps", lambda _casino: way)
        return next(line.step.code for line in step_lines(harbour, hana) if line.is_next)

    first = ("casino", "systems", "tables", "people", "jurisdiction")
    assert following(*first) == "amount"
    assert following(*first, "amount") == "keys"
    assert following(*first, "terms") == "displays"
    assert following(*first, "keys") == "terms"
    assert following(*first[:-1], "terms") == "jurisdiction", "this one does not wait"
