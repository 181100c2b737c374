"""The demo's screens: a browser that opens one is that screen, and no other browser is."""

import pytest
from django.test import Client

from demo.casino import seed_data
from demo.casino.screens import SCREENS

pytestmark = pytest.mark.django_db


def test_a_browser_becomes_the_screen_that_it_opens() -> None:
    seed_data.create_seed_data()
    client = Client()
    for each in SCREENS:
        client.get(f"/demo/screens/{each.slug}/")
        content = client.get("/screen/content").json()
        assert (content["name"], content["layouts"]) == (each.name, list(each.layouts))
        assert len(content["lines"]) == 1
    assert client.get("/demo/screens/none/").status_code == 404
    assert Client().get("/screen/content").status_code == 410
