"""Open pages of the console that read themselves again when there is something new, as browsers do.

What is new is an alarm of its own number every second or three, as a process of the house would
raise it; on the overview it is a row.
"""

import asyncio
import operator
import random
import re
import time
from collections.abc import Sequence

import psycopg

from benchmarks.web_processes import ask

LIST, WORDS = "live-alarms", "benchmark"  # and its number, what the alarm is about
# As `live.js` has them.
JITTER_S = 0.2
ALARM_LATER_S = (3.0, 9.8)
COUNTS, ALARMS = "/live/claims", "/live/alarms"
EVERY_S = 1.0
BETWEEN_S = (1.0, 3.0)
_RAISE = """
    INSERT INTO tables_alarm
        (kind, subject, message, raised_at, last_at, count, cleared_by, cleared_note)
    VALUES ('benchmark', %(subject)s, %(message)s, now(), now(), 1, '', '')
"""


async def raise_alarms(url: str, seed: int, raised: dict[int, float]) -> None:
    """Until the task is cancelled; `raised`: when each was committed, by its number."""
    choice = random.Random(seed)
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
        while True:
            await asyncio.sleep(choice.uniform(*BETWEEN_S))
            number = len(raised) + 1
            row = {"subject": f"benchmark {number}", "message": f"Alarm {number}"}
            await connection.execute(_RAISE, row)
            raised[number] = time.time()


def shown_by(page: str) -> str:
    """What of a page is kept up to date, by its HTML: `alarms`, `lists` without them, or nothing.
    The floor's values come by the stream itself."""
    if 'id="live-alarms"' in page:
        return "alarms"
    return "lists" if re.search(r"\sdata-live[\s>]", page) else ""


class News:
    """What an open page is still to ask for, as `live.js` finds it out of the stream's text."""

    def __init__(self) -> None:
        self.shows = ""  # as `shown_by`
        self.something = asyncio.Event()
        self.badges = asyncio.Event()
        self._heard: list[str] = []
        self._whole = False
        self._later: asyncio.TimerHandle | None = None

    def hear(self, activity: str) -> None:
        """Lists and all else, alarms, and what people are notified of (`settlement.core.activity`);
        what a page hears first is what it was made of."""
        before, self._heard = self._heard, activity.split(".")
        if not before:
            return
        of_page, of_alarms, of_notifications = map(operator.ne, before, self._heard)
        if of_page and self.shows:
            self._want_whole()
        elif of_alarms and self.shows == "alarms":
            self.something.set()
            loop = asyncio.get_running_loop()
            seconds = random.uniform(*ALARM_LATER_S)
            self._later = self._later or loop.call_later(seconds, self._want_whole)
        if of_page or of_notifications:
            self.badges.set()

    def _want_whole(self) -> None:
        self._later = None
        self._whole = True
        self.something.set()

    def take(self) -> bool:
        """What is next: whether it is all of the page, or its alarms alone."""
        is_whole, self._whole = self._whole, False
        self.something.clear()
        return is_whole


async def count_again(port: int, cookie: str, news: News, source: str) -> None:
    """The badges of a page, until the task is cancelled."""
    while True:
        await news.badges.wait()
        news.badges.clear()
        await ask(port, COUNTS, f"{cookie}Connection: close\r\n", None, source)


async def read_again(port: int, page: str, cookie: str, news: News, source: str) -> None:
    """A page that hears of news and reads itself again, until the task is cancelled.

    `source`: the address of its desk. The console gives each address its share of places."""
    while True:
        await news.something.wait()
        await asyncio.sleep(random.uniform(0, JITTER_S))
        headers = f"{cookie}X-Console-Refresh: 1\r\nConnection: close\r\n"
        began = time.monotonic()
        await ask(port, page if news.take() else ALARMS, headers, None, source)
        await asyncio.sleep(max(0.0, EVERY_S - (time.monotonic() - began)))


def lags(raised: dict[int, float], rows: Sequence[tuple[int, float]]) -> list[float]:
    """Seconds from each alarm to its row on the screen; one that never came took for ever."""
    first = dict(reversed(rows))
    return [first.get(number, float("inf")) - at for number, at in raised.items()]
