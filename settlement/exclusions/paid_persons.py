"""Excluded persons who were paid before the console knew: an alarm, as nothing stops it now.

A list that comes after the payment, or an identification that does, is held against who was paid,
too. The guard refuses what comes before; what two people released is no fault.
"""

from __future__ import annotations

from django.db import connection

from settlement.core.words.house_alarms import HouseAlarm
from settlement.core.words.translation import in_english
from settlement.exclusions.stops import of_claims
from tables.alarms import raise_alarm
from tables.models import Alarm

ALARM = "excluded_person_paid"

# In force on the gaming day of a payment to the same seat, and released by nobody.
_PAID = """
    SELECT DISTINCT k.system_id, s.code, k.number, f.seat, f.match
    FROM settlement_exclusionmatch m
    JOIN settlement_identification i ON i.id = m.identification_id
    JOIN settlement_claim k ON k.id = i.claim_id
    JOIN tables_jackpotsystem s ON s.id = k.system_id
    JOIN tables_casino c ON c.id = s.casino_id
    JOIN settlement_exclusion x ON x.id = m.exclusion_id
    JOIN settlement_payout p ON p.claim_id = k.id AND p.seat = i.seat
    CROSS JOIN LATERAL (SELECT p.at AT TIME ZONE c.timezone AS at) AS local
    JOIN exclusions_in_force(k.id, i.seat) AS f ON f.match = m.id
    WHERE x.since <= local.at::date - (local.at::time < c.day_starts)::int
    ORDER BY f.match
"""


def raise_for_paid() -> None:
    """An alarm for each match of a seat that was paid, once: one that was cleared stays so."""
    with connection.cursor() as cursor:
        cursor.execute(_PAID)
        rows = cursor.fetchall()
    if not rows:
        return
    subjects = set(Alarm.objects.filter(kind=ALARM).values_list("subject", flat=True))
    stops = of_claims({(system, number) for system, _, number, _, _ in rows})
    with in_english():
        for system, code, number, seat, match in rows:
            name = f"{code.upper()}-{number}"
            subject = f"{name} seat {seat}, match {match}"
            entry = next(
                (each for each in stops[system, number][seat] if each.number == match), None
            )
            if subject in subjects or entry is None:
                continue
            raise_alarm(
                ALARM,
                subject,
                HouseAlarm.EXCLUDED_PAID % {"seat": seat, "claim": name, "match": entry.text},
                system_id=system,
            )
