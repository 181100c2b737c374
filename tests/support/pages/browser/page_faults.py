"""What of a page is in somebody's way, by width and theme, of one load."""

from collections.abc import Callable
from functools import partial

from playwright.sync_api import Page

from tests.support.pages.browser import accessible
from tests.support.suite.run_length import IS_WHOLE

TELEPHONE, TABLET, DESK = WIDTHS = (390, 768, 1920)
TOO_WIDE = """() => {
  const wide = document.documentElement;
  const scrolls = (element) => {
    const outer = element.parentElement;
    if (!outer || outer === document.body) {
      return false;
    }
    return ["auto", "scroll"].includes(getComputedStyle(outer).overflowX) || scrolls(outer);
  };
  const found = [];
  if (wide.scrollWidth > wide.clientWidth) {
    found.push(`page: ${wide.scrollWidth}`);
  }
  const controls = "a, button, input, select, textarea, summary, .pill";
  for (const each of document.querySelectorAll(controls)) {
    const box = each.getBoundingClientRect();
    if (box.width && box.right > wide.clientWidth + 1 && !scrolls(each)) {
      found.push(`${each.outerHTML.slice(0, 90)}: ${Math.round(box.right)}`);
    }
    if (each.matches(".button") && each.scrollWidth > each.clientWidth + 1) {
      found.push(`${each.outerHTML.slice(0, 90)}: text of ${each.scrollWidth}`);
    }
  }
  return found;
}"""


def faults_of(screen: Page, url: str, path: str, status: int = 200) -> list[str]:
    """What of a page is in somebody's way, by the width of the screen."""
    answer = screen.goto(f"{url}{path}")
    assert answer
    assert answer.status == status, (path, answer.status)
    return faults_here(screen, path)


def faults_here(screen: Page, path: str) -> list[str]:
    """The same of the page that is open.

    Each width and theme is laid out once: another size of the screen costs more than a question.
    """
    accessible.use_theme(screen, "dark")
    accessible.open_all(screen)
    faults: list[str] = []

    def ask(width: int, ask_of: Callable[[], list[str]]) -> None:
        if screen.viewport_size != {"width": width, "height": 1024}:
            screen.set_viewport_size({"width": width, "height": 1024})
            accessible.use_fingers(screen, width != DESK)
        if ask_of():  # at once; a page that has not settled is asked once more
            accessible.settle(screen)
            faults.extend(f"{width} {path} {fault}" for fault in ask_of())

    def colours() -> list[str]:
        accessible.use_theme(screen, "light")
        return accessible.violations(screen, accessible.OF_COLOUR)

    def everything() -> list[str]:
        accessible.use_theme(screen, "dark")
        return accessible.violations(screen)

    too_wide = partial(screen.evaluate, TOO_WIDE)
    too_small = partial(accessible.too_small, screen)
    ask(TELEPHONE, everything)
    ask(TELEPHONE, too_wide)
    ask(TELEPHONE, too_small)
    if IS_WHOLE:
        ask(TELEPHONE, colours)
    ask(TABLET, everything)
    ask(TABLET, too_small)
    ask(TABLET, too_wide)
    if IS_WHOLE:
        ask(TABLET, colours)
    ask(DESK, too_wide)
    if IS_WHOLE:
        ask(DESK, everything)
    ask(DESK, colours)
    accessible.lengthen(screen)
    for width in reversed(WIDTHS):
        ask(width, lambda: [f"in longer words, {fault}" for fault in too_wide()])
    return faults
