"""The page of the rules of the house: what holds, and who decided it."""

from typing import Any

import pytest

from settlement.models import MissedRoundsLimit
from tables.models import Casino
from tests.support.pages.page_staff import page_of
from tests.support.people.set_up import hana, harbour

__all__ = ["hana", "harbour"]

pytestmark = pytest.mark.django_db


def test_rules_open_before_there_is_a_casino(hana: Any) -> None:
    assert "once it is made" in page_of("hana", "/house-rules/")


def test_rules_say_what_holds_and_who_decided_it_by_name(hana: Any, harbour: Casino) -> None:
    MissedRoundsLimit.objects.create(casino=harbour, count=4, first="hana", second="david")
    page = page_of("hana", "/house-rules/")
    assert "one person credits 4 Hana Reti and david" in page
    assert "again above a factor of 3" in page  # nobody decided that one
    assert "Default" not in page
