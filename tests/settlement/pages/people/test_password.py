"""Changing one's own password."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from tests.support.pages.page_staff import words
from tests.support.people.cast import PASSWORD, hire
from tests.support.people.roles import acting_as
from tests.support.suite.databases import FreshDatabase

NEW = "harbour-lights-at-nine"


def logged_in(password: str = PASSWORD, address: str = "10.0.0.5") -> Client:
    client = Client(REMOTE_ADDR=address)
    answer = client.post("/login/", {"username": "mere", "password": password})
    assert answer.status_code == 302
    return client


def change(client: Client, **fields: str) -> tuple[int, str]:
    form_values = {"present": PASSWORD, "new": NEW, "again": NEW, **fields}
    answer = client.post("/password/", form_values)
    page = client.get(answer["Location"]) if answer.status_code == 302 else answer
    return answer.status_code, words(page)


def test_the_new_one_holds_and_other_devices_are_logged_out(
    fresh_database: FreshDatabase, settings: Settings
) -> None:
    settings.PASSWORD_HASHERS = ["settlement.people.passwords.SealedArgon2PasswordHasher"]
    hire()
    here, elsewhere = logged_in(), logged_in()
    assert 'href="/password/"' in here.get("/").content.decode()
    with acting_as("web"):
        status, page = change(here)
    assert status == 302
    assert "Your password is changed. You are logged out on all other devices." in page
    assert here.get("/").status_code == 200
    assert elsewhere.get("/").status_code == 302
    assert User.objects.get(username="mere").check_password(NEW)
    logged_in(NEW)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"present": "guess"}, "That is not your current password."),
        ({"new": "short", "again": "short"}, "at least 12 characters"),
        ({"new": "passwordpassword", "again": "password"}, "The two do not match"),
        ({"new": PASSWORD, "again": PASSWORD}, "This is the current password"),
        ({"new": "", "again": ""}, "This field is required"),
    ],
)
def test_what_is_refused_changes_nothing(fields: dict[str, str], says: str) -> None:
    hire()
    status, page = change(logged_in(), **fields)
    assert status == 422
    assert says in page
    assert NEW not in page
    assert User.objects.get(username="mere").check_password(PASSWORD)


@pytest.mark.django_db
def test_a_wrong_present_password_counts_for_the_lock() -> None:
    hire()
    client = logged_in()
    answers = [change(client, present=f"guess-{number}")[0] for number in range(5)]
    assert answers == [422, 422, 422, 422, 429]


@pytest.mark.django_db
def test_it_is_for_people_who_are_logged_in() -> None:
    assert Client().get("/password/")["Location"].startswith("/login/")
