"""The overview: what needs somebody now, the pools, and how the floor is."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from itertools import groupby
from typing import Any, cast

from django.db.models import QuerySet, Value
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from jackpot.web.rehearsal_address import inside
from settlement.approvals.proposal_labels import subjects
from settlement.approvals.proposals import PERMISSIONS, open_proposals
from settlement.claims.status import open_hits, stopped_or_corrected, urgent_first
from settlement.core.words.labels import clock_words
from settlement.floor import held_rounds, incidents, missed_rounds, rulings
from settlement.floor.dark_displays import dark_displays
from settlement.floor.open_alarms import NAMES, open_kinds
from settlement.floor.suspensions import Suspension, suspensions
from settlement.models import Proposal, Reconciliation
from settlement.pages.approvals.proposals import address_of
from settlement.pages.claims.queue.rows import claim_rows
from settlement.pages.shared.decorators import opens_for
from settlement.people.rights import staff_play
from settlement.people.rights.permissions import name_of
from settlement.people.rights.roles import held
from settlement.pools.status import Pool, PoolStatus, pool_statuses
from settlement.set_up.rehearsal_steps import rehearsals
from tables.floor.tables_in_test import tables_in_test
from tables.floor.unit_clocks import wrong_clocks
from tables.intake.presence import silent_tables
from tables.models import Casino, JackpotSystem, Quarantine
from tables.visibility.rehearsals import rehearses

CLAIMS_SHOWN = 50
PROPOSALS_SHOWN = 20
QUARANTINE_OF = dt.timedelta(hours=24)


@require_safe
@opens_for("view_claim", "set_up_casino")
def overview(request: HttpRequest) -> HttpResponse:
    """What needs me now; an administrator, who reads no claims, comes to the set-up."""
    user = cast(Any, request.user)
    if not user.has_perm("settlement.view_claim"):
        return redirect("set-up")
    context = {**overview_context(user), **_rehearsals(user)}
    return render(request, "console/floor/overview.html", context)


@require_safe
@opens_for("view_claim")
def open_alarms(request: HttpRequest) -> HttpResponse:
    """The alarms of the overview alone, for one that heard of nothing but an alarm.

    All open pages ask at once: nothing is asked that stands round the page alone.
    """
    context = {**_alarms(cast(Any, request.user)), "csrf_token": get_token(request)}
    return HttpResponse(render_to_string("partials/alarms.html", context))


def overview_context(user: Any) -> dict[str, Any]:
    """All that the overview shows, for this person."""
    now = timezone.now()
    floors = pool_statuses()
    systems = [standing.system for standing in floors]
    testing = tables_in_test([system.pk for system in systems])
    to_look_at = list(stopped_or_corrected()[:CLAIMS_SHOWN])
    waiting = list(urgent_first(open_hits())[:CLAIMS_SHOWN])
    # One reading for all of them.
    rows = claim_rows([*to_look_at, *waiting], user)
    looked_at = list(zip(to_look_at, rows, strict=False))
    rows = rows[len(to_look_at) :]
    proposed = list(open_proposals()[:PROPOSALS_SHOWN])
    proposed.sort(key=lambda proposal: not _may_decide(proposal, user))
    about = subjects(proposed)
    return {
        "proposals": [
            {
                "proposal": proposal,
                "address": address_of(proposal),
                "who": name_of(proposal.person),
                "about": about[proposal.pk],
                "is_mine": _may_decide(proposal, user),
            }
            for proposal in proposed
        ],
        "stopped": [row for hit, row in looked_at if hit.open_stops],
        "corrected": [row for hit, row in looked_at if hit.is_corrected],
        "mine": [row for row in rows if row.next_step],
        "others": [row for row in rows if not row.next_step],
        "floors": [{"system": floor.system, "tiles": tiles(floor)} for floor in floors],
        "suspended": _suspended(floors),
        "halted": [floor for floor in floors if floor.head and floor.head.halted_at],
        **_alarms(user),
        "silent": sorted(
            silent_tables(now), key=lambda table: (table.system.name, len(table.code), table.code)
        ),
        "testing": [(system, testing[system.pk]) for system in systems if system.pk in testing],
        "dark": dark_displays(now),
        "wrong_clocks": [(table, clock_words(off)) for table, off in wrong_clocks(now)],
        "requests": rulings.open_request_count(*rulings.ON_ROUNDS),
        **_waiting(),
        "quarantined": Quarantine.objects.filter(received_at__gte=now - QUARANTINE_OF).count(),
        **_reconciled(systems),
    }


def _alarms(user: Any) -> dict[str, Any]:
    kinds = open_kinds(NAMES)
    return {
        "kinds": kinds,
        "alarm_count": sum(kind.count for kind in kinds),
        "may_clear": user.has_perm("settlement.clear_alarm"),
    }


def _rehearsals(user: Any) -> dict[str, Any]:
    """Those that go on or are in use, and the way inside; no query where there never was one."""
    if rehearses() or not held(user).rehearsals:
        return {}
    all_rehearsals = rehearsals(Casino.objects.all())
    return {
        "rehearsals": [each for each in all_rehearsals if not each.is_passed or each.is_in_use],
        "inside": inside(reverse("home")),
    }


def _may_decide(proposal: Proposal, user: Any) -> bool:
    """Whether this person can be the second one, by their role."""
    is_own = proposal.person_id == user.pk
    return not is_own and bool(user.has_perm(f"settlement.{PERMISSIONS[proposal.kind][1]}"))


def _waiting() -> dict[str, int]:
    """How much waits for somebody on pages of its own, by one query."""
    queues: dict[str, QuerySet[Any]] = {
        "to_countersign": missed_rounds.to_countersign(),
        "second_words": staff_play.waiting(),
        "open_incidents": incidents.open_incidents(),
        "held_tables": held_rounds.tables(),
    }
    first, *others = (rows.order_by().values_list(Value(name)) for name, rows in queues.items())
    counted = Counter(name for (name,) in first.union(*others, all=True))
    return {name: counted[name] for name in queues}


def _suspended(floors: list[PoolStatus]) -> list[tuple[str, list[Suspension]]]:
    """Of each jackpot the tables that do not take part at present, by name and one by one."""
    rows = suspensions(
        floor.system
        for floor in floors
        if any(jackpot.posted.terms.suspended_tables for jackpot in floor.jackpots)
    )
    groups = [list(each) for _, each in groupby(rows, lambda s: (s.system.pk, s.jackpot.code))]
    return [(", ".join(row.table.name for row in group), group) for group in groups]


def tiles(floor: PoolStatus) -> list[dict[str, Any]]:
    """The pools of a system for `partials/pool_tile.html`."""
    halted = bool(floor.head and floor.head.halted_at)
    return [
        _tile(pool, "halted" if halted else pool.state)
        for jackpot in floor.jackpots
        for pool in jackpot.pools
        if pool.is_posted
    ]


def _tile(pool: Pool, state: str) -> dict[str, Any]:
    return {
        "system": pool.system.code,
        "tier": pool.tier.code,
        "jackpot_name": pool.posted.terms.name,
        "tier_name": pool.name,
        "state": state,
        "address": reverse("pool", args=[pool.system.code, pool.tier.code]),
        "value_micros": pool.value,
        "held_micros": pool.held,
        "reset_micros": pool.terms.reset,
    }


def _reconciled(systems: list[JackpotSystem]) -> dict[str, Any]:
    """The newest reconciliation of each system; the oldest of them says how current all are."""
    newest = {
        run.system_id: run
        for run in Reconciliation.objects.order_by("system", "-id").distinct("system")
    }
    return {
        "unbalanced": [
            (system, newest[system.pk])
            for system in systems
            if system.pk in newest and newest[system.pk].differences
        ],
        "reconciled_at": min((run.at for run in newest.values()), default=None),
        "unreconciled": [system for system in systems if system.pk not in newest],
    }
