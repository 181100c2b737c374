"""The figures of terms: which of them move by how much, and what is typed again because of it.

A reset amount of 25,000 in the place of 12 is one quiet line of a difference. Where a figure moves
by more than the house's factor (`manage.py set_terms_factor`, 3 where it decided nothing), each of
the two people types it again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from jackpot.labels.figures import localized, write_count, write_money_exact
from jackpot.terms.awards import percent, plan_of
from jackpot.terms.commission import HandFee, HourlyFee, PercentageFee
from jackpot.terms.document import FromCommission, FromPot, JackpotTerms, PerRound, TierTerms
from jackpot.terms.money import minor_to_micros
from rules.bad_beat import BadBeat
from settlement.core.errors import FiguresNotRetyped
from settlement.core.words.rule_words import CAPACITIES, EVIDENCE
from settlement.models import TermsFactor
from tables.models import Casino

Shape = Literal["money", "share", "count"]  # micros, basis points, a number
SOURCES = {
    "per_round": gettext_noop("operator's amount a round"),
    "pot": gettext_noop("share of the pot"),
} | {
    "commission": gettext_noop("share of the commission"),
    "drop": gettext_noop("share of the drop"),
}


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of terms; `key` survives a new name."""

    key: str
    label: str
    value: int
    shape: Shape

    def text_of(self, value: int, casino: Casino) -> str:
        """The value as it is posted."""
        if self.shape == "money":
            return write_money_exact(value, casino)
        return localized(percent(value)) if self.shape == "share" else write_count(value)


@dataclass(frozen=True, slots=True)
class Move:
    """A figure that new terms move, from `before`."""

    figure: Figure
    before: int
    factor: Fraction | None  # None: from nothing, or to nothing

    def is_large(self, factor: int) -> bool:
        return self.factor is None or self.factor > factor

    @property
    def words(self) -> str:
        """`× 2,083`, `÷ 2.5`, `from nothing`."""
        if self.factor is None:
            return _("to nothing") if self.before else _("from nothing")
        sign = "×" if self.figure.value > self.before else "÷"
        whole, tenths = divmod(int(self.factor * 10), 10)
        exact = whole >= 100 or not tenths
        return f"{sign} {localized(f'{whole:,}' if exact else f'{whole:,}.{tenths}')}"


def factor_of(casino: Casino) -> int:
    """By how much a figure may move before it is typed again."""
    newest = TermsFactor.objects.filter(casino=casino).order_by("id").last()
    return newest.factor if newest is not None else TermsFactor.DEFAULT


def moves(before: JackpotTerms | None, after: JackpotTerms, casino: Casino) -> list[Move]:
    """The figures that are in both and differ, in the order of the new terms.

    What comes or goes as a whole (a limit, an increment, a prize) is a line of the difference.
    """
    if before is None:
        return []
    old = {figure.key: figure.value for figure in figures(before, casino)}
    return [
        Move(figure, old[figure.key], _factor(old[figure.key], figure.value))
        for figure in figures(after, casino)
        if old.get(figure.key, figure.value) != figure.value
    ]


def large_moves(before: JackpotTerms | None, after: JackpotTerms, casino: Casino) -> list[Move]:
    """Those that are typed again."""
    factor = factor_of(casino)
    return [move for move in moves(before, after, casino) if move.is_large(factor)]


def require_retyped(
    figure_moves: list[Move], typed: Mapping[str, int], casino: Casino
) -> dict[str, int]:
    """What was typed of the figures that are asked for; FiguresNotRetyped where one differs."""
    wrong = [move for move in figure_moves if typed.get(move.figure.key) != move.figure.value]
    if wrong:
        changes = {
            move.figure.key: _("%(figure_label)s (%(written)s to %(written_2)s, %(words)s)")
            % {
                "figure_label": move.figure.label,
                "written": move.figure.text_of(move.before, casino),
                "written_2": move.figure.text_of(move.figure.value, casino),
                "words": move.words,
            }
            for move in wrong
        }
        raise FiguresNotRetyped(
            _("Type again what moves by more than a factor of %(factor_of)s: %(values)s.")
            % {"factor_of": factor_of(casino), "values": "; ".join(changes.values())},
            changes,
        )
    return {move.figure.key: move.figure.value for move in figure_moves}


def figures(terms: JackpotTerms, casino: Casino) -> Iterator[Figure]:
    """Every figure that is posted, with a label."""
    for number, step in enumerate(terms.drop_steps, start=1):
        step_name = _("Step %(number)s of the drop") % {"number": number}
        yield Figure(
            f"drop.{number}.pot_from",
            _("%(named)s: from a pot of") % {"named": step_name},
            step.pot_from,
            "money",
        )
        yield Figure(
            f"drop.{number}.take", _("%(named)s: taken") % {"named": step_name}, step.take, "money"
        )
    yield from _of_commission(terms)
    if terms.dark_minutes is not None:
        yield Figure("dark_minutes", _("Minutes of a dark display"), terms.dark_minutes, "count")
    for thing, above in terms.evidence.items():
        yield Figure(
            f"evidence.{thing}",
            _("Asked for above: %(words)s") % {"words": EVIDENCE[thing]},
            above,
            "money",
        )
    for tier in terms.tiers:
        for figure in (*_of_prize(tier), *_of_growth(tier), *_of_conditions(tier, casino)):
            key, label = f"{tier.code}.{figure.key}", f"{tier.name}: {figure.label}"
            yield Figure(key, label, figure.value, figure.shape)


def _of_commission(terms: JackpotTerms) -> Iterator[Figure]:
    match terms.commission:
        case PercentageFee(basis_points=points, cap=cap):
            yield Figure("commission.points", _("Commission: part of the pot"), points, "share")
            if cap is not None:
                yield Figure("commission.cap", _("Commission: at most a round"), cap, "money")
        case HandFee(amount=amount):
            yield Figure("commission.hand", _("Commission for a hand"), amount, "money")
        case HourlyFee(amount_per_hour=amount):
            yield Figure(
                "commission.hour", _("Commission of a player for an hour"), amount, "money"
            )


def _of_prize(tier: TierTerms) -> Iterator[Figure]:
    yield Figure("reset", _("reset amount"), tier.reset, "money")
    yield Figure("payable_unit", _("rounded up to"), tier.payable_unit, "money")
    yield Figure("share", _("share of the pool that is paid"), tier.share, "share")
    if tier.prize is not None:
        yield Figure("prize", _("fixed prize"), tier.prize, "money")
    if tier.limit is not None:
        yield Figure("limit", _("contributions stop at"), tier.limit, "money")
    for role, part in plan_of(tier).items():
        yield Figure(
            f"plan.{role}",
            _("part of the %(capacity)s") % {"capacity": CAPACITIES[role]},
            part,
            "share",
        )


def _of_growth(tier: TierTerms) -> Iterator[Figure]:
    if tier.fed_by is not None and tier.fed_by.players_min:
        yield Figure("fed.players", _("fed with players from"), tier.fed_by.players_min, "count")
    counts: dict[str, int] = {}
    for part in tier.increments:
        source = str(type(part).__struct_config__.tag)
        side = f"{source}.{part.into}"
        counts[side] = counts.get(side, 0) + 1
        key, label = (
            f"{side}.{counts[side]}",
            _("%(sources)s, into the %(into)s") % {"sources": SOURCES[source], "into": part.into},
        )
        if isinstance(part, PerRound):
            yield Figure(key, label, part.amount, "money")
            if part.players_min:
                yield Figure(
                    f"{key}.players",
                    _("%(label)s: players from") % {"label": label},
                    part.players_min,
                    "count",
                )
        else:
            yield Figure(key, label, part.basis_points, "share")
        if isinstance(part, FromPot | FromCommission) and part.cap is not None:
            yield Figure(
                f"{key}.cap", _("%(label)s: at most a round") % {"label": label}, part.cap, "money"
            )


def _of_conditions(tier: TierTerms, casino: Casino) -> Iterator[Figure]:
    conditions = tier.qualifies()
    if conditions.pot_min_minor is not None:
        least = minor_to_micros(conditions.pot_min_minor, casino.minor_digits)
        yield Figure("pot_min", _("pot, at least"), least, "money")
    if conditions.players_dealt_min is not None:
        yield Figure(
            "players", _("players dealt in, at least"), conditions.players_dealt_min, "count"
        )
    if isinstance(conditions, BadBeat):
        yield Figure("losers", _("hands beaten, at least"), conditions.losers_min, "count")
    if (high_hand := tier.high_hand()) is not None:
        yield Figure("period", _("minutes of a period"), high_hand.period_minutes, "count")


def _factor(before: int, after: int) -> Fraction | None:
    if not before or not after:
        return None
    return max(Fraction(after, before), Fraction(before, after))
