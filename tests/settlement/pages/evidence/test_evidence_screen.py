"""The checklist on a tablet and on a wide screen: keys go on to what a point asks for."""

import pytest
from playwright.sync_api import Page, expect

from jackpot.terms.required_evidence import BY_DEFAULT
from settlement.claims import services as claims
from settlement.evidence.checklist import ITEMS
from settlement.models import Claim
from simulation import answers
from tests.support.cases.confirmed_house import person
from tests.support.cases.hands.clocked_hands import ClockHouse
from tests.support.pages.browser.workbench_screen import fits, opened
from tests.support.play.books import royal_terms
from tests.support.suite.waiting import wait_until

pytestmark = pytest.mark.browser
TYPED = {
    "witness": ["Ana Ruiz", "Dealer"],
    "deck_counted": ["8", "13", "12", "12"],
    "sealed": ["H-2231"],
    "display": ["1,001.00"],
}
RECORDED = {"photographed", "surveillance", "identity"}


def a_house(**evidence: int) -> ClockHouse:
    house = ClockHouse(royal_terms() | {"evidence": evidence})
    house.hit_royal("t3")
    claims.catch_up(house.system)
    return house


@pytest.mark.parametrize("width", [768, 1920])
def test_keys_go_through_points_and_what_they_ask_for(
    screen: Page, console_url: str, width: int
) -> None:
    a_house(**dict.fromkeys(BY_DEFAULT, 0))
    screen.set_viewport_size({"width": width, "height": 1024})
    opened(screen, console_url, "sione")
    assert fits(screen)
    screen.locator("#frozen-yes").focus()
    for item in ITEMS:
        expect(screen.locator(f"input[name={item.code}]:focus")).to_have_count(1)
        screen.keyboard.press("y")
        if item.code in RECORDED:  # to where it is added; by hand to the next point
            expect(screen.locator("a.tap:focus")).to_be_visible()
            screen.keyboard.press("Tab")
            screen.keyboard.press("n")
            screen.keyboard.type("It will come")
            screen.keyboard.press("Enter")
        for text in TYPED.get(item.code, ()):
            screen.keyboard.type(text)
            screen.keyboard.press("Enter")
    screen.get_by_role("button", name="Save answers").click()
    expect(screen.get_by_text("17 answers were saved.")).to_be_visible()
    answers = {a.item: a for a in Claim.objects.get().answers.all()}
    assert answers["witness"].evidence == {"name": "Ana Ruiz", "capacity": "Dealer"}
    assert answers["sealed"].evidence == {"bag": "H-2231"}
    assert {answers[code].answer for code in RECORDED} == {"no"}


@pytest.mark.parametrize("width", [768, 1920])
def test_a_small_prize_is_answered_without_them(screen: Page, console_url: str, width: int) -> None:
    a_house(**dict.fromkeys(BY_DEFAULT, 10**12))
    screen.set_viewport_size({"width": width, "height": 1024})
    opened(screen, console_url, "sione")
    screen.locator("#frozen-yes").focus()
    for _ in range(len(ITEMS) - len(BY_DEFAULT)):
        screen.keyboard.press("y")
    expect(screen.get_by_text("Not asked for this amount: 7 items")).to_be_visible()
    screen.get_by_role("button", name="Save and verify this claim").click()
    expect(screen.get_by_text("Verified. The claim now waits")).to_be_visible()
    assert fits(screen)


def test_what_is_typed_answers_yes_and_stands_there_again(screen: Page, console_url: str) -> None:
    a_house(sealed=0)
    screen.set_viewport_size({"width": 768, "height": 1024})
    opened(screen, console_url, "sione")
    screen.get_by_role("textbox", name="Bag number").fill("H-2231")
    expect(screen.locator("#sealed-yes")).to_be_checked()
    screen.get_by_role("button", name="Save answers").click()
    wait_until(Claim.objects.get().answers.exists, what="the answer to be saved")
    expect(screen.get_by_role("textbox", name="Bag number")).to_have_value("H-2231")
    answers.answer(Claim.objects.get(), person("sione"))
    screen.reload()
    expect(screen.get_by_text("All 11 answered")).to_be_visible()
