"""What happened at the doors is written down, for those who may read it, and nothing secret."""

import pytest
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from settlement.models import AccessNote, SecurityEvent
from settlement.people.rights import roles
from settlement.people.shared import security_log
from tables.models import Casino
from tests.support.pages.page_staff import logged_in, words
from tests.support.people.cast import PASSWORD, ClaimHouse
from tests.support.people.roles import acting_as
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer", "house")]

LOG = "/audit-trail/"
FROM = "10.0.0.5"
NEW = "a-new-one-of-sixteen"


def build_house() -> ClaimHouse:
    house = ClaimHouse()
    house.hit_royal()
    return house


house = kept_house(build_house)


def notes_of(what: str) -> list[tuple[str, str, str]]:
    notes = AccessNote.objects.filter(what=what).order_by("pk")
    return list(notes.values_list("username", "address", "detail"))


def log_in(name: str, password: str = PASSWORD) -> Client:
    browser = Client(REMOTE_ADDR=FROM)
    browser.post("/login/", {"username": name, "password": password})
    return browser


def test_what_happens_at_the_doors_is_written_down(settings: Settings) -> None:
    sealed = "settlement.people.passwords.SealedArgon2PasswordHasher"
    settings.PASSWORD_HASHERS = [sealed, *settings.PASSWORD_HASHERS]
    User.objects.update(password=make_password(PASSWORD))
    mere = log_in("mere")
    mere.post("/logout/")
    assert notes_of("came_from") == [("mere", FROM, "of a log-in")]
    assert notes_of("logged_out") == [("mere", FROM, "")]

    for _ in range(6):
        log_in("sione", "wrong-and-long-enough")
    log_in("my-secret-password", "x")
    assert notes_of("failed") == [("sione", FROM, "/login/")] * 5 + [("", FROM, "/login/")]
    assert notes_of("locked") == [("sione", FROM, "for 15 minutes")]

    aroha = log_in("aroha")
    changed = {"present": PASSWORD, "new": NEW, "again": NEW}
    assert aroha.post("/password/", changed).status_code == 302
    assert notes_of("came_from")[-1] == ("aroha", FROM, "of a changed password")
    aroha.post("/lock/")
    for _ in range(5):
        aroha.post("/locked/", {"pin": "000000"})
    assert notes_of("ended") == [("aroha", FROM, "wrong PINs")]
    assert notes_of("failed")[-1] == ("aroha", FROM, "PIN")

    tane = log_in("tane")
    assert tane.get("/reports/payouts/").status_code == 403
    assert tane.post("/api/stops/", {}, "application/json").status_code in (403, 405)
    (first, *_) = notes_of("refused")
    assert first[:2] == ("tane", FROM)
    assert first[2].startswith("/reports/payouts/: Your role does not allow this")
    answer = log_in("ines").post("/reports/payouts/export/", {"format": "csv"})
    assert answer.status_code == 302
    ((who, where, report),) = notes_of("exported")
    assert (who, where) == ("ines", FROM)
    assert report.startswith("payouts #")

    text = str(list(AccessNote.objects.values_list()))
    assert "my-secret" not in text
    assert PASSWORD not in text
    assert NEW not in text


def test_a_refused_act_of_the_api_is_written_down_too() -> None:
    client = logged_in("aroha")
    answer = client.post("/api/claims/main-1/verify/", {}, "application/json")
    assert answer.status_code == 403
    ((who, _, detail),) = notes_of("refused")
    assert who == "aroha"
    assert detail.startswith("/api/claims/main-1/verify/: Your role does not allow this")


def test_compliance_reads_it_by_person_address_and_day() -> None:
    for name in ("mere", "sione"):
        log_in(name)
    log_in("mere", "wrong-and-long-enough")
    ines = logged_in("ines")
    page = words(ines.get(LOG))
    assert f"mere {FROM} Wrong password" in page
    only = words(ines.get(LOG, {"person": "mere", "address": FROM})).split("Show all", 1)[1]
    assert "Wrong password" in only
    assert f"{FROM} Logged in" in only
    assert "Person added" not in only  # by the server, from nowhere
    assert "No such event" in words(ines.get(LOG, {"to": "2020-01-01"}))
    assert "No such event" in words(ines.get(LOG, {"address": "10.9"}))
    today = timezone.now().date().isoformat()
    assert "No such event" not in words(ines.get(LOG, {"from": today[:8] + "01"}))


def test_log_ins_passwords_people_and_tokens_are_those_of_the_database() -> None:
    """And what the web process noted of them under a version before is not read."""
    settled = {"what": "token_issued", "username": "mere", "by": "jackpot_web", "detail": "till"}
    SecurityEvent.objects.create(at=timezone.now(), **settled)
    User.objects.filter(username="mere").update(password="!")
    with connection.cursor() as cursor:
        cursor.execute(
            "ALTER TABLE settlement_accessnote DROP CONSTRAINT access_note_is_of_the_web"
        )
        cursor.execute(
            "INSERT INTO settlement_accessnote (what, username, address, detail)"
            " VALUES ('logged_in', 'mere', '10.6.6.6', ''), ('password', 'mere', '10.6.6.6', '')"
        )
    ines = logged_in("ines")
    page = words(ines.get(LOG, {"person": "mere", "area": "access"})).split("Show all")[1]
    assert "10.6.6.6" not in page
    assert "Access token issued mere database role: jackpot_web; detail: till" in page
    assert "Password changed" in page
    assert "Person added" in page


def test_who_was_dismissed_stays_in_the_log_of_the_casino(house: ClaimHouse) -> None:
    here, elsewhere = (
        house.system.casino,
        Casino.objects.create(code="alpine", name="Alpine", currency="NZD"),
    )
    ines, sione, tane = (User.objects.get(username=name) for name in ("ines", "sione", "tane"))
    roles.revoke(ines, "Compliance")
    roles.grant(ines, "Compliance", here)
    roles.grant(sione, "Cashier", here)
    roles.grant(tane, "Cashier", elsewhere)
    for name in ("sione", "tane"):
        log_in(name)
        log_in(name, "wrong-and-long-enough")
    roles.revoke(sione, "Cashier", here)
    User.objects.filter(username="sione").update(is_active=False)
    page = words(logged_in("ines").get(LOG, {"area": "access"})).split("Show all", 1)[1]
    for sentence in (
        f"sione {FROM} Logged in",
        f"sione {FROM} Wrong password",
        "sione Person changed",
    ):
        assert sentence in page
    assert "tane" not in page


@pytest.mark.parametrize("name", ["sione", "aroha", "tane"])
def test_others_do_not_read_it_nor_see_the_way_to_it(name: str) -> None:
    browser = logged_in(name)
    assert browser.get(LOG).status_code == browser.get("/security-log/").status_code == 403
    assert LOG not in browser.get("/").content.decode()
    assert LOG in logged_in("ines").get("/").content.decode()


def test_nobody_rewrites_it_dates_it_back_or_fills_the_disk_with_it() -> None:
    def refused(statement: str) -> None:
        with (
            pytest.raises(DatabaseError, match=r"append-only|permission denied"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(statement)

    log_in("mere")
    with acting_as("web"):
        refused("UPDATE settlement_accessnote SET username = 'sione'")
        refused("DELETE FROM settlement_accessnote")
        refused(
            "INSERT INTO settlement_accessnote (at, what, username, address, detail)"
            " VALUES ('2020-01-01', 'logged_in', 'mere', '', '')"
        )
        request = type("R", (), {"META": {"REMOTE_ADDR": "10.9.9.9"}})()
        for _ in range(security_log.MOST_A_MINUTE + 5):
            security_log.note(request, "refused", "mere", "again")
    refused("UPDATE settlement_accessnote SET username = 'sione'")
    assert AccessNote.objects.filter(address="10.9.9.9").count() == security_log.MOST_A_MINUTE
