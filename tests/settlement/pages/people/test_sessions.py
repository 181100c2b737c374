"""What counts as done with a log-in, and streams that end with it."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import AsyncClient, Client
from django.utils import timezone

from jackpot.web.server import let_go
from settlement.models import ConsoleSession
from settlement.people.sessions import screen_lock, sessions
from tests.support.pages.page_staff import logged_in
from tests.support.pages.room import Room
from tests.support.people.cast import hire
from tests.support.suite.databases import FreshDatabase


def rests(client: Client, seconds: float) -> None:
    """Nothing is done with this log-in for so long."""
    session = client.session
    session[screen_lock.LAST_USE] = time.time() - seconds
    session.save()


@pytest.mark.django_db
def test_what_is_done_counts_and_an_open_page_does_not() -> None:
    hire()
    client = logged_in("mere")
    client.get("/")
    rests(client, 500)
    client.get("/claims/main/1/version/")
    client.get("/live/claims")
    client.get("/claims/", headers={"X-Console-Refresh": "1"})
    assert time.time() - client.session[screen_lock.LAST_USE] >= 500
    client.get("/claims/")
    assert time.time() - client.session[screen_lock.LAST_USE] < 500


ENDS: dict[str, Callable[[User], Any]] = {
    "deactivated": lambda user: User.objects.filter(pk=user.pk).update(is_active=False),
    "without the role": lambda user: user.groups.clear(),
    "logged out": lambda _: ConsoleSession.objects.all().delete(),
    "another password": lambda user: User.objects.filter(pk=user.pk).update(password="!"),
}


@pytest.mark.parametrize("end", ENDS)
def test_streams_end_with_the_log_in(fresh_database: FreshDatabase, end: str) -> None:
    Room().shows(royal=5)
    hire()
    mere = User.objects.get(username="mere")
    client = AsyncClient()
    client.force_login(mere)

    def end_it() -> None:
        ENDS[end](mere)
        let_go()

    async def watch() -> None:
        response: Any = await client.get("/live/stream")
        pieces: AsyncGenerator[bytes] = response.streaming_content
        assert b"release" in await anext(pieces)
        assert b"main" in await anext(pieces)
        began = time.monotonic()
        await asyncio.to_thread(end_it)
        async with asyncio.timeout(60):
            async for _ in pieces:
                assert time.monotonic() - began < 30
        assert not sessions.stream_watch._streams

    asyncio.run(watch())


def test_a_stream_goes_on_while_its_person_is_there(fresh_database: FreshDatabase) -> None:
    hire()
    client = logged_in("mere")
    key = client.session.session_key
    assert key
    assert sessions.still_open({key, "made-up"}) == {key}
    ConsoleSession.objects.update(locked_at=timezone.now())
    assert sessions.still_open({key}) == set()
    ConsoleSession.objects.update(locked_at=None)
    rests(client, 601)
    assert sessions.still_open({key}) == set()
