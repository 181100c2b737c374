"""15: what nobody came for, what was forfeited, and funds that went elsewhere."""

from django.utils.translation import gettext_noop as _
from psycopg import sql

from settlement.core.report_query import bind
from settlement.core.words.labels import ENTRIES, AccountNames
from settlement.reports.definitions.definition import Definition, Field, Filters
from settlement.reports.definitions.sources import full_name, span

_REASONS = ["unclaimed", "forfeit", "closing", "reversal"]
# Each transfer is once among those to its credit account: along the small index of rare ones.
_QUERY = """
    SELECT s.code AS system, n.seq AS entry, n.at, n.type AS what, o.code AS debit,
           i.code AS credit, t.amount,
           CASE WHEN o.code = 'unclaimed' THEN -t.amount WHEN i.code = 'unclaimed' THEN t.amount
                ELSE 0 END AS unclaimed,
           n.hit AS claim, ti.jackpot, ti.code AS tier, {first} AS proposed_by,
           {second} AS agreed_by, d.first AS proposed_login, d.second AS agreed_login
    FROM {span} AS span
    JOIN tables_jackpotsystem s ON s.id = span.system_id
    JOIN jackpot_account i ON i.system_id = span.system_id
    CROSS JOIN LATERAL (
        SELECT * FROM jackpot_transfer t
        WHERE t.credit_id = i.id AND t.number >= span.first_transfer
          AND t.number < span.end_transfer AND t.reason <> 'contribution'
    ) AS t
    JOIN jackpot_account o ON o.id = t.debit_id
    JOIN jackpot_entry n ON (n.system_id, n.seq) = (t.system_id, t.entry_seq)
    LEFT JOIN jackpot_command d ON (d.system_id, d.number) = (n.system_id, n.command)
    LEFT JOIN jackpot_hit h ON (h.system_id, h.number) = (n.system_id, n.hit)
    LEFT JOIN jackpot_tier ti ON ti.id = coalesce(h.tier_id, o.tier_id, i.tier_id)
    WHERE 'unclaimed' IN (o.code, i.code) OR t.reason = ANY({reasons})
"""


def _query(filters: Filters) -> sql.Composed:
    return bind(
        _QUERY,
        span=span(filters),
        reasons=_REASONS,
        first=full_name("d.first"),
        second=full_name("d.second"),
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
        Field("entry", _("Sequence no."), "number", link="entry"),
        Field("at", _("Time"), "local", note=_("When it was recorded in the sequence.")),
        Field("what", _("What"), words=ENTRIES, note=_("What was decided.")),
        Field("debit", _("From"), words=AccountNames(), note=_("The account that gave it.")),
        Field("credit", _("To"), words=AccountNames(), note=_("The account that got it.")),
        Field("amount", _("Amount"), "money", is_summed=True, note=_("Of this transfer.")),
        Field(
            "unclaimed",
            _("Unclaimed by it"),
            "money",
            is_summed=True,
            note=_(
                "By how much it changed what is unclaimed: report 12 has the balance of each day."
            ),
            link="report:liability",
        ),
        Field("claim", _("Claim"), "number", link="claim"),
        Field("jackpot", _("Jackpot")),
        Field("tier", _("Prize"), link="pool"),
        Field("proposed_by", _("First person"), note=_("Who decided it, or proposed it.")),
        Field("agreed_by", _("Second person"), note=_("Who agreed to it.")),
    ),
    is_final=True,
    order="system, entry, debit, credit",
    query=_query,
    compared={
        "jackpot": "jackpot",
        "tier": "tier",
        "person": ("proposed_login", "agreed_login"),
    },
    rules=("19.15", "19.12"),
)
