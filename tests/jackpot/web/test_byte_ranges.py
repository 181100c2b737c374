"""A part of a file by its bytes, as browsers ask for it to play a video."""

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from jackpot.web.byte_ranges import File, file_answer

CONTENT = b"0123456789"


def file_of(content: bytes) -> File:
    return File("video/mp4", len(content), lambda first, size: content[first : first + size])


def answer(header: str, method: str = "GET", **headers: str) -> HttpResponse:
    request = RequestFactory().generic(method, "/", headers={"Range": header, **headers})
    return file_answer(request, file_of(CONTENT), {"Cache-Control": "private"})


@pytest.mark.parametrize(
    ("header", "part", "limits"),
    [
        ("bytes=0-1", b"01", "0-1"),  # the first that Safari asks for
        ("bytes=0-", CONTENT, "0-9"),
        ("bytes=9-9", b"9", "9-9"),
        ("bytes=4-900", b"456789", "4-9"),
        ("bytes=-3", b"789", "7-9"),
        ("bytes=-900", CONTENT, "0-9"),
        ("Bytes = 2 - 3", b"23", "2-3"),
    ],
)
def test_a_single_range_is_answered_alone(header: str, part: bytes, limits: str) -> None:
    response = answer(header)
    assert (response.status_code, response.content) == (206, part)
    assert response["Content-Range"] == f"bytes {limits}/10"
    assert response["Accept-Ranges"] == "bytes"
    assert response["Content-Type"] == "video/mp4"
    assert response["Cache-Control"] == "private"


@pytest.mark.parametrize("header", ["bytes=10-", "bytes=10-12", "bytes=-0"])
def test_what_the_file_does_not_have_is_refused(header: str) -> None:
    response = answer(header)
    assert (response.status_code, response.content) == (416, b"")
    assert response["Content-Range"] == "bytes */10"
    assert "Cache-Control" not in response


@pytest.mark.parametrize(
    "header",
    [
        "",
        "bytes=-",
        "bytes=3-2",
        "bytes=0-1,4-5",
        "bytes=+0-1",
        "bytes=٠-١",
        "bytes=--1",
        "lines=0-1",
        f"bytes=0-{'9' * 5000}",
    ],
)
def test_anything_else_gets_the_whole_file(header: str) -> None:
    response = answer(header)
    assert (response.status_code, response.content) == (200, CONTENT)
    assert response["Accept-Ranges"] == "bytes"
    assert "Content-Range" not in response


def test_a_part_is_only_for_who_reads_and_may_have_read_nothing_else() -> None:
    assert answer("bytes=0-1", "HEAD").status_code == 200
    assert answer("bytes=0-1", **{"If-Range": '"older"'}).status_code == 200


def test_an_empty_file_has_no_part() -> None:
    request = RequestFactory().get("/", headers={"Range": "bytes=0-"})
    assert file_answer(request, file_of(b""), {}).status_code == 416
