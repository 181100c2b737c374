"""Where a player lives, by the country of the identification: what is withheld follows from it."""

from dataclasses import replace

import pytest
from django.db import DatabaseError, connection, transaction

from settlement.core.errors import BadIdentification, BadWithholding
from settlement.evidence import identification
from settlement.jurisdiction.payments import NOTHING_STATED, PayeeStatement, requirements
from settlement.models import Claim, Payout
from tests.support.cases.confirmed_house import person
from tests.support.houses.jurisdiction_house import PLAYER
from tests.support.houses.winners import UNIT, WinnersHouse
from tests.support.people.roles import acting_as
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]


class OneWinner(WinnersHouse):
    """1,000.00 in Nevada, which withholds 30% of whoever lives abroad."""

    def __init__(self) -> None:
        super().__init__(1_000)
        self.claim = self.win()

    def shows(self, country: str) -> None:
        with acting_as("web"):
            identification.identify(self.claim, person("aroha"), replace(PLAYER, country=country))

    def home(self) -> str:
        hit = self.hit(self.claim.number)
        (line,) = hit.payee_lines
        with acting_as("web"):
            return requirements(self.claim, hit, [(line, line.rest)])[line.line].home


house = kept_house(OneWinner, JURISDICTIONS={"harbour": "nevada"})


@pytest.mark.parametrize(
    ("country", "home"), [("", ""), ("US", "resident"), ("DE", "foreign"), ("PR", "foreign")]
)
def test_the_newest_identification_says_where_the_player_lives(
    house: OneWinner, country: str, home: str
) -> None:
    assert house.home() == ""  # nobody is identified
    house.shows("FR")
    house.shows(country)
    assert house.home() == home


def test_of_a_foreigner_30_percent_are_withheld_though_nobody_states_it(house: OneWinner) -> None:
    """30% of 1,000.00 is 300.00."""
    house.shows("DE")
    with pytest.raises(BadWithholding, match=r"withhold 300\.00 of this payment, not 0\.00"):
        house.pay(house.claim, NOTHING_STATED, cash=1_000)
    house.pay(house.claim, NOTHING_STATED, cash=700, tax=300)
    payout = Payout.objects.get()
    assert (payout.residence, payout.tax) == ("foreign", 300 * UNIT)


def test_what_the_identification_says_is_contradicted_with_a_reason_alone(house: OneWinner) -> None:
    house.shows("DE")
    with pytest.raises(BadWithholding, match="says otherwise where the player lives"):
        house.pay(house.claim, PayeeStatement("resident"), cash=1_000)
    citizen = PayeeStatement("resident", reason="A citizen who lives abroad")
    house.pay(house.claim, citizen, cash=1_000)
    assert Payout.objects.get().residence == "resident"


@pytest.mark.parametrize("country", ["XX", "GER", "EU", "D"])
def test_no_country_is_refused(house: OneWinner, country: str) -> None:
    with pytest.raises(BadIdentification, match="ISO 3166"):
        house.shows(country)


def test_the_database_refuses_what_is_no_code(house: OneWinner) -> None:
    house.shows("DE")
    lines = (
        "INSERT INTO settlement_identification (claim_id, seat, name, born, document,"
        " document_number, tax_number, address, country, note, person_id, at, key)"
        " SELECT claim_id, 4, name, born, document, document_number, '', '', 'de',"
        " note, person_id, now(), gen_random_uuid() FROM settlement_identification"
    )
    with pytest.raises(DatabaseError, match="identification_country"), transaction.atomic():
        connection.cursor().execute(lines)


def test_the_seal_of_who_gave_no_country_is_as_it_was(house: OneWinner) -> None:
    """Lines of key, seat, name, born, document, number and note; then, of whoever gave one of them,
    taxpayer number and address; a country is one more."""
    house.shows("")
    assert sealed(house.claim) == by_hand("")
    house.shows("DE")
    assert sealed(house.claim) == by_hand(" || E'\\n' || E'\\n' || E'\\n' || 'DE'")


def sealed(claim: Claim) -> bytes:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT seal FROM seals_of_identifications(%s) ORDER BY id DESC LIMIT 1", [claim.pk]
        )
        return bytes(cursor.fetchone()[0])


def by_hand(more: str) -> bytes:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT sha256(convert_to(key || E'\\n3\\n' || name || E'\\n1980-02-29\\npassport\\n'"
            f" || 'LK418805' || E'\\n'{more}, 'UTF8'))"
            " FROM settlement_identification ORDER BY id DESC LIMIT 1"
        )
        return bytes(cursor.fetchone()[0])
