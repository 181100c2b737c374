"""Keys of units as they are issued: sealed by whoever issues them, and by nobody else."""

import pytest
from django.core.checks import run_checks
from django.db import connection
from pytest_django import Settings

from settlement.core.errors import WrongState
from settlement.set_up import casinos
from settlement.set_up.casinos import NewTable
from tables import keys
from tables.models import DeviceCredential, GamingTable, UnitKey
from tests.support.people.roles import acting_as
from tests.support.people.set_up import user
from tests.support.units.devices import is_heard, issue, revoke, rotate, unit_of

KEY = "5e" * 32


@pytest.mark.django_db
def test_no_key_that_a_page_shows_is_anywhere_in_the_database(
    t7: GamingTable, settings: Settings
) -> None:
    settings.UNIT_KEYS_KEY = KEY
    first = issue(unit_of(t7))
    second = rotate(first)
    with acting_as("web"):
        tables = casinos.make_tables(user("hana"), t7.system, [NewTable("t90", "Table 90")])
        fresh = casinos.rekey_table(user("hana"), GamingTable.objects.get(code="t90"))
    secrets = [KEY, first.key, second.key, tables[0].key, fresh.key]
    assert all(len(each) == 64 for each in secrets)
    for name in connection.introspection.table_names():
        with connection.cursor() as cursor:
            cursor.execute(f'SELECT one::text FROM "{name}" AS one')
            rows = [text.lower() for (text,) in cursor.fetchall()]
        assert not any(secret in row for row in rows for secret in secrets), name
    assert is_heard(t7, first.key, 1)
    assert is_heard(t7, second.key, 2)


@pytest.mark.django_db
def test_without_the_sealing_key_nothing_is_issued_and_a_revocation_works(
    t7: GamingTable, settings: Settings
) -> None:
    settings.UNIT_KEYS_KEY = KEY
    first = issue(unit_of(t7))
    before = list(UnitKey.objects.order_by("pk").values())
    settings.UNIT_KEYS_KEY, settings.DEMO = "", False
    for act in (
        lambda: rotate(first),
        lambda: casinos.make_tables(user("hana"), t7.system, [NewTable("t91", "Table 91")]),
    ):
        with pytest.raises(WrongState, match="UNIT_KEYS_KEY is not set in this process"):
            act()
    assert list(UnitKey.objects.order_by("pk").values()) == before
    assert DeviceCredential.objects.count() == 1
    revoke(first)
    settings.UNIT_KEYS_KEY = KEY
    assert not is_heard(t7, first.key, 1)
    assert keys.key_of(t7) == ""


@pytest.mark.parametrize(
    ("key", "demo", "faults"),
    [(KEY, False, 0), ("", False, 1), ("short", False, 1), ("", True, 0), ("short", True, 1)],
)
def test_the_check_of_a_deployment_asks_for_it(
    key: str, demo: bool, faults: int, settings: Settings
) -> None:
    settings.UNIT_KEYS_KEY, settings.DEMO = key, demo
    errors = [
        each for each in run_checks(include_deployment_checks=True) if "UNIT_KEYS" in each.msg
    ]
    assert len(errors) == faults
    assert not [each for each in run_checks() if "UNIT_KEYS" in each.msg]  # a worker has none
