"""Seeds that must pass, the same seed twice, and bugs that must be found."""

import pytest

from simulation.ground import Ground
from simulation.runs import run
from tests.simulation.planted import BUGS, Plant

STEPS = 100
WITHIN = 6  # seeds


@pytest.mark.parametrize("seed", range(1, 5))
def test_the_product_stands_the_weather(ground: Ground, seed: int) -> None:
    result = run(seed, ground)
    assert not result.findings, result.command


def test_the_same_seed_is_the_same_world(ground: Ground) -> None:
    first, second = run(7, ground, STEPS), run(7, ground, STEPS)
    assert first.blocks
    assert first == second


def test_another_seed_is_another_world(ground: Ground) -> None:
    assert run(8, ground, 10).trace_hash != run(9, ground, 10).trace_hash


@pytest.mark.parametrize("plant", BUGS, ids=lambda plant: plant.__name__)
def test_a_planted_bug_is_found(
    ground: Ground, plant: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    weather = BUGS[plant]
    assert any(run(seed, ground, STEPS, weather=weather).findings for seed in range(1, 1 + WITHIN))
