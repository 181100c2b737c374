"""An evening of a card room with high hands, under a clock that the test moves."""

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from jackpot.display.period_calls import call_periods
from jackpot.models import Entry
from tables.unit.unit import TableUnit
from tests.support.cases.hands.periods import AUCKLAND
from tests.support.people.roles import acting_as
from tests.support.play.high_hands import high_terms
from tests.support.suite.clock import Clock
from tests.support.suite.waiting import wait_until
from tests.support.units.cardroom import CardRoom, money

OpenRoom = Callable[..., CardRoom]


HALF_HOUR = dt.timedelta(minutes=30)


class Evening:
    """A card room whose writer and beat hear the time from the test; tables keep their own."""

    def __init__(
        self, open_room: OpenRoom, patch: pytest.MonkeyPatch, terms: dict[str, Any] | None = None
    ) -> None:
        start = AUCKLAND.next_end(timezone.now(), 30)
        self.clock = Clock(patch, start + dt.timedelta(minutes=5))
        self.room = open_room(terms or high_terms())
        self.units = {number: self.room.unit(number) for number in (3, 7)}

    def show(self, number: int, cards: tuple[str, str]) -> None:
        """A round at the table, and its hand as the dealer types it."""
        unit: TableUnit = self.units[number]
        self.room.play(unit, 1)
        hand = {"seat": 3, "hole": cards[0].split()}
        self.room.posted(unit, unit.report_hand([cards[1].split()], [hand]))

    def half_hour(self) -> Entry:
        """The period ends: Celery calls, the writer closes it."""
        closed = Entry.objects.filter(system=self.room.system, type="period_closed")
        before = closed.count()
        self.clock.at += HALF_HOUR
        with acting_as("worker"):
            assert call_periods() == 1
        wait_until(lambda: closed.count() > before, what="the period to be closed")
        return closed.order_by("-seq")[0]

    def stands(self) -> list[tuple[int, str, int]]:
        rows = [self.room.hit(number) for number in range(1, self.room.head().hit_number + 1)]
        return [(hit.number, hit.standing, hit.held // money(1)) for hit in rows]
