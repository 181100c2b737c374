"""How a claim's amount came about, step by step: for slips and dispute bundles. Selectors only.

Worked out by the functions of the fold from what the hit keeps, and held against what it holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from jackpot.domain.state.hits import Holding, hold
from jackpot.hits.columns import PayeeLine
from jackpot.hits.states import OUT
from jackpot.labels.figures import write_amount, write_count, write_exact, write_percent
from jackpot.models import Hit
from jackpot.storage.loading import book_hit
from jackpot.terms.document import JackpotTerms, TierTerms
from jackpot.terms.money import BASIS_POINTS
from settlement.claims.claim_sources import ClaimSources, Confirmation, sources_of
from settlement.core.gaming_day import local_time
from settlement.core.words.rule_words import CAPACITIES

COVERED = gettext_noop(
    "Covered by the operator: confirmed before an earlier rejection was reversed"
)


class Step(msgspec.Struct, frozen=True):
    """One step in words, with its rule and, where it comes to one, its amount in micros."""

    text: str
    rule: str = ""
    amount: int | None = None


def tier_terms(hit: Hit, versions: Mapping[int, JackpotTerms]) -> tuple[int, TierTerms] | None:
    """The terms of the prize with their number: those of the round, else the newest.

    `versions`: all terms of the system by number.
    """
    if hit.tier is None:
        return None
    newest_first = sorted(versions.items(), reverse=True)
    of_round = [each for each in newest_first if each[0] <= hit.terms]
    for number, terms in [*of_round, *newest_first]:
        for tier in terms.tiers:
            if tier.code == hit.tier.code:
                return number, tier
    return None


@dataclass(frozen=True, slots=True)
class HeldAmount:
    """What a hit took, with the number of its terms and where the hit before it acts."""

    terms_number: int
    tier: TierTerms
    holding: Holding
    previous: int

    @property
    def display_value(self) -> int:
        """What the display showed, if it counts: an older message shows somebody else's prize."""
        placed_hit = self.holding.placed_hit
        return placed_hit.shown if placed_hit.shown_at >= self.previous else 0

    @property
    def worth(self) -> int:
        """The pool, or the fixed prize with those that nobody won before."""
        before = self.holding.before
        return before.pool if self.tier.prize is None else self.tier.prize + before.rolled


def holding_of(hit: Hit, sources: ClaimSources | None = None) -> HeldAmount | None:
    """What the hit took, by the fold's own function; None where it took nothing."""
    sources = sources or sources_of([hit])[hit.number]
    terms = tier_terms(hit, sources.versions)
    if terms is None or hit.tier is None or hit.state in OUT:
        return None
    number, tier = terms
    booked = book_hit(hit, {hit.table_id: hit.table.code}, {hit.tier.pk: hit.tier.code})
    if booked.before is None:
        return None
    placed_hit = booked.placed_hit(tier)
    if (end := sources.closing) is not None:
        placed_hit = replace(placed_hit, shown=end.shown or 0, shown_at=end.shown_at or 0)
    holding = hold(booked.before, placed_hit, sources.previous)
    return HeldAmount(number, tier, holding, sources.previous)


def _place(hit: Hit) -> list[Step]:
    at = local_time(hit.at, hit.system.casino)
    steps = [
        Step(
            _("Hand recorded as sequence no. %(place)s, at %(at)s")
            % {"place": write_count(hit.place), "at": at},
            "19.14(b), 19.8(b)",
        )
    ]
    if hit.closing is not None:
        steps.append(
            Step(
                _("Takes effect when its period closed (sequence %(closing)s)")
                % {"closing": write_count(hit.closing)},
                "19.5",
            )
        )
    elif hit.acts_at != hit.place:
        steps.append(
            Step(
                _("Takes effect at sequence no. %(acts_at)s: a later claim was already confirmed")
                % {"acts_at": write_count(hit.acts_at)}
            )
        )
    return steps


def steps_of(
    hit: Hit, through: int | None = None, sources: ClaimSources | None = None
) -> list[Step]:
    """From the place of the hand to what was confirmed, up to an entry where one is given.

    `sources`: those of the claim, where they were read already.
    """
    sources = sources or sources_of([hit])[hit.number]
    steps = _place(hit)
    steps += _rejections_reversed(sources, through)
    amount = holding_of(hit, sources)
    if amount is None:
        description = hit.state if hit.state in OUT else _("of a prize that is not known yet")
        if hit.strength is not None and hit.state not in OUT:
            description = _("not the best of a period that has ended")
        if hit.held:
            steps.append(Step(_("The hand is %(description)s") % {"description": description}))
            return [*steps, Step(_(COVERED), amount=hit.held), *_confirmed(sources, through)]
        return [
            *steps,
            Step(
                _("No amount is reserved: the hand is %(description)s")
                % {"description": description}
            ),
        ]
    tier, holding = amount.tier, amount.holding
    steps.append(
        Step(
            _("Terms version %(number)s: %(tier_name)s")
            % {"number": amount.terms_number, "tier_name": tier.name},
            "19.5",
        )
    )
    steps += _value(hit, amount)
    steps.append(Step(_("Of it from the prize pool"), amount=holding.from_pool))
    if holding.added:
        steps.append(Step(_("The operator's part of the fixed prize"), "19.13", holding.added))
    steps.append(
        Step(
            _("Of it from the operator, by rounding and display"), "19.14(a)", holding.from_operator
        )
    )
    steps += _reset(holding)
    if hit.held < holding.held:
        steps.append(Step(_("Equal hands of the period share it: of this one"), "19.5", hit.held))
    elif hit.held > holding.held:
        steps.append(Step(_(COVERED), amount=hit.held - holding.held))
    return [*steps, *_confirmed(sources, through)]


def _rejections_reversed(sources: ClaimSources, through: int | None) -> list[Step]:
    """Who took back that the claim had been rejected."""
    return [
        Step(
            _("Its rejection was reversed by %(first)s and %(second)s")
            % {"first": command.first, "second": command.second},
            "19.12",
        )
        for entry, command in sources.reversals
        if through is None or entry.seq <= through
    ]


def _confirmed(sources: ClaimSources, through: int | None) -> list[Step]:
    return [
        Step(
            _("Confirmed by %(first)s and %(second)s, sequence no. %(seq)s")
            % {
                "first": each.command.first,
                "second": each.command.second,
                "seq": write_count(each.entry.seq),
            },
            "19.12",
            each.amount,
        )
        for each in sources.confirmations
        if through is None or each.entry.seq <= through
    ]


def line_steps(line: PayeeLine, confirmed: Sequence[Confirmation]) -> list[Step]:
    """How one payee's part follows from the confirmation of its claim that it belongs to."""
    confirmation = next(each for each in confirmed if line.line in each.lines)
    shared = len(confirmation.lines)
    role = CAPACITIES[line.role]
    text = (
        _("Seat %(seat)s (%(role)s): all of what was confirmed") % {"seat": line.seat, "role": role}
        if shared == 1
        else _("Seat %(seat)s (%(role)s): its part, of %(shared)s payees, by the posted plan")
        % {"seat": line.seat, "role": role, "shared": shared}
    )
    return [Step(text, "19.13", line.amount)]


def as_json(steps: list[Step]) -> list[dict[str, Any]]:
    """Steps for a machine; amounts in micros."""
    return [{"text": step.text, "rule": step.rule, "micros": step.amount} for step in steps]


def as_text(steps: list[Step], currency: str, digits: int) -> str:
    """Steps for people, one a line."""
    lines = []
    for number, step in enumerate(steps, start=1):
        rule = f" ({step.rule})" if step.rule else ""
        amount = "" if step.amount is None else f": {currency} {write_exact(step.amount, digits)}"
        lines.append(f"{number:2d}. {step.text}{rule}{amount}")
    return "\n".join(lines) + "\n"


def _value(hit: Hit, amount: HeldAmount) -> list[Step]:
    tier, holding, casino = amount.tier, amount.holding, hit.system.casino
    placed_hit = holding.placed_hit
    on_display = placed_hit.shown if hit.closing is not None else hit.shown.get(tier.code)
    unit = write_amount(tier.payable_unit, casino.minor_digits)
    steps = [Step(_("Prize pool before the hit"), "19.8(c)", hit.before_pool)]
    if tier.prize is not None:
        steps.append(Step(_("The posted fixed prize"), "19.13", tier.prize))
    if holding.before.rolled:
        text = _("Prizes of the periods before, which nobody won")
        steps.append(Step(text, "19.5", holding.before.rolled))
    if on_display:
        which = (
            "counts"
            if amount.display_value
            else _("is from before the hit before this one, and does not count")
        )
        steps.append(
            Step(
                _("The display showed, by its last message; that %(which)s") % {"which": which},
                "19.14(a)",
                on_display,
            )
        )
    value = max(amount.worth, amount.display_value)
    rounded = -(-value // tier.payable_unit) * tier.payable_unit
    steps.append(
        Step(
            _("What counts, the larger, rounded up to whole %(unit)s") % {"unit": unit},
            "19.14(a)",
            rounded,
        )
    )
    if tier.share != BASIS_POINTS:
        text = _("Of it %(share)s%%, rounded up again") % {"share": write_percent(tier.share)}
        steps.append(Step(text, "19.13", holding.held))
    steps.append(Step(_("Amount reserved"), amount=holding.held))
    return steps


def _reset(holding: Holding) -> list[Step]:
    names = (
        ("overflow", holding.top_up_overflow),
        ("reserve", holding.top_up_reserve),
        ("operator", holding.top_up_operator),
    )
    return [
        Step(
            _("The pool was topped up to its reset amount from the %(name)s") % {"name": name},
            "19.13",
            amount,
        )
        for name, amount in names
        if amount
    ]
