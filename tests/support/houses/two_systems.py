"""Two systems of one casino; a table of the first is closed, and its unit has its receipts."""

import datetime as dt
from typing import Any

import msgspec
from django.db import connection
from django.utils import timezone

from jackpot.writer import commands
from jackpot.writer.poster import Poster
from settlement.floor import table_transfer
from settlement.models import Proposal
from settlement.people.rights.permissions import Reauthenticated
from tables.intake.reception import receive
from tables.models import GamingTable, JackpotSystem
from tables.protocol import messages, topics
from tables.protocol.inbound_message import InboundMessage
from tests.support.cases.confirmed_house import person
from tests.support.people.cast import ClaimHouse
from tests.support.play.books import royal_terms


class TwoSystems(ClaimHouse):
    """Table 3 played three rounds and closed."""

    def __init__(self) -> None:
        super().__init__()
        self.high = JackpotSystem.objects.create(
            casino=self.system.casino, code="high", name="High limit room"
        )
        self.poster.give_up()
        self.poster = Poster("test-poster")  # leases the new system too
        terms = {"terms": royal_terms()}
        commands.queue(self.high, "put_terms", terms, first="mere", second="david")
        self.open("t3")
        for _ in range(3):
            self.press("t3")
        self.say("t3", messages.SessionClosed)
        self.post()
        self.hear("t3")
        by_now()

    def hear(self, code: str, **fields: Any) -> None:
        """The unit says what it has: by default all that it sent."""
        presence = {"boot": 1, "last_seq": self.seqs[code], "state": "online", **fields}
        at = dt.datetime.now(dt.UTC).isoformat()
        body = msgspec.json.encode({"v": 1, "connection": 1, "at": at, **presence})
        ahead = timezone.now() + dt.timedelta(hours=1)  # it stays heard, however long a test takes
        receive([InboundMessage.of(topics.presence("main", code), body)], ahead)

    def table(self, code: str = "t3") -> GamingTable:
        tables = GamingTable.objects.select_related(
            "system__casino", "presence", "moved_to__system"
        )
        return tables.get(system=self.system, code=code)

    def propose(self, by: str = "mere", code: str = "h1", **more: Any) -> Proposal:
        return table_transfer.propose(
            self.table(), person(by), to=self.high, code=code, reason="The room is full", **more
        )

    def agree(self, proposal: Proposal, by: str = "david") -> commands.Answer:
        return table_transfer.agree(proposal, Reauthenticated(person(by)))

    def move(self) -> GamingTable:
        """By mere and david, to its end; the table as it is in the other system."""
        self.agree(self.propose())
        self.post()
        there = table_transfer.finish(self.table())
        self.post()
        by_now()
        return there


def by_now() -> None:
    """What the owner did so far is judged now, before another role takes over."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
