"""Skipping what halted a system: one person proposes, a second one agrees.

Only for a fault of the program that cannot wait for its fix. The element takes its number in the
order and moves nothing; the writer carries it out (`jackpot.writer.skipped_entries`), an alarm
stays, and an incident is open until somebody says how it was made good.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from jackpot.models import Head, SkipDecision
from settlement.core import guards
from settlement.core.errors import SamePerson, WrongState
from settlement.core.input import required_text
from settlement.floor.incidents import LONGEST_NOTE
from settlement.models import Incident, SkipProposal
from settlement.people.rights.permissions import Reauthenticated, require
from tables.models import JackpotSystem, TableEvent


@dataclass(frozen=True, slots=True)
class Halt:
    """What a system halted on, and how far two people are with skipping it."""

    head: Head
    proposal: SkipProposal | None
    agreed: bool

    @property
    def can_be_skipped(self) -> bool:
        """Whether the halt names one event or command."""
        return self.head.halted_event is not None or self.head.halted_command is not None

    @property
    def is_hand(self) -> bool:
        return self.head.halted_on.startswith(("hand_called", "hand_reported"))


def halt_of(system: JackpotSystem) -> Halt | None:
    """The halt of a system; None while it posts."""
    head = Head.objects.filter(system=system, halted_at__isnull=False).first()
    if head is None:
        return None
    keys = {"event": head.halted_event, "command": head.halted_command}
    if keys["event"] is None and keys["command"] is None:
        return Halt(head, None, False)
    proposal = SkipProposal.objects.filter(system=system, **keys).select_related("person").last()
    return Halt(head, proposal, SkipDecision.objects.filter(system=system, **keys).exists())


def propose(system: JackpotSystem, user: Any, reason: str) -> SkipProposal:
    """Propose to skip what the system halted on; nothing happens before a second person."""
    require(user, "propose_aside", system)
    reason = required_text(reason, _("Enter why it cannot wait for a fix, and who was asked."))
    halt = _open(system)
    with guards.in_words():
        return SkipProposal.objects.create(
            system=system,
            event=halt.head.halted_event,
            command=halt.head.halted_command,
            reason=reason,
            person=user,
        )


def agree(system: JackpotSystem, person: Reauthenticated) -> SkipDecision:
    """A second person agrees to the newest proposal; the writer then goes on."""
    user = person.user
    require(user, "second_aside", system)
    halt = _open(system)
    if halt.proposal is None:
        raise WrongState(_("Nobody has proposed to skip this."))
    if halt.proposal.person_id == user.pk:
        raise SamePerson(_("You proposed to skip this: somebody else must approve it."))
    with guards.in_words():
        decided = _decide(halt.proposal, user)
        _open_incident(halt.head, decided, user)
        return decided


def _decide(proposal: SkipProposal, user: Any) -> SkipDecision:
    return SkipDecision.objects.create(
        system=proposal.system,
        event_id=proposal.event,
        command=proposal.command,
        reason=proposal.reason,
        first=proposal.person.get_username(),
        second=user.get_username(),
    )


def _open_incident(head: Head, decided: SkipDecision, user: Any) -> None:
    """A skipped entry moves nothing: that it is made good shows in an incident (19.20)."""
    event = TableEvent.objects.filter(pk=head.halted_event or 0).first()
    who = f"{decided.first} and {decided.second}"
    note = f"{who} skipped {head.halted_on}: {decided.reason}"  # stored: English, for everybody
    Incident.objects.create(
        system_id=head.system_id,
        table_id=event.table_id if event is not None else None,
        kind=Incident.Kind.SYSTEM_HALT,
        happened_at=head.halted_at or timezone.now(),
        note=note[:LONGEST_NOTE],
        person=user,
        key=uuid.uuid4(),
    )


def _open(system: JackpotSystem) -> Halt:
    halt = halt_of(system)
    if halt is None:
        raise WrongState(
            _("%(system_name)s is not halted: there is nothing to skip.")
            % {"system_name": system.name}
        )
    if not halt.can_be_skipped:
        raise WrongState(
            _(
                "This halt names no single event or command, so nothing can be skipped: call"
                " technical support."
            )
        )
    if halt.agreed:
        raise WrongState(
            _("Two people have skipped it already: the system posts again in a moment.")
        )
    return halt
