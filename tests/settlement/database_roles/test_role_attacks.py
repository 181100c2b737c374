"""Every attack with the password of a role, tried under each role that the database knows.

Roles, tables and functions are read from the database: a new one that nobody decided on fails.
An attack names the roles that may do it, as their work is just that; everybody else is refused.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

import pytest
from django.db import connection, transaction
from django.db.utils import DatabaseError
from django.utils import timezone

from jackpot.models.commands import Command
from jackpot.writer import commands
from settlement.database_roles import grants, server_functions
from tables.alarms import clear_alarm, raise_alarm
from tables.models import Alarm
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import acting_as

pytestmark = pytest.mark.django_db

REFUSED = (
    r"permission denied|must be|may not|cannot|is append-only|comes cleared|was not shown"
    r"|access_note_is_of_the_web"
)


@dataclass(frozen=True)
class Attack:
    """A statement, and who may: the process whose work it is."""

    statement: str
    may: tuple[str, ...] = ()


ATTACKS = {
    # --- what is said to units and displays
    "a receipt": Attack(
        "INSERT INTO tables_outboxmessage (system_id, topic, payload, retain, created)"
        " SELECT id, 'jackpot/v1/main/t7/receipts', '', false, now() FROM tables_jackpotsystem",
        ("intake", "poster", "worker"),
    ),
    "a display's values": Attack(
        "INSERT INTO jackpot_displaymessage (system_id, payload) SELECT 1, '{}' WHERE false",
        ("worker",),
    ),
    "a message that waits is changed": Attack("UPDATE tables_outboxmessage SET payload = ''"),
    "a message that waits is taken away": Attack("DELETE FROM tables_outboxmessage", ("intake",)),
    # --- alarms
    "an alarm cleared by hand": Attack("UPDATE tables_alarm SET cleared_at = now()"),
    "an alarm that says something else": Attack("UPDATE tables_alarm SET message = ''"),
    "an alarm that never was": Attack("DELETE FROM tables_alarm"),
    "an alarm that comes cleared": Attack(
        "INSERT INTO tables_alarm (kind, subject, message, raised_at, last_at, count, cleared_at,"
        " cleared_by, cleared_note) VALUES ('x', 'x', 'x', now(), now(), 1, now(), 'x', 'x')"
    ),
    "a clearing of somebody else's": Attack("UPDATE tables_alarmclearing SET cleared_by = 'x'"),
    "an alarm cleared by an action": Attack(
        "INSERT INTO tables_alarmclearing (alarm_id, at, cleared_by, note)"
        " SELECT id, now(), 'david', 'x' FROM tables_alarm WHERE false",
        ("web",),
    ),
    # --- people
    "another's password by hand": Attack("UPDATE auth_user SET password = 'x'"),
    "somebody who may do everything": Attack("UPDATE auth_user SET is_superuser = true"),
    "somebody who is back": Attack("UPDATE auth_user SET is_active = true"),
    "somebody who never was": Attack("INSERT INTO auth_user (username) VALUES ('x')"),
    "another role": Attack("INSERT INTO auth_user_groups (user_id, group_id) VALUES (1, 1)"),
    "a right for a role": Attack(
        "INSERT INTO auth_group_permissions (group_id, permission_id) VALUES (1, 1)"
    ),
    "a password without the present one": Attack(
        "SELECT change_password(1, 'x', 'argon2s$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$"
        "qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq')"
    ),
    "a session moved to a known key": Attack("UPDATE console_session SET session_key = 'x'"),
    "a log-in that was not": Attack(
        "INSERT INTO settlement_securityevent (what) VALUES ('logged_in')"
    ),
    "a log-in that was not, as a note": Attack(
        "INSERT INTO settlement_accessnote (what, username, address, detail)"
        " VALUES ('logged_in', 'mere', '10.0.0.5', '')"
    ),
    "a changed password that was not, as a note": Attack(
        "INSERT INTO settlement_accessnote (what, username, address, detail)"
        " VALUES ('password', 'mere', '10.0.0.5', '')"
    ),
    "a log-in that is forgotten": Attack("DELETE FROM settlement_securityevent"),
    "an access that is forgotten": Attack("DELETE FROM axes_accesslog"),
    "the players by name": Attack("SELECT name FROM settlement_identification"),
    # --- units
    "the keys of units": Attack("SELECT sealed_key FROM tables_unitkey", ("intake",)),
    "another key for a unit": Attack("UPDATE tables_unitkey SET sealed_key = ''"),
    "a unit that needs no key": Attack("DELETE FROM tables_unitkey"),
    "a key for a unit": Attack(
        "INSERT INTO tables_unitkey (table_id, sealed_key, key_digest) VALUES (1, '', '')"
    ),
    "a credential of a device": Attack("INSERT INTO tables_devicecredential (kind) VALUES ('x')"),
    "a revoked device let in again": Attack("DELETE FROM tables_deviceend"),
    # --- the server
    "a large object": Attack("SELECT lo_create(0)"),
    "a large object of bytes": Attack("SELECT lo_from_bytea(0, 'x')"),
    "a large object of before": Attack("SELECT lo_get(1)"),
    "the end of another session": Attack("SELECT pg_terminate_backend(0)", ("poster",)),
    "the end of another's statement": Attack("SELECT pg_cancel_backend(0)"),
    "the lock of the outbox": Attack(
        "SELECT pg_advisory_xact_lock(hashtext('jackpot_outbox'))",
    ),
    "the lock of the outbox for a session": Attack(
        "SELECT pg_try_advisory_lock(hashtext('jackpot_outbox'))", ("intake",)
    ),
    "what others ask": Attack("SELECT query FROM pg_stat_activity", ("poster",)),
    "what another asks": Attack("SELECT pg_stat_get_backend_activity(1)"),
    "a log of the server written": Attack("SELECT pg_logical_emit_message(false, 'x', 'y')"),
    "a file of the server": Attack("SELECT pg_read_file('/etc/hostname')"),
    "a program of the server": Attack("COPY tables_casino TO PROGRAM 'true'"),
    "a file written": Attack("COPY (SELECT 1) TO '/tmp/x'"),
    "the server's passwords": Attack("SELECT rolpassword FROM pg_authid"),
    # --- guards and schema
    "a table": Attack("CREATE TABLE mine (id int)"),
    "a table that hides another": Attack("CREATE TEMPORARY TABLE jackpot_entry (id int)"),
    "a view that hides another": Attack("CREATE TEMPORARY VIEW jackpot_entry AS SELECT 1"),
    "a schema": Attack("CREATE SCHEMA mine"),
    "a function": Attack("CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'"),
    "an extension": Attack("CREATE EXTENSION hstore"),
    "a guard replaced": Attack(
        "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql"
        " AS $$ BEGIN RETURN NEW; END $$"
    ),
    "a guard taken off": Attack("DROP TRIGGER append_only_rows ON jackpot_transfer"),
    "guards off": Attack("ALTER TABLE jackpot_transfer DISABLE TRIGGER USER"),
    "guards passed over": Attack("SET session_replication_role = replica"),
    "a table owned": Attack("ALTER TABLE jackpot_transfer OWNER TO CURRENT_USER"),
    "an accomplice": Attack("CREATE ROLE accomplice SUPERUSER"),
    "more rights": Attack("ALTER ROLE CURRENT_USER CREATEROLE"),
    "a limit taken off": Attack("ALTER ROLE CURRENT_USER CONNECTION LIMIT -1"),
    "another's password": Attack("ALTER ROLE {other} PASSWORD 'x'"),
}


# Times that a person or a browser says, and those of what is no action. Others are the database's.
STATEMENTS = {
    "settlement_accesstoken.expires_at": "earlier only, by its guard (token_is_of_who_asked)",
    "settlement_accesstoken.revoked_at": "set once, by its guard (token_is_of_who_asked)",
    "settlement_accesstoken.used_at": "of a token that is issued used",
    "console_session.expire_date": "a log-in's end; who may log in is the guard's",
    "console_session.locked_at": "set once, by its guard (session_is_of_who_logged_in)",
    "settlement_footage.since": "what is on the tape",
    "settlement_footage.until": "what is on the tape",
    "settlement_incident.happened_at": "by the person's word; when it was entered stands beside it",
    **{
        f"settlement_reportexport.{name}_at": "how far the worker is with files"
        for name in ("alive", "ended", "cancel", "deliver", "delivered")
    },
    "settlement_reportschedule.ended_at": "set once, by its guard (schedule_is_by_who_may)",
    "settlement_payout.at": "that of its entry (payout_bears_the_time_of_its_entry)",
    **{
        f"settlement_recoverycode.{name}_at": "by its guard (recovery_code_is_used_once)"
        for name in ("made", "used", "ended")
    },
    **{
        f"settlement_secondfactor.{name}_at": "by its guard (second_factor_is_of_who_is_there)"
        for name in ("made", "used", "ended")
    },
    "settlement_pushsubscription.made_at": "how long a device has been pushed to, for its person",
    "settlement_pushsubscription.ended_at": "when its person wants no more of it",
    "settlement_slipprint.at": "printed on the slip: within a minute (print_bears_its_time)",
    "settlement_staffplay.since": "never later than now (staff_play_is_said_now)",
    "settlement_staffplay.until": "never later than now (staff_play_is_said_now)",
    "tables_alarm.cleared_at": "by its action (alarm_counts_on)",
    "tables_displayreading.said_at": "the screen's clock; when it came stands beside it",
}
# Triggers of their own that set the time, of a table.
SET = {
    "settlement_factordemand.at": "factor_demand_is_by_who_may",
    "settlement_handover.at": "handover_is_signed_by_both",
    "settlement_staffplay.at": "staff_play_is_said_now",
    "settlement_staffplayend.at": "staff_play_ends_now",
    "settlement_signature.at": "signature_is_good",
    "settlement_signingkey.at": "signing_key_is_of_who_is_there",
    "settlement_staffplayword.at": "second_word_is_somebody_elses",
}


def roles() -> list[str]:
    """Everybody but the owner to whom something in this database was given."""
    with connection.cursor() as cursor:
        cursor.execute(
            "WITH given AS ("
            "  SELECT a.grantee FROM pg_class c, aclexplode(c.relacl) a"
            "  WHERE c.relnamespace = 'public'::regnamespace"
            "  UNION SELECT a.grantee FROM pg_attribute t JOIN pg_class c ON c.oid = t.attrelid,"
            "  aclexplode(t.attacl) a WHERE c.relnamespace = 'public'::regnamespace"
            "  UNION SELECT a.grantee FROM pg_proc p, aclexplode(p.proacl) a"
            "  WHERE p.pronamespace = 'public'::regnamespace"
            "  UNION SELECT oid FROM pg_roles WHERE rolname LIKE 'jackpot\\_%%')"
            " SELECT DISTINCT r.rolname FROM given JOIN pg_roles r"
            "  ON r.oid = given.grantee OR pg_has_role(r.oid, given.grantee, 'MEMBER')"
            " WHERE NOT r.rolsuper AND r.rolname <> 'jackpot_owner' ORDER BY 1"
        )
        return [name for (name,) in cursor.fetchall()]


def rows(query: str) -> list[tuple[str, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return list(cursor.fetchall())


def test_every_role_of_the_database_is_attacked() -> None:
    assert roles() == sorted(grants.PREFIX + role for role in grants.ROLES)


@pytest.mark.parametrize("name", ATTACKS)
@pytest.mark.parametrize("role", grants.ROLES)
def test_an_attack_is_refused(role: str, name: str) -> None:
    attack = ATTACKS[name]
    other = next(each for each in grants.ROLES if each != role)
    statement = attack.statement.replace("{other}", grants.PREFIX + other)
    with acting_as(role), transaction.atomic(), connection.cursor() as cursor:
        if role in attack.may:
            cursor.execute(statement)
            transaction.set_rollback(True)
            return
        with pytest.raises(DatabaseError, match=REFUSED), transaction.atomic():
            cursor.execute(statement)


def test_no_role_owns_makes_or_inherits_anything() -> None:
    assert (
        rows(
            "SELECT rolname FROM pg_roles WHERE rolname LIKE 'jackpot\\_%' AND rolname <>"
            " 'jackpot_owner' AND (rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication"
            " OR rolbypassrls)"
        )
        == []
    )
    assert (
        rows(
            "SELECT m.roleid::regrole FROM pg_auth_members m JOIN pg_roles r"
            " ON r.oid = m.member WHERE r.rolname LIKE 'jackpot\\_%'"
            " AND r.rolname <> 'jackpot_owner'"
        )
        == []
    )
    assert (
        rows(
            "SELECT n.nspname, r.rolname FROM pg_namespace n, pg_roles r"
            " WHERE r.rolname LIKE 'jackpot\\_%' AND r.rolname <> 'jackpot_owner'"
            " AND has_schema_privilege(r.oid, n.oid, 'CREATE')"
        )
        == []
    )
    assert (
        rows(
            "SELECT d.datname, r.rolname FROM pg_database d, pg_roles r"
            " WHERE d.datname = current_database() AND r.rolname LIKE 'jackpot\\_%'"
            " AND r.rolname <> 'jackpot_owner'"
            " AND has_database_privilege(r.oid, d.oid, 'CREATE, TEMPORARY')"
        )
        == []
    )


def test_no_right_may_be_given_on() -> None:
    assert (
        rows(
            "SELECT c.relname, a.grantee::regrole::text FROM pg_class c, aclexplode(c.relacl) a"
            " WHERE c.relnamespace = 'public'::regnamespace AND a.is_grantable"
            " AND a.grantee <> c.relowner"
        )
        == []
    )


def test_functions_that_do_more_than_their_caller_may_are_given_by_name() -> None:
    """With SECURITY DEFINER a function acts as the owner: who may call it stands in CALLS."""
    callable_by = rows(
        "SELECT p.oid::regprocedure::text, a.grantee::regrole::text"
        " FROM pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a"
        " WHERE p.pronamespace = 'public'::regnamespace AND p.prosecdef"
        " AND p.prorettype <> 'trigger'::regtype AND a.grantee <> p.proowner ORDER BY 1, 2"
    )
    signatures = [
        (name.replace(", ", ","), grants.PREFIX + role)
        for name, callers in grants.CALLS.items()
        for role in callers
    ]
    assert callable_by == sorted(signatures)


def test_functions_of_the_server_are_taken_away() -> None:
    with connection.cursor() as cursor:
        assert server_functions.free(cursor) == []
    left = rows(
        "SELECT DISTINCT p.oid::regprocedure::text, a.grantee::regrole::text"
        f" FROM pg_proc p, aclexplode(p.proacl) a WHERE p.proname ~ '{server_functions.RESTRICTED}'"
        " AND p.pronamespace = 'pg_catalog'::regnamespace AND a.grantee <> p.proowner ORDER BY 1, 2"
    )
    assert left == sorted(
        (name.replace(", ", ","), grants.PREFIX + role)
        for name, users in server_functions.CALLERS.items()
        for role in users
    )


def test_the_web_process_does_not_write_over_what_an_alarm_says() -> None:
    raise_alarm("reconciliation", "main", "The books are off by 12.00.")
    with acting_as("web"):
        raise_alarm("reconciliation", "main", "No issues.")
    assert Alarm.objects.values_list("message", "count").get() == ("The books are off by 12.00.", 2)
    with acting_as("worker"):
        raise_alarm("reconciliation", "main", "The books are off by 13.00.", times=2)
    assert Alarm.objects.values_list("message", "count").get() == ("The books are off by 13.00.", 4)
    with acting_as("web"):
        clear_alarm(Alarm.objects.get(), "mere", "counted again")
        clear_alarm(Alarm.objects.get(), "david", "no, it was me")
    assert Alarm.objects.values_list("cleared_by", "cleared_note").get() == (
        "mere",
        "counted again",
    )
    with acting_as("web"):
        raise_alarm("reconciliation", "main", "Once more.")
    assert Alarm.objects.filter(cleared_at=None).values_list("count").get() == (1,)


def test_no_count_of_an_alarm_is_in_the_way_of_the_next() -> None:
    """Raised so often that one more would overflow, it would stop intake and poster."""
    most = 2**31 - 1
    with acting_as("web"):
        raise_alarm("quarantine", "main/t4", "x", times=most)
        raise_alarm("quarantine", "main/t4", "x", times=most)
    assert Alarm.objects.get().count == 2
    with acting_as("intake"):
        raise_alarm("quarantine", "main/t4", "x", times=most)
        raise_alarm("quarantine", "main/t4", "x", times=5)
    assert Alarm.objects.get().count == most


def test_the_database_sets_the_time_of_whatever_people_do() -> None:
    """In a table that the web process, or the worker, may insert into; screens are no people."""
    columns = rows(
        "SELECT c.relname || '.' || a.attname, EXISTS ("
        "  SELECT FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgname = 'actions_happen_now'"
        "  AND t.tgenabled = 'A' AND encode(t.tgargs, 'escape') ~ (a.attname || '.000'))"
        " FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0"
        " WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'"
        " AND a.atttypid = 'timestamptz'::regtype"
        " AND c.relname !~ '^(axes_|django_|jackpot_screenre)'"
        " AND has_column_privilege('jackpot_web', c.oid, a.attnum, 'INSERT') ORDER BY 1"
    )
    left = {name for name, is_set in columns if not is_set}
    assert left == STATEMENTS.keys() | SET.keys()
    for name, guard in SET.items():
        (text,) = rows(f"SELECT prosrc FROM pg_proc WHERE proname = '{guard}'")
        assert "NEW.at := clock_timestamp()" in text[0], name


def test_what_people_do_is_not_dated_back() -> None:
    house = ClaimHouse()
    house.hit_royal()
    long_ago = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
    before = timezone.now()
    with acting_as("web"):
        raise_alarm("x", "x", "x")
        number = commands.queue(house.system, "seal_records", {}, first="console")
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO tables_alarmclearing (alarm_id, at, cleared_by, note)"
                " SELECT id, %s, 'mere', 'x' FROM tables_alarm",
                [long_ago],
            )
            cursor.execute(
                "INSERT INTO jackpot_command (system_id, number, kind, body, first, second,"
                " issued_at, key) SELECT system_id, number + 1, kind, body, first, second, %s,"
                " gen_random_uuid() FROM jackpot_command WHERE number = %s",
                [long_ago, number],
            )
    assert Command.objects.get(number=number + 1).issued_at >= before
    cleared = Alarm.objects.get(kind="x").cleared_at
    assert cleared is not None
    assert cleared >= before


def test_an_alarm_is_cleared_by_somebody_whose_role_allows_it() -> None:
    """Through the action, which a trigger of the owner carries out."""
    house = ClaimHouse()
    raise_alarm("silent", "t3", "Table 3 is silent.", house.system)
    with acting_as("web"):
        for nobody in ("aroha", "nobody", "somebody-unknown"):
            with pytest.raises(DatabaseError, match="permission"), transaction.atomic():
                clear_alarm(Alarm.objects.get(), nobody, "all is well")
        assert Alarm.objects.get().cleared_at is None
        clear_alarm(Alarm.objects.get(), "mere", "the cable")
    assert Alarm.objects.get().cleared_by == "mere"
