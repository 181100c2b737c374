"""15: what nobody came for, what was forfeited, and funds that went elsewhere."""

from django.utils.translation import gettext_noop as _
from psycopg import sql

from settlement.core.labels import ENTRIES
from settlement.core.report_query import bind
from settlement.reports.definition import Definition, Field, Filters
from settlement.reports.sources import named, span

_REASONS = ["unclaimed", "forfeit", "closing", "reversal"]
_QUERY = """
    SELECT s.code AS system, n.seq AS entry, n.at, n.type AS what, o.code AS debit,
           i.code AS credit, t.amount, n.hit AS claim, {first} AS proposed_by,
           {second} AS agreed_by
    FROM {span} AS span
    JOIN tables_jackpotsystem s ON s.id = span.system_id
    JOIN jackpot_transfer t ON t.system_id = span.system_id
         AND t.number >= span.first_transfer AND t.number < span.end_transfer
         AND t.reason <> 'contribution'
    JOIN jackpot_account o ON o.id = t.debit_id
    JOIN jackpot_account i ON i.id = t.credit_id
    JOIN jackpot_entry n ON (n.system_id, n.seq) = (t.system_id, t.entry_seq)
    LEFT JOIN jackpot_command d ON (d.system_id, d.number) = (n.system_id, n.command)
    WHERE 'unclaimed' IN (o.code, i.code) OR t.reason = ANY({reasons})
"""


def _query(filters: Filters) -> sql.Composed:
    return bind(
        _QUERY,
        span=span(filters),
        reasons=_REASONS,
        first=named("d.first"),
        second=named("d.second"),
    )


REPORT = Definition(
    number=15,
    code="unclaimed",
    title=_("Unclaimed and transferred funds"),
    question=_(
        "Which prizes were not collected, what was forfeited, and which funds went elsewhere?"
    ),
    columns=(
        Field("system", _("System")),
        Field("entry", _("Entry"), "number"),
        Field("at", _("Time"), "local"),
        Field("what", _("What"), words=ENTRIES),
        Field("debit", _("From")),
        Field("credit", _("To")),
        Field("amount", _("Amount"), "money", is_summed=True),
        Field("claim", _("Claim"), "number"),
        Field("proposed_by", _("First person")),
        Field("agreed_by", _("Second person")),
    ),
    order="system, entry, debit, credit",
    query=_query,
)
