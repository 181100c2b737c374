"""Who shares a prize: the rows of a form that names them all.

Where sharers who sat nowhere are named for the seat that is paid, they and its player are; else the
seats among which the order divided the prize.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables

from jackpot.hits.columns import PayeeLine
from jackpot.hits.states import PayeeState
from settlement.core.gaming_day import day_of
from settlement.evidence.identification import PlayerIdentity
from settlement.jurisdiction.forms_due import FormDue
from settlement.jurisdiction.recipients import sharer_parts
from settlement.models import Payout
from settlement.payments.form_facts import Payment, Style

_HUNDREDTH = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Place:
    """Where somebody who shares a prize is known from: a seat, or the number of a sharer."""

    seat: int
    sharer: int = 0


@dataclass(frozen=True, slots=True)
class Share:
    """What somebody won of a prize, in micros."""

    place: Place
    won: int


def shares_of(due: FormDue, payment: Payment, zone: ZoneInfo) -> list[Share]:
    """What each won of the prize; of a form of one year, what was paid for each in that year.
    Nothing where one seat has it all."""
    shares = _of_sharers(due, payment, zone) if due.is_shared else _of_seats(due, payment, zone)
    shares = [each for each in shares if each.won]
    return shares if len(shares) > 1 else []


def _of_sharers(due: FormDue, payment: Payment, zone: ZoneInfo) -> list[Share]:
    """The player of the seat with what is left, then the sharers."""
    payout = payment.payout
    casino, year = payout.claim.system.casino, payout.at.astimezone(zone).year
    day = day_of(payout.at, casino)
    won: dict[int, int] = {}
    for part in sharer_parts(casino, day, day, ""):
        number = part.paid.sharer
        if (part.claim, part.seat) != (payout.claim_id, payout.seat):
            continue
        if not due.is_of_year:
            won[number] = part.paid.won
        elif part.at.astimezone(zone).year == year:
            won[number] = won.get(number, 0) + part.paid.amount
    own = due.winnings - sum(won.values())
    sharers = [Share(Place(0, number), part) for number, part in won.items()]
    return [Share(Place(payout.seat), own), *sharers]


def _of_seats(due: FormDue, payment: Payment, zone: ZoneInfo) -> list[Share]:
    if due.is_of_year:
        shares = _paid_in_year(payment, zone)
    else:
        shares = {}
        for line in payment.detail.hit.payee_lines:
            shares[line.seat] = shares.get(line.seat, 0) + _won(line)
    return [Share(Place(seat), won) for seat, won in sorted(shares.items())]


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
    shares: Sequence[Share], players: Mapping[Place, PlayerIdentity], style: Style
) -> list[dict[str, str]]:
    """A row for each, in their order; who it is stands there where somebody identified them.
    `share`: percent of what all of them won."""
    together = sum(each.won for each in shares)
    rows = []
    for each in shares:
        player = players.get(each.place)
        percent = (Decimal(each.won * 100) / together).quantize(_HUNDREDTH, ROUND_HALF_UP)
        unknown = _("seat %(seat)s, not identified") % {"seat": each.place.seat}
        rows.append(
            {
                "seat": str(each.place.seat or ""),
                "name": player.name if player else unknown,
                "tax_number": player.tax_number if player else "",
                "address": player.address if player else "",
                "won": style.money(each.won),
                "share": f"{percent}%",
            }
        )
    return rows
