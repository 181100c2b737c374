"""How a period of a high hand stands: when it ends, who is best so far, who won it. Selectors."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from jackpot.hits.states import OUT, HitState
from jackpot.models import Entry, Hit, Tier, TierStep
from jackpot.terms.document import TierTerms
from jackpot.terms.periods import GamingDay
from rules.decks import FULL_DECK
from rules.hands import HandValue, describe
from rules.phrases import Phrase


@dataclass(frozen=True, slots=True)
class Contender:
    """A candidate that stands; `place` is 1 for the best, equal hands have the same."""

    hit: Hit
    hand: Phrase  # in words; empty while nobody has read it
    place: int


@dataclass(frozen=True, slots=True)
class Period:
    """One period with its candidates, the best first, of equal ones the first recorded."""

    ends: dt.datetime
    closing: int | None  # the entry that closed it; None: it runs
    contenders: list[Contender]

    @property
    def best(self) -> list[Contender]:
        """Who leads, or won it."""
        return [each for each in self.contenders if each.place == 1 and each.hand]


def running(tier: Tier, terms: TierTerms, hits: Iterable[Hit] | None = None) -> Period | None:
    """The present period of a tier; None where it conducts no high hand.

    `hits`: the open ones of the system with their tables, if they were read already.
    """
    high_hand = terms.high_hand()
    if high_hand is None or tier.period_from is None:
        return None
    day = GamingDay.of(tier.system.casino)
    if hits is None:
        hits = Hit.objects.filter(tier=tier, state=HitState.HELD).select_related("table")
    candidates = [hit for hit in hits if hit.tier_id == tier.pk and hit.closing is None]
    ends = day.next_end(tier.period_from, high_hand.period_minutes)
    return Period(ends, None, _ranked(candidates, terms))


def period_of(hit: Hit, terms: TierTerms) -> Period | None:
    """The period that a candidate is in; None for any other hit."""
    if hit.strength is None or hit.tier is None:
        return None
    if hit.closing is None:
        return running(hit.tier, terms)
    entry = Entry.objects.get(system=hit.system_id, seq=hit.closing)
    hits = Hit.objects.filter(system=hit.system_id, tier=hit.tier, closing=hit.closing)
    standing = [each for each in hits.select_related("table") if each.state not in _EXCLUDED_STATES]
    ends = dt.datetime.fromisoformat((entry.body or {})["ends"])
    return Period(ends, hit.closing, _ranked(standing, terms))


@dataclass(frozen=True, slots=True)
class EndedPeriod:
    """A period that was closed: what the tier was worth in micros, and who holds of it now."""

    ends: dt.datetime
    seq: int
    value: int
    winners: list[Hit]


def ended_periods(tier: Tier, most: int) -> list[EndedPeriod]:
    """The last periods of a tier that were closed, the newest first. Three queries at most."""
    if tier.period_from is None:
        return []
    steps = TierStep.objects.filter(tier=tier, kind="period").order_by("-place")
    places = list(steps.values_list("place", flat=True)[:most])
    entries = Entry.objects.filter(system=tier.system_id, seq__in=places).order_by("-seq")
    won = Hit.objects.filter(tier=tier, closing__in=places, held__gt=0).select_related("table")
    hits = list(won.order_by("number"))
    return [
        EndedPeriod(
            dt.datetime.fromisoformat((entry.body or {})["ends"]),
            entry.seq,
            entry.outcome["value"],
            [hit for hit in hits if hit.closing == entry.seq],
        )
        for entry in entries
    ]


_EXCLUDED_STATES = {*OUT} - {HitState.OUTRANKED}


def _ranked(hits: Iterable[Hit], terms: TierTerms) -> list[Contender]:
    high_hand = terms.high_hand()
    short = high_hand is not None and high_hand.decks != (FULL_DECK.size,)
    candidates = sorted(hits, key=lambda hit: hit.number)
    candidates.sort(key=lambda hit: hit.strength or [], reverse=True)
    ranked: list[Contender] = []
    for number, hit in enumerate(candidates, start=1):
        same = bool(ranked) and ranked[-1].hit.strength == hit.strength
        words = (
            describe(HandValue.of(hit.strength, short=short)) if hit.strength else Phrase.joined([])
        )
        ranked.append(Contender(hit, words, ranked[-1].place if same else number))
    return ranked
