"""A prize of 10,000.00 that four seats share: Form 5754 of the winner names all of them."""

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from pytest_django import Settings

from settlement.claims import services as claims
from settlement.claims.services import catch_up
from settlement.evidence.identification import PlayerIdentity, identify
from settlement.jurisdiction.payments import PayeeStatement
from settlement.models import IdentificationLook, Payout
from settlement.payments.form_drafts import draft_form
from settlement.people.rights.permissions import Reauthenticated
from tables.models import Casino
from tests.support.cases.claims.shares import lines
from tests.support.cases.claims.slips import read
from tests.support.people.roles import acting_as, owner_without_guards
from tests.support.play.books import royal_terms
from tests.support.units.cardroom import CardRoom, money

OpenRoom = Callable[..., CardRoom]
BOARD = ["Ad", "Ac", "Kd", "2d", "3c"]
ACES_FULL = {
    "weakest": {"category": "full_house", "ranks": ["A"]},
    "hole_cards_playing": 2,
    "games": ["holdem"],
}
PASSPORT = (dt.date(1980, 1, 1), "passport")
ANA = PlayerIdentity(
    3, "Ana Ruiz", *PASSPORT, "XA3", tax_number="078-05-1120", address="7 Elm Street, Reno"
)
BEN, CORA = (
    PlayerIdentity(1, "Ben Oduya", *PASSPORT, "XA1", tax_number="078-05-0001"),
    PlayerIdentity(2, "Cora Lind", *PASSPORT, "XA2", address="9 Oak Road, Elko"),
)


@pytest.fixture
def room(open_room: OpenRoom, settings: Settings) -> CardRoom:
    """Seat 3 has 70%, and seats 1, 2 and 4 share 30%: 7,000.00 and 1,000.00 each. Nobody identified
    seat 4. Seat 3 is paid 4,500.00 and 2,500.00, seat 1 its part."""
    settings.JURISDICTIONS = {"harbour": "nevada"}
    plan = {"winner": 7_000, "table": 3_000}
    terms = royal_terms(
        code="aces", name="Aces Full", qualifying=ACES_FULL, plan=plan, reset=money(9_999.50)
    )
    room = open_room(terms)
    Casino.objects.update(currency="USD")
    three = room.unit(3)
    room.play(three, 1)
    hand = {"seat": 3, "hole": ["Ah", "Kh"]}
    dealt: dict[str, Any] = {"seats_dealt": [1, 2, 3, 4], "button_seat": 1}
    room.posted(three, three.report_hand([BOARD], [hand], round_number=three.round, **dealt))
    room.verify()
    room.confirm()
    assert lines(room) == [
        (3, "winner", 7_000),
        (1, "table", 1_000),
        (2, "table", 1_000),
        (4, "table", 1_000),
    ]
    with acting_as("web"):
        for player in (ANA, BEN, CORA):
            identify(room.claim(), room.people["lucia"], player)
    for line, amount in ((1, 4_500), (1, 2_500), (2, 1_000)):
        with acting_as("web"):
            cashier, here = Reauthenticated(room.people["lucia"]), PayeeStatement("resident")
            parts = {"cash": money(amount)}
            claims.pay(room.claim(), cashier, line, parts, statement=here)
    catch_up(room.system)
    return room


def drafted(room: CardRoom, form: str) -> bytes:
    payout = Payout.objects.select_related("claim__system__casino").filter(line=1).latest("part")
    with acting_as("web"):
        return draft_form(payout, form, room.people["lucia"])


def test_the_statement_names_who_shares_with_parts_and_amounts(room: CardRoom) -> None:
    """7,000 of 10,000 is 70%, 1,000 is 10%."""
    text = read(drafted(room, "form_5754"))
    assert "Name Ana Ruiz" in text
    assert "Amount received 7,000.00" in text
    table = text[text.index("Part II") :]
    for row in (
        "Ben Oduya 078-05-0001 1,000.00 10.00%",
        "Cora Lind 9 Oak Road, Elko 1,000.00 10.00%",
        "Ana Ruiz 078-05-1120 7 Elm Street, Reno 7,000.00 70.00%",
        "seat 4, not identified 1,000.00 10.00%",
    ):
        assert row in table, (row, table)
    looks = IdentificationLook.objects.values_list("purpose", flat=True)
    assert list(looks) == ["form"]  # one draft, one look
    assert "Ben Oduya" not in read(drafted(room, "w_2g"))  # that one names its winner alone
    room.balanced()


def test_of_one_year_it_states_what_was_paid_in_it(room: CardRoom) -> None:
    """4,500.00 were paid in the year before; 2,500 of 3,500 is 71.43%, and 1,000 is 28.57%."""
    first = Payout.objects.get(line=1, part=1)
    with owner_without_guards("settlement_payout"):
        Payout.objects.filter(pk=first.pk).update(at=first.at - dt.timedelta(days=366))
    text = read(drafted(room, "form_5754"))
    assert "Amount received 2,500.00" in text
    assert "Ben Oduya 078-05-0001 1,000.00 28.57%" in text
    assert "Ana Ruiz 078-05-1120 7 Elm Street, Reno 2,500.00 71.43%" in text
    assert "Cora Lind" not in text
