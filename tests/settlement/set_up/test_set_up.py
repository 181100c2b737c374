"""From an empty database to a casino with tables, as the web process calls it; who is refused."""

import datetime as dt
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from settlement.core.errors import (
    BadFile,
    BadSetUp,
    NotPermitted,
    RuleBroken,
    WrongState,
)
from settlement.models import (
    RoleChange,
    SetUpChange,
    SetUpCode,
    SetUpProposal,
)
from settlement.people.passwords import SealedArgon2PasswordHasher
from settlement.people.rights import roles
from settlement.people.staff import invitations, persons
from settlement.people.staff.invitations import Guest
from settlement.set_up import casinos, first_run, proposals, table_imports, who_may
from settlement.set_up.casinos import CasinoFacts, NewTable
from tables.keys import key_of
from tables.models import Casino, GamingTable, JackpotSystem, UnitKey
from tests.support.people.cast import PASSWORD
from tests.support.people.roles import acting_as
from tests.support.people.set_up import HARBOUR, agree, hana, harbour, join, user

__all__ = ["hana", "harbour"]

pytestmark = pytest.mark.django_db


def test_the_first_run_makes_one_administrator_against_its_code(hana: Any) -> None:
    assert SealedArgon2PasswordHasher().verify(PASSWORD, hana.password)
    assert roles.held(hana).names == ("Administrator",)
    assert RoleChange.objects.get().by == "hana"
    with pytest.raises(WrongState):
        first_run.make_code()
    with acting_as("web"), pytest.raises(WrongState):
        first_run.begin("guessed", "eve", ("Eve", "X"), "", PASSWORD)
    assert User.objects.count() == 1


@pytest.mark.parametrize(("code", "hours"), [("guessed", 1), (None, -1)])
def test_a_wrong_code_or_an_old_one_opens_nothing(code: str | None, hours: int) -> None:
    right_code = first_run.make_code()
    SetUpCode.objects.update(expires_at=timezone.now() + dt.timedelta(hours=hours))
    with acting_as("web"), pytest.raises(WrongState):
        first_run.begin(code or right_code, "eve", ("Eve", "X"), "", PASSWORD)
    assert not User.objects.exists()


def test_casino_systems_and_tables_are_made_and_written_down(harbour: Casino, hana: Any) -> None:
    with acting_as("web"):
        system = casinos.make_system(hana, harbour, "main", "Main floor")
        keys = casinos.make_tables(hana, system, [NewTable("t1", "Table 1"), NewTable("t2", "Two")])
        casinos.rename_table(hana, GamingTable.objects.get(code="t2"), "Table 2")
        casinos.rename_system(hana, system, "The floor")
        casinos.change_casino(
            hana, harbour, CasinoFacts("harbour", "Harbour", "UTC", "NZD", 2, dt.time(6))
        )
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # as at the end of the request
    assert {each.table: each.key for each in keys} == {
        row.table.code: key_of(row.table) for row in UnitKey.objects.select_related("table__system")
    }
    log = SetUpChange.objects.exclude(kind__in=("person", "role", "invitation")).order_by("id")
    assert [(each.by, each.kind, each.subject, each.what) for each in log] == [
        ("hana", "casino", "harbour", "made"),
        ("hana", "system", "main", "made"),
        ("hana", "table", "main/t1", "made"),
        ("hana", "table", "main/t2", "made"),
        ("hana", "table", "main/t2", "changed"),
        ("hana", "system", "main", "changed"),
        ("hana", "casino", "harbour", "changed"),
    ]
    last = log[6]
    assert last.before == {"name": "Harbour Casino", "timezone": "Pacific/Auckland"}
    assert last.after == {"name": "Harbour", "timezone": "UTC"}
    text = str(list(SetUpChange.objects.values_list("before", "after")))
    assert keys[0].key not in text
    assert "argon2" not in text


def test_currency_stays_once_an_amount_stands_in_it(harbour: Casino, hana: Any) -> None:
    yen = CasinoFacts("harbour", "Harbour", "UTC", "JPY", 0, dt.time(6))
    dollars = CasinoFacts("harbour", "Harbour", "UTC", "NZD", 2, dt.time(6))
    with acting_as("web"):
        casinos.change_casino(hana, harbour, yen)
        casinos.change_casino(hana, harbour, dollars)
        proposals.propose_amount(hana, harbour, 25_000_000_000)
        with pytest.raises(WrongState, match="an amount stands"):
            casinos.change_casino(hana, harbour, yen)
        proposals.withdraw(SetUpProposal.objects.latest("id"), hana, "Typed wrong")
        casinos.change_casino(hana, harbour, yen)
        proposals.propose_amount(hana, harbour, 25_000_000_000)
    agree("mere")
    with acting_as("web"), pytest.raises(WrongState, match="an amount stands"):
        casinos.change_casino(hana, harbour, dollars)


def test_a_process_signs_as_nobody(harbour: Casino, hana: Any) -> None:
    """Whom the session names counts inside functions of set-up alone."""
    with acting_as("web"):
        system = casinos.make_system(hana, harbour, "main", "Main")
        (before,) = SetUpChange.objects.filter(kind="system")
        with (
            pytest.raises(DatabaseError, match="set_up_system alone"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute("UPDATE tables_jackpotsystem SET name = 'x'")
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT set_config('jackpot.given_by', 'hana', false)")
            cursor.execute(
                "INSERT INTO tables_gamingtable (system_id, code, name, in_service, display_key)"
                " VALUES (%s, 'x1', 'X', true, 'k') RETURNING"
                " set_config('jackpot.given_by', 'hana', false)",
                [system.pk],
            )
            change = SetUpChange.objects.get(kind="table")
            # No process makes a table alone: it would be refused at the end.
            transaction.set_rollback(True)
    assert (before.by, change.by == "hana") == ("hana", False)


REFUSED: list[tuple[str, Any]] = [
    ("a casino", lambda by, _c: casinos.make_casino(by, HARBOUR)),
    ("a system", lambda by, c: casinos.make_system(by, c, "x", "X")),
    ("a guest", lambda by, _c: invitations.invite(by, Guest("x", "", "X", "", "Cashier"))),
    ("a role", lambda by, _c: persons.give_role(by, user("hana"), "Cashier", None)),
    ("a lock", lambda by, _c: persons.lock(by, user("hana"))),
    ("a limit", lambda by, c: proposals.propose_amount(by, c, 1)),
]


@pytest.mark.parametrize("what", [name for name, _ in REFUSED])
def test_nobody_else_sets_up(harbour: Casino, what: str) -> None:
    tane = join("hana", "tane", "Surveillance")
    with acting_as("web"), pytest.raises(NotPermitted):
        dict(REFUSED)[what](tane, harbour)


CALLS = [
    "SELECT set_up_casino({who}, NULL, '{{}}')",
    "SELECT set_up_system({who}, 1, NULL, 'x', 'X')",
    "SELECT set_up_tables({who}, 1, '[]')",
    "SELECT rename_table({who}, 1, 'x')",
    "SELECT open_casino({who}, {casino})",
    "SELECT put_into_service({who}, 1)",
    "SELECT rekey_table({who}, 1, 'x', 'x')",
    "SELECT invite_person({who}, '{{}}', 1, NULL, 'x')",
    "SELECT revoke_invitation({who}, 1)",
    "SELECT take_role({who}, {other}, 1, NULL)",
    "SELECT lock_person({who}, {other}, true)",
    "SELECT person_leaves({who}, {other})",
    "SELECT end_log_ins({who}, {other}, NULL)",
    "SELECT propose_set_up({who}, 'give_role', NULL, '{{}}')",
    "SELECT decide_set_up({second}, {proposal}, true, '')",
]


@pytest.mark.parametrize("call", CALLS)
def test_the_web_password_alone_sets_nothing_up(harbour: Casino, hana: Any, call: str) -> None:
    with acting_as("web"):
        proposals.propose_amount(hana, harbour, 1)
    statement = call.format(
        who=hana.pk,
        other=user("mere").pk,
        second=user("mere").pk,
        casino=harbour.pk,
        proposal=SetUpProposal.objects.get().pk,
    )
    with (
        acting_as("web", logged_in=False),
        pytest.raises(DatabaseError, match="log-in: person"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)


def test_a_file_of_tables_is_judged_line_by_line(harbour: Casino, hana: Any) -> None:
    with acting_as("web"):
        system = casinos.make_system(hana, harbour, "main", "Main floor")
        casinos.make_tables(hana, system, [NewTable("t1", "Table 1")])
    text = "code,name\nt2,Table 2\nT3,Table 3\nt1,Again\n\nt4\nt2,Twice\nconsole,C\nt5,\n"
    file = table_imports.preview(system, text.encode())
    assert [(line.number, bool(line.problem)) for line in file.lines] == [
        (2, False),
        *((number, True) for number in (3, 4, 6, 7, 8, 9)),
    ]
    with acting_as("web"), pytest.raises(BadFile):
        table_imports.confirm(hana, system, text.encode(), file.sha256)
    good = "\ufeffCode,Name\r\nt2,Table 2\r\nt3,Table 3\r\n".encode()
    with acting_as("web"):
        with pytest.raises(BadFile, match="not the file"):
            table_imports.confirm(hana, system, good, file.sha256)
        keys = table_imports.confirm(hana, system, good, table_imports.preview(system, good).sha256)
    assert [each.table for each in keys] == ["t2", "t3"]
    for bad in (b"\xff\xfe", b"a,b\n", b"code,name\n", b"x" * 70_000):
        with pytest.raises(BadFile):
            table_imports.preview(system, bad)


def test_codes_are_unique_and_readable(harbour: Casino, hana: Any) -> None:
    with acting_as("web"):
        system = casinos.make_system(hana, harbour, "main", "Main")
        casinos.make_tables(hana, system, [NewTable("t1", "One")])
        for wrong in (
            lambda: casinos.make_casino(hana, HARBOUR),
            lambda: casinos.make_system(hana, harbour, "main", "Main"),
            lambda: casinos.make_system(hana, harbour, "Main Floor", "Main"),
            lambda: casinos.make_system(hana, harbour, "console", "Console"),
            lambda: casinos.make_tables(hana, system, [NewTable("t1", "One")]),
            lambda: casinos.make_tables(hana, system, [NewTable("console", "C")]),
        ):
            with pytest.raises(RuleBroken):
                wrong()
    assert GamingTable.objects.count() == JackpotSystem.objects.count() == 1


def test_a_zone_is_one_that_the_page_and_the_database_know(hana: Any) -> None:
    for zone in ("NZ", "posixrules", "Moon/Base"):
        facts = CasinoFacts("x", "X", zone, "NZD", 2, dt.time(6))
        with acting_as("web"), pytest.raises(BadSetUp, match="time zone"):
            casinos.make_casino(hana, facts)


def test_an_administrator_neither_decides_nor_sees_money() -> None:
    """Whatever the role may, it shares nothing with roles that decide, but proposing limits."""
    allowed = set(roles.ROLES["Administrator"])
    assert allowed == {
        *("set_up_casino", "administer_people", "view_set_up", "propose_set_up", "manage_screens"),
        "replay_webhooks",
    }
    assert "view_claim" not in allowed
    assert not {"second_set_up"} & allowed
    for role, permissions in roles.ROLES.items():
        if role != "Administrator":
            assert not {"set_up_casino", "administer_people"} & set(permissions), role


def test_who_may_do_what_is_what_the_database_holds() -> None:
    roles.install_roles()
    rows = who_may.permission_rows()
    by_words = {row.words: dict(zip(who_may.role_names(), row.roles, strict=True)) for row in rows}
    assert by_words["Pay a confirmed claim"] == {
        name: name == "Cashier" for name in who_may.role_names()
    }
    assert len(rows) == len({code for codes in roles.ROLES.values() for code in codes})
    cashier = Group.objects.get(name="Cashier")
    cashier.permissions.remove(cashier.permissions.get(codename="pay_claim"))
    assert "Pay a confirmed claim" not in {row.words for row in who_may.permission_rows()}
