"""4: every change of posted terms, with the two people who decided it."""

from django.utils.translation import gettext_noop as _
from psycopg import sql

from settlement.core.report_query import bind
from settlement.reports.definition import Definition, Field, Filters
from settlement.reports.sources import named, span

# What changed: the parts of the document that differ from the version before, by their names.
_QUERY = """
    SELECT s.code AS system, t.jackpot, t.number AS version, t.effective_seq AS entry, n.at,
           n.type AS kind, t.document ->> 'name' AS name, changed.parts AS changed,
           d.first AS proposed_login, {first} AS proposed_by, d.issued_at AS agreed_at,
           {second} AS agreed_by, d.second AS agreed_login
    FROM {span} AS span
    JOIN tables_jackpotsystem s ON s.id = span.system_id
    JOIN jackpot_terms t ON t.system_id = span.system_id
         AND t.effective_seq >= span.first_seq AND t.effective_seq < span.end_seq
    JOIN jackpot_entry n ON (n.system_id, n.seq) = (t.system_id, t.effective_seq)
    LEFT JOIN jackpot_command d ON (d.system_id, d.number) = (n.system_id, n.command)
    LEFT JOIN LATERAL (
        SELECT b.document FROM jackpot_terms b
        WHERE b.system_id = t.system_id AND b.jackpot = t.jackpot AND b.number < t.number
        ORDER BY b.number DESC LIMIT 1
    ) AS before ON true
    LEFT JOIN LATERAL (
        SELECT string_agg(key, ', ' ORDER BY key) AS parts
        FROM jsonb_each(t.document) AS now (key, value)
        WHERE before.document IS NOT NULL AND before.document -> key IS DISTINCT FROM value
    ) AS changed ON true
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
        Field("jackpot", _("Jackpot"), link="terms"),
        Field("version", _("Version"), "number", note=_("Terms are numbered through the system.")),
        Field("name", _("Name"), note=_("As it is posted.")),
        Field(
            "changed",
            _("Changed parts"),
            note=_(
                "Parts of the document that differ from the version before; empty for the first."
            ),
        ),
        Field("entry", _("In effect from entry"), "number", link="entry"),
        Field("at", _("In effect from"), "local", note=_("When that entry took its place.")),
        Field("proposed_by", _("Proposed by"), note=_("The first person.")),
        Field("agreed_by", _("Agreed by"), note=_("The second person.")),
        Field("agreed_at", _("Agreed at"), "local", note=_("When that person agreed.")),
    ),
    order="system, version",
    query=_query,
    compared={"jackpot": "jackpot", "person": ("proposed_login", "agreed_login")},
    rules=("19.5",),
)
