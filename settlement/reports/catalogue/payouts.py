"""7: the register of payouts, with all who took part and the slips."""

from django.utils.translation import gettext_noop as _
from psycopg import sql

from settlement.core.report_query import bind
from settlement.core.translation import Labels
from settlement.payments.register import payout_register
from settlement.reports.definition import Definition, Field, Filters

WORDS = Labels({"payout": _("Payout"), "reversal": _("Reversal: recovered")})
_QUERY = """
    SELECT p.*, CASE WHEN what = 'payout' THEN
               (SELECT count(*) FROM settlement_slipprint sp WHERE sp.payout_id = p.id) END AS slips
    FROM ({register}) AS p
"""


def _query(filters: Filters) -> sql.Composed:
    register = payout_register(filters.casino, filters.days, filters.codes.get("system", ""))
    return bind(_QUERY, register=register.query)


REPORT = Definition(
    number=7,
    code="payouts",
    title=_("Payout register and slips"),
    question=_("What was paid, in which parts, and who took part in each payment?"),
    columns=(
        Field("system", _("System")),
        Field("claim", _("Claim"), "number"),
        Field("entry_seq", _("Entry"), "number"),
        Field("at", _("Paid at"), "local"),
        Field("table_code", _("Table")),
        Field("seat", _("Seat"), "number"),
        Field("role", _("Role")),
        Field("tier", _("Prize")),
        Field("what", _("What"), words=WORDS),
        Field("amount_micros", _("Amount"), "money", is_summed=True),
        Field("chips_micros", _("Chips"), "money", is_summed=True),
        Field("cash_micros", _("Cash"), "money", is_summed=True),
        Field("equivalent_micros", _("Equivalent"), "money", is_summed=True),
        Field("tax_micros", _("Tax withheld"), "money", is_summed=True),
        Field("verified_by", _("Verified by")),
        Field("approved_by", _("Approved by")),
        Field("confirmed_by", _("Confirmed by")),
        Field("paid_by", _("Paid by")),
        Field("proposed_by", _("Reversal proposed by")),
        Field("agreed_by", _("Reversal agreed by")),
        Field("slips", _("Slips printed"), "number"),
    ),
    order="at, id",
    query=_query,
    compared={"tier": "tier", "table": "table_code"},
)
