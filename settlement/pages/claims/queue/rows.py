"""Claims as rows of a table, with whose turn each is. A fixed number of queries."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from jackpot.domain.payout.payout_bounds import PayoutBounds
from jackpot.hits.states import OUT, StopKind
from jackpot.labels.claim_names import claim_name
from jackpot.models import Hit
from jackpot.queries.open_claims import OpenClaims
from jackpot.queries.payout_bounds import bounds_of_claims
from jackpot.storage.stored_terms import terms_by_system
from jackpot.terms.document import JackpotTerms
from rules.eligibility import PENDING
from settlement.approvals import capacities
from settlement.claims.claim_status import ClaimStatus, Lack, status_of
from settlement.claims.detail import ClaimDetail
from settlement.claims.flags import flags_of
from settlement.claims.status import OPEN, UNVERIFIED, Standing
from settlement.exclusions import stops as exclusions
from settlement.models import Action
from settlement.pages.claims.queue.next_action import next_action
from settlement.people.rights import staff_play
from tables.models import Casino

# Whoever may do one of these has a turn in the way of every claim.
_STEPS_TAKEN_BY = ("verify_claim", "confirm_claim", "pay_claim")
# What a stop asks of compliance: its kind, who may, and the words.
_OF_STOPS = (
    (StopKind.HOLD, "settlement.propose_lift", gettext_noop("Held by the regulator: follow it up")),
    (StopKind.ORDER, "settlement.second_order", gettext_noop("In question: settle the order")),
    (StopKind.DISPUTE, "settlement.export_bundle", gettext_noop("Disputed: follow it up")),
)


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """What `partials/claim_row.html` shows of a claim."""

    name: str
    address: str
    state: str
    flags: tuple[str, ...]
    tier_name: str
    table_name: str
    system_name: str
    casino: Casino
    hit_at: dt.datetime
    amount_micros: int | None
    waiting_since: dt.datetime | None
    next_step: str  # what this person can do now
    waits_for: str  # where it is somebody else's turn


def claim_rows(hit_rows: Iterable[Any], user: Any) -> list[ClaimRow]:
    """Rows for hits of `settlement.claims.status.hits`, in their order."""
    hits = list(hit_rows)
    systems = {hit.system_id for hit in hits}
    actions: dict[tuple[int, int], list[Action]] = defaultdict(list)
    for action in Action.objects.filter(
        claim__system__in=systems, claim__number__in={hit.number for hit in hits}
    ).select_related("claim"):
        actions[action.claim.system_id, action.claim.number].append(action)
    open_claims = OpenClaims(systems)
    names = tier_names(systems)
    own = staff_play.own_hands(user, hits)
    mine = capacities.delegated_to(user)
    bounds = _bounds(hits, open_claims)
    excluded = exclusions.of_claims((hit.system_id, hit.number) for hit in hits if hit.is_matched)
    return [
        _row(
            hit,
            status_of(
                ClaimDetail.with_known(
                    hit,
                    actions=actions[hit.system_id, hit.number],
                    open_claims=open_claims,
                    bounds=bounds.get((hit.system_id, hit.number)),
                    excluded=exclusions.still_to_pay(
                        hit, excluded.get((hit.system_id, hit.number), {})
                    ),
                    players=frozenset({user.pk} if (hit.system_id, hit.number) in own else ()),
                ),
                lacks=_lacks(hit, open_claims),
                delegated={user.get_username(): mine.get((hit.system_id, hit.number), frozenset())},
            ),
            names[hit.system_id],
            user,
        )
        for hit in hits
    ]


def _bounds(hits: Iterable[Any], open_claims: OpenClaims) -> dict[tuple[int, int], PayoutBounds]:
    """The payout bounds of claims that may be confirmed, and come behind open ones."""
    numbers_by_system: dict[int, list[int]] = defaultdict(list)
    for hit in hits:
        if hit.standing in (Standing.VERIFIED, Standing.CONFIRMED) and open_claims.before(hit):
            numbers_by_system[hit.system_id].append(hit.number)
    return {
        (system, number): bounds
        for system, numbers in numbers_by_system.items()
        for number, bounds in bounds_of_claims(system, numbers).items()
    }


def _lacks(hit: Any, open_claims: OpenClaims) -> Lack | None:
    """What a read hand cannot be verified without."""
    verdict = open_claims.verdict(hit) if hit.standing == Standing.REPORTED else None
    if verdict is None:
        return None
    code = hit.tier.code if hit.tier is not None else None
    if any(reason.code in PENDING and reason.tier == code for reason in verdict.reasons):
        return Lack.FIGURE
    return None if code is not None and verdict.qualifying(code) else Lack.WINNER


def tier_names(systems: Collection[int]) -> dict[int, dict[str, str]]:
    """Of each system the newest name of every tier that its terms ever posted; one query."""
    return {system: names_in(versions) for system, versions in terms_by_system(systems).items()}


def names_in(versions: Mapping[int, JackpotTerms]) -> dict[str, str]:
    """The same in all terms of one system, by their numbers."""
    return {tier.code: tier.name for terms in versions.values() for tier in terms.tiers}


def prize_name(hit: Hit, names: dict[str, str]) -> str:
    """The prize that the hit holds, as it is posted."""
    if hit.tier is None:
        return _("Not known yet")
    return names.get(hit.tier.code, hit.tier.code)


def _holds(hit: Hit) -> bool:
    """Whether there is an amount: a candidate for a high hand has none before its period ends."""
    in_the_running = hit.strength is not None and hit.closing is None
    return hit.tier_id is not None and hit.state not in OUT and not in_the_running


def own_task(hit: Any, user: Any, status: ClaimStatus) -> str:
    """What surveillance and compliance, who take no step of the claim, have to do for it now."""
    if status.excluded and user.has_perm("settlement.second_excluded"):
        return _("Excluded person: decide whether to pay")
    if any(user.has_perm(f"settlement.{each}") for each in _STEPS_TAKEN_BY):
        return ""
    if (
        hit.standing in UNVERIFIED
        and not hit.is_reviewed
        and user.has_perm("settlement.add_footage")
    ):
        return _("Review the footage")
    stops = {stop.kind for stop in hit.open_stops}
    tasks = (words for kind, needed, words in _OF_STOPS if kind in stops and user.has_perm(needed))
    return next(tasks, "")


def _row(hit: Any, status: ClaimStatus, names: dict[str, str], user: Any) -> ClaimRow:
    coming = next_action(status, user)
    flags = flags_of(hit)
    if status.rejection_proposed:
        flags.append("rejection_proposed")
    if status.lacks == Lack.FIGURE:
        flags.append("waits_for_pot")
    if status.blocked_by:
        flags.append("provisional")
    elif status.supplement:
        flags.append("supplement")
    if status.excluded:
        flags.append("excluded_person")
    step = coming.text if coming.kind else own_task(hit, user, status)
    return ClaimRow(
        name=claim_name(hit.system.code, hit.number),
        address=reverse("claim", args=[hit.system.code, hit.number]),
        state=hit.standing,
        flags=tuple(flags),
        tier_name=prize_name(hit, names),
        table_name=hit.table.name,
        system_name=hit.system.name,
        casino=hit.system.casino,
        hit_at=hit.at,
        amount_micros=hit.held if _holds(hit) else None,
        waiting_since=hit.at if hit.standing in OPEN else None,
        next_step=step,
        waits_for="" if step else coming.text,
    )
