"""An evening in a small card room, through the product: everything that an order may hold."""

from pathlib import Path
from typing import Any
from unittest.mock import patch

from django.test import override_settings

from jackpot.display import values as display
from jackpot.hits import payees
from jackpot.queries.payout_bounds import bounds_of_claim
from jackpot.terms.money import MICROS
from jackpot.terms.required_evidence import BY_DEFAULT
from jackpot.writer import batches, commands
from settlement.approvals import proposals
from settlement.claims import services as claims
from settlement.claims.decisions import stops
from settlement.evidence import attachments
from settlement.floor import skipped_entries
from settlement.jurisdiction.payments import PayeeStatement
from settlement.models import Claim
from settlement.payments import services as payments
from settlement.people.rights.permissions import Reauthenticated
from simulation import answers
from tables.protocol import messages
from tables.unit.journal import Journal
from tests.support.cases.claims.evidence import JPEG
from tests.support.cases.evening_records import gather, remit
from tests.support.houses.evening_terms import terms
from tests.support.people.cast import ClaimHouse
from tests.support.play.books import royal_terms

ROYAL_HAND = ("As Ks", "Qs Js Ts 2d 3c")
ACES_FULL = ("As Ah", "Ad Kc Kd 2d 3c")
EVERYTHING = dict.fromkeys(BY_DEFAULT, 0)  # of every claim
MISTYPED = ("As As", "Qs Js Ts 2d 3c")


class Evening(ClaimHouse):
    """A house whose units keep journals, and whose people act through the services."""

    def __init__(self, journals: Path) -> None:
        self._folder, self._journals = journals, dict[str, Journal]()
        with override_settings(CLAIM_WAIT_S=0):
            super().__init__(terms() | {"evidence": EVERYTHING}, tables=("t3", "t7", "t8"))
            self._play()
        for journal in self._journals.values():
            journal.close()

    def event(self, table: str, type_: type, seq: int | None = None, **fields: Any) -> bytes:
        """As its unit makes it: on the disk first."""
        body = super().event(table, type_, seq, **fields)
        if table not in self._journals:
            self._journals[table] = Journal(self._folder / f"main--{table}.sqlite3")
            self._journals[table].remember(boot=1)
        self._journals[table].append(lambda _boot, _seq: body)
        return body

    def complete(self, table: str, **figures: Any) -> None:
        self.say(table, messages.RoundCompleted, round=self.rounds[table], **figures)

    def show(self) -> None:
        """Displays are sent what the pools come to now."""
        display.refresh(self.system.pk)

    # --- the people ---------------------------------------------------------------------------

    def claim(self, number: int) -> Claim:
        claims.catch_up(self.system)
        return Claim.objects.get(system=self.system, number=number)

    def person(self, name: str) -> Any:
        from django.contrib.auth.models import User

        return User.objects.get(username=name)

    def amend(self, number: int, cards: tuple[str, str]) -> None:
        hole, board = cards
        hand = {"seat": 3, "hole": hole.split(), "exposed": "yes", "folded": False}
        hand |= {"participating": True, "won_pot": True}
        form = {"boards": [board.split()], "hands": [hand]}
        claims.amend(self.claim(number), self.person("anahera"), form)
        self.post()

    def confirm(self, number: int) -> None:
        claim, sione = self.claim(number), self.person("sione")
        attachments.attach(claim, sione, "The layout", JPEG)
        answers.answer(claim, sione)
        claims.verify(claim, sione)
        self.confirm_due(number)

    def confirm_due(self, number: int) -> None:
        """What is safe now, or a supplement."""
        coming = bounds_of_claim(self.system, number)
        assert coming is not None
        assert coming.due > 0
        claims.confirm(self.claim(number), Reauthenticated(self.person("david")), coming.due)
        self.post()

    def pay(self, number: int, keep: int = 0, tax: int = 0) -> None:
        """What is left of each line but for `keep` micros, of which `tax` is withheld."""
        statement = PayeeStatement(reason="an order of the court" if tax else "")
        for line in self.hit(number).payees:
            if payees.rest(line) > keep:
                parts = {"chips": MICROS, "cash": payees.rest(line) - MICROS - keep - tax}
                claims.pay(
                    self.claim(number),
                    Reauthenticated(self.person("aroha")),
                    line["line"],
                    parts | {"tax": tax},
                    statement=statement,
                )
        self.post()
        claims.catch_up(self.system)

    def agree(self, kind: str, first: str = "anahera", second: str = "mere", **body: Any) -> None:
        """One person proposes exactly this, another one agrees."""
        subject = str(body.get("hit") or body.get("tier") or body["terms"]["code"])
        proposal = proposals.propose(self.system, kind, subject, body, self.person(first))
        proposals.agree(proposal, Reauthenticated(self.person(second)))
        self.post()
        answer = commands.answer(self.system, proposal.decision.command or 0)
        assert not answer.refused, answer.refused

    def reject(self, number: int) -> None:
        claim = self.claim(number)
        claims.propose_rejection(
            claim, self.person("anahera"), reason="R04", evidence="camera 12", affected=True
        )
        claims.second_rejection(claim, Reauthenticated(self.person("mere")))
        self.post()

    # --- the evening --------------------------------------------------------------------------

    def _play(self) -> None:
        self._rounds()
        self._claims()
        self._gaps()
        self._late_prizes()
        self._skip_halted()
        self._safe_amounts()
        self._corrections()

    def _rounds(self) -> None:
        """All sources; what is missing, odd, repeated, or from a unit in test mode."""
        for table in ("t3", "t7", "t8"):
            self.open(table)
            self.press(table)
        self.complete("t3", pot=6100, uncalled=500, commission=305, jackpot_drop=200)
        self.complete("t3", pot=1)
        self.complete("t7", pot=10**10, jackpot_drop=100, blinds_only=True, commission=5)
        self.say("t8", messages.RoundStarted, round=77, test=True)
        self.say("t8", messages.RoundStarted, round=self.rounds["t8"])
        self.post()
        fields = {"deck": 52, "dealer": "d", "seats_in_play": [1, 2]}
        self.say("t8", messages.SessionChanged, game="draw", **fields)
        self.press("t8")
        self.say("t8", messages.SessionClosed)
        self.press("t8")
        self.open("t8")
        self.say("t8", messages.VoidRequested, round=self.rounds["t8"], reason="wrong_count")
        self.rounds["t7"] += 1
        self.say("t7", messages.RoundStarted, round=self.rounds["t7"], seats_dealt=[1, 2])
        odd = {"pot": 100, "uncalled": 200, "commission": 10, "jackpot_drop": 300}
        self.complete("t7", **odd, tied_alone=True)
        self.post()
        self.show()

    def _claims(self) -> None:
        """Two claims of one prize; the first is rejected, the second confirmed and paid."""
        self.press("t3")
        self.call("t3")
        self.press("t7")
        self.complete("t7", pot=4000, jackpot_drop=100, commission=200)
        self.press("t7")
        self.report("t7", ROYAL_HAND)
        self.post()
        self.show()
        self.report("t3", MISTYPED)
        self.press("t8")
        self.post()
        self.decide("confirm_claim", hit=2, amount=1, payees=[{"seat": 1, "amount": 1}])
        self.agree("put_terms", terms=terms(reset=900), force="the poster was wrong")
        assert self.decide("put_terms", terms={**terms(), "surprise": 1}).refused
        assert self.decide("put_terms", terms={**terms(), "tiers": terms()["tiers"][:1]}).refused
        other = {**terms(), **royal_terms(code="steel"), "code": "second"}
        assert self.decide("put_terms", terms=other).refused  # chips drop for one jackpot
        assert self.decide("put_terms", terms={**terms(), "code": "second"}).refused
        self.call("t3")
        self.reject(1)
        self.confirm(2)
        self.decide("reject_claim", hit=2, reason="R01", evidence="", affected=False)
        self.pay(2)
        self.press("t3")
        self.report("t7", ACES_FULL)  # of a hand that is decided
        self.post()

    def _gaps(self) -> None:
        """A gap that is released, one that is filled, one with a hand ahead of it; words lost."""
        with override_settings(GAP_WAIT_S=0.0):
            lost = self._unsent("t3")
            self.press("t3")
            self.post()
            self.record("t3", lost)
            self.post()
        ahead = self._unsent("t7")
        self.press("t7")
        self.call("t7", tier="house")
        self.post()
        self.record("t7", ahead)
        self.post()
        whole = self._unsent("t8")
        self.record("t8", whole.replace(b'"v":1', b'"v":9'))
        self.record("t8", whole[:-1])
        self.say("t8", messages.RoundsMissed, count=2)
        self.post()
        self.record("t8", whole)
        self.post()
        broken = super().event("t8", messages.RoundsMissed, count=1).replace(b'"v":1', b'"v":9')
        self._journals["t8"].append(lambda _boot, _seq: broken)  # a unit with a bug
        self.record("t8", broken)
        self._lose("t8")
        self.post()

    def _late_prizes(self) -> None:
        """Hands of which the prize becomes known later, before and behind decided ones."""
        self.press("t3")
        self.call("t3", tier=None)
        self.press("t7")
        self.report("t7", ACES_FULL)
        self.complete("t7", pot=1500, jackpot_drop=0)
        self.post()
        self.show()
        self.report("t3", ACES_FULL)
        self.complete("t3", pot=3000, commission=150, jackpot_drop=100)
        self.post()
        self.reject(3)
        self.confirm(4)
        self.reject(5)
        self.press("t8")
        self.report("t8", ROYAL_HAND)
        self.press("t7")
        self.report("t7", ACES_FULL)
        self.complete("t7", pot=2500, commission=125, jackpot_drop=100)
        self.post()
        self.confirm(7)
        self.amend(6, ACES_FULL)  # it acts here: hit 7 behind it is confirmed
        self.complete("t8", pot=2600, commission=130, jackpot_drop=100)
        self.post()
        assert self.hit(6).acts_at > self.hit(7).place
        self.confirm(6)
        self.pay(6, tax=6 * MICROS)
        remit(self)
        self.press("t8")
        self.call("t8")
        self.press("t3")
        self.post()

    def _skip_halted(self) -> None:
        """The fold has a bug in a round of t7 and in a decision: two people skip both."""
        honest = batches.apply

        def faulty(books: Any, entry: Any, version: Any) -> Any:
            if getattr(entry, "kind", None) == "pay" or isinstance(
                getattr(entry, "event", None), messages.RoundsMissed
            ):
                raise ZeroDivisionError("a bug")
            return honest(books, entry, version)

        with patch.object(batches, "apply", faulty):
            self.say("t7", messages.RoundsMissed, count=1)
            self.post()
            self._agree_skip()
            commands.queue(self.system, "pay", {"hit": 4}, first="aroha")
            self.post()
            self._agree_skip()
        self.press("t7")
        self.call("t7", tier="none")
        self.post()

    def _safe_amounts(self) -> None:
        """A limit; a claim confirmed and paid in parts while two earlier ones are open."""
        limit = self.balance("royal:pool") + MICROS
        self.agree("put_terms", terms=terms(reset=900, limit=limit), force="a new season")
        for _ in range(4):
            self.press("t7")
        self.complete("t7", pot=9000, commission=450, jackpot_drop=200)
        self.post()
        assert self.balance("royal:overflow") > 0
        self.press("t8")
        self.report("t8", ROYAL_HAND)
        self.post()
        gather(self, 10)
        self.confirm(10)
        self.pay(10, keep=5 * MICROS)
        self.press("t7")
        self.call("t7")  # behind it
        self.post()
        self.reject(9)
        self.reject(8)
        assert self.hit(10).confirmed < self.hit(10).held
        self.confirm_due(10)
        for decide in (payments.withhold, payments.release):
            decide(self.claim(10), self.person("mere"), 1, "who is it?")
            self.post()
        self._stopped(10)
        self.pay(10)
        assert [len(line["payments"]) for line in self.hit(10).payees] == [2, 1]

    def _stopped(self, number: int) -> None:
        """A dispute and a hold at once: the payment between them is refused."""
        claim = self.claim(number)
        stops.open_stop(claim, self.person("sione"), "dispute", "seat 4 says it was folded")
        self.post()
        stops.open_stop(claim, self.person("ines"), "hold", "the inspector is on the way")
        self.post()
        dispute, hold = (stop["entry"] for stop in self.hit(number).stops)
        self._end(claim, dispute, "anahera")
        assert self.decide("pay", hit=number, line=1, parts={"cash": 1}).refused
        assert self.decide("lift_hold", hit=number, stop=dispute, finding="another kind").refused
        self._end(claim, hold, "ines")

    def _end(self, claim: Claim, stop: int, by: str) -> None:
        proposal = stops.propose_end(claim, self.person(by), stop, "camera 12 is clear")
        stops.agree_end(proposal, Reauthenticated(self.person("mere")))
        self.post()

    def _corrections(self) -> None:
        """What is given and taken back at its own place, and what nobody came for."""
        adjust: dict[str, Any] = {"tier": "royal", "reason": "A04", "evidence": "drop box 3"}
        self.agree("adjust_pool", **adjust, amount=7 * MICROS, source="pot", into="reserve")
        self._emptied(adjust)
        assert self.decide("adjust_pool", **adjust, amount=0, source="drop").refused
        self.press("t7")
        self.reject(11)
        self.agree("put_terms", terms=terms())
        self.press("t8")
        self.report("t8", ROYAL_HAND)
        self.post()
        self.confirm(12)
        self._unclaimed(12)
        payments.release(self.claim(12), self.person("mere"), 1, "he came")
        self.post()
        self._unclaimed(12)
        self.pay(12, keep=2 * MICROS)
        self.agree("forfeit", "mere", "david", hit=12, line=1, reason="after a year")
        undone: dict[str, Any] = {"reason": "R13", "evidence": "camera 4"}
        self.agree("reverse_claim", hit=6, **undone, recovered={"cash": MICROS})
        self.agree("reverse_claim", hit=10, **undone)
        assert self.decide("reverse_claim", hit=6, **undone).refused
        self.press("t7")
        self.complete("t7", pot=2000, commission=100, jackpot_drop=100)
        self.press("t7")
        self.call("t7")
        self.press("t8")
        self.post()
        wrong: dict[str, Any] = {"reason": "nobody had folded", "evidence": "camera 12"}
        self.agree("reverse_rejection", "sione", "david", hit=11, report_entry=None, **wrong)
        assert self.hit(12).confirmed == self.hit(12).held  # as before, whatever came before it

    def _unclaimed(self, number: int) -> None:
        with override_settings(UNCLAIMED_AFTER_DAYS=0):
            payments.book_unclaimed(self.claim(number), self.person("mere"), 1)
        self.post()

    def _emptied(self, adjust: dict[str, Any]) -> None:
        """Pool and reserve are taken back to the last micro; not more, and not without a word."""
        ends = adjust | {"source": "drop", "below_reset": "the jackpot ends"}
        for into in ("pool", "reserve"):
            has = self.balance(f"royal:{into}")
            assert self.decide("adjust_pool", **ends, into=into, amount=-has - 1).refused
            if into == "pool":
                low = {**ends, "below_reset": None}
                assert self.decide("adjust_pool", **low, amount=-has).refused
            self.agree("adjust_pool", **ends, into=into, amount=-has)
        assert self.balance("royal:pool") == self.balance("royal:reserve") == 0

    def _agree_skip(self) -> None:
        skipped_entries.propose(self.system, self.person("mere"), "support, call 4711")
        skipped_entries.agree(self.system, Reauthenticated(self.person("david")))
        self.post()

    def _unsent(self, table: str) -> bytes:
        """A round whose event does not arrive yet."""
        self.rounds[table] += 1
        return self.event(table, messages.RoundStarted, round=self.rounds[table])

    def _lose(self, table: str) -> None:
        """A unit loses two events before they were sent, and says so."""
        first = self.seqs[table] + 1
        for _ in range(2):
            self._unsent(table)
        self._journals[table]._query("DELETE FROM event WHERE seq >= ?", first)
        self.say(table, messages.EventsLost, from_seq=first, to_seq=first + 1)
