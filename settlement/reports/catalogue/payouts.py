"""7: the register of payouts, with all who took part and the slips."""

from django.utils.translation import gettext_noop as _
from psycopg import sql

from settlement.core.report_query import bind
from settlement.core.words.translation import Labels
from settlement.payments.register import Chosen, payout_register
from settlement.reports.definitions.definition import Definition, Field, Filters
from settlement.reports.definitions.sources import day_of, name_of

WORDS = Labels({"payout": _("Payout"), "reversal": _("Recovered by a reversal")})
# A slip is numbered by what it is for, as `settlement.payments.slips` does.
_QUERY = """
    SELECT r.*, {day} AS day, ti.jackpot, po.cashier AS cashier_login,
           upper(r.system) || '-' || r.claim || '-' || po.line || '-' || po.part AS slip,
           CASE WHEN po.id IS NOT NULL THEN slips.prints END AS slips,
           slips.first_at AS slip_at, {printer} AS slip_by
    FROM ({register}) AS r
    JOIN tables_jackpotsystem s ON s.casino_id = {casino} AND s.code = r.system
    JOIN tables_casino c ON c.id = s.casino_id
    LEFT JOIN jackpot_tier ti ON (ti.system_id, ti.code) = (s.id, r.tier)
    LEFT JOIN settlement_payout po ON r.what = 'payout' AND po.id = r.id
    LEFT JOIN LATERAL (
        SELECT count(*) AS prints, min(p.at) AS first_at,
               min(p.person_id) FILTER (WHERE p.copy = 0) AS person_id
        FROM settlement_slipprint p WHERE p.payout_id = po.id
    ) AS slips ON true
"""


def payouts_of(filters: Filters) -> sql.Composed:
    """Every payment and what was recovered, a row each."""
    chosen = Chosen(person=filters.codes.get("person", ""))
    system = filters.codes.get("system", "")
    register = payout_register(filters.casino, filters.days, system, chosen)
    return bind(
        _QUERY,
        register=register.query,
        casino=filters.casino.pk,
        day=day_of("r.at"),
        printer=name_of("slips.person_id"),
    )


REPORT = Definition(
    number=7,
    code="payouts",
    title=_("Payout register and slips"),
    question=_("What was paid, in which parts, and who took part in each payment?"),
    columns=(
        Field("day", _("Gaming day"), "day"),
        Field("system", _("System")),
        Field("claim", _("Claim"), "number", link="claim"),
        Field(
            "entry_seq",
            _("Sequence no."),
            "number",
            note=_("The sequence number at which it was carried out."),
            link="entry",
        ),
        Field("at", _("Paid at"), "local", note=_("Or recovered.")),
        Field("table_code", _("Table"), link="table"),
        Field("seat", _("Seat"), "number", note=_("Of the payee.")),
        Field("role", _("Role"), note=_("In which capacity the seat has a part in the prize.")),
        Field("jackpot", _("Jackpot")),
        Field("tier", _("Prize"), link="pool"),
        Field("what", _("What"), words=WORDS, note=_("What was recovered is below zero.")),
        Field(
            "amount_micros",
            _("Amount"),
            "money",
            is_summed=True,
            note=_("Of this payment: chips, cash, equivalent and the tax that was withheld."),
            link="claim",
        ),
        Field("chips_micros", _("Chips"), "money", is_summed=True, note=_("Paid in chips.")),
        Field("cash_micros", _("Cash"), "money", is_summed=True, note=_("Paid in cash.")),
        Field(
            "equivalent_micros",
            _("Equivalent"),
            "money",
            is_summed=True,
            note=_("Paid in cash equivalent, such as a cheque."),
        ),
        Field(
            "tax_micros",
            _("Tax withheld"),
            "money",
            is_summed=True,
            note=_("Kept back of this payment for the tax office."),
        ),
        Field("verified_by", _("Verified by"), note=_("Before the confirmation of this part.")),
        Field("approved_by", _("Approved by"), note=_("The first of two managers, above a limit.")),
        Field("confirmed_by", _("Confirmed by"), note=_("Who confirmed the line that was paid.")),
        Field("paid_by", _("Paid by"), note=_("The cashier.")),
        Field("proposed_by", _("Reversal proposed by"), note=_("Of what was recovered.")),
        Field("agreed_by", _("Reversal agreed by"), note=_("The second person.")),
        Field(
            "slip", _("Slip"), note=_("Its number: system, claim, payee's line and payment of it.")
        ),
        Field("slips", _("Slips printed"), "number", note=_("The original and all copies.")),
        Field("slip_at", _("First printed"), "local", note=_("The original.")),
        Field("slip_by", _("Printed by"), note=_("Who printed the original.")),
    ),
    order="at, id",
    query=payouts_of,
    compared={
        "jackpot": "jackpot",
        "tier": "tier",
        "table": "table_code",
        "person": (),  # the register knows all who took part
        "least": "amount_micros",
        "most": "amount_micros",
    },
    rules=("19.12", "19.15"),
)
