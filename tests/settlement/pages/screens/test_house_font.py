"""A font of the house: judged by its head, served to its screens alone, and removed."""

from __future__ import annotations

import struct
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import ProgrammingError, transaction
from django.test import Client

from jackpot.models import HouseLook
from settlement.core.errors import BadFile, BadSetUp, NotPermitted
from settlement.models import SetUpChange
from settlement.screens import fonts, slides
from settlement.screens.fonts import Font
from settlement.screens.slides import Look
from tables.models import Casino
from tests.support.cases.confirmed_house import person
from tests.support.pages.page_staff import logged_in, page_of, reply
from tests.support.pages.screens import paired
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import acting_as
from tests.support.suite.databases import FreshDatabase
from tests.support.suite.kept_house import kept_house

pytestmark = pytest.mark.usefixtures("no_writer")
ADDRESS = "/screens/look/harbour/"
# Numbers of the tags cmap, head, hhea, hmtx, maxp, glyf and loca in WOFF2's table of contents.
TABLES = (0, 1, 2, 3, 4, 10, 11)

house = kept_house(ClaimHouse)


def font_file(tables: tuple[int, ...] = TABLES, **changes: Any) -> bytes:
    """A file with the head and the contents of a font; what is compressed in it says nothing."""
    outlines = (10, 11)
    contents = b"".join(
        bytes([number, 0x81, 0x00, *([0x40] if number in outlines else [])]) for number in tables
    )
    packed = b"\0" * changes.get("packed_bytes", 64)
    length = 48 + len(contents) + len(packed)
    head = struct.pack(
        ">4sIIHHII",
        changes.get("signature", b"wOF2"),
        changes.get("flavour", 0x00010000),
        changes.get("length", length),
        len(tables),
        0,
        changes.get("unpacked", 4096),
        changes.get("packed", len(packed)),
    )
    return head + bytes(24) + contents + packed


def send_font(content: bytes, name: str = "harbour-sans.woff2") -> str:
    file = SimpleUploadedFile(name, content, "font/woff2")
    return reply("hana", ADDRESS, do="font", file=file)


def test_a_font_is_sent_used_by_screens_and_removed(house: ClaimHouse) -> None:
    screen, paired_screen = paired()
    assert "Saved" in send_font(font_file())
    look = HouseLook.objects.get()
    assert (look.font, look.font_name) == ("house", "harbour-sans.woff2")
    content = screen.get("/screen/content").json()
    assert content["version"] > paired_screen.version
    address = content["look"]["font_file"]
    answer = screen.get(address)
    assert (answer.status_code, answer["Content-Type"]) == (200, "font/woff2")
    assert answer.content == font_file()
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "default-src 'self'" in screen.get("/screen/")["Content-Security-Policy"]
    assert Client().get(address).status_code == 404, "of no screen"
    change = SetUpChange.objects.filter(kind="look").last()
    assert change is not None
    assert change.after["font_digest"] == look.font_digest
    assert "font_file" not in change.after
    assert "harbour-sans.woff2" in page_of("hana", ADDRESS)
    assert "Saved" in reply("hana", ADDRESS, do="no_font")
    look = HouseLook.objects.get()
    assert (look.font, look.font_name, look.font_digest, look.font_file) == ("sans", "", "", None)
    assert screen.get("/screen/content").json()["look"]["font_file"] == ""
    assert screen.get(address).status_code == 404


def test_the_house_chooses_its_font_or_another_one_with_its_colours(house: ClaimHouse) -> None:
    hana, casino = person("hana"), Casino.objects.get()
    with pytest.raises(BadSetUp, match="Choose a font"):
        slides.put_look(hana, casino, Look(font="house"), None, keep=True)
    slides.put_font(hana, casino, Font("a.woff2", font_file()))
    slides.put_look(hana, casino, Look(font="serif"), None, keep=True)
    slides.put_font(hana, casino, Font("b.woff2", font_file((*TABLES, 5))))
    assert HouseLook.objects.get().font == "house"
    slides.put_look(hana, casino, Look(font="house"), None, keep=True)
    assert HouseLook.objects.get().font_name == "b.woff2"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"wOF2",
        b"<html>wOF2</html>" * 9,
        font_file()[:-1],
        font_file() + b"\0",
        font_file(signature=b"wOFF"),
        font_file(flavour=0x74746366),
        font_file(TABLES[:-1]),
        font_file(TABLES[1:]),
        font_file(unpacked=64 * 1024 * 1024),
        font_file(packed=65),
    ],
)
def test_what_is_no_font_is_refused(content: bytes) -> None:
    with pytest.raises(BadFile, match="not a font"):
        fonts.read("x.woff2", content)


def test_a_font_has_500_kb_at_most(house: ClaimHouse) -> None:
    large = font_file(packed_bytes=fonts.MOST_BYTES)
    with pytest.raises(BadFile, match="500 KB"):
        fonts.read("x.woff2", large)
    assert "500 KB" in send_font(large)
    assert not HouseLook.objects.exists()


def test_the_database_asks_who_sends_a_font(fresh_database: FreshDatabase) -> None:
    ClaimHouse()
    hana, casino, font = person("hana"), Casino.objects.get(), Font("x.woff2", font_file())
    with pytest.raises(NotPermitted):
        slides.put_font(person("aroha"), casino, font)
    with acting_as("web", logged_in=False), pytest.raises(ProgrammingError), transaction.atomic():
        slides.put_font(hana, casino, font)
    with acting_as("web"):
        slides.put_font(hana, casino, font)
        with pytest.raises(BadSetUp), transaction.atomic():
            slides.put_font(hana, casino, Font("x.woff2", b"MZ" + bytes(60)))
    assert bytes(HouseLook.objects.get().font_file or b"") == font_file()
    assert logged_in("aroha").post(ADDRESS, {"do": "no_font"}).status_code == 403
