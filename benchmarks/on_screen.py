"""Pages in a real browser: when a value or a row is on the screen, not only handed to it.

Displays and paired screens count up to each value; a message counts as shown when every one of its
amounts was drawn, in a frame before the one that looks. A list of the console counts as shown
when the words of its new row stand in it.
"""

import os
import shutil
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from playwright.async_api import Browser, async_playwright

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
FULL_HD = {"width": 1920, "height": 1080}
# Where the figure of a prize stands, of a message's `system` and `tier`.
ON_DISPLAY = '`[data-tier="${tier}"] .figure`'
ON_PAIRED_SCREEN = '`[data-key="${system}/${tier}"] .figure`'

# Runs before the page's own scripts, so that it looks before they write in the same frame.
_VALUES = """
(() => {
  const heard = []; // messages that are not drawn yet
  const Source = window.EventSource;
  window.EventSource = class extends Source {
    constructor(...all) {
      super(...all);
      this.addEventListener("display", (event) => heard.push(JSON.parse(event.data)));
    }
  };
  const isDrawn = (system) => ({ tier, value }) => {
    const figure = document.querySelector(FIGURE);
    return figure && Number(figure.textContent.replace(/[^0-9]/g, "")) >= value;
  };
  const look = () => {
    requestAnimationFrame(look);
    while (heard.length && heard[0].tiers.every(isDrawn(heard[0].system))) {
      noteDrawn(heard.shift().system_seq, Date.now());
    }
  };
  requestAnimationFrame(look);
})();
"""
_ROWS = """
(() => {
  const noted = new Set();
  const look = () => {
    requestAnimationFrame(look);
    const list = document.getElementById("LIST");
    for (const [words, number] of list ? list.textContent.matchAll(ROW) : []) {
      if (!noted.has(words)) {
        noted.add(words);
        noteDrawn(Number(number), Date.now());
      }
    }
  };
  requestAnimationFrame(look);
})();
"""

# Is told what was drawn, by its number, and when, in seconds of the clock.
Note = Callable[[int, float], None]


def chromium() -> str:
    """The program; FileNotFoundError without one."""
    programs = (shutil.which(name) for name in ("chromium-headless-shell", "chromium"))
    if program := os.environ.get("CHROMIUM") or next(filter(None, programs), None):
        return program
    raise FileNotFoundError("No Chromium on this machine: install it, or name it in CHROMIUM.")


@dataclass(frozen=True)
class Screens:
    """One browser, and the pages in it that are looked at."""

    browser: Browser

    async def values(
        self, address: str, figure: str, note: Note, cookie: dict[str, str] | None = None
    ) -> None:
        """Open a page of values; `note` is notified of each message by its place in the order.

        `figure`: `ON_DISPLAY` or `ON_PAIRED_SCREEN`.
        """
        await self._open(address, _VALUES.replace("FIGURE", figure), note, cookie)

    async def rows(
        self, address: str, row: tuple[str, str], note: Note, cookie: dict[str, str]
    ) -> None:
        """Open a list of the console; `note` is notified of each row by its number.

        `row`: the id of the list, and the words before the number.
        """
        script = _ROWS.replace("LIST", row[0]).replace("ROW", f"/{row[1]} (\\d+)/g")
        await self._open(address, script, note, cookie)

    async def _open(
        self, address: str, script: str, note: Note, cookie: dict[str, str] | None
    ) -> None:
        context = await self.browser.new_context(viewport=FULL_HD)  # type: ignore[arg-type]
        if cookie:
            await context.add_cookies([{**cookie, "url": address}])  # type: ignore[typeddict-item]
        page = await context.new_page()
        await page.expose_function("noteDrawn", lambda number, at: note(number, at / 1_000))
        await page.add_init_script(script)
        await page.goto(address)


@asynccontextmanager
async def screens() -> AsyncGenerator[Screens]:
    """A browser, closed afterwards with all its pages."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        yield Screens(browser)
        await browser.close()
