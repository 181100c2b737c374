"""The bell of who may pay says how long a confirmed claim waits for the cage."""

import datetime as dt

import pytest
from django.utils import timezone

from settlement import tasks
from settlement.models import Action
from settlement.notifications import occasions
from tests.support.cases.confirmed_house import ConfirmedHouse
from tests.support.pages.page_staff import logged_in, words
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]

house = kept_house(ConfirmedHouse, CLAIM_WAIT_S=0, ESCALATION=["30:pay_claim"])


def test_the_bell_says_what_waits_and_how_long(
    house: ConfirmedHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = Action.objects.get(kind="confirm").at + dt.timedelta(minutes=31)
    with monkeypatch.context() as later:
        later.setattr(timezone, "now", lambda: at)
        occasions.watch()
    tasks.collect_webhooks()
    page = words(logged_in("aroha").get("/notifications/"))
    assert "Confirmed, not paid MAIN-1 30 minutes" in page
