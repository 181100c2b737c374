"""A house whose ledger has something to read: days of play, hits, a rejection, a payout."""

from __future__ import annotations

import datetime as dt
import html
import re
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from django.contrib.auth.models import User

from jackpot.terms.money import MICROS
from settlement.audit.reconciliation import reconcile
from settlement.claims import services as claims
from settlement.models import Claim
from settlement.people.rights.permissions import Reauthenticated
from settlement.reports.catalogue import reports
from settlement.reports.definitions.definition import Filters
from tables.models import Casino, JackpotSystem
from tables.protocol import messages
from tests.support.pages.page_staff import logged_in
from tests.support.people.cast import ALL_YES, ClaimHouse
from tests.support.play.books import royal_terms
from tests.support.suite.kept_house import kept_house

PAGES = (
    "/pools/",
    "/pools/main/royal/",
    "/payouts/",
    "/roll-forward/",
    "/tables/",
    "/tables/main/t3/",
    "/reconciliation/",
    "/quarantine/",
    "/terms/",
    "/terms/main/house/",
    "/notices/main/t3/",
)
BEGIN = dt.datetime(2026, 10, 30, 1, 0, tzinfo=dt.UTC)


class Clock:
    """The time of the whole house; only the test moves it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = BEGIN
        self.rule(monkeypatch)

    def rule(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """From here on it says what time it is."""
        monkeypatch.setattr("django.utils.timezone.now", lambda: self.now)

    def on(self, **span: float) -> None:
        self.now += dt.timedelta(**span)


def fine_terms() -> dict[str, Any]:
    """Contributions of fractions of a cent: 0.25% of the pot, and a third of a cent a round."""
    return {
        **royal_terms(
            increments=[
                {"source": "per_round", "amount": 3_333},
                {"source": "pot", "basis_points": 25},
                {"source": "pot", "basis_points": 1, "into": "reserve"},
            ]
        ),
        "funding": "players",
    }


class LedgerHouse(ClaimHouse):
    """A house that plays for days."""

    def __init__(self, clock: Clock, tables: tuple[str, ...] = ("t3", "t7")) -> None:
        super().__init__(fine_terms(), tables=tables)
        self.clock = clock
        casino = self.system.casino
        casino.timezone = "Pacific/Auckland"
        casino.save()
        casino.refresh_from_db()  # its times as times
        for table in tables:
            self.open(table)
        self.post()

    def play(self, rounds: int, pot: int = 12_345) -> None:
        """Rounds at two tables, five hours between them; `pot` in minor units."""
        for number in range(rounds):
            self.clock.on(hours=5)
            for table in ("t3", "t7"):
                self.press(table)
                self.say(
                    table,
                    messages.RoundCompleted,
                    round=self.rounds[table],
                    pot=pot + number,
                )
            self.post()

    def reject(self, number: int) -> None:
        answer = self.decide("reject_claim", hit=number, reason="R04", evidence="c", affected=True)
        assert not answer.refused

    def pay(
        self, number: int, chips: int, by: tuple[str, str, str] = ("sione", "mere", "aroha")
    ) -> None:
        """The whole way of a claim whose payee sits on seat 3; what is not chips is cash. `by`: who
        verifies, confirms and pays."""
        claims.catch_up(self.system)
        claim = Claim.objects.get(system=self.system, number=number)
        people = {user.username: user for user in User.objects.all()}
        verifier, manager, cashier = (people[name] for name in by)
        claims.answer_checklist(claim, verifier, ALL_YES, {})
        claims.verify(claim, verifier)
        claims.confirm(claim, Reauthenticated(manager), self.hit(number).held)
        self.post()
        parts = {"chips": chips * MICROS, "cash": self.hit(number).held - chips * MICROS}
        claims.pay(claim, Reauthenticated(cashier), 1, parts)
        self.post()
        claims.catch_up(self.system)


def report_behind(page: str) -> list[dict[str, Any]]:
    """The rows of the report to which the page of ines leads, by the filters of that address."""
    button = r'href="(/reports/[^"]*)"[^>]*>(?:(?!</a>).)*Report and files'
    (address,) = re.findall(button, page, re.DOTALL)
    split = urlsplit(html.unescape(address))
    assert logged_in("ines").get(html.unescape(address)).status_code == 200
    codes = dict(parse_qsl(split.query))
    casino = Casino.objects.get(code=codes["casino"])
    definition = reports()[split.path.split("/")[2]]
    assert codes.keys() <= {"casino", "from", "to", *definition.filters}
    return definition.report(Filters.from_json(casino, codes)).rows(10_000)


def days_of_play(clock: Clock) -> LedgerHouse:
    """Days of play: claim 1 rejected, claim 2 paid, claim 3 open."""
    house = LedgerHouse(clock)
    house.play(5)
    house.hit_royal("t3")
    house.play(4)
    house.hit_royal("t7")
    house.play(4)
    house.reject(1)
    house.pay(2, chips=1)
    house.play(2)
    house.hit_royal("t3")
    house.play(4)
    return house


def build_days() -> LedgerHouse:
    with pytest.MonkeyPatch.context() as monkeypatch:
        return days_of_play(Clock(monkeypatch))


kept_days = kept_house(build_days, CLAIM_WAIT_S=0)


@pytest.fixture
def days(kept_days: LedgerHouse, monkeypatch: pytest.MonkeyPatch) -> LedgerHouse:
    """Days of play for one test, which may go on with them by the clock that they ended with."""
    kept_days.clock.rule(monkeypatch)
    return kept_days


def three_days(monkeypatch: pytest.MonkeyPatch) -> LedgerHouse:
    """Friday two rounds, Saturday one, Sunday (it runs) one; the system reconciles."""
    house = LedgerHouse(Clock(monkeypatch))
    for rounds in (2, 1, 1):
        for _ in range(rounds):
            house.press("t3")
        house.post()
        house.clock.on(days=1)
    house.clock.on(days=-1)
    house.system = JackpotSystem.objects.select_related("casino").get()
    reconcile(house.system)
    return house
