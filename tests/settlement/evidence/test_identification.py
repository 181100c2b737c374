"""Who the players are: separate from the rest, and each look is recorded by the database."""

import datetime as dt
import logging
import uuid
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.utils import DatabaseError, ProgrammingError

from settlement.core.errors import BadIdentification, NotPermitted
from settlement.evidence import identification
from settlement.models import Claim, Identification, IdentificationLook
from tests.support.cases.confirmed_house import person
from tests.support.people.cast import ClaimHouse, read
from tests.support.people.identification import NAME, NUMBER, PLAYER
from tests.support.people.roles import acting_as
from tests.support.suite.kept_house import kept_house

pytestmark = pytest.mark.django_db


def build_claim() -> Claim:
    house = ClaimHouse()
    house.hit_royal()
    return Claim.objects.get()


claim = kept_house(build_claim)


def test_a_player_is_identified_and_each_look_is_recorded(claim: Claim) -> None:
    sione, aroha = person("sione"), person("aroha")
    with acting_as("web"):
        identification.identify(claim, sione, identification.PlayerIdentity(**PLAYER))
        assert not identification.looks(claim)
        (player,) = identification.look(claim, aroha, "pay")
    assert (player.seat, player.name, player.document, player.recorder) == (
        3,
        NAME,
        "Passport",
        "sione",
    )
    (look,) = identification.looks(claim)
    assert (look.person.username, look.purpose) == ("aroha", "pay")


def test_the_newest_of_a_seat_counts_and_the_one_before_stays(claim: Claim) -> None:
    identification.identify(claim, person("sione"), identification.PlayerIdentity(**PLAYER))
    corrected = {**PLAYER, "document_number": "LK418806"}
    identification.identify(claim, person("anahera"), identification.PlayerIdentity(**corrected))
    identification.identify(
        claim,
        person("anahera"),
        identification.PlayerIdentity(**{**PLAYER, "seat": 5, "name": "Ana Li"}),
    )
    players = identification.look(claim, person("ines"), "review")
    assert [(each.seat, each.document_number) for each in players] == [
        (3, "LK418806"),
        (5, NUMBER),
    ]
    assert Identification.objects.count() == 3
    assert [(each.seat, each.who) for each in identification.recorded(claim)] == [
        (3, "anahera"),
        (5, "anahera"),
    ]


def test_a_form_that_was_sent_twice_is_one_identification(claim: Claim) -> None:
    key = uuid.uuid4()
    for _ in range(2):
        identification.identify(
            claim, person("sione"), identification.PlayerIdentity(**PLAYER), key=key
        )
    assert Identification.objects.count() == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": " "},
        {"document_number": ""},
        {"document": "library_card"},
        {"seat": 0},
        {"born": dt.date(1890, 1, 1)},
        {"born": dt.date(2200, 1, 1)},
        {"note": "x" * 501},
    ],
    ids=str,
)
def test_what_cannot_be_right_is_refused_without_repeating_it(
    claim: Claim, wrong: dict[str, Any]
) -> None:
    with pytest.raises(BadIdentification) as refusal:
        identification.identify(
            claim, person("sione"), identification.PlayerIdentity(**{**PLAYER, **wrong})
        )
    assert NAME not in str(refusal.value)
    assert not Identification.objects.exists()


@pytest.mark.parametrize("name", ["tane", "nobody"])
def test_who_does_not_need_it_neither_records_nor_looks(claim: Claim, name: str) -> None:
    with pytest.raises(NotPermitted):
        identification.identify(claim, person(name), identification.PlayerIdentity(**PLAYER))
    with pytest.raises(NotPermitted):
        identification.look(claim, person(name), "verify")
    assert not IdentificationLook.objects.exists()


def test_a_look_has_a_purpose(claim: Claim) -> None:
    with pytest.raises(BadIdentification):
        identification.look(claim, person("mere"), "curiosity")


# --- the database's own word ------------------------------------------------------------------


@pytest.mark.parametrize("role", ["web", "worker", "reporting", "poster", "intake"])
@pytest.mark.parametrize("column", ["name", "born", "document", "document_number", "address", "*"])
def test_no_process_reads_who_a_player_is(claim: Claim, role: str, column: str) -> None:
    identification.identify(claim, person("sione"), identification.PlayerIdentity(**PLAYER))
    with (
        acting_as(role),
        pytest.raises(ProgrammingError, match="permission denied"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(f"SELECT {column} FROM settlement_identification")


def ask_the_database(claim: Claim, name: str, role: str) -> None:
    looker = User.objects.get(username=name).pk
    with acting_as(role), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT * FROM look_at_identification(%s, %s, 'pay')", [claim.pk, looker])


@pytest.mark.parametrize("role", ["worker", "reporting", "poster", "intake"])
def test_only_the_web_process_may_ask(claim: Claim, role: str) -> None:
    with pytest.raises(ProgrammingError, match="permission denied"):
        ask_the_database(claim, "sione", role)


@pytest.mark.parametrize("name", ["tane", "nobody"])
def test_nobody_looks_past_the_services(claim: Claim, name: str) -> None:
    with pytest.raises(DatabaseError, match="may not look"):
        ask_the_database(claim, name, "web")


def test_who_has_left_looks_no_more(claim: Claim) -> None:
    User.objects.filter(username="sione").update(is_active=False)
    with pytest.raises(DatabaseError, match="may not look"):
        ask_the_database(claim, "sione", "web")


def test_a_look_cannot_be_written_or_left_out_by_hand(claim: Claim) -> None:
    with (
        acting_as("web"),
        pytest.raises(ProgrammingError, match="permission denied"),
        transaction.atomic(),
    ):
        IdentificationLook.objects.create(claim=claim, person=person("tane"), purpose="pay")


# --- nowhere else -----------------------------------------------------------------------------


def test_it_prints_nothing_of_who_somebody_is(
    claim: Claim, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with connection.execute_wrapper(_personal_is_not_in_a_statement):
        identification.identify(claim, person("sione"), identification.PlayerIdentity(**PLAYER))
        (player,) = identification.look(claim, person("mere"), "decide")
    assert NAME not in caplog.text
    assert NAME not in f"{player!r} {Identification.objects.get()!r}"


def _personal_is_not_in_a_statement(
    execute: Any, statement: str, values: Any, many: bool, context: Any
) -> Any:
    assert NAME not in f"{statement} {values}"
    return execute(statement, values, many, context)


def test_the_api_tells_nothing_of_it(claim: Claim) -> None:
    identification.identify(claim, person("sione"), identification.PlayerIdentity(**PLAYER))
    for address in ("/api/claims/", "/api/claims/main-1/"):
        text = str(read(address, "mere"))
        assert NAME not in text
        assert NUMBER not in text
