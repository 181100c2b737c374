"""Intakes of the console: when each was heard last, of which release it is, and its credentials.

An intake has a name (INTAKE_INSTANCE) and bears it in its credential. One that logs in with an
account that is kept by hand has none here, and is found by what it left. A stand-in is no intake of
its own: what it leaves says that one works for the intake of its name. Selectors only.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.conf import settings

from settlement.devices.credentials import Kind, Standing, credentials_of
from settlement.devices.unit_states import UnitState
from tables.intake.heartbeat import STAND_IN
from tables.models import DeviceCredential, IntakePulse

# It leaves a word every ten seconds.
SILENT_AFTER = dt.timedelta(minutes=1)
# One without a credential that was not heard for longer is nobody's any more.
FORGOTTEN_AFTER = dt.timedelta(days=30)
# One without a credential that was silent for so long was taken away, as nobody started it again.
GONE_AFTER = dt.timedelta(days=1)


@dataclass(frozen=True, slots=True)
class IntakeState:
    """One intake. `holding`: how many of its credentials hold; `pulse` None: never heard;
    `stand_in`: what the one that works for it left, if there ever was one."""

    name: str
    holding: int
    pulse: IntakePulse | None
    now: dt.datetime
    stand_in: IntakePulse | None = None

    @property
    def state(self) -> UnitState:
        if _is_heard(self.pulse, self.now):
            return UnitState.ONLINE
        if _is_heard(self.stand_in, self.now):
            return UnitState.STAND_IN
        return UnitState.UNHEARD if self.pulse is None else UnitState.SILENT

    @property
    def is_missed(self) -> bool:
        """It is not heard, nobody works for it, and nothing says that it was taken away."""
        if self.state in (UnitState.ONLINE, UnitState.STAND_IN):
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
    recent = {
        name.removesuffix(STAND_IN)
        for name, each in pulses.items()
        if now - each.heard_at <= (SILENT_AFTER if name.endswith(STAND_IN) else FORGOTTEN_AFTER)
    }
    return [
        IntakeState(
            name, holding.get(name, 0), pulses.get(name), now, pulses.get(f"{name}{STAND_IN}")
        )
        for name in sorted(recent | holding.keys())
    ]


def _is_heard(pulse: IntakePulse | None, now: dt.datetime) -> bool:
    return pulse is not None and now - pulse.heard_at <= SILENT_AFTER


def intake_named(name: str, now: dt.datetime) -> IntakeState:
    """The one of this name, also where nothing is known of it yet."""
    states = (each for each in intakes(now) if each.name == name)
    return next(states, IntakeState(name, 0, None, now))
