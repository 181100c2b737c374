"""The worked month; its tests only read it."""

from tests.support.houses.office.office_month import month

__all__ = ["month"]
