"""A role that gives itself another password is noticed: PostgreSQL refuses it to nobody."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.db.utils import DatabaseError

from settlement import grants, role_passwords, tasks
from tables.models import Alarm
from tests.roles import acting_as
from tests.settlement.cast import ClaimHouse

pytestmark = pytest.mark.django_db


def test_a_role_that_sets_its_own_password_is_noticed() -> None:
    """PostgreSQL lets every role do that: an alarm names it, and grant_roles says so."""
    with connection.cursor() as cursor:
        role_passwords.note(cursor)
        role_passwords.watch()
        assert not Alarm.objects.exists()
        with acting_as("intake"):
            cursor.execute("ALTER ROLE CURRENT_USER PASSWORD 'of-its-own'")
        with acting_as("worker"):
            role_passwords.watch()
        alarm = Alarm.objects.get(kind="role_password")
        assert alarm.subject == "jackpot_intake"
        (told,) = role_passwords.note(cursor)
        assert "jackpot_intake has another password" in told
        assert role_passwords.note(cursor) == []


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
