"""The bell and the list of notifications, and the mail beside them."""

from typing import Any

import pytest
from django.core import mail
from pytest_django import Settings

from settlement.models import Notification
from settlement.notifications import choices
from settlement.notifications.choices import Quiet
from tests.support.cases.confirmed_house import person
from tests.support.houses.notified_house import ORIGIN, a_house, beat, in_bell, kinds_of, mailed
from tests.support.pages.page_staff import logged_in, words
from tests.support.people.cast import ALL_YES, REASON, ClaimHouse, action


@pytest.fixture
def house(db: None, no_writer: None, settings: Settings) -> ClaimHouse:
    return a_house(settings)


def test_from_the_hand_to_the_bell_and_the_mail(house: ClaimHouse) -> None:
    choices.choose(person("sione"), {"claim.held": ["page", "mail"]}, Quiet())
    house.hit_royal()
    for _ in range(2):  # nothing comes twice
        beat()
    assert mailed() == [("sione", "Claim reported: MAIN-1")]
    body = str(mail.outbox[0].body)
    assert f"{ORIGIN}/claims/main/1/" in body
    assert "25," not in body  # no amount
    assert (kinds_of("sione"), kinds_of("anahera")) == (["claim.held"], ["claim.held"])
    assert kinds_of("aroha") == kinds_of("hana") == kinds_of("nobody") == []
    client = logged_in("sione")
    assert "data-unread>1</span>" in client.get("/").content.decode()
    assert client.get("/live/claims").json()["unread"] == 1
    assert "Claim reported MAIN-1" in in_bell(client)
    number = Notification.objects.get(person__username="sione").pk
    stranger = logged_in("anahera").post(f"/notifications/{number}/open/")
    assert stranger.status_code == 404
    opened = client.post(f"/notifications/{number}/open/")
    assert opened["Location"] == "/claims/main/1/"
    assert "Nothing new." in in_bell(client)
    assert "Claim reported MAIN-1" in words(client.get("/notifications/"))
    action("sione", "verify", answers=ALL_YES)
    beat()
    assert kinds_of("mere") == kinds_of("david") == ["claim.verified"]
    proposed: dict[str, Any] = dict(REASON)
    assert action("mere", "propose-rejection", **proposed).status_code == 200
    beat()
    assert kinds_of("david") == ["claim.verified", "proposal.made"]
    assert kinds_of("mere") == ["claim.verified"]  # who proposed is told nothing
    assert mailed()[1:] == [("david", "Approval needed: MAIN-1")]
