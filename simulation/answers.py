"""Whoever verifies a claim answers its checklist truly: what is asked for is gathered first."""

from __future__ import annotations

import datetime as dt
from typing import Any

from jackpot.models import Hit
from jackpot.terms.money import format_exact
from rules.cards import SUITS
from settlement.claims import services as claims
from settlement.claims import workbench
from settlement.evidence import attachments, checklist, identification
from settlement.evidence import records as evidence
from settlement.models import Claim, Identification

# As much of a picture as the console reads: that it is one, of one pixel.
_PHOTOGRAPH = b"\xff\xd8\xff\xc0\x00\x0b\x08\x00\x01\x00\x01\x01\x01\x11\x00\xff\xd9"
_AROUND = dt.timedelta(minutes=5)


def answer(claim: Claim, person: Any, amount: int | None = None) -> None:
    """Answer every point that is asked for, of the claim or of `amount` micros of it, with "yes"
    and the thing that shows it."""
    hit = claims.hit_of(claim)
    requirements = evidence.posted(hit).requirements(amount)
    bench = evidence.Bench(claim, hit)
    _gather(bench, requirements, person)
    remaining = bench.examination.remaining
    typed: dict[str, dict[str, Any]] = {
        "sealed": {"bag": "H-2231"},
        "display": {"reading": _value(hit)},
        "witness": {"name": "Ana Ruiz", "capacity": "dealer"},
        "deck_counted": {suit: len(remaining.get(suit, ())) for suit in SUITS},
    }
    yes = {
        item.code: "yes"
        for item in checklist.ITEMS
        if item.code in requirements or (not item.is_thing and amount is None)
    }
    claims.answer_checklist(claim, person, yes, {}, typed)


def _value(hit: Hit) -> str:
    """What the display of the table said of the prize."""
    value = hit.values.get(hit.tier.code, 0) if hit.tier is not None else 0
    return format_exact(value, hit.system.casino.minor_digits)


def _gather(bench: evidence.Bench, requirements: frozenset[Any], person: Any) -> None:
    claim, hit = bench.claim, bench.hit
    if "surveillance" in requirements and not claim.footage.exists():
        workbench.add_footage(
            claim,
            person,
            reviewer="Sven Lindqvist",
            camera="12",
            reference="V-1",
            finding="as reported",
            since=hit.at - _AROUND,
            until=hit.at + _AROUND,
        )
    if "photographed" in requirements and not claim.attachments.exists():
        attachments.attach(claim, person, "The layout", _PHOTOGRAPH)
    if "identity" in requirements:
        seats = {row.seat for row in identification.recorded(claim)}
        tabled = [hand["seat"] for hand in (hit.report or {}).get("hands", ())]
        for seat in bench.winners or tabled:  # before a figure is known nobody has won yet
            if seat not in seats:
                _identify(claim, hit, seat, person)


def _identify(claim: Claim, hit: Hit, seat: int, person: Any) -> None:
    identification.identify(
        claim,
        person,
        identification.PlayerIdentity(
            seat=seat,
            name=f"Player of seat {seat}",
            born=dt.date(1980, 1, seat),
            document=Identification.Document.PASSPORT,
            document_number=f"{hit.number}-{seat}",
        ),
    )
