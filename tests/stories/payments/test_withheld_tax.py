"""A foreign winner of 10,000.00 in Nevada: 30% withheld, remitted later, and the claim undone."""

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from pytest_django import Settings

from settlement.claims import services as claims
from settlement.claims.decisions import reversals
from settlement.core.errors import BadWithholding
from settlement.core.gaming_day import today
from settlement.evidence.identification import PlayerIdentity, identify
from settlement.jurisdiction.payments import PayeeStatement
from settlement.models import Payout, TaxRemittance
from settlement.payments import remittances, slips
from settlement.people.rights.permissions import Reauthenticated
from settlement.reports.catalogue import reports
from settlement.reports.definitions.definition import Filters
from tables.models import Casino
from tests.support.cases.claims.slips import read
from tests.support.cases.hands.worked_example import BOARD
from tests.support.people.roles import acting_as
from tests.support.play.books import royal_terms
from tests.support.units.cardroom import CardRoom, money

OpenRoom = Callable[..., CardRoom]
PLAYER = PlayerIdentity(3, "Ana Ruiz", dt.date(1980, 1, 1), "passport", "XAB123456")


@pytest.fixture
def room(open_room: OpenRoom, settings: Settings) -> CardRoom:
    """A claim of 10,000.00 that is confirmed; its player is identified at the cage."""
    settings.JURISDICTIONS = {"harbour": "nevada"}
    room = open_room(royal_terms(reset=money(9_999.50)))
    Casino.objects.update(currency="USD")
    three = room.unit(3)
    room.play(three, 1)
    room.posted(three, three.call_hand([3], "royal"))
    hand = {"seat": 3, "hole": ["As", "Ks"]}
    room.posted(three, three.report_hand([BOARD], [hand], round_number=three.round))
    room.verify()
    room.confirm()
    assert room.hit().confirmed == money(10_000)
    with acting_as("web"):
        identify(room.claim(), room.people["lucia"], PLAYER)
    return room


def pay(room: CardRoom, residence: str, **parts: int) -> None:
    with acting_as("web"):
        cashier = Reauthenticated(room.people["lucia"])
        statement = PayeeStatement(residence)
        claims.pay(room.claim(), cashier, 1, parts, statement=statement)


def remit(room: CardRoom, amount: int, reference: str) -> TaxRemittance:
    with acting_as("web"):
        return remittances.remit(room.system, room.people["priya"], amount, reference)


def accounts(room: CardRoom, *names: str) -> list[int]:
    return [room.balance(name) // money(1) for name in names]


def report(room: CardRoom, code: str) -> dict[str, Any]:
    (row,) = reports()[code].report(of_today()).rows(9)
    return row


def of_today() -> Filters:
    casino = Casino.objects.get()
    return Filters(casino, today(casino), today(casino))


def test_withheld_remitted_and_undone(room: CardRoom) -> None:
    with pytest.raises(BadWithholding, match=r"require you to withhold 3,000\.00"):
        pay(room, "foreign", cash=money(10_000))
    pay(room, "foreign", cash=money(7_000), tax=money(3_000))
    assert room.hit().state == "paid"
    assert accounts(room, "paid_cash", "withheld_tax", "payable") == [7_000, 3_000, 0]
    with acting_as("web"):
        payout = Payout.objects.select_related("claim__system__casino").get()
        slip = read(slips.print_slip(payout, room.people["lucia"])[0])
    assert "USD seven thousand and 00/100" in slip
    assert "Won 10,000.00, tax withheld 3,000.00, handed over 7,000.00" in slip
    assert "Handed over in: Cash 7,000.00" in slip
    room.balanced()

    owed = report(room, "liability")
    assert (owed["tax"], owed["liability"]) == (money(3_000), room.pool())
    assert report(room, "payments-by-method")["tax"] == money(3_000)
    assert report(room, "payouts")["tax_micros"] == money(3_000)
    assert report(room, "player-fund")["paid"] == money(10_000)
    row = report(room, "tax-and-cash-reports")
    assert (row["tax"], row["forms"]) == (money(3_000), "1042-S")

    wrong = remit(room, money(3_000), "EFTPS 4711")
    assert report(room, "liability")["tax"] == 0
    with acting_as("web"):
        remittances.reverse(wrong, room.people["priya"], "sent back by the bank")
    remit(room, money(2_500), "EFTPS 4712")
    assert accounts(room, "withheld_tax", "remitted_tax") == [500, 2_500]
    room.balanced()

    operator, pool = room.balance("operator"), room.pool()
    with acting_as("web"):
        ground: Any = {"reason": "R13", "evidence": "Camera 4", "recovered": {"cash": money(6_000)}}
        proposal = reversals.propose(room.claim(), room.people["tom"], **ground)
        reversals.agree(proposal, Reauthenticated(room.people["anna"]))
    assert room.hit().state == "reversed"
    assert room.pool() == pool + money(10_000)
    assert accounts(room, "paid_cash", "withheld_tax", "remitted_tax") == [1_000, 0, 2_500]
    assert room.balance("operator") == operator - money(3_500)  # what nobody recovered
    fund = report(room, "player-fund")
    assert (fund["paid"], fund["recovered"]) == (money(10_000), money(6_500))
    register = reports()["payouts"]
    sums = register.totals(register.report(of_today()))
    assert (sums["amount_micros"], sums["tax_micros"]) == (money(3_500), money(2_500))
    room.balanced()


def test_of_a_resident_nothing_is_withheld(room: CardRoom) -> None:
    pay(room, "resident", equivalent=money(10_000))
    assert accounts(room, "paid_equivalent", "payable") == [10_000, 0]
    assert report(room, "tax-and-cash-reports")["forms"] == "W-2G"
    room.balanced()
