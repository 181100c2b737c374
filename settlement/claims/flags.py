"""What is out of the ordinary about a claim, by codes that pages and API share."""

from __future__ import annotations

from jackpot.hits.states import StopKind
from jackpot.models import Hit
from settlement.claims import pairing

_STOPS = (
    (StopKind.HOLD, "regulator_hold"),
    (StopKind.DISPUTE, "disputed"),
    (StopKind.ORDER, "order_in_question"),
    (StopKind.VERDICT, "no_verdict"),
)


def flags_of(hit: Hit) -> list[str]:
    """Open stops, and what is open between a hand that was entered here and its unit."""
    stopped = {stop.kind for stop in hit.open_stops}
    flags = {
        **{flag: kind in stopped for kind, flag in _STOPS},
        "entered": pairing.is_entered(hit),
        "round_unknown": pairing.is_awaited(hit),
        "unit_differs": pairing.differs(hit),
        "perhaps_entered": pairing.is_required(hit),
        "corrected_since": hit.correction is not None,
    }
    return [flag for flag, applies in flags.items() if applies]
