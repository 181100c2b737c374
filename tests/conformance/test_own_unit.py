"""The project's own unit is conforming."""

from conformance.against_unit import recovery, scenes
from tests.support.units.bench import Bench

# Its counter never starts again while the boot is known, which would be seen in U-32 alone.
BY_HAND = ["U-04", "U-35", "U-60", "U-68", "U-69", "D-01", "D-03", "D-05", "D-06"]


def test_the_projects_own_unit_keeps_every_clause(bench: Bench) -> None:
    report = bench.try_unit()
    lines = "\n".join(report.lines())
    assert report.ids("does not hold") == [], lines
    assert report.ids("not tried") == [], lines
    assert report.ids("by hand") == BY_HAND, lines
    assert report.exit_code == 0


def test_without_a_tap_nobody_knows_who_said_that_the_unit_left(bench: Bench) -> None:
    short = [*scenes.DAY[:2], *(each for each in recovery.END if each.tries == "U-12")]
    report = bench.try_unit(scenes=short, has_tap=False)
    assert report.ids("does not hold") == []
    assert report.of("U-12").verdict == "not tried"
    assert "last will" in report.of("U-12").evidence
