"""A screen that was paired, as a browser with its cookie."""

from typing import Any

from django.test import Client

from jackpot.models import Screen, ScreenRequest
from settlement.screens import screens as service
from settlement.screens.screens import ScreenSettings
from tables.models import Casino
from tests.support.cases.confirmed_house import person

ALL = ("main", "tiers", "winners", "high_hands", "slides", "lobby")


def asking() -> Client:
    """A browser that shows a code."""
    client = Client()
    answer = client.post("/screen/code", headers={"X-Screen": "1"})
    assert answer.status_code == 200, answer.content
    return client


def screen_values(**fields: Any) -> ScreenSettings:
    return ScreenSettings(**{"name": "Lobby 1", "place": "Entrance", "layouts": ALL, **fields})


def paired(by: str = "hana", **fields: Any) -> tuple[Client, Screen]:
    """A browser that is a screen of the only casino now."""
    client = asking()
    code = ScreenRequest.objects.get().code
    screen = service.pair(person(by), Casino.objects.get(), code, screen_values(**fields))
    return client, screen
