"""Every page fits its screen, from a telephone to a wide one, and axe finds nothing on it.

axe-core looks at each page with WCAG 2.2 AA. The server answers every width with the same HTML, and
style sheets change what of it is shown and where. So all rules are asked at 390 px; at 768 px, and
where searches are whole at 1920 px too, all of them where another width shows something else, and
those that ask for places and colours where it shows the same. Themes exchange colours and nothing
else: of the other theme only the rules of colour are asked. Pages that need a state of their own
are in test_states_screen.py.
"""

import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.urls import resolve
from playwright.sync_api import Browser, Page, Route

from settlement.claims import services as claims
from settlement.evidence import identification
from settlement.models import Claim
from settlement.people.programs import programs
from settlement.people.programs.programs import NewProgram
from settlement.screens import slides
from settlement.webhooks import endpoints
from settlement.webhooks.endpoints import NewEndpoint
from tests.support.cases.claims.payees import SixPayees
from tests.support.cases.confirmed_house import person
from tests.support.cases.evening_records import A_N
from tests.support.pages import page_states
from tests.support.pages.browser import accessible
from tests.support.pages.browser.page_faults import faults_of
from tests.support.pages.browser.workbench_screen import opened
from tests.support.pages.entrances import PAGES, SCREENS, address_of
from tests.support.pages.page_staff import logged_in
from tests.support.pages.screens import paired
from tests.support.people.cast import ClaimHouse
from tests.support.suite.run_length import IS_WHOLE

pytestmark = pytest.mark.browser

# What answers with a file, a stream or a fragment, or only to a form.
NO_PAGES = re.compile(
    r"(csv|json|pdf|stream|version|cards|logout|attachment|download|checkpoint|open-claims|open-alarms|options|challenge|log-in-passkey|worker|bell|house-logo)$"
)
LEAD_ON = {"security-log", "set-up-changes"}  # to the audit trail
# What differs each time that a page is asked for.
TOKENS = re.compile(r'name="(csrfmiddlewaretoken|key)" value="[^"]*"')


def addresses() -> dict[str, str]:
    """The console's pages by name, each with an address that may be there.

    Public pages, displays and promotional screens are opened by tests/browser/test_public_meter.py
    and test_wall_layouts.py; what the console draws of a screen is laid out for its size.
    """
    return {
        name: address_of(page)
        for name, page in PAGES.items()
        if not name.startswith(("api-", "display", "meter"))
        and not NO_PAGES.search(name)
        and name not in (*SCREENS, "screen-shows", "screen-preview", "screen-win")
        and name != "console-picture"
    }


def linked(content: str) -> list[str]:
    """Where a page leads to inside the console."""
    return [urlsplit(each).path for each in re.findall(r'<a [^>]*?href="(/[^"]*)"', content)]


def kind_of(path: str) -> tuple[str, Any]:
    """The page's name, of a claim's pages one for each claim."""
    if path.startswith(("/static/", "/api/", "/demo/")):
        return "csv", None
    match = resolve(path)
    return match.url_name or "", match.kwargs.get("number")


class Walk:
    """From person to person; what one read, word for word, is not measured again of another."""

    def __init__(self, screen: Page, url: str) -> None:
        self.screen, self.url = screen, url
        self.names: set[str] = set()
        self.faults: list[str] = []
        self._measured: set[str] = set()
        self._forms: set[str] = set()  # addresses that answer nobody who only asks

    def read(self, name: str) -> None:
        """The kinds of pages that this person reads; what is wrong with them is kept."""
        client = logged_in(name)
        opened(self.screen, self.url, name, "/")
        kinds, paths = set(), ["/"]
        guessed = list(addresses().values())
        answers: dict[str, Any] = {}
        for path in paths:
            kind = kind_of(path)
            if kind not in kinds and not NO_PAGES.search(kind[0]):
                kinds.add(kind)
                answer = answers.pop(path, None) or client.get(path, follow=True)
                assert answer.status_code == 200, (name, path, answer.status_code)
                content = answer.content.decode()
                paths += linked(content)
                words = TOKENS.sub("", content.partition("<main")[2])
                if words not in self._measured:
                    self._measured.add(words)
                    wrong = faults_of(self.screen, self.url, path)
                    self.faults += [f"{name} {fault}" for fault in wrong]
            while path == paths[-1] and guessed:
                each = guessed.pop()
                if kind_of(each) not in kinds and each not in self._forms:
                    answer = client.get(each)
                    if answer.status_code == 200:
                        answers[each] = answer
                        paths.append(each)
                    elif answer.status_code == 405:
                        self._forms.add(each)
        self.names |= {name for name, _ in kinds}


# Each is put into a page that has none; where it is found, and by which question.
PLANTED = {
    "pale when it is light": (
        "<style>html:has(#light[media=all]) h1 { color: #d8d8d8 !important }</style>",
        "1920 {} color-contrast",
    ),
    "pale when it is dark": (
        "<style>html:has(#light[media=print]) .lead { color: #333 !important }</style>",
        "390 {} color-contrast",
    ),
    "on a pale ground that is no part of it": (
        """<style>h1 { position: relative; z-index: 2; width: fit-content }</style>
        <div style="position: absolute; z-index: 1; inset: 0; background: #ddd"></div>""",
        "390 {} color-contrast",
    ),
    "a link of nearly the words' colour": (
        """<p style="color: #ccc">Long words stand around this link: <a href="/help/"
        style="color: #ddd; text-decoration: none; display: inline">here</a>, and go on.</p>""",
        "390 {} link-in-text-block",
    ),
    "small on a tablet": (
        """<style>@media (min-width: 700px) and (max-width: 800px) {
        main .button { min-height: 0 !important; height: 20px !important; padding: 0 !important }
        }</style>""",
        "768 {} too small",
    ),
    "wide on a telephone": (
        "<style>@media (max-width: 400px) { main { min-width: 500px } }</style>",
        "390 {} page: ",
    ),
    "wide in longer words": (
        '<p style="width: max-content; font: 17px monospace">Payments that were confirmed</p>',
        "390 {} in longer words, page: ",
    ),
    "a button without a name": ("<button class='button' type='button'></button>", "{} button-name"),
}
IN_MENU = "<button class='button square' type='button'></button>"


def test_planted_faults_are_found(browser: Browser, console_url: str) -> None:
    """Also where the page without the fault was looked at before, in the same browser."""
    ClaimHouse()
    context = browser.new_context(has_touch=True, bypass_csp=True)
    accessible.prepare(context)
    screen = context.new_page()
    screen.set_default_timeout(60_000)
    opened(screen, console_url, "mere", "/")
    path = "/account/passkey/"
    assert not faults_of(screen, console_url, path)
    parts: list[str] = []

    def plant(route: Route) -> None:
        page = route.fetch()
        place, fault = parts
        assert place in page.text()
        route.fulfill(response=page, body=page.text().replace(place, fault + place))

    context.route(f"{console_url}{path}", plant)
    planted = [("</main>", fault, where) for fault, where in PLANTED.values()]
    if IS_WHOLE:  # the menu is beside the page on wide screens alone
        planted.append(("</aside>", IN_MENU, "1920 {} button-name"))
    missed = {}
    for place, fault, where in planted:
        parts[:] = place, fault
        faults = faults_of(screen, console_url, path)
        if not any(where.format(path) in each for each in faults):
            missed[fault] = faults
    assert not missed
    context.close()


def test_every_page_fits_and_axe_finds_nothing(browser: Browser, console_url: str) -> None:
    context = browser.new_context(has_touch=True)
    accessible.prepare(context)
    screen = context.new_page()
    screen.set_default_timeout(60_000)
    house = SixPayees().confirmed()
    house.hit_royal("t7")
    claims.catch_up(house.system)
    identification.identify(Claim.objects.get(number=2), person("sione"), A_N)
    receiver = NewEndpoint("Signage", "https://receiver.example/hooks", ("claim.held",))
    endpoints.make(person("hana"), house.system.casino, receiver)
    paired()
    slides.put_up(person("hana"), house.system.casino, slides.SlideContent(text="Tonight"))
    owned = NewProgram(
        username="counting-machine",
        name="Counting machine",
        purpose="Drop",
        owner=person("ines"),
        scopes=("read:floor",),
        casino=house.system.casino,
    )
    programs.add(person("hana"), owned)
    walk = Walk(screen, console_url)
    for name in ("sione", "mere", "aroha", "ines", "hana"):
        walk.read(name)
    context.clear_cookies()
    for path in ("/login/", "/password/forgotten/"):
        walk.faults += faults_of(screen, console_url, path)
    context.close()
    assert not walk.faults, "\n".join(walk.faults)
    mere = logged_in("mere")
    not_seen = {name: path for name, path in addresses().items() if name not in walk.names}
    forms = {name for name, path in not_seen.items() if mere.get(path).status_code == 405}
    assert set(not_seen) - forms == LEAD_ON | page_states.NAMES
