"""What is dear to find is asked once by a report."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from settlement.reports.catalogue import reports
from settlement.reports.definitions.definition import Filters
from tests.support.houses.office.office_month import FRIDAY, SUNDAY, OfficeMonth
from tests.support.pages.page_staff import page_of


@pytest.mark.parametrize(
    ("code", "part"),
    [
        ("tax-and-cash-reports", "FROM paid_to_players"),
        ("tax-and-cash-reports", "FROM paid_to_sharers"),
        ("quarterly-return", "figures_through"),
        ("quarterly-return", "AS at_close"),
    ],
)
def test_it_is_asked_once(month: OfficeMonth, code: str, part: str) -> None:
    filters = Filters(month.system.casino, FRIDAY, SUNDAY, {"system": "main"})
    with CaptureQueriesContext(connection) as queries:
        assert reports()[code].report(filters).rows(10)
    assert len([each for each in queries if part in each["sql"]]) == 1


def test_its_page_asks_for_the_forms_of_the_same_payments(month: OfficeMonth) -> None:
    with CaptureQueriesContext(connection) as queries:
        page = page_of("ines", f"/reports/tax-and-cash-reports/?from={FRIDAY}&to={SUNDAY}")
    assert "Paid to a person" in page
    assert len([each for each in queries if "FROM paid_to_players" in each["sql"]]) == 1
