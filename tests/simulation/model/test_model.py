"""TLC looks at every state of the model: promises hold, and each mistake breaks one of them."""

import dataclasses

import pytest

from simulation.model import cases, checker, traces

pytestmark = [
    pytest.mark.java,
    pytest.mark.skipif(bool(checker.missing()), reason=checker.missing()),
]


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, marks=pytest.mark.long if case.is_long else ()) for case in cases.RIGHT],
    ids=lambda case: case.name,
)
def test_the_promises_hold_in_every_state(case: cases.Case) -> None:
    result = checker.check(case)
    assert result.broken is None, result.trace
    assert result.states > 1000


@pytest.mark.parametrize("case", cases.WRONG, ids=lambda case: case.name)
def test_a_mistake_is_found(case: cases.Case) -> None:
    result = checker.check(case)
    assert result.broken == case.breaks
    assert len(result.trace) > 3


@pytest.mark.long
@pytest.mark.parametrize("case", cases.WRONG, ids=lambda case: case.name)
def test_without_the_mistake_the_same_world_is_right(case: cases.Case) -> None:
    assert checker.check(dataclasses.replace(case, wrong="none")).broken is None


@pytest.mark.long
def test_traces_are_those_of_the_model() -> None:
    """What is stored is what the model does today: `make model` writes it again."""
    assert traces.random_walks() == traces.read()
