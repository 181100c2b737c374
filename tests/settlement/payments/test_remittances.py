"""Withheld tax is remitted by its person, against what is withheld, and taken back once."""

import uuid
from typing import Any

import pytest
from django.db import connection
from pytest_django import Settings

from jackpot.models import Entry
from jackpot.writer import commands
from settlement.audit.reconciliation import reconcile
from settlement.core.errors import BadFigure, BadReason, Declined, KeyUsed, NotPermitted, WrongState
from settlement.models import Payout, TaxRemittance
from settlement.models.payouts import REMIT, REVERSE
from settlement.payments import remittances
from settlement.payments.remittances import TaxBalance
from tests.support.cases.confirmed_house import person
from tests.support.houses.winners import FOREIGN, UNIT, WinnersHouse
from tests.support.people.permissions.authorisation import at_the_end, refused
from tests.support.people.roles import acting_as, owner_without_guards
from tests.support.suite.kept_house import kept_house
from verifier.check import look

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]


def build_house() -> WinnersHouse:
    """3,000.00 withheld of a foreigner's 10,000.00."""
    house = WinnersHouse(10_000)
    house.pay(house.win(), FOREIGN, cash=7_000, tax=3_000)
    return house


house = kept_house(build_house, JURISDICTIONS={"harbour": "nevada"})


def remit(house: WinnersHouse, units: int, **more: Any) -> TaxRemittance:
    with acting_as("web"):
        row = remittances.remit(
            house.system, person(more.pop("by", "ines")), units * UNIT, "EFTPS 4711", **more
        )
        at_the_end()
    house.post()
    return row


def reverse(house: WinnersHouse, row: TaxRemittance, reason: str = "keyed twice") -> TaxRemittance:
    with acting_as("web"):
        undone = remittances.reverse(row, person("ines"), reason)
        at_the_end()
    house.post()
    return undone


def verified() -> list[str]:
    report = look(connection.connection, settled=False)
    return [sentence for _, sentence in report.findings]


def test_what_is_withheld_is_remitted_and_taken_back(house: WinnersHouse) -> None:
    assert remittances.balance(house.system) == TaxBalance(3_000 * UNIT, 0)
    row = remit(house, 2_000)
    assert remittances.balance(house.system) == TaxBalance(1_000 * UNIT, 2_000 * UNIT)
    reverse(house, row)
    assert remittances.balance(house.system) == TaxBalance(3_000 * UNIT, 0)
    remit(house, 3_000)
    assert remittances.balance(house.system) == TaxBalance(0, 3_000 * UNIT)
    newest, undone, first = remittances.remittances_of(house.system)
    assert newest.can_be_reversed
    assert not any(each.can_be_reversed for each in (undone, first))
    assert first.reversed_by == undone.row
    outcomes = Entry.objects.filter(type__in=(REMIT, REVERSE)).order_by("seq")
    assert [each.outcome for each in outcomes] == [
        {"remitted": 2_000 * UNIT},
        {"remitted": -2_000 * UNIT},
        {"remitted": 3_000 * UNIT},
    ]
    assert verified() == []
    assert reconcile(house.system).differences == []


def test_what_cannot_be_remitted_is_refused(house: WinnersHouse) -> None:
    with pytest.raises(BadFigure, match=r"not remitted are 3,000\.00"):
        remit(house, 3_001)
    for amount in (0, -1):
        with pytest.raises(BadFigure):
            remit(house, amount)
    for name in ("aroha", "mere", "sione"):
        with pytest.raises(NotPermitted):
            remit(house, 1, by=name)
    with pytest.raises(BadReason, match="reference"):
        remittances.remit(house.system, person("ines"), UNIT, " ")
    assert not TaxRemittance.objects.exists()
    key = uuid.uuid4()
    first = remit(house, 2, key=key)
    assert remit(house, 2, key=key) == first
    with pytest.raises(KeyUsed):
        remit(house, 3, key=key)
    with pytest.raises(BadReason, match="why"):
        reverse(house, first, " ")
    undone = reverse(house, first)
    for row in (first, undone):
        with pytest.raises(WrongState, match="reversed already"):
            reverse(house, row)


def test_of_two_at_once_the_order_takes_one(house: WinnersHouse) -> None:
    """Both read the balance before the order took either: it refuses the second."""
    with acting_as("web"):
        for _ in range(2):
            remittances.remit(house.system, person("ines"), 2_000 * UNIT, "EFTPS 4711")
    queued = remittances.remittances_of(house.system)
    assert [each.is_queued for each in queued] == [True, True]
    with pytest.raises(WrongState, match="no sequence number yet"):
        reverse(house, queued[0].row)
    house.post()
    second, first = remittances.remittances_of(house.system)
    assert "is not withheld any more" in second.refused
    assert first.can_be_reversed
    assert not second.can_be_reversed
    with pytest.raises(WrongState, match="no sequence number yet"):
        reverse(house, second.row)
    assert remittances.balance(house.system) == TaxBalance(1_000 * UNIT, 2_000 * UNIT)
    assert verified() == []


def test_a_refusal_of_the_order_is_said(house: WinnersHouse, settings: Settings) -> None:
    """The balance falls between the look and the command."""
    commands.queue(house.system, REMIT, {"amount": 3_000 * UNIT, "reference": "x"}, first="ines")
    honest = commands.queue

    def post_first(*arguments: Any, **keywords: Any) -> int:
        number = honest(*arguments, **keywords)
        house.post()
        return number

    with pytest.MonkeyPatch.context() as late:
        late.setattr(commands, "queue", post_first)
        with pytest.raises(Declined, match="not withheld any more"):
            remittances.remit(house.system, person("ines"), UNIT, "y")


def test_plain_sql_remits_nothing_past_the_order(house: WinnersHouse) -> None:
    remittance = remit(house, 2_000)

    def row(command: int, kind: str = REMIT, **changed: Any) -> None:
        values: dict[str, Any] = {"system": house.system, "kind": kind, "amount": 1_000 * UNIT}
        values |= {"reference": "x"} if kind == REMIT else {"reason": "x"}
        values |= {"person": person("ines"), "key": uuid.uuid4(), **changed}
        TaxRemittance.objects.create(command=command, **values)

    def queue(kind: str = REMIT, first: str = "ines", **changed: Any) -> int:
        body: dict[str, Any] = {"amount": 1_000 * UNIT}
        body |= {"reference": "x"} if kind == REMIT else {"reason": "x"}
        return commands.queue(house.system, kind, body | changed, first=first)

    with acting_as("web"):
        with refused("actions: behind command .* stands no remittance"):
            queue()
        with refused("actions: no command takes remittance"):
            row(99)
        for words, change in (
            ({"amount": 1}, {}),
            ({"reference": "y"}, {}),
            ({}, {"person": person("aroha")}),
        ):
            with refused("actions: |permission: "):
                row(queue(**words), **change)
        with refused("permission: "):
            row(queue(first="aroha"), person=person("aroha"))
        number = remittance.command
        with refused("actions: "):  # of another amount
            row(queue(REVERSE, remittance=number), REVERSE, reverses=remittance)
        both: dict[str, Any] = {"amount": 2_000 * UNIT}
        with refused("actions: "):  # of another remittance than it names
            row(queue(REVERSE, remittance=number + 1, **both), REVERSE, reverses=remittance, **both)
        with refused("remittance_says_what_it_is"):
            row(queue(REVERSE, remittance=number, **both), REVERSE, **both)
        row(queue(REVERSE, remittance=number, **both), REVERSE, reverses=remittance, **both)
        at_the_end()
        with refused("reverses_id"):
            row(queue(REVERSE, remittance=number, **both), REVERSE, reverses=remittance, **both)


@pytest.mark.parametrize(
    "change",
    [
        {"chips": 10_000 * UNIT, "cash": 0, "tax": 0},
        {"cash": 10_000 * UNIT, "tax": 0},
        {"chips": 7_000 * UNIT, "cash": 0},
        {"residence": "resident"},
        {"residence": ""},
    ],
)
def test_a_payout_says_what_was_withheld(house: WinnersHouse, change: dict[str, Any]) -> None:
    (row,) = Payout.objects.values()
    payout = {name: value for name, value in row.items() if name != "id"}
    with owner_without_guards("settlement_payout"):
        Payout.objects.all().delete()
    with refused("did not pay this part"):
        Payout.objects.create(**payout | change)
    Payout.objects.create(**payout)


@pytest.mark.parametrize(
    ("table", "change", "sentence"),
    [
        ("settlement_taxremittance", "amount = amount + 1", "not what a command of its person"),
        ("settlement_taxremittance", "reference = 'other'", "not what a command of its person"),
        ("settlement_taxremittance", "person_id = person_id + 1", "not what a command of its"),
        ("jackpot_command", 'body = body || \'{"reference": "y"}\'', "not what a command of its"),
        ("settlement_payout", "tax = tax - 1, cash = cash + 1", "says otherwise"),
        ("settlement_action", "body = jsonb_set(body, '{withholding,due}', '5')", "nobody said"),
    ],
)
def test_tampering_is_found(house: WinnersHouse, table: str, change: str, sentence: str) -> None:
    remit(house, 2_000)
    assert verified() == []
    which = {"jackpot_command": "kind = 'remit_tax'", "settlement_action": "kind = 'pay'"}
    with owner_without_guards(table), connection.cursor() as cursor:
        cursor.execute(f"UPDATE {table} SET {change} WHERE {which.get(table, 'true')}")
        assert cursor.rowcount == 1
    assert any(sentence in each for each in verified())


def test_what_is_gone_or_taken_back_twice_is_found(house: WinnersHouse) -> None:
    rows = [remit(house, 1_000), remit(house, 1_000)]
    undone = [reverse(house, row) for row in rows]
    assert verified() == []
    with owner_without_guards("settlement_taxremittance"), connection.cursor() as cursor:
        cursor.execute(
            "ALTER TABLE settlement_taxremittance"
            " DROP CONSTRAINT settlement_taxremittance_reverses_id_key"
        )
        TaxRemittance.objects.filter(pk=undone[1].pk).update(reverses=rows[0])
    assert any("was reversed before" in each for each in verified())
    with owner_without_guards("settlement_taxremittance"):
        TaxRemittance.objects.filter(pk=undone[1].pk).update(reverses=undone[0])
    assert any("it reverses nothing of that amount" in each for each in verified())
    with owner_without_guards("settlement_taxremittance"):
        TaxRemittance.objects.filter(pk=undone[1].pk).delete()
    assert any("the remittance behind it is gone" in each for each in verified())
