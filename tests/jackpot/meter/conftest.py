"""A house with a public address, some rounds and a checkpoint."""

import pytest
from pytest_django import Settings

from jackpot.display import values as display
from jackpot.meter import public_page
from jackpot.transparency import checkpoints
from jackpot.web.rate_limit import RateLimit
from tests.support.pages.public_meter import play
from tests.support.play.books import royal_terms
from tests.support.play.house import House
from tests.support.proof.transparency import sign_checkpoints
from tests.support.suite.kept_house import kept_house
from tests.support.suite.quick_settings import no_static_files

__all__ = ["no_static_files"]


@pytest.fixture(autouse=True)
def public(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """A house with a public address; no answer and no count is left of another test."""
    settings.PUBLIC_ORIGIN = "https://jackpot.example"
    settings.METER_CACHE_S = 0.0
    public_page.answers.clear()
    monkeypatch.setattr(public_page, "rate_limit", RateLimit())
    sign_checkpoints(settings)


def build_house() -> House:
    house = House(royal_terms())
    house.open("t3")
    play(house, 5)
    checkpoints.make(house.system)
    display.refresh(house.system.pk)
    return house


house = kept_house(build_house)
