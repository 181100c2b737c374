"""A figure that is entered twice at once, or while the house changes what it explains."""

import uuid
from collections.abc import Callable
from typing import Any

import pytest

from jackpot.models import Command
from settlement.core.errors import WrongState
from settlement.drop import counts
from settlement.drop.counts import Figure
from settlement.models import MoneyCount, VarianceLimit
from tests.support.cases.confirmed_house import person
from tests.support.houses.drop import FRIDAY, UNIT, DropHouse
from tests.support.people.at_once import after_look
from tests.support.people.roles import acting_as


@pytest.fixture
def house(fresh_database: None, monkeypatch: pytest.MonkeyPatch) -> DropHouse:
    house = DropHouse(monkeypatch)
    house.poster.give_up()
    VarianceLimit.objects.create(
        casino=house.system.casino, kind="count_drop", amount=5 * UNIT, first="mere", second="david"
    )
    return house


def entering(house: DropHouse, units: int, key: uuid.UUID) -> Callable[[], list[MoneyCount]]:
    figure = Figure(FRIDAY, units * UNIT, house.table("t3"))
    return lambda: counts.record(house.system, person("aroha"), [figure], key=key)


@pytest.mark.parametrize("is_same", [True, False])
def test_a_form_is_sent_twice_at_once(
    house: DropHouse, monkeypatch: pytest.MonkeyPatch, is_same: bool
) -> None:
    key = uuid.uuid4()
    other = entering(house, 3, key if is_same else uuid.uuid4())
    after_look(monkeypatch, counts, "expected_of", other)
    with acting_as("web"), pytest.raises(WrongState, match="entered this a moment ago"):
        entering(house, 3, key)()
    assert MoneyCount.objects.count() == Command.objects.filter(kind="count_drop").count() == 1


def test_the_house_changes_what_it_explains(
    house: DropHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit: dict[str, Any] = {"casino": house.system.casino, "kind": "count_drop"}
    after_look(
        monkeypatch,
        counts,
        "limit_of",
        lambda: VarianceLimit.objects.create(**limit, amount=0, first="mere", second="david"),
    )
    with acting_as("web"), pytest.raises(WrongState, match="has just changed: enter it again"):
        entering(house, 4, uuid.uuid4())()
    assert not MoneyCount.objects.exists()
    with acting_as("web"):
        (count,) = entering(house, 4, uuid.uuid4())()
    assert count.finding.limit == 0
