"""Where a claim stands, as far as it decides whose turn it is: read off the one model of a claim.

Codes, no words: pages have those (`settlement.pages.claims.queue.next_action`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from jackpot.hits.states import HitState
from jackpot.models import Hit
from settlement.claims import pairing
from settlement.claims.detail import ClaimDetail
from settlement.claims.status import HELD
from settlement.models import Action


class Period(StrEnum):
    """Why a candidate for a high hand cannot be confirmed yet."""

    RUNS = "runs"
    BETTER = "better"  # a better hand of it stands: nothing is at stake


class Unsettled(StrEnum):
    """What is open between a hand that was entered here and its unit's hand."""

    PAIRING = "pairing"  # whether the two are one hand
    DIFFERENCE = "difference"


class Lack(StrEnum):
    """What nobody could verify a read hand without."""

    FIGURE = "figure"  # of its round
    WINNER = "winner"


@dataclass(frozen=True, slots=True)
class ClaimStatus:
    """What decides whose turn a claim is."""

    standing: str
    rejection_proposed: bool = False
    blocked_by: tuple[int, ...] = ()  # earlier open claims of the same prize
    actions: Mapping[int, frozenset[str]] = field(default_factory=dict)  # kinds, by person
    proposer: int | None = None
    to_pay: bool = True  # whether something that was confirmed is still to be handed over
    supplement: bool = False  # whether it comes to more than was confirmed so far
    due: int | None = None  # micros that may be confirmed now; None: all that it holds
    ends_with_nothing: bool = False  # it won an empty pool: it is confirmed for nothing
    excluded: frozenset[int] = frozenset()  # seats whose players are on a list: not paid
    stopped: str = ""  # why nothing is confirmed or paid now: a dispute, a hold, its clock
    approve: bool = False  # whether the amount waits for the first of two managers
    period: Period | None = None
    dealt_in: frozenset[int] = frozenset()  # people who decide nothing here
    recorder: str = ""  # the log-in of who entered the hand on the console
    unjudged: bool = False  # the rules failed on the report, and no other was judged since
    lacks: Lack | None = None  # worked out for lists
    unsettled: Unsettled | None = None
    needs_pairing: bool = False  # whether somebody must say if it is another claim's hand
    delegated: Mapping[str, frozenset[str]] = field(default_factory=dict)  # by log-in
    system: str = ""  # the code of its jackpot system

    @property
    def is_held(self) -> bool:
        return self.standing in HELD


def status_of(
    detail: ClaimDetail, delegated: Mapping[str, frozenset[str]], lacks: Lack | None = None
) -> ClaimStatus:
    """Where a claim stands. `delegated`: by log-in. `lacks`: as a list works it out."""
    period = _period(detail.hit)
    return replace(
        status_of_payment(detail, delegated),
        blocked_by=detail.blocked_by,
        due=detail.to_confirm,
        ends_with_nothing=detail.holds_nothing and not detail.blocked_by and period is None,
        approve=detail.needs_approval,
        period=period,
        lacks=lacks or (Lack.WINNER if detail.is_unjudged else None),
    )


def status_of_payment(detail: ClaimDetail, delegated: Mapping[str, frozenset[str]]) -> ClaimStatus:
    """The same without what decides on a confirmation, which takes the books."""
    hit = detail.hit
    proposals = [
        action for action in detail.actions if action.kind == Action.Kind.PROPOSE_REJECTION
    ]
    return ClaimStatus(
        hit.standing,
        rejection_proposed=hit.rejection_proposed,
        actions=_by_person(detail.actions),
        proposer=proposals[-1].person_id if proposals else None,
        to_pay=any(
            line.is_payable and line.seat not in detail.excluded for line in hit.payee_lines
        ),
        excluded=frozenset(detail.excluded),
        supplement=detail.is_supplement,
        stopped=detail.stopped,
        system=hit.system.code,
        dealt_in=detail.players,
        recorder=hit.unit_pairing.who,
        unjudged=detail.is_unjudged,
        unsettled=_unsettled(hit),
        needs_pairing=pairing.is_required(hit),
        delegated=delegated,
    )


def _by_person(actions: Iterable[Action]) -> dict[int, frozenset[str]]:
    """Which kinds of actions each person has done."""
    kinds: dict[int, frozenset[str]] = {}
    for action in actions:
        kinds[action.person_id] = kinds.get(action.person_id, frozenset()) | {action.kind}
    return kinds


def _unsettled(hit: Hit) -> Unsettled | None:
    if pairing.is_required(hit):
        return Unsettled.PAIRING
    return Unsettled.DIFFERENCE if pairing.differs(hit) else None


def _period(hit: Hit) -> Period | None:
    if hit.strength is None or hit.state != HitState.HELD:
        return None
    if hit.closing is None:
        return Period.RUNS
    return None if hit.before_pool is not None else Period.BETTER
