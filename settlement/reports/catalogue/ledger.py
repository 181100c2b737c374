"""18: every transfer of the books, as it stands there."""

from __future__ import annotations

from django.utils.translation import gettext_noop as _
from psycopg import sql

from jackpot.models import Account
from settlement.core.report_query import bind
from settlement.core.sequence_at import first_transfers
from settlement.core.words.labels import AccountNames
from settlement.core.words.translation import Labels
from settlement.reports.definitions.definition import Definition, Field, Filters
from tables.models import JackpotSystem

REASONS = Labels(
    {
        "opening": _("Opening"),
        "contribution": _("Contribution"),
        "hold": _("Reserved for a claim"),
        "release": _("Returned from a claim"),
        "reset": _("Reset"),
        "prize": _("Fixed prize"),
        "cover": _("Covered by the operator"),
        "rounding": _("Rounding"),
        "confirm": _("Confirmed"),
        "closing": _("Prize closed"),
        "payment": _("Payment"),
        "withholding": _("Tax withheld"),
        "remittance": _("Tax remitted"),
        "adjustment": _("Adjustment"),
        "reversal": _("Reversal"),
        "forfeit": _("Forfeit"),
        "unclaimed": _("Unclaimed"),
        "claimed": _("Claimed after all"),
    }
)
# Accounts by their codes, without a join: rows come in the order of the index.
_QUERY = """
    SELECT {code} AS system, t.number, t.entry_seq AS entry, {debit} AS debit, {credit} AS credit,
           t.amount, t.debit_after, t.credit_after, t.reason, t.hit AS claim,
           {debit_tier} AS debit_tier, {credit_tier} AS credit_tier,
           {debit_jackpot} AS debit_jackpot, {credit_jackpot} AS credit_jackpot
    FROM jackpot_transfer t
    WHERE t.system_id = {system} AND t.number >= {first} AND t.number < {end}
"""


def _query(filters: Filters) -> list[sql.Composed]:
    return [_of_system(each, filters) for each in filters.systems]


def _of_system(system: JackpotSystem, filters: Filters) -> sql.Composed:
    first, end = first_transfers(system.pk, [filters.start, filters.end])
    accounts = Account.objects.filter(system=system).values_list("pk", "code", "tier__jackpot")
    codes = {key: code for key, code, _jackpot in accounts}
    tiers = {key: code.rpartition(":")[0] for key, code in codes.items()}
    jackpots = {key: jackpot or "" for key, _code, jackpot in accounts}
    return bind(
        _QUERY,
        code=system.code,
        debit=_by_account("debit_id", codes),
        credit=_by_account("credit_id", codes),
        debit_tier=_by_account("debit_id", tiers),
        credit_tier=_by_account("credit_id", tiers),
        debit_jackpot=_by_account("debit_id", jackpots),
        credit_jackpot=_by_account("credit_id", jackpots),
        system=system.pk,
        first=first,
        end=end,
    )


def _by_account(side: str, texts: dict[int, str]) -> sql.Composed | None:
    """The text of the account on that side of a transfer."""
    if not texts:
        return None
    cases = [bind("WHEN {key} THEN {text}", key=key, text=text) for key, text in texts.items()]
    return bind(
        "CASE {side} {cases} END",
        side=sql.Identifier("t", side),
        cases=sql.SQL(" ").join(cases),
    )


REPORT = Definition(
    number=18,
    code="ledger",
    title=_("General ledger"),
    question=_("Which amount went from which account to which, with both balances after it?"),
    columns=(
        Field("system", _("System"), "code"),
        Field("number", _("Transfer"), "number", note=_("Numbered without a gap in each system.")),
        Field(
            "entry",
            _("Sequence no."),
            "number",
            note=_("The sequence number of the transaction."),
        ),
        Field(
            "debit", _("Debit"), "code", words=AccountNames(), note=_("The account that gives it.")
        ),
        Field(
            "credit", _("Credit"), "code", words=AccountNames(), note=_("The account that gets it.")
        ),
        Field("amount", _("Amount"), "money", is_summed=True, note=_("Always above zero.")),
        Field("debit_after", _("Debit account after"), "money", note=_("Its balance after it.")),
        Field("credit_after", _("Credit account after"), "money", note=_("Its balance after it.")),
        Field("reason", _("Reason"), "code", words=REASONS, note=_("Why it moved.")),
        Field("claim", _("Claim"), "number", link="claim"),
    ),
    is_final=True,
    order="system, number",
    query=_query,
    compared={
        "jackpot": ("debit_jackpot", "credit_jackpot"),
        "tier": ("debit_tier", "credit_tier"),
        "entry": "entry",
    },
    rules=("19.8", "19.14(b)"),
    is_long=True,
)
