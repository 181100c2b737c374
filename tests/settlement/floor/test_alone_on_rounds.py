"""What one supervisor may decide about rounds alone, in the service and in the database."""

import datetime as dt
import io
import uuid
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, ProgrammingError, connection, transaction
from django.utils import timezone

from jackpot.writer import commands
from settlement.claims import services as claims
from settlement.core.errors import OwnHand, WrongState
from settlement.floor import missed_rounds
from settlement.models import Proposal, Ruling
from settlement.people.rights import staff_play
from tests.support.cases.settlement_rulings import HALF, credit, person, rule, table
from tests.support.cases.terms.limits import alone_up_to
from tests.support.people.cast import ClaimHouse
from tests.support.people.permissions.authorisation import at_the_end, is_rested_on, refused
from tests.support.people.roles import acting_as, owner_without_guards
from tests.support.suite.kept_house import kept_house
from verifier.check import look

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
HOUR = dt.timedelta(hours=1)


def build_house() -> ClaimHouse:
    claim_house = ClaimHouse()
    claim_house.open("t3")
    claim_house.press("t3")
    claim_house.post()
    return claim_house


house = kept_house(build_house)


def limit(count: object) -> str:
    output = io.StringIO()
    people = ("--first=mere", "--second=david")
    call_command("set_missed_rounds", "harbour", str(count), *people, stdout=output)
    return output.getvalue()


def ruling(kind: str, by: str = "sione", **changes: Any) -> None:
    """A row as somebody who has the web process's password writes it."""
    Ruling.objects.create(
        system=table().system,
        table=table(),
        kind=kind,
        person=person(by),
        note="Camera 4",
        key=uuid.uuid4(),
        **{"day": dt.date(2020, 1, 1), **changes},
    )


def queue(**changes: Any) -> int:
    body = {"table": "t3", "evidence": "Camera 4", **changes}
    return commands.queue(table().system, "missed_rounds", body, first="sione")


def plays(name: str, since: dt.timedelta = HOUR) -> Any:
    with acting_as("web"):
        who = person(name)
        return staff_play.sit_down(who, table(), who, since=timezone.now() - since)


def test_plain_sql_credits_no_more_alone_than_the_limit(house: ClaimHouse) -> None:
    """Ten a day where the house has said nothing, on whatever day the row pretends to be."""
    with acting_as("web"):
        with refused("missed_limit"):
            number = queue(count=11)
            ruling("missed_rounds", count=11, command=number)
        number = queue(count=6)
        ruling("missed_rounds", count=6, command=number)
        at_the_end()
        for other_day in (dt.date(2020, 1, 2), timezone.now().date()):
            with refused("missed_limit"):
                number = queue(count=5)
                ruling("missed_rounds", count=5, command=number, day=other_day)
    assert missed_rounds.left_today(table()) == 4
    assert missed_rounds.left_today(table("t7")) == 10


def test_the_limit_is_the_houses_own(house: ClaimHouse) -> None:
    assert "3 missed rounds" in limit(3)
    pool = house.balance("royal:pool")
    assert missed_rounds.left_today(table()) == 3
    credit(count=3)
    assert isinstance(credit(count=1), Proposal)
    limit(4)
    assert missed_rounds.left_today(table()) == 1
    credit(count=1)
    house.post()
    assert house.balance("royal:pool") == pool + 4 * HALF
    limit(0)
    assert isinstance(credit(count=1), Proposal)
    with pytest.raises(CommandError, match="two different people"):
        call_command("set_missed_rounds", "harbour", "5", "--first=mere", "--second=mere")
    with pytest.raises(CommandError, match="whole number"):
        limit("many")
    denied = pytest.raises(ProgrammingError, match="permission denied")
    with acting_as("web"), denied, transaction.atomic():
        alone_up_to(100)


def test_the_limit_is_of_one_gaming_day(house: ClaimHouse) -> None:
    credit(count=10)
    assert missed_rounds.left_today(table()) == 0
    with owner_without_guards("settlement_ruling"):
        yesterday = Ruling.objects.get().day - dt.timedelta(days=1)
        Ruling.objects.update(day=yesterday)
    assert missed_rounds.left_today(table()) == 10


def test_the_verifier_tells_of_one_person_above_the_limit(house: ClaimHouse) -> None:
    credit(count=10)
    house.post()
    assert "alone" not in str(look(connection.connection, settled=False).lines())
    limit(9)
    assert "alone" not in str(look(connection.connection, settled=False).lines())  # set later
    with owner_without_guards("settlement_missedroundslimit"), connection.cursor() as cursor:
        cursor.execute("UPDATE settlement_missedroundslimit SET at = '2020-01-01T00:00Z'")
    assert "alone" not in str(look(connection.connection, settled=False).lines())
    is_rested_on("settlement_missedroundslimit", 1)
    report = str(look(connection.connection, settled=False).lines())
    assert "10 missed rounds of one day, credited by one person alone: 9 may be" in report


def test_nobody_voids_a_round_in_which_he_was_dealt_in(house: ClaimHouse) -> None:
    """Also where no hand of it is known yet: the void would come before it."""
    plays("sione")
    with pytest.raises(OwnHand, match="dealt in"):
        rule()
    with acting_as("web"), pytest.raises(IntegrityError, match="own_hand"), transaction.atomic():
        ruling("void_round", round=1, reason="wrong_count", command=1)
    rule(by="anahera")


def test_who_sat_down_later_or_at_another_round_may_rule(house: ClaimHouse) -> None:
    plays("sione", since=dt.timedelta())
    rule()


def test_nobody_credits_a_missed_round_of_his_own_hand(house: ClaimHouse) -> None:
    """A hand was called in a round that nobody pressed; who played it does not credit it."""
    house.rounds["t3"] = 5
    house.call("t3")
    house.post()
    claims.catch_up(house.system)
    plays("sione")
    with pytest.raises(OwnHand):
        credit(count=1, rounds=[5])
    with acting_as("web"), refused("own_hand"):
        number = queue(count=2, rounds=[4, 5])
        ruling("missed_rounds", count=2, command=number)
    credit("anahera", count=1, rounds=[5])


def test_two_forms_at_once_are_told_clearly(
    house: ClaimHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the service thought was left: the database counts."""
    monkeypatch.setattr(missed_rounds, "left_today", lambda _: 100)
    with pytest.raises(WrongState, match="limit"):
        credit(count=11)
