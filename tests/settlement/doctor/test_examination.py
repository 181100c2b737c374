"""What an examination does with what its checks say; the command and the page."""

import io
import json
from collections.abc import Callable

import pytest
from django.core.management import call_command
from django.db import DatabaseError, OperationalError
from psycopg.errors import QueryCanceled
from pytest_django import DjangoAssertNumQueries, Settings

from settlement.doctor import subjects
from settlement.doctor.examination import (
    Examiner,
    Point,
    State,
    Subject,
    examine,
    good,
    series,
    wrong,
)
from settlement.doctor.subjects import SUBJECTS
from tests.support.pages.page_staff import logged_in, page_of, words
from tests.support.people.cast import ClaimHouse
from tests.support.play.books import royal_terms
from tests.support.play.house import House

OWNER, WEB = Examiner(is_owner=True), Examiner(is_owner=False, on_page=True)


def raising(error: Exception) -> Callable[[int], Point]:
    def judge(_facts: int) -> Point:
        raise error

    return judge


def subject(*judges: Callable[[int], Point], look: Callable[[], int] = lambda: 7) -> Subject[int]:
    examinee = Subject("made", "Made", look)
    for judge in judges:
        examinee.check("Point")(judge)
    return examinee


def states(examiner: Examiner, *subjects: Subject[int]) -> list[State]:
    return [each.state for each in examine(subjects, examiner)]


def test_a_check_that_fails_is_wrong_and_the_others_are_examined() -> None:
    examinee = subject(raising(ValueError("no such thing")), lambda facts: good(str(facts)))
    first, second = examine([examinee], OWNER)
    assert (first.state, second.point.finding) == (State.WRONG, "7")
    assert "no such thing" in first.point.finding


def test_a_subject_looks_once_and_every_check_says_so_when_it_cannot() -> None:
    looks = []

    def look() -> int:
        looks.append(1)
        raise OSError("unplugged")

    examinee = subject(lambda _: good("seen"), lambda _: good("seen"), look=look)
    assert states(OWNER, examinee) == [State.WRONG, State.WRONG]
    assert looks == [1]


def test_that_the_database_is_away_is_said_once() -> None:
    away = subject(raising(OperationalError("refused")), lambda _: good("seen"))
    other = subject(lambda _: good("never asked"))
    alone = Subject("alone", "Alone", lambda: 7, asks_database=False)
    alone.check("Point")(lambda _: good("a setting"))
    alone.check("Point")(raising(OperationalError("refused")))
    assert states(OWNER, away, other, alone) == [
        *(State.WRONG, State.UNSEEN, State.UNSEEN, State.GOOD, State.UNSEEN)
    ]


def test_a_statement_that_takes_too_long_is_no_absence() -> None:
    slow = OperationalError("canceling statement due to statement timeout")
    slow.__cause__ = QueryCanceled()
    assert states(OWNER, subject(raising(slow), lambda _: good("seen"))) == [
        *(State.WRONG, State.GOOD)
    ]


def test_what_needs_the_owner_is_left_to_the_command() -> None:
    examinee = Subject("made", "Made", lambda: 7)
    examinee.check("Owned", by_owner=True)(lambda _: wrong("bad", "mend"))
    examinee.check("Slow", by_command=True)(lambda _: wrong("bad", "mend"))
    assert states(WEB, examinee) == [State.UNSEEN, State.UNSEEN]
    assert states(Examiner(is_owner=False), examinee) == [State.UNSEEN, State.WRONG]
    assert states(OWNER, examinee) == [State.WRONG, State.WRONG]
    assert "as the owner" in examine([examinee], WEB)[0].point.finding


def test_long_lists_are_cut() -> None:
    assert series(["b", "a"]) == "a, b"
    assert series([f"t{number}" for number in range(10)], most=2) == "t0, t1, 8 more"


def test_codes_are_unique_and_every_check_has_a_title() -> None:
    checks = [check for each in SUBJECTS for check in each.checks]
    assert len({check.code for check in checks}) == len(checks) > 40
    assert all(check.title for check in checks)


def ran(*arguments: str) -> tuple[int, str]:
    """The exit code and what the command wrote."""
    out = io.StringIO()
    try:
        call_command("doctor", *arguments, stdout=out)
    except SystemExit as ended:
        return int(ended.code or 0), out.getvalue()
    return 0, out.getvalue()


def only(monkeypatch: pytest.MonkeyPatch, *points: Point) -> None:
    """The examination has these points alone."""
    examinee = Subject("made", "Made", lambda: 7)
    for number, point in enumerate(points):
        judge = lambda _facts, point=point: point  # noqa: E731
        judge.__name__ = f"point{number}"
        examinee.check(f"Point {number}")(judge)
    monkeypatch.setattr(subjects, "SUBJECTS", (examinee,))


@pytest.mark.django_db
def test_the_command_ends_with_1_where_something_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, good("fine"), wrong("torn", "mend it"))
    code, text = ran()
    assert code == 1
    assert "Point 1: torn" in text
    assert "mend it" in text
    assert "fine" not in text
    assert "1 good, 0 attention, 1 wrong, 0 unseen" in text
    assert "fine" in ran("--all")[1]
    only(monkeypatch, good("fine"))
    assert ran()[0] == 0


@pytest.mark.django_db
def test_programs_read_json(monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, wrong("torn", "mend it"))
    code, text = ran("--json")
    assert code == 1
    assert json.loads(text) == [
        {
            "code": "made.point0",
            "state": "wrong",
            "subject": "Made",
            "title": "Point 0",
            "finding": "torn",
            "advice": "mend it",
        }
    ]


@pytest.mark.django_db
def test_a_database_that_does_not_answer_is_a_result(monkeypatch: pytest.MonkeyPatch) -> None:
    def look() -> None:
        raise DatabaseError("gone")

    monkeypatch.setattr("settlement.doctor.server.look", look)
    only(monkeypatch, wrong("torn", "mend it"))
    assert ran()[0] == 1


@pytest.fixture
def quick(settings: Settings) -> None:
    """No broker: the page says so at once."""
    settings.MQTT_URL = settings.MQTT_URL._replace(netloc="127.0.0.1:1")


@pytest.mark.django_db
@pytest.mark.usefixtures("quick")
def test_the_page_examines_what_it_may(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    ClaimHouse(royal_terms())
    browser = logged_in("hana")
    with django_assert_max_num_queries(40) as queries:
        text = words(browser.get("/set-up/check-up/"))
    assert "By the command, as the owner" in text
    assert "The tables are those of this version." in text
    assert "refuses the console" in text
    House(royal_terms(), code="second").post()
    with django_assert_max_num_queries(len(queries)):
        browser.get("/set-up/check-up/")
    assert "Check-up" in page_of("hana", "/set-up/")


@pytest.mark.django_db
@pytest.mark.usefixtures("quick")
def test_only_who_sets_up_opens_the_page() -> None:
    ClaimHouse(royal_terms())
    for name in ("sione", "mere", "ines", "nobody"):
        assert logged_in(name).get("/set-up/check-up/").status_code == 403
