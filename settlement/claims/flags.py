"""What is out of the ordinary about a claim, by codes that pages and API share."""

from __future__ import annotations

from jackpot.models import Hit
from settlement.claims import pairing

_STOPS = (
    ("hold", "regulator_hold"),
    ("dispute", "disputed"),
    ("order", "order_in_question"),
    ("verdict", "no_verdict"),
)


def flags_of(hit: Hit) -> list[str]:
    """Open stops, and what is open between a hand that was entered here and its unit."""
    stopped = {stop["kind"] for stop in hit.stops if stop["lifted"] is None}
    flags = {
        **{flag: kind in stopped for kind, flag in _STOPS},
        "entered": pairing.is_entered(hit),
        "round_unknown": pairing.is_awaited(hit),
        "unit_differs": pairing.differs(hit),
        "perhaps_entered": pairing.is_required(hit),
        "corrected_since": hit.corrected is not None,
    }
    return [flag for flag, applies in flags.items() if applies]
