"""Invitations that wait for a second person, decided several at once: each by itself, so that one
refusal stops no other."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from settlement.core.errors import BadSetUp, RuleBroken, WrongState
from settlement.core.input import required_text
from settlement.models import Invitation, SetUpProposal
from settlement.people.rights.permissions import Reauthenticated, require
from settlement.people.staff.persons import first_casino, last_day
from settlement.set_up import proposals
from settlement.set_up.proposals import Kind
from settlement.signatures.signing import SignatureNeeded
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
    """Approve each as `proposals.agree` does; which were not, and why."""
    require(person.user, proposals.SECOND)
    return _each(waiting, lambda row: _agree(row, person))


def withdraw(waiting: Iterable[WaitingInvitation], by: Any, note: str) -> list[Refusal]:
    """Refuse each with the same note, as `proposals.withdraw` does; which were not, and why."""
    note = required_text(note, _("Enter why the proposal is withdrawn."))
    return _each(waiting, lambda row: proposals.withdraw(row, by, note))


def _agree(row: SetUpProposal, person: Reauthenticated) -> None:
    try:
        proposals.agree(row, person)
    except SignatureNeeded as needed:  # of one act: a passkey signs each by itself
        raise WrongState(
            _("You sign this one with your passkey: approve it by itself.")
        ) from needed


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
