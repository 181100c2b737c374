"""Casinos, systems, tables and units; the inbox, the quarantine and what units last said."""

from tables.models.alarms import Alarm, AlarmClearing
from tables.models.casinos import (
    DATES,
    Casino,
    EraBegun,
    GamingTable,
    JackpotSystem,
    code_validator,
    new_display_key,
)
from tables.models.devices import (
    BrokerAccounts,
    DeviceCredential,
    DeviceEnd,
    IntakePulse,
    UnitKey,
)
from tables.models.inbox import ClosedGap, OutOfOrderEvent, RepeatedEvent, Stream, TableEvent
from tables.models.quarantine import Quarantine, QuarantineDay
from tables.models.traces import TraceRequest
from tables.models.units import DisplayReading, OutboxMessage, UnitPresence

__all__ = [
    "DATES",
    "Alarm",
    "AlarmClearing",
    "BrokerAccounts",
    "Casino",
    "ClosedGap",
    "DeviceCredential",
    "DeviceEnd",
    "DisplayReading",
    "EraBegun",
    "GamingTable",
    "IntakePulse",
    "JackpotSystem",
    "OutOfOrderEvent",
    "OutboxMessage",
    "Quarantine",
    "QuarantineDay",
    "RepeatedEvent",
    "Stream",
    "TableEvent",
    "TraceRequest",
    "UnitKey",
    "UnitPresence",
    "code_validator",
    "new_display_key",
]
