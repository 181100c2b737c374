"""Intakes of the console: when each was heard last, of which release it is, and its credentials.

An intake has a name (INTAKE_INSTANCE) and bears it in its credential. One that logs in with an
account that is kept by hand has none here, and is found by what it left. Selectors only.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.conf import settings

from settlement.devices.credentials import Kind, Standing, credentials_of
from settlement.devices.unit_states import UnitState
from tables.models import DeviceCredential, IntakePulse

# It leaves a word every ten seconds.
SILENT_AFTER = dt.timedelta(minutes=1)
# One without a credential that was not heard for longer is nobody's any more.
FORGOTTEN_AFTER = dt.timedelta(days=30)
# One without a credential that was silent for so long was taken away, as nobody started it again.
GONE_AFTER = dt.timedelta(days=1)


@dataclass(frozen=True, slots=True)
class IntakeState:
    """One intake. `holding`: how many of its credentials hold; `pulse` None: never heard."""

    name: str
    holding: int
    pulse: IntakePulse | None
    now: dt.datetime

    @property
    def state(self) -> UnitState:
        if self.pulse is None:
            return UnitState.UNHEARD
        is_heard = self.now - self.pulse.heard_at <= SILENT_AFTER
        return UnitState.ONLINE if is_heard else UnitState.SILENT

    @property
    def is_missed(self) -> bool:
        """It is not heard, and nothing says that it was taken away."""
        if self.state == UnitState.ONLINE:
            return False
        return self.holding > 0 or (
            self.pulse is not None and self.now - self.pulse.heard_at <= GONE_AFTER
        )

    @property
    def heard_at(self) -> dt.datetime | None:
        return self.pulse.heard_at if self.pulse is not None else None

    @property
    def release(self) -> str:
        return self.pulse.release if self.pulse is not None else ""

    @property
    def username(self) -> str:
        """With which it logged in, when it was heard."""
        return self.pulse.username if self.pulse is not None else ""

    @property
    def is_of_another_release(self) -> bool:
        """It works, and not as this process does: it was not started again with the update."""
        return self.state == UnitState.ONLINE and self.release != settings.CONSOLE_VERSION


def intakes(now: dt.datetime, standings: list[Standing] | None = None) -> list[IntakeState]:
    """By name. `standings`: where credentials stand, of others besides, if they are at hand."""
    if standings is None:
        standings = credentials_of(DeviceCredential.objects.filter(kind=Kind.INTAKE), now)
    holding: dict[str, int] = {}
    for each in standings:
        if each.credential.kind == Kind.INTAKE:
            name = each.credential.name
            holding[name] = holding.get(name, 0) + each.holds
    pulses = {each.name: each for each in IntakePulse.objects.all()}
    recent = {name for name, each in pulses.items() if now - each.heard_at <= FORGOTTEN_AFTER}
    return [
        IntakeState(name, holding.get(name, 0), pulses.get(name), now)
        for name in sorted(recent | holding.keys())
    ]


def intake_named(name: str, now: dt.datetime) -> IntakeState:
    """The one of this name, also where nothing is known of it yet."""
    states = (each for each in intakes(now) if each.name == name)
    return next(states, IntakeState(name, 0, None, now))
