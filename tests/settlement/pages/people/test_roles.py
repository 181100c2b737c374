"""The pages on which roles are given: the password is asked for, and a last day is one."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from pytest_django import Settings

from settlement.models import (
    Invitation,
    RoleChange,
)
from settlement.pages.people.staff.people import RoleForm
from tests.support.pages.page_staff import post, refused, reply, words
from tests.support.people.cast import PASSWORD
from tests.support.people.set_up import hana, harbour

__all__ = ["hana", "harbour"]

pytestmark = pytest.mark.django_db


def test_what_gives_access_asks_for_the_password(hana: Any, settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["settlement.people.passwords.SealedArgon2PasswordHasher"]
    guest = {"username": "eve", "last_name": "E", "role": "Cashier"}
    assert "That is not your password" in refused("hana", "/people/", **guest)
    assert not Invitation.objects.exists()
    answer = post("hana", "/people/", **guest, password=PASSWORD)
    assert answer.status_code == 200, words(answer)
    eve = User.objects.create_user("eve2")
    page = f"/people/log-in/{eve.username}/"
    for form in ({"do": "give", "role": "Cashier"}, {"do": "unlock"}):
        assert "That is not your password" in reply("hana", page, **form)
    assert not RoleChange.objects.filter(person=eve).exists()


def test_a_last_day_has_a_day_after_it(hana: Any) -> None:
    data = {"role": "Cashier", "last_day": "9999-12-31"}
    assert "before the year 3000" in str(RoleForm(data).errors["last_day"])
