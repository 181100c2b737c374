"""Shared by tests: adjustments."""

POOL = "/pools/main/royal/"


FORM = f"{POOL}adjust/"


FORM_VALUES = {
    "into": "pool",
    "way": "up",
    "amount": "25.50",
    "source": "drop",
    "reason": "A06",
    "evidence": "Count sheet 17",
    "seen": "pool 25500000",  # the form shows before and after first
}
