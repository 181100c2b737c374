"""What two people skip: the event or command on which the fold failed takes its number and
moves nothing, and its system goes on.

The decision is a row; the writer carries it out, when it meets the element on which it halted.
"""

from __future__ import annotations

from typing import NamedTuple

from jackpot.labels.order_alarms import OrderAlarm
from jackpot.models import Head, SkipDecision
from tables.alarms import raise_alarm


class Skip(NamedTuple):
    """Who decided, by user names, and why."""

    first: str
    second: str
    reason: str


def decided(head: Head) -> Skip | None:
    """The decision on what this system halted on, if two people have taken one."""
    if head.halted_event is None and head.halted_command is None:
        return None
    decision = SkipDecision.objects.filter(
        system=head.system_id, event=head.halted_event, command=head.halted_command
    ).first()
    return None if decision is None else Skip(decision.first, decision.second, decision.reason)


def go_on(head: Head, skip: Skip, seq: int) -> None:
    """The element has its entry: the system is halted no longer, and an alarm stays."""
    subject = head.halted_on
    hand = ""
    if subject.startswith(("hand_called", "hand_reported")):
        hand = f" {OrderAlarm.NO_CLAIM}"
    raise_alarm(
        "set_aside",
        f"{head.system.code}: {subject}",
        OrderAlarm.SET_ASIDE
        % {
            "first": skip.first,
            "second": skip.second,
            "input": subject,
            "system": head.system.name,
            "reason": skip.reason,
            "entry": seq,
            "more": hand,
        },
        head.system,
    )
    Head.objects.filter(pk=head.pk).update(
        halted_at=None, halted_on="", halted_event=None, halted_command=None
    )
