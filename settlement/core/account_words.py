"""Accounts of the ledger as people read them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from django.utils.translation import gettext_noop as _

from settlement.core.translation import Labels

SYSTEM = Labels(
    {
        "operator": _("Operator"),
        "pot": _("Pots"),
        "commission": _("Commission"),
        "drop": _("Drop"),
        "rounding": _("Operator, rounding"),
        "payable": _("Confirmed, not paid out"),
        "paid_chips": _("Paid in chips"),
        "paid_cash": _("Paid in cash"),
        "paid_equivalent": _("Paid in cash equivalent"),
        "withheld_tax": _("Withheld tax, not remitted"),
        "remitted_tax": _("Withheld tax, remitted"),
        "adjustments": _("From closed prizes"),
        "unclaimed": _("Unclaimed"),
        "to_return": _("To be returned to players"),
    }
)
OF_PRIZE = Labels(
    {
        "pool": _("%(prize)s: prize pool"),
        "reserve": _("%(prize)s: reserve"),
        "overflow": _("%(prize)s: overflow"),
        "held": _("%(prize)s: reserved for claims"),
    }
)


def account_name(code: str) -> str:
    """What an account is called; a code without words, as it stands.

    >>> account_name("royal:pool"), account_name("pot"), account_name("x")
    ('royal: prize pool', 'Pots', 'x')
    """
    prize, _colon, kind = code.rpartition(":")
    if prize and kind in OF_PRIZE:
        return OF_PRIZE[kind] % {"prize": prize}
    return SYSTEM.get(code, code)


class AccountNames(Mapping[str, str]):
    """The same as a mapping: words of a column."""

    def __getitem__(self, code: str) -> str:
        return account_name(code)

    def __iter__(self) -> Iterator[str]:
        return iter(SYSTEM)

    def __len__(self) -> int:
        return len(SYSTEM)
