"""What a claim's page says of players who are on a list: what stops a payment, and who must act."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Any

from settlement.approvals.proposals import PERMISSIONS
from settlement.exclusions.release import KIND, open_release
from settlement.exclusions.stops import Stops
from settlement.models import Proposal
from settlement.people.permissions import name_of


def exclusions_context(stops: Stops, proposals: Iterable[Proposal], user: Any) -> dict[str, Any]:
    """For `console/claims/excluded.html`."""
    first, second = PERMISSIONS[KIND]
    may_propose, may_agree = (user.has_perm(f"settlement.{each}") for each in (first, second))
    rows = []
    for seat, matches in sorted(stops.items()):
        waiting = open_release(proposals, seat)
        own = waiting is not None and waiting.person_id == user.pk
        rows.append(
            {
                "seat": seat,
                "matches": matches,
                "waiting": waiting,
                "by": name_of(waiting.person) if waiting else "",
                "is_own": own,
                "may_propose": may_propose and waiting is None,
                "may_agree": waiting is not None and not own and may_agree,
                "may_withdraw": waiting is not None and may_propose,
                "key": uuid.uuid4(),
            }
        )
    return {"excluded": rows}
