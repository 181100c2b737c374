"""A range of a video is read from the database without the rest of it."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection

from jackpot.models import Slide
from jackpot.screens.content import picture_of
from tables.models import Casino
from tests.support.pages.page_staff import reply
from tests.support.pages.screens import paired
from tests.support.people.cast import ClaimHouse
from tests.support.screens.films import box, mp4
from tests.support.suite.kept_house import kept_house

pytestmark = pytest.mark.usefixtures("no_writer")
house = kept_house(ClaimHouse)

FILM = mp4() + box(b"free", random.Random(5).randbytes(1_000_000))
CHUNK = 1996  # bytes of a large value that PostgreSQL keeps in a row of its own
_CHUNKS_READ = """
    SELECT coalesce(stat.idx_tup_fetch, 0) + coalesce(stat.seq_tup_read, 0)
    FROM pg_class AS kept JOIN pg_stat_xact_all_tables AS stat ON stat.relid = kept.reltoastrelid
    WHERE kept.relname = 'jackpot_slide'
"""


class Answers:
    """How many bytes the database answered with, while it is installed."""

    def __init__(self) -> None:
        self.size = 0

    def __call__(
        self, execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any
    ) -> Any:
        answer = execute(sql, params, many, context)
        result = context["cursor"].pgresult
        self.size += sum(
            len(result.get_value(row, column) or b"")
            for row in range(result.ntuples)
            for column in range(result.nfields)
        )
        return answer


def chunks_read() -> int:
    """So far in this transaction."""
    with connection.cursor() as cursor:
        cursor.execute(_CHUNKS_READ)
        return int(cursor.fetchone()[0])


def put_film_up() -> Slide:
    file = SimpleUploadedFile("x.mp4", FILM, "video/mp4")
    values = {"kind": "slide", "casino": Casino.objects.get().code, "title": "Late night"}
    days = list("1234567")
    assert "Published" in reply(
        *("hana", "/screens/slides/"), **values, days=days, seconds="8", picture=file
    )
    return Slide.objects.get()


@pytest.mark.parametrize("first", [0, 500_000, len(FILM) - 4000])
def test_a_range_is_all_that_leaves_the_database(house: ClaimHouse, first: int) -> None:
    screen, _ = paired()
    address = f"/screen/picture/{put_film_up().picture_digest}"
    before, answers = chunks_read(), Answers()
    with connection.execute_wrapper(answers):
        part = screen.get(address, headers={"Range": f"bytes={first}-{first + 3999}"})
    assert (part.status_code, part.content) == (206, FILM[first : first + 4000])
    assert part["Content-Range"] == f"bytes {first}-{first + 3999}/{len(FILM)}"
    assert answers.size < 2 * 4000 + 3000, "each byte is two characters; the rest is of the screen"
    assert chunks_read() - before <= 4000 / CHUNK + 2
    with connection.execute_wrapper(answers):
        refusal = screen.get(address, headers={"Range": f"bytes={len(FILM)}-"})
    assert refusal.status_code == 416
    assert answers.size < 2 * 4000 + 6000, "its size is known without it"


def test_a_video_that_was_just_taken_down_is_no_file(
    house: ClaimHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen, _ = paired()
    slide = put_film_up()
    file = picture_of([slide.casino_id], slide.picture_digest)
    assert file is not None
    Slide.objects.filter(pk=slide.pk).update(ended_at=slide.made_at)
    monkeypatch.setattr("jackpot.screens.content.picture_of", lambda *_: file)
    assert screen.get(f"/screen/picture/{slide.picture_digest}").status_code == 404
