"""The line before a web process: who is at work, who waits, and whose turn it is."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from jackpot.web.admission import Full, Line


class Visits:
    """Requests of several addresses that stay at work until they are asked to go."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self.at_work: list[str] = []
        self.turned_away: list[str] = []
        self._go: dict[str, asyncio.Event] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def come(self, *names: str) -> None:
        """A request by its name; its address is the name's first letter."""
        for name in names:
            self._go[name] = asyncio.Event()
            self._tasks[name] = asyncio.create_task(self._visit(name))
        await settled()

    async def _visit(self, name: str) -> None:
        try:
            async with self._line.place(name[0]):
                self.at_work.append(name)
                await self._go[name].wait()
                self.at_work.remove(name)
        except Full:
            self.turned_away.append(name)

    async def leave(self, *names: str) -> None:
        for name in names:
            self._go[name].set()
        await settled()

    async def vanish(self, *names: str) -> None:
        """The browser went away."""
        for name in names:
            self._tasks[name].cancel()
        await settled()


async def settled() -> None:
    """Everybody who could go on has gone on."""
    loop = asyncio.get_running_loop()
    for _ in range(10):
        turn: asyncio.Future[None] = loop.create_future()
        loop.call_soon(turn.set_result, None)
        await turn


def in_a_loop(test: Callable[[], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    def run() -> None:
        asyncio.run(test())

    run.__name__, run.__doc__ = test.__name__, test.__doc__
    return run


@in_a_loop
async def test_so_many_are_at_work_and_the_others_wait_for_them() -> None:
    visits = Visits(Line(2))
    await visits.come("a1", "b1", "c1", "d1")
    assert visits.at_work == ["a1", "b1"]
    await visits.leave("b1")
    assert visits.at_work == ["a1", "c1"]
    await visits.leave("a1", "c1", "d1")
    assert visits.at_work == []
    await visits.come("a2", "b2", "c2")
    assert visits.at_work == ["a2", "b2"], "places come back"


@in_a_loop
async def test_one_address_has_a_third_of_the_places() -> None:
    visits = Visits(Line(6))
    await visits.come("a1", "a2", "a3", "b1", "b2", "c1", "d1")
    assert visits.at_work == ["a1", "a2", "b1", "b2", "c1", "d1"]
    await visits.leave("c1")
    assert visits.at_work == ["a1", "a2", "b1", "b2", "d1"], "a place stays free for others"
    await visits.come("e1")
    assert visits.at_work[-1] == "e1"
    await visits.leave("a2")
    assert visits.at_work[-1] == "a3"


@in_a_loop
async def test_one_address_has_two_of_few_places() -> None:
    visits = Visits(Line(5))
    await visits.come("a1", "a2", "a3", "b1")
    assert visits.at_work == ["a1", "a2", "b1"], "a long report leaves room for the desk beside it"


@in_a_loop
async def test_who_sends_hundreds_holds_up_nobody_else() -> None:
    visits = Visits(Line(1))
    await visits.come("a0", *(f"a{number}" for number in range(1, 100)), "b1", "b2", "c1")
    order = []
    while visits.at_work:
        order += visits.at_work
        await visits.leave(*visits.at_work)
    assert order[:7] == ["a0", "a1", "b1", "c1", "a2", "b2", "a3"]
    assert len(order) == 103


@in_a_loop
async def test_the_line_has_an_end_and_each_address_one_of_its_own() -> None:
    visits = Visits(Line(1, waiting=4, of_one=2))
    await visits.come("a0", "a1", "a2", "a3", "b1", "c1", "d1")
    assert visits.turned_away == ["a3", "d1"]
    await visits.leave("a0", "a1", "a2", "b1", "c1")
    await visits.come("d2")
    assert visits.at_work == ["d2"]


@in_a_loop
async def test_nobody_waits_for_ever() -> None:
    visits = Visits(Line(1, patience_s=0.01))
    await visits.come("a1", "a2")
    async with asyncio.timeout(60):
        while not visits.turned_away:
            await settled()
    assert visits.turned_away == ["a2"]
    await visits.leave("a1")
    await visits.come("a3")
    assert visits.at_work == ["a3"]


@in_a_loop
async def test_who_goes_away_gives_the_place_on() -> None:
    visits = Visits(Line(1))
    await visits.come("a1", "a2", "b1", "b2")
    await visits.vanish("b1")  # while it waits
    await visits.leave("a1")
    await visits.vanish("a2")  # at work
    assert visits.at_work == ["a2", "b2"], "a2 went without a word; its place went to b2"
    await visits.leave("b2")
    # Called and gone in the same moment.
    await visits.come("c1", "c2", "c3")
    visits._go["c1"].set()
    visits._tasks["c2"].cancel()
    await settled()
    assert visits.at_work[-1] == "c3"


def test_a_fault_at_work_gives_the_place_back() -> None:
    async def run() -> None:
        line = Line(1)
        for _ in range(3):
            with pytest.raises(ZeroDivisionError):
                async with line.place("a"):
                    raise ZeroDivisionError
        async with line.place("a"):
            pass

    asyncio.run(run())
