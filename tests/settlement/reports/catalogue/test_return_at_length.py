"""The return of a regulator over more payments than anybody lists."""

import pytest

from settlement.core.report_query import Report
from settlement.reports.catalogue import quarterly
from settlement.reports.definitions.definition import Filters
from tests.support.houses.office.office_month import FRIDAY, SUNDAY, OfficeMonth


def test_the_return_adds_payments_up_in_the_database(
    month: OfficeMonth, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many there are: none is left out, and no list of them is in memory."""
    filters = Filters(month.system.casino, FRIDAY, SUNDAY, {"system": "main"})
    monkeypatch.setattr(Report, "rows", lambda *_limits: pytest.fail("a list of rows"))
    amounts = {row["what"]: (row["number"], row["amount"]) for row in quarterly._rows(filters)}
    assert amounts["payouts"] == (3, 2_046_000_000)
    assert amounts["recoveries"] == (1, 34_000_000)
    assert amounts["tax"] == (None, 0)
