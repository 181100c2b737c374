"""Who made and ended a schedule stands fast; reports leave the house by two people."""

import datetime as dt
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, transaction
from django.utils import timezone
from pytest_django import Settings

from settlement.models import ReportSchedule, SetUpChange, SetUpProposal
from settlement.people.rights.permissions import Reauthenticated
from settlement.reports import schedules
from settlement.reports.catalogue import reports
from settlement.reports.definitions.definition import Filters
from settlement.reports.schedules import Plan
from settlement.set_up import proposals
from tables.models import Casino
from tests.support.cases.confirmed_house import person
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import acting_as
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("house")]

DAY = dt.date(2026, 11, 20)


def build_house() -> ClaimHouse:
    house = ClaimHouse()
    User.objects.filter(username="ines").update(email="ines@harbour.example")
    User.objects.filter(username="mere").update(email="mere@harbour.example")
    return house


house = kept_house(build_house)


@pytest.fixture(autouse=True)
def folders(settings: Settings, tmp_path: Path) -> None:
    settings.DELIVERY_DIR = str(tmp_path / "delivery")


def plan(mail_to: str = "", folder: str = "", **codes: str) -> ReportSchedule | None:
    """Of ines, who may export reports."""
    filters = Filters(Casino.objects.get(), DAY, DAY, codes)
    with acting_as("web"):
        return schedules.add(
            reports()["payouts"], filters, Plan("day", ["csv"], mail_to, folder), person("ines")
        )


def agree(name: str) -> None:
    with acting_as("web"):
        proposals.agree(SetUpProposal.objects.get(), Reauthenticated(person(name)))


def columns(**other: Any) -> dict[str, Any]:
    return {
        "casino": Casino.objects.get(),
        "report": "payouts",
        "moment": "day",
        "formats": ["csv"],
        "person": person("ines"),
        **other,
    }


# --- two people -------------------------------------------------------------------------------
def test_what_is_withdrawn_is_never_made() -> None:
    plan("board@example.com")
    with acting_as("web"):
        proposals.withdraw(SetUpProposal.objects.get(), person("ines"), "Not agreed with them")
    assert schedules.waiting(Casino.objects.get()) == []
    assert not ReportSchedule.objects.exists()


@pytest.mark.parametrize(
    ("address", "is_made"),
    [
        ("ines@harbour.example", True),
        ("INES@harbour.example", True),
        ("mere@harbour.example", False),  # who reads no reports
        ("ines@harbour.example board@example.com", False),
    ],
)
def test_one_person_is_enough_for_people_who_may_export_reports(
    address: str, *, is_made: bool
) -> None:
    assert (plan(address) is not None) == is_made
    assert SetUpProposal.objects.exists() != is_made


# --- what the database refuses ----------------------------------------------------------------
@pytest.mark.parametrize(
    "change",
    [
        {"mail_to": "board@example.com"},
        {"mail_to": "ines@harbour.example\u00a0board@example.com"},
        {"mail_to": "ines@harbour.example\nboard@example.com"},
    ],
)
def test_the_web_role_makes_no_schedule_that_leaves_the_house(change: dict[str, Any]) -> None:
    with (
        acting_as("web"),
        pytest.raises(DatabaseError, match="mails to somebody else"),
        transaction.atomic(),
    ):
        ReportSchedule.objects.create(**columns(**change))


def test_an_approval_is_of_one_schedule() -> None:
    plan("board@example.com")
    agree("mere")
    decision = ReportSchedule.objects.get().decision
    for mail_to, refusal in (("x@example.com", "nobody agreed"), ("board@example.com", "decision")):
        with (
            acting_as("web"),
            pytest.raises(DatabaseError, match=refusal),
            transaction.atomic(),
        ):
            ReportSchedule.objects.create(**columns(mail_to=mail_to, decision=decision))


def test_a_schedule_is_of_who_is_there_and_may() -> None:
    for name, logged_in in (("mere", True), ("ines", False)):
        with (
            acting_as("web", logged_in=logged_in),
            pytest.raises(DatabaseError, match=r"may not export|not there"),
            transaction.atomic(),
        ):
            ReportSchedule.objects.create(**columns(person=person(name)))


def test_it_ends_once_by_who_is_there_and_nothing_else_of_it_changes() -> None:
    schedule = plan(folder="regulator")
    assert schedule is not None
    rows = ReportSchedule.objects.filter(pk=schedule.pk)

    def refused(words: str, role: str | None = "web", **change: Any) -> None:
        with acting_as(role), pytest.raises(DatabaseError, match=words), transaction.atomic():
            rows.update(**change)

    refused("ends once", ended_at=timezone.now())
    refused("may not export", ended_at=timezone.now(), ended_by=person("mere"))
    refused("stays as it is", None, mail_to="board@example.com")
    with acting_as("web"):
        long_ago = timezone.now() - dt.timedelta(days=9)
        rows.update(ended_at=long_ago, ended_by=person("ines"))
    assert rows.get().ended_at > schedule.at  # type: ignore[operator]
    refused("ends once", ended_at=None, ended_by=None)
    refused("ends once", ended_at=timezone.now(), ended_by=person("ines"))
    with pytest.raises(DatabaseError, match="stays as it is"), transaction.atomic():
        rows.delete()


# --- the trail --------------------------------------------------------------------------------
def test_a_schedule_and_its_end_are_changes_of_set_up() -> None:
    plan("board@example.com", "regulator/daily", system="main")
    agree("mere")
    schedule = ReportSchedule.objects.get()
    with acting_as("web"):
        schedules.end(schedule, person("ines"))
    creation, end = SetUpChange.objects.filter(kind="report_schedule").order_by("id")
    assert (creation.by, creation.what, creation.subject) == (
        "ines and mere",
        "made",
        f"payouts #{schedule.pk}",
    )
    assert creation.after == {
        "report": "payouts",
        "made_for": "day",
        "files": ["csv"],
        "mail_to": ["board@example.com"],
        "folder": "regulator/daily",
        "system": "main",
    }
    assert (end.by, end.before, end.after) == (
        "ines",
        {"is_ended": False},
        {"is_ended": True},
    )
