"""One reader for all who watch: what it asks, what it hands on, and when it stops."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import Any

from jackpot.display.live import Feed

Message = dict[str, Any]


class Displays:
    """A source in memory that remembers how it was asked."""

    def __init__(self, **values: int) -> None:
        self.values = values
        self.looks = 0
        self.threads: set[int] = set()
        self.closed = threading.Event()
        self.fault: Exception | None = None

    def versions(self) -> dict[int, tuple[str, int | None]]:
        self.looks += 1
        self.threads.add(threading.get_ident())
        versions: dict[int, tuple[str, int | None]] = dict(enumerate(self.values.items(), start=1))
        if self.fault:  # asked last: what changes after the fault is never found
            raise self.fault
        return versions

    def current(self, system: int) -> Message | None:
        return {"value": list(self.values.values())[system - 1]}

    def close(self) -> None:
        self.closed.set()


def watched(source: Displays, timeline: Callable[[Feed], Awaitable[None]]) -> None:
    async def tell() -> None:
        await asyncio.wait_for(
            timeline(Feed(source, interval_s=0.001, heartbeat_s=60)), timeout=120
        )

    asyncio.run(tell())


def test_who_comes_is_told_at_once_and_then_of_changes_only() -> None:
    source = Displays(main=5)

    async def timeline(feed: Feed) -> None:
        async with feed.listen([1]) as listener:
            assert await listener.next_messages(60) == [{"system": "main", "value": 5}]
            assert await listener.next_messages(0.05) == []
            source.values["main"] = 6
            assert await listener.next_messages(60) == [{"system": "main", "value": 6}]

    watched(source, timeline)


def test_who_comes_later_is_told_what_stands() -> None:
    source = Displays(main=5)

    async def timeline(feed: Feed) -> None:
        async with feed.listen([1]) as first:
            await first.next_messages(60)
            async with feed.listen([1]) as second:
                assert await second.next_messages(60) == [{"system": "main", "value": 5}]

    watched(source, timeline)


def test_a_display_hears_of_its_own_system_only_and_the_console_of_all() -> None:
    source = Displays(main=5, vip=7)

    async def timeline(feed: Feed) -> None:
        async with feed.listen([2]) as display, feed.listen(None) as console:
            assert [each["system"] for each in await display.next_messages(60)] == ["vip"]
            assert [each["system"] for each in await console.next_messages(60)] == ["main", "vip"]

    watched(source, timeline)


def test_a_slow_browser_is_handed_the_newest_only() -> None:
    source = Displays(main=5)

    async def timeline(feed: Feed) -> None:
        async with feed.listen([1]) as slow, feed.listen([1]) as quick:
            await slow.next_messages(60)
            await quick.next_messages(60)
            for value in (6, 7, 8):
                source.values["main"] = value
                while (await quick.next_messages(60))[-1]["value"] != value:
                    pass
            assert await slow.next_messages(60) == [{"system": "main", "value": 8}]

    watched(source, timeline)


def test_many_listeners_are_one_reader() -> None:
    source = Displays(main=5)

    async def timeline(feed: Feed) -> None:
        async def watch() -> None:
            async with feed.listen([1]) as listener:
                assert await listener.next_messages(60)

        await asyncio.gather(*(watch() for _ in range(200)))

    watched(source, timeline)
    assert len(source.threads) == 1


def test_the_reader_stops_with_the_last_listener_and_gives_its_connection_back() -> None:
    source = Displays(main=5)

    async def timeline(feed: Feed) -> None:
        async with feed.listen([1]) as listener:
            await listener.next_messages(60)
        await asyncio.to_thread(source.closed.wait, 60)
        assert source.closed.is_set()
        looks = source.looks
        async with feed.listen([1]) as listener:  # and it starts again for the next
            assert await listener.next_messages(60)
        assert source.looks > looks

    watched(source, timeline)


def test_a_slow_query_does_not_hold_up_the_event_loop_when_the_last_listener_goes() -> None:
    question, answer = threading.Event(), threading.Event()

    class Slow(Displays):
        def versions(self) -> dict[int, tuple[str, int | None]]:
            question.set()
            assert answer.wait(60)
            return super().versions()

    source = Slow(main=5)

    async def timeline(feed: Feed) -> None:
        async with feed.listen([1]):
            await asyncio.to_thread(question.wait, 60)
        await asyncio.to_thread(bool)  # the reader ends, and the loop goes on
        assert not source.closed.is_set()
        answer.set()
        await asyncio.to_thread(source.closed.wait, 60)
        assert source.closed.is_set()

    watched(source, timeline)


def test_while_the_database_is_away_nothing_is_vouched_for() -> None:
    source = Displays(main=5)

    async def timeline(feed: Feed) -> None:
        async with feed.listen([1]) as listener:
            await listener.next_messages(60)
            source.fault = ConnectionError("the database is away")
            source.values["main"] = 6
            assert await listener.next_messages(0.2) == []
            source.fault = None
            assert await listener.next_messages(60) == [{"system": "main", "value": 6}]

    watched(source, timeline)
