"""`python -m tests.evenings.record FILE`: record such evenings again, which takes ten minutes.

They were recorded by version 4 of the fold under version 2 of the rules, before modules were
moved into rooms: evenings of the simulator with two systems and five tables, some calm and some
with faults, and the orders that stories and tests of `jackpot` leave behind, in which every kind
of decision comes about. `evenings.jsonl.xz` itself is never written again: those evenings must fold
as they did. Orders of a later version go into a file of their own.
"""

import lzma
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from demo.servers.postgres import PrivatePostgres
from tests.evenings.rows import orders

FAIR = {"brisk": 0.8, "hands": 0.1, "clock": 0.0, "entered": 0.02, "dark": 0.005, "line": 0.01}
FAIR |= {"broker": 0.0, "journal": 0.0, "outage": 0.0, "power": 0.002, "killed": 0.03}
SEEDS: dict[int, dict[str, Any]] = {
    4: {},  # with the faults that it draws
    17: {**FAIR, "restores": False},
    23: {**FAIR, "restores": False},
    5: {**FAIR, "restores": False, "hands": 0.05},
}
STEPS = 600
TESTS = (  # of which none changes rows behind the order's back
    "tests/stories",
    "tests/jackpot/domain/state/test_corrections.py",
    "tests/jackpot/domain/play/test_late_sessions.py",
    "tests/jackpot/domain/play/test_periods.py",
    "tests/jackpot/audit/test_replay.py::test_an_evening_is_replayed_to_the_same_hashes",
    "tests/jackpot/audit/test_replay.py::test_void_cancelled_and_missed_rounds_and_a_table_that_left",
    "tests/jackpot/domain/test_seasons.py",
    "tests/settlement/floor/test_boot_counter.py::test_the_unit_is_heard_again",
    "tests/settlement/claims/decisions/test_delegation.py::test_compliance_confirms_where_every_manager_was_dealt_in",
    "tests/settlement/floor/test_forgotten_completions.py",
    "tests/settlement/floor/test_held_rounds.py::test_figures_wait_and_two_people_refuse_them",
    "tests/settlement/floor/test_held_rounds.py::test_a_hand_of_a_held_round_is_paid_like_any",
    "tests/settlement/approvals/test_records.py::test_the_console_takes_in_what_waits",
    "tests/settlement/claims/decisions/test_wrong_rejections.py::test_the_claim_is_open_again",
    "tests/settlement/claims/decisions/test_wrong_rejections.py::test_rejected_again_it_takes_a_proposal_of_its_own",
    "tests/verifier/fold/test_unjudged_hands.py::test_the_order_goes_on_and_everybody_who_folds_it_agrees",
)


def main(into: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="evenings-") as name:
        folder = Path(name)
        folder.chmod(0o711)
        lines = [*_of_tests(folder), *_of_seeds(folder)]
    into.write_bytes(lzma.compress("\n".join(lines).encode(), preset=9 | lzma.PRESET_EXTREME))


def _of_tests(folder: Path) -> list[str]:
    run = [sys.executable, "-m", "pytest", "-q", "-p", "tests.evenings.telling", *TESTS]
    subprocess.run(run, env={**os.environ, "ORDERS_TO": str(folder)}, check=True)
    return [line for file in folder.glob("*.jsonl") for line in file.read_text().splitlines()]


def _of_seeds(folder: Path) -> Iterator[str]:
    with PrivatePostgres(folder / "postgres", durable=False) as postgres:
        os.environ |= {"DATABASE_URL": postgres.url, "CELERY_QUEUE_DIR": str(folder / "celery")}
        os.environ |= {
            "CELERY_BROKER_URL": "filesystem://",
            "SECRET_KEY": "for evenings",
            "DEMO": "1",
        }
        os.environ |= {"DJANGO_SETTINGS_MODULE": "config.settings", "LOG_LEVEL": "CRITICAL"}
        import django

        django.setup()
        from simulation.template_database import TemplateDatabase

        ground = TemplateDatabase()
        try:
            ground.prepare()
            for seed, fault_profile in SEEDS.items():
                database = _play(ground, seed, fault_profile)
                with ground.default_at(database):
                    yield from orders(f"seed {seed}")
        finally:
            ground.close()


def _play(ground: Any, seed: int, fault_profile: dict[str, Any]) -> str:
    """The database of one seed's evening, brought to its end."""
    from simulation.environment import patching
    from simulation.world import World

    world = World(seed, ground, ground.clone(), fault_profile=fault_profile)
    with patching.patched(world.clocks, world.make_link):
        try:
            world.begin()
            for _ in range(STEPS):
                world.step()
            world.settle()
        finally:
            world.end()
    return world.database


if __name__ == "__main__":
    main(Path(sys.argv[1]))
