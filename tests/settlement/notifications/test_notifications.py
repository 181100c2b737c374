"""People are told of what needs them, once, by the ways they want, while they may see it."""

import datetime as dt
import threading
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.db import connection
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags
from pytest_django import Settings

from settlement import tasks
from settlement.core.errors import BadSetUp
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
from tests.support.pages.page_staff import logged_in, words
from tests.support.people.cast import ALL_YES, REASON, ClaimHouse, action
from tests.support.people.roles import acting_as
from tests.support.servers.databases import FreshDatabase

ORIGIN = "https://console.example"


@pytest.fixture
def house(db: None, no_writer: None, settings: Settings) -> ClaimHouse:
    return a_house(settings)


def a_house(settings: Settings) -> ClaimHouse:
    settings.CONSOLE_ORIGIN = ORIGIN
    house = ClaimHouse()
    for user in User.objects.all():
        user.email = f"{user.username}@example.org"
        user.save(update_fields=["email"])
    return house


def beat() -> None:
    """As the worker's tasks come, one after the other."""
    tasks.watch_occasions()
    tasks.collect_webhooks()
    tasks.send_notifications()


def kinds_of(name: str) -> list[str]:
    rows = Notification.objects.filter(person__username=name).order_by("id")
    return list(rows.values_list("kind", flat=True))


def mailed() -> list[tuple[str, str]]:
    return [(each.to[0].partition("@")[0], str(each.subject)) for each in mail.outbox]


def in_bell(client: Client) -> str:
    return " ".join(strip_tags(client.get("/notifications/new/").content.decode()).split())


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
    raise_alarm("broker", "b1", "Away", house.system)
    beat()
    assert sorted(kinds_of("mere")) == ["alarm.raised", "day.open"]
    assert kinds_of("ines") == ["day.open"]
    assert kinds_of("sione") == []
    assert not WebhookEvent.objects.exists()  # no webhook asked


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
