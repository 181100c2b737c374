"""The workbench on a tablet: it fits, the count follows the taps, a photograph is taken in."""

from pathlib import Path

import pytest
from playwright.sync_api import Page

from settlement.claims import services as claims
from settlement.models import Attachment, Claim, DeckTick
from tests.support.cases.hands.clocked_hands import ClockHouse
from tests.support.pages.browser.workbench_screen import fits, opened
from tests.support.suite.waiting import wait_until

pytestmark = pytest.mark.browser

# A picture of one pixel.
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8cf"
    "c000000301010018dd8db00000000049454e44ae426082"
)


def test_the_deck_is_counted_and_a_photograph_attached_on_a_tablet(
    screen: Page, console_url: str, tmp_path: Path
) -> None:
    house = ClockHouse()
    house.hit_royal("t3")
    house.hit_royal("t7")
    claims.catch_up(house.system)
    screen.set_viewport_size({"width": 768, "height": 1024})
    opened(screen, console_url, "sione")
    assert fits(screen)
    screen.get_by_role("heading", name="Left in the deck").click()
    screen.get_by_label("nine of spades").check()
    spades = screen.locator(".deck-row").first
    assert spades.locator("[data-found]").inner_text() == "1"
    assert screen.locator("[data-left]").inner_text() == "44 to find"
    screen.get_by_role("button", name="Save the count").click()
    wait_until(DeckTick.objects.exists, what="the count to be saved")
    assert DeckTick.objects.get().card == "9s"

    photograph = tmp_path / "layout.png"
    photograph.write_bytes(PIXEL)
    screen.get_by_role("heading", name="Evidence").click()
    screen.get_by_text("Attach a file").click()
    screen.get_by_label("What the file shows").fill("The layout")
    screen.get_by_label("Photograph (JPEG, PNG) or PDF").set_input_files(photograph)
    screen.get_by_role("button", name="Attach the file").click()
    picture = screen.locator(".files img")
    picture.scroll_into_view_if_needed()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") == 1
    assert bytes(Attachment.objects.get(claim=Claim.objects.get(number=1)).content) == PIXEL
    assert fits(screen)
