"""What was counted against what the books expect, day by day; a house of which nothing is known."""

import pytest

from settlement.dashboard.figures import drop_by_day
from settlement.drop import counts
from settlement.drop.counts import Figure
from tests.support.cases.confirmed_house import person
from tests.support.houses.drop import FRIDAY, SATURDAY, UNIT, DropHouse
from tests.support.pages.page_staff import logged_in, page_of
from tests.support.people.cast import ClaimHouse

pytestmark = pytest.mark.django_db


@pytest.mark.usefixtures("no_writer")
def test_drop_by_day_leaves_out_what_was_corrected(monkeypatch: pytest.MonkeyPatch) -> None:
    house = DropHouse(monkeypatch)
    aroha = person("aroha")
    counts.record(house.system, aroha, [Figure(FRIDAY, 2 * UNIT, house.table("t3"))])
    counts.record(house.system, aroha, [Figure(FRIDAY, UNIT, house.table("t7"))])
    (day,) = drop_by_day([house.system.pk], FRIDAY, FRIDAY)
    assert (day.counted, day.expected, day.variance) == (3 * UNIT, 4 * UNIT, -UNIT)
    counts.record(house.system, aroha, [Figure(FRIDAY, 3 * UNIT, house.table("t3"), "a chip")])
    (day,) = drop_by_day([house.system.pk], FRIDAY, FRIDAY)
    assert (day.counted, day.variance) == (4 * UNIT, 0)
    assert drop_by_day([house.system.pk], SATURDAY, SATURDAY) == []


@pytest.mark.usefixtures("no_writer")
def test_the_page_draws_days_below_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    house = DropHouse(monkeypatch)
    aroha = person("aroha")
    counts.record(house.system, aroha, [Figure(FRIDAY, 2 * UNIT, house.table("t3"))])
    page = logged_in("mere").get("/dashboard/?from=2026-10-30").content.decode()
    words = "NZD 0.00 over and NZD 1.00 short on 1 counted day: NZD -1.00 in all."
    assert words in page
    assert 'class="chart-bar negative"' in page
    assert 'aria-label="30 Oct 2026: NZD -1.00"' in page
    assert "Open variances" in page


@pytest.mark.usefixtures("no_writer")
def test_a_table_that_is_over_hides_none_that_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    house = DropHouse(monkeypatch)
    aroha = person("aroha")
    for table, amount in (("t3", 4 * UNIT), ("t7", 0)):  # where 3.00 and 1.00 are expected
        counts.record(house.system, aroha, [Figure(FRIDAY, amount, house.table(table))])
    (day,) = drop_by_day([house.system.pk], FRIDAY, FRIDAY)
    assert (day.over, day.short, day.variance) == (UNIT, -UNIT, 0)
    page = logged_in("mere").get("/dashboard/?from=2026-10-30").content.decode()
    assert "No variance" not in page
    assert 'aria-label="30 Oct 2026: NZD 1.00"' in page
    assert 'aria-label="30 Oct 2026: NZD -1.00"' in page
    assert "NZD 1.00 over and NZD 1.00 short on 1 counted day: NZD 0.00 in all." in page


@pytest.mark.usefixtures("no_writer")
def test_an_empty_house_says_what_will_stand_there() -> None:
    ClaimHouse()
    page = page_of("mere", "/dashboard/")
    for words in ("No hit in 13 months", "No variance", "No contribution on these days"):
        assert words in page
    assert "nobody waits" in page
