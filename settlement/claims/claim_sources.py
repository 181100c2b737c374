"""What the steps of claims are worked out from besides their hits: read for many by few queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.db import connection

from jackpot.hits.states import OUT
from jackpot.models import Command, Entry, Hit, TierStep
from jackpot.storage.stored_terms import terms_by_system
from jackpot.terms.document import JackpotTerms

_TYPES = ("confirm_claim", "reverse_rejection")
_PREVIOUS = """
    SELECT asked.number, coalesce((
        SELECT h.acts_at FROM jackpot_hit h
        WHERE h.tier_id = asked.tier_id AND h.acts_at < asked.acts_at AND h.state <> ALL(%(out)s)
        ORDER BY h.acts_at DESC LIMIT 1), 0)
    FROM unnest(%(numbers)s::bigint[], %(tiers)s::bigint[], %(places)s::bigint[])
         AS asked (number, tier_id, acts_at)
"""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """An entry that confirmed a part of the claim, and the lines that it made."""

    entry: Entry
    command: Command
    lines: tuple[int, ...]

    @property
    def amount(self) -> int:
        return int(self.command.body["amount"])


@dataclass(frozen=True, slots=True)
class ClaimSources:
    """Of one claim: `versions`, all terms of its system by number; `previous`, where the hit
    before it acts that took the same prize; `closing`, the end of a high hand's period;
    `confirmations`, and `reversals` of its rejection, in order."""

    versions: Mapping[int, JackpotTerms]
    previous: int = 0
    closing: TierStep | None = None
    confirmations: Sequence[Confirmation] = ()
    reversals: Sequence[tuple[Entry, Command]] = field(default=())


def sources_of(hits: Sequence[Hit]) -> dict[int, ClaimSources]:
    """By number, of hits of one system."""
    if not hits:
        return {}
    system = hits[0].system_id
    versions = terms_by_system([system])[system]
    previous, closings = previous_places(hits), _closings(hits)
    decisions = _decisions(hits)
    return {
        hit.number: ClaimSources(
            versions,
            previous.get(hit.number, 0),
            closings.get(hit.number),
            _confirmations(decisions[hit.number]),
            [each for each in decisions[hit.number] if each[0].type == "reverse_rejection"],
        )
        for hit in hits
    }


def previous_places(hits: Iterable[Hit]) -> dict[int, int]:
    """By number, where the hit before acts that took the same prize: what displays showed before
    it does not count. 0 where there is none."""
    prizes = [(hit.number, hit.tier_id, hit.acts_at) for hit in hits if hit.tier_id is not None]
    if not prizes:
        return {}
    numbers, tiers, places = (list(column) for column in zip(*prizes, strict=True))
    with connection.cursor() as cursor:
        names = {"numbers": numbers, "tiers": tiers, "places": places, "out": list(OUT)}
        cursor.execute(_PREVIOUS, names)
        return dict(cursor.fetchall())


def confirmations(hit: Hit) -> Sequence[Confirmation]:
    """What two people confirmed, in order; lines are numbered through all of them."""
    return _confirmations(_decisions([hit])[hit.number])


def closing_of(hit: Hit) -> TierStep | None:
    """Of a candidate for a high hand the end of its period."""
    return _closings([hit]).get(hit.number)


def _closings(hits: Iterable[Hit]) -> dict[int, TierStep]:
    periods = {
        hit.number: (hit.tier_id, hit.closing)
        for hit in hits
        if hit.closing is not None and hit.tier_id is not None
    }
    if not periods:
        return {}
    tiers, places = zip(*periods.values(), strict=True)
    steps = TierStep.objects.filter(tier__in=set(tiers), place__in=set(places))
    by_place = {(step.tier_id, step.place): step for step in steps}
    return {number: by_place[place] for number, place in periods.items()}


def _decisions(hits: Sequence[Hit]) -> dict[int, list[tuple[Entry, Command]]]:
    """By hit the entries that confirmed it or reversed its rejection, with their commands."""
    system = hits[0].system_id
    entries = Entry.objects.filter(
        system=system,
        hit__in=[hit.number for hit in hits],
        type__in=_TYPES,
        outcome__refused__isnull=True,
    )
    entry_list = list(entries.order_by("seq"))
    numbers = [entry.command or 0 for entry in entry_list]
    rows = Command.objects.filter(system=system, number__in=numbers) if numbers else ()
    commands = {command.number: command for command in rows}
    decisions: dict[int, list[tuple[Entry, Command]]] = defaultdict(list)
    for entry in entry_list:
        decisions[entry.hit or 0].append((entry, commands[entry.command or 0]))
    return decisions


def _confirmations(decisions: Iterable[tuple[Entry, Command]]) -> list[Confirmation]:
    rows, last = [], 0
    for entry, command in decisions:
        if entry.type == "confirm_claim":
            lines = tuple(range(last + 1, last + 1 + len(command.body["payees"])))
            rows.append(Confirmation(entry, command, lines))
            last += len(lines)
    return rows
