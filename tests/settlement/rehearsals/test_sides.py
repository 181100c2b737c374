"""Every place that reads systems knows on which side of a rehearsal it is."""

import re
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.urls import get_script_prefix, reverse, set_script_prefix
from django.utils import timezone
from pytest_django import Settings

from jackpot.transparency import public_addresses
from settlement.floor import table_transfer
from settlement.models import Notification
from settlement.notifications import personal_list
from settlement.people.provider.house import redirect_address
from settlement.people.rights.permissions import Reauthenticated
from settlement.people.rights.roles import held
from tables.models import GamingTable, JackpotSystem
from tables.visibility.rehearsals import inside_rehearsal
from tests.support.cases.confirmed_house import person
from tests.support.houses.rehearsals import CODE, RehearsalHouse
from tests.support.pages.page_staff import logged_in
from tests.support.people.cast import ClaimHouse
from tests.support.people.permissions.authorisation import refused
from tests.support.people.roles import acting_as, owner_without_guards
from tests.support.suite.kept_house import kept_house
from verifier.check import look

PROJECT = Path(__file__).resolve().parents[3]
_READS = re.compile(
    r"JackpotSystem\.(?:objects|_base_manager)(?!\.(?:for_money|rehearsals)\()|tables_jackpotsystem"
)

# What a person is shown: the managers leave the other side out, and pages that are not named in
# OPEN_INSIDE are closed there.
ROOMS = ("settlement/pages/", "settlement/api/", "settlement/search/")
# Reports join systems to those of `Filters.systems`, which are none of a rehearsal.
BY_FILTERS = "settlement/reports/catalogue/"
# Why each other place reads them as it does.
OTHERS = {
    "what a person sees": """
        settlement/audit/trail.py settlement/claims/lookup.py settlement/floor/incidents.py
        settlement/people/rights/roles.py settlement/people/programs/tokens.py
        settlement/pools/status.py
        settlement/set_up/casinos.py
    """,
    "of systems that the caller names": """
        settlement/closing/table_days.py settlement/dashboard/figures.py
        settlement/floor/table_transfer.py settlement/people/programs/programs.py
        settlement/reports/manifest.py
    """,
    "says in the query that rehearsals do not count": """
        settlement/payments/register.py settlement/sql/paid_to_players.sql
        settlement/sql/likely_to_be_each.sql settlement/sql/numbers_of_players.sql
        settlement/sql/paid_to_sharers.sql
        settlement/sql/table_may_move.sql settlement/sql/identifications_of_player.sql
    """,
    "players of one side are nobody on the other (player_reference)": """
        settlement/jurisdiction/persons_day.py
    """,
    "what a listener makes of it: webhooks nothing, notifications the page alone": """
        settlement/events/reading.py
    """,
    "each order is written, shown, proven and reconciled, whatever it is of": """
        jackpot/audit/replay.py jackpot/display/live.py jackpot/display/tasks.py
        jackpot/management/commands/checkpoint_key.py
        jackpot/management/commands/log_proof.py jackpot/management/commands/replay.py
        jackpot/meter/content.py jackpot/meter/views.py jackpot/storage/loading.py
        jackpot/storage/pinned_read.py
        jackpot/transparency/checkpoints.py jackpot/transparency/witnesses.py
        jackpot/writer/leases.py jackpot/writer/pending.py jackpot/writer/receipts.py
        settlement/archives/writing.py settlement/audit/authorisation.py
        settlement/audit/reconciliation.py settlement/audit/recorded_rows.py
        settlement/backups/trial.py settlement/exclusions/long_files.py
        settlement/exclusions/paid_persons.py
        settlement/management/commands/begin_era.py
        settlement/tasks.py tables/intake/boots/eras.py tables/intake/heartbeat.py
        tables/intake/outbox.py tables/keys.py tables/protocol/table_ref.py
        tables/sql/system_stays.sql tables/sql/tell_what_is_held.sql
    """,
    "each system is measured and examined by its code; rules of alerts leave rehearsals out": """
        jackpot/metrics.py jackpot/writer/readiness.py settlement/doctor/backlog.py
        settlement/doctor/mqtt_broker.py settlement/metrics.py tables/metrics.py
        tables/telemetry/traces.py
    """,
    "what was posted in a rehearsal was folded by the casino's day as well": """
        settlement/set_up/house_rules.py
    """,
    "a role's rights, and the words of a refusal": """
        settlement/database_roles/grants.py settlement/people/shared/database_calls.py
    """,
}
# Guards and functions that ask of one row which casino it is of, or whether anything is posted.
OF_ONE_ROW = """
    add_program program_stays_as_made
    act_is_signed act_of action_is_to_be_signed adjusted_on_this_day close_has_its_figures
    exclusions_in_force
    count_is_in_the_order device_is_written_down exclusion_is_matched has_permission is_recorded
    is_unposted issue_device missed_rounds_have_a_limit missed_rounds_left nobody_signs_as_another
    one_manager_may open_casino put_into_service
    received_table_had_left record_says_who records_of_the_casino rekey_table rename_table
    revoke_device set_up_casino set_up_is_written_down set_up_system set_up_tables set_up_webhook
    shown_of_screen systems_of_screen table_moves_by_the_order variance_opens_a_finding
"""


def _readers() -> set[str]:
    return {
        str(path.relative_to(PROJECT))
        for floor in ("settlement", "jackpot", "tables")
        for kind in ("*.py", "*.sql")
        for path in sorted((PROJECT / floor).rglob(kind))
        if "migrations" not in path.parts and _READS.search(path.read_text())
    }


def _texts_named() -> set[str]:
    others = {name for names in OTHERS.values() for name in names.split()}
    return others | {f"settlement/sql/{name}.sql" for name in OF_ONE_ROW.split()}


def test_who_reads_systems_says_on_which_side() -> None:
    """A new place is named here before it counts money, or asks `for_money()`."""
    assert {
        name for name in _readers() if not name.startswith((*ROOMS, BY_FILTERS))
    } == _texts_named()


house = kept_house(ClaimHouse)


@pytest.fixture
def rehearsal(house: ClaimHouse) -> RehearsalHouse:
    rehearsal = RehearsalHouse(house)
    rehearsal.take_to_the_end()
    return rehearsal


@pytest.mark.django_db
@pytest.mark.parametrize("role", ["web", "worker", "intake", "poster", "reporting", None])
def test_nobody_changes_what_a_system_is(role: str | None) -> None:
    """Neither a real one into a rehearsal nor the other way round, the owner included."""
    house = ClaimHouse()
    RehearsalHouse(house)
    for was, target in (("main", "rehearsal-x"), (CODE, "annex")):
        change = f"UPDATE tables_jackpotsystem SET code = '{target}' WHERE code = '{was}'"
        with (
            acting_as(role) if role else transaction.atomic(),
            pytest.raises(Exception, match=r"stays what it was made|permission denied"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(change)


@pytest.mark.django_db
def test_the_code_stands_in_the_hash_of_each_block(rehearsal: RehearsalHouse) -> None:
    """Whoever takes the guard off and renames it breaks the chain."""
    with owner_without_guards("tables_jackpotsystem"):
        JackpotSystem.objects.filter(code=CODE).update(code="annex")
    connection.ensure_connection()
    report = look(connection.connection, system="annex", settled=False)
    assert any(kind == "hash chain" for kind, _ in report.findings), report.lines()


@pytest.mark.django_db
def test_the_verifier_names_a_rehearsal(rehearsal: RehearsalHouse) -> None:

    connection.ensure_connection()
    report = look(connection.connection, settled=False)
    assert report.ok, report.lines()
    assert [each for each in report.remarks if "money is not real" in each] == [
        f"system {CODE} is a rehearsal: its money is not real"
    ]


@pytest.mark.django_db
def test_what_is_outside_sees_none_of_it(rehearsal: RehearsalHouse) -> None:
    for name in ("ines", "mere", "sione", "aroha"):
        user = User.objects.get(username=name)
        scope = held(user).visible
        assert scope is not None
        assert rehearsal.system.pk not in scope.systems
        with inside_rehearsal():
            inside = held(user).visible
        assert inside is not None
        assert inside.systems == {rehearsal.system.pk}
    for page in ("home", "claims", "pools", "tables", "terms", "reconciliation", "payouts"):
        answer = logged_in("mere").get(reverse(page))
        assert answer.status_code == 200
        assert CODE not in answer.content.decode().lower(), page
    assert logged_in("mere").get(f"/claims/{CODE}/1/").status_code == 404
    for page in ("systems", "claims", "payouts", "pools"):
        assert CODE not in logged_in("ines").get(f"/api/{page}/").content.decode().lower()


@pytest.mark.django_db
def test_what_is_of_no_system_is_told_outside_alone(rehearsal: RehearsalHouse) -> None:
    mere = person("mere")
    values = {"data": {}, "source": "set_up", "row": 1, "at": timezone.now(), "permission": ""}
    of_none = Notification.objects.create(
        person=mere, on_page=True, kind="set_up.decided", **values
    )
    assert personal_list.own(mere, held(mere).visible).filter(pk=of_none.pk).exists()
    with inside_rehearsal():
        assert not personal_list.own(mere, held(mere).visible).filter(pk=of_none.pk).exists()
        personal_list.read(mere, held(mere).visible)
    of_none.refresh_from_db()
    assert of_none.read_at is None


def test_links_that_leave_the_console_lead_outside(settings: Settings) -> None:
    """On slips, displays and at the log-in provider, whatever they are made inside of."""
    settings.PUBLIC_ORIGIN = "https://jackpots.example"
    settings.CONSOLE_ORIGIN = "https://console.example"
    before = get_script_prefix()
    set_script_prefix("/rehearsal/")
    try:
        public = "https://jackpots.example/meter/"
        assert public_addresses.of_tier(CODE, "royal").startswith(public)
        assert public_addresses.of_block(CODE, 1, "ab" * 32).startswith(public)
        assert redirect_address() == "https://console.example/login/provider/back/"
    finally:
        set_script_prefix(before)


@pytest.mark.django_db
def test_a_table_never_moves_into_a_rehearsal(house: ClaimHouse, rehearsal: RehearsalHouse) -> None:
    table = GamingTable.objects.get(system=house.system, code="t7")
    assert not table_transfer.destinations(table).exists()
    proposal = table_transfer.propose(
        table, person("mere"), to=rehearsal.system, code="t7", reason="Closer to the cage"
    )
    with acting_as("web"), refused("moving: no such table"):
        table_transfer.agree(proposal, Reauthenticated(person("david")))
