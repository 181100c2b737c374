"""Slides, lines and the look: put up with a schedule, taken down, refused where they do not fit."""

import datetime as dt
import io
import struct
import zlib
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import ProgrammingError, transaction
from django.test import Client
from django.utils import timezone
from PIL import Image

from jackpot.models import HouseLook, Slide
from jackpot.screens import content
from jackpot.screens.schedule import Schedule
from settlement.core.errors import BadFile, BadSetUp, NotPermitted, WrongState
from settlement.models import SetUpChange
from settlement.screens import pictures, slides
from settlement.screens.slides import Look, SlideContent
from tables.models import Casino
from tests.support.cases.confirmed_house import person
from tests.support.pages.page_staff import logged_in, page_of, refused, reply
from tests.support.pages.screens import paired
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import acting_as
from tests.support.screens.films import FILM
from tests.support.suite.databases import FreshDatabase
from tests.support.suite.kept_house import kept_house

pytestmark = pytest.mark.usefixtures("no_writer")
SLIDE: dict[str, Any] = {
    "kind": "slide",
    "casino": "harbour",
    "title": "Late night",
    "text": "{main/royal} tonight",
    "days": ["5", "6"],
    "starts": "18:00",
    "ends": "02:00",
    "seconds": "8",
}


FRIDAY = dt.date(2026, 11, 27)


def picture_file(kind: str = "PNG", mode: str = "RGBA", size: tuple[int, int] = (40, 20)) -> bytes:
    file = io.BytesIO()
    Image.new(mode, size, "teal").save(file, kind, comment=b"secret words" * 9)
    return file.getvalue()


def of_size(png: bytes, width: int, height: int) -> bytes:
    """The same file, whose head says that it is so large."""
    head = b"IHDR" + struct.pack(">II", width, height) + png[24:29]
    return png[:12] + head + struct.pack(">I", zlib.crc32(head)) + png[33:]


house = kept_house(ClaimHouse)


def slides_sent(screen: Client, day: dt.date, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What the screen is sent on the afternoon of that day at the casino."""
    zone = ZoneInfo(Casino.objects.get().timezone)
    noon = dt.datetime.combine(day, dt.time(15), zone)
    with monkeypatch.context() as clock:
        clock.setattr(timezone, "now", lambda: noon)
        return list(screen.get("/screen/content").json()["slides"])


def test_a_slide_is_put_up_changed_and_taken_down(
    house: ClaimHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen, _ = paired()
    values = {**SLIDE, "casino": Casino.objects.get().code}
    file = SimpleUploadedFile("x.png", picture_file(), "image/png")
    assert "Published" in reply("hana", "/screens/slides/", **values, picture=file)
    slide = Slide.objects.get()
    page = page_of("hana", "/screens/slides/")
    assert "Fri, Sat" in page
    assert "18:00–02:00" in page
    (row,) = slides_sent(screen, FRIDAY, monkeypatch)
    assert row["title"] == "Late night"
    assert slides_sent(screen, FRIDAY + dt.timedelta(days=3), monkeypatch) == []  # a Monday
    picture = screen.get(f"/screen/picture/{slide.picture_digest}")
    assert picture["Content-Type"] == "image/png"
    assert picture["X-Content-Type-Options"] == "nosniff"
    assert Image.open(io.BytesIO(picture.content)).size == (40, 20)
    assert logged_in("hana").get(f"/screens/pictures/{slide.picture_digest}/").status_code == 200

    changed = {**values, "do": "change", "kind": "line", "text": "Hello", "starts": "", "ends": ""}
    changed["days"] = list("1234567")
    assert "Saved" in reply("hana", f"/screens/slides/{slide.pk}/", **changed)
    answer = screen.get("/screen/content").json()
    assert (answer["version"], answer["slides"]) == (3, [])
    (line,) = answer["lines"]
    assert (line["text"], bool(line["picture"]), len(line["windows"])) == ("Hello", True, 3)
    newer = Slide.objects.get(ended_at=None)
    with pytest.raises(WrongState):
        slides.put_up(person("hana"), newer.casino, SlideContent(text="x"), None, slide)
    assert "Unpublished" in reply("hana", f"/screens/slides/{newer.pk}/", do="down")
    assert screen.get("/screen/content").json()["lines"] == []
    assert screen.get(f"/screen/picture/{slide.picture_digest}").status_code == 404
    changes = SetUpChange.objects.filter(kind="slide").order_by("id")
    assert [each.what for each in changes] == ["made", "changed", "made", "changed"]
    assert changes[0].after["picture_digest"] == slide.picture_digest
    assert "picture" not in changes[0].after


def test_what_a_slide_may_not_be(house: ClaimHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    hana, casino = person("hana"), Casino.objects.get()
    day = dt.date(2026, 11, 27)
    for bad in (
        SlideContent(text=""),
        SlideContent(text="", title="x", is_line=True),
        SlideContent(text="x" * 301),
        SlideContent(text="{main/none}"),
        SlideContent(text="x", seconds=1),
        SlideContent(text="x", schedule=Schedule(())),
        SlideContent(text="x", schedule=Schedule((8,))),
        SlideContent(
            text="x", schedule=Schedule(first_day=day, last_day=day - dt.timedelta(days=1))
        ),
    ):
        with pytest.raises(BadSetUp):
            slides.put_up(hana, casino, bad)
    monkeypatch.setattr(slides, "MOST_UP", 0)
    with pytest.raises(WrongState, match="At most 0"):
        slides.put_up(hana, casino, SlideContent(text="x"))
    with pytest.raises(NotPermitted):
        slides.put_up(person("sione"), casino, SlideContent(text="x"))
    file = SimpleUploadedFile("x.svg", b"<svg/>", "image/svg+xml")
    values = {**SLIDE, "casino": casino.code, "picture": file}
    assert "This file is not a picture" in refused("hana", "/screens/slides/", **values)


def test_a_slide_may_move(house: ClaimHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    """A short film stands in the place of its picture; five at most, as each screen keeps them."""
    screen, _ = paired()
    whole_week = {**SLIDE, "days": list("1234567"), "starts": "", "ends": ""}

    def film(content: bytes = FILM) -> SimpleUploadedFile:
        return SimpleUploadedFile("x.webm", content, "video/webm")

    assert "Published" in reply("hana", "/screens/slides/", **whole_week, picture=film())
    slide = Slide.objects.get()
    assert (slide.picture_type, bytes(slide.picture or b"")) == ("video/webm", FILM)
    (row,) = screen.get("/screen/content").json()["slides"]
    assert (row["picture"], row["film"]) == ("", f"/screen/picture/{slide.picture_digest}")
    answer = screen.get(row["film"])
    assert answer["Content-Type"] == "video/webm"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer.content == FILM
    assert "Video" in page_of("hana", "/screens/slides/")
    page = logged_in("hana").get(f"/screens/slides/{slide.pk}/").content.decode()
    assert f'src="/screens/pictures/{slide.picture_digest}/"' in page
    for reader, address in (
        (screen, row["film"]),
        (logged_in("hana"), f"/screens/pictures/{slide.picture_digest}/"),
    ):
        part = reader.get(address, headers={"Range": "bytes=0-1"})
        assert (part.status_code, part.content) == (206, FILM[:2])
        assert part["Content-Range"] == f"bytes 0-1/{len(FILM)}"
        assert part["X-Content-Type-Options"] == "nosniff"
        assert reader.get(address, headers={"Range": "bytes=9999999-"}).status_code == 416
    monkeypatch.setattr(slides, "MOST_FILMS", 1)
    fault = "At most 1 videos can be shown"
    assert fault in refused("hana", "/screens/slides/", **whole_week, picture=film())
    changed = {**whole_week, "do": "change", "title": "Later"}
    address = f"/screens/slides/{slide.pk}/"
    assert "Saved" in reply("hana", address, **changed, picture=film()), "in its own place"
    bad = film(FILM.replace(b"V_VP8", b"V_XYZ"))
    assert "cannot play" in refused("hana", "/screens/slides/", **whole_week, picture=bad)
    colours = {"background": "#000000", "text": "#ffffff", "accent": "#ffd700", "font": "sans"}
    look = refused("hana", "/screens/look/harbour/", picture=film(), **colours)
    assert "This file is not a picture" in look, "a logo stands still"


def test_pictures_are_written_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    photograph = pictures.read(picture_file("JPEG", "RGB", (4000, 2000)), "slide")
    assert photograph.media == "image/jpeg"
    assert b"secret words" not in photograph.content
    assert Image.open(io.BytesIO(photograph.content)).size == (3840, 1920)
    assert pictures.read(picture_file(), "logo").media == "image/png"
    for bad in (
        b"",
        b"<html>",
        picture_file()[:40],
        picture_file("GIF", "P"),
        b"x" * (pictures.MOST_BYTES + 1),
    ):
        with pytest.raises(BadFile):
            pictures.read(bad, "slide")
    with pytest.raises(BadFile, match="pixels"):
        pictures.read(of_size(picture_file(), 30_000, 30_000), "slide")
    monkeypatch.setattr(pictures, "MOST_PIXELS", 100)
    with pytest.raises(BadFile, match="pixels"):
        pictures.read(picture_file(), "slide")


def test_the_house_has_a_look_that_can_be_read(house: ClaimHouse) -> None:
    screen, _ = paired()
    casino = Casino.objects.get()
    address = f"/screens/look/{casino.code}/"
    look = {"background": "#102040", "text": "#FFFFFF", "accent": "#ffcc00", "font": "serif"}
    logo = SimpleUploadedFile("x.png", picture_file(), "image/png")
    assert "Saved" in reply("mere", address, **look, picture=logo)
    assert "Saved" in reply("mere", address, **{**look, "font": "narrow"})
    shown_look = screen.get("/screen/content").json()["look"]
    assert shown_look["logo"].startswith("/screen/picture/")  # it stayed
    assert {**shown_look, "logo": ""} == {
        "background": "#102040",
        "text": "#ffffff",
        "accent": "#ffcc00",
        "font": "narrow",
        "font_file": "",
        "logo": "",
    }
    assert "cannot be read" in refused("mere", address, **{**look, "text": "#203050"})
    assert "another accent" in refused("mere", address, **{**look, "accent": "#203050"})
    for bad in (Look(text="red"), Look(font="comic")):
        with pytest.raises(BadSetUp):
            slides.put_look(person("mere"), casino, bad, None, keep=True)
    reply("mere", address, **look, drop_logo="on")
    assert screen.get("/screen/content").json()["look"]["logo"] == ""
    changes = SetUpChange.objects.filter(kind="look").order_by("id")
    assert [each.what for each in changes] == ["made", "changed", "changed"]
    assert changes[1].after == {"font": "narrow"}


def test_the_database_asks_who_puts_up(fresh_database: FreshDatabase) -> None:
    ClaimHouse()
    hana, casino = person("hana"), Casino.objects.get()
    content = SlideContent(text="Hello")
    with acting_as("web", logged_in=False), pytest.raises(ProgrammingError), transaction.atomic():
        slides.put_up(hana, casino, content)
    with acting_as("web"):
        slide = slides.put_up(hana, casino, content, pictures.read(picture_file(), "slide"))
        slides.put_look(hana, casino, Look(), None, keep=True)
        slides.take_down(hana, slide)
        with pytest.raises(WrongState):
            slides.take_down(hana, slide)
        with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
            HouseLook.objects.update(font="serif")


def test_what_a_screen_reads_takes_few_queries(
    house: ClaimHouse, django_assert_max_num_queries: Any
) -> None:
    _, screen = paired()
    for number in range(5):
        slides.put_up(person("hana"), screen.casino, SlideContent(text=f"Line {number}"))
    house.hit_royal()
    with django_assert_max_num_queries(20):
        content.content_of(screen)


def test_the_logo_of_the_house_stands_in_the_header_of_its_people(house: ClaimHouse) -> None:
    assert "brand-logo" not in logged_in("aroha").get("/account/").content.decode()
    file = SimpleUploadedFile("logo.png", picture_file(), "image/png")
    colours = {"background": "#000000", "text": "#ffffff", "accent": "#ffd700", "font": "sans"}
    reply("hana", "/screens/look/harbour/", picture=file, **colours)
    digest = HouseLook.objects.get().picture_digest
    address = f"/screens/logo/{digest}/"
    page = logged_in("aroha").get("/claims/").content.decode()
    assert page.count(f'<img class="brand-logo" src="{address}" alt="">') == 2
    answer = logged_in("aroha").get(address)
    assert answer.headers["Content-Type"] == "image/png"
    assert "immutable" in answer.headers["Cache-Control"]
    assert logged_in("aroha").get("/screens/logo/guessed/").status_code == 404
    slide = SimpleUploadedFile("x.png", picture_file(size=(30, 30)), "image/png")
    reply("hana", "/screens/slides/", **SLIDE, picture=slide)
    of_slide = f"/screens/logo/{Slide.objects.get().picture_digest}/"
    assert logged_in("aroha").get(of_slide).status_code == 404
    assert Client().get(address).status_code == 302
