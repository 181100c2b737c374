"""The days behind a small card room in Reno: three evenings, two of them closed.

A new demo has no gaming day that is over, no month, no tax. This house has: its people played, paid
and counted through the console's own services, with the console's clock in the past. Nothing is
written past them, and what two people must decide two people decided. Yesterday waits to be closed.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock
from zoneinfo import ZoneInfo

import msgspec
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from demo.casino.jackpots import SIERRA
from demo.casino.seed_data import Person, employ, harbour
from jackpot.display import values as display
from jackpot.models import Hit
from jackpot.terms.money import MICROS
from jackpot.writer import commands
from jackpot.writer.poster import Poster
from settlement.audit.reconciliation import reconcile
from settlement.claims import services as claims
from settlement.closing import closes
from settlement.closing.movements import keep_closed_days
from settlement.core.gaming_day import DAY, Month, today
from settlement.drop import counts, expected_figures, findings
from settlement.drop.counts import Figure
from settlement.evidence.checklist import ITEMS
from settlement.evidence.identification import PlayerIdentity, identify
from settlement.jurisdiction import payments
from settlement.jurisdiction.payments import PayeeStatement
from settlement.models import Claim
from settlement.people.rights.permissions import Reauthenticated
from settlement.people.rights.roles import install_roles
from settlement.tasks import open_claims
from tables.intake.reception import receive
from tables.models import Casino, GamingTable, JackpotSystem
from tables.protocol import messages, topics
from tables.protocol.inbound_message import InboundMessage

SYSTEM, TABLES = "reno", ("r1", "r2")
PEOPLE = (
    Person("carla", "Carla", "Reyes", "Compliance"),
    Person("tom", "Tom", "Hale", "Casino manager"),
    Person("joe", "Joe", "Park", "Game supervisor"),
    Person("nina", "Nina", "Cole", "Cashier"),
)
ROUNDS = 12  # of a table in an evening
_BEGINS = dt.time(19)
_ROYAL = ("As Ks", "Qs Js Ts 2d 3c")
_FULL = ("Ad As", "Ac Kh Ks 7d 2c")
_VISITOR = PlayerIdentity(
    3,
    "Ingrid Solberg",
    dt.date(1971, 5, 9),
    "passport",
    "NO2041187",
    address="Bergen, Norway",
    country="NO",
)
_LOCAL = PlayerIdentity(
    5,
    "Walter Briggs",
    dt.date(1964, 11, 2),
    "driver_licence",
    "NV1400917",
    tax_number="900-70-0000",
    address="12 Truckee Lane, Reno NV 89501",
    country="US",
)


class _Clock:
    """What the console takes for now."""

    def __init__(self) -> None:
        self.now = timezone.now()

    def on(self, **span: float) -> None:
        self.now += dt.timedelta(**span)

    def read(self) -> dt.datetime:
        return self.now

    @contextmanager
    def ruling(self) -> Iterator[None]:
        with (
            mock.patch.object(timezone, "now", self.read),
            mock.patch.object(settings, "CLAIM_WAIT_S", 0),  # the writer runs when it is called
        ):
            yield


def create_past(say: Callable[[str], None] = lambda _line: None) -> bool:
    """Make the card room and its three evenings, all or nothing. Whether it was made.

    Only in a new installation: the writer of the past would post for other systems, too.
    """
    if JackpotSystem.objects.exists():
        return False
    clock = _Clock()
    with transaction.atomic():
        harbour()  # the first casino is the one on which pages open for those who see both
        casino = _employer()
        yesterday = today(casino) - DAY
        with clock.ruling():
            clock.now = _evening(casino, yesterday - 2 * DAY) - dt.timedelta(hours=2)
            past = _Past(casino, clock)
            past.post_terms()
            for evening, day in (
                (past.first_evening, yesterday - 2 * DAY),
                (past.second_evening, yesterday - DAY),
                (past.third_evening, yesterday),
            ):
                say(f"{casino.name}: {day:%A} is played")
                evening(day)
            past.poster.give_up()
        past.system.tables.update(in_service=False)  # nobody misses their units
    return True


def _employer() -> Casino:
    casino = Casino.objects.create(
        code="sierra",
        name="Sierra Card Room",
        timezone="America/Los_Angeles",
        currency="USD",
        day_starts=dt.time(6),
    )
    install_roles()
    for person in PEOPLE:
        employ(person, casino)
    return casino


def _evening(casino: Casino, day: dt.date) -> dt.datetime:
    return dt.datetime.combine(day, _BEGINS, ZoneInfo(casino.timezone)).astimezone(dt.UTC)


class _Past:
    """What tables said and people did; `clock` goes on as they do."""

    def __init__(self, casino: Casino, clock: _Clock) -> None:
        self.clock = clock
        self.system = JackpotSystem.objects.create(casino=casino, code=SYSTEM, name="Card room")
        for code in TABLES:
            name = f"Reno table {code.removeprefix('r')}"
            GamingTable.objects.create(system=self.system, code=code, name=name)
        self.poster = Poster("past")
        self.seqs = dict.fromkeys(TABLES, 0)
        self.rounds = dict.fromkeys(TABLES, 0)

    # --- the days -------------------------------------------------------------------------------

    def post_terms(self) -> None:
        commands.queue(self.system, "put_terms", {"terms": SIERRA}, first="carla", second="tom")
        self.post()

    def first_evening(self, day: dt.date) -> None:
        """A visitor from abroad wins the royal flush: 30 percent are withheld."""
        self.play(day)
        self.hit("r1", seat=_VISITOR.seat, cards=_ROYAL)
        self.settle(1, _VISITOR, PayeeStatement("foreign"))
        self.end_evening(day, short=4 * MICROS)
        self.close(day)

    def second_evening(self, day: dt.date) -> None:
        """A mini jackpot for somebody from Reno, and chips that went to the wrong box."""
        self.play(day)
        self.hit("r2", seat=_LOCAL.seat, cards=_FULL)
        self.settle(2, _LOCAL, PayeeStatement("resident"))
        self.end_evening(day)
        self.close(day)

    def third_evening(self, day: dt.date) -> None:
        """The royal flush again, for somebody who gives a taxpayer number: form W-2G."""
        self.play(day)
        self.hit("r1", seat=_LOCAL.seat, cards=_ROYAL)
        self.settle(3, _LOCAL, PayeeStatement("resident"))
        self.end_evening(day)

    # --- what tables say ------------------------------------------------------------------------

    def play(self, day: dt.date) -> None:
        """Both tables open, then play a round every four minutes."""
        self.clock.now = _evening(self.system.casino, day)
        for table in TABLES:
            opened = {"game": "holdem", "deck": 52, "dealer": "117", "seats_in_play": [1, 3, 5, 8]}
            self.say(table, messages.SessionOpened, **opened)
        for _ in range(ROUNDS):
            self.clock.on(minutes=4)
            for table in TABLES:
                self.round(table)
        self.post()

    def round(self, table: str) -> None:
        self.rounds[table] += 1
        self.say(table, messages.RoundStarted, round=self.rounds[table])
        self.complete(table)

    def complete(self, table: str) -> None:
        figures = {"pot": 6_000, "commission": 300, "jackpot_drop": 200}
        self.say(table, messages.RoundCompleted, round=self.rounds[table], **figures)

    def hit(self, table: str, *, seat: int, cards: tuple[str, str]) -> None:
        """A round with a hand that wins, reported by the dealer."""
        self.clock.on(minutes=4)
        self.rounds[table] += 1
        hole, board = (each.split() for each in cards)
        hand = messages.ReportedHand(
            seat=seat, hole=hole, exposed="yes", folded=False, participating=True, won_pot=True
        )
        number = self.rounds[table]
        self.say(table, messages.RoundStarted, round=number)
        self.say(table, messages.HandReported, round=number, boards=[board], hands=[hand])
        self.complete(table)
        self.post()

    def say(self, table: str, type_: type, **fields: Any) -> None:
        self.seqs[table] += 1
        event = type_(
            v=1,
            system=self.system.code,
            table=table,
            boot=1,
            seq=self.seqs[table],
            recorded_at=self.clock.now,
            **fields,
        )
        topic = topics.events(self.system.code, table)
        receive([InboundMessage.of(topic, msgspec.json.encode(event))], self.clock.now)

    def post(self) -> None:
        """The writer until nothing waits, and the worker's task that it hints at."""
        while self.poster.step():
            pass
        open_claims(self.system.pk)

    # --- what people do -------------------------------------------------------------------------

    def settle(self, number: int, player: PlayerIdentity, statement: PayeeStatement) -> None:
        """Joe verifies, Tom confirms, Nina pays in cash what tax leaves."""
        claim = Claim.objects.select_related("system__casino").get(
            system=self.system, number=number
        )
        self.clock.on(minutes=6)
        identify(claim, _person("joe"), player)
        answers = {item.code: "yes" for item in ITEMS if not item.is_thing}
        claims.answer_checklist(claim, _person("joe"), answers, {})
        claims.verify(claim, _person("joe"))
        self.clock.on(minutes=4)
        claims.confirm(claim, _signed_in("tom"), self._hit(number).held)
        self.post()
        self.clock.on(minutes=5)
        hit = self._hit(number)
        (line,) = hit.payee_lines
        duties = payments.requirements(claim, hit, [(line, line.amount)])[line.line]
        tax = duties.tax(statement)
        parts = {"cash": line.amount - tax} | ({"tax": tax} if tax else {})
        claims.pay(claim, _signed_in("nina"), line.line, parts, statement=statement)
        self.post()

    def end_evening(self, day: dt.date, *, short: int = 0) -> None:
        """Tables close; in the morning Nina counts the boxes, Carla enters the bank.

        `short`: so much less is in the first box than play put there; Carla explains, Tom signs.
        """
        display.refresh(self.system.pk)
        for table in TABLES:
            self.say(table, messages.SessionClosed)
        self.post()
        self.clock.now = _evening(self.system.casino, day) + dt.timedelta(hours=13)
        tables = list(GamingTable.objects.filter(system=self.system).order_by("code"))
        drops = expected_figures.expected_drop(self.system, [day])
        boxes = [
            Figure(day, drops[day, table.pk] - (short if table is tables[0] else 0), table)
            for table in tables
        ]
        counts.record(self.system, _person("nina"), boxes)
        balance = Figure(day, expected_figures.liability(self.system, day))
        counts.record(self.system, _person("carla"), [balance])
        self.post()
        why = "Four chips lay in the tray: camera 3, 23:40"
        for finding in findings.open_findings(self.system):
            findings.explain(finding, _person("carla"), why)
        for finding in findings.open_findings(self.system):
            findings.sign(finding, _person("tom"))

    def close(self, day: dt.date) -> None:
        """Carla proposes the close of the day, and of a month behind its last day; Tom agrees."""
        self.clock.on(hours=1)
        reconcile(self.system)
        month = Month.of(day)
        for name in [str(day), *([str(month)] if day == month.last else [])]:
            period = closes.period(self.system, name)
            if period is None:
                raise LookupError(f"{name} cannot be closed")
            closes.agree(closes.propose(period, _person("carla")), _signed_in("tom"))
            self.post()
        keep_closed_days(self.system)

    def _hit(self, number: int) -> Hit:
        return Hit.objects.get(system=self.system, number=number)


def _person(username: str) -> User:
    return User.objects.get(username=username)


def _signed_in(username: str) -> Reauthenticated:
    """The owner of the database stands for who showed a password that evening."""
    return Reauthenticated(_person(username))
