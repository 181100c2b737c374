"""Claims of the open day behind a long past: played, identified, verified, confirmed and paid.

All of it by the console's own services and the writer, as at a real house; the drop of the month
before is counted, and what differs is explained and signed.
"""

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from typing import Any
from unittest import mock

CLAIMS = 200
COUNTED_DAYS = 29
SELDOM = (4, *[0] * 9)  # one of so many days differs
# Full houses of aces, and straight flushes for the tier above.
HANDS = (("Ad As", "Ac Kh Ks 7d 2c"), ("9h 8h", "7h 6h 5h Kd 2c"))
STAFF = {"joe": "Game supervisor", "tom": "Casino manager", "nina": "Cashier", "ines": "Compliance"}
PLAYERS = 40  # who win in turns
_TERMS_BEFORE = """
    ALTER TABLE jackpot_command DISABLE TRIGGER append_only_rows;
    UPDATE jackpot_command SET issued_at = issued_at - %s * interval '1 day';
    ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER append_only_rows;
"""


@contextmanager
def past(days: int) -> Iterator[None]:
    """What the tables and the writer take for now: so many days ago, the terms put just before."""
    from django.db import connection
    from django.utils import timezone

    with connection.cursor() as cursor:
        cursor.execute(_TERMS_BEFORE, [days])
    now = timezone.now

    def then() -> dt.datetime:
        return now() - dt.timedelta(days=days)

    with mock.patch.object(timezone, "now", then):
        yield


class OpenDay:
    """The last day of `main`, which goes on where the history ends."""

    def __init__(self) -> None:
        from django.contrib.auth.models import User

        from jackpot.models import RoundState
        from jackpot.writer.poster import Poster
        from settlement.core.gaming_day import today
        from settlement.people.rights.roles import grant, install_roles
        from tables.models import JackpotSystem, Stream

        self.system = JackpotSystem.objects.select_related("casino").get(code="main")
        self.day = today(self.system.casino)
        self.tables = list(self.system.tables.order_by("id")[:20])
        self.seqs = {
            each.table_id: each.last_seq
            for each in Stream.objects.filter(table__in=self.tables, boot=1)
        }
        self.rounds = {
            table.pk: RoundState.objects.filter(table=table).latest("round").round
            for table in self.tables
            if table.pk in self.seqs
        }
        self.poster = Poster("open-day")
        install_roles()
        self.people: dict[str, Any] = {}
        for name, role in STAFF.items():
            self.people[name], _ = User.objects.get_or_create(username=name)
            grant(self.people[name], role)

    def say(self, table: Any, type_: Any, **fields: Any) -> None:
        """An event of a table, taken in."""
        import msgspec
        from django.utils import timezone

        from tables.intake.reception import receive
        from tables.protocol import topics
        from tables.protocol.inbound_message import InboundMessage

        self.seqs[table.pk] += 1
        now = timezone.now()
        names = {"system": self.system.code, "table": table.code, "seq": self.seqs[table.pk]}
        event = type_(v=1, boot=1, recorded_at=now, **names, **fields)
        topic = topics.events(self.system.code, table.code)
        receive([InboundMessage.of(topic, msgspec.json.encode(event))], now)

    def post(self) -> None:
        from settlement.tasks import open_claims

        while self.poster.step():
            pass
        open_claims(self.system.pk)

    def win(self, table: Any, hand: tuple[str, str]) -> Any:
        """A round, and its winner at seat 3 as the dealer reports it; the claim."""
        from settlement.models import Claim
        from tables.protocol import messages

        hole, board = (each.split() for each in hand)
        self.rounds[table.pk] += 1
        number = self.rounds[table.pk]
        reported = messages.ReportedHand(
            seat=3, hole=hole, exposed="yes", folded=False, participating=True, won_pot=True
        )
        self.say(table, messages.RoundStarted, round=number)
        self.say(table, messages.HandReported, round=number, boards=[board], hands=[reported])
        self.post()
        return Claim.objects.select_related("system__casino").latest("number")

    def hit(self, claim: Any) -> Any:
        from jackpot.models import Hit

        return Hit.objects.get(system=self.system, number=claim.number)

    def confirmed(self, name: str) -> Any:
        """That person, who has just shown the password."""
        from settlement.people.rights.permissions import Reauthenticated

        return Reauthenticated(self.people[name])

    def confirm(self, claim: Any, identity: Any) -> None:
        """The whole prize, for this player, as joe and tom do."""
        from settlement.claims import services as claims
        from settlement.evidence.checklist import ITEMS
        from settlement.evidence.identification import identify

        joe = self.people["joe"]
        identify(claim, joe, identity)
        yes = {item.code: "yes" for item in ITEMS if not item.is_thing}
        claims.answer_checklist(claim, joe, yes, {})
        claims.verify(claim, joe)
        claims.confirm(claim, self.confirmed("tom"), self.hit(claim).held)
        self.post()

    def pay(self, claim: Any) -> None:
        """In cash but for tax, as nina does."""
        from settlement.claims import services as claims
        from settlement.jurisdiction import payments
        from settlement.jurisdiction.payments import PayeeStatement

        hit = self.hit(claim)
        (line,) = hit.payee_lines
        statement = PayeeStatement("resident")
        duties = payments.requirements(claim, hit, [(line, line.amount)])[line.line]
        tax = duties.tax(statement)
        parts = {"cash": line.amount - tax} | ({"tax": tax} if tax else {})
        claims.pay(claim, self.confirmed("nina"), line.line, parts, statement=statement)
        self.post()

    def count_drop(self, day: dt.date, apart: int) -> None:
        """Of every table and the bank: in each box lies more than was expected, as often `apart` as
        its place, which ines explains and tom signs."""
        from jackpot.terms.money import MICROS
        from settlement.drop import counts, expected_figures, findings
        from settlement.drop.counts import Figure

        drops = expected_figures.expected_drop(self.system, [day])
        boxes = [
            Figure(day, drops.get((day, table.pk), 0) + place * apart * MICROS, table, "Late")
            for place, table in enumerate(self.tables, start=1)
        ]
        counts.record(self.system, self.people["nina"], boxes)
        due = expected_figures.liability(self.system, day) + apart * MICROS
        counts.record(self.system, self.people["ines"], [Figure(day, due, note="Late")])
        self.post()
        for finding in findings.open_findings(self.system):
            findings.explain(finding, self.people["ines"], "Chips lay in the tray")
        for finding in findings.open_findings(self.system):
            findings.sign(finding, self.people["tom"])

    def settle_claims(self) -> int:
        """Claims of this day, each paid, table by table; how many there are."""
        tables, hands = cycle(self.tables), cycle(HANDS)
        for number in range(CLAIMS):
            claim = self.win(next(tables), next(hands))
            self.confirm(claim, player(number))
            self.pay(claim)
        return CLAIMS


def player(number: int) -> Any:
    """At seat 3 the winner of a claim by its place in the day: each of them wins in turns."""
    from settlement.evidence.identification import PlayerIdentity

    who = number % PLAYERS
    born = dt.date(1960, 1, 1) + dt.timedelta(days=200 * who)
    return PlayerIdentity(3, f"Player {who}", born, "passport", f"NZ{100_000 + who}")
