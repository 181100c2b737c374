"""The commission that the house posts at the tables of a jackpot (8.1, 8.2), as data of the terms.

What it comes to is `rules.commission`'s alone. It moves nothing: what tables report is held
against it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import msgspec
from msgspec import Meta

from rules import commission as rule
from rules.phrases import Phrase

Amount = Annotated[int, Meta(ge=0, le=10**16)]  # micros
Percent = Annotated[int, Meta(ge=rule.LEAST_PERCENTAGE, le=rule.MOST_PERCENTAGE)]  # basis points


class _Form(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class PercentageFee(_Form, frozen=True, kw_only=True, tag="percentage", tag_field="form"):
    """Of the called pot, up to a cap (8.2(a), 8.5, 8.7)."""

    basis_points: Percent
    cap: Amount | None = None
    of_blinds_only: bool = False  # taken although only blinds were bet (8.6)


class HandFee(_Form, frozen=True, kw_only=True, tag="per_hand", tag_field="form"):
    """A set amount for each hand dealt (8.2(b))."""

    amount: Amount


class HourlyFee(_Form, frozen=True, kw_only=True, tag="per_time", tag_field="form"):
    """Of each player by the hour (8.2(c)): nothing of a round."""

    amount_per_hour: Amount


class NoFee(_Form, frozen=True, kw_only=True, tag="none", tag_field="form"):
    """None is taken (8.4)."""


PostedCommission = PercentageFee | HandFee | HourlyFee | NoFee


def rule_of(posted: PostedCommission) -> rule.Commission:
    """The same as the rules know it."""
    match posted:
        case PercentageFee():
            return rule.Percentage(posted.basis_points, posted.cap, posted.of_blinds_only)
        case HandFee():
            return rule.PerHand(posted.amount)
        case HourlyFee():
            return rule.PerTime(posted.amount_per_hour)
        case NoFee():
            return rule.NoCommission()


def is_of_rounds(posted: PostedCommission | None) -> bool:
    """Whether something is taken of a round, so that a prize can have a part of it."""
    return posted is None or isinstance(posted, PercentageFee | HandFee)


def notice(posted: PostedCommission, money: Callable[[int], str]) -> Phrase:
    """The sentence to be posted (8.1); `money` writes an amount of micros."""
    match posted:
        case PercentageFee():
            share = f"{posted.basis_points / 100:g}%"
            rate = Phrase("%(share)s of the called pot", share=share)
            if posted.cap is not None:
                cap = money(posted.cap)
                rate = Phrase("%(taken)s, at most %(cap)s a round", taken=rate, cap=cap)
            if posted.of_blinds_only:
                return Phrase(
                    "Commission: %(taken)s; also where only blinds are bet, and not where equal"
                    " hands contested the pot alone.",
                    taken=rate,
                )
            return Phrase(
                "Commission: %(taken)s; not where only blinds are bet, and not where equal hands"
                " contested the pot alone.",
                taken=rate,
            )
        case HandFee():
            return Phrase("Commission: %(fee)s for each hand dealt.", fee=money(posted.amount))
        case HourlyFee():
            fee = money(posted.amount_per_hour)
            return Phrase("Commission: %(fee)s of each player for an hour.", fee=fee)
        case NoFee():
            return Phrase("Commission: none.")
