"""Amounts and counts that a house has decided on."""

from settlement.models import MissedRoundsLimit
from tables.models import Casino


def alone_up_to(count: int) -> None:
    """So many missed rounds of a table and gaming day one person credits alone."""
    casino = Casino.objects.get()
    MissedRoundsLimit.objects.create(casino=casino, count=count, first="mere", second="david")
