"""The word to the writer that a period of a high hand has ended, whether anybody plays or not."""

from __future__ import annotations

from django.db import connection, transaction
from django.utils import timezone

from jackpot.display.values import in_effect
from jackpot.models import Head, PeriodCall, Tier
from jackpot.terms.periods import GamingDay, ended


def call_periods() -> int:
    """Call for the tiers that have a period to close; how many. Safe to run twice.

    The writer closes whatever is over by then, each period at its own boundary: one call is enough
    after any outage.
    """
    now, calls = timezone.now(), []
    heads = dict(Head.objects.values_list("system_id", "terms_number"))
    for tier in Tier.objects.filter(period_from__isnull=False).select_related("system__casino"):
        began = {tier.code: tier.period_from} if tier.period_from is not None else {}
        terms = in_effect(tier.system_id, heads[tier.system_id])
        if over := ended(began, terms, GamingDay.of(tier.system.casino), now):
            calls.append(PeriodCall(tier=tier, ends=over[-1].ends))
    if calls:
        with transaction.atomic():
            PeriodCall.objects.bulk_create(
                calls, update_conflicts=True, unique_fields=["tier"], update_fields=["ends"]
            )
            with connection.cursor() as cursor:
                cursor.execute("NOTIFY jackpot_inbox")
    return len(calls)
