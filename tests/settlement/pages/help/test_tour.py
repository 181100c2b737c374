"""The guided tour: offered once, along pages that the role opens, kept for the person."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from settlement.help import tour
from settlement.help.pages import PAGES
from settlement.models import Preference
from settlement.people.log_ins.log_in import TOUR
from tests.support.pages.page_staff import logged_in
from tests.support.people.cast import PASSWORD, ROLES, ClaimHouse
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]

OFFER = "New here?"


house = kept_house(ClaimHouse)


def by_password(name: str) -> Client:
    """A browser after a log-in as people do it."""
    client = Client()
    answer = client.post("/login/", {"username": name, "password": PASSWORD})
    assert answer.status_code == 302
    return client


def text(client: Client, address: str = "/") -> str:
    return client.get(address, follow=True).content.decode()


@pytest.mark.parametrize("name", ROLES)
def test_each_role_is_led_along_pages_that_it_opens(house: ClaimHouse, name: str) -> None:
    user, client = User.objects.get(username=name), logged_in(name)
    pages = tour.pages_of(user)
    assert 5 <= len(pages) <= 7
    assert set(pages) <= set(PAGES)
    for number, page in enumerate(pages, 1):
        answer = client.post("/help/tour/", {"number": number})
        assert answer["Location"] == reverse(page)
        content = client.get(answer["Location"]).content.decode()
        assert f"Tour: {number} of {len(pages)}" in content
    assert 'value="0">End the tour' in content
    assert "Next page" not in content


def test_it_is_offered_once_after_a_log_in(house: ClaimHouse) -> None:
    client = by_password("tane")
    assert OFFER in text(client)
    assert OFFER not in text(client, "/claims/")
    client.post("/help/tour/", {"number": "0"})
    assert OFFER not in text(client)
    assert OFFER not in text(by_password("tane"))
    preference = Preference.objects.get(person__username="tane")
    assert (preference.tour, preference.theme, preference.text_size) == (tour.OVER, "", "")
    assert "data-theme" not in text(by_password("tane")), "nothing was chosen"
    assert "Start the tour" in text(client, "/help/")
    assert "Start the tour" in text(client, "/account/")


def test_it_goes_on_where_it_was_on_another_device(house: ClaimHouse) -> None:
    by_password("aroha").post("/help/tour/", {"number": "3"})
    page = text(by_password("aroha"), "/payouts/")
    assert "Tour: 3 of 6" in page
    assert "Tour: " not in text(by_password("aroha"), "/claims/")


@pytest.mark.parametrize("number", ["", "99", "-1", "x", "٣"])
def test_what_is_no_page_of_it_ends_it(house: ClaimHouse, number: str) -> None:
    client = logged_in("mere")
    assert client.post("/help/tour/", {"number": number})["Location"] == "/"
    assert client.session[TOUR] == tour.OVER


def test_who_has_no_role_is_offered_none(house: ClaimHouse) -> None:
    assert logged_in("nobody").post("/help/tour/", {"number": "1"}).status_code == 403
    assert OFFER not in by_password("nobody").get("/").content.decode()
