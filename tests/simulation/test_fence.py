"""A writer that stands still at any point of its step while another one takes its systems."""

import pytest

from simulation.environment import patching
from simulation.environment.commit_checks import Finding
from simulation.environment.process import Fault, Process
from simulation.template_database import TemplateDatabase
from simulation.world import World
from tests.support.suite.planted_bugs import a_writer_that_is_not_fenced

LAST = 45  # beyond the last point of a step that posts one command


def test_a_writer_whose_lease_is_over_moves_no_head(
    ground: TemplateDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    _taken_over_at_every_point(ground, monkeypatch)


def test_one_that_is_not_fenced_is_found(
    ground: TemplateDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_writer_that_is_not_fenced(monkeypatch)
    with pytest.raises(Finding, match="poster-1 moved the head of system"):
        _taken_over_at_every_point(ground, monkeypatch)


def _taken_over_at_every_point(ground: TemplateDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(1, ground, ground.clone(), fault_profile={"second_poster": True})
    first, second = world.posters

    def taken_over(_: Process) -> None:
        world.clocks.true_s += 10.0
        assert second.poster is not None
        second.process.run("step", second.poster._lease)

    monkeypatch.setattr(world, "meanwhile", taken_over)
    try:
        with patching.patched(world.clocks, world.make_link):
            world.begin()
            second.step()
            for point in range(1, LAST):
                world.clocks.true_s += 10.0
                world.people.post_terms("north")
                first.step(Fault("meanwhile", point))
            assert first.process.points < LAST
    finally:
        world.end()
        ground.drop(world.database)
