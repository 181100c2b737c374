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

from jackpot.claim_names import claim_name
from jackpot.domain.payout.payout_bounds import PayoutBounds
from jackpot.domain.state.books import OUT, Round
from jackpot.domain.state.verdicts import hand_report, is_unjudged, judged
from jackpot.hit_columns import HitState, StopKind
from jackpot.models import Hit
from jackpot.queries.payout_bounds import bounds_of_claims
from jackpot.storage.loading import terms_by_system
from jackpot.terms.document import JackpotTerms, tiers_at
from rules.eligibility import PENDING
from settlement.approvals import capacities
from settlement.claims import pairing
from settlement.claims.detail import ClaimDetail
from settlement.claims.flags import flags_of
from settlement.claims.precedence import OpenClaims, open_hits_in_order
from settlement.claims.status import OPEN, UNVERIFIED, Standing
from settlement.models import Action
from settlement.pages.claims.queue.steps import ClaimStatus, actions_by_person, next_turn
from settlement.people import staff_play
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
    held = OpenClaims(open_hits_in_order().filter(system__in=systems))
    names = tier_names(systems)
    own = staff_play.own_hands(user, hits)
    mine = capacities.delegated_to(user)
    coming = _bounds(hits, held)
    lacking = _lacking(
        held, {(h.system_id, h.number) for h in hits if h.standing == Standing.REPORTED}
    )
    return [
        _row(
            hit,
            status_of(
                ClaimDetail.with_known(
                    hit,
                    actions=actions[hit.system_id, hit.number],
                    open_claims=held,
                    bounds=coming.get((hit.system_id, hit.number)),
                    players=frozenset({user.pk} if (hit.system_id, hit.number) in own else ()),
                ),
                lacks=lacking.get((hit.system_id, hit.number), ""),
                delegated={user.get_username(): mine.get((hit.system_id, hit.number), frozenset())},
            ),
            names[hit.system_id],
            user,
        )
        for hit in hits
    ]


def _bounds(hits: Iterable[Any], held: OpenClaims) -> dict[tuple[int, int], PayoutBounds]:
    """The payout bounds of claims that may be confirmed, and come behind open ones."""
    numbers_by_system: dict[int, list[int]] = defaultdict(list)
    for hit in hits:
        if hit.standing in (Standing.VERIFIED, Standing.CONFIRMED) and held.before(hit):
            numbers_by_system[hit.system_id].append(hit.number)
    return {
        (system, number): bounds
        for system, numbers in numbers_by_system.items()
        for number, bounds in bounds_of_claims(system, numbers).items()
    }


def status_of(
    detail: ClaimDetail, delegated: Mapping[str, frozenset[str]], lacks: str = ""
) -> ClaimStatus:
    """Where a claim stands. `delegated`: by log-in. `lacks`: what nobody could verify it without,
    as a list works it out."""
    hit, period = detail.hit, _waits_for_period(detail.hit)
    proposals = [
        action for action in detail.actions if action.kind == Action.Kind.PROPOSE_REJECTION
    ]
    return ClaimStatus(
        hit.standing,
        rejection_proposed=hit.rejection_proposed,
        blocked_by=detail.blocked_by,
        actions=actions_by_person(detail.actions),
        proposer=proposals[-1].person_id if proposals else None,
        to_pay=any(line.is_payable for line in hit.payee_lines),
        supplement=detail.is_supplement,
        due=detail.to_confirm,
        ends_with_nothing=detail.holds_nothing and not detail.blocked_by and not period,
        stopped=detail.stopped,
        approve=detail.needs_approval,
        period=period,
        is_beaten=bool(period) and hit.closing is not None,
        system=hit.system.code,
        dealt_in=detail.players,
        recorder=hit.unit_pairing.who,
        lacks=lacks or ("a winner" if detail.is_unjudged else ""),
        unjudged=detail.is_unjudged,
        unsettled=_unsettled(hit),
        needs_pairing=pairing.is_required(hit),
        delegated=delegated,
    )


def _lacking(held: OpenClaims, wanted: set[tuple[int, int]]) -> dict[tuple[int, int], str]:
    """What read hands cannot be verified without."""
    return {
        (hit.system_id, hit.number): _lacks(hit, held.terms(hit))
        for hit in held.held
        if (hit.system_id, hit.number) in wanted and hit.report is not None
    }


def _lacks(hit: Any, terms: list[JackpotTerms]) -> str:
    if is_unjudged(hit.stops):
        return "a winner"
    digits = hit.system.casino.minor_digits
    report = hand_report(hit.report, Round(**hit.known_round), digits)
    code = hit.tier.code if hit.tier is not None else None
    tiers = {tier.code: tier.qualifies() for tier in tiers_at(terms, hit.table.code)}
    verdict = judged(report, tiers, digits)
    if any(reason.code in PENDING and reason.tier == code for reason in verdict.reasons):
        return "a figure"
    return "" if code in tiers and verdict.qualifying(code) else "a winner"


def _unsettled(hit: Hit) -> str:
    if pairing.is_required(hit):
        return _("Say whether it was entered on the console")
    return _("Settle what the unit sent") if pairing.differs(hit) else ""


def _waits_for_period(hit: Hit) -> str:
    """Why a candidate for a high hand cannot be confirmed yet; empty for any other claim."""
    if hit.strength is None or hit.state != HitState.HELD:
        return ""
    if hit.closing is None:
        return _("Waits for the end of its period")
    return "" if hit.before_pool is not None else _("A better hand of its period stands")


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


def own_task(hit: Any, user: Any) -> str:
    """What surveillance and compliance, who take no step of the claim, have to do for it now."""
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


def _row(hit: Any, stand: ClaimStatus, names: dict[str, str], user: Any) -> ClaimRow:
    turn = next_turn(stand, user)
    flags = flags_of(hit)
    if stand.rejection_proposed:
        flags.append("rejection_proposed")
    if stand.lacks == "a figure":
        flags.append("waits_for_pot")
    if stand.blocked_by:
        flags.append("provisional")
    elif stand.supplement:
        flags.append("supplement")
    step = turn.text if turn.kind else own_task(hit, user)
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
        waits_for="" if step else turn.text,
    )
