"""The worked month in a database of each file's own; its tests only read it, or ask for files."""

from tests.support.houses.office.office_month import month

__all__ = ["month"]
