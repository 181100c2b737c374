"""The form of a new view has room on a telephone."""

import pytest
from playwright.sync_api import Page, expect

from tests.support import accessible
from tests.support.cast import ClaimHouse
from tests.support.workbench_screen import opened

pytestmark = pytest.mark.browser


def test_a_finger_meets_each_field_of_a_new_view(screen: Page, console_url: str) -> None:
    ClaimHouse().hit_royal()
    accessible.prepare(screen.context)
    screen.set_viewport_size({"width": 390, "height": 844})
    opened(screen, console_url, "mere", "/claims/?standing=all&sort=-amount")
    accessible.use_fingers(screen, wanted=True)
    accessible.open_all(screen)
    expect(screen.get_by_text("Open the list with this view")).to_be_visible()
    assert accessible.violations(screen) == []
    assert accessible.too_small(screen) == []
    assert screen.evaluate("document.documentElement.scrollWidth") == 390
