"""Gaming days, and where they fall in the order of a system."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from settlement.core.gaming_day import DAY, Days, Month, day_of, start_of
from settlement.core.sequence_at import first_entries, first_transfers
from tables.models import Casino
from tests.support.play.books import royal_terms
from tests.support.play.house import House

AUCKLAND = Casino(timezone="Pacific/Auckland", day_starts=dt.time(6))
SYDNEY = Casino(timezone="Australia/Sydney", day_starts=dt.time(2, 30))  # where clocks are put on
INSTANTS = st.integers(1_700_000_000, 1_800_000_000).map(
    lambda second: dt.datetime.fromtimestamp(second, dt.UTC)
)


def test_a_night_belongs_to_the_day_before() -> None:
    night = dt.datetime(2026, 11, 20, 14, 14, tzinfo=dt.UTC)  # 03:14 on the 21st
    assert day_of(night, AUCKLAND) == dt.date(2026, 11, 20)
    assert day_of(night + dt.timedelta(hours=3), AUCKLAND) == dt.date(2026, 11, 21)


@given(instant=INSTANTS, casino=st.sampled_from([AUCKLAND, SYDNEY]))
def test_every_instant_lies_in_its_day(instant: dt.datetime, casino: Casino) -> None:
    day = day_of(instant, casino)
    assert start_of(day, casino) <= instant < start_of(day + DAY, casino)


def test_days_have_23_or_25_hours_where_clocks_are_changed() -> None:
    lengths = {
        start_of(day + DAY, AUCKLAND) - start_of(day, AUCKLAND)
        for day in (dt.date(2026, 9, 26), dt.date(2026, 4, 4), dt.date(2026, 6, 1))
    }
    assert lengths == {dt.timedelta(hours=hours) for hours in (23, 24, 25)}


@pytest.mark.parametrize("text", ["", "2026", "2026-13", "26-1-1", "x"])
def test_what_is_no_month_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        Month.parse(text)


def test_months_follow_each_other() -> None:
    month = Month.parse("2026-12")
    assert str(month.next) == "2027-01"
    assert month.next.previous == month
    assert len(list(month.days())) == 31


@pytest.mark.parametrize(
    ("first", "last", "slug"),
    [
        (None, None, "all"),
        (1, None, "from-2026-11-01"),
        (None, 2, "until-2026-11-02"),
        (1, 1, "2026-11-01"),
        (1, 2, "2026-11-01-to-2026-11-02"),
    ],
)
def test_files_are_named_by_their_days(first: int | None, last: int | None, slug: str) -> None:
    def day(number: int | None) -> dt.date | None:
        return None if number is None else dt.date(2026, 11, number)

    assert Days(day(first), day(last)).slug == slug


@pytest.mark.django_db
class TestInstants:
    def test_the_place_of_an_instant_is_found_by_halving(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        begin = dt.datetime(2026, 11, 1, tzinfo=dt.UTC)
        now = [begin]
        monkeypatch.setattr("django.utils.timezone.now", lambda: now[0])
        house = House(royal_terms())  # entry 1
        house.open("t3")
        house.post()
        for _ in range(13):
            now[0] += dt.timedelta(hours=1)
            house.press("t3")
            house.post()
        hours = [dt.timedelta(hours=hour) for hour in (-5, 0, 1, 1.5, 12.9, 13, 14)]
        places = first_entries(house.system.pk, [begin + after for after in hours])
        assert places == [1, 1, 3, 4, 15, 15, 16]
        # Every entry but the opened session moved one amount.
        places = first_transfers(house.system.pk, [begin + after for after in hours])
        assert places == [1, 1, 2, 3, 14, 14, 15]

    def test_an_order_that_has_not_begun(self) -> None:
        house = House()
        assert first_entries(house.system.pk, [dt.datetime(2026, 1, 1, tzinfo=dt.UTC)]) == [1]
        assert first_transfers(house.system.pk, [dt.datetime(2026, 1, 1, tzinfo=dt.UTC)]) == [1]
