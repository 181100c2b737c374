"""What is a film for a slide: told by its content, and bounded by what its head says."""

import struct

import pytest

from settlement.core.errors import BadFile
from settlement.screens import films
from tests.support.screens.films import FILM, box, mp4

WIDTH = FILM.index(b"\xb0\x81\x20")  # of the one track: one byte, 32 pixels


def nested(depth: int) -> bytes:
    content = b""
    for _ in range(depth):
        content = box(b"moov", content)
    return content


def refused(content: bytes) -> str:
    with pytest.raises(BadFile) as fault:
        films.read(content)
    return str(fault.value)


@pytest.mark.parametrize(
    ("content", "media"),
    [
        (FILM, "video/webm"),
        (mp4(), "video/mp4"),
        (mp4(b"av01", (3840, 2160), 120, is_long=True), "video/mp4"),
        (mp4() + struct.pack(">I4sQ", 1, b"free", 20) + bytes(4), "video/mp4"),
        (mp4() + struct.pack(">I4s", 0, b"mdat") + bytes(9), "video/mp4"),
    ],
)
def test_a_film_is_kept_as_it_came(content: bytes, media: str) -> None:
    assert films.is_film(content)
    film = films.read(content)
    assert (film.content, film.media, film.is_film) == (content, media, True)


@pytest.mark.parametrize(
    "content",
    [
        mp4(b"mp4a"),
        mp4(b"hvc1"),
        mp4(size=(0, 0)),
        mp4()[:60],
        box(b"ftyp", b"avif", bytes(4)),
        box(b"ftyp", b"isom", bytes(4)) + box(b"moov", box(b"trak")),
        struct.pack(">I4s", 4, b"ftyp"),
        box(b"ftyp", b"isom", bytes(4)) + nested(4_000),
        FILM[:60],
        FILM[:WIDTH] + b"\xb0\x81\x00" + FILM[WIDTH + 3 :],
        FILM.replace(b"V_VP8", b"V_XYZ"),
        FILM.replace(b"webm", b"webx"),
        b"\x1a\x45\xdf\xa3" + b"\x80" * 40_000,
        b"\x1a\x45\xdf\xa3" + bytes(9),
        b"\x1a\x45\xdf\xa3",
    ],
)
def test_what_screens_could_not_play_is_none(content: bytes) -> None:
    assert films.is_film(content)
    assert "Screens cannot play this file" in refused(content)


def test_it_is_neither_too_large_nor_too_long() -> None:
    assert "16 MB" in refused(mp4() + bytes(films.MOST_BYTES))
    assert "3840 pixels" in refused(mp4(size=(3841, 100)))
    assert "3840 pixels" in refused(mp4(size=(100, 3841)))
    assert "two minutes" in refused(mp4(seconds=121))
    assert "two minutes" in refused(mp4(seconds=2**40, is_long=True))
    many = b"".join(box(b"free") for _ in range(films._MOST_PARTS))
    assert "cannot play" in refused(many.join((mp4()[:16], mp4()[16:])))


@pytest.mark.parametrize("duration", [0.0, -1.0, float("nan")])
def test_it_says_how_long_it_is(duration: float) -> None:
    """One that was recorded as it went does not: nobody would know that it has two minutes."""
    assert "how long" in refused(mp4(seconds=0))
    length = FILM.index(b"\x44\x89\x84") + 3
    assert "how long" in refused(FILM[:length] + struct.pack(">f", duration) + FILM[length + 4 :])
    assert "how long" in refused(FILM.replace(b"\x44\x89\x84", b"\x57\x41\x84"))


def test_pictures_and_pages_are_no_films() -> None:
    for content in (b"", b"\x89PNG", b"<html>", b"\xff\xd8\xff\xe0", b"RIFF1234WEBP"):
        assert not films.is_film(content)
