"""A reason for or against a reported hand, in words for the supervisor on duty."""

from dataclasses import dataclass

from rules.phrases import Phrase


@dataclass(frozen=True, slots=True)
class Reason:
    """One finding about a reported hand.

    >>> folded = Phrase("Seat 3 folded.")
    >>> Reason("19.17", folded, against=True, seat=3, tier=None, code="folded").rule
    '19.17'
    """

    rule: str
    """The rule it rests on, such as ``19.17``."""
    text: Phrase
    """What was found and, where something is to be done, what to do."""
    against: bool
    """It speaks against paying; otherwise it speaks for it or is only worth knowing."""
    seat: int | None
    """The seat it is about; None when it is about the whole report."""
    tier: str | None
    """The code of the tier it is about; None when it is about all of them."""
    code: str
    """A stable name for programs, such as ``folded``."""


def fault(rule: str, code: str, text: Phrase, seat: int | None = None) -> Reason:
    """A fault of the report itself: nothing can qualify until it is amended.

    >>> fault("19.11", "no_hands", Phrase("No hand is reported.")).against
    True
    """
    return Reason(rule, text, against=True, seat=seat, tier=None, code=code)
