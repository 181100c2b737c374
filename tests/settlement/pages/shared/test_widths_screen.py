"""Every page fits its screen, from a telephone to a wide one, and axe finds nothing on it.

axe-core looks at each page with WCAG 2.2 AA. The server answers every width with the same HTML, and
style sheets differ at one width in what they show: below 900 px the bar above and the menu in a
popover, above it the menu beside the page. So all rules are asked at 390 px, and where searches are
whole at 1920 px too; at 768 px the layout alone is measured. Themes exchange colours and nothing
else: of the other theme only the rules of colour are asked.
"""

import re
from collections.abc import Callable
from functools import partial
from urllib.parse import urlsplit

import pytest
from django.urls import resolve
from playwright.sync_api import Browser, Page

from settlement.claims import services as claims
from settlement.screens import slides
from settlement.webhooks import endpoints
from settlement.webhooks.endpoints import Wanted
from tests.support import accessible
from tests.support.confirmed import person
from tests.support.entrances import PAGES, SCREENS, address_of
from tests.support.page_staff import logged_in
from tests.support.payees import SixPayees
from tests.support.screens import paired
from tests.support.search_length import IS_WHOLE
from tests.support.workbench_screen import opened

pytestmark = pytest.mark.browser

TELEPHONE, TABLET, DESK = WIDTHS = (390, 768, 1920)
# What answers with a file, a stream or a fragment, or only to a form.
NO_PAGES = re.compile(
    r"(csv|json|pdf|stream|version|cards|logout|attachment|download|checkpoint|open-claims|options|worker|bell)$"
)
# The log-in, pages of what did not happen in this house, and addresses of before.
OF_OTHER_DAYS = {
    *("quarantined", "terms-proposal", "handover-signed"),
    *("security-log", "set-up-changes"),  # which lead to the audit trail
} | {
    *(
        "log-in-code",
        "log-in-passkey",
        "passkey-challenge",
        "first-run",
        "invitation",
    ),  # of who has a second factor
    *("password-new", "locked", "tablet"),  # of who has a link, a locked screen, a shared tablet
}
# What differs each time that a page is asked for.
TOKENS = re.compile(r'name="(csrfmiddlewaretoken|key)" value="[^"]*"')
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


def addresses() -> dict[str, str]:
    """The console's pages by name, each with an address that may be there.

    Public pages are looked at in tests/browser/test_public_meter.py, a promotional screen in
    tests/browser/test_screens.py; what the console draws of one is laid out for its size.
    """
    return {
        name: address_of(page)
        for name, page in PAGES.items()
        if not name.startswith(("api-", "display", "meter"))
        and not NO_PAGES.search(name)
        and name not in (*SCREENS, "screen-shows", "screen-preview", "console-picture")
    }


def linked(content: str) -> list[str]:
    """Where a page leads to inside the console."""
    return [urlsplit(each).path for each in re.findall(r'<a [^>]*?href="(/[^"]*)"', content)]


def walk(screen: Page, url: str, name: str, measured: set[str]) -> tuple[set[str], list[str]]:
    """The kinds of pages that this person reads, one a claim; what is wrong with them.

    What another person read, word for word, is `measured` already.
    """
    client = logged_in(name)
    opened(screen, url, name, "/")
    seen, faults, paths = set(), [], ["/"]
    guessed = list(addresses().values())
    for path in paths:
        kind = resolve(path) if not path.startswith(("/static/", "/api/", "/demo/")) else None
        key = (kind.url_name or "", kind.kwargs.get("number")) if kind else ("csv", None)
        if key not in seen and not NO_PAGES.search(key[0]):
            seen.add(key)
            answer = client.get(path, follow=True)
            assert answer.status_code == 200, (name, path, answer.status_code)
            content = answer.content.decode()
            paths += linked(content)
            words = TOKENS.sub("", content.partition("<main")[2])
            if words not in measured:
                measured.add(words)
                faults += [f"{name} {fault}" for fault in faults_of(screen, url, path)]
        while path == paths[-1] and guessed:
            paths += [each for each in [guessed.pop()] if client.get(each).status_code == 200]
    return {name for name, _ in seen}, faults


def faults_of(screen: Page, url: str, path: str) -> list[str]:
    """What of a page is in somebody's way, by the width of the screen."""
    answer = screen.goto(f"{url}{path}")
    assert answer
    assert answer.status == 200, (path, answer.status)
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
        return accessible.violations(screen, accessible.OF_COLOUR)

    everything = partial(accessible.violations, screen)
    too_wide = partial(screen.evaluate, TOO_WIDE)
    too_small = partial(accessible.too_small, screen)
    ask(TELEPHONE, everything)
    ask(TELEPHONE, too_wide)
    ask(TELEPHONE, too_small)
    ask(TABLET, too_small)
    ask(TABLET, too_wide)
    ask(DESK, too_wide)
    if IS_WHOLE:
        ask(DESK, everything)
    accessible.use_theme(screen, "light")
    ask(DESK, colours)
    if IS_WHOLE:
        ask(TELEPHONE, colours)
    accessible.lengthen(screen)
    for width in reversed(WIDTHS):
        ask(width, lambda: [f"in longer words, {fault}" for fault in too_wide()])
    return faults


def test_every_page_fits_and_axe_finds_nothing(browser: Browser, console_url: str) -> None:
    context = browser.new_context(has_touch=True)
    accessible.prepare(context)
    screen = context.new_page()
    screen.set_default_timeout(60_000)
    house = SixPayees().confirmed()
    house.hit_royal("t7")
    claims.catch_up(house.system)
    receiver = Wanted("Signage", "https://receiver.example/hooks", ("claim.held",))
    endpoints.make(person("hana"), house.system.casino, receiver)
    paired()
    slides.put_up(person("hana"), house.system.casino, slides.Wanted(text="Tonight"))
    seen: set[str] = set()
    measured: set[str] = set()
    faults: list[str] = []
    for name in ("sione", "mere", "aroha", "ines", "hana"):
        paths, wrong = walk(screen, console_url, name, measured)
        seen |= paths
        faults += wrong
    context.clear_cookies()
    for path in ("/login/", "/password/forgotten/"):
        faults += faults_of(screen, console_url, path)
    context.close()
    assert not faults, "\n".join(faults)
    mere = logged_in("mere")
    not_seen = {name: path for name, path in addresses().items() if name not in seen}
    forms = {name for name, path in not_seen.items() if mere.get(path).status_code == 405}
    assert set(not_seen) - forms == OF_OTHER_DAYS
