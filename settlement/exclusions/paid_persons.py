"""Excluded persons who were paid before the console knew: an alarm, as nothing stops it now.

A list that comes after the payment, an identification, or the statement of two people that the
payee is the same player as somebody who is on a list, is held against who was paid, too. The guard
refuses what comes before; what two people released is no fault.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db import connection

from settlement.core.words.house_alarms import HouseAlarm
from settlement.core.words.translation import in_english
from settlement.exclusions.stops import of_claims
from tables.alarms import raise_alarm
from tables.models import Alarm

ALARM = "excluded_person_paid"

# Places of a player, or of somebody who shares what a seat won: seats of claims on which an entry
# in force was found of somebody who was identified there, and seats of whoever two people stated to
# be a player under two numbers.
# Of those, what was in force on the gaming day of a payment and was released by nobody; `known`:
# the claim and seat on which the player was identified as the entry has it.
_PAID = """
    WITH places (claim, seat) AS (
        SELECT i.claim_id, coalesce(i.seat, i.shares) FROM settlement_exclusionmatch m
        JOIN settlement_identification i ON i.id = m.identification_id
        UNION
        SELECT known.claim, known.seat
        FROM (
            SELECT DISTINCT side.number FROM settlement_proposal q
            JOIN settlement_proposaldecision d ON d.proposal_id = q.id AND d.agreed
            CROSS JOIN LATERAL (
                VALUES ((q.body ->> 'player')::bigint), ((q.body ->> 'other')::bigint)
            ) AS side (number)
            WHERE q.kind = 'same_player'
        ) AS stated
        CROSS JOIN LATERAL identifications_of_player(stated.number) AS known
    )
    SELECT DISTINCT k.system_id, s.code, k.number, f.seat, f.match, t.code, known.number,
           coalesce(i.seat, i.shares)
    FROM places
    JOIN settlement_claim k ON k.id = places.claim
    JOIN tables_jackpotsystem s ON s.id = k.system_id
    JOIN tables_casino c ON c.id = s.casino_id
    JOIN settlement_payout p ON p.claim_id = k.id AND p.seat = places.seat
    CROSS JOIN LATERAL (SELECT p.at AT TIME ZONE c.timezone AS at) AS local
    CROSS JOIN LATERAL exclusions_in_force(k.id, places.seat) AS f
    JOIN settlement_exclusion x ON x.id = f.exclusion
    JOIN settlement_exclusionmatch m ON m.id = f.match
    JOIN settlement_identification i ON i.id = m.identification_id
    JOIN settlement_claim known ON known.id = i.claim_id
    JOIN tables_jackpotsystem t ON t.id = known.system_id
    WHERE x.since <= local.at::date - (local.at::time < c.day_starts)::int
    ORDER BY f.match, k.system_id, k.number
"""


@dataclass(frozen=True, slots=True)
class PaidSeat:
    """A seat whose player was paid, and the match of that player with an entry; `known_as`: the
    seat on which the player was identified as the entry has it."""

    system: int
    code: str
    claim: int
    seat: int
    match: int
    known_as: tuple[str, int, int]  # the code of a system, a claim's number, a seat

    @property
    def name(self) -> str:
        """Of the claim."""
        return _name(self.code, self.claim)

    @property
    def subject(self) -> str:
        return f"{self.name} seat {self.seat}, match {self.match}"

    def words(self, match: str) -> str:
        """What the alarm says."""
        code, claim, seat = self.known_as
        values = {"seat": self.seat, "claim": self.name, "match": match}
        if self.known_as == (self.code, self.claim, self.seat):
            return HouseAlarm.EXCLUDED_PAID % values
        values |= {"known_seat": seat, "known_claim": _name(code, claim)}
        return HouseAlarm.EXCLUDED_PAID_AS % values


def raise_for_paid() -> None:
    """An alarm for each match of a seat that was paid, once: one that was cleared stays so."""
    with connection.cursor() as cursor:
        cursor.execute(_PAID)
        rows = cursor.fetchall()
    seats = [
        PaidSeat(system, code, claim, seat, match, known_as=(known_code, known_claim, known_seat))
        for system, code, claim, seat, match, known_code, known_claim, known_seat in rows
    ]
    if not seats:
        return
    subjects = set(Alarm.objects.filter(kind=ALARM).values_list("subject", flat=True))
    stops = of_claims({(each.system, each.claim) for each in seats})
    with in_english():
        for each in seats:
            matches = stops[each.system, each.claim][each.seat]
            match = next((match for match in matches if match.number == each.match), None)
            if each.subject not in subjects and match is not None:
                raise_alarm(ALARM, each.subject, each.words(match.text), system_id=each.system)


def _name(system: str, claim: int) -> str:
    return f"{system.upper()}-{claim}"
