"""Which acts a house wants signed. The database says it, and asks for it by the same functions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.db import connection

from settlement.models import Action, Claim, Proposal, SetUpProposal, SignaturePolicy

SIGNED = frozenset(
    {
        *(Action.Kind.VERIFY, Action.Kind.APPROVE, Action.Kind.CONFIRM),
        *(Action.Kind.SECOND_REJECTION, Action.Kind.PAY),
    }
)
ALL = "all"


def of_casino(casino: int | None) -> str:
    """A value of `SignaturePolicy.Acts`; `casino` None: of the installation."""
    return str(_ask("SELECT acts_to_be_signed(%s)", casino))


def casinos_that_sign_all() -> frozenset[int]:
    """Where every act is signed."""
    newest = SignaturePolicy.objects.order_by("casino_id", "-id").distinct("casino_id")
    rows = newest.values_list("casino_id", "acts")
    return frozenset(casino for casino, acts in rows if acts == ALL)


def is_asked_of_action(claim: Claim, kind: str, body: Mapping[str, Any]) -> bool:
    """Whether an action on the claim is signed that says `body`: its amount counts."""
    if kind not in SIGNED:
        return False
    query = "SELECT action_is_to_be_signed(%s, %s, %s, NULL)"
    return bool(_ask(query, claim.pk, str(kind), json.dumps(body)))


def is_asked_of_proposal(proposal: Proposal) -> bool:
    """Whether agreeing to it, or approving it, is signed."""
    query = "SELECT proposal_is_to_be_signed(%s, %s)"
    return bool(_ask(query, proposal.system.casino_id, str(proposal.kind)))


def is_asked_of_set_up(proposal: SetUpProposal) -> bool:
    """Whether agreeing to a role, a log-in or a rule of the house is signed."""
    query = "SELECT set_up_is_to_be_signed(%s, %s)"
    return bool(_ask(query, proposal.casino_id, str(proposal.kind)))


def _ask(query: str, *values: Any) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        return cursor.fetchone()[0]
