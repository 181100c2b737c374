"""Who shares a prize, as the order divided it among seats: the rows of a form that names them all.

The console knows of nobody else with whom a player shares: such rows are filled in by hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables

from jackpot.hits.columns import PayeeLine
from jackpot.hits.states import PayeeState
from settlement.evidence.identification import PlayerIdentity
from settlement.jurisdiction.forms_due import FormDue
from settlement.models import Payout
from settlement.payments.form_facts import Payment, Style

_HUNDREDTH = Decimal("0.01")


def shares_of(due: FormDue, payment: Payment, zone: ZoneInfo) -> dict[int, int]:
    """By seat what it won of the prize, in micros; of a form of one year, what was paid to it in
    that year. Nothing where one seat has it all."""
    if due.is_of_year:
        shares = _paid_in_year(payment, zone)
    else:
        shares = {}
        for line in payment.detail.hit.payee_lines:
            shares[line.seat] = shares.get(line.seat, 0) + _won(line)
    shares = {seat: won for seat, won in sorted(shares.items()) if won}
    return shares if len(shares) > 1 else {}


def _won(line: PayeeLine) -> int:
    """As `won` of the database's paid_to_players counts it: of what was forfeited, what was paid;
    nothing of what was reversed before anything was."""
    if line.state == PayeeState.FORFEITED:
        return line.paid
    return 0 if line.state == PayeeState.REVERSED and not line.payments else line.amount


def _paid_in_year(payment: Payment, zone: ZoneInfo) -> dict[int, int]:
    year = payment.payout.at.astimezone(zone).year
    shares: dict[int, int] = {}
    for payout in Payout.objects.filter(claim=payment.payout.claim):
        if payout.at.astimezone(zone).year == year:
            shares[payout.seat] = shares.get(payout.seat, 0) + payout.amount
    return shares


@sensitive_variables()
def sharer_rows(
    shares: Mapping[int, int], players: Mapping[int, PlayerIdentity], style: Style
) -> list[dict[str, str]]:
    """A row for each seat, the lowest first; who it is stands there where somebody identified them.
    `share`: percent of what all of them won."""
    together = sum(shares.values())
    rows = []
    for seat, won in shares.items():
        player = players.get(seat)
        percent = (Decimal(won * 100) / together).quantize(_HUNDREDTH, ROUND_HALF_UP)
        unknown = _("seat %(seat)s, not identified") % {"seat": seat}
        rows.append(
            {
                "seat": str(seat),
                "name": player.name if player else unknown,
                "tax_number": player.tax_number if player else "",
                "address": player.address if player else "",
                "won": style.money(won),
                "share": f"{percent}%",
            }
        )
    return rows
