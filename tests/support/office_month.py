"""The end of October in a small casino: everything that a compliance office reports on.

Each amount can be worked out by hand. A round whose pot is 40.00 gives, with a commission of 2.00
and 1.00 for the drop box:

    to the royal flush   0.50 of the operator, 0.60 of the drop; 0.40 of the pot to its reserve
    to quads             0.40 of the drop, 0.20 of the commission; above 56.00 to the overflow

Friday 30th: ten rounds, claims 1 and 2 for the royal flush, two missed rounds. Saturday 31st: the
Friday is closed; claim 2 is rejected (prior-period); claim 1 is paid in part; quads are hit (claim
3) and nobody comes for them; 25.00 are adjusted, a round is void. Sunday 1st: Saturday and October
are closed; claim 1 is paid, claim 3 forfeited (prior-period); claim 4 is paid, then reversed with
34.00 recovered; new terms. A second system, the annex, plays two rounds on Saturday. The winner of
claims 1 and 4 is one person. Displays say each day what they show, one of them something else.
"""

import datetime as dt
from typing import Any

from django.test import override_settings

from jackpot.display import values as display
from jackpot.models import DisplayMessage
from jackpot.terms.money import MICROS
from jackpot.writer import commands
from settlement.approvals import proposals
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
from settlement.models import Claim, Payout
from settlement.payments import services as payments
from settlement.payments.slips import print_slip
from settlement.people.permissions import Reauthenticated
from tables.intake import readings
from tables.models import GamingTable, JackpotSystem
from tables.protocol import messages
from tables.protocol.table_ref import table_ref_of
from tests.support.books import ROYAL, royal_terms
from tests.support.cast import ALL_YES, ClaimHouse
from tests.support.confirmed import person
from tests.support.house import House
from tests.support.page_ledger import Clock

FRIDAY, SATURDAY, SUNDAY = dt.date(2026, 10, 30), dt.date(2026, 10, 31), dt.date(2026, 11, 1)
QUADS = ("9s 9h", "9d 9c Ts 2d 3c")


def money(text: str) -> int:
    """Micros of a decimal amount.

    >>> money("-1,003.70")
    -1003700000
    """
    sign = -1 if text.startswith("-") else 1
    units, _point, cents = text.removeprefix("-").replace(",", "").partition(".")
    return sign * (int(units) * MICROS + int(cents or 0) * MICROS // 100)


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


class OfficeMonth(ClaimHouse):
    """The story of this file, through the services; `annex` is the second system."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        with override_settings(CLAIM_WAIT_S=0, UNCLAIMED_AFTER_DAYS=0):
            super().__init__(month_terms())
            casino = self.system.casino
            casino.timezone = "Pacific/Auckland"
            casino.save()
            self.system = JackpotSystem.objects.select_related("casino").get(code="main")
            self.annex = House(royal_terms(), tables=("a1",), code="annex")
            self.annex.poster.give_up()
            self.annex.poster = self.poster  # one writer for both
            self._friday()
            self._saturday()
            self._sunday()

    # --- what people do -------------------------------------------------------------------------

    def play(self, table: str, count: int) -> None:
        """So many whole rounds, a minute each."""
        for _ in range(count):
            self.clock.on(minutes=1)
            self.press(table)
            figures = {"pot": 4000, "commission": 200, "jackpot_drop": 100}
            self.say(table, messages.RoundCompleted, round=self.rounds[table], **figures)
        self.post()

    def table(self, code: str) -> GamingTable:
        return GamingTable.objects.get(system=self.system, code=code)

    def claim(self, number: int) -> Claim:
        claims.catch_up(self.system)
        return Claim.objects.get(system=self.system, number=number)

    def hit_quads(self, table: str) -> None:
        self.press(table)
        self.call(table, tier="quads")
        self.report(table, QUADS)
        self.post()

    def reject(self, number: int) -> None:
        ground: dict[str, Any] = {"reason": "R04", "evidence": "camera 12", "affected": True}
        claims.propose_rejection(self.claim(number), person("anahera"), **ground)
        self.clock.on(minutes=5)
        claims.second_rejection(self.claim(number), Reauthenticated(person("mere")))
        self.post()

    def confirm(self, number: int) -> None:
        """Verified after ten minutes, confirmed after five more."""
        claim = self.claim(number)
        self.clock.on(minutes=10)
        claims.answer_checklist(claim, person("sione"), ALL_YES, {})
        claims.verify(claim, person("sione"))
        self.clock.on(minutes=5)
        claims.confirm(claim, Reauthenticated(person("mere")), self.hit(number).held)
        self.post()

    def pay(self, number: int, **parts: str) -> None:
        """Handed over by aroha three minutes later; the slip is printed."""
        self.clock.on(minutes=3)
        micros = {method: money(text) for method, text in parts.items()}
        claims.pay(self.claim(number), Reauthenticated(person("aroha")), 1, micros)
        self.post()
        claims.catch_up(self.system)
        print_slip(Payout.objects.latest("pk"), person("aroha"))

    def agree(self, kind: str, first: str = "anahera", second: str = "mere", **body: Any) -> None:
        """One person proposes exactly this, another one agrees."""
        subject = str(body.get("hit") or body.get("tier") or body["terms"]["code"])
        proposal = proposals.propose(self.system, kind, subject, body, person(first))
        proposals.agree(proposal, Reauthenticated(person(second)))
        self.post()
        answer = commands.answer(self.system, proposal.decision.command or 0)
        assert not answer.refused, answer.refused

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

    def read_back(self, table: str, entry: int, *, slow: float = 0, **shown: int) -> None:
        """A display says the values that it shows, in minor units; by its clock `slow` s ago."""
        reading = messages.Reading(
            v=1,
            display=f"d-{table}",
            at=self.clock.now - dt.timedelta(seconds=slow),
            terms=1,
            shown=[messages.Shown(tier=tier, value=value) for tier, value in shown.items()],
            system_seq=entry,
        )
        readings.record([(table_ref_of(self.table(table)), reading)], self.clock.now)

    # --- the days -------------------------------------------------------------------------------

    def _friday(self) -> None:
        for table in ("t3", "t7"):
            self.open(table)
        self.play("t3", 4)
        self.play("t7", 6)
        self.hit_royal("t3")
        self.play("t7", 2)
        self.hit_royal("t7")
        shown = self.show()
        for slow in (0.25, 1.5):
            self.read_back("t3", shown.system_seq, slow=slow, royal=100_000, quads=5_600)
        self.read_back("t7", shown.system_seq, royal=99_995, quads=5_600)
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
        shown = self.show()
        self.read_back("t3", shown.system_seq, slow=0.5, royal=103_300)
        self.read_back("t3", shown.system_seq + 1, royal=103_300)
        self.read_back("t7", shown.system_seq, bonus=5_000)
        self.annex.open("a1")
        for _ in range(2):
            self.annex.press("a1")
        self.annex.post()
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
        self.agree("put_terms", terms=month_terms(reset=1200))
        shown = self.show()
        self.read_back("t3", shown.system_seq, royal=203_400, quads=10_600)
        for number in (1, 4):
            who = PlayerIdentity(3, "Somebody", dt.date(1990, 2, 3), "passport", "LA 123")
            identify(self.claim(number), person("sione"), who)
