"""Suspending and resuming: one person, at once, with a reason. Closing a prize: two people."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from jackpot.display.dark_displays import is_lit, last_read
from jackpot.queries.dry_run import refusal
from jackpot.writer import commands
from settlement.approvals import proposals
from settlement.core import guards
from settlement.core.errors import USED, BadReason, BadTerms, Declined, KeyUsed, WrongState
from settlement.core.input import required_text
from settlement.models import Proposal
from settlement.people.rights.permissions import require
from settlement.pools.status import posted_terms
from tables.models import GamingTable, JackpotSystem

KIND = Proposal.Kind.CLOSE_TIER


@dataclass(frozen=True, slots=True)
class JackpotPart:
    """What is suspended and resumed: a prize, a table, or all prizes where neither is named."""

    system: JackpotSystem
    jackpot: str
    tier: str | None = None
    table: str | None = None


@dataclass(frozen=True, slots=True)
class TierClosing:
    """A prize that closes; its pools go to another one, or to an account of the system."""

    jackpot: str
    tier: str
    reason: str
    to_tier: str | None = None
    to_account: str | None = None


def suspend(
    part: JackpotPart,
    user: Any,
    *,
    reason: str,
    again: bool = False,
    key: uuid.UUID | None = None,
) -> commands.Answer:
    """Suspend a part of a jackpot; `again`: resume it.

    Rounds that begin from then on do not take part, or take part again. The writer's answer.
    """
    system, jackpot, table = part.system, part.jackpot, part.table
    require(user, "suspend_jackpot", system)
    if table is not None and not GamingTable.objects.filter(system=system, code=table).exists():
        raise BadReason(_("This system has no such table."))
    if again and table is not None:
        _require_lit(system, jackpot, table)
    body = {
        "jackpot": jackpot,
        "tier": part.tier,
        "table": table,
        "reason": required_text(reason, _("Enter a reason: it is kept in the record.")),
    }
    kind, who = "resume" if again else "suspend", user.get_username()
    try:
        with guards.in_words():
            number = commands.queue(system, kind, body, first=who, key=key)
    except commands.KeyReused as error:
        raise KeyUsed(USED) from error
    answer = commands.wait(system, number)
    if answer.refused:
        raise Declined(answer.refused)
    return answer


def _require_lit(system: JackpotSystem, jackpot: str, table: str) -> None:
    """Refuse to resume a table whose display is dark, where it would be suspended again (19.7)."""
    versions = posted_terms([system]).get((system.pk, jackpot))
    gaming_table = GamingTable.objects.annotate(last_read=last_read()).get(
        system=system, code=table
    )
    read = gaming_table.last_read
    if not versions or versions[-1].terms.dark_minutes is None:
        return
    if not is_lit(read, timezone.now()):
        raise WrongState(
            _(
                "The display of this table reads nothing back (19.7): see that it is"
                " lit, then resume the table."
            )
        )


def propose_closing(
    system: JackpotSystem, user: Any, closing: TierClosing, *, key: uuid.UUID | None = None
) -> Proposal:
    """Propose to close a prize, for a second person to agree."""
    require(user, proposals.PERMISSIONS[KIND][0], system)
    body = {
        "jackpot": closing.jackpot,
        "tier": closing.tier,
        "reason": required_text(closing.reason, _("Enter a reason: it is kept in the record.")),
    }
    to_tier, to_account = closing.to_tier, closing.to_account or ""
    body |= {"to_tier": to_tier} if to_tier else {"to_account": to_account}
    waiting = open_closings(system).get(closing.tier)
    if waiting is not None and waiting.key != key:
        raise WrongState(_("This is proposed already: approve it, or withdraw it first."))
    refused = refusal(system, KIND, body, user.get_username())
    if refused:
        raise BadTerms(refused)
    return proposals.propose(system, KIND, closing.tier, body, user, key)


def open_closings(system: JackpotSystem) -> dict[str, Proposal]:
    """What is proposed to be closed, by tier."""
    closings = proposals.open_proposals().filter(system=system, kind=KIND)
    return {proposal.subject: proposal for proposal in closings}
