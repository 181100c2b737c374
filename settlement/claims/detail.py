"""The one model of a claim, which list, page, API, slip and bundle read. Selectors only.

Every fact is worked out here, or by the function that is named here, once, when the first reader
asks for it: nobody pays for what it does not show. Amounts are micros.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import Count, Max

from jackpot.domain.payout.payout_bounds import PayoutBounds
from jackpot.hits.states import OUT, HitState, PayeeState
from jackpot.models import Hit
from jackpot.queries.open_claims import OpenClaims
from jackpot.queries.payout_bounds import bounds_of_claim
from jackpot.queries.period_standing import Period, period_of
from jackpot.storage.stored_terms import terms_by_system
from jackpot.terms.document import JackpotTerms, TierTerms
from settlement.approvals import action_log, second_manager
from settlement.claims.claim_sources import ClaimSources, closing_of
from settlement.claims.derivation import HeldAmount, Step, holding_of, steps_of, tier_terms
from settlement.claims.status import hits
from settlement.core.errors import HandDoesNotQualify
from settlement.evidence.assessment import HandAssessment, examine, payees
from settlement.exclusions import stops as exclusions
from settlement.models import Action, Claim, Payout, StaffPlay
from settlement.people.rights import staff_play

PROPOSED = "proposed"  # of a payee while nobody has confirmed


@dataclass(frozen=True, slots=True)
class Share:
    """One payee: as confirmed, or as the rules would divide what is held now."""

    line: int
    seat: int
    role: str
    amount: int
    state: str  # a PayeeState, or PROPOSED
    paid: int = 0
    rest: int = 0
    payouts: tuple[Any, ...] = ()  # rows with `printed`, the number of their slips


@dataclass(frozen=True)
class ClaimDetail:
    """What is known of one claim. `hit` comes from `settlement.claims.status.hits`."""

    hit: Any

    @classmethod
    def with_known(cls, hit: Any, **facts: Any) -> ClaimDetail:
        """The same with facts that were read already, as for all claims of a list at once."""
        detail = cls(hit)
        vars(detail).update(facts)
        return detail

    @cached_property
    def claim(self) -> Claim:
        return Claim.objects.get(system=self.hit.system_id, number=self.hit.number)

    @property
    def round(self) -> int | None:
        """The round of its hand at the table; None while nobody knows it."""
        return self.hit.round if self.hit.round > 0 else None

    @cached_property
    def actions(self) -> list[Action]:
        """What people did, the first first."""
        return list(self.claim.actions.select_related("person"))

    # --- precedence and what may be confirmed ----------------------------------------------------

    @cached_property
    def bounds(self) -> PayoutBounds | None:
        """What it can come to, by the books; None where nothing can be confirmed now."""
        return bounds_of_claim(self.hit.system, self.hit.number)

    @cached_property
    def open_claims(self) -> OpenClaims:
        return OpenClaims([self.hit.system_id])

    @cached_property
    def blocked_by(self) -> tuple[int, ...]:
        """Earlier open claims that may take its prize: those that the books say make the
        difference; where nobody asked the books, all that may be for the prize."""
        return self.bounds.waits_for if self.bounds else self.open_claims.before(self.hit)

    @property
    def due(self) -> int:
        """What may be confirmed now, by the books; nothing where they say nothing."""
        return self.bounds.due if self.bounds else 0

    @property
    def to_confirm(self) -> int:
        """What may be confirmed now; where nobody asked the books, all that it holds."""
        return self.bounds.due if self.bounds else self.hit.held - self.hit.confirmed

    @property
    def is_supplement(self) -> bool:
        """Whether it comes to more than was confirmed so far."""
        return self.hit.state == HitState.CONFIRMED and self.hit.held > self.hit.confirmed

    @property
    def holds_nothing(self) -> bool:
        """Whether it waits for a decision and nothing is in its prize."""
        hit = self.hit
        return hit.state == HitState.HELD and hit.tier_id is not None and hit.held == 0

    # --- what stops it ---------------------------------------------------------------------------

    @property
    def stopped(self) -> str:
        """Why nothing of it is confirmed or paid now; empty where no stop is open."""
        return action_log.stopped_by(self.hit)

    @property
    def is_unjudged(self) -> bool:
        """Whether the rules failed on its report, and no other was judged since."""
        return self.hit.is_unjudged

    @cached_property
    def excluded(self) -> exclusions.Stops:
        """By seat the lists of excluded persons that keep a payment back."""
        if not self.hit.is_matched:
            return {}
        return exclusions.still_to_pay(self.hit, exclusions.of_claim(self.claim))

    # --- the second manager ----------------------------------------------------------------------

    @cached_property
    def plays(self) -> list[StaffPlay]:
        """Of the staff those who were dealt in at the hand."""
        return staff_play.dealt_in(self.hit)

    @cached_property
    def players(self) -> frozenset[int]:
        """The same people by their keys: they decide nothing here."""
        return frozenset(play.person_id for play in self.plays)

    def approval(self, amount: int) -> Action | None:
        """The first manager's approval on which another may confirm `amount` now."""
        actions = (action for action in self.actions if action.person_id not in self.players)
        return second_manager.approval_among(actions, self.hit, amount)

    @property
    def needs_approval(self) -> bool:
        """Whether what may be confirmed waits for the first of two managers."""
        amount = self.to_confirm
        return second_manager.is_required(self.hit, amount) and self.approval(amount) is None

    # --- the hand and its terms ------------------------------------------------------------------

    @cached_property
    def examination(self) -> HandAssessment:
        """What the rules say of the newest report, by the terms of its round."""
        return examine(self.hit)

    @cached_property
    def versions(self) -> dict[int, JackpotTerms]:
        """All terms that the system ever had, by number."""
        return terms_by_system([self.hit.system_id])[self.hit.system_id]

    @cached_property
    def tier_terms(self) -> TierTerms | None:
        """The terms of its prize: those of the round, else the newest."""
        posted_terms = tier_terms(self.hit, self.versions)
        return posted_terms[1] if posted_terms is not None else None

    @cached_property
    def last_places(self) -> dict[str, int]:
        """By prize, where the last hit before this one acts; empty where no display counts: one
        that acts later by a correction has another value there."""
        hit = self.hit
        if hit.acts_at != hit.place and hit.closing is None:
            return {}
        before = Hit.objects.filter(system=hit.system_id, acts_at__lt=hit.acts_at)
        before = before.filter(tier__isnull=False).exclude(state__in=OUT)
        return dict(before.order_by().values_list("tier__code").annotate(last=Max("acts_at")))

    @cached_property
    def held_amount(self) -> HeldAmount | None:
        """What it took of its prize, by the fold's own function."""
        code = self.hit.tier.code if self.hit.tier else ""
        previous = self.last_places.get(code, 0)
        return holding_of(self.hit, ClaimSources(self.versions, previous, closing_of(self.hit)))

    @property
    def prize(self) -> str:
        """Its prize as it was posted; empty while nobody knows which it is."""
        return self.tier_terms.name if self.tier_terms is not None else ""

    @cached_property
    def period(self) -> Period | None:
        """Of a candidate for a high hand: its period, and the candidates in it."""
        if self.hit.tier is None or self.hit.strength is None:
            return None
        return period_of(self.hit, self.examination.tier_terms(self.hit.tier.code))

    # --- who is paid -----------------------------------------------------------------------------

    @cached_property
    def division(self) -> tuple[list[Share], str]:
        """Who is paid, and why nobody would be where the rules divide nothing."""
        if self.hit.payees:
            return self._confirmed_shares(), ""
        if self.hit.state != HitState.HELD or self.hit.report is None:
            return [], ""
        try:
            proposed = payees(self.hit, self.hit.held, self.examination)
        except HandDoesNotQualify as error:
            return [], str(error)
        return [
            Share(number, payee["seat"], payee["role"], payee["amount"], PROPOSED)
            for number, payee in enumerate(proposed, 1)
        ], ""

    @property
    def shares(self) -> list[Share]:
        """Who is paid: as confirmed, else as the rules would divide what is held now."""
        return self.division[0]

    @property
    def is_forfeited(self) -> bool:
        """Whether a part of it went back to the pool."""
        return any(share.state == PayeeState.FORFEITED for share in self.shares)

    def _confirmed_shares(self) -> list[Share]:
        payouts = Payout.objects.filter(claim=self.claim).annotate(printed=Count("prints"))
        by_line: dict[int, list[Payout]] = {}
        for payout in payouts.order_by("id"):
            by_line.setdefault(payout.line, []).append(payout)
        return [
            Share(
                line.line,
                line.seat,
                line.role,
                line.amount,
                line.state,
                line.paid,
                line.rest,
                tuple(by_line.get(line.line, ())),
            )
            for line in self.hit.payee_lines
        ]

    def steps(self, through: int | None = None) -> list[Step]:
        """How the amount came about, up to an entry where one is given."""
        return steps_of(self.hit, through)


def detail_of(claim: Claim) -> ClaimDetail:
    """The claim as it stands now."""
    hit = hits().get(system=claim.system_id, number=claim.number)
    return ClaimDetail.with_known(hit, claim=claim)
