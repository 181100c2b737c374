"""Claims as rows of a table, with whose turn each is. A fixed number of queries."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from jackpot.claim_names import claim_name
from jackpot.domain.command_handlers.stops import stopped_by
from jackpot.domain.payout.prospects import Prospect
from jackpot.domain.state.books import OUT, Round
from jackpot.domain.state.verdicts import hand_report, is_unjudged, judged
from jackpot.models import Head, Hit
from jackpot.queries.payout_bounds import prospects
from jackpot.storage.loading import terms_of
from jackpot.terms.document import JackpotTerms, tiers_at
from jackpot.terms.payees import PAYABLE, rest
from rules.eligibility import PENDING
from settlement.approvals import capacities, second_manager
from settlement.claims import pairing
from settlement.claims.flags import flags_of
from settlement.claims.precedence import OpenClaims, open_hits_in_order
from settlement.claims.status import OPEN, UNVERIFIED
from settlement.models import Act
from settlement.pages.claims.queue.steps import ClaimStatus, acts_by_person, next_turn
from settlement.people import staff_play
from tables.models import Casino

# Whoever may do one of these has a turn in the way of every claim.
_STEPS_TAKEN_BY = ("verify_claim", "confirm_claim", "pay_claim")
# What a stop asks of compliance: its kind, who may, and the words.
_OF_STOPS = (
    ("hold", "settlement.propose_lift", "Held by the regulator: follow it up"),
    ("order", "settlement.second_order", "In question: settle the order"),
    ("dispute", "settlement.export_bundle", "Disputed: follow it up"),
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
    acts: dict[tuple[int, int], list[Act]] = defaultdict(list)
    for act in Act.objects.filter(
        claim__system__in=systems, claim__number__in={hit.number for hit in hits}
    ).select_related("claim"):
        acts[act.claim.system_id, act.claim.number].append(act)
    held = OpenClaims(open_hits_in_order().filter(system__in=systems))
    names = {system: tier_names(system) for system in systems}
    own = staff_play.own_hands(user, hits)
    mine = capacities.delegated_to(user)
    coming = _prospects(hits, held)
    lacking = _lacking(held, {(h.system_id, h.number) for h in hits if h.standing == "reported"})
    return [
        _row(
            hit,
            stand_of(
                hit,
                acts[hit.system_id, hit.number],
                held,
                coming.get((hit.system_id, hit.number)),
                dealt_in={user.pk} if (hit.system_id, hit.number) in own else (),
                lacks=lacking.get((hit.system_id, hit.number), ""),
                delegated={user.get_username(): mine.get((hit.system_id, hit.number), frozenset())},
            ),
            names[hit.system_id],
            user,
        )
        for hit in hits
    ]


def _prospects(hits: Iterable[Any], held: OpenClaims) -> dict[tuple[int, int], Prospect]:
    """The payout bounds of claims that may be confirmed, and come behind open ones."""
    numbers_by_system: dict[int, list[int]] = defaultdict(list)
    for hit in hits:
        if hit.standing in ("verified", "confirmed") and held.before(hit):
            numbers_by_system[hit.system_id].append(hit.number)
    return {
        (system, number): prospect
        for system, numbers in numbers_by_system.items()
        for number, prospect in prospects(system, numbers).items()
    }


def stand_of(
    hit: Any,
    acts: Iterable[Act],
    held: OpenClaims,
    coming: Prospect | None = None,
    *,
    dealt_in: Iterable[int] = (),
    lacks: str = "",
    delegated: Mapping[str, frozenset[str]] | None = None,
) -> ClaimStatus:
    """Where a hit stands, given its acts, the hits that are open and its payout bounds.

    Without payout bounds all that it holds is due, and it comes behind every open claim that may be
    for the same prize. `dealt_in`: people who were at the table. `lacks`: what nobody could verify
    it without.
    """
    known, players = list(acts), frozenset(dealt_in)
    due = coming.due if coming else hit.held - hit.confirmed
    before = coming.waits_for if coming else held.before(hit)
    period = _waits_for_period(hit)
    holds_nothing = hit.state == "held" and hit.tier_id is not None and hit.held == 0
    proposals = [act for act in known if act.kind == Act.Kind.PROPOSE_REJECTION]
    return ClaimStatus(
        hit.standing,
        rejection_proposed=hit.rejection_proposed,
        blocked_by=before,
        acts=acts_by_person(known),
        proposer=proposals[-1].person_id if proposals else None,
        to_pay=any(rest(line) and line["state"] in PAYABLE for line in hit.payees),
        supplement=hit.state == "confirmed" and hit.held > hit.confirmed,
        due=due,
        ends_with_nothing=holds_nothing and not before and not period,
        stopped=stopped_by(hit.stops),
        approve=hit.one_manager is not None
        and hit.confirmed + due > hit.one_manager
        and approval_of(hit, known, due, players) is None,
        period=period,
        is_beaten=bool(period) and hit.closing is not None,
        system=hit.system.code,
        dealt_in=players,
        recorder=hit.pairing.get("who", ""),
        lacks=lacks or ("a winner" if is_unjudged(hit.stops) else ""),
        unjudged=is_unjudged(hit.stops),
        unsettled=_unsettled(hit),
        needs_pairing=pairing.is_required(hit),
        delegated=delegated or {},
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
        return "Say whether it was entered on the console"
    return "Settle what the unit sent" if pairing.differs(hit) else ""


def _waits_for_period(hit: Hit) -> str:
    """Why a candidate for a high hand cannot be confirmed yet; empty for any other claim."""
    if hit.strength is None or hit.state != "held":
        return ""
    if hit.closing is None:
        return "Waits for the end of its period"
    return "" if hit.before_pool is not None else "A better hand of its period stands"


def approval_of(
    hit: Any, acts: Iterable[Act], due: int, dealt_in: Iterable[int] = ()
) -> Act | None:
    """The first manager's approval of what is due, as `second_manager.approval_of` finds it."""
    body = second_manager.body_of(hit, due)
    approvals = (
        act
        for act in acts
        if act.kind == Act.Kind.APPROVE
        and (act.report_entry, act.body) == (hit.report_entry, body)
        and act.person_id not in dealt_in
    )
    return next(approvals, None)


def tier_names(system_id: int, newest: int | None = None) -> dict[str, str]:
    """The newest name of every tier that the system's terms ever posted, up to that number."""
    if newest is None:
        newest = Head.objects.filter(pk=system_id).values_list("terms_number", flat=True).first()
    return {
        tier.code: tier.name
        for _, terms in sorted(terms_of(system_id, newest or 0).items())
        for tier in terms.tiers
    }


def prize_name(hit: Hit, names: dict[str, str]) -> str:
    """The prize that the hit holds, as it is posted."""
    if hit.tier is None:
        return "Not known yet"
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
        return "Review the footage"
    stops = {stop["kind"] for stop in hit.stops if stop["lifted"] is None}
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
