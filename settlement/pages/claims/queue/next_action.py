"""Whose turn a claim is, and what keeps a person from an action on it. In words, for pages.

The services judge; this says beforehand what they would say. Nothing here reads the database.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.utils.text import get_text_list
from django.utils.translation import gettext, gettext_noop

from jackpot.labels.claim_names import claim_name
from settlement.claims.claim_status import ClaimStatus, Lack, Period, Unsettled
from settlement.claims.status import OPEN, Standing
from settlement.core.words.translation import Labels
from settlement.models import Action

Kind = Action.Kind

# The permission that each takes is that of `settlement.people.rights.roles`.
PERMISSIONS = {
    Kind.VERIFY: "verify_claim",
    Kind.AMEND: "amend_claim",
    Kind.APPROVE: "confirm_claim",
    Kind.CONFIRM: "confirm_claim",
    Kind.PROPOSE_REJECTION: "propose_rejection",
    Kind.SECOND_REJECTION: "second_rejection",
    Kind.WITHDRAW_REJECTION: "propose_rejection",
    Kind.PAY: "pay_claim",
}


@dataclass(frozen=True, slots=True)
class NextAction:
    """What happens next. `kind` is set where it is this person's turn to do it."""

    text: str
    kind: str | None = None


def next_action(status: ClaimStatus, user: Any) -> NextAction:
    """What the claim waits for, seen by this person."""
    if status.standing not in OPEN:
        return NextAction("")
    if status.rejection_proposed:
        if blocked_reason(Kind.SECOND_REJECTION, status, user):
            return NextAction(gettext("Waits for a casino manager to decide on the rejection"))
        return NextAction(gettext("Decide on the rejection"), Kind.SECOND_REJECTION)
    if status.unsettled:
        return _to_settle(status.unsettled, status, user)
    return _on_the_way(status, user)


def awaited(status: ClaimStatus) -> str | None:
    """The action that somebody has to do next and could do now; None where there is none."""
    if status.rejection_proposed:
        return Kind.SECOND_REJECTION
    if status.standing not in _NEXT or status.unsettled or status.lacks:
        return None
    if status.standing == Standing.CONFIRMED and not (status.to_pay or status.supplement):
        return None
    kind, _ = _next(status)
    return None if _in_the_way(kind, status) else kind


def _next(status: ClaimStatus) -> tuple[str, str]:
    """The next action on the way of a claim, and its words."""
    kind, english = _NEXT[status.standing]
    words = gettext(english)
    if status.standing == Standing.CONFIRMED and not status.to_pay:
        kind, words = Kind.CONFIRM, gettext("Confirm the supplement")
    if kind == Kind.CONFIRM and status.ends_with_nothing:
        words = gettext("Confirm that nothing is due")
    if kind == Kind.CONFIRM and status.approve:
        kind, words = Kind.APPROVE, gettext("Approve as the first of two managers")
    return kind, words


def _on_the_way(status: ClaimStatus, user: Any) -> NextAction:
    """The next action on the way of a claim."""
    if status.standing == Standing.REPORTED and status.lacks:
        return _to_complete(status, user)
    if status.standing == Standing.REPORTED and status.period == Period.BETTER:
        return NextAction(_PERIOD[status.period])
    if status.standing == Standing.CONFIRMED and not status.to_pay and not status.supplement:
        if status.excluded:
            return NextAction(gettext("Stopped: excluded person"))
        return NextAction(gettext("A payment is withheld"))
    kind, words = _next(status)
    if not blocked_reason(kind, status, user):
        return NextAction(words, kind)
    if status.standing == Standing.CALLED:
        return NextAction(gettext("Waits for the report"))
    if status.stopped and kind in (Kind.APPROVE, Kind.CONFIRM, Kind.PAY):
        return NextAction(gettext("Stopped: see what stops it"))
    if kind in (Kind.APPROVE, Kind.CONFIRM) and (status.period or _nothing_now(status)):
        if status.blocked_by and not status.period:
            return NextAction(
                gettext("Waits for claim %(named)s")
                % {"named": claim_names(status.blocked_by, status.system)}
            )
        if status.period:
            return NextAction(_PERIOD[status.period])
        return NextAction(gettext("There is nothing to confirm"))
    return NextAction(WAITS_FOR[Kind(kind)])


def _to_complete(status: ClaimStatus, user: Any) -> NextAction:
    """Nobody can verify it as it stands."""
    if status.lacks == Lack.FIGURE:
        return NextAction(gettext("Waits for the round’s completion"))
    if not blocked_reason(Kind.AMEND, status, user):
        return NextAction(gettext("Amend the report, or reject"), Kind.AMEND)
    if not blocked_reason(Kind.PROPOSE_REJECTION, status, user):
        return NextAction(gettext("Propose to reject"), Kind.PROPOSE_REJECTION)
    return NextAction(gettext("Waits for an amended report or a rejection"))


def _to_settle(unsettled: Unsettled, status: ClaimStatus, user: Any) -> NextAction:
    if user.has_perm("settlement.enter_hand") and user.pk not in status.dealt_in:
        return NextAction(_SETTLE[unsettled], Kind.NAME_ROUND)
    return NextAction(gettext("Waits for a game supervisor to settle what the unit said"))


def blocked_reason(kind: str, status: ClaimStatus, user: Any) -> str:
    """Why this person cannot do it now; empty where nothing is in the way."""
    if user.pk in status.dealt_in:
        return gettext(_OWN_HAND)
    permission = PERMISSIONS[Kind(kind)]
    permissions = status.delegated.get(user.get_username(), ())
    if permission not in permissions and not user.has_perm(f"settlement.{permission}"):
        return FOR[Kind(kind)]
    return _capacity(kind, status, user) or _in_the_way(kind, status)


def is_free(kind: str, status: ClaimStatus, person: Any) -> bool:
    """Whether nothing that this person did, or was at, keeps them from it; no role is asked."""
    return person.pk not in status.dealt_in and not _capacity(kind, status, person)


def did_nothing(status: ClaimStatus, person: Any) -> bool:
    """Whether this person was not dealt in and did none of what different people do."""
    kinds = status.actions.get(person.pk, frozenset())
    was_there = person.pk in status.dealt_in or person.get_username() == status.recorder
    return not was_there and not kinds.intersection(_APART)


def _capacity(kind: str, status: ClaimStatus, user: Any) -> str:
    """What the person did on the claim and cannot do both of."""
    kinds = status.actions.get(user.pk, frozenset())
    if kind == Kind.SECOND_REJECTION and status.proposer == user.pk:
        return gettext(_OWN_PROPOSAL)
    if kind not in _APART:
        return ""
    other = next((each for each in _APART if each != kind and each in kinds), None)
    if other is not None:
        return f"{_OWN_ACTS[other]} {_BY_ANOTHER[Kind(kind)]}"
    if kind != Kind.AMEND and status.recorder == user.get_username():
        return f"{gettext(_ENTERED)} {_BY_ANOTHER[Kind(kind)]}"
    return ""


def _in_the_way(kind: str, status: ClaimStatus) -> str:
    """What keeps everybody from it for now."""
    amend = (Kind.AMEND,) if status.needs_pairing else ()
    if status.unsettled and kind in (Kind.VERIFY, Kind.APPROVE, Kind.CONFIRM, *amend):
        return _SETTLE_FIRST[status.unsettled]
    if status.stopped and kind in (Kind.APPROVE, Kind.CONFIRM, Kind.PAY):
        return status.stopped
    if status.unjudged and kind == Kind.VERIFY:
        return gettext("First send the report again unchanged, or amend it.")
    if kind in (Kind.APPROVE, Kind.CONFIRM) and status.period:
        return _PERIOD_FIRST[status.period]
    if kind in (Kind.APPROVE, Kind.CONFIRM) and _nothing_now(status):
        if not status.blocked_by:
            return gettext("No amount is reserved: there is nothing to confirm.")
        return gettext(
            "Claim %(named)s came first and is open: until it is decided nothing"
            " more of this one is safe."
        ) % {"named": claim_names(status.blocked_by, status.system)}
    return ""


def _nothing_now(status: ClaimStatus) -> bool:
    """Whether no amount can be confirmed at present, and not that there is none either."""
    return status.due == 0 and not status.ends_with_nothing


_NEXT: dict[str, tuple[Kind, str]] = {
    Standing.CALLED: (Kind.AMEND, gettext_noop("Enter the report")),
    Standing.REPORTED: (Kind.VERIFY, gettext_noop("Verify")),
    Standing.VERIFIED: (Kind.CONFIRM, gettext_noop("Confirm")),
    Standing.CONFIRMED: (Kind.PAY, gettext_noop("Pay")),
}
WAITS_FOR = Labels(
    {
        Kind.VERIFY: gettext_noop("Waits for a game supervisor to verify"),
        Kind.APPROVE: gettext_noop("Waits for the first of two managers"),
        Kind.CONFIRM: gettext_noop("Waits for a casino manager to confirm"),
        Kind.PAY: gettext_noop("Waits for the cashier"),
    }
)
# Whose it is, said to somebody else.
FOR = Labels(
    {
        Kind.VERIFY: gettext_noop("For a game supervisor."),
        Kind.AMEND: gettext_noop("For a game supervisor."),
        Kind.APPROVE: gettext_noop("For a casino manager."),
        Kind.CONFIRM: gettext_noop("For a casino manager."),
        Kind.PROPOSE_REJECTION: gettext_noop("For a game supervisor or a casino manager."),
        Kind.SECOND_REJECTION: gettext_noop("For a casino manager."),
        Kind.WITHDRAW_REJECTION: gettext_noop("For a game supervisor or a casino manager."),
        Kind.PAY: gettext_noop("For a cashier."),
    }
)
# Where nobody whose role it is can do it, and why.
NOBODY_LEFT = Labels(
    {
        Kind.VERIFY: gettext_noop("Nobody is left to verify it."),
        Kind.APPROVE: gettext_noop("Nobody is left to approve it."),
        Kind.CONFIRM: gettext_noop("Nobody is left to confirm it."),
        Kind.SECOND_REJECTION: gettext_noop("Nobody is left to decide on the rejection."),
        Kind.PAY: gettext_noop("Nobody is left to pay it."),
    }
)
_MANAGERS = gettext_noop(
    "Every casino manager was dealt in or has done something else on this claim."
)
ALL_EXCLUDED = Labels(
    {
        Kind.VERIFY: gettext_noop(
            "Every game supervisor was dealt in or has done something else on this claim."
        ),
        Kind.APPROVE: _MANAGERS,
        Kind.CONFIRM: _MANAGERS,
        Kind.SECOND_REJECTION: _MANAGERS,
        Kind.PAY: gettext_noop(
            "Every cashier was dealt in or has done something else on this claim."
        ),
    }
)
# Recorder or amender, verifier, confirmer and payer of one claim are different people.
_APART = (Kind.AMEND, Kind.VERIFY, Kind.APPROVE, Kind.CONFIRM, Kind.PAY)
_ENTERED = gettext_noop("You entered this hand.")
_OWN_ACTS = Labels(
    {
        Kind.AMEND: gettext_noop("You amended the report of this claim."),
        Kind.VERIFY: gettext_noop("You verified this claim."),
        Kind.APPROVE: gettext_noop("You approved the amount of this claim."),
        Kind.CONFIRM: gettext_noop("You confirmed this claim."),
        Kind.PAY: gettext_noop("You paid this claim."),
    }
)
_BY_ANOTHER = Labels(
    {
        Kind.AMEND: gettext_noop("Another game supervisor must amend its report."),
        Kind.VERIFY: gettext_noop("Another game supervisor must verify it."),
        Kind.APPROVE: gettext_noop("Another casino manager must approve it."),
        Kind.CONFIRM: gettext_noop("Another casino manager must confirm it."),
        Kind.PAY: gettext_noop("Another cashier must pay it."),
    }
)
_PERIOD = Labels(
    {
        Period.RUNS: gettext_noop("Waits for the end of its period"),
        Period.BETTER: gettext_noop("A better hand of its period stands"),
    }
)
_PERIOD_FIRST = Labels(
    {
        Period.RUNS: gettext_noop("Waits for the end of its period."),
        Period.BETTER: gettext_noop("A better hand of its period stands."),
    }
)
_SETTLE = Labels(
    {
        Unsettled.PAIRING: gettext_noop("Check whether it was entered on the console"),
        Unsettled.DIFFERENCE: gettext_noop("Settle what the unit sent"),
    }
)
_SETTLE_FIRST = Labels(
    {
        Unsettled.PAIRING: gettext_noop("First check whether it was entered on the console."),
        Unsettled.DIFFERENCE: gettext_noop("First settle what the unit sent."),
    }
)
_OWN_HAND = gettext_noop("You were dealt into this hand: somebody else decides on it.")
_OWN_PROPOSAL = gettext_noop("You proposed the rejection: somebody else must approve it.")


def claim_names(numbers: Iterable[int], system_code: str) -> str:
    """`MAIN-3`, or `MAIN-3 and MAIN-5`."""
    return get_text_list([claim_name(system_code, number) for number in numbers], gettext("and"))
