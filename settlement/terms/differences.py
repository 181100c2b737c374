"""Terms in words, line by line, and how new ones differ from those in force.

Made of the same data as the notice. A field without words of its own is shown as it stands, so
that nothing changes unseen.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from typing import Any

import msgspec
from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from jackpot.labels.figures import localized, write_money_exact, write_percent
from jackpot.terms.awards import percent, plan_of
from jackpot.terms.commission import notice
from jackpot.terms.document import STANDING, JackpotTerms, TierTerms, to_json
from jackpot.terms.fed_by import rounds_in_words
from jackpot.terms.posted_terms import grows, notices
from jackpot.terms.required_evidence import WORDS
from rules.phrases import Phrase
from rules.wording import series
from settlement.core.words.rule_words import CAPACITIES, GAME_NAMES, HAND_WINS
from settlement.core.words.translation import Labels, translated
from tables.models import Casino

Money = Callable[[int], str]


class Change(StrEnum):
    """How a line of the terms differs from before."""

    SAME = "same"
    CHANGED = "changed"
    ADDED = "added"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the terms before and after; None where it is not there."""

    label: str
    before: str | None
    after: str | None

    @property
    def state(self) -> Change:
        if self.before == self.after:
            return Change.SAME
        if self.before is None:
            return Change.ADDED
        return Change.REMOVED if self.after is None else Change.CHANGED


def differences(before: JackpotTerms | None, after: JackpotTerms, casino: Casino) -> list[Line]:
    """Every line of both, in the order of the new terms; what is gone stands at the end."""
    old = _lines(before, casino) if before is not None else {}
    new = _lines(after, casino)
    return [
        Line((new.get(key) or old[key])[0], _words(old.get(key)), _words(new.get(key)))
        for key in dict.fromkeys([*new, *old])
    ]


def evidence_in_words(terms: JackpotTerms, casino: Casino) -> str:
    """What a claim must show, by the amount above which it is asked for."""
    money, by_amount = _money(casino), defaultdict[int, list[Phrase]](list)
    for thing, words in WORDS.items():
        if thing in terms.evidence:
            by_amount[terms.evidence[thing]].append(words)
    sentences = [
        _("Above %(money)s: %(listed)s")
        % {"money": money(above), "listed": translated(series(by_amount[above]))}
        for above in sorted(by_amount)
    ]
    return "; ".join(sentences) or _("Nothing")


def notice_difference(
    before: JackpotTerms | None, after: JackpotTerms, casino: Casino
) -> list[tuple[Change, str]]:
    """The notice that follows from new terms: what became of each line, and the line."""
    texts = [
        notices(terms, casino.minor_digits, casino.currency, settings.UNCLAIMED_AFTER_DAYS)
        if terms is not None
        else []
        for terms in (before, after)
    ]
    lines: list[tuple[Change, Phrase]] = []
    for what, a, b, c, d in SequenceMatcher(None, texts[0], texts[1], autojunk=False).get_opcodes():
        if what == "equal":
            lines += [(Change.SAME, line) for line in texts[1][c:d]]
        else:
            lines += [(Change.REMOVED, line) for line in texts[0][a:b]]
            lines += [(Change.ADDED, line) for line in texts[1][c:d]]
    return [(what, translated(line)) for what, line in lines]


def _money(casino: Casino) -> Money:
    return lambda micros: write_money_exact(micros, casino)


def _words(line: tuple[str, str] | None) -> str | None:
    return None if line is None else line[1]


def _lines(terms: JackpotTerms, casino: Casino) -> dict[str, tuple[str, str]]:
    """By a key that survives a new name: (label, words)."""

    money = _money(casino)
    steps = [
        _("%(money)s from a pot of %(money_2)s")
        % {"money": money(step.take), "money_2": money(step.pot_from)}
        for step in terms.drop_steps
    ]
    lines = {
        "name": (_("Name of the jackpot"), terms.name),
        "funding": (
            _("Funding"),
            _("Players; the operator is custodian (19.2)")
            if terms.funding == "players"
            else _("The operator (19.2, 19.3)"),
        ),
        "games": (_("Games"), ", ".join(GAME_NAMES[code] for code in terms.games)),
        "tables": (
            _("Tables"),
            _("All tables") if terms.tables is None else ", ".join(terms.tables) or _("None"),
        ),
        "drop_steps": (_("Taken from the pot"), "; ".join(steps) or _("Nothing")),
        "commission": (
            _("Commission"),
            _("Posted separately")
            if terms.commission is None
            else translated(notice(terms.commission, money)),
        ),
        "hand_wins": (_("A hand for several prizes wins"), HAND_WINS[terms.hand_wins]),
        "dark_minutes": (
            _("A dark display suspends its table after"),
            _("Never: a person does")
            if terms.dark_minutes is None
            else _("%(dark_minutes)s min") % {"dark_minutes": terms.dark_minutes},
        ),
        "presses_a_minute": (
            _("Presses a minute, at most"),
            _("No limit") if terms.presses_a_minute is None else str(terms.presses_a_minute),
        ),
        "evidence": (_("Asked for before a claim is verified"), evidence_in_words(terms, casino)),
    }
    document = to_json(terms)
    for field in document.keys() - lines.keys() - {"code", "tiers", *STANDING}:
        lines[field] = (_plain(field), _as_it_stands(document[field]))
    for tier in sorted(terms.tiers, key=lambda tier: tier.rank):
        conditions = translated(tier.qualifies().notice(casino.minor_digits))
        for key, (label, words) in _tier_lines(tier, conditions, money).items():
            lines[f"{tier.code}.{key}"] = (f"{tier.name}: {label}", words)
    return lines


def _tier_lines(tier: TierTerms, conditions: str, money: Money) -> dict[str, tuple[str, str]]:
    lines = {
        "name": (_("name of the prize"), tier.name),
        "rank": (_("rank"), str(tier.rank)),
        "qualifying": (_("qualifying hand"), conditions),
        "share": (
            _("pays"),
            _("%(share)s%% of the prize pool") % {"share": write_percent(tier.share)},
        ),
        "payable_unit": (_("rounded up to"), money(tier.payable_unit)),
        "reset": (_("reset amount"), money(tier.reset)),
        "limit": (
            _("contributions stop at"),
            _("No limit") if tier.limit is None else money(tier.limit),
        ),
    }
    lines["prize"] = (_("fixed prize"), _("None") if tier.prize is None else money(tier.prize))
    parts = (
        f"{CAPACITIES[role]} {localized(percent(part))}" for role, part in plan_of(tier).items()
    )
    lines["plan"] = (_("divided among"), ", ".join(parts))
    document: dict[str, Any] = msgspec.to_builtins(tier)
    del document["folded_share"], document["fed_by"]
    if tier.fed_by is not None:
        lines["fed_by"] = (_("is fed by rounds of"), translated(rounds_in_words(tier)))
    if not tier.folded_share:
        lines["folded_share"] = (_("players who folded, in the table share"), _("Do not count"))
    for field in [each for each in document if each not in {*lines, "code", "increments"}]:
        lines[field] = (_plain(field).lower(), _as_it_stands(document[field]))
    grown: dict[str, list[str]] = {}
    for part in tier.increments:
        side = f"{type(part).__struct_config__.tag}.{part.into}"
        grown.setdefault(side, []).append(translated(grows(part, money)))
    for side, sentences in grown.items():
        lines[side] = (_GROWS[side], " ".join(sentences))
    return lines


_GROWS = Labels(
    {
        "per_round.pool": gettext_noop("from the operator into the pool"),
        "per_round.reserve": gettext_noop("from the operator into the reserve"),
        "pot.pool": gettext_noop("from the pot into the pool"),
        "pot.reserve": gettext_noop("from the pot into the reserve"),
        "commission.pool": gettext_noop("from the commission into the pool"),
        "commission.reserve": gettext_noop("from the commission into the reserve"),
        "drop.pool": gettext_noop("from the drop into the pool"),
        "drop.reserve": gettext_noop("from the drop into the reserve"),
    }
)


def _plain(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _as_it_stands(value: Any) -> str:
    return json.dumps(value, sort_keys=True)
