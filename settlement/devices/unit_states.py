"""Where a table's unit stands, or an intake, as pages say it."""

from enum import StrEnum


class UnitState(StrEnum):
    """What is heard of a unit, or why nothing is expected of it."""

    ONLINE = "online"
    SILENT = "silent"
    OFFLINE = "offline"
    UNHEARD = "unheard"
    MOVED = "moved"
    OUT_OF_SERVICE = "out_of_service"
    STAND_IN = "stand_in"  # an intake is not heard, and one works for it


LOST = (UnitState.SILENT, UnitState.OFFLINE)  # it was heard before
QUIET = (*LOST, UnitState.UNHEARD)
