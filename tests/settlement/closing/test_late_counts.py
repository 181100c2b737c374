"""Friday is closed; what is counted of it afterwards is prior-period on the day when it is counted.

Table 3 took 3.00 and table 7 took 1.00; of players 1,004.00 are kept at the end.
"""

import datetime as dt
from typing import Any

import pytest
from django.db import connection

from settlement.audit.reconciliation import reconcile
from settlement.closing import closes
from settlement.closing.movements import keep_closed_days
from settlement.closing.prior_period import later_decisions
from settlement.core.errors import WrongState
from settlement.drop import counts
from settlement.drop.counts import Figure
from settlement.drop.figures import variances
from settlement.models import MoneyCount
from settlement.pages.reports.links import Place, address_of
from settlement.people.rights.permissions import Reauthenticated
from settlement.reports.catalogue import reports
from settlement.reports.definitions.definition import Filters
from tests.support.cases.confirmed_house import person
from tests.support.houses.drop import FRIDAY, SATURDAY, UNIT, DropHouse
from tests.support.houses.office.report_lines import lines, typed
from tests.support.people.roles import acting_as
from verifier.check import look

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]


class ClosedFriday(DropHouse):
    def enter(self, by: str, table: str, units: int, note: str = "") -> MoneyCount:
        """Of Friday; no table: the bank."""
        where = self.table(table) if table else None
        figure = Figure(FRIDAY, units * UNIT, where, note)
        (row,) = counts.record(self.system, person(by), [figure])
        self.post()
        return row

    def close(self, day: dt.date = FRIDAY) -> None:
        reconcile(self.system)
        period = closes.period(self.system, str(day))
        assert period is not None
        closes.agree(closes.propose(period, person("ines")), Reauthenticated(person("mere")))
        self.post()
        keep_closed_days(self.system)

    def filters(self, first: dt.date = FRIDAY, last: dt.date = FRIDAY) -> Filters:
        return Filters(self.system.casino, first, last, {"system": "main"})

    def of_friday(self) -> dict[str, list[Any]]:
        """What the reports of the closed day say, all columns."""
        return {
            code: reports()[code].report(self.filters()).rows(1000)
            for code in ("drop", "liability", "quarterly-return", "prior-period")
        }


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch) -> ClosedFriday:
    return ClosedFriday(monkeypatch)


@pytest.fixture
def closed(house: ClosedFriday) -> ClosedFriday:
    """Counted and closed, without a variance."""
    house.enter("aroha", "t3", 3)
    house.enter("aroha", "t7", 1)
    house.enter("ines", "", 1004)
    house.close()
    return house


def test_reports_of_a_closed_day_show_what_stood_at_its_close(closed: ClosedFriday) -> None:
    before = closed.of_friday()
    closed.enter("aroha", "t3", 2, "Box 3 counted again")
    closed.enter("ines", "", 1003, "Deposit booked twice")
    assert closed.of_friday() == before
    names = ("table_code", "counted", "variance")
    assert lines("drop", closed.filters(), *names) == typed("""
        t3  3.00  0.00
        t7  1.00  0.00
    """)
    assert lines("liability", closed.filters(), "bank", "variance") == [("1004.00", "0.00")]
    # Where counts are entered the newest stands.
    assert [row.counted for row in variances(closed.system, FRIDAY, FRIDAY)] == [2 * UNIT, UNIT]


def counts_behind(house: ClosedFriday, *names: str) -> set[str]:
    """Where figures of the prior-period report lead to."""
    definition, filters = reports()["prior-period"], house.filters(last=SATURDAY)
    columns = [each for each in definition.columns if each.source in names]
    rows = definition.report(filters).rows(100)
    return {address_of(column, Place(row, filters)) for row in rows for column in columns}


def test_a_correction_is_prior_period_on_its_own_day(closed: ClosedFriday) -> None:
    closed.enter("aroha", "t3", 2, "Box 3 counted again")
    closed.enter("ines", "", 1003, "Deposit booked twice")
    closed.enter("ines", "t3", 3, "Below the box")
    assert later_decisions(closed.system, FRIDAY, FRIDAY) == []
    names = ("day", "what", "concerns", "table_code", "before", "after", "decided_by", "reason")
    assert lines("prior-period", closed.filters(last=SATURDAY), *names) == typed("""
        2026-10-31  count_drop     2026-10-30  t3  3.00     2.00     aroha  Box_3_counted_again
        2026-10-31  enter_balance  2026-10-30  -   1004.00  1003.00  ines   Deposit_booked_twice
        2026-10-31  count_drop     2026-10-30  t3  2.00     3.00     ines   Below_the_box
    """)
    assert counts_behind(closed, "before", "after") == {"/drop/?system=main&day=2026-10-30"}
    assert look(connection.connection, settled=False).ok
    assert reconcile(closed.system).differences == []


def test_corrections_of_an_open_day_are_no_prior_period(house: ClosedFriday) -> None:
    house.enter("aroha", "t3", 2)
    house.enter("aroha", "t3", 3, "Counted again")
    house.enter("aroha", "t7", 1)
    house.close()
    assert lines("drop", house.filters(), "table_code", "counted") == [
        ("t3", "3.00"),
        ("t7", "1.00"),
    ]
    assert later_decisions(house.system, FRIDAY, SATURDAY) == []


def test_a_house_that_counts_later_leaves_closed_days_as_they_were(house: ClosedFriday) -> None:
    """Nobody counted when the Friday was closed; on Saturday somebody counts one table of it."""
    house.close()
    before = house.of_friday()
    assert lines("drop", house.filters(), "table_code", "expected", "counted") == typed("""
        t3  3.00  -
        t7  1.00  -
    """)
    with pytest.raises(WrongState, match="is closed: enter a reason"), acting_as("web"):
        counts.record(house.system, person("aroha"), [Figure(FRIDAY, 3 * UNIT, house.table("t3"))])
    house.enter("aroha", "t3", 3, "Counted on Saturday")
    house.enter("ines", "", 1004, "From the statement")
    assert house.of_friday() == before
    names = ("what", "table_code", "before", "after", "reason")
    assert lines("prior-period", house.filters(last=SATURDAY), *names) == typed("""
        count_drop     t3  -  3.00     Counted_on_Saturday
        enter_balance  -   -  1004.00  From_the_statement
    """)


def test_the_correction_is_found_by_who_made_it(closed: ClosedFriday) -> None:
    closed.enter("aroha", "t3", 2, "Box 3 counted again")
    for login, count in (("aroha", 1), ("ines", 0)):
        filters = Filters(closed.system.casino, FRIDAY, SATURDAY, {"person": login})
        assert len(lines("prior-period", filters, "what")) == count
