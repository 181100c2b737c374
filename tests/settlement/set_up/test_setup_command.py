"""`manage.py setup`: the code of the first run, for the owner of an empty installation alone."""

import io
import re

import pytest
from django.contrib.auth.models import Group, User
from django.core.management import CommandError, call_command
from django.db import DatabaseError, transaction

from settlement.models import SetUpCode
from settlement.people.rights import roles
from settlement.set_up import first_run
from tests.support.people.cast import PASSWORD
from tests.support.people.roles import acting_as

pytestmark = pytest.mark.django_db

CODE = re.compile(r"\b(?:[0-9a-f]{6}-){4}[0-9a-f]{6}\b")


def output_of_setup() -> str:
    output = io.StringIO()
    call_command("setup", stdout=output)
    return output.getvalue()


def test_it_prints_a_code_that_makes_the_first_administrator() -> None:
    text = output_of_setup()
    (code,) = CODE.findall(text)
    assert f"Open /setup/ within {first_run.HOURS} hours" in text
    assert set(roles.ROLES) <= set(Group.objects.values_list("name", flat=True))
    with acting_as("web"):
        first_run.begin(code, "hana", ("Hana", "Reti"), "", PASSWORD)
    assert roles.held(User.objects.get()).names == ("Administrator",)


def test_it_refuses_once_somebody_has_a_role() -> None:
    (code,) = CODE.findall(output_of_setup())
    with acting_as("web"):
        first_run.begin(code, "hana", ("Hana", "Reti"), "", PASSWORD)
    codes = SetUpCode.objects.count()
    with pytest.raises(CommandError, match="people already: an administrator invites more"):
        output_of_setup()
    assert SetUpCode.objects.count() == codes


@pytest.mark.parametrize("role", ["web", "worker", "intake", "poster"])
def test_no_process_prints_one_under_its_own_role(role: str) -> None:
    roles.install_roles()
    with (
        acting_as(role, logged_in=False),
        pytest.raises((DatabaseError, CommandError), match="permission denied"),
        transaction.atomic(),
    ):
        output_of_setup()
    assert not SetUpCode.objects.exists()
