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
from typing import Any

import msgspec
from django.conf import settings

from jackpot.terms.awards import CAPACITY, plan_of
from jackpot.terms.commission import notice
from jackpot.terms.document import STANDING, JackpotTerms, TierTerms, to_json
from jackpot.terms.fed_by import rounds_in_words
from jackpot.terms.money import format_exact
from jackpot.terms.posted_terms import HAND_WINS, grows, notices
from jackpot.terms.required_evidence import WORDS
from rules.games import GAMES
from rules.wording import listed
from tables.models import Casino

Money = Callable[[int], str]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the terms before and after; None where it is not there."""

    label: str
    before: str | None
    after: str | None

    @property
    def state(self) -> str:
        """`same`, `changed`, `added` or `removed`."""
        if self.before == self.after:
            return "same"
        if self.before is None:
            return "added"
        return "removed" if self.after is None else "changed"


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
    money, by_amount = _money(casino), defaultdict[int, list[str]](list)
    for thing, words in WORDS.items():
        if thing in terms.evidence:
            by_amount[terms.evidence[thing]].append(words)
    sentences = [f"Above {money(above)}: {listed(by_amount[above])}" for above in sorted(by_amount)]
    return "; ".join(sentences) or "Nothing"


def notice_difference(
    before: JackpotTerms | None, after: JackpotTerms, casino: Casino
) -> list[tuple[str, str]]:
    """The notice that follows from new terms: (`same`, `added` or `removed`, line)."""
    texts = [
        notices(terms, casino.minor_digits, casino.currency, settings.UNCLAIMED_AFTER_DAYS)
        if terms is not None
        else []
        for terms in (before, after)
    ]
    lines: list[tuple[str, str]] = []
    for what, a, b, c, d in SequenceMatcher(None, texts[0], texts[1], autojunk=False).get_opcodes():
        if what == "equal":
            lines += [("same", line) for line in texts[1][c:d]]
        else:
            lines += [("removed", line) for line in texts[0][a:b]]
            lines += [("added", line) for line in texts[1][c:d]]
    return lines


def _money(casino: Casino) -> Money:
    return lambda micros: f"{casino.currency} {format_exact(micros, casino.minor_digits)}"


def _words(line: tuple[str, str] | None) -> str | None:
    return None if line is None else line[1]


def _lines(terms: JackpotTerms, casino: Casino) -> dict[str, tuple[str, str]]:
    """By a key that survives a new name: (label, words)."""

    money = _money(casino)
    steps = [
        f"{money(step.take)} from a pot of {money(step.pot_from)}" for step in terms.drop_steps
    ]
    lines = {
        "name": ("Name of the jackpot", terms.name),
        "funding": (
            "Funding",
            "Players; the operator is custodian (19.2)"
            if terms.funding == "players"
            else "The operator (19.2, 19.3)",
        ),
        "games": ("Games", ", ".join(GAMES[code].label for code in terms.games)),
        "tables": (
            "Tables",
            "All tables" if terms.tables is None else ", ".join(terms.tables) or "None",
        ),
        "drop_steps": ("Taken from the pot", "; ".join(steps) or "Nothing"),
        "commission": (
            "Commission",
            "Posted apart" if terms.commission is None else notice(terms.commission, money),
        ),
        "hand_wins": ("A hand for several prizes wins", HAND_WINS[terms.hand_wins]),
        "dark_minutes": (
            "A dark display suspends its table after",
            "Never: a person does" if terms.dark_minutes is None else f"{terms.dark_minutes} min",
        ),
        "presses_a_minute": (
            "Presses a minute, at most",
            "No limit" if terms.presses_a_minute is None else str(terms.presses_a_minute),
        ),
        "evidence": ("Asked for before a claim is verified", evidence_in_words(terms, casino)),
    }
    document = to_json(terms)
    for field in document.keys() - lines.keys() - {"code", "tiers", *STANDING}:
        lines[field] = (_plain(field), _as_it_stands(document[field]))
    for tier in sorted(terms.tiers, key=lambda tier: tier.rank):
        conditions = tier.qualifies().notice(casino.minor_digits)
        for key, (label, words) in _tier_lines(tier, conditions, money).items():
            lines[f"{tier.code}.{key}"] = (f"{tier.name}: {label}", words)
    return lines


def _tier_lines(tier: TierTerms, conditions: str, money: Money) -> dict[str, tuple[str, str]]:
    lines = {
        "name": ("name of the prize", tier.name),
        "rank": ("rank", str(tier.rank)),
        "qualifying": ("qualifying hand", conditions),
        "share": ("pays", f"{tier.share / 100:g}% of the prize pool"),
        "payable_unit": ("rounded up to", money(tier.payable_unit)),
        "reset": ("reset amount", money(tier.reset)),
        "limit": (
            "contributions stop at",
            "No limit" if tier.limit is None else money(tier.limit),
        ),
    }
    lines["prize"] = ("fixed prize", "None" if tier.prize is None else money(tier.prize))
    parts = (f"{CAPACITY[role].lower()} {part / 100:g}%" for role, part in plan_of(tier).items())
    lines["plan"] = ("divided among", ", ".join(parts))
    document: dict[str, Any] = msgspec.to_builtins(tier)
    del document["folded_share"], document["fed_by"]
    if tier.fed_by is not None:
        lines["fed_by"] = ("is fed by rounds of", rounds_in_words(tier))
    if not tier.folded_share:
        lines["folded_share"] = ("players who folded, in the table share", "Do not count")
    for field in [each for each in document if each not in {*lines, "code", "increments"}]:
        lines[field] = (_plain(field).lower(), _as_it_stands(document[field]))
    grown: dict[str, list[str]] = {}
    for part in tier.increments:
        source = type(part).__struct_config__.tag
        grown.setdefault(f"{source} into the {part.into}", []).append(grows(part, money))
    for key, sentences in grown.items():
        lines[key] = (_plain(key).lower(), " ".join(sentences))
    return lines


def _plain(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _as_it_stands(value: Any) -> str:
    return json.dumps(value, sort_keys=True)
