"""The console's processes: intakes, posters, the worker. All the code they run is the product's."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from django.db import Error, InterfaceError, OperationalError, connection
from django.utils import timezone

from jackpot import display
from jackpot.models import DarkCall
from jackpot.poster import Poster
from settlement import claims
from simulation.ground import SYSTEMS
from simulation.process import Fault, Patience, Process
from tables.intake import Intake, IntakeError
from tables.models import GamingTable, JackpotSystem
from tables.outage import is_outage

if TYPE_CHECKING:
    from simulation.world import World


class IntakePart:
    """An intake under its instance's name, started again when it dies."""

    def __init__(self, world: World, instance: str) -> None:
        self.world = world
        self.name = instance
        self.process = Process(world, instance)
        self.intake: Intake | None = None

    @property
    def has_deliveries(self) -> bool:
        """Whether something waits to be taken in."""
        return self.intake is not None and not self.intake.link.deliveries.empty()

    def start(self) -> None:
        """The process starts; its connections are made by the scheduler."""

        def begin() -> None:
            self.intake = Intake(self.name)
            self.intake.start()

        self.process.run("start", begin)

    def step(self, fault: Fault | None = None) -> int:
        """Take in what was delivered; how many messages."""
        intake = self.intake
        if intake is None:
            self.start()
            return 0
        intake._stop = Patience(self.world)
        try:
            taken = self.process.run("step", lambda: intake.step(0.0), fault)
        except IntakeError:
            self.world.killed(self.process)
            return 0
        return int(taken or 0)

    def fell(self) -> None:
        """The process is gone."""
        self.intake = None


class PosterPart:
    """A poster; each life has a name of its own."""

    def __init__(self, world: World, name: str) -> None:
        self.world = world
        self.name = name
        self.process = Process(world, name, machine=name)
        self.poster: Poster | None = None
        self.asleep_until_s = 0.0
        self._lives = 0

    def step(self, fault: Fault | None = None) -> int:
        """Post one batch of each system; how many entries."""
        if self.poster is None:
            self._lives += 1
            self.poster = Poster(f"{self.name}-{self._lives}")
        poster = self.poster

        def post() -> int:
            try:
                return poster.step()
            except Error as fault:  # as Poster.run does
                if not is_outage(fault):
                    raise
                connection.close()
                poster._renew_at = None
                return 0

        return int(self.process.run("step", post, fault) or 0)

    def fell(self) -> None:
        """The process is gone; its lease is not."""
        self.poster = None


class WorkerPart:
    """The worker: display values, and claims for new hits."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.name = "worker"
        self.process = Process(world, "worker", machine="worker")

    def step(self, fault: Fault | None = None) -> int:
        """A system's display values, or its claims."""
        dice = self.world.dice
        code, is_display = dice.choice(sorted(SYSTEMS)), dice.random() < 0.5

        def work() -> int:
            try:
                system = JackpotSystem.objects.get(code=code)
                if is_display:
                    display.refresh(system.pk)
                else:
                    claims.catch_up(system)
            except (OperationalError, InterfaceError):  # Celery runs the task again
                connection.close()
            return 1

        return int(self.process.run("step", work, fault) or 0)

    def call_dark(self) -> str:
        """Celery finds a display dark; which one. Units speak too rarely here for its own watch."""

        def work() -> str:
            now = timezone.now()
            since = now - dt.timedelta(seconds=61)
            tables = GamingTable.objects.filter(state__session__isnull=False)
            silent = list(tables.exclude(readings__received_at__gt=since).order_by("pk"))
            if not silent:
                return "no display"
            table = self.world.display_dice.choice(silent)
            call = DarkCall(table=table, since=since, until=now)
            DarkCall.objects.bulk_create([call], ignore_conflicts=True)
            return f"the display of {table.code}"

        return str(self.process.run("call", work) or "no display")

    def fell(self) -> None:
        """The task is lost; the beat sends another."""
