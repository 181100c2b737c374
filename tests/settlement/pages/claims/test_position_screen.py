"""The page of a claim stays where it was when a form of it brings it back."""

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from settlement.models import Claim
from tests.support.cases.claims.payees import SixPayees
from tests.support.pages.browser.workbench_screen import opened

pytestmark = pytest.mark.browser

NEAR = 4  # px
IN_VIEW = 0.99  # of a message


def section(screen: Page, heading: str) -> Locator:
    return screen.locator(
        "details.fold", has=screen.get_by_role("heading", name=heading, exact=True)
    )


def top_of(part: Locator) -> float:
    box = part.bounding_box()
    assert box
    return box["y"]


def scroll_to(part: Locator, y: int) -> None:
    """Until the part is `y` px below the top of the screen, where no bar covers it."""
    part.evaluate("(part, y) => scrollBy(0, part.getBoundingClientRect().top - y)", y)


@pytest.mark.parametrize("size", [(768, 1024), (1920, 1080)])
def test_position_and_unfolded_sections_stay_over_a_form(
    screen: Page, console_url: str, size: tuple[int, int]
) -> None:
    SixPayees()
    screen.set_viewport_size({"width": size[0], "height": size[1]})
    opened(screen, console_url, "sione")
    below = (
        "Disputes, holds, order in question",
        "Staff at the table",
        "Recorded entries for this claim",
    )
    for heading in ("Evidence", "What the rules say", *below):
        section(screen, heading).locator("> summary").click()
    section(screen, "Checklist").locator("> summary").click()  # it was open
    evidence = section(screen, "Evidence")
    evidence.locator("summary", has_text="Write a note").click()
    note = evidence.locator("textarea:visible").last
    note.fill("Both players stayed at the table")
    button = evidence.get_by_role("button", name="Save note")
    scroll_to(button, 800)
    before = top_of(evidence)
    button.click()
    expect(evidence.get_by_text("Both players stayed at the table")).to_be_visible()
    expect(section(screen, "What the rules say")).to_have_attribute("open", "")
    expect(section(screen, "Checklist")).not_to_have_attribute("open", "")
    screen.wait_for_load_state("load")
    assert abs(top_of(evidence) - before) <= NEAR
    expect(screen.locator("#messages")).to_be_in_viewport(ratio=IN_VIEW)
    screen.reload()  # asked for anew, it is as it is for everybody
    expect(section(screen, "Checklist")).to_have_attribute("open", "")
    expect(section(screen, "What the rules say")).not_to_have_attribute("open", "")


def test_whoever_answers_the_checklist_stays_at_the_item(screen: Page, console_url: str) -> None:
    SixPayees()
    screen.set_viewport_size({"width": 768, "height": 1024})
    opened(screen, console_url, "sione")
    item = screen.locator("#nearby-text")
    screen.locator("label[for=nearby-yes]").click()
    button = screen.get_by_role("button", name="Save answers")
    scroll_to(button, 700)
    before = top_of(item)
    button.click()
    expect(screen.locator("#messages")).to_be_in_viewport(ratio=IN_VIEW)
    screen.wait_for_load_state("load")
    assert abs(top_of(item) - before) <= NEAR
    assert Claim.objects.get().answers.count() == 1


def test_on_a_telephone_the_checklist_opens_for_whoever_goes_to_it(
    screen: Page, console_url: str
) -> None:
    SixPayees()
    screen.set_viewport_size({"width": 390, "height": 844})
    opened(screen, console_url, "sione")
    checklist = section(screen, "Checklist")
    expect(checklist).not_to_have_attribute("open", "")
    screen.get_by_role("link", name="To the checklist").click()
    expect(checklist).to_have_attribute("open", "")
    screen.locator("label[for=nearby-yes]").click()
    screen.get_by_role("button", name="Save answers").click()
    expect(screen.locator("#messages")).to_be_in_viewport(ratio=IN_VIEW)
    expect(checklist).to_have_attribute("open", "")
    assert Claim.objects.get().answers.count() == 1


def test_without_scripts_the_anchor_of_the_form_remains(browser: Browser, console_url: str) -> None:
    SixPayees()
    context = browser.new_context(
        viewport={"width": 768, "height": 1024}, java_script_enabled=False
    )
    screen = context.new_page()
    opened(screen, console_url, "sione")
    screen.locator("label[for=nearby-yes]").click()
    screen.get_by_role("button", name="Save answers").click()
    expect(screen).to_have_url(f"{console_url}/claims/main/1/#checklist")
    expect(screen.get_by_role("heading", name="Checklist")).to_be_in_viewport()
    context.close()
