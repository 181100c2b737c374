"""The account's page: one's own log-ins and their end, and how pages look."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from settlement.models import AccessNote, ConsoleSession, Preference
from settlement.people.log_ins.browsers import device
from tests.support.pages.page_staff import words
from tests.support.people.access.factors import gives_password
from tests.support.people.cast import hire
from tests.support.people.roles import acting_as

pytestmark = pytest.mark.django_db

TABLET = "Mozilla/5.0 (Linux; Android 14; Tablet) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36"
EDGE = "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36 Edg/140.0"


@pytest.mark.parametrize(
    ("user_agent", "expected"),
    [(TABLET, "Chrome, Android"), (EDGE, "Edge, Windows"), ("curl/8.0", ""), ("", "")],
)
def test_a_device_is_named_as_people_name_it(user_agent: str, expected: str) -> None:
    assert device(user_agent) == expected


def test_log_ins_of_ones_own_are_listed_and_ended() -> None:
    hire()
    here = gives_password("mere", Client(headers={"User-Agent": EDGE}))
    tablet = gives_password("mere", Client(headers={"User-Agent": TABLET}))
    third, colleague = gives_password("mere"), gives_password("david")
    page = words(here.get("/account/"))
    assert "Edge, Windows (this one)" in page
    assert "Chrome, Android" in page
    key = ConsoleSession.objects.get(person__username="david").session_key
    here.post("/account/log-ins/end/", {"session": key[:12]})
    assert colleague.get("/").status_code == 200
    html = here.get("/account/").content.decode()
    name = html.partition("Chrome, Android")[2].partition('name="session" value="')[2][:12]
    with acting_as("web"):
        here.post("/account/log-ins/end/", {"session": name})
    assert [each.get("/").status_code for each in (here, tablet, third)] == [200, 302, 200]
    here.post("/account/log-ins/end/")
    assert [each.get("/").status_code for each in (here, third, colleague)] == [200, 302, 200]
    assert AccessNote.objects.filter(username="mere", what="ended").count() == 2


def test_how_pages_look_follows_the_person() -> None:
    hire()
    here = gives_password("mere")
    assert "data-theme" not in here.get("/").content.decode()
    with acting_as("web"):
        here.post("/account/preferences/", {"theme": "system", "text_size": "larger"})
        here.post("/account/preferences/", {"theme": "light", "text_size": "larger"})
    here.post("/account/preferences/", {"theme": "pink", "text_size": "larger"})
    chosen = ' data-theme="light" data-text-size="larger">'
    for client in (here, gives_password("mere")):
        assert chosen in client.get("/").content.decode()
    assert Preference.objects.get().person == User.objects.get(username="mere")
