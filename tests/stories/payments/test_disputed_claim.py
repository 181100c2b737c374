"""A player disputes a claim and the regulator holds it: paid at last, with a slip, and proved."""

import io
from collections.abc import Callable

import pytest
from pypdf import PdfReader
from pytest_django import Settings

from settlement.audit import file_keys
from settlement.bundles import bundle
from settlement.claims.decisions import stops
from settlement.claims.status import stopped_hits
from settlement.core import signing
from settlement.core.errors import Stopped
from settlement.models import Payout
from settlement.payments import slips
from settlement.people.rights.permissions import Reauthenticated
from tests.support.cases.hands.worked_example import BOARD
from tests.support.people.roles import acting_as
from tests.support.play.books import royal_terms
from tests.support.units.cardroom import CardRoom
from verifier.bundle import findings

OpenRoom = Callable[..., CardRoom]


def test_disputed_held_and_paid_at_last(open_room: OpenRoom, settings: Settings) -> None:
    settings.BUNDLE_SIGNING_KEY = "33" * 32
    file_keys.begin()
    room = open_room(royal_terms())
    three = room.unit(3)
    room.play(three, 2)
    room.posted(three, three.call_hand([3], "royal"))
    hand = {"seat": 3, "hole": ["As", "Ks"]}
    room.posted(three, three.report_hand([BOARD], [hand], round_number=three.round))
    room.verify()
    people = room.people

    # The player in seat 4 says that the hand was folded: nothing is confirmed meanwhile.
    with acting_as("web"):
        stops.open_stop(room.claim(), people["lucia"], "dispute", "Seat 4: it was folded")
    with pytest.raises(Stopped, match="player's dispute"):
        room.confirm(by="david")
    _end(room, 0, "mere", "anna")
    room.confirm(by="david")

    # The inspector holds what is confirmed: nothing is paid meanwhile.
    with acting_as("web"):
        stops.open_stop(room.claim(), people["priya"], "hold", "Letter 7 of the inspector")
    with pytest.raises(Stopped, match="regulator's hold"):
        room.pay()
    assert [hit.number for hit in stopped_hits()] == [1]
    _end(room, 1, "priya", "anna")
    assert not stopped_hits()
    room.pay()
    assert room.hit().state == "paid"

    payout = Payout.objects.select_related("claim__system__casino").get()
    with acting_as("web"):
        pdf, _ = slips.print_slip(payout, people["lucia"])
        archive = io.BytesIO()
        bundle.export(room.claim(), people["priya"], archive)
    text = PdfReader(io.BytesIO(pdf)).pages[0].extract_text()
    for name in ("Mere Tane", "David Okafor", "Lucia Marin"):
        assert name in text
    assert findings(archive, bytes.fromhex(signing.public_key())) == []
    room.balanced()


def _end(room: CardRoom, place: int, first: str, second: str) -> None:
    stop = room.hit().stops[place]["entry"]
    with acting_as("web"):
        proposal = stops.propose_end(room.claim(), room.people[first], stop, "Camera 4 is clear")
        stops.agree_end(proposal, Reauthenticated(room.people[second]))
