"""What no row says by itself, found again and again and written down once."""

from __future__ import annotations

import datetime as dt

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from jackpot.hits.states import UNPAID, HitState
from jackpot.models import Hit
from settlement.claims.status import IS_STOPPED
from settlement.events.kinds import EXPORTED, LATE, SILENT, UNPAID_LATE
from settlement.events.sources import claim
from settlement.models import Action, Claim, Occasion, Proposal, ProposalDecision, ReportExport
from settlement.set_up.escalation import PAYS, Level, levels_of
from tables.intake.presence import silent_tables

_RECENT = dt.timedelta(days=1)  # of files: a worker that was away longer tells of no older ones


def watch() -> None:
    """Note claims that wait too long, also for the cage, units that are silent, reports ready."""
    now = timezone.now()
    rows = [*_late_claims(now), *_unpaid_claims(now), *_silent_units(now), *_exports(now)]
    Occasion.objects.bulk_create(rows, ignore_conflicts=True)


def _late_claims(now: dt.datetime) -> list[Occasion]:
    """Each claim at each level of its casino's policy that it has reached.

    A claim that is stopped waits for nobody on the floor, nor does a hand whose period runs. One
    whose rejection was reversed waits from then on.
    """
    awaited = Hit.objects.filter(~IS_STOPPED, state=HitState.HELD)
    awaited = awaited.exclude(Q(strength__isnull=False, closing=None))
    numbers = set(awaited.values_list("system", "number"))
    rows = Claim.objects.filter(
        system__in={system for system, _number in numbers},
        number__in={number for _system, number in numbers},
    )
    open_again = _open_again({system for system, _number in numbers})
    policies: dict[int, list[Level]] = {}
    occasions: list[Occasion] = []
    for row in rows.select_related("system__casino"):
        casino = row.system.casino
        if casino.pk not in policies:
            levels = levels_of(casino)
            policies[casino.pk] = [each for each in levels if each.permission != PAYS]
        again_at = open_again.get((row.system_id, str(row.number)))
        since = again_at or row.opened_at
        if (row.system_id, row.number) in numbers:
            reached = (level for level in policies[casino.pk] if since <= now - level.wait)
            occasions += [_late(row, level, again_at) for level in reached]
    return occasions


def _open_again(systems: set[int]) -> dict[tuple[int, str], dt.datetime]:
    """By system and claim: when two people last reversed its rejection."""
    reversals = ProposalDecision.objects.filter(
        proposal__system__in=systems,
        proposal__kind=Proposal.Kind.REVERSE_REJECTION,
        agreed=True,
    )
    rows = reversals.values_list("proposal__system", "proposal__subject", "at")
    return {(system, number): at for system, number, at in rows.order_by("at")}


def _late(row: Claim, level: Level, again_at: dt.datetime | None) -> Occasion:
    about = claim(row.system, row.number)
    data = {**about, "minutes": level.minutes, "permission": level.permission}
    key = f"late {row.system.code}-{row.number} {level.minutes} {level.permission}"
    if again_at is not None:
        key += f" {again_at.timestamp():.0f}"
    return Occasion(kind=LATE, key=key, system=row.system, data=data)


def _unpaid_claims(now: dt.datetime) -> list[Occasion]:
    """Each claim of which something is due at the cage, at each level that it has reached.

    What is withheld or booked as unclaimed waits for nobody at the cage, nor does a claim that is
    stopped. A supplement waits from its own confirmation on.
    """
    rows = Hit.objects.filter(~IS_STOPPED, state=HitState.CONFIRMED)
    awaited = {
        (row.system_id, row.number)
        for row in rows
        if any(line.rest and line.state in UNPAID for line in row.payee_lines)
    }
    if not awaited:
        return []
    confirmations = Action.objects.filter(
        kind=Action.Kind.CONFIRM,
        claim__system__in={system for system, _number in awaited},
        claim__number__in={number for _system, number in awaited},
    )
    newest = {
        (row.claim.system_id, row.claim.number): row
        for row in confirmations.select_related("claim__system__casino").order_by("pk")
    }
    policies: dict[int, list[Level]] = {}
    occasions: list[Occasion] = []
    for place, row in newest.items():
        casino = row.claim.system.casino
        if casino.pk not in policies:
            policies[casino.pk] = [each for each in levels_of(casino) if each.permission == PAYS]
        if place in awaited:
            reached = (level for level in policies[casino.pk] if row.at <= now - level.wait)
            occasions += [_unpaid(row, level) for level in reached]
    return occasions


def _unpaid(row: Action, level: Level) -> Occasion:
    system, number = row.claim.system, row.claim.number
    data = {**claim(system, number), "minutes": level.minutes}
    key = f"unpaid {system.code}-{number} {level.minutes} {row.pk}"
    return Occasion(kind=UNPAID_LATE, key=key, system=system, data=data)


def _silent_units(now: dt.datetime) -> list[Occasion]:
    """Once for each time that a unit falls silent: by when it was heard last."""
    oldest = now - dt.timedelta(seconds=settings.UNIT_SILENT_AFTER_S)
    return [
        Occasion(
            kind=SILENT,
            key=f"silent {table.pk} {table.presence.heard_at.isoformat()}",
            system=table.system,
            data={"system": table.system.code, "table": table.code},
        )
        for table in silent_tables(now)
        if hasattr(table, "presence") and table.presence.heard_at <= oldest
    ]


def _exports(now: dt.datetime) -> list[Occasion]:
    """Files that a person asked for; those of a schedule are delivered."""
    rows = ReportExport.objects.filter(
        state=ReportExport.State.READY, schedule=None, ended_at__gt=now - _RECENT
    )
    return [
        Occasion(
            kind=EXPORTED,
            key=f"export {export.pk} {export.attempts}",
            person_id=export.person_id,
            data={"export": export.pk},
        )
        for export in rows
    ]
