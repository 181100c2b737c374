"""Reports at each close: made once, delivered by mail and to a folder, until they have arrived."""

import datetime as dt
import json
import uuid
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.utils import timezone
from pytest_django import Settings

from settlement.audit import file_keys, trail
from settlement.core import signing
from settlement.core.errors import NotPermitted, SamePerson, WrongState
from settlement.core.gaming_day import today
from settlement.models import ReportExport, ReportSchedule, SetUpProposal
from settlement.people.rights.permissions import Reauthenticated
from settlement.reports import exports, schedules
from settlement.reports.catalogue import reports
from settlement.reports.definitions.definition import Filters
from settlement.reports.delivery import deliver
from settlement.reports.exports import files_of, run_next
from settlement.reports.schedules import Plan
from settlement.set_up import proposals
from settlement.tasks import write_exports
from tables.models import Alarm, Casino
from tests.support.cases.confirmed_house import person
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import acting_as, owner_without_guards
from tests.support.suite.databases import FreshDatabase
from verifier.export import findings

DAY = dt.date(2026, 11, 20)


@pytest.fixture
def house(fresh_database: FreshDatabase, settings: Settings, tmp_path: Path) -> ClaimHouse:
    settings.EXPORT_DIR = str(tmp_path / "exports")
    settings.DELIVERY_DIR = str(tmp_path / "delivery")
    settings.BUNDLE_SIGNING_KEY = "22" * 32
    file_keys.begin()
    settings.CLAIM_WAIT_S = 0
    return ClaimHouse()


@pytest.fixture
def closed(monkeypatch: pytest.MonkeyPatch) -> list[tuple[dt.date, dt.date]]:
    """The days that are closed."""
    days = [(DAY, DAY)]
    monkeypatch.setattr(schedules, "_closed", lambda _schedule: days)
    return days


def proposed(
    user: str = "ines", codes: dict[str, str] | None = None, **plan: Any
) -> ReportSchedule | None:
    casino = Casino.objects.get()
    filters = Filters(casino, today(casino), today(casino), codes or {})
    with acting_as("web"):
        return schedules.add(
            reports()["payouts"], filters, Plan("day", ["csv", "pdf"], **plan), person(user)
        )


def agree(name: str) -> None:
    with acting_as("web"):
        proposals.agree(SetUpProposal.objects.get(), Reauthenticated(person(name)))


def planned(user: str = "ines", **plan: Any) -> ReportSchedule:
    """Approved by mere where it mails to somebody outside."""
    if proposed(user, **plan) is None:
        agree("mere")
    return ReportSchedule.objects.get()


def at_the_worker() -> None:
    with acting_as("worker"):
        write_exports()


def test_it_is_made_once_for_each_closed_day_and_mailed(
    house: ClaimHouse, closed: list[tuple[dt.date, dt.date]]
) -> None:
    schedule = planned(mail="office@example.com, board@example.com")
    for _ in range(2):
        at_the_worker()
    export = ReportExport.objects.get()
    assert (export.state, export.schedule) == ("done", schedule)
    assert export.filters == {"from": "2026-11-20", "to": "2026-11-20"}
    (message,) = mail.outbox
    assert message.bcc == ["office@example.com", "board@example.com"]
    assert message.to == []
    assert {name for name, *_ in message.attachments} == {path.name for path in files_of(export)}
    closed.append((DAY + dt.timedelta(days=1),) * 2)
    at_the_worker()
    assert len(mail.outbox) == ReportExport.objects.count() == 2
    with acting_as("web"):
        schedules.end(schedule, person("ines"))
    assert schedules.of_casino(export.casino) == []
    closed.append((DAY + dt.timedelta(days=2),) * 2)
    at_the_worker()
    assert ReportExport.objects.count() == 2


@pytest.mark.usefixtures("closed")
def test_it_is_put_into_a_folder_whole_and_signed(house: ClaimHouse, tmp_path: Path) -> None:
    planned(folder="regulator/daily")
    at_the_worker()
    export = ReportExport.objects.get()
    (place,) = (tmp_path / "delivery" / "regulator" / "daily").iterdir()
    assert place.name == f"payouts-2026-11-20-{export.pk}"
    assert {path.name for path in place.iterdir()} == {path.name for path in files_of(export)}
    assert findings(place, bytes.fromhex(signing.public_key())) == []
    assert export.delivered_at is not None
    assert not mail.outbox


@pytest.mark.usefixtures("closed")
def test_what_does_not_arrive_is_tried_again_and_an_alarm(
    house: ClaimHouse, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    planned(mail="office@example.com", folder="regulator")
    send = EmailMessage.send

    def refuse(*_: Any, **__: Any) -> int:
        raise ConnectionRefusedError("no mail server")

    monkeypatch.setattr(EmailMessage, "send", refuse)
    at_the_worker()
    export = ReportExport.objects.get()
    assert (export.delivered_at, export.deliveries, export.fault) == (None, 1, "no mail server")
    alarm = Alarm.objects.get(kind="report_delivery")
    assert "no mail server" in alarm.message
    assert alarm.system == house.system
    monkeypatch.setattr(EmailMessage, "send", send)
    at_the_worker()
    assert not mail.outbox  # not yet
    ReportExport.objects.update(deliver_at=timezone.now() - dt.timedelta(seconds=1))
    at_the_worker()
    at_the_worker()
    assert len(mail.outbox) == 1
    export.refresh_from_db()
    assert (export.delivered_at is not None, export.fault) == (True, "")
    assert len(list((tmp_path / "delivery" / "regulator").iterdir())) == 1


@pytest.mark.usefixtures("closed")
def test_a_full_disk_leaves_no_half_folder(
    house: ClaimHouse, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    planned(folder="regulator")
    with acting_as("worker"):
        schedules.ask_for_due()
        assert run_next()
    (tmp_path / "delivery").write_text("no folder")
    with acting_as("worker"):
        deliver()
    assert Alarm.objects.get(kind="report_delivery").message.count("regulator")
    (tmp_path / "delivery").unlink()
    ReportExport.objects.update(deliver_at=None)
    with acting_as("worker"):
        deliver()
    (place,) = (tmp_path / "delivery" / "regulator").iterdir()
    assert json.loads((place / "manifest.json").read_text())["report"] == "payouts"


@pytest.mark.usefixtures("closed")
def test_a_scheduled_report_that_fails_is_an_alarm(house: ClaimHouse, settings: Settings) -> None:
    planned(mail="office@example.com")
    settings.BUNDLE_SIGNING_KEY = ""
    at_the_worker()
    assert ReportExport.objects.get().state == "failed"
    assert "No signing key" in Alarm.objects.get(kind="report_failed").message
    assert not mail.outbox
    # Who asked on a page sees it there.
    casino = Casino.objects.get()
    filters = Filters(casino, DAY, DAY)
    exports.request_export(reports()["ledger"], filters, ["csv"], person("ines"), uuid.uuid4())
    at_the_worker()
    assert Alarm.objects.filter(kind="report_failed").count() == 1


def test_what_cannot_be_planned_says_why(house: ClaimHouse, settings: Settings) -> None:
    with pytest.raises(ValidationError):
        planned(mail="nobody")
    for folder in ("../up", "/etc/../x", "a//b", "Upper", "a b", "a/./b", "a\n", "x" * 81, "-a"):
        with pytest.raises(WrongState, match="Enter the folder"):
            planned(folder=folder if folder != "a\n" else "a\nb")
    with pytest.raises(NotPermitted):
        planned("aroha")
    settings.DELIVERY_DIR = ""
    with pytest.raises(WrongState, match="DELIVERY_DIR"):
        planned(folder="regulator")
    assert not ReportSchedule.objects.exists()


def test_a_schedule_of_a_long_report_takes_more_than_a_pdf(house: ClaimHouse) -> None:
    filters = Filters(Casino.objects.get(), DAY, DAY)
    with pytest.raises(WrongState, match="choose CSV or XLSX"):
        schedules.add(reports()["ledger"], filters, Plan("day", ["pdf"]), person("ines"))


@pytest.mark.usefixtures("closed")
def test_nothing_leaves_the_house_before_a_second_person_approves(house: ClaimHouse) -> None:
    assert proposed(mail="board@example.com", codes={"system": "main"}) is None
    at_the_worker()
    assert not ReportSchedule.objects.exists()
    assert not mail.outbox
    with pytest.raises(SamePerson):
        agree("ines")
    agree("mere")
    schedule = ReportSchedule.objects.get()
    assert (schedule.person, schedule.mail_to) == (person("ines"), "board@example.com")
    assert (schedule.filters, schedule.formats) == ({"system": "main"}, ["csv", "pdf"])
    at_the_worker()
    assert [message.bcc for message in mail.outbox] == [["board@example.com"]]


@pytest.mark.usefixtures("closed")
def test_who_may_export_no_more_is_sent_nothing_more(house: ClaimHouse) -> None:
    User.objects.filter(username="ines").update(email="ines@harbour.example")
    planned(mail="ines@harbour.example")
    User.objects.filter(username="ines").update(email="ines@example.com")
    at_the_worker()
    assert not mail.outbox
    assert "who may export reports" in Alarm.objects.get(kind="report_delivery").message
    User.objects.filter(username="ines").update(email="ines@harbour.example")
    ReportExport.objects.update(deliver_at=None)
    with acting_as("worker"):
        deliver()
    assert len(mail.outbox) == 1


@pytest.mark.usefixtures("closed")
def test_each_delivery_stands_in_the_trail(
    house: ClaimHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned(mail="board@example.com", folder="regulator")

    def refuse(*_: Any, **__: Any) -> int:
        raise ConnectionRefusedError("no mail server")

    with monkeypatch.context() as patch:
        patch.setattr(EmailMessage, "send", refuse)
        at_the_worker()
    with owner_without_guards("settlement_reportexport"):
        ReportExport.objects.update(deliver_at=timezone.now() - dt.timedelta(seconds=1))
    with acting_as("worker"):
        deliver()
    export, schedule = ReportExport.objects.get(), ReportSchedule.objects.get()
    rows = trail.page(trail.Question(areas=(trail.ACCESS,), person="ines"), 20, is_upwards=True)
    deliveries = [(row["words"], row["after"]["detail"]) for row in rows if "deliver" in row["act"]]
    what = f"payouts #{export.pk} of schedule {schedule.pk}: "
    failed = "A scheduled report did not arrive"
    assert [(words, text.removeprefix(what)) for words, text in deliveries] == [
        (failed, "mail to board@example.com; no mail server"),
        (failed, "folder regulator; no mail server"),
        ("Delivered a scheduled report", "mail to board@example.com"),
        ("Delivered a scheduled report", "folder regulator"),
    ]
