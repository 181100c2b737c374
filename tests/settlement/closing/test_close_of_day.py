"""A house that plays three days: two people close each, in order, with the figures of its end."""

import datetime as dt
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from jackpot.models import Account, Entry, Tier, Transfer
from jackpot.writer import commands
from settlement.audit.reconciliation import reconcile
from settlement.closing import closes
from settlement.closing.movements import compare, keep_closed_days, movements, open_days
from settlement.closing.prior_period import later_decisions
from settlement.core.errors import SamePerson, WrongState
from settlement.core.gaming_day import Month, start_of
from settlement.doctor.backlog import unclosed
from settlement.models import ClosedDay, DayMovement, Proposal, ProposalDecision
from settlement.people.rights.permissions import Reauthenticated
from settlement.pools.roll_forward import roll_forward, ties
from settlement.tasks import keep_closed_days as task_of_closed_days
from tables.alarms import raise_alarm
from tables.models import Alarm, JackpotSystem
from tests.support.cases.confirmed_house import person
from tests.support.pages.page_ledger import Clock, LedgerHouse, three_days
from tests.support.pages.page_staff import logged_in, words
from tests.support.people.roles import acting_as
from verifier.check import look

pytestmark = pytest.mark.django_db

FRIDAY, SATURDAY = dt.date(2026, 10, 30), dt.date(2026, 10, 31)


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch) -> LedgerHouse:
    return three_days(monkeypatch)


def balances_at(house: LedgerHouse, transfer: int) -> dict[str, int]:
    """Plain sums of the ledger, as a bookkeeper would make them."""
    sums: dict[int, int] = {}
    for t in Transfer.objects.filter(system=house.system, number__lte=transfer):
        sums[t.debit_id] = sums.get(t.debit_id, 0) - t.amount
        sums[t.credit_id] = sums.get(t.credit_id, 0) + t.amount
    codes = dict(Account.objects.values_list("id", "code"))
    return {codes[account]: held for account, held in sums.items()}


def closed(house: LedgerHouse, name: str, first: str = "ines", second: str = "mere") -> Proposal:
    subject = closes.period(house.system, name)
    assert subject is not None
    proposal = closes.propose(subject, person(first))
    closes.agree(proposal, Reauthenticated(person(second)))
    house.post()
    return proposal


def state_of(house: LedgerHouse, name: str) -> str:
    subject = closes.period(house.system, name)
    return "" if subject is None else subject.state


def roll_forward_rows(house: LedgerHouse) -> list[dict[str, Any]]:
    tier = Tier.objects.select_related("system__casino").get()
    return [
        row
        for month in (Month(2026, 10), Month(2026, 11))
        for row in roll_forward(tier, month).rows(31)
    ]


def test_two_people_close_days_in_order(house: LedgerHouse) -> None:
    assert [each.state for each in closes.months(house.system)] == ["running", "later"]
    assert state_of(house, "2026-10-30") == "due"
    later = closes.period(house.system, "2026-10-31")
    assert later is not None
    with pytest.raises(WrongState, match="2026-10-30 has to be closed first"):
        closes.propose(later, person("ines"))
    before = roll_forward_rows(house)
    friday = closes.period(house.system, "2026-10-30")
    assert friday is not None
    proposal = closes.propose(friday, person("ines"))
    with pytest.raises(SamePerson):
        closes.agree(proposal, Reauthenticated(person("ines")))
    closes.agree(proposal, Reauthenticated(person("mere")))
    house.post()
    assert state_of(house, "2026-10-30") == "closed"
    entry = Entry.objects.get(type="close_day")
    assert entry.outcome["day"] == "2026-10-30"
    assert not Transfer.objects.filter(entry_seq=entry.seq).exists()
    cut = proposal.body["through_transfer"]
    sums = balances_at(house, cut)
    assert {code: held for code, held in proposal.body["figures"].items() if held} == {
        code: held for code, held in sums.items() if held
    }
    assert keep_closed_days(house.system) == 1
    assert keep_closed_days(house.system) == 0
    day = ClosedDay.objects.get()
    assert (day.day, day.entry, day.through_transfer) == (FRIDAY, entry.seq, cut)
    assert sum(DayMovement.objects.values_list("count", flat=True)) == cut
    assert open_days(house.system, FRIDAY, dt.date(2026, 11, 1))[0] == SATURDAY
    assert roll_forward_rows(house) == before
    assert ties(before)
    # the month takes its last day
    closed(house, "2026-10-31", "david", "ines")
    closed(house, "2026-10")
    assert [each.state for each in closes.months(house.system)] == ["running", "closed"]
    keep_closed_days(house.system)
    assert roll_forward_rows(house) == before
    moved = movements(house.system, FRIDAY, dt.date(2026, 11, 1))
    assert sum(each.count for each in moved) == Transfer.objects.count()
    assert not compare(house.system).differences
    assert not reconcile(house.system).differences


def test_a_row_that_differs_raises_an_alarm(house: LedgerHouse) -> None:
    closed(house, "2026-10-30")
    keep_closed_days(house.system)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE settlement_daymovement DISABLE TRIGGER USER")
        cursor.execute(
            "UPDATE settlement_daymovement SET amount = amount + 1 WHERE reason = 'opening'"
        )
        cursor.execute("ALTER TABLE settlement_daymovement ENABLE TRIGGER USER")
    assert compare(house.system).differences == ["2026-10-30: what is kept is not its transfers"]
    assert Alarm.objects.get(kind="closed_days").system == house.system


def body_of(house: LedgerHouse, last: dt.date, **changes: Any) -> dict[str, Any]:
    return {"day": str(last), **closes.figures(house.system, last).body, **changes}


def test_the_database_holds_the_figures(house: LedgerHouse) -> None:
    right = body_of(house, FRIDAY)
    wrong = {**right["figures"], "operator": right["figures"]["operator"] + 1}
    for body, why in (
        ({**right, "figures": wrong}, "running balances"),
        ({**right, "through_seq": right["through_seq"] - 1}, "not the last of"),
        ({**right, "through_transfer": right["through_transfer"] - 1}, "not the last of"),
        (body_of(house, dt.date(2026, 11, 1)), "is not over"),
        (body_of(house, SATURDAY), "is not the first gaming day"),
    ):
        with pytest.raises(IntegrityError, match=why), transaction.atomic():
            commands.queue(house.system, "close_day", body, first="ines", second="mere")


def test_a_day_is_over_a_minute_after_its_end(house: LedgerHouse) -> None:
    """Entries of the day may still come from a writer whose clock is behind."""
    friday = body_of(house, FRIDAY)
    end = start_of(SATURDAY, house.system.casino)
    house.clock.now = end + dt.timedelta(seconds=59)
    assert (state_of(house, "2026-10-30"), closes.next_due(house.system)) == ("running", None)
    with pytest.raises(IntegrityError, match="is not over"), transaction.atomic():
        commands.queue(house.system, "close_day", friday, first="ines", second="mere")
    house.clock.on(seconds=1)
    assert state_of(house, "2026-10-30") == "due"
    assert commands.queue(house.system, "close_day", friday, first="ines", second="mere")


def test_the_checklist_is_kept_as_it_stood_when_two_people_agreed(house: LedgerHouse) -> None:
    proposal = closed(house, "2026-10-30")
    decision = ProposalDecision.objects.get(proposal=proposal)
    assert decision.note == (
        "queues=done messages=done units=done quarantine=done held=done requests=done"
        " drop=not_kept bank=not_kept variances=done reconciled=done"
    )
    raise_alarm("quarantine", "main/t3", "Found later", house.system)  # changes nothing of it
    page = words(logged_in("ines").get("/closing/main/2026-10-30/"))
    assert "Checklist when two people agreed" in page
    assert "Held rounds are decided Done" in page
    assert "Drop is counted Not counted by this house" in page
    assert page.count("Done") == 8
    assert "Checklist when" not in words(logged_in("ines").get("/closing/main/2026-10-31/"))


def test_the_fold_refuses_a_day_twice_and_a_gap(house: LedgerHouse) -> None:
    friday, sunday = body_of(house, FRIDAY), dt.date(2026, 11, 1)
    assert not house.decide("close_day", **friday).refused
    assert "already" in str(house.decide("close_day", **friday).refused)
    house.clock.on(days=1)
    gap = body_of(house, sunday)
    assert "close 2026-10-31 first" in str(house.decide("close_day", **gap).refused)
    month = {"month": "2026-10", **closes.figures(house.system, SATURDAY).body}
    assert "is not closed" in str(house.decide("close_month", **month).refused)
    assert Entry.objects.filter(type="close_day").exclude(outcome__has_key="refused").count() == 1


def test_what_keeps_a_day_open_is_said(house: LedgerHouse, settings: Any) -> None:
    commands.queue(house.system, "seal_records", {}, first="console")
    friday = closes.period(house.system, "2026-10-30")
    assert friday is not None
    with pytest.raises(WrongState, match="Decisions are queued"):
        closes.propose(friday, person("ines"))
    settings.UNCLOSED_AFTER_H = 24.0
    with acting_as("worker"):  # which reads no password hash of who proposed
        task_of_closed_days()
    alarm = Alarm.objects.get(kind="unclosed_day")
    assert alarm.subject == "main 2026-10-30"
    house.post()
    closed(house, "2026-10-30")
    assert Alarm.objects.get(pk=alarm.pk).cleared_at is not None


@pytest.mark.parametrize(("minutes", "alarms"), [(-1, 0), (0, 0), (1, 1)])
def test_the_alarm_of_an_open_day_comes_after_its_limit(
    house: LedgerHouse, settings: Any, minutes: int, alarms: int
) -> None:
    """Friday ends where Saturday begins: the limit is so many hours later, to the minute."""
    settings.UNCLOSED_AFTER_H = 30.0
    end = start_of(SATURDAY, house.system.casino)
    house.clock.now = end + dt.timedelta(hours=30, minutes=minutes)
    with acting_as("worker"):
        task_of_closed_days()
    assert Alarm.objects.filter(kind="unclosed_day").count() == alarms


@pytest.mark.parametrize(("minutes", "alarms"), [(0, 0), (1, 1)])
def test_a_month_whose_days_are_closed_is_not_forgotten(
    house: LedgerHouse, settings: Any, minutes: int, alarms: int
) -> None:
    """October ends with Saturday: its alarm names the month, and its close clears it."""
    settings.UNCLOSED_AFTER_H = 30.0
    closed(house, "2026-10-30")
    assert state_of(house, "2026-10") == "later"  # its last day is open
    assert closes.next_due_month(house.system) is None
    closed(house, "2026-10-31")
    assert state_of(house, "2026-10") == "due"
    house.clock.now = start_of(dt.date(2026, 11, 1), house.system.casino)
    house.clock.on(hours=30, minutes=minutes)
    with acting_as("worker"):
        task_of_closed_days()
        point = unclosed({})
    late = Alarm.objects.filter(kind="unclosed_month")
    assert [each.subject for each in late] == ["main 2026-10"] * alarms
    assert ("main 2026-10" in point.finding) == bool(alarms)
    if alarms:
        assert "the month 2026-10 is not closed, though all its days are" in late[0].message
        assert "To be closed" in words(logged_in("ines").get("/closing/?month=2026-10"))
        closed(house, "2026-10")
        assert not Alarm.objects.filter(kind="unclosed_month", cleared_at=None).exists()
        assert closes.next_due_month(house.system) is None


def test_months_are_closed_in_order(house: LedgerHouse) -> None:
    """All days of October and November are closed, and neither month is."""
    house.clock.on(days=30)
    for number in range(32):
        reconcile(house.system)
        closed(house, str(FRIDAY + dt.timedelta(days=number)))
    assert [each.state for each in closes.months(house.system)] == ["running", "later", "due"]
    november = closes.period(house.system, "2026-11")
    assert november is not None
    with pytest.raises(WrongState, match="2026-10 has to be closed first"):
        closes.propose(november, person("ines"))


def test_a_later_rejection_is_prior_period(monkeypatch: pytest.MonkeyPatch) -> None:
    house = LedgerHouse(Clock(monkeypatch))
    house.press("t3")
    house.hit_royal("t3")
    held = house.hit(1).held
    house.clock.on(days=1)
    house.press("t3")
    house.post()
    house.system = JackpotSystem.objects.select_related("casino").get()
    reconcile(house.system)
    closed(house, "2026-10-30")
    keep_closed_days(house.system)
    before = balances_at(house, ClosedDay.objects.get().through_transfer)
    assert before["royal:held"] == held > 0
    house.reject(1)
    pool = Account.objects.get(code="royal:pool")
    fed = Transfer.objects.filter(credit=pool).latest("number")
    rejected = Entry.objects.get(type="reject_claim")
    changed = sum(
        t.amount if t.credit_id == pool.pk else -t.amount
        for t in Transfer.objects.filter(entry_seq=rejected.seq)
        if pool.pk in (t.debit_id, t.credit_id)
    )
    assert fed.entry_seq == rejected.seq
    assert changed != 0
    assert later_decisions(house.system, FRIDAY, FRIDAY) == []
    (later,) = later_decisions(house.system, FRIDAY, SATURDAY)
    assert (later.seq, later.kind, later.hit) == (rejected.seq, "reject_claim", 1)
    assert (later.day, later.concerns, later.moved("royal:pool")) == (SATURDAY, FRIDAY, changed)
    page = logged_in("ines").get("/roll-forward/?pool=main/royal&month=2026-10").content.decode()
    assert "Prior-period decisions" in page
    assert "Claim rejected" in page


def test_the_verifier_holds_figures_and_rows(house: LedgerHouse) -> None:
    closed(house, "2026-10-30")
    keep_closed_days(house.system)

    def findings() -> list[str]:
        report = look(connection.connection, settled=False, with_actions=False)
        return [sentence for kind, sentence in report.findings if kind == "closes"]

    assert findings() == []
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for table in ("settlement_daymovement", "jackpot_command"):
            cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        cursor.execute("UPDATE settlement_daymovement SET count = 2 WHERE reason = 'opening'")
    (sentence,) = findings()
    assert "what is kept of it does not come to its transfers" in sentence
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE jackpot_command SET body ="
            " jsonb_set(jsonb_set(body, '{figures,operator}', '1'), '{through_transfer}', '1')"
            " WHERE kind = 'close_day'"
        )
    assert len(findings()) > 1
