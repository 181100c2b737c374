"""What a tier pays and to whom (19.13): a share of its pool or a fixed prize; the share plan."""

from __future__ import annotations

from collections.abc import Callable

from jackpot.terms.document import Role, TierTerms
from jackpot.terms.money import BASIS_POINTS
from rules.bad_beat import BadBeat
from rules.weakest import TermsError
from rules.wording import listed

DAY = 24 * 60  # minutes

# In the order in which they are paid: what rounding leaves is of the first that has a part, whose
# seats are those for which the rules find that the tier is won.
ROLES: tuple[Role, ...] = ("loser", "winner", "table")
WHO = {
    "loser": "the beaten hand",
    "winner": "the winning hand",
    "table": "the other participating players dealt in, in equal parts",
}
CAPACITY = {"loser": "Beaten hand", "winner": "Winning hand", "table": "Table share"}


def plan_of(tier: TierTerms) -> dict[Role, int]:
    """Basis points by role, in the order of payment; without a posted plan it is one winner's."""
    posted = tier.plan or {"winner": BASIS_POINTS}
    return {role: posted[role] for role in ROLES if posted.get(role)}


def check(tier: TierTerms) -> None:
    """Refuse what cannot be paid. TermsError says what to correct."""
    if tier.prize is not None and (tier.prize == 0 or tier.prize % tier.payable_unit):
        raise TermsError(f"The fixed prize of {tier.name} must be whole payable units.")
    if tier.prize is not None and tier.share != BASIS_POINTS:
        raise TermsError(f"{tier.name} pays a fixed prize or a share of its pool, not both.")
    high_hand = tier.high_hand()
    if high_hand is not None and high_hand.period_minutes > DAY:
        raise TermsError(f"A period of {tier.name} lies in one gaming day: at most {DAY} minutes.")
    if high_hand is not None and high_hand.unclaimed == "added" and tier.prize is None:
        raise TermsError(
            f"What nobody wins of {tier.name} stays in its pool, of which it pays a share: only a"
            " fixed prize is added to the next one."
        )
    plan, is_bad_beat = plan_of(tier), isinstance(tier.qualifies(), BadBeat)
    if sum(plan.values()) != BASIS_POINTS:
        raise TermsError(f"The parts of {tier.name}'s share plan must come to 100%.")
    if is_bad_beat and "loser" not in plan:
        raise TermsError(f"The beaten hand of {tier.name} needs a part: give it a share plan.")
    if not is_bad_beat and "loser" in plan:
        raise TermsError(f"{tier.name} asks for no beaten hand: give its part to somebody else.")
    if not is_bad_beat and "winner" not in plan:
        raise TermsError(f"The winning hand of {tier.name} needs a part of the prize.")


def notice_lines(tier: TierTerms, money: Callable[[int], str]) -> list[str]:
    """What is paid, as it is posted (19.5)."""
    high_hand = tier.high_hand()
    if tier.prize is not None:
        each = " for each period" if high_hand else ""
        lines = [
            f"{tier.name} pays {money(tier.prize)}{each}, from its pool first and the rest from the"
            f" operator; the pool is then filled up to {money(tier.reset)} if it holds less."
        ]
        if high_hand and high_hand.unclaimed == "stays":
            lines.append(
                f"{tier.name}: what nobody wins stays in the pool, the prize of the next period is"
                " the same."
            )
    else:
        when = "the end of the period" if high_hand else "the time for settlement"
        whole = tier.share == BASIS_POINTS
        paid = "the whole prize pool" if whole else f"{percent(tier.share)} of the prize pool"
        lines = [
            f"{tier.name} pays {paid} at {when}, rounded up to"
            f" {money(tier.payable_unit)}; the pool starts again at {money(tier.reset)}."
        ]
    plan = plan_of(tier)
    if len(plan) > 1:
        first = next(iter(plan))
        parts = listed([f"{percent(part)} to {who(tier, role)}" for role, part in plan.items()])
        lines.append(
            f"{tier.name}: of the amount {parts}. Parts are rounded down to"
            f" {money(tier.payable_unit)}; what is left over, and a part that nobody can be given,"
            f" goes to {WHO[first]}."
        )
    return lines


def who(tier: TierTerms, role: Role) -> str:
    """Who has that part; of a table share whether those who folded count."""
    if role != "table":
        return WHO[role]
    return f"{WHO[role]} ({'also' if tier.folded_share else 'not'} to those who folded)"


def percent(basis_points: int) -> str:
    """Hundredths of a percent for people.

    >>> percent(1_250)
    '12.5%'
    """
    return f"{basis_points / 100:g}%"
