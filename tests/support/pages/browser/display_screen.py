"""A display in a browser whose clock stands still."""

import datetime as dt

from playwright.sync_api import Page


def stop_the_clock(screen: Page) -> None:
    """From here on time passes in the page only when it is asked to."""
    now = dt.datetime.now(dt.UTC)
    # It runs until it stands, and cannot be set back: a minute for the two calls.
    screen.clock.install(time=now - dt.timedelta(minutes=1))
    screen.clock.pause_at(now)
