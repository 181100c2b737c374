"""Recording what a person does to a claim: under its lock, once for each form, with its command."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from jackpot.domain.command_handlers import stops
from jackpot.models import Hit
from jackpot.writer import commands
from settlement.core import guards
from settlement.core.errors import (
    USED,
    Declined,
    KeyUsed,
    Stopped,
)
from settlement.models import Action, Claim
from settlement.people.rights import staff_play
from settlement.signatures import acts, policy, signing


@contextmanager
def locked(claim: Claim) -> Iterator[None]:
    """A transaction that holds the claim's row: two people at once act one after the other."""
    with guards.in_words():
        Claim.objects.select_for_update().get(pk=claim.pk)
        yield


def stopped_by(hit: Hit) -> str:
    """Why nothing of the claim is confirmed or paid now, as the fold says it; else empty."""
    return stops.stopped_by(hit.stops)


def require_no_stop(hit: Hit) -> None:
    """Raise Stopped where a dispute or a regulator's hold is open."""
    if why := stopped_by(hit):
        raise Stopped(why)


def already_done(
    claim: Claim, kind: str, user: Any, key: uuid.UUID | None, **body: Any
) -> Action | None:
    """The action that this key was used for: a second click answers for the first.

    None where it is to be done now; OwnHand where this person may not; KeyUsed where the key was
    used for something else, or for the same but not as `body`, parts of the action's body.
    """
    action = Action.objects.filter(key=key).first() if key else None
    if action is None:
        staff_play.require_apart(claim, user)
        return None
    is_it = (action.claim_id, action.kind, action.person_id) == (claim.pk, kind, user.pk)
    if not is_it or any(action.body.get(name) != value for name, value in body.items()):
        raise KeyUsed(USED)
    return action


def queue(
    claim: Claim, kind: str, body: dict[str, Any], first: Any, second: Any | None = None
) -> int:
    """Queue the command that an action carries; its number."""
    return commands.queue(
        claim.system,
        kind,
        body,
        first=first.get_username(),
        second=second.get_username() if second is not None else None,
    )


@dataclass(frozen=True, slots=True)
class Decision:
    """What somebody decides on a claim, and the number of the command that carries it out."""

    kind: str
    body: dict[str, Any]
    command: int | None = None


def record(claim: Claim, hit: Hit, user: Any, decision: Decision, key: uuid.UUID | None) -> Action:
    """Record who did what, signed where the house wants it. The database judges once more that the
    people differ (0012)."""
    key = key or uuid.uuid4()
    pen = signing.NO_PEN
    if decision.kind in policy.SIGNED:
        pen = signing.take_up(
            user,
            acts.on_claim(claim, decision.kind, user, hit.report_entry, decision.body, key),
            lambda: policy.is_asked_of_action(claim, decision.kind, decision.body),
        )
    with guards.in_words():
        action = Action.objects.create(
            claim=claim,
            kind=decision.kind,
            person=user,
            report_entry=hit.report_entry,
            command=decision.command,
            body=decision.body,
            key=key,
        )
    pen.sign("settlement_action", action.pk)
    return action


def answer_of(claim: Claim, action: Action, timeout_s: float | None = None) -> commands.Answer:
    """The writer's answer; Declined if it judged otherwise at the command's place."""
    if action.command is None:
        raise ValueError(f"action {action.pk} queued no command")
    answer = commands.wait(claim.system, action.command, timeout_s)
    if answer.refused:
        raise Declined(answer.refused)
    return answer
