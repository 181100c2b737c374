"""What boxes of forms are filled with: facts of a payment, its gaming day and who files.

Names of facts are those of `settlement.jurisdiction.layouts`. A fact that nobody knows is empty,
and its box is filled in by hand.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables

from jackpot.labels.claim_names import claim_name
from jackpot.terms.money import MICROS, format_micros
from settlement.claims.detail import ClaimDetail, detail_of
from settlement.core.gaming_day import day_of
from settlement.core.words.countries import country_name
from settlement.evidence.identification import PlayerIdentity
from settlement.jurisdiction.filers import Filer
from settlement.jurisdiction.forms_due import FormDue
from settlement.jurisdiction.layouts import Layout
from settlement.jurisdiction.recipients import PaidOut
from settlement.models import Identification, Payout
from settlement.payments.slips import number_of
from settlement.people.rights.permissions import names_of


@dataclass(frozen=True, slots=True)
class Style:
    """How a form writes amounts and dates, and the casino's zone."""

    dates: str
    amounts: str
    digits: int
    zone: ZoneInfo

    @classmethod
    def of(cls, layout: Layout, payout: Payout) -> Style:
        casino = payout.claim.system.casino
        zone = ZoneInfo(casino.timezone)
        return cls(layout.dates, layout.amounts, casino.minor_digits, zone)

    def money(self, micros: int) -> str:
        if self.amounts == "whole_up":
            return f"{-(-micros // MICROS):,}"
        return format_micros(micros, self.digits)

    def day(self, day: dt.date) -> str:
        return day.strftime(self.dates)

    def instant(self, at: dt.datetime) -> str:
        local = at.astimezone(self.zone)
        return f"{self.day(local.date())} {local:%H:%M}"


@dataclass(frozen=True, slots=True)
class Payment:
    """A payment with the claim that it is of, and what of it counts for the form."""

    payout: Payout
    detail: ClaimDetail
    part: PaidOut


def payments_of(due: FormDue) -> list[Payment]:
    """Those that count for a form, in their order."""
    numbers = [each.payout for each in due.payouts]
    rows = Payout.objects.select_related("claim__system__casino").in_bulk(numbers)
    claims = {each.claim_id: each.claim for each in rows.values()}
    details = {number: detail_of(claim) for number, claim in claims.items()}
    parts = sorted(due.payouts, key=lambda part: part.payout)
    return [Payment(rows[each.payout], details[rows[each.payout].claim_id], each) for each in parts]


def facts_of(
    due: FormDue, payment: Payment, payments: Sequence[Payment], filer: Filer, style: Style
) -> dict[str, str]:
    """Every fact but who the player is; `payment`: of those that count, the one from which the form
    is drafted."""
    slips = [number_of(each.payout) for each in payments]
    return {
        **_filing(filer),
        **_payment(payment, due, slips, style),
        **_day(due, payment.payout, style),
        "casino.currency": payment.payout.claim.system.casino.currency,
    }


@sensitive_variables()
def person_facts(player: PlayerIdentity, style: Style) -> dict[str, str]:
    document = str(dict(Identification.Document.choices)[player.document])
    return {
        "person.name": player.name,
        "person.born": style.day(player.born),
        "person.document": document,
        "person.document_number": player.document_number,
        "person.identification": f"{document} {player.document_number}",
        "person.tax_number": player.tax_number,
        "person.address": player.address,
        "person.country": country_name(player.country),
        "person.country_code": player.country,
    }


def rows_of(payments: Sequence[Payment], style: Style) -> list[dict[str, str]]:
    """The payments of a table."""
    return [
        {
            "slip": number_of(each.payout),
            "at": style.instant(each.payout.at),
            "prize": each.detail.prize,
            "amount": style.money(each.part.amount),
            "cash": style.money(each.part.cash),
        }
        for each in payments
    ]


def _filing(filer: Filer) -> dict[str, str]:
    names = ("name", "trade_name", "address", "place", "region", "country", "tax_number")
    more = ("region_number", "phone", "contact")
    return {f"filer.{name}": getattr(filer, name) for name in (*names, *more)}


def _payment(payment: Payment, due: FormDue, slips: Sequence[str], style: Style) -> dict[str, str]:
    payout, hit = payment.payout, payment.detail.hit
    casino = payout.claim.system.casino
    percent = due.rule.withholding_percent
    return {
        "payment.amount": style.money(payment.part.amount),
        "payment.withheld": style.money(payment.part.tax),
        "payment.day": style.day(day_of(payout.at, casino)),
        "payment.date": style.day(payout.at.astimezone(style.zone).date()),
        "payment.won_on": style.day(hit.at.astimezone(style.zone).date()),
        "payment.slip": number_of(payout),
        "payment.cashier": names_of([payout.cashier])[payout.cashier],
        "prize.name": payment.detail.prize,
        "prize.won": style.money(due.winnings),
        "prize.paid": style.money(due.total),
        "prize.withheld": style.money(due.tax),
        "prize.slips": _slips(slips),
        "prize.claim": claim_name(hit.system.code, hit.number),
        "rule.percent": "" if percent is None else f"{percent:.2f}",
    }


def _slips(slips: Sequence[str]) -> str:
    """As they have room in a box."""
    if len(slips) < 3:
        return ", ".join(slips)
    return _("%(first)s to %(last)s") % {"first": slips[0], "last": slips[-1]}


def _day(due: FormDue, payout: Payout, style: Style) -> dict[str, str]:
    count = len(due.payouts)
    starts = payout.claim.system.casino.day_starts
    return {
        "day.date": style.day(due.day),
        "day.starts": f"{starts:%H:%M}",
        "day.total": style.money(due.total),
        "day.cash": style.money(due.cash),
        "day.payouts": str(count),
        "day.multiple": _("yes, %(count)s") % {"count": count} if count > 1 else _("no"),
    }
