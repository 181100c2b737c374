"""The world of one seed: everything in one process, one random generator, numbered steps."""

from __future__ import annotations

import dataclasses
import hashlib
import random
from collections.abc import Callable, Mapping
from typing import Any

from simulation import backups, moves, scenes
from simulation.checks import entered_hands
from simulation.console import IntakePart, PosterPart, WorkerPart
from simulation.environment.broker import Broker
from simulation.environment.clocks import Clocks
from simulation.environment.commit_checks import Checks
from simulation.environment.connection import ModelLink
from simulation.environment.fault_profile import FaultProfile
from simulation.environment.process import Fault, Process
from simulation.floor import Table, still_dark
from simulation.floor_staff import FloorStaff
from simulation.people import PeoplePart
from simulation.template_database import KEY, SYSTEMS, TemplateDatabase

Part = IntakePart | PosterPart | WorkerPart | PeoplePart

_BURST = 8  # packets that a wire carries at most in one step


class World:
    """Tables, broker, intakes, posters, worker and people; `step` moves one of them."""

    def __init__(
        self,
        seed: int,
        ground: TemplateDatabase,
        database: str,
        tell: Callable[[str], None] | None = None,
        fault_profile: Mapping[str, Any] | None = None,
    ) -> None:
        self.seed, self.ground, self.database = seed, ground, database
        self.dice = random.Random(f"simulation {seed}")
        profile = FaultProfile.draw(self.dice)
        self.fault_profile = dataclasses.replace(profile, **(fault_profile or {}))
        self.clocks = Clocks()
        self.running: Process | None = None
        self.broker = Broker(self.dice, self.fault_profile.drop, self.fault_profile.duplicate)
        self.checks = Checks(ground.url(database), self.broker.times_said)
        self.entered: dict[str, entered_hands.Entered] = {}  # by the note of who entered it
        self.number = 0  # of the present step
        self.era = 1
        self.backup: str | None = None
        self._tell = tell
        self._trace = hashlib.sha256()
        self._deep = False  # a process runs in the middle of another one's step
        self.tables = [
            Table(self, system, code, KEY if number % 2 else "")
            for system, codes in SYSTEMS.items()
            for number, code in enumerate(codes)
        ]
        self.intakes = [IntakePart(self, "intake-1")]
        self.posters = [PosterPart(self, "poster-1")]
        if self.fault_profile.second_intake:
            self.intakes.append(IntakePart(self, "intake-2"))
        if self.fault_profile.second_poster:
            self.posters.append(PosterPart(self, "poster-2"))
        self.worker = WorkerPart(self)
        self.people = PeoplePart(self)
        self.floor_staff = FloorStaff(self.people)

    @property
    def addresses(self) -> list[Table]:
        """Every address that the console knows: those of tables that moved, too."""
        places = self.floor_staff.places()
        chains = [address for table in self.tables for address in table.first.addresses]
        return [table for table in chains if table.name in places]

    @property
    def parts(self) -> list[Part]:
        return [*self.intakes, *self.posters, self.worker, self.people]

    def make_link(self, client_id: str, *args: Any, **keywords: Any) -> ModelLink:
        """In the place of `tables.mqtt.client.Link`."""
        keywords.pop("url", None)  # there is one broker
        link = ModelLink(self.broker, client_id, *args, **keywords)
        link.process = self.running
        return link

    # --- the trace --------------------------------------------------------------------------

    def note(self, text: str) -> None:
        """A line of the trace: no surrogate id stands in it, so that it can be compared."""
        line = f"{self.number:5} {self.clocks.true_s:9.3f} {text}"
        self._trace.update(line.encode() + b"\n")
        if self._tell:
            self._tell(line)

    @property
    def trace_hash(self) -> str:
        return self._trace.hexdigest()

    # --- life ---------------------------------------------------------------------------------

    def begin(self) -> None:
        """Everybody starts; the first terms are posted."""
        self.note(f"faults {dataclasses.asdict(self.fault_profile)}")
        for intake in self.intakes:
            intake.start()
        for table in self.tables:
            table.switch_on()
        for system in SYSTEMS:
            self.note(self.people.post_terms(system))
        self.posters[0].step()
        for system in SYSTEMS:
            self.worker.show(system)
        if self.dice.random() < 0.8:  # most mornings are calm: everybody finds a boot
            for _ in range(4):
                self.number += 1
                self.clocks.true_s += 1.0
                self._settle_round()

    def end(self) -> None:
        """Everybody lets go of the database."""
        for part in self.parts:
            part.process.close()
        self.checks.close()

    def step(self) -> None:
        """One numbered step: time passes, something moves, perhaps something breaks."""
        self.number += 1
        self.clocks.true_s += min(self.dice.expovariate(4), 5.0)
        if self.dice.random() < 0.01:
            self.clocks.true_s += self.dice.uniform(5, 30)
        self._misfortune()
        moves = (
            (30, self._move_table),
            (8, self._tend),
            (28, self._move_wire),
            (8, self._connect),
            (12, self._intake),
            (9, self._post),
            (2, self._work),
            (9, self._decide),
        )
        (move,) = self.dice.choices([m for _, m in moves], [w for w, _ in moves])
        move()
        self._displays()
        scenes.some(self)

    # --- moves --------------------------------------------------------------------------------

    def _move_table(self) -> None:
        table = self.dice.choice(self.tables)
        for _ in range(self.dice.choice((1, 1, 2, 4))):
            self.note(f"{table.name} {table.act()}")
            if table.unit is not None:
                table.unit.tend(0)
            self.clocks.true_s += self.dice.uniform(0.2, 2.5)

    def _tend(self) -> None:
        table = self.dice.choice(self.tables)
        if table.unit is None:
            table.switch_on()
            self.note(f"{table.name} is switched on")
        else:
            table.tend()
        if table.must_declare and self.dice.random() < 0.3:
            table.declare()
            self.note(f"{table.name} declares what it lost")

    def _move_wire(self) -> None:
        busy = self.broker.busy()
        if not busy:
            return
        if self.dice.random() < self.fault_profile.brisk:
            self._carry_all()
            self.note("all lines carry what they have")
            return
        direction, connection = self.dice.choice(busy)
        wire = connection.upward if direction == "up" else connection.downward
        carry = self.broker.carry_up if direction == "up" else self.broker.carry_down
        count = min(len(wire), self.dice.randint(1, _BURST))
        for _ in range(count):
            carry(connection)
        self.note(f"{connection.link.client_id} {direction} {count}")

    def _connect(self) -> None:
        away = [link for link in self.broker.links if not link.is_connected]
        if away:
            link = self.dice.choice(away)
            self.broker.connect(link)
            self.note(f"{link.client_id} connects")

    def _intake(self) -> None:
        intake = self.dice.choice(self.intakes)
        self.note(f"{intake.name} takes {intake.step(self._fault(intake.process, 'step'))}")

    def _post(self) -> None:
        poster = self.dice.choice(self.posters)
        if self.clocks.true_s < poster.asleep_until_s:
            return
        self.note(f"{poster.name} posts {poster.step(self._fault(poster.process, 'step'))}")

    def _work(self) -> None:
        self.note(f"worker {self.worker.step(self._fault(self.worker.process, 'step'))}")

    def _decide(self) -> None:
        for _ in range(self.dice.choice((1, 1, 2, 4))):
            self.note(f"pages: {self.people.step(self._fault(self.people.process, 'act'))}")

    def _displays(self) -> None:
        """A display fails or is repaired; Celery looks at them; somebody resumes a table."""
        dice = self.dice
        table = dice.choice(self.tables)
        if dice.random() < self.fault_profile.dark:
            table.is_dark = not table.is_dark
            self.note(f"the display of {table.name} is {'dark' if table.is_dark else 'lit'}")
        if dice.random() < (0.15 if still_dark(self.tables) else 0.02):
            called = self.worker.watch(self._fault(self.worker.process, "watch"))
            self.note(f"worker calls for {called} dark displays")
        if dice.random() < 0.05:
            moves.set_up(self)
        if dice.random() < 0.02:
            self.note(f"pages: {self.people.resume(table.system, table.code)}")

    # --- misfortune -----------------------------------------------------------------------------

    def _fault(self, process: Process, what: str) -> Fault | None:
        """What this step of a process meets, if anything."""
        if self._deep:
            return None
        fault_profile = self.fault_profile
        for kind, rate in (
            ("killed", fault_profile.killed),
            ("outage", fault_profile.outage),
            ("meanwhile", fault_profile.meanwhile),
        ):
            if self.dice.random() < rate:
                return process.draw(what, kind)
        return None

    def meanwhile(self, interrupted: Process) -> None:
        """Another process takes its turn in the middle of a step."""
        others = [part for part in self.parts if part.process is not interrupted]
        if self._deep:
            return
        self._deep = True
        try:
            part = self.dice.choice(others)
            self.note(f"meanwhile {part.name}: {part.step()}")
        finally:
            self._deep = False

    def killed(self, process: Process) -> None:
        """A process is gone: its connections break, its part forgets it."""
        for link in [link for link in self.broker.links if link.process is process]:
            self.unplug(link)
        for part in self.parts:
            if part.process is process:
                part.fell()

    def unplug(self, link: Any) -> None:
        """A client is gone without a word; the broker may notice at once or later."""
        if link in self.broker.links:
            self.broker.links.remove(link)
        self.broker.break_off(link, noticed=self.dice.random() < 0.6)

    def _misfortune(self) -> None:
        dice, fault_profile = self.dice, self.fault_profile
        if dice.random() < fault_profile.line:
            link = dice.choice(self.broker.links)
            self.broker.break_off(link, noticed=dice.random() < 0.6)
            self.note(f"{link.client_id} loses its line")
        if dice.random() < 0.05:
            self.broker.sweep()
        if dice.random() < fault_profile.broker:
            memory = dice.choice(("all", "old", "old", "none"))
            self.broker.restart(memory=memory)
            self.note(f"the broker restarts, memory: {memory}")
        if dice.random() < 0.05:
            self.broker.save()
        self._misfortune_at_a_table()
        if fault_profile.restores and dice.random() < 0.02:
            backups.back_up_or_restore(self)
        if dice.random() < fault_profile.asleep:
            poster = dice.choice(self.posters)
            poster.asleep_until_s = self.clocks.true_s + dice.uniform(1, 20)
            self.note(f"{poster.name} falls asleep")
        if dice.random() < fault_profile.clock:
            machine = dice.choice(["console", "database", *[t.name for t in self.tables]])
            machine = dice.choice([machine, *[p.name for p in self.posters]])
            self.clocks.set(machine, dice.choice((-3600.0, -7.0, 0.0, 0.5, 7.0, 3600.0)))
            self.note(f"the clock of {machine} is {self.clocks.wrong_s[machine]} s wrong")

    def _misfortune_at_a_table(self) -> None:
        dice, fault_profile = self.dice, self.fault_profile
        table = dice.choice(self.tables)
        if dice.random() < fault_profile.power:
            if dice.random() < 0.3:
                table.replace()
                self.note(f"{table.name} gets another unit")
            else:
                table.cut_power()
                self.note(f"{table.name} loses its power")
        if dice.random() < fault_profile.journal:
            self.note(f"{table.name} {table.lose_events()}")
        if dice.random() < fault_profile.nonsense:
            self.note(f"{table.name} {table.talk_nonsense()}")

    # --- the end ----------------------------------------------------------------------------------

    def settle(self, within: int = 120) -> bool:
        """Everything works again: whether all comes right, within so many rounds."""
        self.fault_profile = self.fault_profile.calm()
        self.broker.drop = self.broker.duplicate = 0.0
        self.note("faults end")
        quiet, is_late = 0, False
        for _ in range(within):
            self.number += 1
            self.clocks.true_s += 3.0
            quiet = 0 if self._settle_round() else quiet + 1
            if quiet >= 4 and not is_late:  # longer than a gap is waited for, and than a lease
                self._wait_for_the_dark()
                self._late_shift()
                quiet, is_late = 0, True
            elif quiet >= 4:
                return True
        return False

    def _late_shift(self) -> None:
        """All is on the console now: people go through what came, and repair displays."""
        for _ in range(6):
            self._decide()
            self._settle_round()
        for table in self.tables:
            table.is_dark = table.is_dark and self.dice.random() >= 0.5
        for _ in range(12):
            self.note(f"pages: {self.people.see_through()}")
            self._settle_round()
        for _ in range(self.dice.choice((0, 6))):
            self.note(f"pages: {self.people.doubt()}")
        for table in self.tables:
            if table.has_display and not table.is_dark:
                self.note(f"pages: {self.people.resume(table.system, table.code)}")

    def _wait_for_the_dark(self) -> None:
        """Where displays are dark the minute passes that is posted."""
        for _ in range(7 if still_dark(self.tables) else 0):
            self.number += 1
            self.clocks.true_s += 14.0
            self._settle_round()
            self.worker.watch()

    def _settle_round(self) -> bool:
        """Whether anything happened, or is still to happen."""
        self.broker.sweep()
        for link in list(self.broker.links):
            if not link.is_connected:
                self.broker.connect(link)
        self._carry_all()
        look = self.number % 3 == 0  # at the outbox, or to start again
        count = sum(intake.step() for intake in self.intakes if look or intake.has_deliveries)
        self._carry_all()
        for table in self.tables:
            if table.unit is None:
                table.switch_on()
                continue
            table.declare()
            table.tend()
        posted = self.posters[self.number % len(self.posters)].step()
        if look:
            self.worker.finish()
            posted += moves.set_up(self)
        self.note(f"settling: {count} taken, {posted} posted")
        return bool(posted) or not all(table.is_settled() for table in self.tables)

    def unsettled(self) -> str:
        """Which tables' units wait for receipts still."""
        return ", ".join(table.name for table in self.tables if not table.is_settled())

    def take_all_in(self) -> None:
        """What was said is on the console, as on a good day."""
        self._carry_all()
        for intake in self.intakes:
            intake.step()
        self._carry_all()

    def _carry_all(self) -> None:
        while busy := self.broker.busy():
            for direction, connection in busy:
                carry = self.broker.carry_up if direction == "up" else self.broker.carry_down
                carry(connection)
