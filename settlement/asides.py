"""Setting aside what halted a system: one person proposes, a second one agrees.

Only for a fault of the program that cannot wait for its fix. The element takes its number in the
order and moves nothing; the writer carries it out (`jackpot.asides`), and an alarm stays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction

from jackpot.models import Head, SetAside
from settlement.errors import BadReason, SamePerson, WrongState
from settlement.models import AsideProposal
from settlement.people import Reauthenticated, require
from tables.models import JackpotSystem

LONGEST_REASON = 500


@dataclass(frozen=True, slots=True)
class Halt:
    """What a system halted on, and how far two people are with setting it aside."""

    head: Head
    proposal: AsideProposal | None
    agreed: bool

    @property
    def can_be_set_aside(self) -> bool:
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
    named = {"event": head.halted_event, "command": head.halted_command}
    if named["event"] is None and named["command"] is None:
        return Halt(head, None, False)
    proposal = AsideProposal.objects.filter(system=system, **named).select_related("person").last()
    return Halt(head, proposal, SetAside.objects.filter(system=system, **named).exists())


def propose(system: JackpotSystem, user: Any, reason: str) -> AsideProposal:
    """Propose to set aside what the system halted on; nothing happens before a second person."""
    require(user, "propose_aside")
    reason = reason.replace("\x00", "").strip()[:LONGEST_REASON]
    if not reason:
        raise BadReason("Say why it cannot wait for a fix, and who was asked.")
    halt = _open(system)
    return AsideProposal.objects.create(
        system=system,
        event=halt.head.halted_event,
        command=halt.head.halted_command,
        reason=reason,
        person=user,
    )


def agree(system: JackpotSystem, person: Reauthenticated) -> SetAside:
    """A second person agrees to the newest proposal; the writer then goes on."""
    user = person.user
    require(user, "second_aside")
    halt = _open(system)
    if halt.proposal is None:
        raise WrongState("Nobody has proposed to set this aside.")
    if halt.proposal.person_id == user.pk:
        raise SamePerson("You proposed to set this aside: somebody else must agree.")
    try:
        with transaction.atomic():
            return SetAside.objects.create(
                system=system,
                event_id=halt.proposal.event,
                command=halt.proposal.command,
                reason=halt.proposal.reason,
                first=halt.proposal.person.get_username(),
                second=user.get_username(),
            )
    except IntegrityError as error:
        if "two_people" in str(error):
            raise SamePerson("This takes two different people who may still log in.") from error
        raise WrongState("Somebody has just decided on this: load the page again.") from error


def _open(system: JackpotSystem) -> Halt:
    halt = halt_of(system)
    if halt is None:
        raise WrongState(f"{system.name} is not halted: there is nothing to set aside.")
    if not halt.can_be_set_aside:
        raise WrongState(
            "This halt names no single event or command, so nothing can be set aside:"
            " call technical support."
        )
    if halt.agreed:
        raise WrongState("Two people have set it aside already: the system goes on in a moment.")
    return halt
