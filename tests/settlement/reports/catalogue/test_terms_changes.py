"""Report 4: what changed in the terms, before and after, a row for each field."""

from typing import Any

import pytest

from jackpot.terms.money import MICROS
from settlement.core.gaming_day import today
from settlement.reports.definitions.definition import Filters
from tables.models import Casino
from tests.support.houses.office.report_lines import lines, typed
from tests.support.play.books import royal_terms
from tests.support.play.house import House

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]


def put(house: House, **changed: Any) -> None:
    answer = house.decide("put_terms", terms=royal_terms(**changed))
    assert not answer.refused, answer


def test_each_field_that_changed_is_a_row_with_before_and_after() -> None:
    house = House(royal_terms())
    put(house, reset=1_500 * MICROS, payable_unit=5 * MICROS, limit=9_000 * MICROS)
    put(house, reset=1_500 * MICROS, payable_unit=5 * MICROS, limit=9_000 * MICROS)
    answer = house.decide("suspend", jackpot="house", tier="royal", reason="Felt")
    assert not answer.refused, answer
    casino = Casino.objects.get()
    filters = Filters(casino, today(casino), today(casino))
    assert lines("terms-changes", filters, "version", "changed", "was", "is_now") == typed("""
        1  All:_these_are_the_first_terms_of_this_jackpot  -  -
        2  Royal_Flush:_rounded_up_to          NZD_1.00      NZD_5.00
        2  Royal_Flush:_reset_amount           NZD_1,000.00  NZD_1,500.00
        2  Royal_Flush:_contributions_stop_at  No_limit      NZD_9,000.00
        3  Nothing:_the_same_terms_again       -             -
        4  Suspended_prizes                    None          royal
    """)
