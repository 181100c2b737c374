"""Drafts of forms: read back from the PDF, box by box; who may, and that each look is recorded."""

import datetime as dt
import logging
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils.translation import override
from pytest_django import Settings

from jackpot.terms.money import MICROS
from settlement.core.errors import NotPermitted, WrongState
from settlement.core.gaming_day import DAY
from settlement.evidence import identification
from settlement.evidence.identification import PlayerIdentity
from settlement.jurisdiction import layouts
from settlement.jurisdiction.forms_due import forms_due, forms_of
from settlement.jurisdiction.recipients import PaidOnDays
from settlement.models import IdentificationLook, Payout
from settlement.payments.slips import number_of
from tests.support.cases.claims.slips import read
from tests.support.cases.confirmed_house import person
from tests.support.houses.jurisdiction_house import NAME, PLAYER, LawfulHouse
from tests.support.people.roles import acting_as, owner_without_guards

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]


@pytest.fixture
def nevada(settings: Settings, tmp_path: Path) -> LawfulHouse:
    return LawfulHouse(tmp_path, settings, "nevada", "USD")


def boxes(text: str, *pairs: tuple[str, str]) -> None:
    """Each box by its number and name, followed by its value."""
    for name, value in pairs:
        assert re.search(rf"{re.escape(name)} {re.escape(value)}", text), (name, value, text)


def test_which_forms_are_due_by_payment_and_by_day(nevada: LawfulHouse) -> None:
    due = forms_due(PaidOnDays(nevada.casino, nevada.day, nevada.day))
    assert [(each.rule.form, len(each.payouts), each.total) for each in due] == [
        ("FinCEN Form 112", 2, 1_001 * MICROS),
        ("W-2G", 2, 1_001 * MICROS),  # of the prize, not of each part
        ("5754", 2, 1_001 * MICROS),
        ("1042-S", 2, 1_001 * MICROS),
    ]
    assert due[0].cash == 1_000 * MICROS
    assert {each.person for each in due} == {due[0].person}
    by_payout = forms_of(nevada.casino, [nevada.first])
    assert [each.rule.draft for each in by_payout[nevada.first.pk]] == [
        "fincen_112",
        "w_2g",
        "form_5754",
        "form_1042_s",
    ]
    assert forms_of(nevada.casino, []) == {}


def test_w_2g(nevada: LawfulHouse) -> None:
    text = read(nevada.draft(nevada.first, "w_2g"))
    boxes(
        text,
        ("Form W-2G DRAFT", "Certain Gambling Winnings"),
        ("Payer's name", "Harbour Casino Company"),
        ("Payer's federal identification number", "12-3456789"),
        ("Street address", "1 Quay Street"),
        ("City, state and ZIP code", "Carson City, NV 89701"),
        ("Winner's name, as on the document", NAME),
        ("11 First identification", "Passport LK418805"),
        ("1 Reportable winnings", "1,001.00"),
        ("2 Date won", f"{nevada.hit(1).at:%m/%d/%Y}"),
        ("3 Type of wager", "Poker jackpot"),
        ("4 Federal income tax withheld", "0.00"),
        ("5 Transaction", f"{number_of(nevada.first)}, {number_of(nevada.second)}"),
        ("8 Cashier", "aroha"),
        ("13 State/Payer's state identification no.", "NV-77"),
        ("Prize", "Royal Flush"),
    )
    assert "DRAFT, for filing by the payer with the Internal Revenue Service" in text
    assert "if this person lives here" in text
    assert "Rule (house policy): Internal Revenue Code section 6041(a)" in text
    assert "Page 1 of 1" in text


def test_number_and_address_are_on_it_where_the_player_gave_them(nevada: LawfulHouse) -> None:
    by_hand = "to be filled in by hand"
    text = read(nevada.draft(nevada.first, "w_2g"))
    boxes(
        text,
        ("9 Winner's taxpayer identification no.", by_hand),
        ("Street address, city, state and ZIP code", by_hand),
    )
    player = replace(PLAYER, tax_number=" 078-05-1120 ", address="7 Elm Street\n  Reno, NV 89501")
    with acting_as("web"):
        identification.identify(nevada.claim, person("aroha"), player)
    for form in ("w_2g", "form_5754", "form_1042_s", "fincen_112"):
        text = read(nevada.draft(nevada.first, form))
        assert "7 Elm Street Reno, NV 89501" in text, form
        assert ("078-05-1120" in text) is (form != "form_1042_s"), form


def test_a_chinese_name_is_drawn_in_its_letters(nevada: LawfulHouse) -> None:
    with acting_as("web"):
        identification.identify(nevada.claim, person("aroha"), replace(PLAYER, name="王芳 Wang"))
    boxes(
        read(nevada.draft(nevada.first, "w_2g")),
        ("Winner's name, as on the document", "王芳 Wang"),
    )


def test_a_part_of_a_prize_asks_for_the_form_of_the_whole(
    nevada: LawfulHouse,
) -> None:
    """On the gaming day of its first part; the other one is paid two days later."""
    later = nevada.day + 2 * DAY
    with owner_without_guards("settlement_payout"):
        Payout.objects.filter(pk=nevada.second.pk).update(at=nevada.second.at + 2 * DAY)
    forms = {
        each.rule.form: each
        for each in forms_due(PaidOnDays(nevada.casino, nevada.day, nevada.day))
    }
    assert (forms["W-2G"].total, forms["W-2G"].won) == (1_001 * MICROS, 1_001 * MICROS)
    assert [each.rule.form for each in forms_due(PaidOnDays(nevada.casino, later, later))] == []
    part = Payout.objects.select_related("claim__system__casino").get(pk=nevada.second.pk)
    by_payout = forms_of(nevada.casino, [part])
    assert by_payout[part.pk] == [forms["W-2G"], forms["5754"], forms["1042-S"]]
    assert nevada.draft(part, "w_2g")


def test_fincen_112_counts_the_cash_of_the_day_in_whole_dollars(nevada: LawfulHouse) -> None:
    text = read(nevada.draft(nevada.second, "fincen_112"))
    boxes(
        text,
        ("3 Multiple transactions", "yes, 2"),
        ("4 Last name (here: the whole name, as on the document)", NAME),
        ("17 Date of birth", "02/29/1980"),
        ("20 Form of identification used to verify identity", "Passport LK418805"),
        ("22 Cash out amount for this person", "1,000"),
        ("23 Date of transaction", f"{nevada.day:%m/%d/%Y}"),
        ("27 Total cash out", "1,000"),
        ("27h Payment(s) on wager(s)", "1,000"),
        ("Legal name", "Harbour Casino Company"),
    )
    for payout, amount, cash in ((nevada.first, "600", "600"), (nevada.second, "401", "400")):
        assert re.search(rf"{number_of(payout)} .* Royal Flush {amount} {cash}", text), text
    assert "report cash in (items 21 and 25) by itself" in text


def test_5754_and_1042_s(nevada: LawfulHouse) -> None:
    text = read(nevada.draft(nevada.second, "form_5754"))
    boxes(
        text,
        ("Name", NAME),
        ("Amount received", "1,001.00"),
        ("Game number", "MAIN-1"),
    )
    assert "Part II: persons to whom winnings are taxable" in text
    assert "if this person takes it for others as well" in text
    text = read(nevada.draft(nevada.second, "form_1042_s"))
    boxes(
        text,
        ("1 Income code", "28 (gambling winnings)"),
        ("2 Gross income", "1,001.00"),
        ("3b Tax rate", "30.00"),
        ("7a Federal tax withheld", "0.00"),
        ("12a Withholding agent's EIN", "12-3456789"),
        ("13a Recipient's name, as on the document", NAME),
        ("13l Recipient's date of birth", "19800229"),
    )


def test_of_whom_is_known_to_live_abroad(settings: Settings, tmp_path: Path) -> None:
    """The forms of foreigners alone, with the tax that was withheld, and without a condition."""
    house = LawfulHouse(tmp_path, settings, "nevada", "USD", abroad=True)
    due = forms_due(PaidOnDays(house.casino, house.day, house.day))
    assert [(each.rule.form, each.total, each.condition) for each in due] == [
        ("1042-S", 1_001 * MICROS, ""),
    ]
    text = read(house.draft(house.second, "form_1042_s"))
    boxes(text, ("2 Gross income", "1,001.00"), ("7a Federal tax withheld", "300.30"))
    assert "if this person lives abroad" not in text


def test_the_country_of_residence_is_on_it_where_the_player_gave_it(
    settings: Settings, tmp_path: Path
) -> None:
    house = LawfulHouse(tmp_path, settings, "nevada", "USD", abroad=True)
    by_hand = "to be filled in by hand"
    text = read(house.draft(house.second, "form_1042_s"))
    boxes(text, ("13b Recipient's country (here: ISO 3166)", by_hand))
    with acting_as("web"):
        identification.identify(house.claim, person("aroha"), replace(PLAYER, country="de"))
        assert [each.country for each in identification.look(house.claim, person("aroha"), "pay")]
    with override("de"):
        text = read(house.draft(house.second, "form_1042_s"))
    boxes(
        text,
        ("13b Recipient's country (here: ISO 3166)", "DE"),
        ("postal code (here: the country)", "Germany"),
    )


def test_new_zealand_and_france(settings: Settings, tmp_path: Path) -> None:
    house = LawfulHouse(tmp_path, settings, "new_zealand", "NZD")
    text = read(house.draft(house.second, "nz_cash_report"))
    boxes(
        text,
        ("48B(1)(b)(i) Nature of the transaction", "Payment of a poker jackpot in cash"),
        ("48B(1)(b)(ii) Amount in cash", "1,000.00"),
        ("48B(1)(b)(ii) Currency", "NZD"),
        ("48B(1)(b)(iii) Date of the transaction", f"{house.day:%d/%m/%Y}"),
        ("Full name, as on the document", NAME),
        ("Number of the document", "LK418805"),
    )


def test_a_french_register(settings: Settings, tmp_path: Path) -> None:
    house = LawfulHouse(tmp_path, settings, "france", "EUR")
    text = read(house.draft(house.second, "fr_identification"))
    boxes(
        text,
        ("Nom et prénoms, comme sur le document", NAME),
        ("Date de naissance", "29/02/1980"),
        ("Montant total", "1,001.00"),
        ("Dont espèces", "1,000.00"),
        ("Devise", "EUR"),
    )


def test_each_draft_is_a_look_that_is_recorded(nevada: LawfulHouse) -> None:
    for who in ("aroha", "ines"):  # the cage, compliance
        nevada.draft(nevada.first, "w_2g", who)
    looks = IdentificationLook.objects.order_by("id")
    assert [(each.person.get_username(), each.purpose) for each in looks] == [
        ("aroha", "form"),
        ("ines", "form"),
    ]


@pytest.mark.parametrize("who", ["sione", "mere", "tane"])
def test_who_neither_pays_nor_reports_drafts_nothing(nevada: LawfulHouse, who: str) -> None:
    with pytest.raises(NotPermitted):
        nevada.draft(nevada.first, "w_2g", who)
    assert not IdentificationLook.objects.exists()


def test_the_database_gives_one_seat_and_refuses_who_may_not_look(nevada: LawfulHouse) -> None:
    other = PlayerIdentity(5, "Somebody else", dt.date(1990, 1, 1), "passport", "LA1")
    with acting_as("web"):
        identification.identify(nevada.claim, person("aroha"), other)
        player = identification.identity_on_form(nevada.claim, 3, person("aroha"))
        assert player is not None
        assert player.name == NAME
        assert identification.identity_on_form(nevada.claim, 9, person("aroha")) is None
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "SELECT name FROM identity_on_form(%s, 3::smallint, %s)",
            [nevada.claim.pk, person("tane").pk],
        )
    assert IdentificationLook.objects.count() == 2


def test_a_form_that_the_payment_does_not_ask_for_is_not_drawn(nevada: LawfulHouse) -> None:
    for form in ("nz_cash_report", "nothing"):
        with pytest.raises(WrongState, match="no such form for this payment"):
            nevada.draft(nevada.first, form)
    assert not IdentificationLook.objects.exists()


def test_no_name_is_in_a_query_or_a_log(nevada: LawfulHouse, caplog: Any) -> None:
    with CaptureQueriesContext(connection) as queries, caplog.at_level(logging.DEBUG):
        nevada.draft(nevada.first, "w_2g")
    queries_sent = " ".join(query["sql"] for query in queries.captured_queries)
    for text in (NAME, "LK418805", "1980"):
        assert text not in queries_sent
        assert text not in caplog.text


def test_every_form_of_the_project_is_drawn_on_two_pages_at_most() -> None:
    for name in layouts.layouts():
        assert layouts.load_layout(name).sections, name
