"""The checklist of a claim on its page: the answers, and what is still missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from settlement.claims.detail import ClaimDetail
from settlement.core.gaming_day import today
from settlement.evidence import checklist
from settlement.evidence import records as evidence
from settlement.jurisdiction.rules import rules_at
from settlement.jurisdiction.words import in_words
from settlement.pages.claims.panels.workbench.checklist_form import checklist_rows
from settlement.pages.claims.panels.workbench.panel import Allowed


def checklist_context(
    detail: ClaimDetail,
    may: Allowed,
    bound: Mapping[str, Any],
    behind: Mapping[str, str],
) -> dict[str, Any]:
    """The checklist with its answers, how far it is, and what the workbench has `behind` it.

    `lacking`: what is asked for the amount that is due, and missing.
    """
    hit, due = detail.hit, detail.due
    terms = evidence.posted(hit, detail.examination.terms)
    rows = checklist_rows(detail.claim, terms, behind, bound.get("checklist"))
    for row in rows:
        row["lawful"] = _identification(detail) if row["code"] == "identity" else ()
    codes = terms.requirements(hit.confirmed + due) if due else ()
    # What somebody answered though it is not asked for stands among the rest.
    required_rows = [row for row in rows if row["is_asked"] or row["answer"]]
    further = [row for row in rows if row not in required_rows]
    return {
        "checklist_asked": required_rows,
        "checklist_further": further,
        "checklist_further_wrong": any(row.get("error") for row in further),
        "checklist_wrong": sum(1 for row in rows if row.get("error")),
        "checklist_no": [row for row in rows if row["answer"] == "no" and row["by"]],
        "lacking": [
            _("%(text)s, above %(above)s") % {"text": row["text"], "above": row["above"]}
            for row in rows
            if row["code"] in codes and row["answer"] in ("", "na")
        ],
        "checklist_open": sum(1 for row in rows if row["is_open"]),
        "checklist_locked": not checklist.takes_answers(hit) or not may("verify_claim"),
    }


def _identification(detail: ClaimDetail) -> list[str]:
    """From which amounts on the rules of the place ask who a player is."""
    casino = detail.hit.system.casino
    rules = rules_at(casino, today(casino)).of("identification")
    return [in_words(rule, casino.currency) for rule in rules]
