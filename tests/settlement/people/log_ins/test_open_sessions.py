"""Who is logged in where: an administrator sees it, and ends a log-in at once."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from settlement.core.errors import SamePerson, WrongState
from settlement.models import ConsoleSession, SetUpChange
from settlement.people.log_ins import open_sessions
from settlement.people.rights import roles
from settlement.people.sessions.session_store import hashed
from tables.models import Casino
from tests.support.pages.page_staff import logged_in, words
from tests.support.people.cast import PASSWORD, hire
from tests.support.people.roles import acting_as

pytestmark = pytest.mark.django_db
PAGE = "/people/log-ins/"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0"


@pytest.fixture(autouse=True)
def house() -> None:
    Casino.objects.create(code="harbour", name="Harbour Casino", currency="NZD")
    hire()


def comes_in(name: str, address: str = "10.1.2.3") -> Client:
    """By the page of the log-in, as a person does."""
    client = Client(headers={"User-Agent": FIREFOX}, REMOTE_ADDR=address)
    answer = client.post("/login/", {"username": name, "password": PASSWORD})
    assert answer.status_code == 302
    return client


def user(name: str) -> Any:
    return User.objects.get(username=name)


def test_an_administrator_sees_who_is_where_and_how_they_came_in() -> None:
    client = comes_in("mere")
    html = _html(logged_in("hana"))
    text = words(logged_in("hana").get(PAGE))
    for part in ("mere", "Firefox, Linux", "10.1.2.3", "Password"):
        assert part in text, part
    key = str(client.session.session_key)
    assert key not in html
    assert hashed(key) not in html, "not even the whole hash"
    (session,) = open_sessions.of(user("mere"))
    assert session.began_at
    assert session.seen_at
    assert not session.is_locked
    for name in ("mere", "ines", "aroha"):
        assert logged_in(name).get(PAGE).status_code == 403


def test_one_log_in_is_ended_at_once_and_written_down() -> None:
    first, second = comes_in("mere"), comes_in("mere", "10.1.2.4")
    (name,) = [each.name for each in open_sessions.of(user("mere")) if each.address == "10.1.2.4"]
    client = logged_in("hana")
    with acting_as("web"):
        answer = client.post(PAGE, {"person": "mere", "session": name}, follow=True)
        again = client.post(PAGE, {"person": "mere", "session": name}, follow=True)
    assert "1 log-in has ended." in words(answer)
    assert "This log-in has ended already." in words(again)
    assert first.get("/account/").status_code == 200
    assert second.get("/account/").status_code == 302
    change = SetUpChange.objects.get(what="log_ins_ended")
    assert (change.by, change.subject, change.after) == ("hana", "mere", {"log_ins_ended": 1})


def test_nobody_ends_what_is_not_theirs_to_end() -> None:
    comes_in("mere")
    hana = logged_in("hana")
    (own,) = open_sessions.of(user("hana"))
    with acting_as("web"), pytest.raises(SamePerson):
        open_sessions.end(user("hana"), user("hana"), own.name)
    (of_mere,) = open_sessions.of(user("mere"))
    with pytest.raises(WrongState):  # of somebody else than is named, or of nobody
        open_sessions.end(user("hana"), user("aroha"), of_mere.name)
    with pytest.raises(WrongState):
        open_sessions.end(user("hana"), user("mere"), "")
    assert hana.post(PAGE, {"person": "guessed", "session": "x"}).status_code == 404
    assert logged_in("ines").post(PAGE, {"person": "mere"}).status_code == 403
    assert open_sessions.of(user("mere"))


def test_the_list_is_narrowed_to_a_person_or_words() -> None:
    comes_in("mere")
    comes_in("aroha", "10.9.9.9")
    client = logged_in("hana")
    rows = {
        query: set(re.findall(r'name="person" value="(\w+)"', _html(client, query)))
        for query in ("", "?person=mere", "?q=10.9.9", "?q=nobody")
    }
    assert rows == {
        "": {"mere", "aroha"},
        "?person=mere": {"mere"},
        "?q=10.9.9": {"aroha"},
        "?q=nobody": set(),
    }


def test_who_administers_one_casino_sees_its_people_alone() -> None:
    alpine = Casino.objects.create(code="alpine", name="Alpine", currency="NZD")
    roles.grant(user("nobody"), "Administrator", alpine)
    comes_in("mere")
    page = _html(logged_in("nobody"))
    assert 'value="mere"' not in page
    assert logged_in("nobody").post(PAGE, {"person": "mere", "session": "x"}).status_code == 404


def test_who_left_for_another_casino_is_out_of_sight() -> None:
    """What is shown is what can be ended: of people all of whose casinos the reader administers."""
    alpine = Casino.objects.create(code="alpine", name="Alpine", currency="NZD")
    harbour = Casino.objects.get(code="harbour")
    roles.grant(user("nobody"), "Administrator", alpine)
    for name in ("stays", "leaves", "plays-both"):
        person = User.objects.create_user(name, password=PASSWORD)
        roles.grant(person, "Cashier", alpine)
        if name != "stays":
            roles.grant(person, "Cashier", harbour)
        comes_in(name, "10.7.7.7")
    roles.revoke(user("leaves"), "Cashier", alpine)
    client = logged_in("nobody")
    assert set(re.findall(r'name="person" value="([\w-]+)"', _html(client))) == {"stays"}
    for name in ("stays", "leaves", "plays-both"):
        with acting_as("web"):
            page = client.get(f"/people/log-in/{name}/").content.decode()
        assert ("10.7.7.7" in page) is (name == "stays"), name
        assert open_sessions.of(user(name)), "there is one to be seen"
    html = _html(logged_in("hana"))  # of all casinos
    assert set(re.findall(r'name="person" value="([\w-]+)"', html)) >= {"leaves", "plays-both"}


def test_a_person_sees_their_own_on_the_account_page() -> None:
    comes_in("mere")
    comes_in("aroha", "10.9.9.9")
    html = comes_in("mere", "10.1.2.4").get("/account/").content.decode()
    panel = html.split('id="log-ins"')[1].split("</section>")[0]
    assert "10.1.2.3" in panel
    assert "10.1.2.4" in panel
    assert "10.9.9.9" not in panel


def test_many_log_ins_take_as_many_queries_as_few() -> None:
    client = logged_in("hana")
    client.get(PAGE)
    with CaptureQueriesContext(connection) as few:
        client.get(PAGE)
    for name in ("mere", "aroha", "ines", "sione", "tane"):
        logged_in(name)
    with CaptureQueriesContext(connection) as many:
        client.get(PAGE)
    assert ConsoleSession.objects.count() >= 6
    assert len(many) <= len(few)


def _html(client: Client, query: str = "") -> str:
    return client.get(f"{PAGE}{query}").content.decode()
