"""4: every change of posted terms, with the two people who decided it."""

from django.utils.translation import gettext_noop as _
from psycopg import sql

from settlement.core.report_query import bind
from settlement.reports.definition import Definition, Field, Filters
from settlement.reports.sources import named, span

_QUERY = """
    SELECT s.code AS system, t.jackpot, t.number AS version, t.effective_seq AS entry, n.at,
           t.document ->> 'name' AS name, d.first AS proposed_login, {first} AS proposed_by,
           d.issued_at AS agreed_at, {second} AS agreed_by,
           d.second AS agreed_login
    FROM {span} AS span
    JOIN tables_jackpotsystem s ON s.id = span.system_id
    JOIN jackpot_terms t ON t.system_id = span.system_id
         AND t.effective_seq >= span.first_seq AND t.effective_seq < span.end_seq
    JOIN jackpot_entry n ON (n.system_id, n.seq) = (t.system_id, t.effective_seq)
    LEFT JOIN jackpot_command d ON (d.system_id, d.number) = (n.system_id, n.command)
"""


def _query(filters: Filters) -> sql.Composed:
    return bind(_QUERY, span=span(filters), first=named("d.first"), second=named("d.second"))


REPORT = Definition(
    number=4,
    code="terms-changes",
    title=_("Changes of terms"),
    question=_("Which terms came into effect, where, and which two people decided it?"),
    columns=(
        Field("system", _("System")),
        Field("jackpot", _("Jackpot")),
        Field("version", _("Version"), "number"),
        Field("name", _("Name")),
        Field("entry", _("In effect from entry"), "number"),
        Field("at", _("In effect from"), "local"),
        Field("proposed_by", _("Proposed by")),
        Field("agreed_by", _("Agreed by")),
        Field("agreed_at", _("Agreed at"), "local"),
    ),
    order="system, version",
    query=_query,
    compared={"jackpot": "jackpot", "person": ("proposed_login", "agreed_login")},
)
