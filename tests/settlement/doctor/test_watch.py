"""Alarms and metrics of what the check-up knows: the standby, disks, second factors."""

import datetime as dt
import shutil
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from prometheus_client import CollectorRegistry
from pytest_django import Settings

from config.celery_health import all_row_gauges
from settlement import tasks
from settlement.doctor import people, server, watch
from settlement.doctor.examination import State
from settlement.models import RoleChange
from settlement.people.factors import demand, missing_factors
from settlement.people.rights.role_holders import names_held
from tables.models import Alarm
from tables.process import disks
from tables.telemetry.row_metrics import RowMetrics
from tests.support.people.access.factors import give_app
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import acting_as
from tests.support.suite.databases import FreshDatabase


def alarms() -> list[str]:
    return list(Alarm.objects.order_by("id").values_list("kind", flat=True))


# --- standby ------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_house_of_one_machine_misses_no_standby(settings: Settings) -> None:
    settings.DATABASE_STANDBY = False
    tasks.watch_standby()
    assert not alarms()
    assert server.standby_is_there(server.look()).state == State.GOOD


@pytest.mark.django_db
def test_a_standby_that_is_gone_is_told(settings: Settings) -> None:
    settings.DATABASE_STANDBY = True
    with acting_as("worker"):
        tasks.watch_standby()
    assert alarms() == [watch.STANDBY_MISSING]
    assert server.standby_is_there(server.look()).state == State.WRONG


# --- disks --------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize(("part", "count"), [(0.5, 0), (0.09, 1)])
def test_a_disk_that_is_full_soon_is_told(
    part: float, count: int, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for setting in disks.FOLDERS:
        setattr(settings, setting, "")
    settings.EXPORT_DIR = str(tmp_path / "soon")
    usage = shutil.disk_usage(tmp_path)._replace(total=1000, free=int(part * 1000))
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    with acting_as("worker"):
        tasks.watch_safety()
    assert alarms() == count * [watch.DISK_FULL]
    registry = CollectorRegistry()
    registry.register(disks.DiskMetrics())
    assert registry.get_sample_value("jackpot_disk_free_part", {"kind": "EXPORT_DIR"}) == part


def test_a_disk_that_does_not_answer_hides_no_other(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for setting in disks.FOLDERS:
        setattr(settings, setting, "")
    settings.EXPORT_DIR, settings.DELIVERY_DIR = str(tmp_path / "stale"), str(tmp_path)
    usage = shutil.disk_usage(tmp_path)
    (tmp_path / "stale").mkdir()

    def ask(folder: Path) -> object:
        if folder.name == "stale":
            raise OSError(116, "Stale file handle")
        return usage

    monkeypatch.setattr(shutil, "disk_usage", ask)
    assert [setting for setting, _ in disks.rooms()] == ["DELIVERY_DIR"]


# --- second factors -----------------------------------------------------------------------------


def lacking() -> dict[str, int]:
    """As the pages ask of one person."""
    needed, counts = demand.by_role(), dict[str, int]()
    for person, names in names_held(User.objects.values_list("pk", flat=True)).items():
        if demand.lacks_one(User.objects.get(pk=person)):
            for name in names:
                counts[name] = counts.get(name, 0) + needed[name]
    return {name: count for name, count in counts.items() if count}


@pytest.mark.django_db
def test_people_without_their_second_factor_are_told_after_a_week(settings: Settings) -> None:
    ClaimHouse()
    settings.SECOND_FACTOR_DEMANDED = True
    give_app("david")
    counts = missing_factors.by_role()
    assert counts["Casino manager"] == 1
    assert counts == lacking()
    assert people.factors(people.look()).state == State.ATTENTION
    now = timezone.now()
    with acting_as("worker"):
        watch.raise_for_factors(now)
    assert not alarms()
    with acting_as("worker"):
        watch.raise_for_factors(now + dt.timedelta(days=8))
    (alarm,) = Alarm.objects.all()
    assert alarm.kind == watch.FACTOR_MISSING
    assert "Casino manager: 1" in alarm.message
    assert RoleChange.objects.exists()
    settings.SECOND_FACTOR_DEMANDED = False
    assert missing_factors.by_role() == {}


def test_the_metric_counts_them_by_role(fresh_database: FreshDatabase, settings: Settings) -> None:
    ClaimHouse()
    settings.SECOND_FACTOR_DEMANDED = True
    registry = CollectorRegistry()
    registry.register(RowMetrics(all_row_gauges()))
    value = registry.get_sample_value("jackpot_factors_missing", {"kind": "Casino manager"})
    assert value == missing_factors.by_role()["Casino manager"] == 2
