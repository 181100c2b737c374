"""The display of a table as the server gives it out, and its stream."""

import asyncio
import datetime as dt
import json
import re
from collections.abc import AsyncGenerator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connections
from django.test import AsyncClient, Client

from config.version import VERSION
from jackpot.display import live
from tests.support.pages.room import KEY, Room, reported
from tests.support.people.cast import hire
from tests.support.suite.databases import FreshDatabase
from tests.support.suite.waiting import wait_until

TEST_MODE = re.compile(rb'id="test">\s*TEST MODE')

pytestmark = pytest.mark.urls("tests.support.pages.addresses")


Event = tuple[str, dict[str, Any]]


async def first_events(client: AsyncClient, address: str) -> tuple[Event, Event]:
    """Which release answers, and what comes behind it."""
    pieces = await pieces_of(client, address)
    async with asyncio.timeout(60):
        release, newest = [_read(await anext(pieces)) for _ in range(2)]
    await pieces.aclose()
    return release, newest


def _read(piece: bytes) -> Event:
    name, data, *_ = piece.decode().split("\n")
    return name.removeprefix("event: "), json.loads(data.removeprefix("data: "))


async def pieces_of(client: AsyncClient, address: str) -> AsyncGenerator[bytes]:
    response: Any = await client.get(address)
    assert response["Content-Type"] == "text/event-stream"
    pieces: AsyncGenerator[bytes] = response.streaming_content
    return pieces


@pytest.mark.django_db
class TestBoard:
    def test_values_stand_on_the_page_before_any_script_runs(self, client: Client) -> None:
        Room().shows(royal=1_000_037, straight=50_000)
        page = client.get(f"/display/{KEY}/").content.decode()
        assert '<span class="figure">10,000.37</span>' in page
        assert "Royal Flush" in page
        assert page.index("Royal Flush") < page.index("Straight Flush")

    def test_messages_stand_on_the_page_and_are_escaped(self, client: Client) -> None:
        Room().shows({**reported("3"), "text": "<script>x</script>"}, royal=1)
        page = client.get(f"/display/{KEY}/").content.decode()
        assert "<script>x" not in page
        assert "&lt;script&gt;x" in page

    def test_test_mode_is_said(self, client: Client) -> None:
        Room().shows(royal=1, test=True)
        assert TEST_MODE.search(client.get(f"/display/{KEY}/").content)

    @pytest.mark.parametrize(("table", "says"), [("t3", True), ("t7", False)])
    def test_a_display_says_test_mode_for_its_own_table(
        self, client: Client, table: str, says: bool
    ) -> None:
        Room().shows(royal=1, test_tables=[table])
        content = client.get(f"/display/{KEY}/").content
        assert bool(TEST_MODE.search(content)) is says

    def test_values_grow_old_where_the_worker_that_sends_them_is_dead(self, client: Client) -> None:
        room = Room()
        room.shows(royal=1)
        room.lives(dt.timedelta(minutes=1))
        assert client.get(f"/display/{KEY}/").context["age_s"] > 59

    def test_before_the_first_value_the_page_says_that_it_waits(self, client: Client) -> None:
        Room()
        page = client.get(f"/display/{KEY}/").content.decode()
        assert 'id="waiting">' in page
        assert "data-age" not in page

    def test_a_key_that_is_not_known_shows_nothing(self, client: Client) -> None:
        assert client.get("/display/guessed/").status_code == 404

    def test_a_display_is_never_kept_in_a_cache(self, client: Client) -> None:
        Room().shows(royal=1)
        assert "no-store" in client.get(f"/display/{KEY}/")["Cache-Control"]


class TestStream:
    def test_the_newest_message_comes_at_once(self, fresh_database: FreshDatabase) -> None:
        Room().shows(royal=1_000_037)
        first, (name, data) = asyncio.run(first_events(AsyncClient(), f"/display/{KEY}/stream"))
        assert first == ("release", {"release": VERSION})
        assert name == "display"
        assert data["system"] == "main"
        assert data["tiers"][0]["value"] == 1_000_037
        assert 0 <= data["age_s"] < 10

    def test_a_key_that_is_not_known_hears_nothing(self, fresh_database: FreshDatabase) -> None:
        async def ask() -> int:
            return (await AsyncClient().get("/display/guessed/stream")).status_code

        assert asyncio.run(ask()) == 404

    def test_a_process_keeps_so_many_and_no_more(
        self, fresh_database: FreshDatabase, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        Room().shows(royal=5)
        monkeypatch.setattr(live.feed, "_most", 1)

        async def ask_beside_another() -> tuple[int, str]:
            address = f"/display/{KEY}/stream"
            pieces = await pieces_of(AsyncClient(), address)
            async with asyncio.timeout(60):
                await anext(pieces)
                await anext(pieces)
            answer = await AsyncClient().get(address)
            await pieces.aclose()
            return answer.status_code, answer["Retry-After"]

        assert asyncio.run(ask_beside_another()) == (503, "2")

    @pytest.mark.urls("config.urls")
    def test_the_consoles_stream_is_for_people_whose_role_allows_it(
        self, fresh_database: FreshDatabase
    ) -> None:
        async def ask(client: AsyncClient) -> tuple[int, str]:
            answer = await client.get("/live/stream")
            return answer.status_code, answer.content.decode()

        assert asyncio.run(ask(AsyncClient())) == (403, "Log in again.")
        client = AsyncClient()
        client.force_login(User.objects.create(username="nobody"))
        status, text = asyncio.run(ask(client))
        assert status == 403
        assert "Your role does not allow this" in text

    @pytest.mark.urls("config.urls")
    def test_the_console_hears_of_every_system(self, fresh_database: FreshDatabase) -> None:
        Room().shows(royal=5)
        hire()
        client = AsyncClient()
        client.force_login(User.objects.get(username="mere"))
        _, (_, data) = asyncio.run(first_events(client, "/live/stream"))
        assert data["system"] == "main"

    def test_a_stream_keeps_no_connection_of_its_own(self, fresh_database: FreshDatabase) -> None:
        Room().shows(royal=5)

        async def watch() -> None:
            parts = [await pieces_of(AsyncClient(), f"/display/{KEY}/stream") for _ in range(20)]
            async with asyncio.timeout(60):
                for _ in range(2):  # the second comes by the reader
                    await asyncio.gather(*(anext(part) for part in parts))
            # The reader's, and the one that counts; what was closed takes a moment to go.
            await asyncio.to_thread(wait_until, lambda: connections_in_use() == 2)
            for part in parts:
                await part.aclose()

        connections.close_all()
        asyncio.run(watch())


def connections_in_use() -> int:
    with connections["default"].cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND backend_type = 'client backend'"
        )
        row = cursor.fetchone()
    connections["default"].close()
    return int(row[0])
