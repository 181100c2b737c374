"""The database's roles: each may do what its process needs, and nothing else."""

from collections.abc import Iterator
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from django.db import connection, transaction
from django.db.utils import DatabaseError, ProgrammingError

from settlement.audit.reconciliation import reconcile
from settlement.database_roles import grants
from settlement.database_roles.new_roles import GrantsError
from tables.process.database_probe import known_migrations
from tests.support.people.roles import acting_as
from tests.support.play.books import royal_terms
from tests.support.play.house import House
from tests.support.suite.databases import FreshDatabase

APPEND_ONLY = (
    *("settlement_accessnote", "settlement_backuprun"),
    "settlement_ruling",
    "settlement_countersignature",
    "settlement_incident",
    "settlement_incidentend",
    "settlement_missedroundslimit",
    "settlement_ownerendorsement",
    "settlement_staffplayword",
    *("tables_tableevent", "tables_quarantine", "tables_closedgap", "tables_displayreading"),
    *("tables_erabegun", "tables_alarmclearing", "tables_devicecredential", "tables_deviceend"),
    *("jackpot_setaside", "settlement_asideproposal"),
    *("settlement_proposal", "settlement_proposaldecision", "settlement_proposalapproval"),
    *("settlement_retypedfigures", "settlement_termsfactor"),
    *("settlement_moneycount", "settlement_finding", "settlement_findingstep"),
    "settlement_taxremittance",
    *("settlement_variancelimit", "settlement_countingrule"),
    *("settlement_exclusion", "settlement_exclusionend", "settlement_exclusionimport"),
    *("settlement_exclusionlook", "settlement_exclusionmatch", "settlement_exclusionstop"),
    *("settlement_closedday", "settlement_daymovement", "settlement_closeddaycheck"),
    *("jackpot_entry", "jackpot_transfer", "jackpot_block", "jackpot_command", "jackpot_terms"),
    *("jackpot_checkpoint", "jackpot_treetile", "jackpot_witnessanswer"),
    *("jackpot_displaymessage", "jackpot_tierstep", "settlement_action", "settlement_checkanswer"),
    *("settlement_staffplay", "settlement_staffplayend", "settlement_secondmanagerlimit"),
    *("settlement_decktick", "settlement_footage", "settlement_note", "settlement_attachment"),
    *("settlement_identification", "settlement_identificationlook", "settlement_sharer"),
    *("settlement_payout", "settlement_slipprint", "settlement_reconciliation"),
    *("settlement_rolechange", "settlement_rolepermissions"),
    *("settlement_handover", "settlement_bundleexport", "settlement_securityevent"),
    *("settlement_factordemand", "settlement_filekey", "settlement_formfiling"),
    "settlement_filingfile",
    "settlement_idlelimit",
    "settlement_escalationpolicy",
    "settlement_jurisdictionchoice",
    "settlement_occasion",
    *("settlement_setupchange", "settlement_setupproposal", "settlement_setupdecision"),
    *("settlement_signature", "settlement_signaturepolicy"),
    *("settlement_signingkey", "settlement_signingkeyend"),
)
REWRITING = ("UPDATE {} SET {} = {}", "DELETE FROM {}", "TRUNCATE {} CASCADE")


def tables() -> dict[str, list[str]]:
    with connection.cursor() as cursor:
        return grants.columns_of_tables(cursor)


@pytest.mark.django_db
def test_every_table_has_its_line_and_no_line_is_stale() -> None:
    assert sorted(tables()) == sorted(grants.WRITES)


@pytest.mark.django_db
def test_a_table_that_nobody_decided_on_is_refused() -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE surprise (id int)")
    with pytest.raises(GrantsError, match="surprise"):
        grants.apply({})


@pytest.mark.django_db
def test_every_append_only_table_is_guarded_by_triggers() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT tgrelid::regclass::text FROM pg_trigger"
            " WHERE tgname IN ('append_only_rows', 'append_only_table') AND tgenabled = 'A'"
        )
        assert {name for (name,) in cursor.fetchall()} == set(APPEND_ONLY)


@pytest.mark.django_db
@pytest.mark.parametrize("table", APPEND_ONLY)
def test_nobody_rewrites_what_was_recorded(table: str) -> None:
    """Not the roles, for want of the right; not the owner, whom triggers refuse."""
    for role in grants.ROLES:
        for statement in REWRITING:
            column = tables()[table][-1]
            with (
                acting_as(role),
                pytest.raises(ProgrammingError, match="permission denied"),
                transaction.atomic(),
                connection.cursor() as cursor,
            ):
                cursor.execute(statement.format(table, column, column))
    with (
        pytest.raises(DatabaseError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(f"TRUNCATE {table} CASCADE")


@pytest.mark.django_db
@pytest.mark.parametrize("role", grants.ROLES)
@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE mine (id int)",
        "CREATE TEMPORARY TABLE jackpot_entry (id int)",
        "DROP TABLE settlement_payout",
        "ALTER TABLE jackpot_transfer DISABLE TRIGGER USER",
        "ALTER TABLE jackpot_transfer DROP CONSTRAINT transfer_positive",
        "DROP TRIGGER append_only_rows ON jackpot_transfer",
        "SET session_replication_role = replica",
        "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql"
        " AS $$ BEGIN RETURN NEW; END $$",
        "CREATE ROLE accomplice SUPERUSER",
        "ALTER TABLE jackpot_transfer OWNER TO CURRENT_USER",
        "SELECT setval(pg_get_serial_sequence('tables_tableevent', 'id'), 1)",
        "SELECT pg_read_file('/etc/hostname')",
    ],
)
def test_no_role_takes_a_guard_off(role: str, statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_trigger")
        before = cursor.fetchone()
        with (
            acting_as(role),
            pytest.raises(ProgrammingError, match=r"permission denied|must be"),
            transaction.atomic(),
        ):
            cursor.execute(statement)
        cursor.execute("SELECT count(*) FROM pg_trigger")
        assert cursor.fetchone() == before


@pytest.mark.django_db
def test_every_guard_reads_the_real_tables() -> None:
    """CREATE OR REPLACE takes the setting off: say it again."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace"
            " AND NOT coalesce(proconfig @> ARRAY['search_path=public, pg_temp'], false)"
        )
        assert cursor.fetchall() == []


# What each process must not be able to do, whoever speaks through it.
FORBIDDEN = [
    ("web", "INSERT INTO jackpot_transfer (system_id) VALUES (1)"),
    ("web", "INSERT INTO jackpot_entry (system_id) VALUES (1)"),
    ("web", "INSERT INTO jackpot_block (system_id) VALUES (1)"),
    ("web", "UPDATE jackpot_head SET seq = seq"),
    ("web", "UPDATE jackpot_account SET balance = 1"),
    ("web", "UPDATE jackpot_hit SET state = 'confirmed'"),
    ("web", "UPDATE jackpot_commandqueue SET taken = 0"),
    ("web", "INSERT INTO tables_tableevent (system_id) VALUES (1)"),
    ("web", "UPDATE auth_user SET is_superuser = true"),
    ("web", "INSERT INTO auth_user_groups (user_id, group_id) VALUES (1, 1)"),
    ("worker", "UPDATE jackpot_command SET first = 'x'"),
    ("worker", "UPDATE jackpot_commandqueue SET taken = 0"),
    ("worker", "UPDATE tables_unitkey SET sealed_key = ''"),
    ("worker", "INSERT INTO settlement_action (claim_id) VALUES (1)"),
    ("worker", "UPDATE jackpot_account SET balance = 1"),
    ("worker", "SELECT password FROM auth_user"),
    ("worker", "SELECT * FROM console_session"),
    ("web", "SELECT * FROM django_session"),
    ("web", "UPDATE auth_user SET password = 'x'"),
    ("web", "INSERT INTO settlement_securityevent (what) VALUES ('x')"),
    ("web", "UPDATE tables_stream SET boot = boot + 1"),
    ("web", "UPDATE tables_stream SET last_seq = last_seq + 1"),
    ("web", "UPDATE tables_stream SET settled = true"),
    ("web", "INSERT INTO tables_stream (system_id) VALUES (1)"),
    ("intake", "UPDATE tables_stream SET table_id = table_id"),
    ("poster", "UPDATE jackpot_head SET system_id = system_id"),
    ("poster", "INSERT INTO jackpot_command (system_id) VALUES (1)"),
    ("poster", "INSERT INTO tables_tableevent (system_id) VALUES (1)"),
    ("poster", "UPDATE jackpot_command SET first = 'x'"),
    ("poster", "INSERT INTO settlement_payout (claim_id) VALUES (1)"),
    ("poster", "SELECT username FROM auth_user"),
    ("intake", "SELECT * FROM jackpot_account"),
    ("intake", "INSERT INTO jackpot_command (system_id) VALUES (1)"),
    ("intake", "SELECT * FROM settlement_claim"),
    ("intake", "UPDATE tables_unitkey SET sealed_key = ''"),
    ("reporting", "SELECT password FROM auth_user"),
    ("reporting", "SELECT sealed_key FROM tables_unitkey"),
    ("web", "SELECT password_hash FROM tables_devicecredential"),
    ("web", "INSERT INTO tables_devicecredential (kind) VALUES ('unit')"),
    ("web", "INSERT INTO tables_deviceend (kind) VALUES ('revoked')"),
    ("intake", "SELECT password_hash FROM tables_devicecredential"),
    ("worker", "INSERT INTO tables_devicecredential (kind) VALUES ('unit')"),
    ("reporting", "SELECT display_key FROM tables_gamingtable"),
    ("reporting", "SELECT * FROM console_session"),
    ("reporting", "SELECT * FROM axes_accesslog"),
    ("reporting", "INSERT INTO tables_alarm (kind) VALUES ('x')"),
]


@pytest.mark.django_db
@pytest.mark.parametrize(("role", "statement"), FORBIDDEN)
def test_what_a_role_may_not_do(role: str, statement: str) -> None:
    with (
        acting_as(role),
        pytest.raises(ProgrammingError, match="permission denied"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)


@pytest.mark.django_db
@pytest.mark.parametrize("role", [role for role in grants.ROLES if role != "reporting"])
def test_every_process_can_ask_whether_its_tables_are_there(role: str) -> None:
    """Its readiness: else it says of a database that answers that it does not."""
    with acting_as(role), connection.cursor() as cursor:
        cursor.execute("SELECT app, name FROM django_migrations")
        assert known_migrations() <= set(cursor.fetchall())


@pytest.mark.django_db
def test_reporting_reads_what_it_needs() -> None:
    house = House(royal_terms())
    with acting_as("reporting"), connection.cursor() as cursor:
        cursor.execute("SELECT sum(balance) FROM jackpot_account")
        assert cursor.fetchone() == (0,)
        cursor.execute("SELECT code, name FROM tables_gamingtable ORDER BY code")
        assert cursor.fetchall() == [("t3", "Table 3"), ("t7", "Table 7")]
        cursor.execute("SELECT username FROM auth_user")
    assert reconcile(house.system).differences == []


@pytest.mark.django_db
@pytest.mark.parametrize("role", grants.ROLES)
def test_no_role_deletes_what_the_product_keeps(role: str) -> None:
    deletable = {
        "tables_outboxmessage",
        "tables_repeatedevent",
        "tables_straggler",
        "jackpot_writer",
        "jackpot_screenrequest",
        "console_session",
        "settlement_savedview",  # a person's own, of how a list looks
        # guarded: what was taken goes after a while, and its event
        "settlement_webhookdelivery",
        "settlement_webhookevent",
        "settlement_providerlogin",  # after a day
        "settlement_notification",  # after NOTIFICATION_DAYS
        "settlement_notificationdelivery",
    }
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.relname FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace"
            " AND c.relkind = 'r' AND has_table_privilege(%s, c.oid, 'DELETE')",
            [grants.PREFIX + role],
        )
        tables = {name for (name,) in cursor.fetchall() if not name.startswith("axes_")}
        assert tables <= deletable
        cursor.execute(
            "SELECT count(*) FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace"
            " AND c.relkind = 'r' AND has_table_privilege(%s, c.oid, 'TRUNCATE, TRIGGER')",
            [grants.PREFIX + role],
        )
        assert cursor.fetchone() == (0,)


@pytest.fixture
def passwords(fresh_database: FreshDatabase) -> Iterator[FreshDatabase]:
    """A database whose reporting role can log in, until the test ends."""
    with connection.cursor() as cursor:
        cursor.execute("ALTER ROLE jackpot_reporting PASSWORD 'for-this-test'")
        yield fresh_database
        cursor.execute("ALTER ROLE jackpot_reporting PASSWORD NULL")


def test_a_role_logs_in_and_reporting_is_read_only_from_the_start(passwords: FreshDatabase) -> None:
    place = urlsplit(passwords.url)
    address = place._replace(
        netloc=f"jackpot_reporting:for-this-test@{place.hostname}:{place.port}"
    )
    with psycopg.connect(urlunsplit(address)) as reporting:
        assert reporting.execute("SHOW default_transaction_read_only").fetchone() == ("on",)
        assert reporting.execute("SELECT count(*) FROM jackpot_entry").fetchone() == (0,)
