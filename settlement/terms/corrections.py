"""Putting wrong terms right: what is to be done, in its order, and how far it is. Selectors only.

Nothing is undone: new terms are posted, the pool is adjusted, people decide on each claim. A claim
keeps the terms that its round began under, and what displays showed at its hand (19.14(a)).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import QuerySet

from jackpot.domain.state.hits import hold
from jackpot.hits.states import OPEN_STATES, OUT
from jackpot.models import Entry, Hit, Tier
from jackpot.terms.document import JackpotTerms, TierTerms
from settlement.claims.derivation import holding_of
from settlement.claims.status import hits
from settlement.models import Incident, Proposal
from settlement.pools.adjustments import PENDING, Adjustment, AdjustmentState, adjustments_of
from settlement.pools.status import Pool, Posted, pools_of, posted_terms
from settlement.terms import drafts
from settlement.terms.readback import Readback, readbacks
from tables.models import JackpotSystem

REASON = "A05"  # terms set wrongly
ADJUSTMENTS_LOOKED_AT = 50


@dataclass(frozen=True, slots=True)
class PoolStep:
    """A prize whose pool may hold what a wrong reset amount brought; micros.

    `too_much`: what the operator gave to the pool's present start beyond the right reset amount,
    below zero where it gave too little. `left`: what of it no adjustment (A05) has moved yet, as
    far as the pool has it.
    """

    pool: Pool
    reset: int | None  # the right one; None while nobody has posted it
    too_much: int
    adjusted: int
    waiting: list[Adjustment]

    @property
    def left(self) -> int:
        return min(self.too_much + self.adjusted, self.pool.value)

    @property
    def size(self) -> int:
        return abs(self.left)

    @property
    def is_done(self) -> bool:
        return self.reset is not None and self.left == 0


@dataclass(frozen=True, slots=True)
class Right:
    """The whole of it. `corrected`: the version that took the wrong one's place, if one did."""

    system: JackpotSystem
    wrong: Posted
    before: Posted | None
    corrected: Posted | None
    newest: Posted
    waiting: Proposal | None  # new terms that wait for a second person
    incidents: list[Incident]
    pools: list[PoolStep]
    claims: list[Hit]
    displays: list[Readback]

    @property
    def is_suspended(self) -> bool:
        """Whether every prize that the wrong terms changed is out of play."""
        return all(step.pool.tier.code in self.newest.terms.suspended for step in self.pools)

    @property
    def are_displays_current(self) -> bool:
        return self.corrected is not None and all(each.is_current for each in self.displays)

    @property
    def are_pools_done(self) -> bool:
        return all(step.is_done for step in self.pools)


def putting_right(system: JackpotSystem, jackpot: str, wrong: int | None) -> Right | None:
    """How far it is with the version `wrong` of a jackpot's terms, or with the newest that people
    posted; None where there is no such version."""
    versions = posted_terms([system]).get((system.pk, jackpot), [])
    posted = _posted_by_people(system, versions)
    version = next((each for each in posted if each.number == wrong), None)
    if wrong is None and posted:
        version = posted[-1]
    if version is None:
        return None
    earlier = [each for each in versions if each.number < version.number]
    before = earlier[-1] if earlier else None
    later = [each for each in posted if each.number > version.number]
    changed = [each for each in later if _posted_form(each.terms) != _posted_form(version.terms)]
    corrected = changed[0] if changed else None
    affected = _affected(before, version)
    pools = [
        _pool_step(pool, version, before, corrected)
        for pool in pools_of([system], {(system.pk, jackpot): versions}, _tiers(system, affected))
    ]
    newest = versions[-1]
    return Right(
        system,
        version,
        before,
        corrected,
        newest,
        drafts.open_draft(system, jackpot),
        _incidents(system, version),
        sorted(pools, key=lambda step: step.pool.terms.rank),
        _claims(system, affected, version, corrected),
        readbacks(system, newest.terms, newest.number),
    )


def _posted_by_people(system: JackpotSystem, versions: Iterable[Posted]) -> list[Posted]:
    """Not those that a suspension, a closing or a move made."""
    version_list = list(versions)
    seqs = Entry.objects.filter(
        system=system, seq__in=[each.effective_seq for each in version_list], type="put_terms"
    ).values_list("seq", flat=True)
    return [each for each in version_list if each.effective_seq in {*seqs}]


def _posted_form(terms: JackpotTerms) -> dict[str, object]:
    return drafts.posted_form(terms)


def _affected(before: Posted | None, wrong: Posted) -> set[str]:
    """The prizes that the wrong version changed; all where the jackpot itself changed."""
    if before is None or _of_the_whole(before.terms) != _of_the_whole(wrong.terms):
        return {tier.code for tier in wrong.terms.tiers}
    tiers = {tier.code: tier for tier in before.terms.tiers}
    return {tier.code for tier in wrong.terms.tiers if tiers.get(tier.code) != tier}


def _of_the_whole(terms: JackpotTerms) -> dict[str, object]:
    """What is said of the jackpot itself, not of a prize."""
    return {name: term for name, term in _posted_form(terms).items() if name != "tiers"}


def _tiers(system: JackpotSystem, codes: set[str]) -> list[Tier]:
    return list(Tier.objects.filter(system=system, code__in=codes).select_related("system__casino"))


def _pool_step(
    pool: Pool, wrong: Posted, before: Posted | None, corrected: Posted | None
) -> PoolStep:
    code = pool.tier.code
    right = _of(corrected, code) or _of(before, code)
    figures = [
        adjustment
        for adjustment in adjustments_of(pool.tier, ADJUSTMENTS_LOOKED_AT)
        if adjustment.proposal.body["reason"] == REASON and adjustment.into == "pool"
    ]
    posted_figures = [
        f for f in figures if f.state == AdjustmentState.POSTED and _seq(f) > wrong.effective_seq
    ]
    too_much = 0 if right is None else _too_much(pool, right, wrong, before, corrected)
    return PoolStep(
        pool,
        right.reset if right else None,
        too_much,
        sum(adjustment.amount for adjustment in posted_figures),
        [adjustment for adjustment in figures if adjustment.state in PENDING],
    )


def _seq(adjustment: Adjustment) -> int:
    return adjustment.entry.seq if adjustment.entry else 0


def _of(posted: Posted | None, code: str) -> TierTerms | None:
    tiers = posted.terms.tiers if posted is not None else ()
    return next((tier for tier in tiers if tier.code == code), None)


def _too_much(
    pool: Pool,
    right: TierTerms,
    wrong: Posted,
    before: Posted | None,
    corrected: Posted | None,
) -> int:
    """What the operator gave too much when the pool last started: at its last hit, or at its
    opening. What an earlier start had too much of was played for and won."""
    newest = (
        hits()
        .filter(system=pool.tier.system_id, tier=pool.tier, before_pool__isnull=False)
        .exclude(state__in=OUT)
        .order_by("-acts_at", "number")
        .first()
    )
    if newest is None:
        opened = _of(wrong, pool.tier.code) if _of(before, pool.tier.code) is None else None
        return opened.reset - right.reset if opened else 0
    began_under_it = newest.terms >= wrong.number and (
        corrected is None or newest.terms < corrected.number
    )
    amount = holding_of(newest) if began_under_it else None
    if amount is None:
        return 0
    holding = amount.holding
    due = hold(holding.before, replace(holding.placed_hit, reset=right.reset), amount.previous)
    return holding.top_up_operator - due.top_up_operator


def _claims(
    system: JackpotSystem, codes: set[str], wrong: Posted, corrected: Posted | None
) -> list[Hit]:
    """Open claims of hands whose rounds began under the wrong terms."""
    rows: QuerySet[Any] = hits()  # the checker does not know an annotation's name
    claims = rows.filter(
        system=system, tier__code__in=codes, terms__gte=wrong.number, state__in=OPEN_STATES
    )
    if corrected is not None:
        claims = claims.filter(terms__lt=corrected.number)
    return list(claims.order_by("number"))


def _incidents(system: JackpotSystem, wrong: Posted) -> list[Incident]:
    """Wrong notices that were entered since."""
    at = Entry.objects.values_list("at", flat=True).get(system=system, seq=wrong.effective_seq)
    incidents = Incident.objects.filter(system=system, kind=Incident.Kind.WRONG_NOTICE, at__gte=at)
    return list(incidents.select_related("person", "end"))
