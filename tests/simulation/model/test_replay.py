"""Behaviours of the model, step by step in the product's own code on a real PostgreSQL."""

from collections.abc import Generator

import pytest
from pytest_django import DjangoDbBlocker

from jackpot.writer import batches
from simulation.model import cases, checker, stage, traces
from simulation.model.replay import Difference, prepare, replay
from simulation.template_database import TemplateDatabase

TRACES = traces.read()
# At which step of a behaviour that breaks a promise the product does otherwise.
REFUSED_AT = {
    "receipt_before_commit": "Record",
    "no_boot": "Hear",
    "era_from_backup": "Restore",
    "no_fence": "Open",
    "fence_apart": "Lease",
    "epoch_alone": "Open",
    "no_gaps": "Commit",
}


@pytest.fixture(scope="module")
def one_system(
    template_database: str, django_db_blocker: DjangoDbBlocker
) -> Generator[tuple[TemplateDatabase, str]]:
    """A ground with the system of the model alone, and the database that behaviours begin with."""
    ground = TemplateDatabase()
    with django_db_blocker.unblock():
        try:
            ground.prepare(template_database, {stage.SYSTEM: stage.TABLES})
            yield ground, prepare(ground)
        finally:
            ground.close()


@pytest.mark.parametrize("number", range(len(TRACES)))
def test_the_product_does_what_the_model_says(
    one_system: tuple[TemplateDatabase, str], number: int
) -> None:
    replay(TRACES[number], *one_system)


def test_a_batch_that_is_copied_stands_still_as_one_in_a_pipeline(
    one_system: tuple[TemplateDatabase, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches, "PIPELINED", 0)
    replay(next(each for each in TRACES if _has(each, "Commit")), *one_system)


def _has(trace: traces.Trace, name: str) -> bool:
    return any(step["did"][0] == name for step in trace)


@pytest.mark.java
@pytest.mark.skipif(bool(checker.missing()), reason=checker.missing())
@pytest.mark.parametrize("case", cases.REPLAYED, ids=lambda case: case.name)
def test_the_product_does_not_make_the_mistake(
    one_system: tuple[TemplateDatabase, str], case: cases.Case
) -> None:
    """It follows the behaviour that breaks a promise up to one step, and there does otherwise."""
    trace = traces.steps(checker.check(case).trace)
    with pytest.raises(Difference, match=rf"^step \d+, \['{REFUSED_AT[case.wrong]}'"):
        replay(trace, *one_system)


def test_every_kind_of_step_is_replayed() -> None:
    assert traces.kinds(TRACES) == set(traces.KINDS)
