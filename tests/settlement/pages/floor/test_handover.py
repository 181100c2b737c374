"""A shift is handed over: one page, signed by both, kept as it stood."""

import pytest
from axes.models import AccessAttempt
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from settlement.claims import services as claims
from settlement.floor import rulings
from settlement.models import Handover
from tables.alarms import raise_alarm
from tables.models import Quarantine
from tables.protocol import messages
from tests.support.cases.confirmed_house import person
from tests.support.cases.terms.adjustments import FORM, FORM_VALUES
from tests.support.pages.handover import PAGE, form
from tests.support.pages.page_staff import logged_in, page_of, reply, words
from tests.support.pages.pseudo_locale import pseudo_locale
from tests.support.people.access.factors import give_app
from tests.support.people.cast import PASSWORD, ClaimHouse
from tests.support.people.roles import acting_as
from tests.support.suite.kept_house import kept_house

pytestmark = pytest.mark.django_db


def build_house() -> ClaimHouse:
    house = ClaimHouse()
    house.hit_royal()
    claims.catch_up(house.system)
    return house


house = kept_house(build_house, CLAIM_WAIT_S=0)


def quarantined() -> None:
    Quarantine.objects.create(
        topic="x",
        reason="undecodable",
        explanation="",
        received_at=timezone.now(),
        body=b"x",
        size=1,
        sha256=b"",
    )


def test_everything_that_is_open_stands_on_one_page(house: ClaimHouse) -> None:
    reply("sione", FORM, **FORM_VALUES)
    raise_alarm("repeats", "main t3", "Answer them.", house.system)
    quarantined()
    page = page_of("tane", PAGE)
    for part in (
        "Main floor, claim MAIN-1, Table 3: Reported, NZD 1,001.00",
        "sione proposes to adjust a pool: Royal Flush, Main floor",
        "Repeated events not answered: main t3",
        "Table 3, Main floor Table 7, Main floor",
        "Not readable as JSON once",
    ):
        assert part in page
    assert "Only a game supervisor or a casino manager can hand over" in page


def test_what_dealers_ask_for_and_signs_of_missed_rounds_are_handed_over(house: ClaimHouse) -> None:
    """A shift that ends with a void that nobody decided leaves it to the next one."""
    house.say("t3", messages.VoidRequested, round=1, reason="wrong_count", note="Six cards")
    house.say("t3", messages.RoundsMissed, count=2, note="New dealer")
    house.rounds["t3"] = 4
    house.call("t3")
    house.post()
    page = page_of("tane", PAGE)
    for part in (
        "Round 1 void? Table 3, Main floor Six cards",
        "2 missed rounds? Table 3, Main floor New dealer",
        "A hand, button not pressed: round 4, Table 3, Main floor",
    ):
        assert part in page
    request, _ = rulings.open_requests(*rulings.ON_ROUNDS)[::-1]
    rulings.refuse(request, person("sione"), "Counted again: right")
    assert "Round 1 void?" not in page_of("tane", PAGE)


def test_both_sign_and_it_is_kept_as_it_stood(house: ClaimHouse) -> None:
    page = reply("mere", PAGE, **form())
    assert "Outgoing mere, with the password" in page
    assert "Incoming david, with the password" in page
    assert "Seat 3 waits in the lounge" in page
    house.hit_royal("t7")
    handover = Handover.objects.get()
    page = page_of("tane", f"{PAGE}{handover.pk}/")
    assert "claim MAIN-1, Table 3" in page
    assert "claim MAIN-2" not in page
    assert f"No. {handover.pk}" in page_of("tane", PAGE)
    assert "claim MAIN-2" in page_of("tane", PAGE)


def test_the_record_is_english_whoever_signs(house: ClaimHouse) -> None:
    with pseudo_locale():
        assert "⟦" in logged_in("mere").get(PAGE).content.decode()
        assert logged_in("mere").post(PAGE, form()).status_code == 302
    text = str(Handover.objects.get().body)
    assert "Main floor, claim MAIN-1, Table 3: Reported" in text
    assert "⟦" not in text


def test_a_double_click_is_one_handover(house: ClaimHouse) -> None:
    fields = form(key="6f7c2a34-0f2e-4a7e-9a55-7f9d5f0c2c11")
    for _ in range(2):
        reply("mere", PAGE, **fields)
    assert Handover.objects.count() == 1


def test_quarantine_is_counted_from_the_last_handover(house: ClaimHouse) -> None:
    quarantined()
    reply("mere", PAGE, **form())
    assert "Not readable as JSON" not in page_of("david", PAGE)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"password": "guess"}, "That is not your password"),
        ({"incoming_password": "guess"}, "do not match"),
        ({"incoming": ""}, "do not match"),
        ({"incoming": "mere"}, "Two people hand over"),
        ({"incoming": "aroha"}, "aroha is neither a game supervisor nor a casino manager"),
        ({"read": "something else"}, "Something changed while you were reading"),
    ],
)
def test_what_is_not_signed_by_both_is_not_kept(
    house: ClaimHouse, changed: dict[str, str], why: str
) -> None:
    answer = logged_in("mere").post(PAGE, form(**changed))
    assert answer.status_code == 422
    assert why in words(answer)
    assert "Seat 3 waits in the lounge" in words(answer)
    assert not Handover.objects.exists()


def test_nothing_that_was_typed_is_kept_of_a_wrong_code(house: ClaimHouse) -> None:
    """The password beside the code was the right one."""
    give_app("david")
    typed = form(incoming_code="123456")
    answer = logged_in("mere").post(f"{PAGE}?code=123456", typed)
    assert "is not the current one" in words(answer)
    attempt = AccessAttempt.objects.get()
    assert attempt.username == "david"
    columns = " ".join(str(value) for value in vars(attempt).values())
    assert PASSWORD not in columns
    assert "123456" not in columns


def test_what_changed_meanwhile_is_read_first(house: ClaimHouse) -> None:
    fields = form()
    house.hit_royal("t7")
    answer = logged_in("mere").post(PAGE, fields)
    assert (answer.status_code, Handover.objects.count()) == (422, 0)
    assert "claim MAIN-2" in words(answer)


@pytest.mark.parametrize("incoming", ["mere", "gone"])
def test_the_database_asks_for_two_people(house: ClaimHouse, incoming: str) -> None:
    """By plain SQL as the running role."""
    User.objects.create(username="gone", is_active=False)
    with (
        acting_as("web"),
        pytest.raises(IntegrityError, match="two_people"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(
            "INSERT INTO settlement_handover"
            " (casino_id, outgoing_id, incoming_id, remarks, body, at, key)"
            " VALUES (%s, %s, %s, '', '[]', now(), gen_random_uuid())",
            [house.system.casino_id, person("mere").pk, person(incoming).pk],
        )


def test_the_page_asks_no_more_for_more_claims(house: ClaimHouse) -> None:
    client = logged_in("tane")

    def query_count() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert client.get(PAGE).status_code == 200
        return len(queries)

    query_count()
    before = query_count()
    for _ in range(3):
        house.hit_royal("t7")
    claims.catch_up(house.system)
    assert query_count() == before <= 29
