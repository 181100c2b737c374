"""The form of a new view has room on a telephone."""

import pytest
from playwright.sync_api import Page, expect

from tests.support.pages.browser import accessible
from tests.support.pages.browser.workbench_screen import opened
from tests.support.people.cast import ClaimHouse

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("mere", "/claims/?standing=all&sort=-amount"),
        ("hana", "/devices/?sort=unit"),
        ("ines", "/reports/round-ledger/?sort=-entry"),
    ],
)
def test_a_finger_meets_each_field_of_a_new_view(
    screen: Page, console_url: str, name: str, address: str
) -> None:
    ClaimHouse().hit_royal()
    accessible.prepare(screen.context)
    screen.set_viewport_size({"width": 390, "height": 844})
    opened(screen, console_url, name, address)
    accessible.use_fingers(screen, is_on=True)
    accessible.open_all(screen)
    expect(screen.get_by_text("Open the list with this view")).to_be_visible()
    assert accessible.violations(screen) == []
    assert accessible.too_small(screen) == []
    assert screen.evaluate("document.documentElement.scrollWidth") == 390
