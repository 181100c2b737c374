"""A house whose checkpoints are signed, and a witness that knows its log."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import Settings

from jackpot.transparency import notes
from tests.support.play.books import royal_terms
from tests.support.play.house import House
from tests.support.proof.transparency import sign_checkpoints
from tests.support.proof.witnesses import ORIGIN, RunningWitness


@pytest.fixture
def house(settings: Settings) -> House:
    sign_checkpoints(settings)
    settings.WITNESS_EVERY_S = 0.0
    house = House(royal_terms())
    house.open("t3")
    return house


@pytest.fixture
def witness(house: House, settings: Settings, tmp_path: Path) -> Iterator[RunningWitness]:
    with RunningWitness(tmp_path, notes.keys()[0].verifier_key(ORIGIN)) as witness:
        settings.WITNESSES = f"{witness.start()} {witness.url}"
        yield witness
