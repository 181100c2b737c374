"""Open pages of the console that read themselves again when there is something new, as browsers do.

What is new is an alarm of its own number every second or three, as a process of the house would
raise it; on the overview it is a row.
"""

import asyncio
import random
import re
import time
from collections.abc import Sequence

import psycopg

from benchmarks.web_processes import ask

LIST, WORDS = "live-alarms", "Alarm of the benchmark"
# As `live.js` has them.
JITTER_S = 0.2
COUNTS = "/live/claims"
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
            row = {"subject": f"benchmark {number}", "message": f"{WORDS} {number}"}
            await connection.execute(_RAISE, row)
            raised[number] = time.time()


def shown_by(page: str) -> str:
    """What of a page is kept up to date, by its HTML: `alarms`, `lists` without them, or nothing.
    The floor's values come by the stream itself."""
    if 'id="live-alarms"' in page:
        return "alarms"
    return "lists" if re.search(r"\sdata-live[\s>]", page) else ""


def concerns(shows: str, activity: str) -> str:
    """What of the text of the stream is news for such a page (`settlement.core.activity`)."""
    if not shows:
        return ""
    return activity if shows == "alarms" else activity.partition(".")[0]


async def count_again(port: int, cookie: str, news: asyncio.Event) -> None:
    """The badges of a page, until the task is cancelled: whatever is new, every page counts."""
    while True:
        await news.wait()
        news.clear()
        await ask(port, COUNTS, f"{cookie}Connection: close\r\n", None)


async def read_again(port: int, page: str, cookie: str, news: asyncio.Event) -> None:
    """A page that hears of news and reads itself again, until the task is cancelled."""
    while True:
        await news.wait()
        await asyncio.sleep(random.uniform(0, JITTER_S))
        news.clear()
        headers = f"{cookie}X-Console-Refresh: 1\r\nConnection: close\r\n"
        began = time.monotonic()
        await ask(port, page, headers, None)
        await asyncio.sleep(max(0.0, EVERY_S - (time.monotonic() - began)))


def lags(raised: dict[int, float], rows: Sequence[tuple[int, float]]) -> list[float]:
    """Seconds from each alarm to its row on the screen; one that never came took for ever."""
    first = dict(reversed(rows))
    return [first.get(number, float("inf")) - at for number, at in raised.items()]
