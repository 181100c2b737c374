"""Open claims of several systems as of one moment, for pages that show many of them.

They are books as the fold has them, of open claims and their hands alone: whatever is asked of them
is the fold's own answer. A fixed number of queries, and nothing is written.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from functools import cached_property
from typing import Any

import msgspec
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import JSONObject

from jackpot.domain.payout.competing_claims import CompetingClaims
from jackpot.domain.state import books as domain
from jackpot.domain.state.books import Books, Round
from jackpot.domain.state.hits import ContributionTotals
from jackpot.domain.state.verdicts import verdict_of
from jackpot.hits.states import OPEN_STATES, OUT, HitState
from jackpot.models import Hit, RoundState, Tier
from jackpot.storage.loading import book_hit
from jackpot.storage.stored_terms import terms_by_system
from rules.verdict import Verdict

_ROUND = tuple(domain.Round.__dataclass_fields__)


class OpenClaims:
    """Read when first asked. What is asked twice is judged once."""

    def __init__(self, systems: Collection[int]) -> None:
        self._systems = systems

    def before(self, row: Hit) -> tuple[int, ...]:
        """Numbers of the open claims that come before this one and may be for the same prize."""
        if row.state not in OPEN_STATES or row.system_id not in self._by_system:
            return ()
        claims = self._by_system[row.system_id]
        return tuple(other.number for other in claims.before(_hit_of(claims.books, row)))

    def verdict(self, row: Hit) -> Verdict | None:
        """What the rules say of an open claim's report; None where there is none."""
        claims = self._by_system.get(row.system_id)
        hit = claims.books.hits.get(row.number) if claims is not None else None
        if claims is None or hit is None or hit.report is None:
            return None
        return verdict_of(claims.books, hit)

    @cached_property
    def _by_system(self) -> dict[int, CompetingClaims]:
        hands: dict[int, list[Any]] = defaultdict(list)
        for row in _open_hands(self._systems):
            hands[row.system_id].append(row)
        tiers: dict[int, list[Any]] = defaultdict(list)
        for tier in _tiers(hands):
            tiers[tier.system_id].append(tier)
        versions = terms_by_system(hands.keys()) if hands else {}
        return {
            system: CompetingClaims(
                _books(rows, tiers[system], versions[system]),
                {tier.code: tier.last_decided or 0 for tier in tiers[system]},
            )
            for system, rows in hands.items()
        }


def _hit_of(books: Books, row: Hit) -> domain.Hit:
    """The hit in these books; a decided one is asked about, and counts for no other."""
    if row.number in books.hits:
        return books.hits[row.number]
    tiers = {row.tier.pk: row.tier.code} if row.tier is not None else {}
    return book_hit(row, {row.table_id: row.table.code}, tiers)


def _books(rows: list[Any], tiers: Iterable[Any], versions: dict[int, Any]) -> Books:
    codes = {row.table_id: row.table.code for row in rows}
    tier_codes = {tier.pk: tier.code for tier in tiers}
    system = rows[0].system
    return Books(
        system=system.code,
        digits=system.casino.minor_digits,
        seq=0,
        transfer_number=0,
        hit_number=0,
        terms_number=max(versions, default=0),
        balances={},
        fed=dict.fromkeys(tier_codes.values(), ContributionTotals()),
        terms=versions,
        sessions={},
        rounds={
            (codes[row.table_id], row.round): msgspec.convert(row.known_round, Round)
            for row in rows
        },
        hits={row.number: book_hit(row, codes, tier_codes) for row in rows},
        displayed={},
        displayed_seq=None,
        periods={tier.code: tier.period_from for tier in tiers if tier.period_from},
    )


def _open_hands(systems: Collection[int]) -> QuerySet[Any]:
    """All claims of hands that have an open one, with what is known of their round."""
    of_hit = {name: OuterRef(name) for name in ("system", "table", "round")}
    is_open = Exists(Hit.objects.filter(**of_hit, state=HitState.HELD))
    round_state = RoundState.objects.filter(**of_hit)
    known_round = round_state.values(fields=JSONObject(**{name: name for name in _ROUND}))
    hits = Hit.objects.select_related("tier", "table", "system__casino").filter(system__in=systems)
    return hits.filter(is_open).annotate(known_round=Subquery(known_round)).order_by("number")


def _tiers(systems: Collection[int]) -> QuerySet[Any]:
    """Every tier, with the place of its last decided hit that stands."""
    won = Hit.objects.filter(tier=OuterRef("pk")).exclude(state__in=(HitState.HELD, *OUT))
    won = won.filter(Q(strength__isnull=True) | Q(closing__isnull=False)).order_by("-acts_at")
    last_decided = Subquery(won.values("acts_at")[:1])
    return Tier.objects.filter(system__in=systems).annotate(last_decided=last_decided)
