"""People are told of what needs them, once, by the ways they want, while they may see it."""

import datetime as dt
import threading
from typing import Any

import pytest
from django.core import mail
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from settlement import tasks
from settlement.models import (
    AccessNote,
    Notification,
    NotificationDelivery,
    Occasion,
    WebhookEvent,
)
from settlement.notifications import choices, notices, sending
from settlement.notifications.choices import Quiet
from settlement.people.rights import roles
from tables.alarms import raise_alarm
from tests.support.cases.confirmed_house import person
from tests.support.houses.notified_house import a_house, beat, kinds_of, mailed
from tests.support.pages.page_staff import logged_in, words
from tests.support.people.cast import ALL_YES, REASON, ClaimHouse, action
from tests.support.people.roles import acting_as
from tests.support.suite.databases import FreshDatabase


@pytest.fixture
def house(db: None, no_writer: None, settings: Settings) -> ClaimHouse:
    return a_house(settings)


def test_a_claim_that_waits_too_long_calls_others_once(
    house: ClaimHouse, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ESCALATION = ["10:verify_claim", "20:confirm_claim"]
    house.hit_royal()
    beat()
    reported_at = timezone.now()
    for minutes, managers in ((11, False), (12, False), (21, True), (90, True)):
        later = reported_at + dt.timedelta(minutes=minutes)
        monkeypatch.setattr(timezone, "now", lambda at=later: at)
        beat()
        assert kinds_of("sione") == ["claim.held", "claim.late"]
        assert kinds_of("mere") == (["claim.late"] if managers else [])
    assert sorted(mailed()) == [
        (name, "Claim waits too long: MAIN-1") for name in ("anahera", "david", "mere", "sione")
    ]
    assert Occasion.objects.filter(kind="claim.late").count() == 2
    assert "Claim waits too long MAIN-1 20 minutes" in words(
        logged_in("mere").get("/notifications/")
    )


def test_who_lost_the_role_is_told_no_more(house: ClaimHouse) -> None:
    choices.choose(person("sione"), {"claim.held": ["page", "mail"]}, Quiet())
    house.hit_royal()
    tasks.collect_webhooks()  # it waits, and the role goes
    client = logged_in("sione")
    roles.revoke(person("sione"), "Game supervisor")
    roles.grant(person("sione"), "Surveillance")
    tasks.send_notifications()
    assert mailed() == []
    delivery = NotificationDelivery.objects.get()
    assert (delivery.state, "not see" in delivery.fault) == ("dead", True)
    assert "MAIN-1" not in words(client.get("/notifications/"))
    assert "data-unread hidden" in client.get("/").content.decode()
    house.hit_royal("t7")
    beat()
    assert kinds_of("sione") == ["claim.held"]


def test_quiet_hours_hold_back_what_is_not_urgent(
    house: ClaimHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = timezone.now()
    zone = house.system.casino
    local = now.astimezone(choices.ZoneInfo(zone.timezone))
    first, last = ((local + dt.timedelta(hours=hours)).time() for hours in (-1, 2))
    night = Quiet(first, last)
    for name in ("mere", "david"):
        ways = {"claim.verified": ["mail"], "proposal.made": ["mail"]}
        choices.choose(person(name), ways, night)
    house.hit_royal()
    action("sione", "verify", answers=ALL_YES)
    proposed: dict[str, Any] = dict(REASON)
    action("sione", "propose-rejection", **proposed)
    beat()
    assert {subject for _name, subject in mailed()} == {"Claim ready to confirm: MAIN-1"}
    waiting = NotificationDelivery.objects.filter(state="waiting")
    assert {each.attempts for each in waiting} == {0}
    for each in waiting:
        assert now + dt.timedelta(hours=1) < each.next_at < now + dt.timedelta(hours=3)
    mail.outbox.clear()
    later = now + dt.timedelta(hours=3)
    monkeypatch.setattr(timezone, "now", lambda: later)
    tasks.send_notifications()
    assert {subject for _name, subject in mailed()} == {"Approval needed: MAIN-1"}
    assert not waiting.all().exists()


def test_what_cannot_be_mailed_is_tried_again_and_given_up(
    house: ClaimHouse, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    choices.choose(person("sione"), {"claim.held": ["mail"]}, Quiet())
    house.hit_royal()

    def away(*_args: Any, **_more: Any) -> int:
        raise ConnectionRefusedError("the mail server is away")

    def surprised(*_args: Any, **_more: Any) -> int:
        raise ValueError("nobody foresaw this")

    with monkeypatch.context() as patch:
        patch.setattr("django.core.mail.EmailMessage.send", surprised)
        beat()
        delivery = NotificationDelivery.objects.get()
        assert (delivery.state, delivery.fault) == ("waiting", "ValueError")
        NotificationDelivery.objects.update(next_at=timezone.now())
        patch.setattr("django.core.mail.EmailMessage.send", away)
        beat()
        delivery = NotificationDelivery.objects.get()
        assert (delivery.state, delivery.attempts) == ("waiting", 2)
        assert "is away" in delivery.fault
        assert delivery.next_at > timezone.now()
        settings.NOTIFY_WITHIN_H = 0
        NotificationDelivery.objects.update(next_at=timezone.now())
        beat()
    delivery.refresh_from_db()
    assert delivery.state == "dead"
    beat()
    assert kinds_of("mere") == ["alarm.raised"]  # managers hear of it
    settings.NOTIFICATION_DAYS = 0
    notices.prune()
    assert not Notification.objects.exists()


def test_one_is_told_of_own_files_and_log_ins(house: ClaimHouse) -> None:
    for device in ("Firefox, Linux", "Chrome, Android"):  # the first is no news
        AccessNote.objects.create(what="new_device", username="ines", detail=device)
    beat()
    assert kinds_of("ines") == ["sign_in.new_device"]
    assert mailed() == [("ines", "Log-in on a new device: Chrome, Android")]


def test_alarms_of_a_day_and_webhooks(house: ClaimHouse) -> None:
    raise_alarm("unclosed_day", "main 2026-11-25", "Open", house.system)
    raise_alarm("unclosed_month", "main 2026-10", "Open", house.system)
    raise_alarm("broker", "b1", "Away", house.system)
    beat()
    assert sorted(kinds_of("mere")) == ["alarm.raised", "day.open", "day.open"]
    assert kinds_of("ines") == ["day.open", "day.open"]
    assert kinds_of("sione") == []
    assert not WebhookEvent.objects.exists()  # no webhook asked


def test_two_workers_send_each_once(fresh_database: FreshDatabase, settings: Settings) -> None:
    house = a_house(settings)
    for name in ("sione", "anahera"):
        choices.choose(person(name), {"claim.held": ["page", "mail"]}, Quiet())
    house.hit_royal()
    house.hit_royal("t7")
    together = threading.Barrier(2)

    def worker() -> None:
        with acting_as("worker"):
            together.wait()
            beat()
        connection.close()

    threads = [threading.Thread(target=worker) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with acting_as("worker"):
        beat()
    assert sorted(mailed()) == [
        (name, f"Claim reported: MAIN-{n}") for name in ("anahera", "sione") for n in (1, 2)
    ]
    client = logged_in("sione")
    with acting_as("web"):
        assert client.post("/notifications/read/").status_code == 302
        fields = {"kind": ["claim.held"], "way": [], "quiet_from": "", "quiet_until": ""}
        assert client.post("/account/notifications/", fields).status_code == 302
    assert Notification.objects.filter(read_at=None, person__username="sione").count() == 0
    assert sending.send_due() == 0
