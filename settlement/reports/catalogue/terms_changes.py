"""4: every change of posted terms, field by field, with the two people who decided it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _
from psycopg import sql

from jackpot.storage.stored_terms import parsed
from jackpot.terms.document import JackpotTerms
from settlement.core.report_query import ask, bind
from settlement.core.words.translation import Labels
from settlement.reports.definitions.definition import Definition, Field, Filters, as_query
from settlement.reports.definitions.sources import full_name, span
from settlement.terms.differences import Change, Line, differences
from tables.models import Casino

COLUMNS = (
    Field("system", _("System")),
    Field("jackpot", _("Jackpot"), link="terms"),
    Field("version", _("Version"), "number", note=_("Terms are numbered through the system.")),
    Field("name", _("Name"), note=_("As it is posted.")),
    Field("changed", _("What changed"), note=_("A field of the terms, a row for each.")),
    Field("was", _("Before"), note=_("In the version before; empty: it was not there.")),
    Field("is_now", _("After"), note=_("In this version; empty: it is not there any more.")),
    Field("entry", _("In effect from sequence no."), "number", link="entry"),
    Field(
        "at", _("In effect from"), "local", note=_("When that entry was recorded in the sequence.")
    ),
    Field("proposed_by", _("Proposed by"), note=_("The first person.")),
    Field("agreed_by", _("Agreed by"), note=_("The second person.")),
    Field("agreed_at", _("Agreed at"), "local", note=_("When that person agreed.")),
)
# What rows are ordered and chosen by, beside what they show.
_HIDDEN = (
    Field("line", "", "number"),
    Field("proposed_login", ""),
    Field("agreed_login", ""),
)
_VERSIONS = """
    SELECT s.code AS system, t.jackpot, t.number AS version, t.effective_seq AS entry, n.at,
           t.document ->> 'name' AS name, t.document::text AS document,
           (SELECT b.document::text FROM jackpot_terms b
            WHERE b.system_id = t.system_id AND b.jackpot = t.jackpot AND b.number < t.number
            ORDER BY b.number DESC LIMIT 1) AS document_before,
           d.first AS proposed_login, {first} AS proposed_by, d.issued_at AS agreed_at,
           {second} AS agreed_by, d.second AS agreed_login
    FROM {span} AS span
    JOIN tables_jackpotsystem s ON s.id = span.system_id
    JOIN jackpot_terms t ON t.system_id = span.system_id
         AND t.effective_seq >= span.first_seq AND t.effective_seq < span.end_seq
    JOIN jackpot_entry n ON (n.system_id, n.seq) = (t.system_id, t.effective_seq)
    LEFT JOIN jackpot_command d ON (d.system_id, d.number) = (n.system_id, n.command)
    ORDER BY s.code, t.number
"""
# What stands beside the posted terms, and is part of their document.
_STANDING = Labels(
    {
        "suspended": _("Suspended prizes"),
        "suspended_tables": _("Suspended tables"),
        "closed": _("Closed prizes"),
        "moved": _("Tables that moved away"),
    }
)


def versions(filters: Filters) -> list[dict[str, Any]]:
    """Each version that came into effect in these days, with its document and the one before."""
    people = {"first": full_name("d.first"), "second": full_name("d.second")}
    return ask(bind(_VERSIONS, span=span(filters), **people))


def _changes(version: Mapping[str, Any], casino: Casino) -> list[Line]:
    """What differs from the version before; of the first version that there was none."""
    after = parsed(version["document"])
    if version["document_before"] is None:
        return [Line(gettext("All: these are the first terms of this jackpot"), None, None)]
    before = parsed(version["document_before"])
    lines = [each for each in differences(before, after, casino) if each.state != Change.SAME]
    for name, label in _STANDING.items():
        line = Line(label, _standing(before, name), _standing(after, name))
        if line.state != Change.SAME:
            lines.append(line)
    return lines or [Line(gettext("Nothing: the same terms again"), None, None)]


def _standing(terms: JackpotTerms, name: str) -> str:
    """Codes of prizes or tables, with where they went."""
    codes = getattr(terms, name)
    if isinstance(codes, dict):
        return ", ".join(f"{code}: {to}" for code, to in codes.items()) or gettext("None")
    return ", ".join(codes) or gettext("None")


def _query(filters: Filters) -> sql.Composed:
    rows = [
        {
            **{name: text for name, text in version.items() if not name.startswith("document")},
            "line": number,
            "changed": line.label,
            "was": line.before,
            "is_now": line.after,
        }
        for version in versions(filters)
        for number, line in enumerate(_changes(version, filters.casino), start=1)
    ]
    return as_query((*COLUMNS, *_HIDDEN), rows)


REPORT = Definition(
    number=4,
    code="terms-changes",
    title=_("Changes of terms"),
    question=_("What changed in the posted terms, and which two people decided it?"),
    columns=COLUMNS,
    is_final=True,
    order="system, version, line",
    query=_query,
    compared={"jackpot": "jackpot", "person": ("proposed_login", "agreed_login")},
    rules=("19.5",),
)
