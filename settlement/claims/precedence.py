"""Which open claims come before another one, and may still take its prize (19.14)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.functions import JSONObject

from jackpot.display.values import standing
from jackpot.domain.payout.possible_prizes import Hand
from jackpot.domain.state.books import Round
from jackpot.domain.state.hits import is_level
from jackpot.domain.state.verdicts import is_unjudged
from jackpot.hit_columns import OPEN_STATES, HitState
from jackpot.models import Hit, RoundState
from jackpot.storage.loading import terms_by_system
from jackpot.terms.document import JackpotTerms, tiers_at


class OpenClaims:
    """Open claims as of one moment. What is asked twice is read and judged once."""

    def __init__(self, held: Iterable[Any]) -> None:
        """`held`: of `open_hits_in_order`; read when it is asked for."""
        self._held = held
        self._terms: dict[tuple[int, int], list[JackpotTerms]] = {}
        self._possible: dict[tuple[int, int, int], set[str] | None] = {}

    @cached_property
    def held(self) -> list[Any]:
        """In the order in which they act."""
        return list(self._held)

    @cached_property
    def _hands(self) -> dict[tuple[int, int, int], list[Any]]:
        hands = defaultdict(list)
        for hit in self.held:
            hands[hit.system_id, hit.table_id, hit.round].append(hit)
        return hands

    def before(self, hit: Hit) -> tuple[int, ...]:
        """Numbers of those that come before this one and may be for the same prize."""
        if hit.state not in OPEN_STATES:
            return ()
        return tuple(
            other.number
            for other in self.held
            if other.system_id == hit.system_id
            and (other.acts_at < hit.acts_at or is_level(other, hit))
            and (other.tier_id == hit.tier_id or self._may_be_for(other, hit))
        )

    def terms(self, hit: Any) -> list[JackpotTerms]:
        """The terms that were in effect at one of them."""
        key = hit.system_id, hit.terms
        if key not in self._terms:
            versions = self._versions[hit.system_id].items()
            self._terms[key] = standing({n: terms for n, terms in versions if n <= hit.terms})
        return self._terms[key]

    @cached_property
    def _versions(self) -> dict[int, dict[int, JackpotTerms]]:
        return terms_by_system({hit.system_id for hit in self.held})

    def _may_be_for(self, other: Any, hit: Hit) -> bool:
        """Whether the hand of an earlier open claim may be for the prize that `hit` holds (too)."""
        key = other.system_id, other.table_id, other.round
        hand = self._hands[key]
        if hit.tier is None or other.number != min(each.number for each in hand):
            return False
        if key not in self._possible:
            self._possible[key] = self._prizes(other, hand)
        possible = self._possible[key]
        return possible is None or hit.tier.code in possible

    def _prizes(self, first: Any, hand: list[Any]) -> set[str] | None:
        terms = self.terms(first)
        is_read = first.tier is not None and not is_unjudged(first.stops)
        return Hand(
            claims=tuple((each.tier.code if each.tier else None, each.state) for each in hand),
            report=first.report if is_read else None,
            round=Round(**first.known_round),
            is_round_known=first.round > 0,
            terms=tuple(terms),
            prizes=tuple(tiers_at(terms, first.table.code)),
            digits=first.system.casino.minor_digits,
        ).may_be_for()


def open_hits_in_order() -> QuerySet[Hit]:
    """Open hits in the order in which they act, with what `OpenClaims` asks of them."""
    known = ("terms", "game", "deck", "dealt", "started", "completed", "void", "pot")
    of_hit = {name: OuterRef(name) for name in ("system", "table", "round")}
    round_json = JSONObject(**{name: name for name in known})
    rounds = RoundState.objects.filter(**of_hit).values(round_fields=round_json)
    hits = Hit.objects.filter(state=HitState.HELD).select_related("tier", "table", "system__casino")
    return hits.annotate(known_round=Subquery(rounds)).order_by("acts_at")
