"""The console's processes: intakes, posters, the worker. All the code they run is the product's."""

from __future__ import annotations

from collections.abc import Callable

from django.db import Error, InterfaceError, OperationalError, connection

from jackpot.display import values as display
from jackpot.display.dark_displays import watch_displays
from jackpot.writer.poster import Poster
from settlement.claims import services as claims
from settlement.floor import table_transfer
from simulation.environment.process import Fault, Patience, Process, Surroundings
from simulation.template_database import SYSTEMS
from tables.intake.loop import Intake, IntakeError
from tables.models import JackpotSystem
from tables.process.transient_errors import is_outage

Task = Callable[[JackpotSystem], object]


class IntakePart:
    """An intake under its instance's name, started again when it dies."""

    def __init__(self, world: Surroundings, instance: str) -> None:
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
            count = self.process.run("step", lambda: intake.step(0.0), fault)
        except IntakeError:
            self.world.killed(self.process)
            return 0
        return int(count or 0)

    def fell(self) -> None:
        """The process is gone."""
        self.intake = None


class PosterPart:
    """A poster; each life has a name of its own."""

    def __init__(self, world: Surroundings, name: str) -> None:
        self.world = world
        self.name = name
        self.process = Process(world, name, machine=name)
        self.poster: Poster | None = None
        self.asleep_until_s = 0.0
        self._lives = 0

    def step(self, fault: Fault | None = None) -> int:
        """Post one batch of each system; how many entries."""
        poster = self.poster or self.new_life()

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

    def new_life(self) -> Poster:
        """The process starts."""
        self._lives += 1
        self.poster = Poster(f"{self.name}-{self._lives}")
        return self.poster

    def fell(self) -> None:
        """The process is gone; its lease is not."""
        self.poster = None


def _finish(_system: JackpotSystem) -> None:
    table_transfer.finish_all()


def _show(system: JackpotSystem) -> None:
    display.refresh(system.pk)


class WorkerPart:
    """The worker: display values, and claims for new hits."""

    def __init__(self, world: Surroundings) -> None:
        self.world = world
        self.name = "worker"
        self.process = Process(world, "worker", machine="worker")

    def step(self, fault: Fault | None = None) -> int:
        """A system's display values, its claims, or what follows from moves of tables."""
        dice = self.world.dice
        task = dice.choice((_show, claims.catch_up, _finish))
        return self._work(dice.choice(sorted(SYSTEMS)), task, fault)

    def finish(self) -> None:
        """What follows from moves of tables."""
        self._work(min(SYSTEMS), _finish)

    def show(self, system: str) -> None:
        """A system's display values."""
        self._work(system, _show)

    def _work(self, code: str, task: Task, fault: Fault | None = None) -> int:
        def work() -> int:
            try:
                task(JackpotSystem.objects.get(code=code))
            except (OperationalError, InterfaceError):  # Celery runs the task again
                connection.close()
            return 1

        return int(self.process.run("step", work, fault) or 0)

    def watch(self, fault: Fault | None = None) -> int:
        """A look at the displays; how many tables it calls for."""

        def look() -> int:
            try:
                return watch_displays()
            except (OperationalError, InterfaceError):
                connection.close()
                return 0

        return int(self.process.run("watch", look, fault) or 0)

    def fell(self) -> None:
        """The task is lost; the beat sends another."""
