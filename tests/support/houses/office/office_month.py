"""The end of October in a small casino: everything that a compliance office reports on.

Each amount can be worked out by hand. A round whose pot is 40.00 gives, with a commission of 2.00
and 1.00 for the drop box:

    to the royal flush   0.50 of the operator, 0.60 of the drop; 0.40 of the pot to its reserve
    to quads             0.40 of the drop, 0.20 of the commission; above 56.00 to the overflow

Friday 30th: ten rounds, claims 1 and 2 for the royal flush, two missed rounds. Saturday 31st: the
Friday is closed; claim 2 is rejected (prior-period); claim 1 is paid in part; quads are hit (claim
3) and nobody comes for them; 25.00 are adjusted, a round is void. Sunday 1st: Saturday and October
are closed; claim 1 is paid, claim 3 forfeited (prior-period); claim 4 is paid, then reversed with
34.00 recovered; new terms. A second system, the annex, plays two rounds on Saturday, and a hand is
called there for which there is no prize; a third one, the wing, plays on Sunday
(`tests.support.houses.office.office_wing`). Claims 1 and 4 have one winner. Displays say each day
what they show, one of them something else.
"""

import datetime as dt
from collections.abc import Generator
from typing import Any

import pytest
from django.test import override_settings
from pytest_django import DjangoDbBlocker

from jackpot.display import values as display
from jackpot.models import DisplayMessage
from jackpot.terms.money import MICROS
from jackpot.writer.poster import Poster
from settlement.audit.reconciliation import reconcile
from settlement.claims import services as claims
from settlement.closing import closes
from settlement.closing.movements import keep_closed_days
from settlement.drop import counts, findings
from settlement.drop.counts import Figure
from settlement.evidence.identification import PlayerIdentity, identify
from settlement.floor import incidents, missed_rounds
from settlement.floor.incidents import IncidentReport
from settlement.floor.missed_rounds import MissedCredit
from settlement.floor.rulings import RoundRuling, decide
from settlement.payments import services as payments
from settlement.people.rights.permissions import Reauthenticated
from tables.intake import readings
from tables.models import JackpotSystem
from tables.protocol import messages
from tables.protocol.table_ref import table_ref_of
from tests.support.cases.confirmed_house import person
from tests.support.houses.office.office_house import OfficeHouse, money
from tests.support.houses.office.office_wing import OfficeWing
from tests.support.pages.page_ledger import Clock
from tests.support.play.books import ROYAL, royal_terms
from tests.support.play.house import House
from tests.support.suite.databases import clone, used_by_django

FRIDAY, SATURDAY, SUNDAY = dt.date(2026, 10, 30), dt.date(2026, 10, 31), dt.date(2026, 11, 1)


def month_terms(reset: int = 1000) -> dict[str, Any]:
    """A royal flush with a reserve, and quads with a limit; both fed by play."""
    (royal,) = royal_terms()["tiers"]
    royal |= {
        "reset": reset * MICROS,
        "increments": [
            {"source": "per_round", "amount": MICROS // 2},
            {"source": "drop", "basis_points": 6_000},
            {"source": "pot", "basis_points": 100, "into": "reserve"},
        ],
        "qualifying": {**ROYAL, "games": ["holdem"]},
    }
    quads = {
        "code": "quads",
        "name": "Quads",
        "rank": 2,
        "reset": 50 * MICROS,
        "limit": 56 * MICROS,
        "payable_unit": MICROS,
        "increments": [
            {"source": "drop", "basis_points": 4_000},
            {"source": "commission", "basis_points": 1_000},
        ],
        "qualifying": {"weakest": {"category": "four_of_a_kind"}, "games": ["holdem"]},
    }
    return {
        **royal_terms(),
        "funding": "players",
        "drop_steps": [{"pot_from": 20 * MICROS, "take": MICROS}],
        "tiers": [royal, quads],
        "evidence": {},
    }


class OfficeMonth(OfficeHouse):
    """The story of this file, through the services; `annex` and `wing` are systems beside it."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        with override_settings(CLAIM_WAIT_S=0, UNCLAIMED_AFTER_DAYS=0):
            super().__init__(month_terms())
            casino = self.system.casino
            casino.timezone = "Pacific/Auckland"
            casino.save()
            self.system = JackpotSystem.objects.select_related("casino").get(code="main")
            self.annex = House(royal_terms(), tables=("a1",), code="annex")
            self.wing = OfficeWing(clock)
            self._have_one_writer()
            self._friday()
            self._saturday()
            self._sunday()
            self.wing.play_sunday()

    def _have_one_writer(self) -> None:
        """It begins behind all systems, and so leases them all with its first step. A writer that
        was there before would wait for a third of its lease: the annex might play and be posted a
        day later."""
        for each in (self, self.annex, self.wing):
            each.poster.give_up()
        self.poster = self.annex.poster = self.wing.poster = Poster("one-writer")

    def count(self, day: dt.date, bank: str, **drops: str) -> None:
        """Ines enters the bank, aroha the drop; mere explains variances, david signs them."""
        figures = [Figure(day, money(text), self.table(code)) for code, text in drops.items()]
        rows = counts.record(self.system, person("aroha"), figures)
        rows += counts.record(self.system, person("ines"), [Figure(day, money(bank))])
        self.post()
        for finding in findings.open_findings(self.system):
            what = finding.count.table.code if finding.count.table else "bank"
            findings.explain(finding, person("mere"), f"Recounted: {what}")
        for finding in findings.open_findings(self.system):
            findings.sign(finding, person("david"))

    def close(self, name: str) -> None:
        """Ines proposes, mere agrees; the worker keeps the day."""
        reconcile(self.system)
        period = closes.period(self.system, name)
        assert period is not None
        proposal = closes.propose(period, person("ines"))
        closes.agree(proposal, Reauthenticated(person("mere")))
        self.post()
        keep_closed_days(self.system)

    def show(self) -> DisplayMessage:
        """Displays are sent what the pools come to."""
        display.refresh(self.system.pk)
        return DisplayMessage.objects.filter(system=self.system).latest("id")

    def read_back(self, table: str, entry: int, *, slow: float = 0, **values: int) -> None:
        """A display says the values that it shows, in minor units; by its clock `slow` s ago."""
        reading = messages.Reading(
            v=1,
            display=f"d-{table}",
            at=self.clock.now - dt.timedelta(seconds=slow),
            terms=1,
            shown=[messages.Shown(tier=tier, value=value) for tier, value in values.items()],
            system_seq=entry,
        )
        readings.record([(table_ref_of(self.table(table)), reading)], self.clock.now)

    def _friday(self) -> None:
        for table in ("t3", "t7"):
            self.open(table)
        self.play("t3", 4)
        self.play("t7", 6)
        self.hit_royal("t3")
        self.play("t7", 2)
        self.hit_royal("t7")
        message = self.show()
        for slow in (0.25, 1.5):
            self.read_back("t3", message.system_seq, slow=slow, royal=100_000, quads=5_600)
        self.read_back("t7", message.system_seq, royal=99_995, quads=5_600)
        missed = MissedCredit(2, "camera 4, 14:20", players=4)
        missed_rounds.credit(self.table("t7"), person("sione"), missed)
        self.post()
        report = IncidentReport("handset", "No answer", self.clock.now, self.table("t7"))
        incidents.report(self.system, person("sione"), report)
        self.clock.on(days=1)

    def _saturday(self) -> None:
        self.count(FRIDAY, "3,073.20", t3="4", t7="7")
        self.close("2026-10-30")
        self.reject(2)
        self.confirm(1)
        self.pay(1, chips="12", cash="500")
        self.play("t3", 3)
        self.hit_quads("t7")
        adjust: dict[str, Any] = {"tier": "royal", "into": "pool", "source": "operator"}
        evidence = {"reason": "A04", "evidence": "Count sheet 17"}
        self.agree("adjust_pool", **adjust, **evidence, amount=money("25"))
        self.play("t3", 1)
        void = RoundRuling(
            "void_round", self.table("t3"), self.rounds["t3"], "wrong_count", "camera 3"
        )
        decide(void, person("sione"))
        self.post()
        self.confirm(3)
        payments.book_unclaimed(self.claim(3), person("mere"), 1)
        self.post()
        message = self.show()
        self.read_back("t3", message.system_seq, slow=0.5, royal=103_300)
        self.read_back("t3", message.system_seq + 1, royal=103_300)
        self.read_back("t7", message.system_seq, bonus=5_000)
        self.annex.open("a1")
        for _ in range(2):
            self.annex.press("a1")
        self.annex.call("a1", tier=None)
        self.annex.post()
        claims.catch_up(self.annex.system)
        self.clock.on(days=1)

    def _sunday(self) -> None:
        self.count(SATURDAY, "1,640.00", t3="3")
        self.close("2026-10-31")
        self.close("2026-10")
        self.pay(1, cash="500")
        self.agree("forfeit", "mere", "david", hit=3, line=1, reason="after a year")
        self.hit_royal("t3")
        self.confirm(4)
        self.pay(4, cash="1,034")
        undone = {"reason": "R13", "evidence": "camera 4", "recovered": {"cash": money("34")}}
        self.agree("reverse_claim", "anahera", "david", hit=4, **undone)
        terms = month_terms(reset=1200)
        terms["tiers"][1]["name"] = "Four of a kind"  # a version with two changes
        self.agree("put_terms", terms=terms)
        message = self.show()
        self.read_back("t3", message.system_seq, royal=203_400, quads=10_600)
        for number in (1, 4):
            who = PlayerIdentity(3, "Somebody", dt.date(1990, 2, 3), "passport", "LA 123")
            identify(self.claim(number), person("sione"), who)


@pytest.fixture(scope="module")
def month(template_database: str, django_db_blocker: DjangoDbBlocker) -> Generator[OfficeMonth]:
    """Committed, so that exports and their workers see it, too."""
    with (
        pytest.MonkeyPatch.context() as monkeypatch,
        clone(template_database) as database,
        used_by_django(database, django_db_blocker),
    ):
        yield OfficeMonth(Clock(monkeypatch))
