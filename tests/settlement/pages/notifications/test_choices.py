"""The page on which people choose what they are notified of, and how."""

import datetime as dt

import pytest
from django.test import Client
from pytest_django import Settings

from settlement.core.errors import BadSetUp
from settlement.notifications import choices
from settlement.notifications.choices import Quiet
from tests.support.cases.confirmed_house import person
from tests.support.houses.notified_house import a_house, beat, in_bell, kinds_of
from tests.support.pages.page_staff import logged_in, words
from tests.support.people.cast import ClaimHouse


@pytest.fixture
def house(db: None, no_writer: None, settings: Settings) -> ClaimHouse:
    return a_house(settings)


def test_the_page_of_choices(house: ClaimHouse) -> None:
    client = logged_in("sione")
    page_words = words(client.get("/account/notifications/"))
    assert "Claim reported" in page_words
    assert "Payment due" not in page_words  # of cashiers
    assert "Mail goes to sione@example.org." in page_words
    fields = {
        "kind": ["claim.held", "claim.late", "claim.confirmed"],
        "way": ["claim.held:mail", "claim.confirmed:mail", "claim.held:smoke"],
        "quiet_from": "22:00",
        "quiet_until": "07:00",
    }
    assert client.post("/account/notifications/", fields).status_code == 302
    choice = choices.chosen_of(person("sione"))
    assert choice.ways == {"claim.held": ["mail"], "claim.late": []}
    assert (choice.quiet_from, choice.urgent_breaks) == (dt.time(22), False)
    page = client.get("/account/notifications/").content.decode()
    assert 'value="22:00"' in page
    one_end = client.post("/account/notifications/", fields | {"quiet_until": ""})
    assert one_end.status_code == 422
    assert "when they end" in words(one_end)
    with pytest.raises(BadSetUp, match="another time"):
        choices.choose(person("sione"), {}, Quiet(dt.time(7), dt.time(7)))
    assert Client().get("/account/notifications/").status_code == 302
    house.hit_royal()
    beat()
    assert kinds_of("sione") == ["claim.held"]
    assert "Nothing new." in in_bell(client)
