"""What a claim's page says of a hand that was entered on the console, and of its unit's."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext_noop as _

from jackpot.domain.play.hands import won
from jackpot.hits.states import HitState
from jackpot.models import Entry, Head, Hit
from jackpot.storage.loading import Plan, load
from jackpot.storage.snapshot import snapshot
from settlement.claims import pairing
from settlement.core.words.translation import Labels
from settlement.models import Ruling
from settlement.pages.claims.panels.hand.sent_report import dealers_report
from settlement.pages.claims.queue.rows import tier_names
from settlement.people.rights.permissions import name_of

_WORDS = Labels(
    {
        "tier": _("the prize"),
        "seats": _("the seats"),
        "boards": _("the boards"),
        "hands": _("the hands"),
        "flop_on_request": _("whether the flop was asked for"),
        "seats_dealt": _("the seats dealt in"),
        "button_seat": _("the seat of the button"),
        "pot": _("the pot"),
    }
)


def pairing_context(hit: Hit, entries: Iterable[Entry], user: Any) -> dict[str, Any]:
    """For `console/claims/pairing.html`; nothing for a hand that only its unit sent."""
    if not hit.pairing:
        return {"pairing": None}
    entry_list = list(entries)
    context: dict[str, Any] = {
        "same": hit.unit_pairing.same,
        "asked": pairing.is_required(hit),
        "awaited": pairing.is_awaited(hit),
        "differs": pairing.differs(hit),
        "may_say": user.has_perm("settlement.enter_hand"),
        "key": uuid.uuid4(),
        "candidates": [],
    }
    if context["asked"]:
        context["candidates"] = list(pairing.awaited_at(hit.table_id))
    if pairing.is_entered(hit):
        context |= _of_the_entry(hit, entry_list)
    return {"pairing": context}


def _of_the_entry(hit: Hit, entries: list[Entry]) -> dict[str, Any]:
    first = next((entry for entry in entries if entry.seq == hit.place), None)
    ruling = None
    if first is not None:
        rulings = Ruling.objects.filter(system=hit.system_id, command=first.command)
        rulings = rulings.filter(kind=Ruling.Kind.ENTER)
        ruling = rulings.select_related("person", "countersignature__person").first()
    pairings = [entry for entry in entries if "differs" in entry.outcome]
    undone = {entry.seq for entry in pairings if entry.type == "unpair_hand"}
    pairings = [entry for entry in pairings if entry.seq not in undone]
    paired = Hit.objects.filter(system=hit.system_id, state=HitState.PAIRED)
    called = first.outcome["tier"] if first is not None else None
    too: dict[str, None] = {}
    names: dict[str, None] = {}
    for entry in pairings:
        beside = _beside(hit, entry, called) if "tier" in entry.outcome["differs"] else []
        too |= dict.fromkeys(beside)
        names |= dict.fromkeys(
            name for name in entry.outcome["differs"] if not (name == "tier" and beside)
        )
    signed = getattr(ruling, "countersignature", None)
    return {
        "entered": True,
        "second": name_of(signed.person) if signed is not None else "",
        "who": name_of(ruling.person) if ruling else hit.unit_pairing.who,
        "note": ruling.note if ruling else "",
        "at": hit.at,
        "other": paired.filter(pairing__same=hit.number).first(),
        "doubtful": hit.unit_pairing.differs in undone,
        "may_undo": pairing.is_paired(hit),
        "unit": next((entry for entry in entries if entry.seq == hit.unit_pairing.unit), None),
        "differences": [_WORDS.get(name, name) for name in names],
        "too": [tier_names([hit.system_id])[hit.system_id][code] for code in too] if too else [],
    }


def _beside(hit: Hit, entry: Entry, called: str | None) -> list[str]:
    """For which prizes the unit's hand is beside the one that was called; none where that one is
    not among them, or its dealer called for another."""
    tier, report = None, None
    if entry.type == "hand_reported":
        report = dealers_report(entry)
    elif "paired" in entry.outcome:
        other = Hit.objects.get(system=hit.system_id, number=entry.outcome["paired"])
        tier, report = other.unit_pairing.tier, other.report
    if report is None or tier not in (None, called):
        return []
    with snapshot():
        books = load(Head.objects.get(system=hit.system_id), Plan(hits={hit.number})).books
    wins = won(books, books.hits[hit.number], report)
    return [code for code in wins if code != called] if called in wins else []
