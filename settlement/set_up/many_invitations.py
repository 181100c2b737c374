"""Invitations that wait for a second person, decided several at once: each by itself, so that one
refusal stops no other. One signature stands behind all of them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from settlement.core.errors import BadSetUp, RuleBroken
from settlement.core.input import required_text
from settlement.models import Invitation, SetUpProposal
from settlement.people.rights.permissions import Reauthenticated, require
from settlement.people.staff.persons import first_casino, last_day
from settlement.set_up import proposals
from settlement.set_up.proposals import Kind
from settlement.signatures import acts, policy, signing
from tables.models import Casino

MOST = 100  # as many as a list of invitations has lines, and as the page shows


@dataclass(frozen=True)
class WaitingInvitation:
    """An invitation and the proposal of it."""

    proposal: SetUpProposal
    invitation: Invitation
    first_casino: Casino | None
    """In whose zone days of a role in every casino are."""

    @property
    def words(self) -> str:
        return proposals.invitation_in_words(self.invitation, self.proposal.casino)

    @property
    def way(self) -> str:
        """Who gets the link, in words."""
        return proposals.way_of(self.invitation)

    @property
    def last_day(self) -> dt.date | None:
        return last_day(self.invitation.until, self.proposal.casino or self.first_casino)


@dataclass(frozen=True)
class Refusal:
    """An invitation that was not decided, and why."""

    waiting: WaitingInvitation
    fault: RuleBroken


def waiting_invitations() -> list[WaitingInvitation]:
    """Those that nobody decided on, the oldest first."""
    rows = list(proposals.open_proposals().filter(kind=Kind.INVITE).order_by("pk"))
    numbers = [row.body["invitation"] for row in rows]
    invitations = Invitation.objects.select_related("role", "casino").in_bulk(numbers)
    first = first_casino()
    return [WaitingInvitation(row, invitations[row.body["invitation"]], first) for row in rows]


def among(numbers: Iterable[int]) -> list[WaitingInvitation]:
    """Those whose proposals have these numbers; who has decided on one meanwhile took it away.

    BadSetUp where none is left, or there are more than `MOST`.
    """
    chosen = set(numbers)
    if len(chosen) > MOST:
        raise BadSetUp(_("Choose at most %(most)s at once.") % {"most": MOST})
    rows = waiting_among(chosen)
    if not rows:
        raise BadSetUp(_("Choose at least one invitation that waits."))
    return rows


def waiting_among(numbers: Collection[int]) -> list[WaitingInvitation]:
    """Those of these proposals that wait."""
    return [each for each in waiting_invitations() if each.proposal.pk in numbers]


def approve(waiting: Iterable[WaitingInvitation], person: Reauthenticated) -> list[Refusal]:
    """Approve each as `proposals.agree` does; which were not, and why.

    Where the house wants any signed, one signature stands behind all (SignatureNeeded).
    """
    user, rows = person.user, [each.proposal for each in waiting]
    require(user, proposals.SECOND)
    needed = [acts.on_set_up(row, user) for row in rows]
    by_casino = {row.casino_id: row for row in rows}
    signing.ask_for_all(
        user, needed, lambda: any(map(policy.is_asked_of_set_up, by_casino.values()))
    )
    return _each(waiting, lambda row: proposals.agree(row, person))


def withdraw(waiting: Iterable[WaitingInvitation], by: Any, note: str) -> list[Refusal]:
    """Refuse each with the same note, as `proposals.withdraw` does; which were not, and why."""
    note = required_text(note, _("Enter why the proposal is withdrawn."))
    return _each(waiting, lambda row: proposals.withdraw(row, by, note))


def _each(
    waiting: Iterable[WaitingInvitation], decide: Callable[[SetUpProposal], None]
) -> list[Refusal]:
    refusals = []
    for each in waiting:
        try:
            decide(each.proposal)
        except RuleBroken as fault:
            refusals.append(Refusal(each, fault))
    return refusals
