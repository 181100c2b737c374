"""The kinds of terms that a tier can have, distinguished in JSON by the field ``kind``."""

from collections.abc import Mapping
from typing import Any

from rules.bad_beat import BadBeat
from rules.high_hand import HighHand
from rules.terms import Qualifying
from rules.weakest import TermsError

TierTerms = Qualifying | BadBeat | HighHand
"""What a tier asks for: a hand, a hand that is beaten, or the highest hand of a period."""


def read_terms(data: object) -> TierTerms:
    """Read terms of any kind, as their ``to_json`` writes them; without ``kind`` it is a hand.

    Raises TermsError for anything that is not terms.

    >>> read_terms({"weakest": {"category": "royal_flush"}}).notice()
    'A royal flush qualifies in Hold-em, Pineapple, Crazy Pineapple and Omaha.'
    """
    if not isinstance(data, Mapping):
        raise TermsError("The terms must be an object with named fields.")
    kind = data.get("kind", "hand")
    if kind == "hand":
        return Qualifying.from_json({key: data[key] for key in data if key != "kind"})
    if kind == "bad_beat":
        return BadBeat.from_json(data)
    if kind == "high_hand":
        return HighHand.from_json(data)
    raise TermsError("The kind of terms must be hand, bad_beat or high_hand.")


def write_terms(terms: TierTerms) -> dict[str, Any]:
    """Write terms of any kind as plain JSON values that ``read_terms`` reads.

    >>> from rules.hands import Category
    >>> from rules.weakest import Weakest
    >>> write_terms(HighHand(Weakest(Category.FLUSH), period_minutes=60))["kind"]
    'high_hand'
    """
    return terms.to_json()
