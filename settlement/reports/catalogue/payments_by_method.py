"""8: what each cashier handed over, by day and method, and what came back."""

from django.utils.translation import gettext_noop as _
from psycopg import sql

from settlement.core.report_query import bind
from settlement.reports.catalogue.payouts import WORDS, payouts_of
from settlement.reports.definitions.definition import Definition, Field, Filters

_QUERY = """
    SELECT day, system, what, cashier_login, paid_by AS cashier, count(*) AS payments,
           sum(chips_micros)::bigint AS chips, sum(cash_micros)::bigint AS cash,
           sum(equivalent_micros)::bigint AS equivalent, sum(tax_micros)::bigint AS tax,
           sum(amount_micros)::bigint AS amount
    FROM ({payouts}) AS p GROUP BY 1, 2, 3, 4, 5
"""


def _query(filters: Filters) -> sql.Composed:
    return bind(_QUERY, payouts=payouts_of(filters))


REPORT = Definition(
    number=8,
    code="payments-by-method",
    title=_("Payments by method and cashier"),
    question=_("What did each cashier hand over, in which way, and how much tax was withheld?"),
    columns=(
        Field("day", _("Gaming day"), "day"),
        Field("system", _("System")),
        Field("what", _("What"), words=WORDS, note=_("What was recovered is below zero.")),
        Field(
            "cashier", _("Cashier"), note=_("Who paid; nobody of the cage where it was recovered.")
        ),
        Field(
            "payments",
            _("Payments"),
            "number",
            is_summed=True,
            note=_("How many; report 7 has each of them."),
            link="report:payouts",
        ),
        Field("chips", _("Chips"), "money", is_summed=True, note=_("Paid in chips.")),
        Field("cash", _("Cash"), "money", is_summed=True, note=_("Paid in cash.")),
        Field(
            "equivalent",
            _("Equivalent"),
            "money",
            is_summed=True,
            note=_("Paid in cash equivalent, such as a cheque."),
        ),
        Field("tax", _("Tax withheld"), "money", is_summed=True, note=_("Kept back of payments.")),
        Field(
            "amount",
            _("Amount"),
            "money",
            is_summed=True,
            note=_("All methods and the tax together."),
            link="report:payouts",
        ),
    ),
    is_final=True,
    order="day, system, what, cashier",
    query=_query,
    compared={"person": "cashier_login"},
    rules=("19.15",),
)
