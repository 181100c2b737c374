"""What a claim's page says of players who are on a list: what stops a payment, and who must act."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext as _

from jackpot.models import Hit
from settlement.approvals.proposals import PERMISSIONS
from settlement.core.gaming_day import today
from settlement.exclusions.release import KIND, open_release
from settlement.exclusions.stops import Stops
from settlement.jurisdiction.rules import rules_at
from settlement.jurisdiction.words import WINNINGS, with_standing
from settlement.models import Proposal
from settlement.people.rights.permissions import name_of
from tables.models import Casino


def exclusions_context(
    stops: Stops, proposals: Iterable[Proposal], user: Any, hit: Hit
) -> dict[str, Any]:
    """For `console/claims/exclusions.html`."""
    if not stops:
        return {"excluded": []}
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
                "forfeit_line": _line_to_forfeit(hit, seat, user),
                "key": uuid.uuid4(),
            }
        )
    return {"excluded": rows, "excluded_rule": _rule_of_the_place(hit.system.casino)}


def _line_to_forfeit(hit: Hit, seat: int, user: Any) -> int | None:
    """The payment of the seat whose forfeiture this person may propose or agree to."""
    needed = PERMISSIONS[Proposal.Kind.FORFEIT]
    if not any(user.has_perm(f"settlement.{each}") for each in needed):
        return None
    return next((line.line for line in hit.payee_lines if line.seat == seat and line.rest), None)


def _rule_of_the_place(casino: Casino) -> tuple[str, str]:
    """What happens to an excluded person's winnings, and where that stands."""
    rules = rules_at(casino, today(casino))
    rule = next(iter(rules.of("exclusion")), None)
    if rule is None:
        return WINNINGS["decided"], _("House policy")
    return WINNINGS[rule.winnings or ""], with_standing(gettext(rule.source), rule)
