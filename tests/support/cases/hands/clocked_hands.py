"""A house whose units have clocks, and may be cut off from the console for a while."""

import datetime as dt
from typing import Any

from django.utils import timezone

from tables.intake.reception import receive
from tables.protocol import topics
from tables.protocol.inbound_message import InboundMessage
from tests.support.people.cast import ClaimHouse

PRESSED = 12  # rounds: by so many events a clock is measured


class ClockHouse(ClaimHouse):
    """Each unit's clock is behind the console's by so many seconds; something is said a second."""

    def __init__(
        self, *terms: dict[str, Any], tables: tuple[str, ...] = ("t3", "t7", "t8")
    ) -> None:
        super().__init__(*terms, tables=tables)
        self.now = timezone.now() - dt.timedelta(minutes=5)
        self.behind = dict.fromkeys(tables, 0.0)
        self.waiting: dict[str, list[bytes]] = {}  # of units that are cut off

    def record(self, table: str, *bodies: bytes) -> None:
        """A second later; the unit's clock stands in the body."""
        self.now += dt.timedelta(seconds=1)
        recorded_at = self.now - dt.timedelta(seconds=self.behind[table])
        stamp = recorded_at.isoformat().replace("+00:00", "Z").encode()
        stamped = [body.replace(b"2026-11-21T10:15:00Z", stamp) for body in bodies]
        if table in self.waiting:
            self.waiting[table] += stamped
        else:
            self._receive(table, stamped)

    def cut_off(self, table: str) -> None:
        """From here on the unit journals what it cannot send."""
        self.waiting[table] = []

    def is_back(self, table: str) -> None:
        """What the unit journalled comes at once, a second later."""
        self.now += dt.timedelta(seconds=1)
        self._receive(table, self.waiting.pop(table))

    def warm_up(self, *tables: str) -> None:
        """Rounds by which the clocks are known."""
        for table in tables:
            self.open(table)
            for _ in range(PRESSED):
                self.press(table)
        self.post()

    def _receive(self, table: str, bodies: list[bytes]) -> None:
        receive(
            [InboundMessage.of(topics.events("main", table), body) for body in bodies], self.now
        )


def two_in_question(house: ClockHouse) -> None:
    """Table 7 calls a royal flush while it is cut off, table 3 two seconds later and is heard
    first: claim 1 is table 3's by the order, and by the clocks the second."""
    house.warm_up("t3", "t7")
    house.cut_off("t7")
    house.press("t7")
    house.call("t7")
    house.press("t3")
    house.call("t3")
    house.post()
    house.is_back("t7")
    house.post()
    house.report("t3")
    house.report("t7")
    house.post()
