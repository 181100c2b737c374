"""A display page at the table reads back what is drawn on it, as a hardware display does (19.8)."""

import json
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from tables.intake.readings import ROWS_A_MINUTE
from tables.models import Alarm, DisplayReading
from tests.support.pages.browser.display_screen import stop_the_clock
from tests.support.pages.room import KEY, Room
from tests.support.people.roles import acting_as
from tests.support.suite.waiting import wait_until

ADDRESS = f"/display/{KEY}/reading"
READING = {
    "v": 1,
    "display": "d-t3",
    "at": "2026-11-21T10:18:20.000+13:00",
    "terms": 12,
    "shown": [{"tier": "royal", "value": 100_000}],
    "system_seq": 90_211,
}


def send(client: Client, reading: Any, address: str = ADDRESS) -> Any:
    body = reading if isinstance(reading, bytes) else json.dumps(reading).encode()
    with acting_as("web"):
        return client.post(address, body, content_type="text/plain;charset=UTF-8")


@pytest.mark.django_db
@pytest.mark.urls("tests.support.pages.addresses")
class TestReading:
    def test_it_is_kept_beside_those_of_hardware(self, client: Client) -> None:
        Room().shows(royal=100_000)
        assert send(client, READING).status_code == 204
        row = DisplayReading.objects.get()
        assert (row.table.code, row.display, row.shown) == ("t3", "d-t3", {"royal": 100_000})
        assert (row.terms, row.system_seq) == (12, 90_211)

    @pytest.mark.parametrize(
        "reading",
        [
            b"",
            b"{",
            b"[" * 5000,
            b"x" * 10_000,
            {**READING, "more": 1},
            {**READING, "v": 2},
            {**READING, "display": "../t3"},
            {**READING, "at": "0001-01-01T00:00:00Z"},
            {**READING, "shown": [{"tier": "royal", "value": -1}]},
        ],
    )
    def test_what_is_no_reading_is_refused_in_words(self, client: Client, reading: Any) -> None:
        Room()
        answer = send(client, reading)
        assert (answer.status_code, answer["Content-Type"]) == (400, "text/plain")
        assert answer.content
        assert not DisplayReading.objects.exists()

    def test_only_who_has_the_address_writes_and_only_by_posting(self, client: Client) -> None:
        Room()
        assert send(client, READING, f"/display/{'x' * 32}/reading").status_code == 404
        assert client.get(ADDRESS).status_code == 405
        assert not DisplayReading.objects.exists()

    def test_a_screen_gone_mad_fills_nothing(self, client: Client) -> None:
        Room()
        for _ in range(ROWS_A_MINUTE + 3):
            assert send(client, READING).status_code == 204
        assert DisplayReading.objects.count() == ROWS_A_MINUTE
        assert Alarm.objects.get().count == 3

    @pytest.mark.parametrize(
        ("query", "is_screen"),
        [("", False), ("?screen=d-t3", True), ("?screen=D%22x", False), ("?screen=", False)],
    )
    def test_only_a_page_with_a_name_is_the_screen_at_the_table(
        self, client: Client, query: str, is_screen: bool
    ) -> None:
        Room().shows(royal=1)
        page = client.get(f"/display/{KEY}/{query}").content.decode()
        assert (f'data-screen="d-t3" data-reading="{ADDRESS}"' in page) is is_screen


@pytest.mark.browser
class TestScreen:
    @pytest.fixture
    def room(self, console_url: str) -> Room:
        return Room()

    def test_a_screen_says_what_is_drawn_every_ten_seconds(
        self, screen: Page, console_url: str, room: Room
    ) -> None:
        room.shows(royal=1_000_000)
        stop_the_clock(screen)
        screen.goto(f"{console_url}/display/{KEY}/?screen=d-t3")
        expect(screen.locator(".figure")).to_have_text("10,000.00")

        def has_read(times: int) -> bool:
            screen.clock.run_for(250)
            return DisplayReading.objects.count() >= times

        wait_until(lambda: has_read(1), what="the first reading")
        row = DisplayReading.objects.earliest("id")
        assert (row.display, row.shown, row.system_seq) == ("d-t3", {"royal": 1_000_000}, 1)
        room.shows(royal=1_000_050)
        before = DisplayReading.objects.count()
        wait_until(lambda: has_read(before + 1), what="the next reading")
        newest = DisplayReading.objects.latest("id")
        assert (newest.said_at - row.said_at).total_seconds() >= 10
        assert newest.shown["royal"] in (1_000_000, 1_000_050)

    def test_a_page_that_is_only_looked_at_reads_nothing_back(
        self, screen: Page, console_url: str, room: Room
    ) -> None:
        addresses: list[str] = []
        screen.on("request", lambda request: addresses.append(request.url))
        room.shows(royal=1_000_000)
        stop_the_clock(screen)
        screen.goto(f"{console_url}/display/{KEY}/")
        expect(screen.locator(".figure")).to_have_text("10,000.00")
        screen.clock.run_for(14_000)
        assert not [url for url in addresses if url.endswith("/reading")]
        assert not DisplayReading.objects.exists()

    def test_a_screen_that_nobody_can_see_or_that_is_not_current_is_dark(
        self, screen: Page, console_url: str, room: Room
    ) -> None:
        screen.add_init_script(
            "Object.defineProperty(document, 'hidden', { get: () => window.dark !== false });"
        )
        addresses: list[str] = []
        screen.on("request", lambda request: addresses.append(request.url))
        room.shows(royal=1_000_000)
        stop_the_clock(screen)
        screen.goto(f"{console_url}/display/{KEY}/?screen=d-t3")
        expect(screen.locator(".figure")).to_have_text("10,000.00")
        screen.clock.run_for(2_000)
        assert not [url for url in addresses if url.endswith("/reading")]
        screen.evaluate("window.dark = false")

        def has_read() -> bool:
            screen.clock.run_for(250)
            return DisplayReading.objects.exists()

        wait_until(has_read, what="a reading of the page that is seen")
