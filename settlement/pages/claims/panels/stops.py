"""What a claim's page says of what stops it: what is open, and what this person may do."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Any

from jackpot.domain.command_handlers.stops import KINDS
from jackpot.domain.state.verdicts import NO_VERDICT, STOP
from jackpot.models import Entry, Hit
from settlement.approvals.proposals import PERMISSIONS
from settlement.claims.stops import ENDING, MAY_OPEN, open_end, open_stops
from settlement.models import Act, Proposal
from settlement.pages.claims.panels.history import ActRow
from settlement.pages.claims.queue.steps import named
from settlement.people.permissions import name_of


def stops_context(
    hit: Hit,
    proposals: list[Proposal],
    acts: Iterable[Act],
    entries: Iterable[Entry],
    user: Any,
) -> dict[str, Any]:
    """For `console/claims/stopped.html` and `console/claims/stops.html`."""
    by_command = {act.command: act for act in acts}
    opened = {
        entry.seq: by_command.get(entry.command) for entry in entries if entry.command is not None
    }
    return {
        "stops": [
            _row(stop, opened.get(stop["entry"]), proposals, user, hit.system.code)
            for stop in open_stops(hit)
        ],
        "may_stop": [
            {"kind": kind, "key": uuid.uuid4()}
            for kind, permission in MAY_OPEN.items()
            if user.has_perm(f"settlement.{permission}")
        ],
    }


def _row(
    stop: dict[str, Any], act: Act | None, proposals: list[Proposal], user: Any, system: str
) -> dict[str, Any]:
    if stop["kind"] == STOP:  # nobody ends it: a report that is judged does
        return {**stop, "title": KINDS[STOP], "text": NO_VERDICT.text}
    first, second = PERMISSIONS[ENDING[stop["kind"]]]
    waiting = open_end(proposals, stop["entry"])
    own = waiting is not None and waiting.person_id == user.pk
    may_propose = user.has_perm(f"settlement.{first}")
    return {
        **stop,
        "title": KINDS[stop["kind"]],
        "others": named(stop.get("with", ()), system),
        "who": name_of(act.person) if act else "",
        "at": act.at if act else None,
        "reason": act.body["note"] if act else "",
        "waiting": waiting,
        "by": name_of(waiting.person) if waiting else "",
        "is_own": own,
        "may_propose": may_propose and waiting is None,
        "may_agree": waiting is not None and not own and user.has_perm(f"settlement.{second}"),
        "may_withdraw": waiting is not None and may_propose,
        "key": uuid.uuid4(),
    }


def question_rows(hit: Hit) -> list[ActRow]:
    """When the fold itself stopped the claim, and why, for the history."""
    labels = {
        stop["entry"]: (
            "put the order in question",
            f"By the clocks, with claim {named(stop['with'], hit.system.code)}.",
        )
        for stop in hit.stops
        if stop["kind"] == "order"
    }
    labels |= {
        stop["entry"]: ("could not judge this hand", "Its rules fail on the report (19.20).")
        for stop in hit.stops
        if stop["kind"] == STOP
    }
    if not labels:
        return []
    entries = Entry.objects.filter(system=hit.system_id, seq__in=list(labels))
    return [
        ActRow(
            who="The console",
            what=labels[entry.seq][0],
            details=labels[entry.seq][1],
            at=entry.at,
            version=None,
            seq=entry.seq,
            refused="",
            queued=False,
        )
        for entry in entries
    ]
