"""Report 9 leaves out nobody who was paid: its totals are those of the register of payouts."""

import pytest

from settlement.core.gaming_day import today
from settlement.models import Identification
from settlement.reports.definitions.definition import Filters
from tests.support.houses.office.report_lines import lines, totals, typed
from tests.support.houses.winners import WinnersHouse

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]


def test_payments_to_people_nobody_identified_are_a_line() -> None:
    """Paid: 1,000 to one person, 1,000 and 400 to two whom nobody identified, of it 650 in cash."""
    house = WinnersHouse(1_000)
    first, second, third = house.win("Somebody"), house.win(), house.win()
    house.pay(first, cash=1_000)
    house.pay(second, chips=250, cash=250)
    house.pay(second, equivalent=500)
    house.pay(third, cash=400)  # the rest is still due
    day = today(house.casino)
    filters = Filters(house.casino, day, day)
    names = ("what", "player", "payouts", "total", "cash", "tax", "forms")
    assert lines("tax-and-cash-reports", filters, *names) == typed(f"""
        person        {Identification.objects.get().pk}  1  1000.00  1000.00  0.00  -
        unidentified  -  3  1400.00   650.00  0.00  -
    """)
    of_reports, register = totals("tax-and-cash-reports", filters), totals("payouts", filters)
    assert of_reports["total"] == register["amount_micros"] == 2_400_000_000
    assert of_reports["cash"] == register["cash_micros"] == 1_650_000_000
    assert of_reports["tax"] == register["tax_micros"] == 0
    assert of_reports["payouts"] == register["rows"] == 4
