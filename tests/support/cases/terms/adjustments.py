"""The page of a pool, its form for an adjustment, and the values that are typed there."""

POOL = "/pools/main/royal/"


FORM = f"{POOL}adjust/"


FORM_VALUES = {
    "into": "pool",
    "way": "up",
    "amount": "25.50",
    "source": "drop",
    "reason": "A06",
    "evidence": "Count sheet 17",
    "mark": "pool 25500000",  # the form shows before and after first
}
