"""Ends of periods in the gaming day of Auckland, and a night under a clock of its own."""

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

from django.db import connection

from jackpot.models import Entry
from jackpot.terms.periods import GamingDay
from settlement.audit.reconciliation import reconcile
from tables.protocol import messages
from tests.support.play.high_hands import high_terms
from tests.support.play.house import House
from tests.support.suite.clock import Clock
from tests.support.suite.databases import url_of
from verifier import verify

AUCKLAND = GamingDay(ZoneInfo("Pacific/Auckland"), dt.time(6))


def utc(text: str) -> dt.datetime:
    return dt.datetime.fromisoformat(text).replace(tzinfo=dt.UTC)


def ends(day: GamingDay, start: dt.datetime, until: dt.datetime, minutes: int) -> list[dt.datetime]:
    period_ends = []
    while (start := day.next_end(start, minutes)) <= until:
        period_ends.append(start)
    return period_ends


class Night(House):
    """A house whose clock is the test's; its gaming day begins at 06:00 UTC."""

    def __init__(self, clock: Clock, *terms: dict[str, Any]) -> None:
        self.clock = clock
        super().__init__(*terms or (high_terms(),))
        for table in ("t3", "t7"):
            self.open(table)

    def set(self, text: str) -> None:
        self.clock.at = utc(f"2026-11-21 {text}")

    def show(self, table: str, cards: tuple[str, str]) -> None:
        self.press(table)
        hand = messages.ReportedHand(
            seat=3,
            hole=cards[0].split(),
            exposed="yes",
            folded=False,
            participating=True,
            won_pot=True,
        )
        boards = [cards[1].split()]
        number = self.rounds[table]
        self.say(table, messages.HandReported, round=number, boards=boards, hands=[hand])

    def closed(self) -> list[tuple[str, list[Any]]]:
        """What ended when, in the order, and its candidates."""
        rows = Entry.objects.filter(system=self.system, type="period_closed").order_by("seq")
        periods = rows.values_list("body__ends", "outcome__candidates")
        return [(ends[11:16], candidates) for ends, candidates in periods]

    def whole(self) -> None:
        """The rows are what the order says, by the product and by the verifier."""
        assert reconcile(self.system).differences == []
        report = verify(url_of(connection.settings_dict["NAME"]), settled=False)
        assert report.ok, report.lines()
