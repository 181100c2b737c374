"""Gaming days of queries are those of the rest of the console."""

import datetime as dt

import pytest

from settlement.closing import table_days
from settlement.closing.day_totals import day_in_sql
from settlement.core.gaming_day import DAY, day_of
from settlement.core.report_query import ask, bind
from tables.models import Casino
from tests.support.pages.page_ledger import Clock, LedgerHouse

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("day_starts", [dt.time(0), dt.time(2, 30), dt.time(6, 20)])
@pytest.mark.parametrize(
    ("zone", "changes"),
    [("Australia/Sydney", "2026-10-03"), ("Australia/Sydney", "2027-04-03"),
     ("Europe/Paris", "2026-10-24"), ("UTC", "2026-10-24")],
)  # fmt: skip
def test_a_day_of_a_query_is_that_of_the_instant(
    zone: str, changes: str, day_starts: dt.time
) -> None:
    casino = Casino(timezone=zone, day_starts=day_starts)
    begin = dt.datetime.fromisoformat(f"{changes}T00:00Z")
    instants = [begin + number * dt.timedelta(minutes=15) for number in range(4 * 48)]
    days = [day_of(at, casino) for at in instants]
    rows = ask(
        bind(
            "SELECT {day} AS day FROM unnest({at}::timestamptz[]) WITH ORDINALITY AS n (at, place)"
            " ORDER BY place",
            day=day_in_sql("n.at", casino, days[0], days[-1]),
            at=instants,
        )
    )
    assert [row["day"] for row in rows] == days


# Where 2:30 is skipped, and where it comes twice.
@pytest.mark.parametrize("night", ["2026-10-03T16:15Z", "2027-04-03T16:15Z"])
@pytest.mark.usefixtures("no_writer")
def test_what_is_added_up_of_a_night_in_which_clocks_change_is_its_own(
    night: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch)
    clock.now = begin = dt.datetime.fromisoformat(night)
    house = LedgerHouse(clock)
    casino = house.system.casino
    casino.timezone, casino.day_starts = "Australia/Sydney", dt.time(2, 30)
    casino.save()
    days = []
    for clock.now in (begin, begin + dt.timedelta(hours=1)):
        house.press("t3")
        house.post()
        days.append(day_of(clock.now, casino))

    def sums() -> dict[dt.date, int]:
        around = [days[0] + DAY * number for number in (-1, 0, 1)]
        rows = [(day, table_days.totals(casino, [house.system.pk], day, day)) for day in around]
        return {day: total.contributed for day, of_day in rows for total in of_day}

    before = sums()
    assert set(before) == set(days)
    table_days.keep_table_days(house.system)
    assert sums() == before
    assert table_days.different_days(house.system) == []
