"""Whoever has the web role's password alone acts in nobody's name: who acts shows a log-in."""

from __future__ import annotations

import base64
import json
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.utils import DatabaseError
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from settlement.claims import services as claims
from settlement.models import Claim, ConsoleSession, Handover, Note
from settlement.people.passwords import SealedArgon2PasswordHasher
from settlement.people.rights import roles
from settlement.people.sessions.session_store import SessionStore, hashed
from settlement.people.shared import presence
from tables.alarms import raise_alarm
from tables.models import Alarm, GamingTable
from tests.support.pages.handover import PAGE, form
from tests.support.pages.page_staff import logged_in
from tests.support.people.access.log_ins import proof
from tests.support.people.cast import PASSWORD, ClaimHouse
from tests.support.people.permissions.permission_then import CASES, REQUIRED, WRITE, behind
from tests.support.people.permissions.permission_then import house as recorded_house  # noqa: F401 - a fixture
from tests.support.people.roles import acting_as
from tests.support.suite.kept_house import kept_house

pytestmark = pytest.mark.django_db
REFUSED = "log-in: .* is not there|log-in: .*, who says .*, is not there"
NOTE = "/claims/main/1/notes/"
SESSION = "SELECT current_setting('jackpot.shown', true)"


def build_house() -> ClaimHouse:
    house = ClaimHouse()
    house.hit_royal()
    claims.catch_up(house.system)
    raise_alarm("quarantine", "main/t3", "x", house.system)
    return house


house = kept_house(build_house, CLAIM_WAIT_S=0)


@pytest.fixture
def true_passwords(house: ClaimHouse, settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["settlement.people.passwords.SealedArgon2PasswordHasher"]
    hasher = SealedArgon2PasswordHasher()
    User.objects.update(password=hasher.encode(PASSWORD, "saltsaltsaltsaltsaltsa"))


def person(name: str) -> User:
    return User.objects.get(username=name)


def ask(statement: str, *params: Any) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(statement, params)
        return cursor.fetchone() if cursor.description else None


def action(kind: str) -> Callable[[str], None]:
    return lambda name: ask(
        "INSERT INTO settlement_action (claim_id, kind, person_id, at, body, key)"
        " VALUES (%s, %s, %s, now(), '{}', gen_random_uuid())",
        Claim.objects.get().pk,
        kind,
        person(name).pk,
    )


def note(name: str) -> None:
    ask(
        "INSERT INTO settlement_note (claim_id, person_id, text, at, key)"
        " VALUES (%s, %s, 'x', now(), gen_random_uuid())",
        Claim.objects.get().pk,
        person(name).pk,
    )


def look(name: str) -> None:
    claim = Claim.objects.get().pk
    ask("SELECT * FROM look_at_identification(%s, %s, 'pay')", claim, person(name).pk)


def suspend(name: str) -> None:
    ask(
        "INSERT INTO jackpot_command (system_id, number, kind, body, first, issued_at, key)"
        " SELECT id, (SELECT max(number) + 1 FROM jackpot_command), 'suspend', '{}', %s, now(),"
        " gen_random_uuid() FROM tables_jackpotsystem",
        name,
    )


def clear(name: str) -> None:
    ask(
        "INSERT INTO tables_alarmclearing (alarm_id, at, cleared_by, note)"
        " VALUES (%s, now(), %s, 'x')",
        Alarm.objects.get().pk,
        name,
    )


def plays(name: str) -> None:
    ask(
        "INSERT INTO settlement_staffplay (table_id, person_id, said_by_id, since, at, note)"
        " VALUES (%s, %s, %s, now(), now(), '')",
        GamingTable.objects.all()[0].pk,
        person("tane").pk,
        person(name).pk,
    )


def propose(name: str) -> None:
    ask(
        "INSERT INTO settlement_proposal (system_id, kind, subject, body, person_id, at, key)"
        " SELECT id, 'adjust_pool', 'x', '{}', %s, now(), gen_random_uuid()"
        " FROM tables_jackpotsystem",
        person(name).pk,
    )


FORGED: dict[str, tuple[Callable[[str], None], str]] = {
    "a verification": (action("verify"), "sione"),
    "a report typed again": (action("amend"), "sione"),
    "a rejection proposed": (action("propose_rejection"), "sione"),
    "a dispute": (action("dispute"), "sione"),
    "a note": (note, "tane"),
    "a look at who the player is": (look, "aroha"),
    "a suspension": (suspend, "sione"),
    "an alarm cleared": (clear, "mere"),
    "play of staff": (plays, "tane"),
    "a proposal": (propose, "mere"),
}


def everything_but_a_log_in(name: str) -> dict[str, str]:
    """What a thief of the role's password can read, make or have of their own, to show it."""
    of_theirs: Any = SessionStore()
    of_theirs.create()
    live = ConsoleSession.objects.filter(person=person(name)).values_list("session_key", flat=True)
    another = logged_in("nobody").cookies["sessionid"].value
    seal = person(name).password.split("$")[-1] + "="
    return {
        "nothing": "",
        "what the table has of a live session": " ".join(live),
        "a session of nobody's": of_theirs.session_key,
        "the session of somebody else": another,
        "the seal of the password": base64.b64decode(seal).hex() if len(seal) == 44 else "00" * 32,
        "a guess": "00" * 32,
        "what is no key": "x' 1 \\x00 *",
    }


@pytest.mark.parametrize("what", FORGED)
def test_an_act_is_refused_without_a_log_in(
    house: ClaimHouse, true_passwords: None, what: str
) -> None:
    """Even of somebody who is logged in elsewhere, in a browser whose key nobody else has."""
    forge, name = FORGED[what]
    logged_in(name)
    for key, it in everything_but_a_log_in(name).items():
        with acting_as("web", logged_in=False), transaction.atomic():
            ask("SELECT set_config('jackpot.shown', %s, true)", it)
            with pytest.raises(DatabaseError, match=REFUSED):
                forge(name)
            transaction.set_rollback(True)
        assert key


@pytest.mark.parametrize("what", FORGED)
def test_the_same_by_who_is_logged_in_is_not(house: ClaimHouse, what: str) -> None:
    """What else the action lacks, its other guards say at the end of the transaction."""
    forge, name = FORGED[what]
    with acting_as("web", logged_in=False), transaction.atomic():
        ask(
            "SELECT set_config('jackpot.shown', %s, true)",
            logged_in_as_owner(name),
        )
        assert "log-in: " not in said_to(forge, name)
        transaction.set_rollback(True)


def said_to(forge: Callable[[str], None], name: str) -> str:
    try:
        forge(name)
    except DatabaseError as error:
        return str(error)
    return ""


def logged_in_as_owner(name: str) -> str:
    with acting_as(None):
        key: str = logged_in(name).cookies["sessionid"].value
    return key


def test_every_recorded_table_asks_for_who_acts(
    recorded_house: ClaimHouse,  # noqa: F811 - the fixture
) -> None:
    """Of each column that names somebody who must be permitted, but the first who skips."""
    anna, sione = (User.objects.create(username=name) for name in ("anna", "at the screen"))
    for each in (anna, sione):
        for role in roles.ROLES:
            roles.grant(each, role)
    there = SessionStore()
    there.create()
    ConsoleSession.objects.update(person=sione)
    passed = set()
    for row, (source, column, kind, _allowed) in enumerate(CASES, 10_000):
        fields = behind(source, kind, recorded_house)
        for is_other in (False, True):
            names = dict.fromkeys(REQUIRED[source], sione) | ({column: anna} if is_other else {})
            body = fields | {
                each: who.pk if each.endswith("_id") else who.username
                for each, who in names.items()
            }
            refusal = refusal_of(
                there.session_key, recorded_house.system.pk, source, row * 2 + is_other, body
            )
            assert is_other or not refusal, (source, kind, refusal)
            if is_other and not refusal:
                passed.add((source, column))
            assert not refusal or "is not there" in refusal
    assert passed == {("jackpot_setaside", "first")}


def refusal_of(key: str | None, system: int, source: str, row: int, body: dict[str, Any]) -> str:
    with acting_as("web", logged_in=False):
        try:
            with transaction.atomic():
                ask("SELECT set_config('jackpot.shown', %s, true)", key)
                ask(WRITE, system, source, row, json.dumps(body))
        except DatabaseError as error:
            return str(error)
    return ""


def test_a_session_whose_time_is_over_does_not_count(house: ClaimHouse) -> None:
    client = logged_in("tane")
    key = client.cookies["sessionid"].value
    ConsoleSession.objects.filter(session_key=hashed(key)).update(expire_date=timezone.now())
    with acting_as("web", logged_in=False), transaction.atomic():
        ask("SELECT set_config('jackpot.shown', %s, true)", key)
        with pytest.raises(DatabaseError, match=REFUSED):
            note("tane")
        transaction.set_rollback(True)


def test_a_log_in_acts_on_the_pages_and_nothing_is_left_on_the_connection(
    house: ClaimHouse, true_passwords: None
) -> None:
    """From the log-in on, as the web process does it."""
    with acting_as("web", logged_in=False):
        client = Client()
        answer = client.post("/login/", {"username": "tane", "password": PASSWORD})
        assert answer.status_code == 302
        form = {"key": str(uuid.uuid4()), "text": "Camera 12 was cleaned"}
        assert client.post(NOTE, form).status_code == 302
        assert not ask(SESSION)[0]
        client.post("/logout/")
        client.post(NOTE, form | {"key": str(uuid.uuid4())})
        assert not ask(SESSION)[0]
    assert Note.objects.count() == 1


def test_a_program_acts_with_name_and_password(house: ClaimHouse, true_passwords: None) -> None:
    credentials = base64.b64encode(f"tane:{PASSWORD}".encode()).decode()
    with acting_as("web", logged_in=False):
        answer = Client().post(
            "/api/claims/main-1/notes/",
            {"text": "Camera 12 was cleaned"},
            content_type="application/json",
            headers={"Authorization": f"Basic {credentials}", "Idempotency-Key": str(uuid.uuid4())},
        )
        assert answer.status_code in (200, 201), answer.content
        assert not ask(SESSION)[0]
    assert Note.objects.get().person.username == "tane"


def test_two_sign_at_one_screen(house: ClaimHouse, true_passwords: None) -> None:
    fields = form()
    client = logged_in("mere")
    with acting_as("web", logged_in=False):
        answer = client.post(PAGE, fields)
        assert answer.status_code == 302, answer.content
    assert Handover.objects.count() == 1


def test_a_new_connection_is_told_too(house: ClaimHouse, true_passwords: None) -> None:
    """The pool may give another one in the middle of a request."""
    tane: Any = person("tane")
    tane.proof = proof(tane)
    before = presence._session.set("")
    try:
        presence.show_password(tane)
        with acting_as("web", logged_in=False):
            presence._on_connection(connection)
            note("tane")
            presence._session.set("")
            presence._forget(presence._tell)
            with pytest.raises(DatabaseError, match=REFUSED), transaction.atomic():
                note("tane")
    finally:
        presence._session.reset(before)


def test_a_log_in_that_ends_meanwhile_is_said_in_words(
    house: ClaimHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "show", lambda _key: None)
    client = logged_in("tane")
    form = {"key": str(uuid.uuid4()), "text": "Camera 12 was cleaned"}
    with acting_as("web", logged_in=False):
        answer = client.post(NOTE, form)
        assert (answer.status_code, answer["Location"]) == (302, "/login/?next=/")
        page = client.post(
            "/api/claims/main-1/notes/",
            {"text": "x"},
            content_type="application/json",
            headers={"Idempotency-Key": str(uuid.uuid4())},
        )
        assert (page.status_code, page.json()["code"]) == (401, "not_authenticated")
    assert not Note.objects.exists()
