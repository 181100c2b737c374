"""The way of a claim: called, reported, verified, confirmed, paid; or where it ended before."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from jackpot.claim_names import claim_name
from jackpot.models import Entry, Hit
from settlement.models import Act, ProposalDecision
from settlement.pages.claims.panels.history import decided_by, versions_of
from settlement.people.permissions import name_of

_ORDER = ("called", "reported", "verified", "confirmed", "closed")
_NAMES = ("Called", "Reported", "Verified", "Confirmed", "Paid")


def way(hit: Any, acts: Sequence[Act], entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """The steps for `partials/stepper.html`: name, state, who and when."""
    known = {
        "Called": (hit.table.name, hit.at),
        "Reported": _reported(hit, acts, entries),
        "Verified": _verified(hit, acts),
        "Confirmed": _decided(acts, entries, "confirm_claim"),
        "Paid": _decided(acts, entries, "pay"),
    }
    if hit.standing == "rejected":
        stages = [name for name in _NAMES[:3] if known[name][1] is not None]
        who, at = _decided(acts, entries, "reject_claim")
        return [
            *(_step(name, "done", *known[name]) for name in stages),
            _step("Rejected", "failed", who, at),
        ]
    if hit.standing == "outranked":
        stages = [name for name in _NAMES[:3] if known[name][1] is not None]
        return [
            *(_step(name, "done", *known[name]) for name in stages),
            _step("Outranked", "failed", "A better hand won its period", None),
        ]
    if hit.standing == "reversed":
        stages = [name for name in _NAMES if known[name][1] is not None]
        return [
            *(_step(name, "done", *known[name]) for name in stages),
            _step("Reversed", "failed", *_reversed(hit, entries)),
        ]
    if hit.standing == "withdrawn":
        stages = [name for name in _NAMES[:2] if known[name][1] is not None]
        return [
            *(_step(name, "done", *known[name]) for name in stages),
            _step("Withdrawn", "failed", "", None),
        ]
    if hit.standing == "paired":
        stages = [name for name in _NAMES[:2] if known[name][1] is not None]
        of = _step("Paired", "done", claim_name(hit.system.code, hit.pairing["same"]), None)
        return [*(_step(name, "done", *known[name]) for name in stages), of]
    reached = _ORDER.index(hit.standing)
    steps = []
    for place, name in enumerate(_NAMES):
        state = "done" if place <= reached else "current" if place == reached + 1 else "todo"
        shown = known[name] if state == "done" else ("", None)
        steps.append(_step(name, state, *shown))
    if hit.standing == "closed" and not hit.confirmed:
        steps[-1] = _step("Closed", "done", "Nothing was due", known["Confirmed"][1])
    return steps


def _step(name: str, state: str, who: str, at: dt.datetime | None) -> dict[str, Any]:
    return {"name": name, "state": state, "who": who, "at": at}


def _reported(
    hit: Hit, acts: Sequence[Act], entries: Sequence[Entry]
) -> tuple[str, dt.datetime | None]:
    """The version of the report that stands: by the unit, or by who amended it."""
    versions = versions_of(entries)
    newest = next((e for e in reversed(entries) if e.seq in versions), None)
    if newest is None:
        return "", None
    by = next((a for a in acts if a.command == newest.command), None) if newest.command else None
    return name_of(by.person) if by else hit.table.name, newest.at


def _verified(hit: Hit, acts: Sequence[Act]) -> tuple[str, dt.datetime | None]:
    for act in reversed(acts):
        if act.kind == Act.Kind.VERIFY and act.report_entry == hit.report_entry:
            return name_of(act.person), act.at
    return "", None


def _decided(
    acts: Sequence[Act], entries: Sequence[Entry], type_: str
) -> tuple[str, dt.datetime | None]:
    entry = decided_by(entries, type_)
    if entry is None:
        return "", None
    by = next((act for act in acts if act.command == entry.command), None)
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
