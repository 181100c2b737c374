"""A role that gives itself another password or setting is noticed: PostgreSQL refuses neither."""

from __future__ import annotations

from io import StringIO

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection, transaction
from django.db.models import QuerySet
from django.db.utils import DatabaseError

from settlement import tasks
from settlement.database_roles import grants
from settlement.database_roles import passwords as role_passwords
from tables.models import Alarm
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import acting_as

pytestmark = pytest.mark.django_db


CHANGES = {
    "PASSWORD 'of-its-own'": "another password than",
    "SET search_path = 'mine'": "other settings than",
    "SET default_transaction_read_only = on": "other settings than",
    "IN DATABASE {database} SET statement_timeout = 0": "other settings than",
    "RESET ALL": "other settings than",
}


def alarms() -> QuerySet[Alarm]:
    """Of the role that these tests change; tests beside them may change others of the server."""
    return Alarm.objects.filter(kind="role_password", subject="jackpot_web")


@pytest.mark.parametrize("change", CHANGES)
def test_a_role_that_changes_itself_is_noticed(change: str) -> None:
    """PostgreSQL lets every role do that: an alarm names it, with each watch and deployment."""
    database = connection.ops.quote_name(connection.settings_dict["NAME"])
    with connection.cursor() as cursor:
        role_passwords.note(cursor, ours=True)
        role_passwords.watch()
        assert not alarms().exists()
        with acting_as("web"):
            cursor.execute(f"ALTER ROLE CURRENT_USER {change.format(database=database)}")
        with acting_as("worker"):
            role_passwords.watch()
    assert CHANGES[change] in alarms().get().message


def test_a_deployment_does_not_make_a_thiefs_password_the_right_one() -> None:
    """Only the command that is asked to does, or who makes the role; a new digest is kept."""
    output = StringIO()
    call_command("grant_roles", "--passwords-are-ours", stdout=StringIO(), stderr=output)
    with acting_as("web"), connection.cursor() as cursor:
        cursor.execute("ALTER ROLE CURRENT_USER PASSWORD 'of-its-own'")
    for times in (1, 2):
        call_command("grant_roles", stdout=StringIO(), stderr=output)
        assert output.getvalue().count("jackpot_web has another password") == times
        assert alarms().get().count == times
    call_command("grant_roles", "--passwords-are-ours", stdout=StringIO(), stderr=output)
    role_passwords.watch()
    assert alarms().get().count == 2
    with connection.cursor() as cursor:
        cursor.execute("ALTER ROLE jackpot_web PASSWORD 'of-a-role-that-was-made'")
        role_passwords.note(cursor, ["jackpot_web"])
        role_passwords.note(cursor)
    assert alarms().get().count == 2


def test_no_reconciliation_waits_for_the_watch_of_roles(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is a task of its own, as often; where nothing can be watched, the log says so."""
    house = ClaimHouse()
    monkeypatch.setattr(role_passwords, "_MARKS", "SELECT nothing")
    tasks.watch_roles()
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    assert "roles.sh" in caplog.text
    reconciled: list[int] = []
    monkeypatch.setattr(tasks, "reconcile_one", lambda pk, **_: reconciled.append(pk))
    monkeypatch.setattr(role_passwords, "watch", lambda: 1 / 0)
    tasks.reconcile()
    assert reconciled == [house.system.pk]
    due = {entry["task"]: entry["schedule"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert due[tasks.watch_roles.name] == due[tasks.reconcile.name] == settings.RECONCILE_EVERY_S


@pytest.mark.parametrize("role", grants.ROLES)
def test_what_the_server_keeps_of_passwords_is_for_the_worker(role: str) -> None:
    with acting_as(role), transaction.atomic(), connection.cursor() as cursor:
        if role == "worker":
            cursor.execute("SELECT count(*) FROM jackpot_admin.password_marks()")
        else:
            with (
                pytest.raises(DatabaseError, match="permission denied"),
                transaction.atomic(),
            ):
                cursor.execute("SELECT * FROM jackpot_admin.password_marks()")
