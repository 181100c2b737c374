"""Report 9 names the numbers that two people stated to be one player, day by day."""

import datetime as dt
from collections.abc import Callable

import pytest
from pytest_django import Settings

from jackpot.models import Entry
from settlement.core.gaming_day import DAY, start_of, today
from settlement.models import ProposalDecision
from settlement.reports.definitions.definition import Filters
from tests.support.houses.office.other_name import OtherName
from tests.support.houses.office.report_lines import lines
from tests.support.pages.page_ledger import Clock

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
REPORT = "tax-and-cash-reports"
NAMES = ("day", "what", "player", "one_with", "payouts", "total")


def groups(numbers: list[int], until: dt.datetime) -> dict[int, list[int]]:
    """By number those that are one with it, itself among them.

    Of each pair the last statement before that time counts; whoever is reached over pairs is one.
    """
    pairs: dict[frozenset[int], bool] = {}
    for entry in Entry.objects.filter(type="same_player", at__lt=until).order_by("at", "seq"):
        body = ProposalDecision.objects.get(command=entry.command).proposal.body
        pairs[frozenset((body["player"], body["other"]))] = body["is_one"]
    of_number = {number: {number} for number in numbers}
    for _ in numbers:
        for pair in (pair for pair, is_one in pairs.items() if is_one):
            whole = {each for number in pair for each in of_number[number]}
            of_number |= dict.fromkeys(whole, whole)
    return {number: sorted(group) for number, group in of_number.items()}


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Clock:
    settings.JURISDICTIONS = {"harbour": "nevada"}
    clock = Clock(monkeypatch)
    clock.now = dt.datetime(2026, 11, 20, 20, tzinfo=dt.UTC)
    return clock


def test_it_names_the_others_of_each_day(clock: Clock) -> None:
    """Two of three numbers are joined on the 21st, the third on the 22nd; one parts on the 23rd."""
    house = OtherName()
    house.pay(house.second, cash=5_000)
    of_lee = house.win("Lee", number="X9")
    one, other, last = house.numbers
    house.pay(of_lee, cash=1_000)
    first_day = today(house.casino)
    paid = [(first_day, one, 6_000), (first_day, other, 5_000), (first_day, last, 1_000)]
    steps: tuple[Callable[[], object], ...] = (
        house.state,
        lambda: house.join(last, other),
        lambda: house.state(is_one=False),
    )
    for step in steps:
        clock.now += DAY
        wins = {one: house.win("Ana Ruiz"), last: house.win("Lee", number="X9")}
        for number, claim in wins.items():
            house.pay(claim, cash=500)
            paid.append((today(house.casino), number, 500))
        step()  # what is stated at the end of a day counts for all of it
    expected = []
    for day in (first_day + DAY * count for count in range(4)):
        same = groups([one, other, last], start_of(day + DAY, house.casino))
        for group in sorted({tuple(group) for group in same.values()}):
            amounts = [amount for at, number, amount in paid if at == day and number in group]
            if amounts:
                others = ", ".join(map(str, group[1:])) or "-"
                row = (str(day), "person", str(group[0]), others, str(len(amounts)))
                expected.append((*row, f"{sum(amounts)}.00"))
    assert [row[3] for row in expected] == [
        *("-", "-", "-"),
        *(str(other), "-"),
        f"{other}, {last}",
        *("-", str(last)),
    ]
    days = Filters(house.casino, first_day, first_day + 3 * DAY)
    assert lines(REPORT, days, *NAMES) == expected
    one_system = Filters(house.casino, days.first, days.last, {"system": "main"})
    assert lines(REPORT, one_system, *NAMES) == expected
