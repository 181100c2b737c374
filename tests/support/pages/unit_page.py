"""The practice unit in a browser: a visitor who opens a session and plays."""

import re
from typing import Any

import pytest
from django.test import Client

from demo.units.presets import PRESETS
from tests.support.units.demo_floor import Floor

SEATS = {"game": "holdem", "dealer": "Anahera", "stakes": "2-5", "seats": ["1", "2", "3", "4"]}


PRESET = {preset.code: preset for preset in PRESETS}


class Visitor:
    """Uses the page by its forms, as a browser without scripts."""

    def __init__(self) -> None:
        self.client = Client()

    def does(self, action: str, **fields: Any) -> str:
        """Send a form; the page that comes then."""
        answer = self.client.post(f"/demo/unit/{action}/", fields, follow=True)
        assert answer.status_code == 200, answer.content.decode()
        return answer.content.decode()

    def reports(self, preset: str, **fields: Any) -> str:
        values = {**PRESET[preset].values("holdem"), "seat": "3", **fields}
        return self.does("report", **{name: value for name, value in values.items() if value})

    def screen(self) -> str:
        """The handset's text, without its markup."""
        page = self.client.get("/demo/unit/screen/").content.decode()
        screen = page.split('data-part="screen"')[1].split('data-part="log"')[0]
        return " ".join(re.sub(r"<[^>]*>", " ", screen).split())


@pytest.fixture
def visitor(floor: Floor) -> Visitor:
    visitor = Visitor()
    assert "TABLE CLOSED" in visitor.client.get("/demo/unit/").content.decode()
    return visitor


@pytest.fixture
def playing(visitor: Visitor) -> Visitor:
    """A session is open and a round in play."""
    visitor.does("open", **SEATS)
    visitor.does("press")
    return visitor
