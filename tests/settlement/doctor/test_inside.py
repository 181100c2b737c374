"""Processes, what waits, clocks and people: by the rows of a small casino."""

import datetime as dt
import os
import time
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from pytest_django import Settings

from jackpot.models import DisplayPulse, Head, Writer
from jackpot.writer import commands
from settlement.audit.reconciliation import reconcile
from settlement.doctor import backlog, clocks, people, processes
from settlement.doctor.clocks import Apart
from settlement.doctor.examination import State
from settlement.models import EscalationPolicy, Reconciliation
from tables.alarms import raise_alarm
from tables.models import GamingTable, OutboxMessage, UnitPresence
from tests.support.people.access.factors import give_app
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import acting_as
from tests.support.play.books import royal_terms
from tests.support.suite.kept_house import kept_house

pytestmark = pytest.mark.django_db


def build_house() -> ClaimHouse:
    house = ClaimHouse(royal_terms())
    house.open("t3")
    house.press("t3")
    house.post()
    return house


house = kept_house(build_house)


# --- processes ----------------------------------------------------------------------------------
def test_a_poster_that_is_gone_is_named(house: ClaimHouse) -> None:
    now = processes.look()
    assert processes.poster(now).state == State.GOOD
    Writer.objects.all().delete()
    assert processes.poster(now).state == State.WRONG


def test_a_system_that_halted_is_named(house: ClaimHouse) -> None:
    assert processes.halted(processes.look()).state == State.GOOD
    Head.objects.update(halted_at=timezone.now(), halted_on="hand_reported of t3")
    point = processes.halted(processes.look())
    assert (point.state, "main (hand_reported of t3)" in point.finding) == (State.WRONG, True)


def test_a_worker_shows_by_displays_that_it_lives(house: ClaimHouse) -> None:
    DisplayPulse.objects.all().delete()
    now = processes.look()
    assert processes.worker(now).state == State.UNSEEN
    pulse = DisplayPulse.objects.create(system=house.system, at=now)
    assert processes.worker(now).state == State.GOOD
    pulse.at = now - dt.timedelta(minutes=5)
    pulse.save()
    assert processes.worker(now).state == State.WRONG
    assert "300 s" in processes.worker(now).finding


def test_a_beat_shows_by_its_file_that_it_lives(settings: Settings, tmp_path: Path) -> None:
    now, file = processes.look(), tmp_path / "alive"
    settings.BEAT_ALIVE_FILE = str(file)
    assert processes.beat(now).state == State.UNSEEN
    file.touch()
    assert processes.beat(now).state == State.GOOD
    os.utime(file, (time.time() - 90,) * 2)
    assert processes.beat(now).state == State.WRONG


# --- what waits ---------------------------------------------------------------------------------
def test_nothing_waits_once_all_is_posted(house: ClaimHouse) -> None:
    OutboxMessage.objects.all().delete()
    facts = backlog.look()
    for judge in (backlog.events, backlog.outbox, backlog.commands):
        assert judge(facts).state == State.GOOD, facts


def test_what_has_waited_too_long_is_named(house: ClaimHouse) -> None:
    OutboxMessage.objects.all().delete()
    house.press("t3")
    OutboxMessage.objects.create(system=house.system, topic="x", payload=b"")
    facts = backlog.look()
    assert facts["event"] is not None
    assert facts["message"] is not None
    for judge, name in ((backlog.events, "event"), (backlog.outbox, "message")):
        assert judge(facts).state == State.GOOD  # of this moment
        for seconds, state in ((30, State.ATTENTION), (300, State.WRONG)):
            old = {name: timezone.now() - dt.timedelta(seconds=seconds)}
            assert judge(old).state == state
    assert backlog.commands({"command": dt.datetime(2026, 1, 1, tzinfo=dt.UTC)}).state == "wrong"


def test_a_command_that_nobody_takes_waits(house: ClaimHouse) -> None:
    commands.queue(house.system, "suspend", {"tier": "royal"}, first="mere", second="david")
    assert backlog.look()["command"] is not None


def test_reconciliation_is_late_or_differs(house: ClaimHouse) -> None:
    assert backlog.reconciliation({}).state == State.UNSEEN
    row = reconcile(house.system)
    assert backlog.reconciliation({}).state == State.GOOD
    copy = {
        field.attname: getattr(row, field.attname)
        for field in Reconciliation._meta.concrete_fields
        if field.attname not in ("id", "at")
    }
    Reconciliation.objects.create(**{**copy, "differences": ["balance of pool:royal"]})
    point = backlog.reconciliation({})
    assert (point.state, "main" in point.finding) == (State.WRONG, True)


def test_reconciliation_that_stopped_is_named(house: ClaimHouse, settings: Settings) -> None:
    reconcile(house.system)
    settings.RECONCILE_EVERY_S = -1
    assert backlog.reconciliation({}).state == State.WRONG


def test_open_alarms_are_counted(house: ClaimHouse) -> None:
    assert backlog.alarms({}).state == State.GOOD
    raise_alarm("unclosed_day", "main 2026-11-20", "Not closed.", house.system)
    point = backlog.alarms({})
    assert point.state == State.ATTENTION
    assert "(1)" in point.finding


def test_days_and_devices(house: ClaimHouse) -> None:
    assert backlog.unclosed({}).state == State.GOOD
    GamingTable.objects.update(in_service=True)
    assert backlog.devices({}).state == State.GOOD  # unheard is for the steps before opening
    table = GamingTable.objects.get(code="t3")
    UnitPresence.objects.create(table=table, online=False, heard_at=timezone.now())
    point = backlog.devices({})
    assert (point.state, "main/t3" in point.finding) == (State.ATTENTION, True)


# --- clocks -------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("seconds", "state"),
    [(0.2, State.GOOD), (-3, State.ATTENTION), (3, State.ATTENTION), (60, State.WRONG)],
)
def test_clocks_of_machines(seconds: float, state: State) -> None:
    apart = Apart(dt.timedelta(seconds=seconds), dt.timedelta(milliseconds=1))
    assert clocks.machine(apart).state == state


def test_the_clocks_of_this_machine_agree() -> None:
    assert clocks.machine(clocks.look()).state == State.GOOD


def test_a_unit_whose_clock_is_wrong_is_named(house: ClaimHouse) -> None:
    facts, now = clocks.look(), timezone.now()
    table = GamingTable.objects.get(code="t7")
    GamingTable.objects.exclude(pk=table.pk).update(in_service=False)
    presence = UnitPresence.objects.create(table=table, online=True, heard_at=now, said_at=now)
    assert clocks.units(facts).state == State.GOOD
    presence.said_at = now + dt.timedelta(hours=3)
    presence.save()
    point = clocks.units(facts)
    assert (point.state, "main/t7" in point.finding) == (State.ATTENTION, True)


# --- people -------------------------------------------------------------------------------------
def test_a_casino_needs_two_managers(house: ClaimHouse) -> None:
    assert people.enough(people.look()).state == State.GOOD
    User.objects.filter(username="david").update(is_active=False)
    point = people.enough(people.look())
    assert (point.state, "casino managers: 1" in point.finding) == (State.WRONG, True)


def test_second_factors_that_are_missing_are_counted_by_role(
    house: ClaimHouse, settings: Settings
) -> None:
    assert people.factors(people.look()).state == State.WRONG  # the demo asks for none
    settings.SECOND_FACTOR_DEMANDED = True
    point = people.factors(people.look())
    assert (point.state, "Casino manager: 2" in point.finding) == (State.ATTENTION, True)
    assert "Surveillance" not in point.finding  # only looks on
    for person in User.objects.all():
        give_app(person.username)
    assert people.factors(people.look()).state == State.GOOD


def test_an_escalation_that_tells_nobody_is_named(house: ClaimHouse, settings: Settings) -> None:
    assert people.escalation(people.look()).state == State.GOOD
    settings.ESCALATION = []
    assert people.escalation(people.look()).state == State.ATTENTION
    EscalationPolicy.objects.create(
        casino=house.system.casino,
        levels="10:verify_claim",
        first="mere",
        second="david",
        at=timezone.now(),
    )
    assert people.escalation(people.look()).state == State.GOOD


def test_steps_before_opening_and_alarms_of_nobody(house: ClaimHouse) -> None:
    point = people.opening(people.look())
    assert (point.state, "Harbour Casino" in point.finding) == (State.ATTENTION, True)
    assert people.clearing(people.look()).state == State.GOOD
    User.objects.filter(username__in=("mere", "david")).update(is_active=False)
    assert people.clearing(people.look()).state == State.ATTENTION


@pytest.mark.parametrize("role", ["web", "worker"])
def test_a_process_sees_what_its_role_may(house: ClaimHouse, role: str) -> None:
    """What the page asks, the roles of web and worker may ask."""
    looks: list[Any] = [people.look, backlog.look, clocks.look, processes.look]
    with acting_as(role):
        for look in looks:
            look()
        for of_people in (people.enough, people.factors, people.escalation):
            assert of_people(people.look()).state != State.UNSEEN
        for of_processes in (processes.poster, processes.halted, processes.worker):
            of_processes(timezone.now())
        assert backlog.alarms({}).state == State.GOOD
