"""The database is backed up, lost and restored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from simulation import moves
from simulation.environment.process import Process
from simulation.people import PeoplePart
from simulation.template_database import TemplateDatabase


class Part(Protocol):
    """What runs in a process of its own."""

    process: Process


class House(moves.Room, Protocol):
    """What a backup and a restore take."""

    backup: str | None
    ground: TemplateDatabase
    people: PeoplePart

    @property
    def parts(self) -> Sequence[Part]:
        """Everybody who may be connected to the database."""


def back_up_or_restore(world: House) -> None:
    """Copy the database; or lose it, and begin a new era with the copy."""
    if world.backup is None or world.dice.random() < 0.4:
        for part in world.parts:
            part.process.close()  # nobody may be connected to what is copied
        world.checks.close()
        if world.backup is not None:
            world.ground.drop(world.backup)
        world.backup = world.ground.clone(world.database)
        world.note("the database is backed up")
        return
    for part in world.parts:
        world.killed(part.process)
        part.process.close()
    world.checks.close()
    world.ground.drop(world.database)
    world.database = world.ground.clone(world.backup)
    world.checks.look_at(world.ground.url(world.database))
    # It takes its time, and the operator sets the clock right: eras are numbered by it.
    world.clocks.true_s += world.dice.uniform(2, 120)
    world.clocks.set("console", 0.0)
    world.era = world.people.begin_era()
    moves.set_back(world)
    world.note(f"the database is restored: era {world.era}")
