"""The page of a casino that is not open yet: where each step leads."""

import re
from typing import Any

import pytest

from settlement.set_up import casinos
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
        "Rehearsal": "/set-up/casinos/harbour/rehearsal/",
        "Open": "/set-up/casinos/harbour/#steps",
    }, "terms and displays are for others, as the page says"
    assert {logged_in("hana").get(address).status_code for address in links.values()} == {200}
