"""Whose turn a claim is, and what keeps a person from an act on it. In words, for pages.

The services judge; this says beforehand what they would say. Nothing here reads the database.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from jackpot.claim_names import claim_name
from settlement.models import Act

Kind = Act.Kind

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
DOERS = {
    Kind.VERIFY: "a game supervisor",
    Kind.AMEND: "a game supervisor",
    Kind.APPROVE: "a casino manager",
    Kind.CONFIRM: "a casino manager",
    Kind.PROPOSE_REJECTION: "a game supervisor or a casino manager",
    Kind.SECOND_REJECTION: "a casino manager",
    Kind.WITHDRAW_REJECTION: "a game supervisor or a casino manager",
    Kind.PAY: "a cashier",
}
# The same of whoever has already done something else on the claim.
OTHERS = {
    Kind.VERIFY: "another game supervisor",
    Kind.AMEND: "another game supervisor",
    Kind.APPROVE: "another casino manager",
    Kind.CONFIRM: "another casino manager",
    Kind.PAY: "another cashier",
}
# Recorder or amender, verifier, confirmer and payer of one claim are different people.
_APART = (Kind.AMEND, Kind.VERIFY, Kind.APPROVE, Kind.CONFIRM, Kind.PAY)
_DONE = {
    Kind.AMEND: "amended the report of",
    Kind.VERIFY: "verified",
    Kind.APPROVE: "approved the amount of",
    Kind.CONFIRM: "confirmed",
    Kind.PAY: "paid",
}
DOING = {
    Kind.AMEND: "amend its report",
    Kind.VERIFY: "verify it",
    Kind.APPROVE: "approve it",
    Kind.CONFIRM: "confirm it",
    Kind.PAY: "pay it",
    Kind.SECOND_REJECTION: "decide on the rejection",
}


@dataclass(frozen=True, slots=True)
class ClaimStatus:
    """Where a claim stands, as far as it decides whose turn it is."""

    standing: str
    rejection_proposed: bool = False
    blocked_by: tuple[int, ...] = ()  # earlier open claims of the same prize
    acts: Mapping[int, frozenset[str]] = field(default_factory=dict)  # kinds, by person
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
        return self.standing in ("called", "reported", "verified")


@dataclass(frozen=True, slots=True)
class Turn:
    """What happens next. `kind` is set where it is this person's turn to do it."""

    text: str
    kind: str | None = None


def acts_by_person(acts: Iterable[Act]) -> dict[int, frozenset[str]]:
    """Which kinds of acts each person has done."""
    kinds: dict[int, frozenset[str]] = {}
    for act in acts:
        kinds[act.person_id] = kinds.get(act.person_id, frozenset()) | {act.kind}
    return kinds


def next_turn(stand: ClaimStatus, user: Any) -> Turn:
    """What the claim waits for, seen by this person."""
    if stand.standing in ("closed", "rejected", "reversed", "withdrawn", "paired", "outranked"):
        return Turn("")
    if stand.rejection_proposed:
        if blocked_reason(Kind.SECOND_REJECTION, stand, user):
            return Turn("Waits for a casino manager to decide on the rejection")
        return Turn("Decide on the rejection", Kind.SECOND_REJECTION)
    if stand.unsettled:
        return _to_settle(stand, user)
    return _in_turn(stand, user)


def awaited(stand: ClaimStatus) -> str | None:
    """The act that somebody has to do next and could do now; None where there is none."""
    if stand.rejection_proposed:
        return Kind.SECOND_REJECTION
    if stand.standing not in _NEXT or stand.unsettled or stand.lacks:
        return None
    if stand.standing == "confirmed" and not (stand.to_pay or stand.supplement):
        return None
    kind, _ = _next(stand)
    return None if _in_the_way(kind, stand) else kind


def _next(stand: ClaimStatus) -> tuple[str, str]:
    """The next act on the way of a claim, and its words."""
    kind, words = _NEXT[stand.standing]
    if stand.standing == "confirmed" and not stand.to_pay:
        kind, words = Kind.CONFIRM, "Confirm the supplement"
    if kind == Kind.CONFIRM and stand.ends_with_nothing:
        words = "Confirm that nothing is due"
    if kind == Kind.CONFIRM and stand.approve:
        kind, words = Kind.APPROVE, "Approve as the first of two managers"
    return kind, words


def _in_turn(stand: ClaimStatus, user: Any) -> Turn:
    """The next act on the way of a claim."""
    if stand.standing == "reported" and stand.lacks:
        return _to_complete(stand, user)
    if stand.standing == "reported" and stand.is_beaten:
        return Turn(stand.period)
    if stand.standing == "confirmed" and not stand.to_pay and not stand.supplement:
        return Turn("A payment is withheld")
    kind, words = _next(stand)
    if not blocked_reason(kind, stand, user):
        return Turn(words, kind)
    if stand.standing == "called":
        return Turn("Waits for the report")
    if stand.stopped and kind in (Kind.APPROVE, Kind.CONFIRM, Kind.PAY):
        return Turn("Stopped: see what stops it")
    if kind in (Kind.APPROVE, Kind.CONFIRM) and (stand.period or _nothing_now(stand)):
        if stand.blocked_by and not stand.period:
            return Turn(f"Waits for claim {named(stand.blocked_by, stand.system)}")
        return Turn(stand.period or "There is nothing to confirm")
    return Turn(WAITS_FOR[Kind(kind)])


def _to_complete(stand: ClaimStatus, user: Any) -> Turn:
    """Nobody can verify it as it stands."""
    if stand.lacks == "a figure":
        return Turn("Waits for the round’s completion")
    if not blocked_reason(Kind.AMEND, stand, user):
        return Turn("Amend the report, or reject", Kind.AMEND)
    if not blocked_reason(Kind.PROPOSE_REJECTION, stand, user):
        return Turn("Propose to reject", Kind.PROPOSE_REJECTION)
    return Turn("Waits for an amended report or a rejection")


def _to_settle(stand: ClaimStatus, user: Any) -> Turn:
    if user.has_perm("settlement.enter_hand") and user.pk not in stand.dealt_in:
        return Turn(stand.unsettled, Kind.NAME_ROUND)
    return Turn("Waits for a game supervisor to settle what the unit said")


def blocked_reason(kind: str, stand: ClaimStatus, user: Any) -> str:
    """Why this person cannot do it now; empty where nothing is in the way."""
    if user.pk in stand.dealt_in:
        return _OWN_HAND
    permission = PERMISSIONS[Kind(kind)]
    permissions = stand.delegated.get(user.get_username(), ())
    if permission not in permissions and not user.has_perm(f"settlement.{permission}"):
        return f"For {DOERS[Kind(kind)]}."
    return _capacity(kind, stand, user) or _in_the_way(kind, stand)


def is_free(kind: str, stand: ClaimStatus, person: Any) -> bool:
    """Whether nothing that this person did, or was at, keeps them from it; no role is asked."""
    return person.pk not in stand.dealt_in and not _capacity(kind, stand, person)


def did_nothing(stand: ClaimStatus, person: Any) -> bool:
    """Whether this person was not dealt in and did none of what different people do."""
    done = stand.acts.get(person.pk, frozenset())
    was_there = person.pk in stand.dealt_in or person.get_username() == stand.recorder
    return not was_there and not done.intersection(_APART)


def _capacity(kind: str, stand: ClaimStatus, user: Any) -> str:
    """What the person did on the claim and cannot do both of."""
    done = stand.acts.get(user.pk, frozenset())
    if kind == Kind.SECOND_REJECTION and stand.proposer == user.pk:
        return _OWN_PROPOSAL
    if kind not in _APART:
        return ""
    other = next((each for each in _APART if each != kind and each in done), None)
    if other is not None:
        return f"You {_DONE[other]} this claim: {OTHERS[Kind(kind)]} must {DOING[Kind(kind)]}."
    if kind != Kind.AMEND and stand.recorder == user.get_username():
        return f"You entered this hand: {OTHERS[Kind(kind)]} must {DOING[Kind(kind)]}."
    return ""


def _in_the_way(kind: str, stand: ClaimStatus) -> str:
    """What keeps everybody from it for now."""
    amend = (Kind.AMEND,) if stand.needs_pairing else ()
    if stand.unsettled and kind in (Kind.VERIFY, Kind.APPROVE, Kind.CONFIRM, *amend):
        return f"First {stand.unsettled[0].lower()}{stand.unsettled[1:]}."
    if stand.stopped and kind in (Kind.APPROVE, Kind.CONFIRM, Kind.PAY):
        return stand.stopped
    if stand.unjudged and kind == Kind.VERIFY:
        return "First send the report once more as it is, or amend it."
    if kind in (Kind.APPROVE, Kind.CONFIRM) and stand.period:
        return f"{stand.period}."
    if kind in (Kind.APPROVE, Kind.CONFIRM) and _nothing_now(stand):
        if not stand.blocked_by:
            return "It holds nothing: there is nothing to confirm."
        return (
            f"Claim {named(stand.blocked_by, stand.system)} came first and is open: until it is"
            " decided nothing more of this one is safe."
        )
    return ""


def _nothing_now(stand: ClaimStatus) -> bool:
    """Whether no amount can be confirmed at present, and not that there is none either."""
    return stand.due == 0 and not stand.ends_with_nothing


_NEXT = {
    "called": (Kind.AMEND, "Enter the report"),
    "reported": (Kind.VERIFY, "Verify"),
    "verified": (Kind.CONFIRM, "Confirm"),
    "confirmed": (Kind.PAY, "Pay"),
}
WAITS_FOR = {
    Kind.VERIFY: "Waits for a game supervisor to verify",
    Kind.APPROVE: "Waits for the first of two managers",
    Kind.CONFIRM: "Waits for a casino manager to confirm",
    Kind.PAY: "Waits for the cashier",
}
_OWN_HAND = "You were dealt in at this hand: somebody else decides on it."
_OWN_PROPOSAL = "You proposed the rejection: somebody else must agree."


def named(numbers: Iterable[int], system_code: str) -> str:
    """`MAIN-3`, or `MAIN-3 and MAIN-5`."""
    return " and ".join(claim_name(system_code, number) for number in numbers)
