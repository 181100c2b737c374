"""What a claim must show before it is verified: things that the terms ask for above an amount.

A point of the checklist that claims such a thing is answered by the thing, not by a word
(`settlement.evidence.records`). Rule 19.12 has all payouts confirmed; what that rests on is the
house's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from jackpot.terms.money import MICROS
from rules.phrases import Phrase

Thing = Literal[
    "surveillance", "deck_counted", "identity", "photographed", "display", "sealed", "witness"
]
WORDS: dict[Thing, Phrase] = {
    "surveillance": Phrase("footage reviewed"),
    "deck_counted": Phrase("deck counted by suits"),
    "identity": Phrase("winners identified"),
    "photographed": Phrase("layout photographed"),
    "display": Phrase("display reading"),
    "sealed": Phrase("bag number of the deck"),
    "witness": Phrase("witness named"),
}
# Where terms say nothing: small prizes stay quick, of large ones everything is kept.
_SMALL, _LARGE = 500 * MICROS, 5_000 * MICROS
BY_DEFAULT: dict[Thing, int] = {
    "surveillance": _SMALL,
    "deck_counted": _SMALL,
    "identity": _SMALL,
    "photographed": _LARGE,
    "display": _LARGE,
    "sealed": _LARGE,
    "witness": _LARGE,
}


def required_evidence_of(evidence: Mapping[Thing, int], amount: int) -> frozenset[Thing]:
    """What is asked of a claim that comes to `amount` micros, by what the terms post.

    >>> sorted(asked_of({"sealed": 5_000_000, "witness": 0}, 5_000_000))
    ['witness']
    """
    return frozenset(thing for thing, above in evidence.items() if amount > above)
