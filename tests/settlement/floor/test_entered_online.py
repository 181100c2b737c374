"""A hand entered while its unit is online takes two people, at the same screen."""

import datetime as dt
import uuid
from typing import Any

import pytest
from django.db import IntegrityError, connection
from django.utils import timezone

from jackpot.models import Command
from jackpot.writer import commands
from settlement.audit.authorisation import without_actions
from settlement.core.errors import NotPermitted, OwnHand, SamePerson, SecondNeeded
from settlement.floor import entered_hands
from settlement.models import Countersignature, Ruling
from settlement.people.rights import staff_play
from settlement.people.rights.permissions import Reauthenticated
from tables.models import GamingTable, UnitPresence
from tests.support.cases.confirmed_house import person
from tests.support.cases.settlement_entered_hands import REPORT
from tests.support.pages.page_staff import page_of, reply
from tests.support.pages.page_staff import refused as page_refuses
from tests.support.people.cast import PASSWORD, ClaimHouse, as_
from tests.support.people.permissions.authorisation import at_the_end, refused
from tests.support.people.roles import acting_as, owner_without_guards
from tests.support.suite.kept_house import kept_house
from verifier.check import look

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
PAGE = "/tables/main/t3/hand/"
FORM = {"game": "holdem", "deck": "52", "seats": "3", "tier": "royal", "note": "Dead keys"}
FORM |= {"newest": "0", "hand-TOTAL_FORMS": "1", "hand-INITIAL_FORMS": "1", "hand-0-exposed": "yes"}
HAND_FORM = {"game": "holdem", "seats": [3], "tier": "royal", "note": "Dead keys", "seen": 0}
BODY: dict[str, Any] = {"table": "t3", "game": "holdem", "seats": [3], "seen": 0, "note": "x"}


def build_house() -> ClaimHouse:
    house = ClaimHouse()
    house.open("t3")
    house.press("t3")
    house.post()
    heard()
    return house


house = kept_house(build_house)


def heard(ago: float = 0, online: bool = True) -> None:
    UnitPresence.objects.update_or_create(
        table=table(),
        defaults={"online": online, "heard_at": timezone.now() - dt.timedelta(seconds=ago)},
    )


def table() -> GamingTable:
    return GamingTable.objects.select_related("system__casino").get(code="t3")


def enter(house: ClaimHouse, second: str | None = None, **changes: Any) -> commands.Answer:
    fields: dict[str, Any] = {"game": "holdem", "seats": [3], "tier": "royal", "note": "Dead keys"}
    beside = Reauthenticated(person(second)) if second else None
    with acting_as("web"):
        answer = entered_hands.enter(
            table(),
            person("sione"),
            entered_hands.EnteredHand(**fields | changes),
            newest=0,
            second=beside,
        )
        at_the_end()
    house.post()
    return answer


def test_alone_it_is_refused(house: ClaimHouse) -> None:
    with pytest.raises(SecondNeeded, match="let the dealer call the hand on the handset"):
        enter(house)
    assert not Command.objects.filter(kind="enter_hand").exists()


@pytest.mark.parametrize("second", ["anahera", "mere"])
def test_two_people_enter_it_at_once(house: ClaimHouse, second: str) -> None:
    enter(house, second, report=REPORT)
    assert house.hit(1).held
    command = Command.objects.get(kind="enter_hand")
    assert (command.first, command.second, command.body["unit"]) == ("sione", second, "online")
    assert Countersignature.objects.get().person == person(second)
    assert without_actions(house.system.pk, 0) == []
    assert look(connection.connection, settled=False).findings == []


@pytest.mark.parametrize(("ago", "online"), [(31, True), (0, False)])
def test_while_it_is_silent_or_offline_one_is_enough(
    house: ClaimHouse, ago: float, online: bool
) -> None:
    heard(ago, online)
    enter(house)
    command = Command.objects.get(kind="enter_hand")
    assert (command.second, command.body["unit"]) == (None, "offline")


def test_who_is_no_second_person(house: ClaimHouse) -> None:
    for who, error in (("sione", SamePerson), ("aroha", NotPermitted), ("tane", NotPermitted)):
        with pytest.raises(error):
            enter(house, who)
    staff_play.sit_down(person("mere"), table(), person("mere"))
    with pytest.raises(OwnHand):
        enter(house, "mere")


def test_who_left_the_round_is_no_second_person(house: ClaimHouse) -> None:
    """Reconciliation and verifier ask about the round of the hand."""
    with acting_as("web"):
        since = timezone.now() - dt.timedelta(hours=1)
        play = staff_play.sit_down(person("mere"), table(), person("mere"), since=since)
        staff_play.leave(play, person("mere"))
    with pytest.raises(OwnHand):
        enter(house, "mere", round=1)
    with acting_as("web"), refused("own_hand"):  # past the service
        ruled("mere", "mere", unit="online", round=1)
    enter(house, "anahera", round=1)
    assert without_actions(house.system.pk, 0) == []


def ruled(second: str | None, signed: str | None, **changes: Any) -> None:
    """The command with its ruling, as somebody with the web role's password writes it."""
    number = commands.queue(
        table().system, "enter_hand", BODY | changes, first="sione", second=second
    )
    ruling = Ruling.objects.create(
        system=table().system,
        table=table(),
        kind="enter_hand",
        round=changes.get("round"),
        note="x",
        day=dt.date(2026, 11, 21),
        command=number,
        person=person("sione"),
        key=uuid.uuid4(),
    )
    if signed:
        Countersignature.objects.create(ruling=ruling, person=person(signed))


def test_the_database_refuses_what_one_enters_alone(house: ClaimHouse) -> None:
    with acting_as("web"), refused("unit_online"):
        ruled(None, None, unit="online")
    with acting_as("web"), refused("unit_online"):
        ruled(None, None, unit="offline")
    with acting_as("web"), refused("unit_online"):
        ruled("mere", "mere", unit="offline")  # what it says of the unit is not so
    heard(31)
    with acting_as("web"):
        ruled(None, None, unit="offline")
        at_the_end()


def test_the_database_asks_for_the_second_persons_signature(house: ClaimHouse) -> None:
    with acting_as("web"), refused("actions: behind"):
        ruled("mere", None, unit="online")
    with acting_as("web"), refused("actions: behind"):
        ruled("mere", "anahera", unit="online")
    with acting_as("web"), pytest.raises(IntegrityError, match="two_people"):
        ruled("sione", "sione", unit="online")


def test_fold_and_verifier_refuse_it_alone(house: ClaimHouse) -> None:
    answer = house.decide("enter_hand", "sione", None, **BODY, unit="online")
    assert "two different people" in str(answer.refused)
    answer = house.decide("enter_hand", "sione", "mere", **BODY, unit="asleep")
    assert "cannot be read" in str(answer.refused)
    assert look(connection.connection, settled=False).findings == []


def test_reconciliation_and_verifier_ask_for_the_signature(house: ClaimHouse) -> None:
    enter(house, "mere", report=REPORT)
    with owner_without_guards("settlement_countersignature"), connection.cursor() as cursor:
        cursor.execute("DELETE FROM settlement_countersignature")
    (sentence,) = without_actions(house.system.pk, 0)
    assert "enter_hand of hit 1 names sione and mere" in sentence
    report = str(look(connection.connection, settled=False).lines())
    assert "enter_hand without the signature of mere" in report


def test_on_the_page(house: ClaimHouse) -> None:
    page = page_of("sione", PAGE)
    assert "The unit of Table 3 is online" in page
    assert "Second person" in page
    assert "Let the dealer" in page_refuses("sione", PAGE, **FORM).replace("let", "Let")
    both = {"second": "mere", "second_password": "guess"}
    assert "do not match" in page_refuses("sione", PAGE, **FORM, **both)
    reply("sione", PAGE, **FORM, second="mere", second_password=PASSWORD)
    house.post()
    page = page_of("tane")
    assert "Entered on the console by sione with mere, while the unit was online" in page
    heard(31)
    assert "Second person" not in page_of("sione", PAGE)


def test_by_the_api(house: ClaimHouse) -> None:
    address = "/api/tables/main/t3/enter-hand/"
    answer = as_("sione").post(address, HAND_FORM, format="json")
    assert (answer.status_code, answer.json()["code"]) == (409, "second_needed")
    both = {"second": "mere", "second_password": "guess"}
    answer = as_("sione").post(address, HAND_FORM | both, format="json")
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong_password")
    answer = as_("sione").post(
        address, HAND_FORM | both | {"second_password": PASSWORD}, format="json"
    )
    assert answer.status_code == 202
