"""What can become of each payment of a claim, for this person: `console/payments/options.html`."""

from __future__ import annotations

import uuid
from typing import Any

from django.utils import timezone

from jackpot.models import Hit
from jackpot.terms.payees import rest
from settlement.models import Proposal
from settlement.payments.services import open_forfeit, unclaimed_from
from settlement.people.permissions import name_of


def payment_ways(hit: Hit, proposals: list[Proposal], user: Any) -> dict[int, dict[str, Any]]:
    """By line; a line of which nothing is left has none."""
    left = [line for line in hit.payees if rest(line)]
    if hit.state not in ("confirmed", "paid") or not left:
        return {}
    may = {
        name: user.has_perm(f"settlement.{name}")
        for name in ("withhold_payment", "book_unclaimed", "propose_forfeit", "second_forfeit")
    }
    now, from_then = timezone.now(), unclaimed_from(hit)
    return {
        line["line"]: {
            "key": uuid.uuid4(),
            "withhold": may["withhold_payment"] and line["state"] in ("due", "part_paid"),
            "release": may["withhold_payment"] and line["state"] in ("withheld", "unclaimed"),
            "unclaimed": may["book_unclaimed"]
            and line["state"] in ("due", "part_paid")
            and now >= from_then[line["line"]],
            "unclaimed_from": from_then[line["line"]]
            if line["state"] in ("due", "part_paid")
            else None,
            **_forfeit(open_forfeit(proposals, line["line"]), may, user),
        }
        for line in left
    }


def _forfeit(waiting: Proposal | None, may: dict[str, bool], user: Any) -> dict[str, Any]:
    if waiting is None:
        return {"forfeit": may["propose_forfeit"], "forfeit_proposed": None}
    own = waiting.person_id == user.pk
    return {
        "forfeit": False,
        "forfeit_proposed": waiting,
        "forfeit_by": name_of(waiting.person),
        "agree_forfeit": may["second_forfeit"] and not own,
        "withdraw_forfeit": may["propose_forfeit"],
        "forfeit_is_own": own,
    }
