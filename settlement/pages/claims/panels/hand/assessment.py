"""What the rules say of a hand, sorted for people; and the cards of a report that are cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from jackpot.hits.columns import Report
from jackpot.models import Hit
from jackpot.terms.awards import plan_of
from jackpot.terms.document import TierTerms
from rules.cards import CardError, parse_card
from rules.phrases import Phrase
from rules.reasons import Reason
from settlement.core.words.translation import rule_in_words, translated


@dataclass(frozen=True, slots=True)
class ShownReason:
    """A finding of the rules as the page says it."""

    rule: str
    text: str
    against: bool


def reasons_by_side(
    hit: Hit,
    reasons: Iterable[Reason],
    names: Mapping[str, str],
    tier: TierTerms | None = None,
) -> dict[str, list[ShownReason]]:
    """Reasons about this claim's prize, for and against; those about other prizes separately.

    `tier`: the prize's terms; a seat that folded may have part in its table share (19.17).
    """
    prize = hit.tier.code if hit.tier else None
    sides: dict[str, list[ShownReason]] = {"against": [], "in_favour": [], "elsewhere": []}
    for reason in reasons:
        where, text = "against" if reason.against else "in_favour", translated(reason.text)
        if reason.tier is not None:
            if prize is not None and reason.tier != prize:
                where = "elsewhere"
            # People know a prize by its name, the rules by its code.
            text = _of_prize(reason, names.get(reason.tier, reason.tier))
        if reason.code == "folded" and tier is not None and "table" in plan_of(tier):
            hands = hit.read_report.hands if hit.read_report is not None else []
            takes_part = any(hand.participating for hand in hands if hand.seat == reason.seat)
            text = _(
                "Seat %(seat)s folded: cannot qualify; has no part in the table share as posted."
            )
            if tier.folded_share and takes_part:
                text = _(
                    "Seat %(seat)s folded: cannot qualify; shares in the table share as posted."
                )
            text %= {"seat": reason.seat}
        sides[where].append(ShownReason(rule_in_words(reason.rule), text, reason.against))
    return sides


def _of_prize(reason: Reason, name: str) -> str:
    values = reason.text.values
    finding = values["finding"]
    words = translated(finding) if isinstance(finding, Phrase) else str(finding)
    return _("Seat %(seat)s, %(prize)s: %(finding)s") % {
        "seat": values["seat"],
        "prize": name,
        "finding": words,
    }


def readable_cards(report: Report) -> set[str]:
    """Every card of the report that is one."""
    cards = set()
    for text in [
        *(text for board in report.boards for text in board),
        *(text for hand in report.hands for text in hand.hole),
    ]:
        try:
            cards.add(str(parse_card(text)))
        except CardError:
            continue
    return cards
