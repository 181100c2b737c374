"""A shared tablet: people take turns with badge and PIN, each in a log-in of their own."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from settlement.core.errors import BadSetUp, NotPermitted, SamePerson
from settlement.models import (
    Action,
    ConsoleSession,
    SecondFactor,
    SecurityEvent,
    SetUpChange,
    SharedTablet,
)
from settlement.people.sessions import tablets
from settlement.people.sessions.session_store import BEGAN
from settlement.people.staff import persons
from tests.support.pages.page_staff import ADDRESS, ALL_YES, words
from tests.support.people.access.factors import code, give_app, gives_code, gives_password
from tests.support.people.access.log_ins import rests
from tests.support.people.cast import PASSWORD, ClaimHouse
from tests.support.people.roles import acting_as
from tests.support.suite.kept_house import kept_house

pytestmark = pytest.mark.django_db
PINS = {"sione": "482916", "mere": "739105"}
BADGES = {"sione": "A-17", "mere": "M-2"}
TABLET = "/tablet/"


@pytest.fixture(autouse=True)
def true_passwords(quick_passwords: None, settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["settlement.people.passwords.SealedArgon2PasswordHasher"]
    settings.CLAIM_WAIT_S = 0


def person(name: str) -> Any:
    return User.objects.get(username=name)


def build_house() -> ClaimHouse:
    """A claim to verify, and people with badges and PINs."""
    house = ClaimHouse()
    house.hit_royal()
    for name, badge in BADGES.items():
        with acting_as("web"):
            tablets.set_badge(person("hana"), person(name), badge)
    with acting_as("web", logged_in=False):
        for name, pin in PINS.items():
            gives_password(name).post("/account/pin/", {"pin": pin, "password": PASSWORD})
    return house


house = kept_house(build_house)


@pytest.fixture
def tablet(house: ClaimHouse) -> Client:
    """A browser that the administrator made a shared tablet, and left."""
    with acting_as("web", logged_in=False):
        browser = gives_password("hana")
        form = {"name": "Pit 2", "casino": house.system.casino.code, "password": PASSWORD}
        browser.post("/tablets/", form)
        assert "Pit 2 (this browser)" in words(browser.get("/tablets/"))
        browser.post("/logout/")
    return browser


def comes_back(browser: Client, name: str, pin: str = "") -> int:
    form = {"badge": BADGES[name], "pin": pin or PINS[name]}
    return int(browser.post(TABLET, form).status_code)


def who(browser: Client) -> str:
    """Whose log-in is open in this browser."""
    answer = browser.get("/account/")
    return str(answer.wsgi_request.user.get_username()) if answer.status_code == 200 else ""


def key_of(browser: Client) -> str:
    return str(browser.cookies["sessionid"].value)


def test_two_people_act_on_a_claim_at_one_tablet_each_as_themselves(
    house: ClaimHouse, tablet: Client
) -> None:
    with acting_as("web", logged_in=False):
        gives_password("sione", tablet)
        siones = key_of(tablet)
        gave = {"key": str(uuid.uuid4()), "do": "verify", **ALL_YES}
        assert tablet.post(ADDRESS, gave).status_code == 302
        assert tablet.post("/tablet/leave/")["Location"] == TABLET
        assert who(tablet) == ""
        assert comes_back(tablet, "mere") == 422  # she has not logged in here this shift
        gives_password("mere", tablet)
        assert who(tablet) == "mere"
        assert comes_back(tablet, "sione") == 302  # she forgot to leave
        assert who(tablet) == "sione"
        assert comes_back(tablet, "mere") == 302
        confirm = {"do": "confirm", "amount": house.hit(1).held}
        for wrong in (PINS["mere"], ""):  # a PIN is no password
            form = {**confirm, "key": str(uuid.uuid4()), "password": wrong}
            assert tablet.post(ADDRESS, form).status_code == 422
        former = Client()
        former.cookies["sessionid"] = siones  # what he had, and what anybody copied
        assert former.post(ADDRESS, gave | {"key": str(uuid.uuid4())}).status_code == 302
        assert who(former) == ""
        form = {**confirm, "key": str(uuid.uuid4()), "password": PASSWORD}
        assert tablet.post(ADDRESS, form).status_code == 302
        open_ones = ConsoleSession.objects.filter(tablet__name="Pit 2", locked_at=None)
        assert open_ones.get().person == person("mere")
    acts = Action.objects.order_by("id").values_list("kind", "person__username")
    assert list(acts) == [("verify", "sione"), ("confirm", "mere")]
    rows = ConsoleSession.objects.filter(tablet__name="Pit 2")
    waits, is_open = rows.order_by("locked_at")
    assert (waits.person, waits.locked_at is None) == (person("sione"), False)
    assert (is_open.person, is_open.locked_at) == (person("mere"), None)
    returns = SecurityEvent.objects.filter(what="came_back").values_list("username", "detail")
    assert list(returns) == [("sione", "Pit 2"), ("mere", "Pit 2")]


def test_the_database_opens_no_two_at_a_tablet(house: ClaimHouse, tablet: Client) -> None:
    with acting_as("web", logged_in=False):
        gives_password("sione", tablet)
        gives_password("mere", Client()).get("/")
        tablet.post("/tablet/leave/")
        gives_password("mere", tablet)
        with pytest.raises(DatabaseError), transaction.atomic():
            ConsoleSession.objects.filter(person=person("sione")).update(tablet=None)
    with pytest.raises(IntegrityError, match="one_is_open"), transaction.atomic():
        ConsoleSession.objects.exclude(tablet=None).update(locked_at=None)
    with transaction.atomic(), connection.cursor() as cursor, acting_as("web", logged_in=False):
        for secret in ("guess", SharedTablet.objects.get().digest):
            cursor.execute("SELECT come_back(%s, 'A-17', NULL, 'x')", [secret])
            assert cursor.fetchone()[0] == "none"


def test_badge_and_pin_alone_are_nothing(house: ClaimHouse, tablet: Client) -> None:
    """Without the tablet, at another one, with another's PIN, or past the shift."""
    with acting_as("web", logged_in=False):
        gives_password("sione", tablet)
        tablet.post("/tablet/leave/")
        assert Client().post(TABLET, {"badge": "A-17", "pin": PINS["sione"]})["Location"] == (
            "/login/"
        )
        other = gives_password("hana")
        other.post("/tablets/", {"name": "Pit 3", "casino": "harbour", "password": PASSWORD})
        other.post("/logout/")
        assert SharedTablet.objects.count() == 2
        assert comes_back(other, "sione") == 422
        assert comes_back(tablet, "sione", PINS["mere"]) == 422
        assert tablet.post(TABLET, {"badge": "X-1", "pin": PINS["sione"]}).status_code == 422
        assert comes_back(tablet, "sione") == 302
        rests(tablet, 12 * 3600 + 1, BEGAN)
        tablet.post("/tablet/leave/")
        assert comes_back(tablet, "sione") == 422


ENDS: dict[str, Callable[[Any, Any], Any]] = {
    "locked": persons.lock,
    "left": persons.leave,
    "log-ins ended": persons.end_log_ins,
    "badge taken": lambda hana, sione: tablets.set_badge(hana, sione, ""),
    "tablet revoked": lambda hana, _: tablets.end(hana, SharedTablet.objects.get()),
}


def test_who_is_out_does_not_come_back(house: ClaimHouse, tablet: Client) -> None:
    factor = give_app("sione")
    ends = {**ENDS, "reset": lambda *_: reset(factor)}
    for what, end in ends.items():
        with transaction.atomic():
            with acting_as("web", logged_in=False):
                assert gives_code(gives_password("sione", tablet), code()).status_code == 302
                assert who(tablet) == "sione"
                tablet.post("/tablet/leave/")
            with acting_as(None if what == "reset" else "web"):
                end(person("hana"), person("sione"))
            with acting_as("web", logged_in=False):
                assert comes_back(tablet, "sione") == (302 if what == "tablet revoked" else 422)
                assert who(tablet) == "", what
            transaction.set_rollback(True)


def reset(factor: SecondFactor) -> None:
    """As whoever resets it writes it."""
    ended = SecondFactor.objects.filter(pk=factor.pk)
    ended.update(ended_at=timezone.now(), ended_by=person("mere"))


def test_the_second_factor_of_the_log_in_holds_for_the_shift(
    house: ClaimHouse, tablet: Client, settings: Settings
) -> None:
    settings.SECOND_FACTOR_DEMANDED = True
    give_app("mere")
    with acting_as("web", logged_in=False):
        gives_code(gives_password("mere", tablet), code())
        tablet.post("/tablet/leave/")
        assert comes_back(tablet, "mere") == 302
        assert tablet.get("/claims/").status_code == 200


def test_five_wrong_pins_end_the_log_in_that_waits(house: ClaimHouse, tablet: Client) -> None:
    with acting_as("web", logged_in=False):
        gives_password("sione", tablet)
        tablet.post("/tablet/leave/")
        for _ in range(5):
            assert comes_back(tablet, "sione", PINS["mere"]) == 422
        assert comes_back(tablet, "sione") == 422
    assert not ConsoleSession.objects.exclude(tablet=None).exists()


def test_wrong_pins_lock_whoever_works_there_and_end_nothing(
    house: ClaimHouse, tablet: Client
) -> None:
    other = Client()  # the same tablet's cookie, and nobody's log-in
    with acting_as("web", logged_in=False):
        gives_password("sione", tablet)
        other.cookies["shared_tablet"] = tablet.cookies["shared_tablet"].value
        for _ in range(4):
            assert comes_back(other, "sione", PINS["mere"]) == 422
        assert who(tablet) == "sione"
        for _ in range(3):
            assert comes_back(other, "sione", PINS["mere"]) == 422
        assert tablet.get("/claims/").status_code == 302
        assert comes_back(other, "sione") == 422  # the right one is too late
        assert 'name="pin"' not in tablet.get("/locked/").content.decode()
        assert tablet.post("/locked/", {"pin": PINS["sione"]}).status_code == 422
        assert tablet.post("/locked/", {"password": PASSWORD}).status_code == 302
        assert who(tablet) == "sione"
        tablet.post("/tablet/leave/")
        assert comes_back(tablet, "sione") == 302
    assert SecurityEvent.objects.filter(what="pin_guessed").count() == 1


def test_nothing_is_pushed_to_a_shared_tablet(house: ClaimHouse, tablet: Client) -> None:
    form = {"url": "https://push.example/1", "public_key": "x", "secret": "x"}
    with acting_as("web", logged_in=False):
        gives_password("sione", tablet)
        answer = tablet.post("/account/notifications/devices/", form, follow=True)
    assert "Nothing is pushed to a shared tablet" in words(answer)


def test_a_form_of_who_was_here_before_is_nobodys(house: ClaimHouse, tablet: Client) -> None:
    """The page of the one, sent after the other came: its token is of another time."""
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = tablet.cookies
    with acting_as("web", logged_in=False):
        for name in ("sione", "mere"):
            gives_password(name, tablet)
            tablet.post("/tablet/leave/")
        assert comes_back(tablet, "sione") == 302
        page = tablet.get(ADDRESS).content.decode()
        token = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[0]
        text = {"csrfmiddlewaretoken": token, "key": str(uuid.uuid4()), "text": "Camera 12"}
        assert strict.post("/claims/main/1/notes/", text).status_code == 302
        assert comes_back(tablet, "mere") == 302
        again = text | {"key": str(uuid.uuid4())}
        assert strict.post("/claims/main/1/notes/", again).status_code == 403


def test_an_administrator_gives_badges_and_tablets_and_it_is_written_down(
    house: ClaimHouse, tablet: Client
) -> None:
    hana, mere = person("hana"), person("mere")
    with acting_as("web"):
        with pytest.raises(BadSetUp, match="Somebody else"):
            tablets.set_badge(hana, mere, "a-17")
        with pytest.raises(BadSetUp, match="up to 20"):
            tablets.set_badge(hana, mere, "17 b")
        with pytest.raises(NotPermitted):
            tablets.set_badge(mere, person("sione"), "B-1")
        with pytest.raises(SamePerson):
            tablets.set_badge(hana, hana, "B-1")
        with pytest.raises(NotPermitted):
            tablets.end(mere, SharedTablet.objects.get())
        tablets.set_badge(hana, mere, "M-3")
        assert tablets.end(hana, SharedTablet.objects.get())
        assert not tablets.end(hana, SharedTablet.objects.get())
    changes = SetUpChange.objects.order_by("-id")[:2]
    revoked, badge = changes
    assert (revoked.kind, revoked.what, revoked.subject) == ("tablet", "revoked", "Pit 2")
    assert (badge.by, badge.subject, badge.before, badge.after) == (
        *("hana", "mere"),
        *({"badge": "M-2"}, {"badge": "M-3"}),
    )
    assert tablet.get(TABLET)["Location"] == "/login/"
