"""PostgreSQL, rights and guards: each as it is made, and after somebody changed it."""

from typing import Any

import pytest
from django.db import connection
from pytest_django import Settings

from settlement.audit import file_keys
from settlement.database_roles import in_force, limits
from settlement.doctor import rights, server
from settlement.doctor.examination import State, series
from settlement.doctor.server import SERVER
from tests.support.people.roles import acting_as

pytestmark = pytest.mark.django_db

WRONG_FACTS: list[tuple[str, dict[str, Any], State]] = [
    ("version", {"server_version_num": "140009"}, State.WRONG),
    ("encoding", {"server_encoding": "SQL_ASCII"}, State.WRONG),
    ("collation", {"collation_made": "2.31", "collation_now": "2.36"}, State.WRONG),
    ("checksums", {"data_checksums": "off"}, State.ATTENTION),
    ("durability", {"fsync": "off"}, State.WRONG),
    ("connections", {"max_connections": "50"}, State.WRONG),
    ("connections", {"max_connections": "110", "connections": 105}, State.ATTENTION),
    ("logged_statements", {"log_statement": "all"}, State.WRONG),
    ("logged_statements", {"log_min_duration_statement": "100"}, State.WRONG),
    ("logged_statements", {"log_min_error_statement": "error"}, State.ATTENTION),
    ("logged_statements", {"log_error_verbosity": "default"}, State.ATTENTION),
    ("schema", {"migrations": []}, State.WRONG),
    ("process_role", {"is_superuser": True}, State.ATTENTION),
    ("process_role", {"is_superuser": False, "role": "guest"}, State.ATTENTION),
]
GOOD_FACTS: dict[str, Any] = {
    "collation_made": "2.36",
    "collation_now": "2.36",
    "data_checksums": "on",
    **dict.fromkeys(("fsync", "full_page_writes", "synchronous_commit"), "on"),
    "max_connections": "110",
    "connections": 20,
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "is_superuser": False,
    "role": "jackpot_web",
}


def judged(name: str, facts: dict[str, Any]) -> State:
    (check,) = (each for each in SERVER.checks if each.code == f"database.{name}")
    return check.judge(facts).state


@pytest.mark.parametrize(("name", "facts", "state"), WRONG_FACTS)
def test_what_is_not_good_is_named(name: str, facts: dict[str, Any], state: State) -> None:
    assert judged(name, {**server.look(), **GOOD_FACTS, **facts}) == state


def test_a_server_as_compose_makes_it_is_good() -> None:
    facts = {**server.look(), **GOOD_FACTS}
    states = {each.code: each.judge(facts).state for each in SERVER.checks}
    assert set(states.values()) == {State.GOOD}, states


def test_tables_of_a_newer_version_are_named() -> None:
    facts = server.look()
    facts["migrations"].append(["settlement", "9999_later"])
    assert "9999_later" in server.schema(facts).finding


def test_rights_are_looked_at_as_the_owner_alone() -> None:
    assert server.is_owner(server.look())
    with acting_as("web"):
        facts = server.look()
    assert facts["role"] == "jackpot_web"
    assert not server.is_owner(facts)


def execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


RIGHTS = [
    ("GRANT UPDATE ON jackpot_transfer TO jackpot_web", "+ jackpot_web: UPDATE jackpot_transfer"),
    (
        "GRANT SELECT (password) ON auth_user TO jackpot_reporting",
        "+ jackpot_reporting: SELECT auth_user.password",
    ),
    ("REVOKE INSERT ON tables_tableevent FROM jackpot_intake", "- jackpot_intake: INSERT"),
    ("GRANT CREATE ON SCHEMA public TO jackpot_worker", "+ jackpot_worker: CREATE public"),
    (
        "GRANT EXECUTE ON FUNCTION change_password(integer, bytea, text) TO jackpot_poster",
        "+ jackpot_poster: EXECUTE change_password",
    ),
    ("CREATE TABLE surprise (id int)", "? surprise"),
]


def test_rights_and_guards_are_as_they_were_made() -> None:
    assert in_force.differing_rights() == []
    assert in_force.differing_guards() == []
    assert in_force.strong_roles() == []
    facts = rights.look()
    assert facts.missing == ()
    for judge in (rights.roles, rights.role_limits, rights.rights, rights.guards):
        assert judge(facts).state == State.GOOD, judge(facts)
    assert rights.strong_roles(facts).state == State.GOOD
    assert rights.role_marks(facts).state == State.GOOD


def test_a_key_of_files_that_the_owner_did_not_write_down_is_wrong(settings: Settings) -> None:
    facts = rights.look()
    assert rights.file_key(facts).state == State.GOOD  # none is set
    settings.BUNDLE_SIGNING_KEY = "22" * 32
    assert rights.file_key(facts).state == State.WRONG
    file_keys.begin()
    assert rights.file_key(facts).state == State.GOOD


def test_each_right_too_many_or_too_few_is_named() -> None:
    for statement, _difference in RIGHTS:
        execute(statement)
    differences = in_force.differing_rights()
    assert len(differences) == len(RIGHTS), differences
    for _statement, difference in RIGHTS:
        assert any(each.startswith(difference) for each in differences), (difference, differences)
    point = rights.rights(rights.look())  # they were looked at, and left as they are
    assert (point.state, series(differences) in point.finding) == (State.WRONG, True)


GUARDS = [
    (
        "ALTER TABLE jackpot_transfer DISABLE TRIGGER append_only_rows",
        "jackpot_transfer.append_only_rows: off",
    ),
    (
        "ALTER TABLE jackpot_transfer ENABLE TRIGGER append_only_rows",
        "jackpot_transfer.append_only_rows: off",
    ),
    (
        "DROP TRIGGER append_only_table ON tables_tableevent",
        "tables_tableevent.append_only_table: missing",
    ),
    (
        "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql"
        " SET search_path = public, pg_temp AS $$ BEGIN RETURN NEW; END $$",
        "refuse_change(): other text",
    ),
    ("ALTER FUNCTION is_there(integer) RESET search_path", "is_there(): search_path"),
    (
        "CREATE TRIGGER mine BEFORE INSERT ON jackpot_hit FOR EACH ROW"
        " EXECUTE FUNCTION refuse_change();"
        " ALTER TABLE jackpot_hit ENABLE ALWAYS TRIGGER mine",
        "jackpot_hit.mine: unknown",
    ),
]


@pytest.mark.parametrize(("statement", "fault"), GUARDS)
def test_each_guard_that_was_touched_is_named(statement: str, fault: str) -> None:
    execute(statement)
    assert in_force.differing_guards() == [fault]
    assert rights.guards(rights.look()).state == State.WRONG


def test_a_role_that_owns_something_is_named() -> None:
    execute("GRANT CREATE ON SCHEMA public TO jackpot_worker")
    execute("CREATE TABLE mine (id int)")
    execute("ALTER TABLE mine OWNER TO jackpot_worker")
    assert in_force.strong_roles() == ["mine"]
    assert rights.strong_roles(rights.look()).state == State.WRONG


def test_limits_that_somebody_moved_are_named() -> None:
    execute("ALTER ROLE jackpot_reporting CONNECTION LIMIT 5")
    point = rights.role_limits(rights.look())
    assert (point.state, "jackpot_reporting" in point.finding) == (State.WRONG, True)
    assert limits.LIMITS["reporting"].connections != 5


def test_settings_that_a_role_gave_itself_are_named() -> None:
    execute("ALTER ROLE jackpot_web SET search_path = other")
    point = rights.role_marks(rights.look())
    assert (point.state, "jackpot_web" in point.finding) == (State.WRONG, True)


def test_functions_that_everybody_may_call_are_named() -> None:
    assert rights.free_functions(rights.look()).state == State.GOOD
    execute("GRANT EXECUTE ON FUNCTION lo_create(oid) TO PUBLIC")
    assert rights.free_functions(rights.look()).state == State.WRONG
