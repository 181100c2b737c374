"""Running seeds: each in a world of its own, in a database of its own."""

from __future__ import annotations

import dataclasses
import traceback
from collections import Counter
from collections.abc import Callable, Mapping

from simulation import verdict
from simulation.environment import patching
from simulation.environment.commit_checks import Finding
from simulation.template_database import TemplateDatabase
from simulation.world import World

STEPS = 200


@dataclasses.dataclass(frozen=True, slots=True)
class Run:
    """What became of a seed. The same seed gives the same trace and the same blocks."""

    seed: int
    steps: int
    findings: list[str]
    trace_hash: str
    blocks: list[tuple[str, int, str]]
    came_about: Counter[str]

    @property
    def command(self) -> str:
        """What reproduces it."""
        return f"python manage.py simulate --seed {self.seed} --steps {self.steps} --trace"


def run(
    seed: int,
    ground: TemplateDatabase,
    steps: int = STEPS,
    tell: Callable[[str], None] | None = None,
    fault_profile: Mapping[str, float] | None = None,
    *,
    replays: bool = False,
) -> Run:
    """Run one seed to its end, and judge it. `fault_profile`: chances instead of the drawn ones;
    `replays`: the order must lead to the same in an empty database.
    """
    world = World(seed, ground, ground.clone(), tell, fault_profile)
    with patching.patched(world.clocks, world.make_link):
        try:
            findings = _findings(world, steps)
        finally:
            world.end()
    if replays and not findings:
        findings = verdict.replayed(world)
    blocks = verdict.block_hashes(world)
    result = Run(seed, steps, findings, world.trace_hash, blocks, verdict.came_about(world))
    for database in (world.database, world.backup):
        if database is not None:
            ground.drop(database)
    return result


def _findings(world: World, steps: int) -> list[str]:
    try:
        world.begin()
        for _ in range(steps):
            world.step()
        settled = world.settle()
        for _ in range(2):  # the outbox is sent, and what has arrived is deleted
            world.clocks.true_s += 1.0
            world.take_all_in()
        world.end()
        findings = verdict.findings(world)
    except Finding as finding:
        return [f"step {world.number}: {finding}"]
    except Exception:  # noqa: BLE001 - whatever comes out of the product is a finding
        return [f"step {world.number}: {traceback.format_exc()}"]
    if not settled:
        findings.insert(0, f"it does not settle: {world.unsettled()}")
    return findings
