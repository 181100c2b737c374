"""What languages do to the layout: choices that are not cut off, figures on screens in turn."""

import pytest
from django.utils.translation import to_locale
from playwright.sync_api import Browser, Page, expect

from jackpot.display import values as display
from jackpot.models import ScreenRequest
from settlement.people.preferences.language import LANGUAGE
from settlement.screens import screens, slides
from tables.models import Casino
from tests.support.cases.confirmed_house import ConfirmedHouse, person
from tests.support.pages.browser.workbench_screen import fits, opened
from tests.support.pages.page_staff import logged_in
from tests.support.pages.screens import screen_values
from tests.support.people.cast import ClaimHouse
from tests.support.suite.catalogues import LOCALES

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("spoken")]
WIDTHS = (390, 768, 1000, 1440)
# Of each choice how much wider its longest words are than its box.
CUT = """() => [...document.querySelectorAll(":is(.filters, .choice-row) select")].map((select) => {
  const free = select.cloneNode(true);
  free.style.cssText = "width: max-content; min-width: 0; max-width: none; position: absolute";
  document.body.append(free);
  const missing = free.offsetWidth - select.offsetWidth;
  free.remove();
  return missing;
})"""


def speak(screen: Page, url: str, language: str, name: str, address: str) -> None:
    """The page as that person reads it in that language."""
    opened(screen, url, name, "/login/")
    key = next(each for each in screen.context.cookies() if each["name"] == "sessionid")
    client = logged_in(name)
    client.cookies["sessionid"] = key["value"]
    session = client.session
    session[LANGUAGE] = language
    session.save()
    screen.goto(f"{url}{address}")


@pytest.mark.parametrize("language", ["en", "de", "es", "fr", "zh-hans"])
def test_no_choice_of_a_filter_is_cut_off(
    browser: Browser, console_url: str, language: str
) -> None:
    """Nor one of the forms whose choices have long words."""
    ConfirmedHouse()
    assert {to_locale(each) for each in ("de", "es", "fr", "zh-hans")} == set(LOCALES)
    screen = browser.new_context().new_page()
    for name, address in (("mere", "/payouts/"), ("hana", "/screens/slides/")):
        speak(screen, console_url, language, name, address)
        for width in WIDTHS:
            screen.set_viewport_size({"width": width, "height": 1024})
            assert fits(screen), (address, width)
            cut_off = screen.evaluate(CUT)
            assert max(cut_off) <= 0, (address, width, cut_off)
    screen.context.close()


@pytest.mark.usefixtures("displays_run")
def test_a_screen_shows_its_two_languages_in_turn(browser: Browser, console_url: str) -> None:
    house = ClaimHouse()
    display.refresh(house.system.pk)
    casino, hana = Casino.objects.get(), person("hana")
    slides.put_names(hana, casino, {"de": {"main/royal": "Königs-Jackpot"}})
    line = {"fr": {"text": "Ce soir {main/royal}"}}
    slides.put_up(
        hana, casino, slides.SlideContent(text="Heute {main/royal}", others=line, is_line=True)
    )
    tv = browser.new_context(locale="en-GB", viewport={"width": 1920, "height": 1080}).new_page()
    tv.clock.install()
    tv.goto(f"{console_url}/display/")
    expect(tv.locator("#code")).not_to_contain_text("·")
    code = ScreenRequest.objects.get().code
    screens.pair(
        hana,
        casino,
        code,
        screen_values(layouts=("main",), seconds=30, language="de", second_language="fr"),
    )
    tv.clock.run_for(4000)
    expect(tv.locator(".figure")).to_have_text("1.000,00")
    expect(tv.locator("html")).to_have_attribute("lang", "de")
    expect(tv.locator(".prize-name")).to_have_text("Königs-Jackpot")
    expect(tv.locator("#line")).to_have_text("Heute 1.000,00 NZD")
    tv.clock.run_for(31_000)
    expect(tv.locator("html")).to_have_attribute("lang", "fr")
    expect(tv.locator(".figure")).to_have_text("1\u202f000,00")
    expect(tv.locator(".prize-name")).to_have_text("Royal Flush")
    expect(tv.locator("#line")).to_have_text("Ce soir 1\u202f000,00 NZD")
    tv.clock.run_for(31_000)
    expect(tv.locator(".prize-name")).to_have_text("Königs-Jackpot")
    tv.context.close()
