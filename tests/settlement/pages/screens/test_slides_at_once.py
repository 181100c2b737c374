"""Two people who put slides up at once: the limits of a casino hold."""

from functools import partial

import pytest

from jackpot.models import Slide
from settlement.core.errors import WrongState
from settlement.screens import films, slides
from settlement.screens.pictures import Picture
from settlement.screens.slides import SlideContent
from tables.models import Casino
from tests.support.cases.confirmed_house import person
from tests.support.people.at_once import people
from tests.support.people.cast import ClaimHouse
from tests.support.screens.films import FILM
from tests.support.suite.databases import FreshDatabase

pytestmark = pytest.mark.usefixtures("no_writer")
# A limit, and what a slide has that counts for it.
OF_FILMS, OF_SLIDES = ("MOST_FILMS", films.read(FILM)), ("MOST_UP", None)


@pytest.mark.parametrize(("limit", "picture"), [OF_FILMS, OF_SLIDES])
def test_of_two_slides_at_the_limit_one_is_refused(
    limit: str,
    picture: Picture | None,
    fresh_database: FreshDatabase,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ClaimHouse()
    hana, casino = person("hana"), Casino.objects.get()
    slides.put_up(hana, casino, SlideContent(text="First"), picture)
    monkeypatch.setattr(slides, limit, 2)

    def put_up(text: str) -> Slide:
        return slides.put_up(hana, casino, SlideContent(text=text), picture)

    with people() as group:  # a slide names its casino, and waits for its row
        answers = group.press(Casino.objects.all(), *(partial(put_up, text) for text in "AB"))
    (refusal,) = [each for each in answers if isinstance(each, WrongState)]
    assert "At most 2" in str(refusal)
    assert slides.slides().count() == 2


def test_a_video_in_the_place_of_a_text_counts_too(
    fresh_database: FreshDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    ClaimHouse()
    hana, casino = person("hana"), Casino.objects.get()
    rows = [slides.put_up(hana, casino, SlideContent(text=text)) for text in "AB"]
    monkeypatch.setattr(slides, "MOST_FILMS", 1)

    def change(row: Slide) -> Slide:
        return slides.put_up(hana, casino, SlideContent(text=row.text), films.read(FILM), row)

    with people() as group:
        answers = group.press(Casino.objects.all(), *(partial(change, row) for row in rows))
    assert [isinstance(each, WrongState) for each in answers].count(True) == 1
    assert slides.slides().filter(picture_type="video/webm").count() == 1
