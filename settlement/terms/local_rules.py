"""Posted terms beside the rules of the place: what the rules say of ties and of failures."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.utils.translation import gettext
from django.utils.translation import gettext as _

from jackpot.terms.document import JackpotTerms
from settlement.jurisdiction.pack import Rule
from settlement.jurisdiction.rules import rules_at
from settlement.jurisdiction.words import TIES, failure_in_words, with_standing
from tables.models import Casino


@dataclass(frozen=True, slots=True)
class Statement:
    """What the rules of a place say, in words, with its source."""

    text: str
    source: str


def ties_of_the_place(casino: Casino, day: dt.date) -> Statement | None:
    """Which of equal hands wins a high hand; None where no rule says it."""
    rule = _ties(casino, day)
    return None if rule is None else _statement(rule, TIES[rule.ties or ""])


def failures_of_the_place(casino: Casino, day: dt.date) -> list[Statement]:
    """What happens to a round, a hand or an amount when equipment failed."""
    rules = rules_at(casino, day).of("failure")
    return [_statement(rule, failure_in_words(rule)) for rule in rules]


def against_the_rules(terms: JackpotTerms, casino: Casino, day: dt.date) -> list[Statement]:
    """What posted terms say otherwise than the rules of the place."""
    rule = _ties(casino, day)
    if rule is None or rule.ties in (None, "posted"):
        return []
    differing = [
        tier.name
        for tier in terms.tiers
        if (high_hand := tier.high_hand()) is not None and high_hand.ties != rule.ties
    ]
    return [
        _statement(
            rule,
            _("%(prize)s differs from the rules of %(place)s: %(rule)s.")
            % {
                "prize": name,
                "place": gettext(rules_at(casino, day).name),
                "rule": TIES[rule.ties or ""],
            },
        )
        for name in differing
    ]


def _ties(casino: Casino, day: dt.date) -> Rule | None:
    return next(iter(rules_at(casino, day).of("ties")), None)


def _statement(rule: Rule, text: str) -> Statement:
    return Statement(text, with_standing(gettext(rule.source), rule))
