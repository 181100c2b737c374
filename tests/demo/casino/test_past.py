"""The card room with a past: what its three evenings came to, by hand."""

import datetime as dt

import pytest
from django.utils import timezone
from pytest_django import Settings

from demo.casino import past
from demo.casino.seed_data import create_seed_data
from jackpot.terms.money import MICROS
from settlement.audit.reconciliation import reconcile
from settlement.closing import closes
from settlement.core.gaming_day import DAY, today
from settlement.drop import findings
from settlement.jurisdiction.forms_due import forms_due
from settlement.jurisdiction.recipients import PaidOnDays
from settlement.models import ClosedDay, Finding, Payout
from tables.models import Casino, JackpotSystem
from tests.support.suite.databases import FreshDatabase
from verifier import verify


@pytest.fixture
def reno(fresh_database: FreshDatabase, settings: Settings) -> JackpotSystem:
    settings.JURISDICTIONS = {"harbour": "new_zealand", "sierra": "nevada"}
    assert past.create_past()
    create_seed_data()
    return JackpotSystem.objects.select_related("casino").get(code=past.SYSTEM)


def test_three_evenings(reno: JackpotSystem, fresh_database: FreshDatabase) -> None:
    """24 rounds put 1.20 each into 2,500.00: 2,528.80, paid as 2,529.00; 30% of it is 758.70.

    The mini prize opens at 250.00, with 0.60 of each drop and 0.10 of each press: 24 rounds of the
    first evening, the round of its hit, 24 of the second and 0.10 of the press that won: 284.40,
    paid as 285.00. The royal flush opened again at 2,500.00: with 1 + 24 + 1 + 24 rounds it is
    2,560.00.
    """
    assert abs(timezone.now() - dt.datetime.now(dt.UTC)) < dt.timedelta(minutes=1)  # as before
    assert reno.casino.pk > Casino.objects.get(code="harbour").pk  # which pages open with
    payouts = Payout.objects.filter(claim__system=reno)
    assert {row.claim.number: (row.amount, row.tax) for row in payouts} == {
        1: (2_529 * MICROS, 758_700_000),
        2: (285 * MICROS, 0),
        3: (2_560 * MICROS, 0),
    }

    yesterday = today(reno.casino) - DAY
    days = ClosedDay.objects.filter(system=reno).order_by("day").values_list("day", flat=True)
    assert list(days) == [yesterday - 2 * DAY, yesterday - DAY]
    due = closes.next_due(reno)
    assert due is not None
    assert due.name == yesterday.isoformat()
    reconcile(reno)  # as the worker does by itself
    assert not closes.open_points(due)
    assert Finding.objects.filter(count__system=reno).count() == 1
    assert not findings.open_findings(reno)

    forms = [due.rule.form for due in forms_due(PaidOnDays(reno.casino, yesterday, yesterday))]
    assert forms == ["W-2G", "5754"]  # the latter where others share the prize

    report = verify(fresh_database.url, settled=False, system=reno.code)
    assert not report.findings

    assert not past.create_past()  # at a second start
