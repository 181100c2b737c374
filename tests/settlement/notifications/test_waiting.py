"""Who waits, how long, and that sending holds up nothing else."""

import datetime as dt

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from settlement import tasks
from settlement.claims import services as claims
from settlement.claims.decisions import wrong_rejections
from settlement.models import (
    Claim,
    NotificationChoice,
    NotificationDelivery,
    Occasion,
    PushSubscription,
)
from settlement.notifications import occasions, sending
from settlement.people.rights.permissions import Reauthenticated
from tests.support.cases.confirmed_house import person
from tests.support.people.cast import REASON, ClaimHouse
from tests.support.suite.kept_house import kept_house

house = kept_house(ClaimHouse, CLAIM_WAIT_S=0)


def open_again(house: ClaimHouse) -> None:
    """The claim is rejected, and two others reverse that."""
    claim = Claim.objects.get()
    claims.propose_rejection(claim, person("sione"), **REASON)
    claims.second_rejection(claim, Reauthenticated(person("mere")))
    house.post()
    proposal = wrong_rejections.propose(
        claim, person("anahera"), reason="Misread", evidence="Camera 4"
    )
    wrong_rejections.agree(proposal, Reauthenticated(person("david")))
    house.post()
    assert house.hit(1).state == "held"


def test_a_claim_that_is_open_again_waits_from_then(
    house: ClaimHouse, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ESCALATION = ["10:verify_claim"]
    house.hit_royal()
    opened_at = Claim.objects.get().opened_at

    def late(minutes: int) -> int:
        monkeypatch.setattr(timezone, "now", lambda: opened_at + dt.timedelta(minutes=minutes))
        occasions.watch()
        return Occasion.objects.filter(kind="claim.late").count()

    assert [late(9), late(11), late(60)] == [0, 1, 1]
    open_again(house)
    assert [late(69), late(71), late(90)] == [1, 2, 2]


def test_two_processes_send_at_most(
    house: ClaimHouse, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mail server that does not answer leaves the worker its other processes."""
    settings.CONSOLE_ORIGIN = "https://console.example"
    User.objects.update(email="somebody@example.org")
    for name in ("sione", "anahera"):
        NotificationChoice.objects.create(person=person(name), ways={"claim.held": ["mail"]})
    for table in ("t3", "t7"):
        house.hit_royal(table)
    tasks.collect_webhooks()
    waiting = NotificationDelivery.objects.filter(state=NotificationDelivery.State.WAITING)
    assert waiting.count() == 4
    at_work: list[int] = []
    running = 0

    def fault_of(_notification: object) -> None:
        """While this process waits for the server, another one begins."""
        nonlocal running
        running += 1
        at_work.append(running)
        sending.send_due()
        running -= 1

    monkeypatch.setattr(sending.mail, "fault_of", fault_of)
    sending.send_due()
    assert max(at_work) == 2
    assert not waiting.exists()


def test_browsers_of_all_are_asked_for_at_once(house: ClaimHouse, settings: Settings) -> None:
    settings.PUSH_PUBLIC_KEY = "key"
    supervisors = User.objects.filter(groups__name="Game supervisor")
    for each in supervisors:
        NotificationChoice.objects.create(person=each, ways={"claim.held": ["push"]})
        PushSubscription.objects.create(person=each, url=f"https://push.example/{each.pk}")
    house.hit_royal()
    with CaptureQueriesContext(connection) as queries:
        tasks.collect_webhooks()
    lookups = [each for each in queries if "settlement_pushsubscription" in each["sql"]]
    assert len(lookups) == 1
    assert NotificationDelivery.objects.count() == supervisors.count() == 2
