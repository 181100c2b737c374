"""What a tier pays and to whom (19.13): a share of its pool or a fixed prize; the share plan."""

from __future__ import annotations

from collections.abc import Callable

from jackpot.terms.document import Role, TierTerms
from jackpot.terms.money import BASIS_POINTS
from rules.bad_beat import BadBeat
from rules.phrases import Figure, Phrase
from rules.weakest import TermsError
from rules.wording import series

DAY = 24 * 60  # minutes

# In the order in which they are paid: what rounding leaves is of the first that has a part, whose
# seats are those for which the rules find that the tier is won.
ROLES: tuple[Role, ...] = ("loser", "winner", "table")
WHO: dict[Role, Phrase] = {
    "loser": Phrase("the beaten hand"),
    "winner": Phrase("the winning hand"),
    "table": Phrase("the other participating players dealt in, in equal parts"),
}
CAPACITY: dict[Role, Phrase] = {
    "loser": Phrase("beaten hand"),
    "winner": Phrase("winning hand"),
    "table": Phrase("table share"),
}


def plan_of(tier: TierTerms) -> dict[Role, int]:
    """Basis points by role, in the order of payment; without a posted plan it is one winner's."""
    posted = tier.plan or {"winner": BASIS_POINTS}
    return {role: posted[role] for role in ROLES if posted.get(role)}


def check(tier: TierTerms) -> None:
    """Refuse what cannot be paid. TermsError says what to correct."""
    if tier.prize is not None and (tier.prize == 0 or tier.prize % tier.payable_unit):
        raise TermsError(
            "The fixed prize of %(prize)s must be whole payable units.", prize=tier.name
        )
    if tier.prize is not None and tier.share != BASIS_POINTS:
        raise TermsError(
            "%(prize)s pays a fixed prize or a share of its pool, not both.", prize=tier.name
        )
    high_hand = tier.high_hand()
    if high_hand is not None and high_hand.period_minutes > DAY:
        raise TermsError(
            "A period of %(prize)s lies in one gaming day: at most %(minutes)s minutes.",
            prize=tier.name,
            minutes=DAY,
        )
    if high_hand is not None and high_hand.unclaimed == "added" and tier.prize is None:
        raise TermsError(
            "What nobody wins of %(prize)s stays in its pool, of which it pays a share: only a"
            " fixed prize is added to the next one.",
            prize=tier.name,
        )
    plan, is_bad_beat = plan_of(tier), isinstance(tier.qualifies(), BadBeat)
    if sum(plan.values()) != BASIS_POINTS:
        raise TermsError("The parts of %(prize)s's share plan must come to 100%%.", prize=tier.name)
    if is_bad_beat and "loser" not in plan:
        raise TermsError(
            "The beaten hand of %(prize)s needs a part: give it a share plan.", prize=tier.name
        )
    if not is_bad_beat and "loser" in plan:
        raise TermsError(
            "%(prize)s asks for no beaten hand: give its part to somebody else.", prize=tier.name
        )
    if not is_bad_beat and "winner" not in plan:
        raise TermsError(
            "The winning hand of %(prize)s needs a part of the prize.", prize=tier.name
        )


def notice_lines(tier: TierTerms, money: Callable[[int], str]) -> list[Phrase]:
    """What is paid, as it is posted (19.5)."""
    lines = _fixed_prize(tier, money) if tier.prize is not None else [_pool_share(tier, money)]
    plan = plan_of(tier)
    if len(plan) > 1:
        parts = [
            Phrase("%(part)s to %(who)s", part=percent(part), who=who(tier, role))
            for role, part in plan.items()
        ]
        lines.append(
            Phrase(
                "%(prize)s: of the amount %(parts)s. Parts are rounded down to %(unit)s; any"
                " remainder goes to %(who)s.",
                prize=tier.name,
                parts=series(parts),
                unit=money(tier.payable_unit),
                who=WHO[next(iter(plan))],
            )
        )
    return lines


def _fixed_prize(tier: TierTerms, money: Callable[[int], str]) -> list[Phrase]:
    high_hand = tier.high_hand()
    amount = money(tier.prize or 0)
    paid = Phrase("%(amount)s for each period", amount=amount) if high_hand else amount
    lines = [
        Phrase(
            "%(prize)s pays %(paid)s, from its pool first and the rest from the operator; the pool"
            " is then filled up to %(reset)s if it holds less.",
            prize=tier.name,
            paid=paid,
            reset=money(tier.reset),
        )
    ]
    if high_hand and high_hand.unclaimed == "stays":
        lines.append(
            Phrase(
                "%(prize)s: what nobody wins stays in the pool, the prize of the next period is"
                " the same.",
                prize=tier.name,
            )
        )
    return lines


def _pool_share(tier: TierTerms, money: Callable[[int], str]) -> Phrase:
    paid = Phrase("the whole prize pool")
    if tier.share != BASIS_POINTS:
        paid = Phrase("%(share)s of the prize pool", share=percent(tier.share))
    high_hand = tier.high_hand()
    return Phrase(
        "%(prize)s pays %(paid)s at %(when)s, rounded up to %(unit)s; the pool starts again at"
        " %(reset)s.",
        prize=tier.name,
        paid=paid,
        when=Phrase("the end of the period") if high_hand else Phrase("the time for settlement"),
        unit=money(tier.payable_unit),
        reset=money(tier.reset),
    )


def who(tier: TierTerms, role: Role) -> Phrase:
    """Who has that part; of a table share whether those who folded count."""
    if role != "table":
        return WHO[role]
    if tier.folded_share:
        return Phrase("%(who)s (also to those who folded)", who=WHO[role])
    return Phrase("%(who)s (not to those who folded)", who=WHO[role])


def percent(basis_points: int) -> Figure:
    """Hundredths of a percent for people.

    >>> percent(1_250)
    '12.5%'
    """
    return Figure(f"{basis_points / 100:g}%")
