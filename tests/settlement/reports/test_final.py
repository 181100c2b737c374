"""A report of closed days that says that it is final stays as it is, whatever is decided later.

October is closed: claims 1 and 2 for the royal flush and claim 3 for quads are of its days, claim 2
and a part of claim 1 are open, nobody has said for which prize claim 4 is. On the first of November
people amend, report, reject, pay, reverse, void, recount, identify, print and note what is of it.
"""

import datetime as dt
from collections.abc import Generator
from typing import Any

import pytest
from django.test import override_settings
from pytest_django import DjangoDbBlocker

from jackpot.models import Tier
from settlement.claims import services as claims
from settlement.drop import counts
from settlement.drop.counts import Figure
from settlement.evidence.identification import PlayerIdentity, identify
from settlement.floor import incidents
from settlement.floor.incidents import IncidentReport
from settlement.floor.rulings import RoundRuling, decide
from settlement.models import Payout
from settlement.payments import services as payments
from settlement.payments.slips import print_slip
from settlement.reports.catalogue import reports
from settlement.reports.definitions.definition import Filters
from settlement.reports.exports import _origin
from tests.support.cases.confirmed_house import person
from tests.support.houses.office.office_house import QUADS, money
from tests.support.houses.office.office_month import FRIDAY, SATURDAY, OfficeMonth, month_terms
from tests.support.pages.page_ledger import Clock
from tests.support.pages.page_staff import logged_in, words
from tests.support.suite.databases import clone, used_by_django

LATER = "later payments and decisions change them"
# What is rejected, paid, identified and ended later shows there.
CHANGED = {
    *("derivation", "hit-register", "payouts", "tax-and-cash-reports", "significant-events"),
}


class ClosedOctober(OfficeMonth):
    def _saturday(self) -> None:
        self.count(FRIDAY, "3,073.20", t3="4", t7="7")
        self.close("2026-10-30")
        self.confirm(1)
        self.pay(1, chips="12", cash="500")
        self.play("t3", 3)
        self.hit_quads("t7")
        self.confirm(3)
        self.press("t7")
        self.call("t7", tier=None)
        self.pay(3, cash="20")
        payments.book_unclaimed(self.claim(3), person("mere"), 1)
        self.post()
        report = IncidentReport("handset", "No answer", self.clock.now, self.table("t7"))
        self.incident = incidents.report(self.system, person("sione"), report)
        self.annex.open("a1")
        self.annex.press("a1")
        self.annex.post()
        self.clock.on(days=1)

    def _sunday(self) -> None:
        self.count(SATURDAY, "1,640.00", t3="3")
        self.close("2026-10-31")
        self.close("2026-10")

    def november(self) -> None:
        """What is decided and done later."""
        self.report("t7", QUADS)
        quads: dict[str, Any] = {**(self.hit(2).report or {}), "boards": [QUADS[1].split()]}
        quads["hands"] = [{**quads["hands"][0], "hole": QUADS[0].split()}]
        claims.amend(self.claim(2), person("sione"), quads)
        self.post()
        tiers = Tier.objects.filter(hit__system=self.system, hit__number__in=[2, 4])
        assert {tier.code for tier in tiers} == {"quads"}
        self.reject(2)
        self.reject(4)
        self.pay(1, cash="500")
        undone = {"reason": "R13", "evidence": "camera 4", "recovered": {"cash": money("20")}}
        self.agree("reverse_claim", "anahera", "david", hit=3, **undone)
        void = RoundRuling("void_round", self.table("t3"), 6, "wrong_count", "camera 3")
        decide(void, person("sione"))
        self.post()
        for table, units in ((self.table("t3"), "2"), (self.table("t7"), "8"), (None, "1,600.00")):
            for day in (FRIDAY, SATURDAY):
                figure = Figure(day, money(units), table, "Counted again")
                counts.record(self.system, person("aroha" if table else "ines"), [figure])
        self.post()
        terms = month_terms(reset=1200)
        terms["tiers"][1]["prize"] = money("60")  # quads pay a fixed prize from now on
        self.agree("put_terms", terms=terms)
        happened = self.clock.now - dt.timedelta(days=1)
        late = IncidentReport("power", "Noticed on the day after", happened, self.table("t3"))
        incidents.report(self.system, person("sione"), late)
        incidents.resolve(self.incident, person("mere"), "Exchanged")
        who = PlayerIdentity(3, "Somebody", dt.date(1990, 2, 3), "passport", "LA 123")
        for number in (1, 3):
            identify(self.claim(number), person("sione"), who)
        for payout in Payout.objects.filter(claim__system=self.system):
            print_slip(payout, person("mere"))
        message = self.show()
        self.read_back("t3", message.system_seq, royal=203_400, quads=10_600)

    def rows(self) -> dict[str, list[dict[str, Any]]]:
        """Every report of October but that of people, which the database's own clock dates."""
        filters = self.october
        return {
            code: definition.report(filters).rows(100_000)
            for code, definition in reports().items()
            if code not in ("people-and-roles", "audit-trail")
        }

    @property
    def october(self) -> Filters:
        return Filters(self.system.casino, dt.date(2026, 10, 1), SATURDAY, {"system": "main"})


@pytest.fixture(scope="module")
def house(template_database: str, django_db_blocker: DjangoDbBlocker) -> Generator[ClosedOctober]:
    with (
        pytest.MonkeyPatch.context() as monkeypatch,
        clone(template_database) as database,
        used_by_django(database, django_db_blocker),
    ):
        yield ClosedOctober(Clock(monkeypatch))


@pytest.mark.usefixtures("quick_passwords")
def test_pages_say_which_reports_of_closed_days_are_final(house: ClosedOctober) -> None:
    ines = logged_in("ines")
    query = "?from=2026-10-01&to=2026-10-31&system=main"
    rows = house.rows()
    for code, definition in reports().items():
        if rows.get(code) and not definition.is_of_casino:  # of which other systems are open
            page = words(ines.get(f"/reports/{code}/{query}"))
            assert ("do not change any more" in page) == definition.is_final, code
            assert (LATER in page) != definition.is_final, code


def test_files_say_the_same() -> None:
    facts: dict[str, Any] = {
        "made_at": "2026-11-01T10:00:00",
        "made_by": "ines",
        "version": "1",
        "checkpoints": [],
        "open_from": None,
    }
    for code, definition in reports().items():
        closed = dict(_origin(facts | {"is_final": definition.is_final}, "ines"))[
            "Gaming days closed"
        ]
        assert ("do not change any more" in closed) == definition.is_final, code
        assert (LATER in closed) != definition.is_final, code


def test_what_is_final_stays_whatever_is_decided_later(house: ClosedOctober) -> None:
    before = house.rows()
    with override_settings(CLAIM_WAIT_S=0, UNCLAIMED_AFTER_DAYS=0):
        house.november()
    after = house.rows()
    changed = {code for code, rows in before.items() if rows != after[code]}
    final = {code for code, definition in reports().items() if definition.is_final}
    assert changed & final == set()
    assert changed >= CHANGED
    assert {code for code in final if before[code]} == final  # nothing stays that has no rows
