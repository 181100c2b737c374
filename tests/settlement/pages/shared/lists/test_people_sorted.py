"""The list of people in the order that somebody asks for, and keeps."""

import re

import pytest
from django.contrib.auth.models import User

from settlement.models import Invitation, SavedView
from tests.support.pages.page_staff import logged_in
from tests.support.people.cast import PASSWORD, ClaimHouse
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
PEOPLE = "/people/"
house = kept_house(ClaimHouse)


def names_on_page(query: str = "") -> list[str]:
    """Log-ins in the order of the page, of who opens it as hana."""
    answer = logged_in("hana").get(f"{PEOPLE}{query}", follow=True)
    assert answer.status_code == 200
    return re.findall(r'href="/people/log-in/(\w+)/"', answer.content.decode())


def test_every_column_sorts_the_list(house: ClaimHouse) -> None:
    User.objects.filter(username="tane").update(last_name="Aroha Zeta")
    User.objects.filter(username="sione").update(is_active=False)
    everybody = names_on_page("?view=usual")
    assert everybody == sorted(everybody, key=lambda name: "aroha zeta" if name == "tane" else name)
    assert names_on_page("?sort=name") == everybody
    assert names_on_page("?sort=-name") == names_on_page("?sort=name")[::-1]
    assert names_on_page("?sort=-state")[0] == "sione"
    assert names_on_page("?sort=roles")[0] == "nobody"
    assert names_on_page("?sort=-log_ins")[0] == "hana"  # each look of hers is a log-in
    assert names_on_page("?sort=secret") == everybody


def test_a_view_is_kept_opens_the_list_and_stops_no_form(house: ClaimHouse) -> None:
    hana = logged_in("hana")
    form = {"page": "people", "name": "Locked first", "query": "sort=-state", "is_default": "on"}
    assert hana.post("/views/", form)["Location"] == f"{PEOPLE}?sort=-state"
    assert SavedView.objects.get().query == "sort=-state"
    assert hana.get(PEOPLE)["Location"] == f"{PEOPLE}?sort=-state"
    guest = {"username": "guest", "last_name": "Guest", "role": "Cashier", "password": PASSWORD}
    hana.post(PEOPLE, guest)
    assert Invitation.objects.get().username == "guest"
