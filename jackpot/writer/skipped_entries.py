"""What two people skip: the event or command on which the fold failed takes its number and
moves nothing, and its system goes on.

The decision is a row; the writer carries it out, when it meets the element on which it halted.
"""

from __future__ import annotations

from typing import NamedTuple

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
    named = head.halted_on
    hand = ""
    if named.startswith(("hand_called", "hand_reported")):
        hand = (
            " It was a hand: NO CLAIM WAS OPENED and nothing is held for it. Have the dealer"
            " report the hand anew; its place is then that of the new report."
        )
    raise_alarm(
        "set_aside",
        f"{head.system.code}: {named}",
        f"{skip.first} and {skip.second} set aside {named}, on which posting of"
        f" {head.system.name} had stopped: {skip.reason}. It is entry {seq} and moved nothing."
        f"{hand} Make good by hand what it would have done, then clear this alarm.",
        head.system,
    )
    Head.objects.filter(pk=head.pk).update(
        halted_at=None, halted_on="", halted_event=None, halted_command=None
    )
