"""The card room of the stories, and an intake alone."""

from tests.support.units.cardroom import open_room
from tests.support.units.running_intake import intake

__all__ = ["intake", "open_room"]
