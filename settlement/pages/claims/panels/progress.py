"""The way of a claim: called, reported, verified, confirmed, paid; or where it ended before."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from jackpot.labels.claim_names import claim_name
from jackpot.models import Entry, Hit
from settlement.claims.status import OPEN, Standing
from settlement.models import Action, ProposalDecision
from settlement.pages.claims.panels.history import decided_by, versions_of
from settlement.people.rights.permissions import name_of

_ORDER = (*OPEN, Standing.CLOSED)
_NAMES = (
    gettext_noop("Called"),
    gettext_noop("Reported"),
    gettext_noop("Verified"),
    gettext_noop("Confirmed"),
    gettext_noop("Paid"),
)


def way(hit: Any, actions: Sequence[Action], entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """The steps for `partials/stepper.html`: name, state, who and when."""
    states = {
        "Called": (hit.table.name, hit.at),
        "Reported": _reported(hit, actions, entries),
        "Verified": _verified(hit, actions),
        "Confirmed": _decided(actions, entries, "confirm_claim"),
        "Paid": _decided(actions, entries, "pay"),
    }
    if hit.standing == Standing.REJECTED:
        stages = [name for name in _NAMES[:3] if states[name][1] is not None]
        who, at = _decided(actions, entries, "reject_claim")
        return [
            *(_step(name, "done", *states[name]) for name in stages),
            _step(gettext_noop("Rejected"), "failed", who, at),
        ]
    if hit.standing == Standing.OUTRANKED:
        stages = [name for name in _NAMES[:3] if states[name][1] is not None]
        return [
            *(_step(name, "done", *states[name]) for name in stages),
            _step(gettext_noop("Outranked"), "failed", _("A better hand won its period"), None),
        ]
    if hit.standing == Standing.REVERSED:
        stages = [name for name in _NAMES if states[name][1] is not None]
        return [
            *(_step(name, "done", *states[name]) for name in stages),
            _step(gettext_noop("Reversed"), "failed", *_reversed(hit, entries)),
        ]
    if hit.standing == Standing.WITHDRAWN:
        stages = [name for name in _NAMES[:2] if states[name][1] is not None]
        return [
            *(_step(name, "done", *states[name]) for name in stages),
            _step(gettext_noop("Withdrawn"), "failed", "", None),
        ]
    if hit.standing == Standing.PAIRED:
        stages = [name for name in _NAMES[:2] if states[name][1] is not None]
        of = _step(
            gettext_noop("Paired"), "done", claim_name(hit.system.code, hit.unit_pairing.same), None
        )
        return [*(_step(name, "done", *states[name]) for name in stages), of]
    reached = _ORDER.index(hit.standing)
    steps = []
    for place, name in enumerate(_NAMES):
        state = "done" if place <= reached else "current" if place == reached + 1 else "todo"
        words = states[name] if state == "done" else ("", None)
        steps.append(_step(name, state, *words))
    if hit.standing == Standing.CLOSED and not hit.confirmed:
        steps[-1] = _step(
            gettext_noop("Closed"), "done", _("Nothing was due"), states["Confirmed"][1]
        )
    return steps


def _step(name: str, state: str, who: str, at: dt.datetime | None) -> dict[str, Any]:
    return {"name": _(name), "state": state, "who": who, "at": at}


def _reported(
    hit: Hit, actions: Sequence[Action], entries: Sequence[Entry]
) -> tuple[str, dt.datetime | None]:
    """The version of the report that stands: by the unit, or by who amended it."""
    versions = versions_of(entries)
    newest = next((e for e in reversed(entries) if e.seq in versions), None)
    if newest is None:
        return "", None
    by = next((a for a in actions if a.command == newest.command), None) if newest.command else None
    return name_of(by.person) if by else hit.table.name, newest.at


def _verified(hit: Hit, actions: Sequence[Action]) -> tuple[str, dt.datetime | None]:
    for action in reversed(actions):
        if action.kind == Action.Kind.VERIFY and action.report_entry == hit.report_entry:
            return name_of(action.person), action.at
    return "", None


def _decided(
    actions: Sequence[Action], entries: Sequence[Entry], type_: str
) -> tuple[str, dt.datetime | None]:
    entry = decided_by(entries, type_)
    if entry is None:
        return "", None
    by = next((action for action in actions if action.command == entry.command), None)
    return name_of(by.person) if by else "", entry.at


def _reversed(hit: Hit, entries: Sequence[Entry]) -> tuple[str, dt.datetime | None]:
    entry = decided_by(entries, "reverse_claim")
    if entry is None:
        return "", None
    decisions = ProposalDecision.objects.filter(
        proposal__system=hit.system_id, proposal__kind=entry.type, command=entry.command
    )
    decision = decisions.select_related("person").first()
    return name_of(decision.person) if decision else "", entry.at
