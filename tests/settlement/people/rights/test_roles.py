"""Roles are kept with their history, hold everywhere or in one casino; the owner gives them."""

from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction

from settlement.database_roles import grants
from settlement.models import Record, RoleChange, RolePermissions
from settlement.people.rights import role_holders, roles
from settlement.people.rights.permissions import may, who_may
from tables.alarms import raise_alarm
from tables.models import Alarm, Casino, JackpotSystem
from tests.support.pages.page_staff import logged_in
from tests.support.people.roles import acting_as

pytestmark = pytest.mark.django_db


@pytest.fixture
def systems() -> list[JackpotSystem]:
    """A jackpot system in each of two casinos."""
    roles.install_roles()
    rows = []
    for code in ("harbour", "alpine"):
        casino = Casino.objects.create(code=code, name=code.title(), currency="NZD")
        rows.append(JackpotSystem.objects.create(casino=casino, code=code, name=code.title()))
    return rows


def permitted(person: User, permission: str, system: JackpotSystem | None) -> tuple[bool, bool]:
    """What the console and the database say, of a person who was just read."""
    person = User.objects.get(pk=person.pk)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT has_permission(%s, %s, %s)",
            [person.pk, permission, system.pk if system is not None else None],
        )
        (allowed,) = cursor.fetchone()
    return may(person, permission, system), allowed


def changes(person: User) -> list[tuple[Any, ...]]:
    rows = RoleChange.objects.filter(person=person).order_by("id")
    return list(rows.values_list("role__name", "casino__code", "granted"))


def test_groups_of_people_are_written_down(systems: list[JackpotSystem]) -> None:
    mere = User.objects.create(username="mere")
    roles.grant(mere, "Casino manager", by="anna and david")
    mere.groups.set([Group.objects.get(name="Cashier")])
    mere.groups.clear()
    assert changes(mere) == [
        ("Casino manager", None, True),
        ("Casino manager", None, False),
        ("Cashier", None, True),
        ("Cashier", None, False),
    ]
    with connection.cursor() as cursor:
        cursor.execute("SELECT session_user")
        ((owner,),) = cursor.fetchall()
    role_changes = RoleChange.objects.filter(person=mere).order_by("id")
    assert list(role_changes.values_list("by", flat=True)) == ["anna and david", *[owner] * 3]


def test_of_many_people_it_is_what_the_database_says_of_each(systems: list[JackpotSystem]) -> None:
    """Given, taken, given again, of one casino, past its time, and of somebody who is locked."""
    harbour, alpine = (system.casino for system in systems)
    staff = {name: User.objects.create(username=name) for name in ("mere", "sione", "aroha", "ana")}
    roles.grant(staff["mere"], "Casino manager")
    roles.grant(staff["mere"], "Cashier", alpine)
    roles.grant(staff["sione"], "Cashier", harbour)
    roles.revoke(staff["sione"], "Cashier", harbour)
    roles.grant(staff["sione"], "Cashier", alpine)
    roles.grant(staff["sione"], "Game supervisor")
    roles.revoke(staff["sione"], "Game supervisor")
    roles.grant(staff["aroha"], "Surveillance")
    roles.grant(staff["ana"], "Compliance")
    User.objects.filter(username="aroha").update(is_active=False)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO settlement_rolechange (person_id, role_id, casino_id, granted, by, until)"
            " SELECT person_id, role_id, casino_id, true, by, now() - interval '1 s'"
            " FROM settlement_rolechange WHERE person_id = %s AND granted",
            [staff["ana"].pk],
        )
        cursor.execute(
            "SELECT u.id, h.role, h.casino, h.permissions"
            " FROM auth_user u CROSS JOIN LATERAL roles_held(u.id) AS h ORDER BY 1, 2, 3"
        )
        one_by_one = cursor.fetchall()
        cursor.execute(f"SELECT * FROM ({role_holders.HELD}) AS h ORDER BY 1, 2, 3")
        assert cursor.fetchall() == one_by_one
    assert len(one_by_one) == 3
    names = role_holders.names_held(each.pk for each in staff.values())
    assert names == {
        staff["mere"].pk: ["Cashier", "Casino manager"],
        staff["sione"].pk: ["Cashier"],
    }
    assert set(role_holders.holders("pay_claim", harbour.pk)) == set()
    assert set(role_holders.holders("pay_claim", alpine.pk)) == {staff["mere"], staff["sione"]}


def test_what_a_role_allows_is_written_down_once_it_changes(systems: list[JackpotSystem]) -> None:
    rows = RolePermissions.objects.filter(role__name="Cashier")
    before = rows.count()
    roles.install_roles()
    assert rows.count() == before
    cashier = Group.objects.get(name="Cashier")
    cashier.permissions.remove(cashier.permissions.get(codename="pay_claim"))
    newest = rows.last()
    assert newest is not None
    assert set(newest.permissions) == set(roles.ROLES["Cashier"]) - {"pay_claim"}
    aroha = User.objects.create(username="aroha")
    roles.grant(aroha, "Cashier")
    assert permitted(aroha, "pay_claim", systems[0]) == (False, False)
    roles.install_roles()
    assert permitted(aroha, "pay_claim", systems[0]) == (True, True)


def test_a_role_holds_everywhere_or_in_one_casino(systems: list[JackpotSystem]) -> None:
    harbour, alpine = systems
    mere = User.objects.create(username="mere")
    roles.grant(mere, "Casino manager", harbour.casino, by="anna and david")
    roles.grant(mere, "Casino manager", harbour.casino)  # again: the same
    roles.grant(mere, "Cashier", alpine.casino)
    assert permitted(mere, "confirm_claim", harbour) == (True, True)
    assert permitted(mere, "confirm_claim", alpine) == (False, False)
    assert permitted(mere, "pay_claim", alpine) == (True, True)
    assert permitted(mere, "pay_claim", harbour) == (False, False)
    assert User.objects.get(pk=mere.pk).has_perm("settlement.pay_claim")
    assert User.objects.get(pk=mere.pk).has_perm("settlement.pay_claim", alpine)
    assert not User.objects.get(pk=mere.pk).has_perm("settlement.pay_claim", harbour)
    assert who_may("confirm_claim", system=harbour) == [mere]
    assert who_may("confirm_claim", system=alpine) == []
    roles.revoke(mere, "Casino manager", harbour.casino)
    assert permitted(mere, "confirm_claim", harbour) == (False, False)
    assert changes(mere) == [
        ("Casino manager", "harbour", True),
        ("Cashier", "alpine", True),
        ("Casino manager", "harbour", False),
    ]
    assert RoleChange.objects.filter(person=mere).first().by == "anna and david"  # type: ignore[union-attr]


def test_who_may_not_log_in_has_no_permission(systems: list[JackpotSystem]) -> None:
    mere = User.objects.create(username="mere")
    roles.grant(mere, "Casino manager")
    User.objects.filter(pk=mere.pk).update(is_active=False)
    assert permitted(mere, "confirm_claim", systems[0]) == (False, False)
    User.objects.filter(pk=mere.pk).update(is_active=True)
    assert permitted(mere, "confirm_claim", systems[0]) == (True, True)
    assert changes(mere)[1:] == [(None, None, False), (None, None, True)]


def test_nobody_is_everybody(systems: list[JackpotSystem]) -> None:
    """A person without a row, or who logged in as none, has no role; nor has a superuser."""
    roles.grant(User.objects.create(username="mere"), "Casino manager")
    assert not roles.held(User()).allowed
    boss = User.objects.create_superuser("boss")
    assert permitted(boss, "confirm_claim", systems[0]) == (False, False)


def test_the_history_is_recorded_for_the_systems_that_it_concerns(
    systems: list[JackpotSystem],
) -> None:
    harbour, alpine = systems
    mere = User.objects.create(username="mere")
    roles.grant(mere, "Casino manager", harbour.casino)
    roles.grant(mere, "Cashier")
    third = JackpotSystem.objects.create(casino=harbour.casino, code="third", name="Third")
    records = Record.objects.filter(source="settlement_rolechange")
    assert [records.filter(system=each).count() for each in (harbour, alpine, third)] == [2, 1, 2]
    allowed = Record.objects.filter(source="settlement_rolepermissions")
    assert allowed.filter(system=third).count() == len(roles.ROLES) + 1  # that of programs


@pytest.mark.parametrize("role", ["web", "worker", "poster", "intake", "reporting"])
@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO settlement_rolechange (person_id, granted, by) VALUES (1, true, '')",
        "INSERT INTO settlement_rolepermissions (role_id, permissions, by) VALUES (1, '[]', '')",
        "INSERT INTO auth_user_groups (user_id, group_id) VALUES (1, 1)",
        "INSERT INTO auth_group_permissions (group_id, permission_id) VALUES (1, 1)",
        "DELETE FROM auth_user_groups",
        "UPDATE auth_user SET is_active = true",
    ],
)
def test_no_process_gives_roles(role: str, statement: str) -> None:
    with (
        acting_as(role),
        pytest.raises(DatabaseError, match=r"permission denied|read-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)


@pytest.mark.parametrize("table", ["settlement_rolechange", "settlement_rolepermissions"])
@pytest.mark.parametrize("statement", ["UPDATE {} SET by = 'x'", "DELETE FROM {}", "TRUNCATE {}"])
def test_the_history_is_append_only(
    systems: list[JackpotSystem], table: str, statement: str
) -> None:
    roles.grant(User.objects.create(username="mere"), "Cashier")
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            cursor.execute(statement.format(table))


@pytest.mark.usefixtures("no_writer")
@pytest.mark.parametrize(
    ("grants", "sees", "clears"),
    [
        ([("Casino manager", None)], True, True),
        ([("Casino manager", "harbour")], False, False),
        ([("Casino manager", "harbour"), ("Cashier", "alpine")], True, False),
        ([("Casino manager", "harbour"), ("Casino manager", "alpine")], True, True),
        ([("Casino manager", "harbour"), ("Cashier", None)], True, False),
    ],
)
def test_who_has_a_role_in_every_casino_sees_what_is_of_no_system(
    systems: list[JackpotSystem], grants: list[tuple[str, str | None]], sees: bool, clears: bool
) -> None:
    """And clears it with the permission in each of them, as the database's guard asks."""
    mere = User.objects.create(username="mere")
    for role, casino in grants:
        roles.grant(mere, role, Casino.objects.get(code=casino) if casino else None)
    raise_alarm("role_password", "jackpot_intake", "Another password.")
    browser, alarm = logged_in("mere"), Alarm.objects.get()
    assert (alarm.message in browser.get("/reconciliation/").content.decode()) is sees
    with acting_as("web"):
        code = browser.post(f"/alarms/{alarm.pk}/clear/", {"note": "we did"}).status_code
    assert code == (302 if clears else 403 if sees else 404)
    assert (Alarm.objects.get().cleared_at is not None) is clears


def test_it_is_said_while_nobody_may_clear_what_is_of_no_system(
    systems: list[JackpotSystem],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(grants, "apply", lambda _passwords, **_keywords: [])

    def output_of(*command: str) -> str:
        call_command(*command)
        return capsys.readouterr().err

    def grant_manager(casino: str) -> str:
        return output_of("staff_role", "mere", "Casino manager", "--by", "anna", "--casino", casino)

    assert output_of("grant_roles") == ""  # nobody has a role yet
    User.objects.create(username="mere")
    assert "Nobody may clear alarms in every casino" in grant_manager("harbour")
    assert grant_manager("alpine") == ""
    assert output_of("grant_roles") == ""
    User.objects.update(is_active=False)
    assert "Nobody may clear alarms in every casino" in output_of("grant_roles")
