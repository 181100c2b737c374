"""Whose turn a claim is, and what keeps a person from an action on it. In words, for pages.

The services judge; this says beforehand what they would say. Nothing here reads the database.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.text import get_text_list
from django.utils.translation import gettext, gettext_noop

from jackpot.claim_names import claim_name
from settlement.claims.status import HELD, OPEN, Standing
from settlement.core.translation import Labels
from settlement.models import Action

Kind = Action.Kind

# Who does what, as people say it; the permission is that of `settlement.people.roles`.
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
DOERS = Labels(
    {
        Kind.VERIFY: gettext_noop("a game supervisor"),
        Kind.AMEND: gettext_noop("a game supervisor"),
        Kind.APPROVE: gettext_noop("a casino manager"),
        Kind.CONFIRM: gettext_noop("a casino manager"),
        Kind.PROPOSE_REJECTION: gettext_noop("a game supervisor or a casino manager"),
        Kind.SECOND_REJECTION: gettext_noop("a casino manager"),
        Kind.WITHDRAW_REJECTION: gettext_noop("a game supervisor or a casino manager"),
        Kind.PAY: gettext_noop("a cashier"),
    }
)
# The same of whoever has already done something else on the claim.
OTHERS = Labels(
    {
        Kind.VERIFY: gettext_noop("another game supervisor"),
        Kind.AMEND: gettext_noop("another game supervisor"),
        Kind.APPROVE: gettext_noop("another casino manager"),
        Kind.CONFIRM: gettext_noop("another casino manager"),
        Kind.PAY: gettext_noop("another cashier"),
    }
)
# Recorder or amender, verifier, confirmer and payer of one claim are different people.
_APART = (Kind.AMEND, Kind.VERIFY, Kind.APPROVE, Kind.CONFIRM, Kind.PAY)
_DONE = Labels(
    {
        Kind.AMEND: gettext_noop("amended the report of"),
        Kind.VERIFY: gettext_noop("verified"),
        Kind.APPROVE: gettext_noop("approved the amount of"),
        Kind.CONFIRM: gettext_noop("confirmed"),
        Kind.PAY: gettext_noop("paid"),
    }
)
DOING = Labels(
    {
        Kind.AMEND: gettext_noop("amend its report"),
        Kind.VERIFY: gettext_noop("verify it"),
        Kind.APPROVE: gettext_noop("approve it"),
        Kind.CONFIRM: gettext_noop("confirm it"),
        Kind.PAY: gettext_noop("pay it"),
        Kind.SECOND_REJECTION: gettext_noop("decide on the rejection"),
    }
)


@dataclass(frozen=True, slots=True)
class ClaimStatus:
    """Where a claim stands, as far as it decides whose turn it is."""

    standing: str
    rejection_proposed: bool = False
    blocked_by: tuple[int, ...] = ()  # earlier open claims of the same prize
    actions: Mapping[int, frozenset[str]] = field(default_factory=dict)  # kinds, by person
    proposer: int | None = None
    to_pay: bool = True  # whether something that was confirmed is still to be handed over
    supplement: bool = False  # whether it comes to more than was confirmed so far
    due: int | None = None  # micros that may be confirmed now; None: all that it holds
    ends_with_nothing: bool = False  # it won an empty pool: it is confirmed for nothing
    stopped: str = ""  # why nothing is confirmed or paid now: a dispute, a hold, its clock
    approve: bool = False  # whether the amount waits for the first of two managers
    period: str = ""  # why a candidate for a high hand cannot be confirmed yet
    is_beaten: bool = False  # whether a better hand of its period stands: nothing is at stake
    dealt_in: frozenset[int] = frozenset()  # people who decide nothing here
    recorder: str = ""  # the log-in of who entered the hand on the console
    unjudged: bool = False  # the rules failed on the report, and no other was judged since
    lacks: str = ""  # of a read hand: "a figure" of its round, "a winner"; worked out for lists
    unsettled: str = ""  # what is open between the hand as it was entered and its unit's
    needs_pairing: bool = False  # whether somebody must say if it is another claim's hand
    delegated: Mapping[str, frozenset[str]] = field(default_factory=dict)  # by log-in
    system: str = ""  # the code of its jackpot system

    @property
    def is_held(self) -> bool:
        return self.standing in HELD


@dataclass(frozen=True, slots=True)
class Turn:
    """What happens next. `kind` is set where it is this person's turn to do it."""

    text: str
    kind: str | None = None


def actions_by_person(actions: Iterable[Action]) -> dict[int, frozenset[str]]:
    """Which kinds of actions each person has done."""
    kinds: dict[int, frozenset[str]] = {}
    for action in actions:
        kinds[action.person_id] = kinds.get(action.person_id, frozenset()) | {action.kind}
    return kinds


def next_turn(stand: ClaimStatus, user: Any) -> Turn:
    """What the claim waits for, seen by this person."""
    if stand.standing not in OPEN:
        return Turn("")
    if stand.rejection_proposed:
        if blocked_reason(Kind.SECOND_REJECTION, stand, user):
            return Turn(gettext("Waits for a casino manager to decide on the rejection"))
        return Turn(gettext("Decide on the rejection"), Kind.SECOND_REJECTION)
    if stand.unsettled:
        return _to_settle(stand, user)
    return _in_turn(stand, user)


def awaited(stand: ClaimStatus) -> str | None:
    """The action that somebody has to do next and could do now; None where there is none."""
    if stand.rejection_proposed:
        return Kind.SECOND_REJECTION
    if stand.standing not in _NEXT or stand.unsettled or stand.lacks:
        return None
    if stand.standing == Standing.CONFIRMED and not (stand.to_pay or stand.supplement):
        return None
    kind, _ = _next(stand)
    return None if _in_the_way(kind, stand) else kind


def _next(stand: ClaimStatus) -> tuple[str, str]:
    """The next action on the way of a claim, and its words."""
    kind, english = _NEXT[stand.standing]
    words = gettext(english)
    if stand.standing == Standing.CONFIRMED and not stand.to_pay:
        kind, words = Kind.CONFIRM, gettext("Confirm the supplement")
    if kind == Kind.CONFIRM and stand.ends_with_nothing:
        words = gettext("Confirm that nothing is due")
    if kind == Kind.CONFIRM and stand.approve:
        kind, words = Kind.APPROVE, gettext("Approve as the first of two managers")
    return kind, words


def _in_turn(stand: ClaimStatus, user: Any) -> Turn:
    """The next action on the way of a claim."""
    if stand.standing == Standing.REPORTED and stand.lacks:
        return _to_complete(stand, user)
    if stand.standing == Standing.REPORTED and stand.is_beaten:
        return Turn(stand.period)
    if stand.standing == Standing.CONFIRMED and not stand.to_pay and not stand.supplement:
        return Turn(gettext("A payment is withheld"))
    kind, words = _next(stand)
    if not blocked_reason(kind, stand, user):
        return Turn(words, kind)
    if stand.standing == Standing.CALLED:
        return Turn(gettext("Waits for the report"))
    if stand.stopped and kind in (Kind.APPROVE, Kind.CONFIRM, Kind.PAY):
        return Turn(gettext("Stopped: see what stops it"))
    if kind in (Kind.APPROVE, Kind.CONFIRM) and (stand.period or _nothing_now(stand)):
        if stand.blocked_by and not stand.period:
            return Turn(
                gettext("Waits for claim %(named)s")
                % {"named": named(stand.blocked_by, stand.system)}
            )
        return Turn(stand.period or gettext("There is nothing to confirm"))
    return Turn(WAITS_FOR[Kind(kind)])


def _to_complete(stand: ClaimStatus, user: Any) -> Turn:
    """Nobody can verify it as it stands."""
    if stand.lacks == "a figure":
        return Turn(gettext("Waits for the round’s completion"))
    if not blocked_reason(Kind.AMEND, stand, user):
        return Turn(gettext("Amend the report, or reject"), Kind.AMEND)
    if not blocked_reason(Kind.PROPOSE_REJECTION, stand, user):
        return Turn(gettext("Propose to reject"), Kind.PROPOSE_REJECTION)
    return Turn(gettext("Waits for an amended report or a rejection"))


def _to_settle(stand: ClaimStatus, user: Any) -> Turn:
    if user.has_perm("settlement.enter_hand") and user.pk not in stand.dealt_in:
        return Turn(stand.unsettled, Kind.NAME_ROUND)
    return Turn(gettext("Waits for a game supervisor to settle what the unit said"))


def blocked_reason(kind: str, stand: ClaimStatus, user: Any) -> str:
    """Why this person cannot do it now; empty where nothing is in the way."""
    if user.pk in stand.dealt_in:
        return gettext(_OWN_HAND)
    permission = PERMISSIONS[Kind(kind)]
    permissions = stand.delegated.get(user.get_username(), ())
    if permission not in permissions and not user.has_perm(f"settlement.{permission}"):
        return gettext("For %(doers)s.") % {"doers": DOERS[Kind(kind)]}
    return _capacity(kind, stand, user) or _in_the_way(kind, stand)


def is_free(kind: str, stand: ClaimStatus, person: Any) -> bool:
    """Whether nothing that this person did, or was at, keeps them from it; no role is asked."""
    return person.pk not in stand.dealt_in and not _capacity(kind, stand, person)


def did_nothing(stand: ClaimStatus, person: Any) -> bool:
    """Whether this person was not dealt in and did none of what different people do."""
    done = stand.actions.get(person.pk, frozenset())
    was_there = person.pk in stand.dealt_in or person.get_username() == stand.recorder
    return not was_there and not done.intersection(_APART)


def _capacity(kind: str, stand: ClaimStatus, user: Any) -> str:
    """What the person did on the claim and cannot do both of."""
    done = stand.actions.get(user.pk, frozenset())
    if kind == Kind.SECOND_REJECTION and stand.proposer == user.pk:
        return gettext(_OWN_PROPOSAL)
    if kind not in _APART:
        return ""
    other = next((each for each in _APART if each != kind and each in done), None)
    if other is not None:
        return gettext("You %(done)s this claim: %(others)s must %(doing)s.") % {
            "done": _DONE[other],
            "others": OTHERS[Kind(kind)],
            "doing": DOING[Kind(kind)],
        }
    if kind != Kind.AMEND and stand.recorder == user.get_username():
        return gettext("You entered this hand: %(others)s must %(doing)s.") % {
            "others": OTHERS[Kind(kind)],
            "doing": DOING[Kind(kind)],
        }
    return ""


def _in_the_way(kind: str, stand: ClaimStatus) -> str:
    """What keeps everybody from it for now."""
    amend = (Kind.AMEND,) if stand.needs_pairing else ()
    if stand.unsettled and kind in (Kind.VERIFY, Kind.APPROVE, Kind.CONFIRM, *amend):
        return gettext("First %(unsettled)s%(unsettled_2)s.") % {
            "unsettled": stand.unsettled[0].lower(),
            "unsettled_2": stand.unsettled[1:],
        }
    if stand.stopped and kind in (Kind.APPROVE, Kind.CONFIRM, Kind.PAY):
        return stand.stopped
    if stand.unjudged and kind == Kind.VERIFY:
        return gettext("First send the report once more as it is, or amend it.")
    if kind in (Kind.APPROVE, Kind.CONFIRM) and stand.period:
        return f"{stand.period}."
    if kind in (Kind.APPROVE, Kind.CONFIRM) and _nothing_now(stand):
        if not stand.blocked_by:
            return gettext("It holds nothing: there is nothing to confirm.")
        return gettext(
            "Claim %(named)s came first and is open: until it is decided nothing"
            " more of this one is safe."
        ) % {"named": named(stand.blocked_by, stand.system)}
    return ""


def _nothing_now(stand: ClaimStatus) -> bool:
    """Whether no amount can be confirmed at present, and not that there is none either."""
    return stand.due == 0 and not stand.ends_with_nothing


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
_OWN_HAND = gettext_noop("You were dealt in at this hand: somebody else decides on it.")
_OWN_PROPOSAL = gettext_noop("You proposed the rejection: somebody else must agree.")


def named(numbers: Iterable[int], system_code: str) -> str:
    """`MAIN-3`, or `MAIN-3 and MAIN-5`."""
    return get_text_list([claim_name(system_code, number) for number in numbers], gettext("and"))
