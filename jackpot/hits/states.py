"""The states of hits, of their stops and of their payees' parts. Pure."""

from __future__ import annotations

from enum import StrEnum


class HitState(StrEnum):
    """Where a hit stands in the books."""

    HELD = "held"
    CONFIRMED = "confirmed"
    PAID = "paid"
    REJECTED = "rejected"
    REVERSED = "reversed"
    WITHDRAWN = "withdrawn"
    PAIRED = "paired"
    OUTRANKED = "outranked"


class StopKind(StrEnum):
    """What stops a claim; see `jackpot.domain.command_handlers.stops`."""

    DISPUTE = "dispute"
    HOLD = "hold"
    ORDER = "order"
    VERDICT = "verdict"


class PayeeState(StrEnum):
    """What became of one payee's part."""

    DUE = "due"
    PART_PAID = "part_paid"
    PAID = "paid"
    WITHHELD = "withheld"
    UNCLAIMED = "unclaimed"
    FORFEITED = "forfeited"
    REVERSED = "reversed"


# Of hits.
OPEN_STATES = (HitState.HELD, HitState.CONFIRMED)  # somebody still has to do something
DECIDED = (HitState.CONFIRMED, HitState.PAID)  # two people confirmed it: it has payments
STANDING = (HitState.HELD, *DECIDED)  # its prize may be paid: of what is paid a supplement follows
UNDECIDED = (HitState.HELD, HitState.WITHDRAWN)  # a report still opens, moves or withdraws it
# Claims that take nothing: people rejected them, the hand as amended is not for their prize, or a
# better hand won their period.
OUT = (HitState.REJECTED, HitState.WITHDRAWN, HitState.OUTRANKED)

# Of payees' parts.
UNPAID = (PayeeState.DUE, PayeeState.PART_PAID)  # nobody changed the plain way of the payment
PAYABLE = (*UNPAID, PayeeState.UNCLAIMED)  # states in which the cage may pay
KEPT_BACK = (PayeeState.WITHHELD, PayeeState.UNCLAIMED)  # states that a release ends
OVER = (PayeeState.FORFEITED, PayeeState.REVERSED)  # nothing of it is handed over any more
