"""The workbench of a claim: what people gather, and what they check it against. Selectors only."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Max, OuterRef, QuerySet, Subquery
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from jackpot.hits.states import HitState
from jackpot.models import Entry, Hit
from rules.cards import SUITS
from settlement.claims.detail import ClaimDetail
from settlement.core.words.rule_words import SUIT_TITLES
from settlement.evidence import deck, identification
from settlement.evidence.assessment import HandAssessment
from settlement.evidence.filetypes import TYPES
from settlement.models import (
    Action,
    Attachment,
    BundleExport,
    CheckAnswer,
    Claim,
    DeckTick,
    Footage,
    Identification,
    Note,
    Payout,
)
from settlement.pages.claims.panels.hand.nearby import nearby_context, readings_context
from settlement.pages.claims.panels.hand.sent_report import sent_context
from settlement.pages.claims.panels.workbench.forms import AttachForm, FootageForm, NoteForm
from settlement.people.rights.permissions import name_of

NewestRows = dict[str, int | None]


@dataclass(frozen=True, slots=True)
class Allowed:
    """Whether a person may do something here: by the role or a delegation, not on an own hand."""

    user: Any
    dealt_in: Collection[int]
    delegated: Collection[str] = ()

    def __call__(self, permission: str) -> bool:
        """`permission` is a code name of `settlement.people.rights.roles`."""
        if self.user.pk in self.dealt_in:
            return False
        return permission in self.delegated or self.user.has_perm(f"settlement.{permission}")


_MODELS = (
    *(Action, CheckAnswer, DeckTick, Footage, Note, Attachment, Identification, BundleExport),
    Payout,
)


def workbench(
    detail: ClaimDetail,
    entries: Iterable[Entry],
    names: Mapping[str, str],
    may: Allowed,
    bound: Mapping[str, Any],
    newest_rows: NewestRows,
) -> dict[str, Any]:
    """What the partials of the workbench show. `bound`: forms that were refused."""
    claim, hit = detail.claim, detail.hit
    return {
        **_deck(claim if newest_rows["DeckTick"] else None, hit, detail.examination, may),
        **sent_context(hit, entries),
        **readings_context(hit, names),
        **nearby_context(hit, names),
        **_evidence(claim, newest_rows),
        **_forms(hit, may, bound),
        "identified": identification.recorded(claim) if newest_rows["Identification"] else [],
        "may_identify": may("add_identification"),
        "may_look": may.user.has_perm("settlement.view_identification"),
    }


def kept_so_far(claim: Claim) -> NewestRows:
    """The newest row of each kind, and of the order; what has none need not be asked for."""
    newest = [
        Subquery(
            model.objects.filter(claim=OuterRef("pk"))
            .order_by()
            .values("claim")
            .annotate(last=Max("pk"))
            .values("last")
        )
        for model in _MODELS
    ]
    touched = Entry.objects.filter(system=OuterRef("system"), hit=OuterRef("number"))
    last = Subquery(touched.order_by("-seq").values("seq")[:1])
    (row,) = Claim.objects.filter(pk=claim.pk).values_list(last, *newest)
    return dict(zip(("entry", *(model.__name__ for model in _MODELS)), row, strict=True))


def behind_the_checklist(context: Mapping[str, Any]) -> dict[str, str]:
    """What the workbench has for a point of the checklist, by the point's code."""
    count: deck.Count = context["deck_count"]
    readings, nearby_hands = len(context["readings"]), len(context["nearby"])
    pictures = sum(file["type"].is_inline for file in context["attachments"])
    texts = {
        "deck_counted": _("%(ticked)s of %(count)s cards ticked off")
        % {"ticked": count.ticked, "count": len(count.remaining)}
        if count.is_begun
        else "",
        "surveillance": "; ".join(f"{row.reviewer}, {row.reference}" for row in context["footage"]),
        "photographed": _several(
            ngettext("%(count)s picture attached", "%(count)s pictures attached", pictures),
            pictures,
        )
        if pictures
        else "",
        "display": _several(
            ngettext(
                "%(count)s reading of displays around the hand",
                "%(count)s readings of displays around the hand",
                readings,
            ),
            readings,
        )
        if readings
        else "",
        "identity": _("Identified: %(identified)s")
        % {
            "identified": ", ".join(
                _("seat %(seat)s") % {"seat": row.seat} for row in context["identified"]
            )
        }
        if context["identified"]
        else "",
        "nearby": _several(
            ngettext(
                "%(count)s hand within 5 minutes on other tables",
                "%(count)s hands within 5 minutes on other tables",
                nearby_hands,
            ),
            nearby_hands,
        )
        if nearby_hands
        else _("No other hand within five minutes"),
    }
    return {code: text for code, text in texts.items() if text}


def _several(words: str, count: int) -> str:
    return words % {"count": count}


def _deck(
    claim: Claim | None, hit: Hit, examination: HandAssessment, may: Allowed
) -> dict[str, Any]:
    """The cards that must remain, by suit, with who found them; no claim: nobody has begun."""
    count = deck.count_of(claim, examination.remaining)
    suits = [
        {
            "code": suit,
            "name": SUIT_TITLES[suit],
            "cards": [(card, count.ticks.get(card)) for card in count.remaining if card[1] == suit],
            "found": sum(card[1] == suit and card in count.ticks for card in count.remaining),
        }
        for suit in SUITS
    ]
    counters: dict[int, dict[str, Any]] = {}
    for tick in count.ticks.values():
        row = counters.setdefault(
            tick.person_id, {"who": name_of(tick.person), "cards": 0, "at": tick.at}
        )
        row["cards"] += 1
        row["at"] = max(row["at"], tick.at)
    return {
        "deck_count": count,
        "deck_suits": suits,
        "deck_seen": " ".join(sorted(count.ticks)),
        "deck_locked": hit.state != HitState.HELD or not may("verify_claim"),
        "deck_counters": list(counters.values()),
    }


def _evidence(claim: Claim, newest_rows: NewestRows) -> dict[str, Any]:
    """Footage, notes and attachments."""
    files: QuerySet[Attachment] = claim.attachments.defer("content").select_related("person")
    return {
        "footage": list(claim.footage.select_related("person")) if newest_rows["Footage"] else [],
        "notes": list(claim.notes.select_related("person")) if newest_rows["Note"] else [],
        "attachments": [{"row": row, "type": TYPES[row.kind]} for row in files]
        if newest_rows["Attachment"]
        else [],
    }


def _forms(hit: Hit, may: Allowed, bound: Mapping[str, Any]) -> dict[str, Any]:
    """The forms of those who may add evidence."""

    def form(name: str, permission: str, form_type: Any) -> Any:
        return bound.get(name, form_type) if may(permission) else None

    review = FootageForm(casino=hit.system.casino, around=hit.at)
    return {
        "footage_form": form("footage", "add_footage", review),
        "note_form": form("note", "add_note", NoteForm()),
        "attach_form": form("attach", "add_attachment", AttachForm()),
    }
