"""What is compared of a house and of its archive."""

import datetime as dt
from typing import Any

from django.db import connection

from settlement.audit.reconciliation import reconcile
from settlement.closing import closes
from settlement.core.gaming_day import today
from settlement.people.rights.permissions import Reauthenticated
from settlement.reports.catalogue import reports
from settlement.reports.definitions.definition import Filters
from tables.models import Casino
from tests.support.cases.confirmed_house import person
from tests.support.pages.page_ledger import LedgerHouse

FIRST = dt.date(2026, 1, 1)
TRIGGERS = """
    SELECT tgrelid::regclass::text, tgname, tgenabled FROM pg_trigger
    WHERE NOT tgisinternal ORDER BY 1, 2
"""


def close_first(house: LedgerHouse) -> dt.date:
    """Two people close the first day."""
    day = closes.first_day(house.system)
    assert day is not None
    reconcile(house.system)
    period = closes.period(house.system, str(day))
    assert period is not None
    proposal = closes.propose(period, person("ines"))
    closes.agree(proposal, Reauthenticated(person("mere")))
    house.post()
    return day


def figures() -> dict[str, list[dict[str, Any]]]:
    """Every report over the whole past."""
    casino = Casino.objects.get()
    filters = Filters(casino, FIRST, today(casino))
    return {code: each.report(filters).rows(100_000) for code, each in reports().items()}


def triggers() -> list[tuple[str, str, str]]:
    """Every trigger with its table and whether it fires."""
    with connection.cursor() as cursor:
        cursor.execute(TRIGGERS)
        return list(cursor.fetchall())
