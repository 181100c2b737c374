"""A player who had excluded herself wins: the payment stops, and two people decide on it."""

import datetime as dt
import hashlib
from collections.abc import Callable

import pytest

from settlement.claims import services as claims
from settlement.core.errors import Excluded
from settlement.evidence import identification
from settlement.evidence.identification import PlayerIdentity
from settlement.exclusions import imports, release
from settlement.models import Claim
from settlement.payments import services as payments
from settlement.people.rights.permissions import Reauthenticated
from tests.support.cases.hands.worked_example import BOARD
from tests.support.people.roles import acting_as
from tests.support.play.books import royal_terms
from tests.support.units.cardroom import CardRoom, money

OpenRoom = Callable[..., CardRoom]
ZOE = PlayerIdentity(3, "Zoë Anne Müller", dt.date(1979, 8, 7), "passport", "LK 41-88")
REGISTER = """name,born,kind,from,until,reference
MUELLER Zoe,1979-08-07,self,2026-01-01,2031-01-01,SE-118
"""


def won(room: CardRoom) -> Claim:
    """Seat 3 has a royal flush."""
    unit = room.unit(3)
    room.play(unit, 2)
    room.posted(unit, unit.report_hand([BOARD], [{"seat": 3, "hole": ["As", "Ks"]}]))
    return room.claim()


def register_imported(room: CardRoom) -> None:
    """Compliance looks at the lines of the file and confirms them."""
    content, casino, priya = REGISTER.encode(), room.system.casino, room.people["priya"]
    with acting_as("web"):
        file = imports.preview(casino, priya, "National register", content)
        assert not file.problems
        choice = imports.Choice("National register", content, file.sha256, is_whole=True)
        row = imports.confirm(casino, priya, choice)
    assert (row.added, row.file) == (1, hashlib.sha256(content).hexdigest())


def pay(room: CardRoom) -> None:
    room.pay(cash=room.hit().held)


def test_she_is_identified_and_nothing_is_paid_until_two_release_it(open_room: OpenRoom) -> None:
    room = open_room(royal_terms())
    register_imported(room)
    claim = won(room)
    with acting_as("web"):
        identification.identify(claim, room.people["mere"], ZOE)
    room.verify()
    room.confirm()
    with pytest.raises(Excluded, match="seat 3 is on the list"):
        pay(room)
    assert room.balance("paid_cash") == 0
    with acting_as("web"):
        proposal = release.propose(
            claim, room.people["anna"], 3, "Her order was lifted on 3 May: the letter is on file"
        )
        answer = release.agree(proposal, Reauthenticated(room.people["priya"]))
    assert answer.seq is not None
    pay(room)
    assert room.balance("paid_cash") == room.hit().held
    room.balanced()


def test_the_register_comes_later_and_the_prize_is_forfeited(open_room: OpenRoom) -> None:
    room = open_room(royal_terms())
    claim = won(room)
    with acting_as("web"):
        identification.identify(claim, room.people["mere"], ZOE)
    room.verify()
    room.confirm()
    register_imported(room)
    with pytest.raises(Excluded):
        pay(room)
    held, pool = room.hit().held, room.pool()
    with acting_as("web"):
        proposal = payments.propose_forfeit(
            claim, room.people["lucia"], 1, "Excluded person: house policy 7, reference SE-118"
        )
        payments.agree_forfeit(proposal, Reauthenticated(room.people["david"]))
    assert (room.hit().payees[0]["state"], room.pool()) == ("forfeited", pool + held)
    assert held > money(1000)
    room.balanced()


def test_the_neighbour_who_is_on_no_list_is_paid(open_room: OpenRoom) -> None:
    room = open_room(royal_terms())
    register_imported(room)
    claim = won(room)
    with acting_as("web"):
        neighbour = PlayerIdentity(3, "Zoe Miller", dt.date(1979, 8, 7), "passport", "XX1234")
        identification.identify(claim, room.people["mere"], neighbour)
    room.verify()
    room.confirm()
    claims.catch_up(room.system)
    pay(room)
    assert room.balance("paid_cash") == room.hit().held
