"""8: what each cashier handed over, by day and method."""

from django.utils.translation import gettext_noop as _
from psycopg import sql

from settlement.core.report_query import bind
from settlement.reports.definition import Definition, Field, Filters
from settlement.reports.sources import day_of, named, systems

_QUERY = """
    SELECT {day} AS day, s.code AS system, p.cashier AS cashier_login, {cashier} AS cashier,
           count(*) AS payments, sum(p.chips)::bigint AS chips, sum(p.cash)::bigint AS cash,
           sum(p.equivalent)::bigint AS equivalent, sum(p.tax)::bigint AS tax,
           sum(p.amount)::bigint AS amount
    FROM settlement_payout p
    JOIN settlement_claim k ON k.id = p.claim_id
    JOIN tables_jackpotsystem s ON s.id = k.system_id
    JOIN tables_casino c ON c.id = s.casino_id
    WHERE k.system_id = ANY({systems}::bigint[]) AND p.at >= {start} AND p.at < {end}
    GROUP BY 1, 2, 3
"""


def _query(filters: Filters) -> sql.Composed:
    return bind(
        _QUERY,
        day=day_of("p.at"),
        cashier=named("p.cashier"),
        systems=systems(filters),
        start=filters.start,
        end=filters.end,
    )


REPORT = Definition(
    number=8,
    code="payments-by-method",
    title=_("Payments by method and cashier"),
    question=_("What did each cashier hand over, in which way, and how much tax was withheld?"),
    columns=(
        Field("day", _("Gaming day"), "day"),
        Field("system", _("System")),
        Field("cashier", _("Cashier")),
        Field("payments", _("Payments"), "number", is_summed=True),
        Field("chips", _("Chips"), "money", is_summed=True),
        Field("cash", _("Cash"), "money", is_summed=True),
        Field("equivalent", _("Equivalent"), "money", is_summed=True),
        Field("tax", _("Tax withheld"), "money", is_summed=True),
        Field("amount", _("Amount"), "money", is_summed=True),
    ),
    order="day, system, cashier",
    query=_query,
    compared={"person": "cashier_login"},
)
