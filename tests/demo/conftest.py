"""People of a furnished casino whose passwords are hashed quickly."""

from tests.settlement.conftest import quick_passwords

__all__ = ["quick_passwords"]
