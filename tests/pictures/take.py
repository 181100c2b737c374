"""Takes the pictures of the user guides: `make pictures`, which asks pytest for this file alone.

Each is the console of an invented house in headless Chromium, written where static files are.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from settlement.help.guides import PICTURE_HEIGHT, PICTURE_WIDTH, PICTURES, pictures
from tests.pictures.house import photographed
from tests.support.pages.browser import accessible
from tests.support.pages.browser.browsers import browser
from tests.support.pages.browser.workbench_screen import opened
from tests.support.suite.house_style import PROJECT
from tests.support.suite.quick_settings import no_static_files, no_writer, quick_passwords

__all__ = ["browser", "no_static_files", "no_writer", "quick_passwords"]

pytestmark = pytest.mark.browser

FOLDER = PROJECT / "jackpot" / "static" / PICTURES
MOST = 60_000  # bytes
QUALITIES = (80, 60, 40, 25)


@dataclass(frozen=True, slots=True)
class Scene:
    """Whose page it is, what is pressed on it, and what then stands at the top."""

    who: str
    address: str
    press: str = ""
    top: str = ""


def _unfolded(name: str) -> tuple[str, str]:
    """A part of a claim's page that is folded at first."""
    return f"details:has(#{name}) > summary", f"details:has(#{name})"


SCENES = {
    "verify": Scene("sione", "/claims/main/2/", top="details:has(#checklist)"),
    "amend": Scene("sione", "/claims/main/2/amend/"),
    "enter-hand": Scene("sione", "/tables/main/t3/hand/"),
    "rule-round": Scene("sione", "/irregularities/"),
    "credit-missed": Scene("sione", "/irregularities/main/t3/missed/"),
    "handover": Scene("sione", "/handover/"),
    "confirm": Scene("mere", "/claims/main/3/"),
    "agree": Scene("mere", "/"),
    "adjust-pool": Scene("mere", "/pools/main/royal/adjust/"),
    "close-day": Scene("mere", "/closing/"),
    "clear-alarm": Scene("mere", "/reconciliation/", top=".panel:has(.alarm-list)"),
    "pay": Scene("aroha", "/claims/main/1/cage/"),
    "slip": Scene("aroha", "/payouts/", top="main .panel:has(.filters)"),
    "count-drop": Scene("aroha", "/drop/"),
    "footage": Scene("tane", "/claims/main/2/", *_unfolded("evidence")),
    "incident": Scene("tane", "/incidents/"),
    "staff-at-play": Scene("tane", "/staff-at-play/"),
    "report": Scene("ines", "/reports/payouts/"),
    "hold": Scene("ines", "/claims/main/2/", *_unfolded("stops")),
    "exclusions": Scene("ines", "/exclusions/"),
    "invite": Scene("hana", "/people/", top=".panel:has([name=username])"),
    "add-tables": Scene("hana", "/set-up/systems/main/"),
    "issue-device": Scene("hana", "/devices/tables/main/t3/", top="main .panel:nth-of-type(2)"),
    "pair-screen": Scene("hana", "/screens/"),
    "terms": Scene("mere", "/terms/"),
    "reverse": Scene("david", "/claims/main/1/reverse/"),
    "close-month": Scene("ines", "/closing/", top="#months"),
    "forms": Scene("ines", "/reports/tax-and-cash-reports/"),
    "first-set-up": Scene("hana", "/set-up/"),
    "shared-tablet": Scene("hana", "/tablets/"),
    "open-casino": Scene("hana", "/set-up/casinos/harbour/"),
}


def test_take_pictures(browser: Browser, console_url: str) -> None:
    photographed()
    context = browser.new_context(viewport={"width": PICTURE_WIDTH, "height": PICTURE_HEIGHT})
    accessible.prepare(context)
    screen = context.new_page()
    screen.set_default_timeout(60_000)
    for old in FOLDER.glob("*"):
        old.unlink()
    FOLDER.mkdir(exist_ok=True)
    for name in pictures():
        scene = SCENES[name]
        opened(screen, console_url, scene.who, scene.address)
        accessible.use_theme(screen, "light")
        if scene.press:
            screen.locator(scene.press).first.click()
        if scene.top:
            screen.locator(scene.top).first.evaluate("(each) => each.scrollIntoView()")
            screen.mouse.wheel(0, -80)  # below the bar
        accessible.settle(screen)
        write(screen, FOLDER / f"{name}.webp")
    context.close()


def write(screen: Page, path: Path) -> None:
    """As good as fits into so many bytes."""
    devtools = screen.context.new_cdp_session(screen)
    for quality in QUALITIES:
        answer = devtools.send("Page.captureScreenshot", {"format": "webp", "quality": quality})
        picture = base64.b64decode(answer["data"])
        if len(picture) <= MOST:
            path.write_bytes(picture)
            return
    pytest.fail(f"{path.name} is larger than {MOST} bytes")
