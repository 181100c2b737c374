"""What the console refuses, with the rule and what to do. One class for each broken rule."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_noop as _


class RuleBroken(Exception):
    """A person asked for something that a rule forbids; the message says what to do.

    `rule` is a number of the rule book, or empty where the house's own order forbids it. `fields`:
    what is wrong with parts of what was sent, in words, by their names; None: it is said as a
    whole.
    """

    rule = ""
    fields: Mapping[str, Any] | None = None


class NotPermitted(RuleBroken):
    """The role does not allow it."""


class WrongPassword(RuleBroken):
    """The re-authentication failed."""


class BadSignature(RuleBroken):
    """What came signed is not what is to be recorded, or not signed by a key of the person."""


class WrongState(RuleBroken):
    """The claim does not stand where this can be done."""


class ChangedMeanwhile(WrongState):
    """A guard of the database refused what no service had seen coming: nothing was saved."""


class Stopped(RuleBroken):
    """A dispute or a regulator's hold is open: nothing is confirmed or paid."""

    rule = "19.12"


class Excluded(RuleBroken):
    """The player is on a list of excluded persons: two people release the payment first."""


class SamePerson(RuleBroken):
    """Recorder or amender, verifier, confirmer and payer of one claim are different people."""

    rule = "19.12"


class OwnHand(RuleBroken):
    """Nobody decides on a hand that they were dealt in."""


class SecondManagerNeeded(RuleBroken):
    """Above the house's amount two managers confirm."""


class SecondNeeded(RuleBroken):
    """While a unit is online nobody enters a hand of its table alone."""

    rule = "19.11"


class ChecklistIncomplete(RuleBroken):
    """Verification needs every point of the checklist."""

    rule = "19.12"


class BadCount(RuleBroken):
    """A card was ticked off that cannot be in the rest of the deck."""

    rule = "19.10"


class Enough(RuleBroken):
    """A claim has as much of it as it may have."""


class BadEvidence(RuleBroken):
    """A note, a review of footage or an attachment cannot be kept as it is."""


class BadIdentification(RuleBroken):
    """An identification cannot be kept as it is."""

    rule = "19.12"


class BadSharer(RuleBroken):
    """Somebody cannot share what a seat won, or not so much of it."""

    rule = "19.12"


class NotIdentified(RuleBroken):
    """The place asks who a payee is before they are paid so much, and nobody identified them."""

    rule = "19.12"


class HandDoesNotQualify(RuleBroken):
    """The rules find no hand that wins the prize that is held."""

    rule = "19.5"


class BadReport(RuleBroken):
    """An amended report cannot be read."""

    rule = "19.11"


class BadFigure(RuleBroken):
    """A counted drop or a balance at the bank cannot be entered as it is."""


class BadFile(RuleBroken):
    """A file that is to be imported cannot be read, or has lines that cannot be stored."""


class BadExclusion(RuleBroken):
    """An excluded person cannot be entered like this."""


class BadSetUp(RuleBroken):
    """A casino, a system, a table or an invitation cannot be made like this."""


class BadReason(RuleBroken):
    """A rejection needs a closed reason and evidence."""


class BadTerms(RuleBroken):
    """Terms that cannot be posted."""

    rule = "19.5"


class FiguresNotRetyped(BadTerms):
    """A figure moves by more than the house's factor, and was not typed again.

    `fields`: what is asked for, in words, by the key of each figure.
    """

    fields: dict[str, str]

    def __init__(self, message: str, fields: dict[str, str]) -> None:
        super().__init__(message)
        self.fields = fields


class PartsDoNotAddUp(RuleBroken):
    """Chips, cash and cash equivalent must add up to the amount."""

    rule = "19.15"


class BadWithholding(RuleBroken):
    """A payment withholds another amount than the rules of the place ask for, without a reason."""


USED = _("This form was sent before for something else: open the page again.")


class KeyUsed(RuleBroken):
    """A key of one form came again with another action, claim or person, or with other words."""


class Declined(RuleBroken):
    """The writer judged the command at its place and declined it."""
