"""A forgotten password is set by a code that two people give, and the second factor stays."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from settlement.core.errors import NotPermitted, WrongState
from settlement.models import ConsoleSession, PasswordCode, SetUpProposal
from settlement.models.access import AccessNote
from settlement.people.log_ins import password_codes
from settlement.people.rights.permissions import Reauthenticated
from settlement.people.staff.invitations import sealed
from tables.models import Alarm
from tests.support.pages.page_staff import logged_in, words
from tests.support.people.access.factors import (
    code,
    comes_in,
    events,
    give_app,
    gives_code,
    gives_password,
)
from tests.support.people.cast import PASSWORD, hire
from tests.support.people.roles import acting_as

pytestmark = pytest.mark.django_db
NEW = "tablet-counter-eleven"
TYPES = "/password/code/"


@pytest.fixture(autouse=True)
def house(settings: Settings) -> None:
    hasher = "settlement.people.passwords.SealedArgon2PasswordHasher"
    settings.PASSWORD_HASHERS = [*settings.PASSWORD_HASHERS, hasher]
    hire()


def text(answer: Any) -> str:
    """Of a page without a menu."""
    return " ".join(answer.content.decode().split())


def sends(client: Client, address: str, fields: dict[str, str]) -> Any:
    """The answer of the web process, or the page that it leads to."""
    with acting_as("web"):
        answer = client.post(address, fields)
    ConsoleSession.objects.filter(session_data="").delete()  # of whoever acts in a test, for ever
    return client.get(answer["Location"]) if answer.status_code == 302 else answer


def proposes(name: str = "sione", by: str = "hana") -> Any:
    fields = {"do": "code", "password": PASSWORD}
    return sends(logged_in(by), f"/people/log-in/{name}/", fields)


def agrees(by: str = "ines") -> Any:
    number = SetUpProposal.objects.latest("id").pk
    fields = {"password": PASSWORD}
    return sends(logged_in(by), f"/house-rules/proposals/{number}/agree/", fields)


def code_on(answer: Any) -> str:
    match = re.search(r'class="secret">([A-Z2-7-]{19})<', answer.content.decode())
    assert match, words(answer)
    return match[1]


def types(code: str, name: str = "sione", address: str = "10.0.0.5", **fields: Any) -> Any:
    typed = {"username": name, "code": code, "new": NEW, "again": NEW, **fields}
    with acting_as("web", logged_in=False):
        return Client(REMOTE_ADDR=address).post(TYPES, typed, follow=True)


def test_two_people_give_a_code_and_the_second_factor_is_asked_for() -> None:
    give_app("sione")
    comes_in("sione")
    assert "A code is proposed" in words(proposes())
    assert "hand over in person" in words(logged_in("ines").get("/house-rules/"))
    agrees("hana")
    agrees("sione")
    assert not PasswordCode.objects.exists(), "neither the proposer nor the person agrees"
    page = agrees()
    handed = code_on(page)
    assert page["Cache-Control"].startswith("no-store")
    assert 'class="secret"' not in agrees().content.decode()
    assert set(Alarm.objects.values_list("kind", "subject")) == {
        ("password_code", "sione by hana and ines")
    }
    for wrong in (("AAAA-AAAA-AAAA-AAAA", "sione"), (handed, "mere"), (handed, "unknown")):
        assert "not the code for this log-in name" in text(types(*wrong))
    assert "do not match" in text(types(handed, again="another-one-of-mine"))
    assert ConsoleSession.objects.filter(person__username="sione").exists()
    assert "Your password is set" in text(types(handed.lower().replace("-", " ")))
    assert not ConsoleSession.objects.filter(person__username="sione").exists()
    assert "not the code" in text(types(handed)), "it is good once"
    assert "password_changed: " in events("sione")
    notes = AccessNote.objects.values_list("what", "username", "detail")
    assert ("failed", "sione", TYPES) in notes
    assert ("failed", "", TYPES) in notes
    assert ("came_from", "sione", "of a password set by a code") in notes
    browser = gives_password("sione", password=NEW)
    assert browser.get("/").status_code == 302, "the password alone is not enough"
    assert gives_code(browser, code(1)).status_code == 302
    assert browser.get("/").status_code == 200


def test_who_gets_no_code(settings: Settings) -> None:
    assert "You cannot change your own" in words(proposes("hana"))
    proposes("mere", by="ines")
    User.objects.filter(username="mere").update(is_active=False)
    assert "A code sets no password here" in words(proposes("mere"))
    User.objects.filter(username="mere").update(is_active=True, password="!none")
    assert "A code sets no password here" in words(proposes("mere"))
    assert not SetUpProposal.objects.exists()
    settings.SECOND_FACTOR_DEMANDED = True
    by = Reauthenticated(User.objects.get(username="hana"))
    with pytest.raises(WrongState, match="no second factor yet"):
        password_codes.propose(by, User.objects.get(username="sione"))
    with pytest.raises(NotPermitted):
        password_codes.propose(
            Reauthenticated(User.objects.get(username="ines")), User.objects.get(username="sione")
        )


def test_a_code_ends_with_its_time_a_lock_and_a_new_password(settings: Settings) -> None:
    give_app("sione")
    sione = User.objects.filter(username="sione")
    proposes()
    handed = code_on(agrees())
    PasswordCode.objects.update(expires_at=timezone.now())
    assert "not the code" in text(types(handed))
    endings = (
        lambda: sione.update(password=sealed("another-one-of-mine")),
        lambda: (sione.update(is_active=False), sione.update(is_active=True)),
        lambda: (proposes(), agrees()),
    )
    for number, ends in enumerate(endings):
        proposes()
        handed = code_on(agrees())
        ends()
        assert "not the code" in text(types(handed, address=f"10.0.1.{number}"))
    proposes()
    handed = code_on(agrees())
    settings.SECOND_FACTOR_DEMANDED = True
    app = sione.get().second_factors.get()
    app.ended_at, app.ended_by = timezone.now(), app.person
    app.save()
    assert "not the code" in text(types(handed)), "it is no way to a first factor"


def test_guesses_are_locked_out_and_seal_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    give_app("sione")
    proposes()
    handed = code_on(agrees())
    count: list[str] = []

    def counts(typed: str) -> str:
        count.append(typed)
        return sealed(typed)

    monkeypatch.setattr(password_codes, "sealed", counts)
    for name in ("sione", "unknown"):
        statuses = [types("AAAA-AAAA-AAAA-AAAA", name).status_code for _ in range(6)]
        assert statuses == [422, 422, 422, 422, 429, 429], name
    assert count == [], "a name that exists costs no more than one that does not"
    assert types(handed).status_code == 429, "while it is locked the code is not looked at"
    assert "Your password is set" in text(types(handed, address="10.0.0.6"))
    assert len(count) == 1


FORGED = {
    "a code": "INSERT INTO settlement_passwordcode (person_id, second_id, digest, expires_at)"
    " SELECT id, id, '', now() + interval '1 hour' FROM auth_user",
    "given alone": "SELECT give_password_code(id, id, 'x') FROM auth_user LIMIT 1",
    "another's": "SELECT draw_password_code(a.id, b.id, repeat('0', 64)) FROM auth_user a,"
    " auth_user b WHERE a.username = 'hana' AND b.username = 'sione' AND 1 / (CASE WHEN"
    " draw_password_code(a.id, b.id, repeat('0', 64)) THEN 1 ELSE 0 END) = 1",
    "the password": "SELECT put_new_password(id, password) FROM auth_user LIMIT 1",
}


def test_the_web_role_gives_no_code_alone() -> None:
    give_app("sione")
    proposes()
    agrees()
    PasswordCode.objects.update(digest="")
    for what, query in FORGED.items():
        with (
            acting_as("web"),
            connection.cursor() as cursor,
            pytest.raises(DatabaseError),
            transaction.atomic(),
        ):
            cursor.execute(f"/* {what} */ {query}")


def test_the_page_that_asks_leads_there(settings: Settings) -> None:
    settings.CONSOLE_ORIGIN = ""
    page = Client().get("/password/forgotten/")
    assert "with a second person they give you a code" in text(page)
    assert TYPES in page.content.decode()
    assert "New password by a code" in text(Client().get(TYPES))
