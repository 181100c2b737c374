"""The people: they verify, amend, confirm, reject and pay; click twice, and race each other."""

from __future__ import annotations

import copy
import uuid
from collections.abc import Callable
from io import StringIO
from typing import Any

from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import Error, connection
from django.db.models import Max

from demo.casino.jackpots import HARBOUR, SALON
from jackpot.hits.payees import METHODS, TAX
from jackpot.hits.states import DECIDED, StopKind
from jackpot.models import Hit
from jackpot.queries.payout_bounds import bounds_of_claim
from jackpot.terms.money import MICROS
from jackpot.writer import commands
from settlement.approvals import proposals
from settlement.claims import pairing
from settlement.claims import services as claims
from settlement.claims.decisions import reversals, stops, wrong_rejections
from settlement.core import guards
from settlement.core.errors import RuleBroken
from settlement.floor import entered_hands, missed_rounds
from settlement.jurisdiction.payments import PayeeStatement, requirements
from settlement.management.commands import begin_era
from settlement.models import Claim, Proposal
from settlement.people.rights.permissions import Reauthenticated
from settlement.terms import lifecycle
from simulation import answers
from simulation.environment.process import Fault, Process, Surroundings
from simulation.template_database import WITH_DISPLAYS
from tables.models import GamingTable, JackpotSystem
from tables.unit import play

PRESSES = 4  # within a minute, where terms post a limit
_HOUSES = {"north": HARBOUR, "south": SALON}
SUPERVISORS = ("mere", "tom")
MANAGERS = ("david", "anna")


Deed = Callable[[Claim, Hit], str]


class PeoplePart:
    """All people of the casino, at pages that end in one process."""

    def __init__(self, world: Surroundings) -> None:
        self.world = world
        self.name = "pages"
        self.process = Process(world, "pages", machine="console")
        self._people: dict[str, Any] = {}
        self._keys: list[tuple[Callable[..., Any], uuid.UUID, tuple[Any, ...], dict[str, Any]]] = []

    def fell(self) -> None:
        """Whoever was at a page loads it again."""

    def post_terms(self, system: str, fault: Fault | None = None) -> str:
        """Two people put terms into effect; the increments differ each time."""
        document = copy.deepcopy(_HOUSES[system])
        for tier in document["tiers"]:
            for increment in tier["increments"]:
                if "amount" in increment:
                    increment["amount"] = self.world.dice.randint(10, 60) * MICROS // 100
        if system == WITH_DISPLAYS:
            document["dark_minutes"] = 1
        if self.world.dice.random() < 0.4:
            document["presses_a_minute"] = PRESSES
        key = self.key()

        def put() -> str:
            row = JackpotSystem.objects.get(code=system)
            body = {"terms": document, "force": "a new season begins, whatever is open"}
            proposer, other = (User.objects.get(username=name) for name in ("mere", "anna"))
            kind = Proposal.Kind.PUT_TERMS
            proposal = proposals.propose(row, kind, document["code"], body, proposer, key)
            proposals.agree(proposal, Reauthenticated(other))
            return f"terms for {system}"

        return self.attempt(put, "terms", fault)

    def resume(self, system: str, table: str) -> str:
        """A supervisor takes a table into play again, suspended or not."""
        jackpot = _HOUSES[system]["code"]

        def act() -> str:
            row, person = JackpotSystem.objects.get(code=system), User.objects.get(username="mere")
            answer = lifecycle.suspend(
                lifecycle.JackpotPart(row, jackpot, table=table), person, reason="lit", again=True
            )
            return f"resume {system} {table}: {answer_text(answer)}"

        return self.attempt(act)

    def enter(
        self, system: str, table: str, number: int | None, seat: int, tier: str | None, note: str
    ) -> str:
        """A supervisor enters a hand at a table whose unit cannot be heard."""

        def act() -> str:
            row = GamingTable.objects.select_related("system").get(system__code=system, code=table)
            hand = entered_hands.EnteredHand("holdem", [seat], note, round=number, tier=tier)
            newest = entered_hands.newest_claim(row)
            person = self.person(*SUPERVISORS)
            second = None
            if entered_hands.is_online(row):
                second = Reauthenticated(self.person(*MANAGERS))
            return self.do(entered_hands.enter, row, person, hand, newest=newest, second=second)

        return f"{note}, {self.attempt(act, 'act', None)}"

    def credit(self, system: str, table: str, number: int, figures: dict[str, Any]) -> str:
        """A supervisor credits a missed completion; above the limit a manager agrees."""
        amounts = {
            name: figures[name] * MICROS // 100 for name in ("pot", "uncalled", "commission")
        }
        amounts["drop"] = figures["jackpot_drop"] * MICROS // 100

        def act() -> str:
            row = GamingTable.objects.select_related("system__casino").get(
                system__code=system, code=table
            )
            outcome = missed_rounds.credit(
                row,
                self.person(*SUPERVISORS),
                missed_rounds.MissedCredit(
                    count=1, evidence="camera 4", rounds=[number], completion=True, figures=amounts
                ),
                key=self.key(),
            )
            if isinstance(outcome, commands.Answer):
                return answer_text(outcome)
            manager = Reauthenticated(self.person(*MANAGERS))
            return f"proposed, {answer_text(proposals.agree(outcome, manager))}"

        return self.attempt(act)

    def begin_era(self) -> int:
        """The database was restored: an operator says so; the era that begins."""
        self._keys.clear()

        def begin() -> int:
            call_command(
                begin_era.Command(),
                reason="last night's backup",
                by="anna",
                while_connected=True,
                stdout=StringIO(),
            )
            return JackpotSystem.objects.aggregate(Max("era"))["era__max"]

        return int(self.process.run("era", begin))

    def step(self, fault: Fault | None = None) -> str:
        """Somebody does something about a claim."""
        dice = self.world.dice
        if dice.random() < 0.08:
            return self.post_terms(dice.choice(sorted(_HOUSES)), fault)
        if self._keys and dice.random() < 0.15:
            act, key, args, keywords = dice.choice(self._keys)
            return "again: " + self.attempt(
                lambda: answer_text(act(*args, key=key, **keywords)), "act", fault
            )
        return self.attempt(self._act, "act", fault)

    def see_through(self) -> str:
        """One of the claims that still have something due goes on: decided, verified, confirmed
        or paid.
        """
        return self.attempt(self._next_deed)

    def doubt(self) -> str:
        """Somebody looks at one of the claims that are confirmed or paid: it was not won."""

        def act() -> str:
            rows = Hit.objects.select_related("system").filter(state__in=DECIDED)
            hits = list(rows.order_by("system__code", "number"))
            if not hits:
                return "nothing to undo"
            hit = self.world.dice.choice(hits)
            claim = Claim.objects.get(system=hit.system_id, number=hit.number)
            return f"undo {hit.system.code} {hit.number}: {self._undo(claim, hit)}"

        return self.attempt(act)

    def _next_deed(self) -> str:
        rows = Hit.objects.select_related("system").filter(state__in=["held", "confirmed"])
        due = [
            (claim, hit)
            for hit in rows.order_by("system__code", "number")
            if (claim := Claim.objects.filter(system=hit.system_id, number=hit.number).first())
            and hit.report is not None
            and not hit.pairing
            and not hit.in_question_with
        ]
        if not due:
            return "nothing due"
        claim, hit = self.world.dice.choice(due)
        deed = self._deed_due(claim, hit)
        return f"{deed.__name__[1:]} {hit.system.code} {hit.number}: {deed(claim, hit)}"

    def _deed_due(self, claim: Claim, hit: Hit) -> Deed:
        if hit.state == "confirmed":
            return self._pay
        if claims.open_proposal(claim, hit) is not None:
            return self._withdraw if self.world.dice.random() < 0.5 else self._second
        return self._verify if claims.verification_of(claim, hit) is None else self._confirm

    def attempt(
        self, work: Callable[[], str], what: str = "act", fault: Fault | None = None
    ) -> str:
        """Somebody does a thing at a page; a refusal, or that the page failed, is its answer."""

        def trying() -> str:
            try:
                return work()
            except (RuleBroken, commands.KeyReused) as refusal:
                return f"refused, {type(refusal).__name__}"
            except Error as error:
                if guards.guard_of(error):
                    raise  # people read a refusal in words
                connection.close()  # the page says that something went wrong
                return f"fails, {type(error).__name__}"

        return str(self.process.run(what, trying, fault))

    def _act(self) -> str:
        hits = list(
            Hit.objects.select_related("system", "tier", "table").order_by("system__code", "number")
        )
        if not hits:
            return "nothing to decide"
        dice = self.world.dice
        waiting = [hit for hit in hits if hit.pairing or hit.in_question_with]
        some = hits[:3] if dice.random() < 0.3 else hits  # a claim takes several acts
        hit = dice.choice(waiting if waiting and dice.random() < 0.4 else some)
        claim = Claim.objects.filter(system=hit.system_id, number=hit.number).first()
        if claim is None:
            claims.catch_up(hit.system)
            return f"opens {hit.system.code} {hit.number}"
        if hit in waiting and dice.random() < 0.7:
            deeds: list[Deed] = [self._settle if hit.in_question_with else self._place]
        else:
            deeds = [self._verify, self._confirm, self._pay] * 2
            deeds += [self._propose, self._second, self._withdraw, self._amend, self._settle]
        if hit.state in DECIDED and dice.random() < 0.3:
            deeds = [self._undo]
        if hit.state == "rejected" and dice.random() < 0.7:
            deeds = [self._take_back]
        deed = dice.choice(deeds)
        return f"{deed.__name__[1:]} {hit.system.code} {hit.number}: {deed(claim, hit)}"

    # --- deeds ------------------------------------------------------------------------------

    def _verify(self, claim: Claim, _hit: Hit) -> str:
        person = self.person(*SUPERVISORS)
        answers.answer(claim, person)
        return self.do(claims.verify, claim, person)

    def _confirm(self, claim: Claim, hit: Hit) -> str:
        person = Reauthenticated(self.person(*MANAGERS))
        coming = bounds_of_claim(hit.system, hit.number)
        return self.do(claims.confirm, claim, person, coming.due if coming else 0)

    def _pay(self, claim: Claim, hit: Hit) -> str:
        if not hit.payees:
            return "nobody to pay"
        line = self.world.dice.choice(hit.payee_lines)
        amount = self.world.dice.choice((line.rest, line.rest // 2))  # a part now, the rest later
        method = self.world.dice.choice(("cash", "chips"))
        # Every second payee lives abroad: tax is withheld, by the rules of `simulation/packs/`.
        statement = PayeeStatement("foreign" if (hit.number + line.line) % 2 else "resident")
        tax = requirements(claim, hit, [(line, amount)])[line.line].tax(statement)
        amounts = {method: amount - tax} | ({TAX: tax} if tax else {})
        cashier = Reauthenticated(self.person("lucia"))
        return self.do(claims.pay, claim, cashier, line.line, amounts, statement=statement)

    def _propose(self, claim: Claim, _hit: Hit) -> str:
        person = self.person(*SUPERVISORS)
        fields = {"reason": "R04", "evidence": "camera 12", "affected": True}
        return self.do(claims.propose_rejection, claim, person, **fields)

    def _second(self, claim: Claim, _hit: Hit) -> str:
        return self.do(claims.second_rejection, claim, Reauthenticated(self.person(*MANAGERS)))

    def _take_back(self, claim: Claim, _hit: Hit) -> str:
        """A manager agrees that a rejection was wrong, or somebody proposes it."""
        waiting = wrong_rejections.open_reversal(claim)
        if waiting is not None:
            manager = Reauthenticated(self.person(*MANAGERS))
            return answer_text(wrong_rejections.agree(waiting, manager))
        person = self.person(*SUPERVISORS, *MANAGERS)
        fields = {"reason": "typed as folded by a slip", "evidence": "camera 12"}
        return self.do(wrong_rejections.propose, claim, person, **fields)

    def _undo(self, claim: Claim, hit: Hit) -> str:
        """A manager agrees that a confirmed claim is reversed, or somebody proposes it."""
        waiting = reversals.open_reversal(claim)
        if waiting is not None:
            return answer_text(reversals.agree(waiting, Reauthenticated(self.person(*MANAGERS))))
        paid = {way: sum(line.parts[way] for line in hit.payee_lines) for way in METHODS}
        back = {
            way: self.world.dice.choice((0, amount // 2, amount)) for way, amount in paid.items()
        }
        ground: reversals.ReversalGround = {
            "reason": "R01",
            "evidence": "camera 12",
            "recovered": back,
        }
        person = self.person(*SUPERVISORS)
        return self.do(reversals.propose, claim, person, **ground)

    def _withdraw(self, claim: Claim, _hit: Hit) -> str:
        person = self.person(*SUPERVISORS)
        return self.do(claims.withdraw_rejection, claim, person, note="seen on the footage")

    def _amend(self, claim: Claim, _hit: Hit) -> str:
        seats = [1, 2, 3, 4, 5]
        board, hand = play.strong_hand(self.world.dice, seats, "holdem")
        usual = {"exposed": "yes", "folded": False, "participating": True, "won_pot": True}
        form = {"boards": [board], "hands": [{**usual, **hand}], "seats_dealt": seats}
        return self.do(claims.amend, claim, self.person(*SUPERVISORS), form)

    def _settle(self, claim: Claim, hit: Hit) -> str:
        """Compliance decides on what a manager proposes, or a manager proposes."""
        proposed = proposals.of_claim(claim)
        waiting = [
            each
            for each in proposed
            if each.kind == Proposal.Kind.SETTLE_ORDER and not hasattr(each, "decision")
        ]
        if waiting:
            return answer_text(stops.agree_end(waiting[0], Reauthenticated(self.person("priya"))))
        order_stops = [stop for stop in hit.open_stops if stop.kind == StopKind.ORDER]
        if not order_stops:
            return "not in question"
        manager, key = self.person(*MANAGERS), self.key()
        stops.propose_end(claim, manager, order_stops[0].entry, "camera 12", key=key)
        return "done"

    def _place(self, claim: Claim, hit: Hit) -> str:
        """Somebody says which hand this is, rightly or not."""
        person, dice = self.person(*SUPERVISORS), self.world.dice
        if pairing.is_awaited(hit):
            units = Hit.objects.filter(table=hit.table, state="held", pairing__has_key="same")
            rounds = [other.round for other in units.order_by("number") if other.round > 0]
            round_number = dice.choice([*rounds, *rounds, None] if rounds else [None, hit.number])
            return self.do(entered_hands.name_round, claim, person, round_number, "camera 12")
        if pairing.is_required(hit):
            return self.do(entered_hands.separate, claim, person, "camera 12")
        return self.do(entered_hands.unpair, claim, person, "camera 12")

    def do(self, act: Callable[..., Any], *args: Any, **keywords: Any) -> str:
        """Send the form once; its key is kept, so that it may be sent again."""
        key = self.key()
        self._keys = [*self._keys[-5:], (act, key, args, keywords)]
        return answer_text(act(*args, key=key, **keywords))

    def key(self) -> uuid.UUID:
        """That of a form."""
        return uuid.UUID(int=self.world.dice.getrandbits(128), version=4)

    def person(self, *names: str) -> Any:
        """One of these people."""
        name = self.world.dice.choice(names)
        if name not in self._people:
            self._people[name] = User.objects.get(username=name)
        return self._people[name]


def answer_text(answer: Any) -> str:
    """Whether the writer has answered."""
    return "queued" if isinstance(answer, commands.Answer) else "done"
