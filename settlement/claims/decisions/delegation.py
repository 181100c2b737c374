"""Who is left to decide on a claim, and delegating a decision where nobody is.

Staff who were dealt in, and people who acted on a claim in another capacity, decide nothing more
about it. Where that leaves nobody, two people give the decision to a casino manager of another
house or to compliance: for that claim, in that capacity, with the reason. It is a command: the
order keeps it.
"""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import Q, QuerySet, Value
from django.utils.translation import gettext as _

from jackpot.hits.states import STANDING
from jackpot.writer import commands
from settlement.approvals import action_log, proposals
from settlement.approvals.capacities import CAPACITIES, KIND, TAKES
from settlement.claims.services import hit_of
from settlement.core.errors import BadReason, SamePerson, WrongState
from settlement.core.input import required_text
from settlement.models import Action, Claim, Proposal
from settlement.people.rights import staff_play
from settlement.people.rights.permissions import Reauthenticated, name_of, require
from settlement.people.rights.role_holders import holders
from settlement.people.rights.staff_play import WasDealtIn

APART = (
    Action.Kind.AMEND,
    Action.Kind.VERIFY,
    Action.Kind.APPROVE,
    Action.Kind.CONFIRM,
    Action.Kind.PAY,
)
AGAIN = {
    "verify_claim": Action.Kind.VERIFY,
    "confirm_claim": Action.Kind.CONFIRM,
}  # by the same person


def left(claim: Claim, permission: str) -> QuerySet[Any]:
    """Who may do it by their role, was not dealt in, and did nothing else on the claim."""
    return _free(claim, holders(permission, claim.system.casino_id), AGAIN.get(permission, ""))


def candidates(claim: Claim, capacity: str) -> QuerySet[Any]:
    """Who may be asked: managers of other houses and compliance, as far as nothing keeps them."""
    by_role = holders(CAPACITIES[capacity][0], claim.system.casino_id)
    return _free(claim, holders(TAKES).exclude(pk__in=by_role.values("pk")))


def _free(claim: Claim, people: QuerySet[Any], again: str = "") -> QuerySet[Any]:
    others = [kind for kind in APART if kind != again]
    acted = Q(pk__in=claim.actions.filter(kind__in=others).values("person"))
    recorder = Q(username=hit_of(claim).unit_pairing.who)
    apart = people.exclude(acted | recorder).alias(own=WasDealtIn(Value(claim.pk), "pk"))
    return apart.filter(own=False)


def propose(
    claim: Claim,
    user: Any,
    *,
    person: Any,
    capacity: str,
    reason: str,
    key: uuid.UUID | None = None,
) -> Proposal:
    """Propose that `person` acts on this claim as if in that capacity, and say why."""
    require(user, proposals.PERMISSIONS[KIND][0], claim.system)
    if capacity not in CAPACITIES:
        raise BadReason(_("Choose the capacity: casino manager, or game supervisor."))
    reason_text = required_text(reason, _("Enter why nobody else can decide, and who was called."))
    with action_log.locked(claim):
        staff_play.require_apart(claim, user)
        hit = hit_of(claim)
        if hit.state not in STANDING:
            raise WrongState(_("Nothing of this claim is left to decide."))
        _judge(claim, person, capacity, user)
        body = {
            "hit": hit.number,
            "person": person.get_username(),
            "capacity": capacity,
            "reason": reason_text,
            "left": [each.get_username() for each in left(claim, CAPACITIES[capacity][0])],
        }
        return proposals.propose(claim.system, KIND, str(claim.number), body, user, key)


def agree(proposal: Proposal, person: Reauthenticated) -> commands.Answer:
    """A second person agrees: from now on that person may act on the claim."""
    claim = Claim.objects.select_related("system").get(
        system=proposal.system_id, number=int(proposal.subject)
    )
    delegate = get_user_model().objects.get(username=proposal.body["person"])

    def judge() -> None:
        Claim.objects.select_for_update().get(pk=claim.pk)
        for each in (proposal.person, person.user):
            staff_play.require_apart(claim, each)
        _judge(claim, delegate, proposal.body["capacity"], person.user)

    return proposals.agree(proposal, person, judge)


def _judge(claim: Claim, person: Any, capacity: str, user: Any) -> None:
    """Whether the person may be asked, by this one."""
    if person.pk == user.pk:
        raise SamePerson(
            _("You cannot delegate a decision to yourself. Two other people must do it.")
        )
    if not candidates(claim, capacity).filter(pk=person.pk).exists():
        raise WrongState(
            _(
                "%(name_of)s cannot be asked: only compliance or a casino manager of"
                " another house can, who was not dealt in, has done nothing on this"
                " claim and may not decide on it already."
            )
            % {"name_of": name_of(person)}
        )
