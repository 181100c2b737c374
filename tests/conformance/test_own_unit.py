"""The project's own unit is conforming."""

from tests.conformance.conftest import Bench

# Its counter never starts again while the boot is known, which would be seen in U-32 alone.
BY_HAND = ["U-04", "U-35", "U-60", "U-68", "U-69", "D-01", "D-03", "D-05", "D-06"]


def test_the_projects_own_unit_keeps_every_clause(bench: Bench) -> None:
    report = bench.try_unit()
    lines = "\n".join(report.lines())
    assert report.ids("does not hold") == [], lines
    assert report.ids("not tried") == [], lines
    assert report.ids("by hand") == BY_HAND, lines
    assert report.exit_code == 0
