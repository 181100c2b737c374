"""What the office does on the open day of `benchmarks.paid_claims`, by the console's services.

Pools adjusted, terms changed, incidents reported, prizes that nobody comes for: of each as many as
a busy month has at most, so that each report of them has rows.
"""

from itertools import cycle
from typing import Any

from benchmarks.paid_claims import HANDS, OpenDay, player

ADJUSTMENTS = 100
INCIDENTS = 100
TERMS_CHANGES = 50  # two fields each
UNCLAIMED = 100


def do_office_work(day: OpenDay) -> None:
    """All of it, in the order of a day."""
    adjust_pools(day)
    change_terms(day)
    report_incidents(day)
    leave_unclaimed(day)


def adjust_pools(day: OpenDay) -> None:
    """By joe and tom, in turns given to a pool and taken back from it."""
    from jackpot.models import Tier
    from jackpot.terms.money import MICROS
    from settlement.pools import adjustments
    from settlement.pools.adjustments import PoolAdjustment

    tiers = cycle(Tier.objects.filter(system=day.system).order_by("code"))
    for number in range(ADJUSTMENTS):
        amount = MICROS if number // 3 % 2 == 0 else -MICROS
        change = PoolAdjustment(next(tiers), "pool", "operator", amount, "A01", f"Sheet {number}")
        adjustments.agree(adjustments.propose(change, day.people["joe"]), day.confirmed("tom"))
        day.post()


def change_terms(day: OpenDay) -> None:
    """By joe and tom: another name, and another amount a round."""
    from benchmarks.seed_data import terms
    from settlement.terms import drafts

    for number in range(TERMS_CHANGES):
        document = terms()
        document["name"] = f"Benchmark Jackpot {number + 1}"
        document["tiers"][0]["increments"][0]["amount"] += 1_000 * (1 - number % 2)
        drafts.agree(drafts.propose(day.system, day.people["joe"], document), day.confirmed("tom"))
        day.post()


def report_incidents(day: OpenDay) -> None:
    """Of tables in turns; joe resolves half of them."""
    from django.utils import timezone

    from settlement.floor import incidents
    from settlement.floor.incidents import IncidentReport

    joe, tables = day.people["joe"], cycle(day.tables)
    for number in range(INCIDENTS):
        what = IncidentReport("handset", f"Incident {number}", timezone.now(), next(tables))
        incident = incidents.report(day.system, joe, what)
        if number % 2:
            incidents.resolve(incident, joe, "The unit was exchanged")


def leave_unclaimed(day: OpenDay) -> None:
    """Prizes that are confirmed and that nobody collects; tom books them."""
    from django.conf import settings

    from settlement.payments import services

    wait, settings.UNCLAIMED_AFTER_DAYS = settings.UNCLAIMED_AFTER_DAYS, 0
    try:
        tables, hands = cycle(day.tables), cycle(HANDS)
        for number in range(UNCLAIMED):
            claim: Any = day.win(next(tables), next(hands))
            day.confirm(claim, player(number))
            (line,) = day.hit(claim).payee_lines
            services.book_unclaimed(claim, day.people["tom"], line.line)
            day.post()
    finally:
        settings.UNCLAIMED_AFTER_DAYS = wait
