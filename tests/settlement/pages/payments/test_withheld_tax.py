"""Withholding at the cage, and the page of withheld tax."""

import uuid
from typing import Any

import pytest
from pytest_django import Settings

from settlement.models import Action, Payout, TaxRemittance
from settlement.payments import slips
from tests.support.cases.claims.slips import read as read_pdf
from tests.support.cases.confirmed_house import person
from tests.support.houses.winners import FOREIGN, UNIT, WinnersHouse
from tests.support.pages.page_staff import (
    logged_in,
    page_of,
    paid_at_the_cage,
    refused,
    reply,
    words,
)
from tests.support.people.cast import action, as_, read
from tests.support.people.roles import acting_as
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
CAGE, TAX = "/claims/main/1/cage/", "/withheld-tax/"


def build_house() -> WinnersHouse:
    house = WinnersHouse(10_000)
    house.win("Ana Ruiz")
    return house


house = kept_house(build_house, JURISDICTIONS={"harbour": "nevada"})


def fields(page: Any) -> str:
    return str(page.content.decode())


def test_the_cage_says_what_is_withheld_and_takes_nothing_else(house: WinnersHouse) -> None:
    page = logged_in("aroha").get(CAGE)
    text = words(page)
    assert "1042-S, if the person lives abroad: withhold 30%, USD 3,000.00" in text
    assert "W-2G, if the person lives here (house policy)" in text
    assert "Paid to this person today: 0.00, of which 0.00 in cash." in text
    assert "With this payment: 10,000.00." in text
    assert 'data-foreign="30"' in fields(page)
    answer = paid_at_the_cage(**{"l1-cash": "7,000"})
    assert answer.status_code == 422
    assert "Choose where the player lives: the tax depends on it." in words(answer)
    typed = {"l1-cash": "7,000", "l1-residence": "foreign", "l1-tax": "2,000"}
    answer = paid_at_the_cage(**typed)
    assert answer.status_code == 422
    refusal = (
        "Seat 3 was not paid. The rules of Nevada, United States require you to withhold 2,700.00"
    )
    assert refusal in words(answer)  # of the 9,000.00 that were typed
    assert 'value="2,000"' in fields(answer)
    assert not Action.objects.filter(kind="pay").exists()
    assert paid_at_the_cage(**typed | {"l1-tax": "3,000"}).status_code == 302
    house.post()
    payout = Payout.objects.get()
    assert (payout.cash, payout.tax, payout.residence) == (7_000 * UNIT, 3_000 * UNIT, "foreign")
    assert "Tax withheld 3,000.00" in page_of("aroha", CAGE)
    claim = page_of("aroha", "/claims/main/1/")
    assert "Tax withheld 3,000.00" in claim
    assert "Seat 3: USD 7,000.00 in cash, USD 3,000.00 withheld as tax" in claim
    register = page_of("aroha", "/payouts/")
    assert "10,000.00 – 7,000.00 – 3,000.00" in register


def test_tax_alone_is_no_payment(house: WinnersHouse) -> None:
    """The field fills itself where a residence is chosen: that alone pays nothing."""
    answer = paid_at_the_cage(**{"l1-residence": "foreign", "l1-tax": "3,000"})
    assert answer.status_code == 422
    assert "Nothing was paid" in words(answer)
    assert not Action.objects.filter(kind="pay").exists()


def test_another_amount_takes_a_reason(house: WinnersHouse) -> None:
    typed = {"l1-cash": "10,000", "l1-residence": "foreign", "l1-reason": "Treaty with Malta"}
    assert paid_at_the_cage(**typed).status_code == 302
    house.post()
    assert "USD 3,000.00 were asked for: Treaty with Malta" in page_of("aroha", "/claims/main/1/")


def test_the_next_part_knows_where_the_player_lives(house: WinnersHouse) -> None:
    typed = {"l1-cash": "3,500", "l1-residence": "foreign", "l1-tax": "1,500"}
    assert paid_at_the_cage(**typed).status_code == 302
    house.post()
    page = logged_in("aroha").get(CAGE)
    assert '<option value="foreign" selected>' in fields(page)
    assert 'value="1,500.00"' in fields(page)
    assert "To hand over 3,500.00" in words(page)
    assert "1042-S: withhold 30%, USD 1,500.00" in words(page)
    assert "W-2G" not in words(page)


def test_where_nothing_is_withheld_the_cage_asks_nothing(settings: Settings) -> None:
    WinnersHouse(10_000).win("Ana Ruiz")
    page = page_of("aroha", CAGE)
    assert "Tax withheld" not in page
    assert "Where the player lives" not in page


def test_a_slip_says_gross_tax_and_net(house: WinnersHouse) -> None:
    house.pay(house.win(), FOREIGN, cash=3_500, tax=1_500)
    payout = Payout.objects.select_related("claim__system__casino").get()
    with acting_as("web"):
        texts = [read_pdf(slips.print_slip(payout, person("aroha"))[0]) for _ in range(2)]
    for text in texts:
        assert "USD 3,500.00" in text
        assert "USD three thousand five hundred and 00/100" in text
        assert "Won 5,000.00, tax withheld 1,500.00, handed over 3,500.00" in text
        assert "A part of 10,000.00: paid before 0.00, still due 5,000.00" in text
    assert "COPY 1" in texts[1]


def test_compliance_remits_and_takes_back(house: WinnersHouse) -> None:
    assert "No tax has been withheld" in page_of("ines", TAX)
    paid_at_the_cage(**{"l1-cash": "7,000", "l1-residence": "foreign", "l1-tax": "3,000"})
    house.post()
    page = page_of("ines", TAX)
    assert "Withheld, not remitted 3,000.00" in page
    assert "10,000.00 3,000.00 7,000.00 Lives abroad" in page
    assert "Enter a remittance" not in page_of("aroha", TAX)
    assert "Enter the reference" in refused("ines", TAX, amount="3,000")
    assert "enter no more" in refused("ines", TAX, amount="3,000.01", reference="EFTPS 4711")
    reply("ines", TAX, amount="3,000.00", reference="EFTPS 4711")
    assert "Queued" in page_of("ines", TAX)
    house.post()
    page = page_of("ines", TAX)
    assert "Withheld, not remitted 0.00" in page
    assert "EFTPS 4711" in page
    (row,) = TaxRemittance.objects.all()
    undo = f"{TAX}{row.pk}/reverse/"
    assert logged_in("aroha").post(undo, {"reason": "x"}).status_code == 403
    assert "Enter why" in reply("ines", undo, reason=" ")
    assert "Reversed" in reply("ines", undo, reason="sent back")
    house.post()
    page = page_of("ines", TAX)
    assert "Withheld, not remitted 3,000.00" in page
    assert "sent back" in page
    assert "reversed already" in reply("ines", undo, reason="again")


def test_the_api_says_what_is_asked_and_takes_it(house: WinnersHouse) -> None:
    (row,) = read("/api/claims/main-1/payment-requirements/", "aroha")["results"]
    assert (row["line"], row["due_micros"], row["asks_residence"]) == (1, 10_000 * UNIT, True)
    assert (row["paid_today_micros"], row["cash_today_micros"]) == (0, 0)
    assert row["tax_micros"] == {"any": 0, "resident": 0, "foreign": 3_000 * UNIT}
    assert "1042-S" in str(row["duties"])
    body: dict[str, Any] = {"line": 1, "password": "tablet-counter-seven"}
    body["parts_micros"] = {"cash": 7_000 * UNIT, "tax": 3_000 * UNIT}
    answer = action("aroha", "pay", **body)
    assert answer.status_code == 422
    assert answer.json()["code"] == "bad_withholding"
    body["residence"] = "resident"
    assert action("aroha", "pay", **body).status_code == 422
    assert action("aroha", "pay", **body | {"residence": "foreign"}).status_code in (200, 202)
    house.post()
    (payout,) = read("/api/claims/main-1/")["payees"][0]["payouts"]
    assert (payout["tax_micros"], payout["residence"]) == (3_000 * UNIT, "foreign")
    ines, address = as_("ines"), "/api/systems/main/remittances/"
    headers = {"Idempotency-Key": str(uuid.uuid4())}
    form = {"amount_micros": 2_000 * UNIT, "reference": "EFTPS 4711"}
    for _ in range(2):
        answer = ines.post(address, form, format="json", headers=headers)
        assert answer.status_code == 201, answer.content
    number = answer.json()["remittance"]
    assert as_("aroha").post(address, form, format="json").status_code == 403
    more = form | {"amount_micros": 9_000 * UNIT}
    assert ines.post(address, more, format="json").status_code == 422
    house.post()
    undo = f"{address}{number}/reverse/"
    assert ines.post(undo, {"reason": "sent back"}, format="json").status_code == 201
    house.post()
    results = ines.get(address).json()["results"]
    assert [(each["kind"], each["reverses"], each["refused"]) for each in results] == [
        ("reverse_remittance", number, ""),
        ("remit_tax", None, ""),
    ]
    assert ines.post(f"{address}99/reverse/", {"reason": "x"}, format="json").status_code == 404
