"""How people press and type, by touch, with the mouse or by keyboard alone.

The same steps are taken either way: a page that was given to `by_keyboard` is worked with Tab,
Enter, Space and arrows, and nothing on it is acted on that has not the focus, and shows it.
"""

from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Locator, Page

from tests.support.pages.browser.effort import Effort

_KEYBOARDS: WeakSet[Page] = WeakSet()
_FINGERS: WeakSet[Page] = WeakSet()
_EFFORTS: WeakKeyDictionary[Page, Effort] = WeakKeyDictionary()
_STOPS = 250  # the most that one page has
_TAPS = 5
# A new page does not know of it.
_WAS_TAPPED = """async () => {
  for (let round = 0; round < 30 && window.wasTapped === false; round++) {
    await new Promise((done) => setTimeout(done, 50));
  }
  return window.wasTapped !== false;
}"""
_LISTEN = """() => {
  window.wasTapped = false;
  const note = () => { window.wasTapped = true; };
  document.addEventListener("click", note, { capture: true, once: true });
}"""
# Nothing where the page has drawn it again.
_HAS_FOCUS = """(wanted) => {
  if (!wanted.isConnected) {
    return null;
  }
  const active = document.activeElement;
  const isControl = active.matches("a, button, input, select, textarea, summary");
  return isControl && (active === wanted || active.contains(wanted));
}"""
# The ring may stand round the label of what is drawn by it.
_SHOWS_FOCUS = """() => {
  const active = document.activeElement;
  const drawn = [active, ...(active.labels || [])].map((each) => getComputedStyle(each));
  const isSeen = ({ outlineStyle, boxShadow }) => outlineStyle !== "none" || boxShadow !== "none";
  return active.matches(":focus-visible") && drawn.some(isSeen);
}"""
_LEAVES = "(each) => each.matches('a[href], [type=submit]')"


def by_keyboard(screen: Page) -> None:
    """From here on this page's person has no pointer."""
    _KEYBOARDS.add(screen)
    # From now on dialogs of files come to the test: asked for with the key, that could come later.
    screen.on("filechooser", lambda _: None)


def by_touch(screen: Page) -> None:
    """From here on this page's person has fingers alone: its context was made with `has_touch`."""
    _FINGERS.add(screen)


def count_on(screen: Page, effort: Effort) -> None:
    """From here on what is done on this page counts."""
    _EFFORTS[screen] = effort


def _note(screen: Page, characters: int = 0) -> None:
    if effort := _EFFORTS.get(screen):
        effort.act(screen, characters)


def is_by_touch(screen: Page) -> bool:
    """Whether this page's person has fingers alone."""
    return screen in _FINGERS


def is_by_keyboard(screen: Page) -> bool:
    """Whether this page's person has no pointer."""
    return screen in _KEYBOARDS


def _reach(target: Locator) -> bool:
    """Tab to it, if its page is worked by keyboard; whether it is."""
    screen = target.page
    if not is_by_keyboard(screen):
        return False
    target.wait_for()
    element = target.element_handle()  # once: to look for a name takes longer than the key
    for _ in range(_STOPS):
        has_focus = element.evaluate(_HAS_FOCUS)
        if has_focus is None:
            element = target.element_handle()
            has_focus = element.evaluate(_HAS_FOCUS)
        if has_focus:
            assert screen.evaluate(_SHOWS_FOCUS), f"{target} does not show its focus"
            return True
        screen.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {target}")


def _touch(target: Locator) -> None:
    """By finger or with the mouse."""
    if target.page not in _FINGERS:
        target.click()
    elif target.evaluate(_LEAVES):
        with target.page.expect_navigation():  # which a click awaits by itself
            _tap(target)
    else:
        _tap(target)


def _tap(target: Locator) -> None:
    """Where the machine is busy a finger may lie too long: a long press, and no tap. Then again."""
    for _ in range(_TAPS):
        target.evaluate(_LISTEN)
        target.tap()
        try:
            if target.page.evaluate(_WAS_TAPPED):
                return
        except PlaywrightError:  # it is on its way to another page
            return
    raise AssertionError(f"{target} takes no tap")


def press(target: Locator) -> None:
    """A button, a link, or what unfolds a part of the page."""
    _note(target.page)
    if not _reach(target):
        _touch(target)
        return
    screen = target.page
    if not screen.evaluate(f"({_LEAVES})(document.activeElement)"):
        screen.keyboard.press("Enter")
        return
    with screen.expect_navigation():  # which a click awaits by itself
        screen.keyboard.press("Enter")


def focus(target: Locator) -> None:
    """Go to a field without a change."""
    if not _reach(target):
        target.focus()


def write(target: Locator, text: str) -> None:
    """In place of what a field holds; a day as 2026-11-26."""
    _note(target.page, len(text))
    if not _reach(target):
        if target.page in _FINGERS:
            target.tap()
        target.fill(text)
    elif target.get_attribute("type") == "date":  # its parts as this browser orders them
        year, month, day = text.split("-")
        target.page.keyboard.type(f"{month}{day}{year}")
    else:
        target.page.keyboard.press("Control+a")
        target.page.keyboard.type(text)


def choose(target: Locator, value: str) -> None:
    """One of a list, by its value or by its words."""
    _note(target.page)
    if not _reach(target):
        target.select_option(value)
        return
    keys = target.page.keyboard
    keys.press("Home")
    for _ in range(target.locator("option").count()):
        chosen = target.evaluate("each => [each.value, each.selectedOptions[0].label]")
        if value in chosen:
            return
        keys.press("ArrowDown")
    raise AssertionError(f"Arrows do not lead to {value}")


def attach(target: Locator, file: Any) -> None:
    """A file, through the dialog of the system."""
    _note(target.page)
    if not _reach(target):
        target.set_input_files(file)
        return
    with target.page.expect_file_chooser() as chooser:
        target.page.keyboard.press("Enter")
    chooser.value.set_files(file)


def write_all(screen: Page, fields: Sequence[tuple[str, str]]) -> None:
    """Several fields by their labels."""
    for label, text in fields:
        write(screen.get_by_label(label, exact=True), text)
