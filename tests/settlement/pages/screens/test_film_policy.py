"""Which pages may play a film from memory: those that draw a screen, and no other."""

import pytest

from tests.support.pages.page_staff import logged_in
from tests.support.pages.screens import paired
from tests.support.people.cast import ClaimHouse
from tests.support.suite.kept_house import kept_house

pytestmark = pytest.mark.usefixtures("no_writer")
house = kept_house(ClaimHouse)


def test_pages_that_draw_a_screen_play_films_from_memory(house: ClaimHouse) -> None:
    client, screen = paired()
    hana = logged_in("hana")
    own = f"/screens/{screen.pk}"
    for page in (
        client.get("/screen/"),
        *(hana.get(f"{own}/{part}/") for part in ("shows", "preview", "win")),
    ):
        policy = page["Content-Security-Policy"]
        assert "media-src 'self' blob:" in policy.split("; ")
        assert "default-src 'self'" in policy.split("; ")
        assert policy.count("blob:") == 1


def test_no_other_page_does(house: ClaimHouse) -> None:
    client, screen = paired()
    hana = logged_in("hana")
    for page in (
        hana.get("/"),
        hana.get("/screens/slides/"),
        hana.get(f"/screens/{screen.pk}/"),
        client.get("/screen/content"),
        client.get("/display/"),
    ):
        assert "blob:" not in page["Content-Security-Policy"]
