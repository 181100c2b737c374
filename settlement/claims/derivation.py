"""How a claim's amount came about, step by step: for slips and dispute bundles. Selectors only.

Worked out by the functions of the fold from what the hit keeps, and held against what it holds.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import msgspec

from jackpot.domain.state.books import OUT
from jackpot.domain.state.hits import Holding, hold
from jackpot.models import Command, Entry, Head, Hit, TierStep
from jackpot.storage.loading import book_hit, terms_of
from jackpot.terms.awards import CAPACITY
from jackpot.terms.document import TierTerms
from jackpot.terms.money import BASIS_POINTS, format_exact, format_micros
from jackpot.terms.payees import Line

COVERED = "Covered by the operator: confirmed before an earlier rejection was reversed"


class Step(msgspec.Struct, frozen=True):
    """One step in words, with its rule and, where it comes to one, its amount in micros."""

    text: str
    rule: str = ""
    amount: int | None = None


@dataclass(frozen=True, slots=True)
class Confirmation:
    """An entry that confirmed a part of the claim, and the lines that it made."""

    entry: Entry
    command: Command
    lines: tuple[int, ...]

    @property
    def amount(self) -> int:
        return int(self.command.body["amount"])


def confirmations(hit: Hit) -> list[Confirmation]:
    """What two people confirmed, in order; lines are numbered through all of them."""
    entries = Entry.objects.filter(
        system=hit.system_id, hit=hit.number, type="confirm_claim", outcome__refused__isnull=True
    ).order_by("seq")
    known = list(entries)
    commands = {
        command.number: command
        for command in Command.objects.filter(
            system=hit.system_id, number__in=[entry.command for entry in known]
        )
    }
    rows, last = [], 0
    for entry in known:
        command = commands[entry.command or 0]
        lines = tuple(range(last + 1, last + 1 + len(command.body["payees"])))
        rows.append(Confirmation(entry, command, lines))
        last += len(lines)
    return rows


def tier_terms(hit: Hit) -> tuple[int, TierTerms] | None:
    """The terms of the prize with their number: those of the round, else the newest."""
    if hit.tier is None:
        return None
    newest = Head.objects.values_list("terms_number", flat=True).get(pk=hit.system_id)
    versions = sorted(terms_of(hit.system_id, newest).items(), reverse=True)
    for number, terms in [*(each for each in versions if each[0] <= hit.terms), *versions]:
        for tier in terms.tiers:
            if tier.code == hit.tier.code:
                return number, tier
    return None


def previous_place(hit: Hit) -> int:
    """Where the hit before this one acts that took the same prize: older displays do not count."""
    places = Hit.objects.filter(
        system=hit.system_id, tier=hit.tier_id, acts_at__lt=hit.acts_at
    ).exclude(state__in=OUT)
    return places.order_by("-acts_at").values_list("acts_at", flat=True).first() or 0


def holding_of(hit: Hit) -> tuple[int, TierTerms, Holding] | None:
    """What the hit took, by the fold's own function; None where it took nothing."""
    terms = tier_terms(hit)
    if terms is None or hit.tier is None or hit.state in OUT:
        return None
    number, tier = terms
    booked = book_hit(hit, {hit.table_id: hit.table.code}, {hit.tier.pk: hit.tier.code})
    if booked.before is None:
        return None
    mark = booked.mark(tier)
    if (end := closing_of(hit)) is not None:
        mark = replace(mark, shown=end.shown or 0, shown_at=end.shown_at or 0)
    return number, tier, hold(booked.before, mark, previous_place(hit))


def closing_of(hit: Hit) -> TierStep | None:
    """Of a candidate for a high hand the end of its period."""
    if hit.closing is None or hit.tier is None:
        return None
    return TierStep.objects.get(tier=hit.tier, place=hit.closing)


def closing_shown(hit: Hit) -> int:
    """What the displays showed when the period of a high hand ended, if it counts; micros."""
    end = closing_of(hit)
    if end is None or (end.shown_at or 0) < previous_place(hit):
        return 0
    return end.shown or 0


def steps_of(hit: Hit, through: int | None = None) -> list[Step]:
    """From the place of the hand to what was confirmed, up to an entry where one is given."""
    casino = hit.system.casino
    at = hit.at.strftime("%Y-%m-%d %H:%M:%S UTC")
    steps = [Step(f"The hand took entry {hit.place:,} of the order, at {at}", "19.14(b), 19.8(b)")]
    if hit.closing is not None:
        steps.append(Step(f"Its period ended at entry {hit.closing:,}: it acts there", "19.5"))
    elif hit.acts_at != hit.place:
        steps.append(Step(f"It acts at entry {hit.acts_at:,}: a later claim was confirmed already"))
    steps += _rejections_reversed(hit, through)
    terms_and_holding = holding_of(hit)
    if terms_and_holding is None:
        description = hit.state if hit.state in OUT else "of a prize that is not known yet"
        if hit.strength is not None and hit.state not in OUT:
            description = "not the best of a period that has ended"
        if hit.held:
            steps.append(Step(f"The hand is {description}"))
            return [*steps, Step(COVERED, amount=hit.held), *_confirmed(hit, through)]
        return [*steps, Step(f"Nothing is held: the hand is {description}")]
    number, tier, holding = terms_and_holding
    steps.append(Step(f"Terms version {number}: {tier.name}", "19.5"))
    steps += _value(hit, tier, holding, casino)
    steps.append(Step("Of it from the prize pool", amount=holding.from_pool))
    if holding.added:
        steps.append(Step("The operator's part of the fixed prize", "19.13", holding.added))
    steps.append(
        Step("Of it from the operator, by rounding and display", "19.14(a)", holding.from_operator)
    )
    steps += _reset(holding)
    if hit.held < holding.held:
        steps.append(Step("Equal hands of the period share it: of this one", "19.5", hit.held))
    elif hit.held > holding.held:
        steps.append(Step(COVERED, amount=hit.held - holding.held))
    return [*steps, *_confirmed(hit, through)]


def _rejections_reversed(hit: Hit, through: int | None) -> list[Step]:
    """Who took back that the claim had been rejected."""
    entries = Entry.objects.filter(
        system=hit.system_id,
        hit=hit.number,
        type="reverse_rejection",
        outcome__refused__isnull=True,
        seq__lte=2**62 if through is None else through,
    )
    commands = Command.objects.filter(
        system=hit.system_id, number__in=entries.values("command")
    ).order_by("number")
    return [
        Step(f"Its rejection was reversed by {each.first} and {each.second}", "19.12")
        for each in commands
    ]


def _confirmed(hit: Hit, through: int | None) -> list[Step]:
    return [
        Step(
            f"Confirmed by {each.command.first} and {each.command.second},"
            f" entry {each.entry.seq:,}",
            "19.12",
            each.amount,
        )
        for each in confirmations(hit)
        if through is None or each.entry.seq <= through
    ]


def line_steps(line: Line, hit: Hit) -> list[Step]:
    """How one payee's part follows from the confirmation that it belongs to."""
    confirmed = next(each for each in confirmations(hit) if line["line"] in each.lines)
    shared = len(confirmed.lines)
    role = CAPACITY[line["role"]].lower()
    text = (
        f"Seat {line['seat']} ({role}): all of what was confirmed"
        if shared == 1
        else f"Seat {line['seat']} ({role}): its part, of {shared} payees, by the posted plan"
    )
    return [Step(text, "19.13", line["amount"])]


def as_json(steps: list[Step]) -> list[dict[str, Any]]:
    """Steps for a machine; amounts in micros."""
    return [{"text": step.text, "rule": step.rule, "micros": step.amount} for step in steps]


def as_text(steps: list[Step], currency: str, digits: int) -> str:
    """Steps for people, one a line."""
    lines = []
    for number, step in enumerate(steps, start=1):
        rule = f" ({step.rule})" if step.rule else ""
        amount = "" if step.amount is None else f": {currency} {format_exact(step.amount, digits)}"
        lines.append(f"{number:2d}. {step.text}{rule}{amount}")
    return "\n".join(lines) + "\n"


def _value(hit: Hit, tier: TierTerms, holding: Holding, casino: Any) -> list[Step]:
    mark = holding.mark
    shown = mark.shown if hit.closing is not None else hit.shown.get(tier.code)
    unit = format_micros(tier.payable_unit, casino.minor_digits)
    steps = [Step("Prize pool before the hit", "19.8(c)", hit.before_pool)]
    if tier.prize is not None:
        steps.append(Step("The posted fixed prize", "19.13", tier.prize))
    if holding.before.rolled:
        text = "Prizes of the periods before, which nobody won"
        steps.append(Step(text, "19.5", holding.before.rolled))
    counts = mark.shown and mark.shown_at >= previous_place(hit)
    if shown:
        which = "counts" if counts else "is from before the hit before this one, and does not count"
        steps.append(
            Step(f"The display showed, by its last message; that {which}", "19.14(a)", shown)
        )
    before = holding.before
    worth = before.pool if tier.prize is None else tier.prize + before.rolled
    value = max(worth, mark.shown if counts else 0)
    rounded = -(-value // tier.payable_unit) * tier.payable_unit
    steps.append(Step(f"What counts, the larger, rounded up to whole {unit}", "19.14(a)", rounded))
    if tier.share != BASIS_POINTS:
        text = f"Of it {tier.share / 100:g}%, rounded up again"
        steps.append(Step(text, "19.13", holding.held))
    steps.append(Step("Amount reserved", amount=holding.held))
    return steps


def _reset(holding: Holding) -> list[Step]:
    names = (
        ("overflow", holding.top_up_overflow),
        ("reserve", holding.top_up_reserve),
        ("operator", holding.top_up_operator),
    )
    return [
        Step(f"The pool was topped up to its reset amount from the {name}", "19.13", amount)
        for name, amount in names
        if amount
    ]
