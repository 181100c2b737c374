"""What stops the payment to a player who is on a list, until two people release it.

The database holds players and lists against each other (`exclusion_is_matched`) and refuses the
payment (`excluded_is_not_paid`). Here is what pages and services say of it, of any number of claims
in one query, and nothing of who the player is.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db import connection
from django.utils.translation import gettext as _

from jackpot.hits.states import STANDING
from jackpot.models import Hit
from settlement.core.errors import Excluded
from settlement.models import Claim, Exclusion, ExclusionMatch

Stops = Mapping[int, tuple["Match", ...]]  # by seat
Place = tuple[int, int]  # a claim: its system, its number

_IN_FORCE = """
    SELECT k.system_id, k.number, f.seat, f.match, x.kind, x.reference, x.since,
           least(x.until, e.last_day), o.name, m.rule
    FROM unnest(%s::bigint[], %s::bigint[]) AS wanted (system, number)
    JOIN settlement_claim k ON k.system_id = wanted.system AND k.number = wanted.number
    CROSS JOIN LATERAL exclusions_in_force(k.id, NULL) AS f
    JOIN settlement_exclusionmatch m ON m.id = f.match
    JOIN settlement_exclusion x ON x.id = f.exclusion
    JOIN settlement_exclusionimport o ON o.id = x.origin_id
    LEFT JOIN settlement_exclusionend e ON e.exclusion_id = x.id
    ORDER BY k.id, f.seat, f.match
"""


@dataclass(frozen=True, slots=True)
class Match:
    """An entry that the player of a seat is on; nothing of who it is."""

    number: int
    kind: str
    reference: str
    since: dt.date
    last_day: dt.date | None
    list: str
    rule: str

    @property
    def text(self) -> str:
        """The entry, as pages name it."""
        return _("%(kind)s, %(list)s, reference %(reference)s") % {
            "kind": Exclusion.Kind(self.kind).label,
            "list": self.list,
            "reference": self.reference,
        }

    @property
    def rule_label(self) -> str:
        return str(ExclusionMatch.Rule(self.rule).label)


def of_claims(claims: Iterable[Place]) -> dict[Place, Stops]:
    """By claim and seat what stops a payment now; nothing of claims that nothing stops."""
    places = list(claims)
    if not places:
        return {}
    stops: dict[Place, dict[int, list[Match]]] = defaultdict(lambda: defaultdict(list))
    with connection.cursor() as cursor:
        cursor.execute(_IN_FORCE, [list(each) for each in zip(*places, strict=True)])
        for system, number, seat, *match in cursor.fetchall():
            stops[system, number][seat].append(Match(*match))
    return {
        place: {seat: tuple(matches) for seat, matches in seats.items()}
        for place, seats in stops.items()
    }


def of_claim(claim: Claim) -> Stops:
    """By seat what stops a payment of it now."""
    place = (claim.system_id, claim.number)
    return of_claims([place]).get(place, {})


def still_to_pay(hit: Hit, stops: Stops) -> Stops:
    """The same of seats that are, or may be, paid something still."""
    if hit.state not in STANDING:
        return {}
    lines = hit.payee_lines
    seats = {line.seat for line in lines if line.rest} if lines else stops.keys()
    return {seat: matches for seat, matches in stops.items() if seat in seats}


def require_none(claim: Claim, seat: int) -> None:
    """Raise Excluded where the player of the seat is on a list."""
    if of_claim(claim).get(seat):
        raise Excluded(stopped_in_words(seat))


def stopped_in_words(seat: int) -> str:
    """What stops it, and who must act."""
    return _(
        "The player of seat %(seat)s is on the list of excluded persons, or shares the prize with"
        " somebody who is: nothing is paid. Call compliance: two people release the payment with a"
        " reason, or it is forfeited."
    ) % {"seat": seat}
