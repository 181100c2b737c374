"""Screens and displays speak the languages of players: words of the console and of the house."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from jackpot.display import values as display
from jackpot.models import HouseLook, Screen, Slide
from jackpot.screens import content
from settlement.core.errors import BadSetUp
from settlement.models import SetUpChange
from settlement.screens import screens, slides
from settlement.screens.slides import SlideContent
from tables.models import Casino, GamingTable
from tests.support.cases.confirmed_house import person
from tests.support.pages.page_staff import logged_in, page_of, refused, reply
from tests.support.pages.screens import paired, screen_values
from tests.support.people.cast import ClaimHouse
from tests.support.play.high_hands import high_terms
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer", "spoken")]
NAMES = {"de": {"main/royal": "Königs-Jackpot", "main": "Hauptsaal"}}


def build_house() -> ClaimHouse:
    house = ClaimHouse()
    display.refresh(house.system.pk)
    return house


house = kept_house(build_house)


def read(screen: Client) -> dict[str, Any]:
    answer: dict[str, Any] = screen.get("/screen/content").json()
    return answer


@pytest.mark.usefixtures("house")
def test_a_screen_speaks_its_own_language_whatever_its_browser_wants() -> None:
    client, screen = paired(language="de")
    screens.change(person("hana"), screen, screen_values(language="de", second_language="fr"))
    german = read(client)
    (french,) = german["others"]
    assert (german["language"], french["language"]) == ("de", "fr")
    assert (german["words"]["won"], french["words"]["won"]) == ("gewonnen", "gagné")
    assert (german["decimal"], german["thousand"]) == (",", ".")
    assert (french["decimal"], french["thousand"]) == (",", "\u202f")
    assert not german["is_code_first"]
    page = client.get("/screen/", headers={"accept-language": "es"}).content.decode()
    assert '<html lang="de" data-decimal="," data-thousand="."' in page


@pytest.mark.usefixtures("house")
def test_one_without_a_language_speaks_as_its_browser_is_set() -> None:
    client, _ = paired()
    answer = client.get("/screen/content", headers={"accept-language": "fr"}).json()
    assert (answer["language"], answer["others"]) == ("fr", [])


@pytest.mark.usefixtures("house")
@pytest.mark.parametrize(
    "bad",
    [
        {"language": "xx"},
        {"second_language": "de"},
        {"language": "de", "second_language": "de"},
    ],
)
def test_languages_that_do_not_fit_are_refused(bad: dict[str, str]) -> None:
    _, screen = paired()
    with pytest.raises(BadSetUp):
        screens.change(person("hana"), screen, screen_values(**bad))


def test_the_language_is_chosen_on_the_page_of_the_screen(house: ClaimHouse) -> None:
    _, screen = paired()
    form = {"do": "change", "name": "Bar", "layouts": ["main"], "seconds": "15", "turn": "0"}
    reply("hana", f"/screens/{screen.pk}/", **form, language="zh-hans", second_language="en")
    row = Screen.objects.get()
    assert (row.language, row.second_language) == ("zh-hans", "en")
    change = SetUpChange.objects.filter(kind="screen").latest("id")
    assert change.after["language"] == "zh-hans"
    page = refused("hana", f"/screens/{screen.pk}/", **form, second_language="en")
    assert "Choose two languages that differ, or one." in page
    assert house


def test_a_slide_stands_in_each_language_and_else_as_it_was_written(house: ClaimHouse) -> None:
    slide = {
        "kind": "slide",
        "casino": "harbour",
        "title": "Tonight",
        "text": "Win {main/royal}",
        "title_de": "Heute",
        "text_de": "Gewinnen Sie {main/royal}",
        "text_fr": "Gagnez {main/royal}",
        "days": ["1", "2", "3", "4", "5", "6", "7"],
        "seconds": "8",
    }
    reply("hana", "/screens/slides/", **slide)
    client, _ = paired(language="de", second_language="fr")
    german = read(client)
    ((in_german,), (in_french,)) = german["slides"], german["others"][0]["slides"]
    assert (in_german["title"], in_german["text"]) == ("Heute", "Gewinnen Sie {main/royal}")
    assert (in_french["title"], in_french["text"]) == ("Tonight", "Gagnez {main/royal}")
    bad = {**slide, "text_de": "{main/other}"}
    assert "No prize of this casino" in refused("hana", "/screens/slides/", **bad)
    row = Slide.objects.get()
    page = logged_in("hana").get(f"/screens/slides/{row.pk}/").content.decode()
    assert "Gewinnen Sie" in page
    assert '<details class="more" open>' in page
    assert house


def test_players_read_names_of_prizes_in_their_language(house: ClaimHouse) -> None:
    table = GamingTable.objects.get(system=house.system, code="t3")
    page = page_of("hana", "/screens/look/harbour/")
    assert f"Royal Flush · {house.system.name}" in page, "several systems have a prize of that name"
    form = {"do": "names", "de:main/royal": "Königs-Jackpot", "de:main": "Hauptsaal"}
    reply("hana", "/screens/look/harbour/", **form)
    assert HouseLook.objects.get().names == NAMES
    assert SetUpChange.objects.filter(kind="look").latest("id").after["names"] == NAMES
    client, _ = paired(language="de")
    first = read(client)
    assert first["names"]["main/royal"] == "Königs-Jackpot"
    assert first["systems"][0]["name"] == "Hauptsaal"
    Casino.objects.update(language="de")
    board = Client().get(f"/display/{table.display_key}/").content.decode()
    assert '<html lang="de"' in board
    assert "Königs-Jackpot" in board
    assert "Royal Flush:" not in board  # of the posted terms either
    assert "Königs-Jackpot: Royal Flush qualifiziert" in board  # the hand keeps its name
    Casino.objects.update(language="en")
    answer = Client().get(f"/display/{table.display_key}/", headers={"accept-language": "de"})
    assert "Königs-Jackpot" not in answer.content.decode()


def test_a_look_keeps_its_names_and_names_keep_the_look(house: ClaimHouse) -> None:
    casino, hana = house.system.casino, person("hana")
    slides.put_names(hana, casino, NAMES)
    slides.put_look(hana, casino, slides.Look(font="serif"), None, keep=True)
    look = HouseLook.objects.get()
    assert (look.names, look.font) == (NAMES, "serif")
    slides.put_names(hana, casino, {})
    look.refresh_from_db()
    assert (look.names, look.font) == (None, "serif")
    unfit: list[dict[str, dict[str, str]]] = [
        {"xx": {}},
        {"de": {"main/other": "x"}},
        {"de": {"main": "x" * 61}},
    ]
    for bad in unfit:
        with pytest.raises(BadSetUp):
            slides.put_names(hana, casino, bad)


def test_two_languages_take_twice_the_queries_at_most(
    house: ClaimHouse, django_assert_max_num_queries: Any
) -> None:
    _, screen = paired(language="de", second_language="fr")
    for number in range(5):
        slides.put_up(person("hana"), screen.casino, SlideContent(text=f"Line {number}"))
    house.hit_royal()
    with django_assert_max_num_queries(40):
        content.content_of(screen)


def test_boards_of_high_hands_are_read_once_and_where_a_layout_has_them() -> None:
    house = ClaimHouse(high_terms())
    display.refresh(house.system.pk)
    _, screen = paired(language="de", second_language="fr")

    def read_boards(*layouts: str) -> tuple[int, int]:
        """How often tiers were read for them, and how many are in both languages."""
        with CaptureQueriesContext(connection) as queries:
            answer = content.content_of(screen, layouts=layouts)
        times = sum('FROM "jackpot_tier" ' in query["sql"] for query in queries)
        return times, len(answer["boards"]) + len(answer["others"][0]["boards"])

    assert read_boards("high_hands", "slides") == (1, 2)
    assert read_boards("main") == (1, 2)
    assert read_boards("slides", "winners") == (0, 0)
