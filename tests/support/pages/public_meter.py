"""Public pages as somebody without a log-in asks for them."""

from typing import Any

from django.test import Client

from tests.support.people.roles import acting_as
from tests.support.play.house import House

TIER = "/meter/main/royal/"


def play(house: House, rounds: int = 1) -> None:
    for _ in range(rounds):
        house.press("t3")
        house.post()


def answer_to(address: str = TIER, **headers: Any) -> Any:
    with acting_as("web", logged_in=False):
        return Client().get(address, **headers)
