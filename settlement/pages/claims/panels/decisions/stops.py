"""What a claim's page says of what stops it: what is open, and what this person may do."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _

from jackpot.domain.command_handlers.stops import KINDS
from jackpot.domain.state.verdicts import NO_VERDICT
from jackpot.hits.columns import Stop
from jackpot.hits.states import StopKind
from jackpot.models import Entry, Hit
from settlement.approvals.proposals import PERMISSIONS
from settlement.claims.decisions.stops import ENDING, MAY_OPEN, open_end
from settlement.core.words.translation import translated
from settlement.models import Action, Proposal
from settlement.pages.claims.panels.history import ActionRow
from settlement.pages.claims.queue.next_action import claim_names
from settlement.people.rights.permissions import name_of


def stops_context(
    hit: Hit,
    proposals: list[Proposal],
    actions: Iterable[Action],
    entries: Iterable[Entry],
    user: Any,
) -> dict[str, Any]:
    """For `console/claims/stop_alerts.html` and `console/claims/stops.html`."""
    by_command = {action.command: action for action in actions}
    opened = {
        entry.seq: by_command.get(entry.command) for entry in entries if entry.command is not None
    }
    return {
        "stops": [
            _row(stop, opened.get(stop.entry), proposals, user, hit.system.code)
            for stop in hit.open_stops
        ],
        "may_stop": [
            {"kind": kind, "key": uuid.uuid4()}
            for kind, permission in MAY_OPEN.items()
            if user.has_perm(f"settlement.{permission}")
        ],
    }


def _row(
    stop: Stop, action: Action | None, proposals: list[Proposal], user: Any, system: str
) -> dict[str, Any]:
    row = {"entry": stop.entry, "kind": stop.kind, "title": KINDS[stop.kind]}
    if stop.kind == StopKind.VERDICT:  # nobody ends it: a report that is judged does
        return {**row, "text": translated(NO_VERDICT.text)}
    first, second = PERMISSIONS[ENDING[stop.kind]]
    waiting = open_end(proposals, stop.entry)
    own = waiting is not None and waiting.person_id == user.pk
    may_propose = user.has_perm(f"settlement.{first}")
    return {
        **row,
        "others": claim_names(stop.others, system),
        "who": name_of(action.person) if action else "",
        "at": action.at if action else None,
        "reason": action.body["note"] if action else "",
        "waiting": waiting,
        "by": name_of(waiting.person) if waiting else "",
        "is_own": own,
        "may_propose": may_propose and waiting is None,
        "may_agree": waiting is not None and not own and user.has_perm(f"settlement.{second}"),
        "may_withdraw": waiting is not None and may_propose,
        "key": uuid.uuid4(),
    }


def question_rows(hit: Hit) -> list[ActionRow]:
    """When the fold itself stopped the claim, and why, for the history."""
    labels = {
        stop.entry: (
            _("put the order in question"),
            _("By the clocks, with claim %(named)s.")
            % {"named": claim_names(stop.others, hit.system.code)},
        )
        for stop in hit.all_stops
        if stop.kind == StopKind.ORDER
    }
    labels |= {
        stop.entry: (_("could not judge this hand"), _("Its rules fail on the report (19.20)."))
        for stop in hit.all_stops
        if stop.kind == StopKind.VERDICT
    }
    if not labels:
        return []
    entries = Entry.objects.filter(system=hit.system_id, seq__in=list(labels))
    return [
        ActionRow(
            who=_("The console"),
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
