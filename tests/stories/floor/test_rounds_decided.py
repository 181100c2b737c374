"""Void, cancelled and missed rounds and a corrected flop, from the handset to the pool."""

from collections.abc import Callable

import pytest
from django.utils import timezone

from settlement.approvals import proposals
from settlement.claims import services as claims
from settlement.core.errors import HandDoesNotQualify, SamePerson
from settlement.floor import handover, incidents, missed_rounds, rulings
from settlement.models import Proposal
from settlement.people.rights.permissions import Reauthenticated
from tables.models import GamingTable
from tests.support.cases.terms.limits import alone_up_to
from tests.support.people.roles import acting_as
from tests.support.play.books import royal_terms
from tests.support.play.hands import BOARD, ROYAL
from tests.support.units.cardroom import CardRoom, money

OpenRoom = Callable[..., CardRoom]
INCREMENTS = [
    {"source": "per_round", "amount": money(0.5)},
    {"source": "pot", "basis_points": 100},
]


def terms() -> dict[str, object]:
    return royal_terms(increments=INCREMENTS) | {"funding": "players"}


def test_20_1_a_misdeal_is_void_and_its_hand_is_rejected(open_room: OpenRoom) -> None:
    """The players' 2.00 go back, the operator's 0.50 cover the redeal; the claim falls away."""
    room = open_room(terms())
    three = room.unit(3)
    room.play(three, 1)
    room.posted(three, three.complete(pot=20_000))
    assert room.pool() == money(1002.50)
    room.posted(three, three.call_hand([3], "royal"))
    assert room.hit(1).held == money(1003)
    cards = {"seat": 3, "hole": ["As", "Ks"]}
    room.posted(three, three.report_hand([["Qs", "Js", "Ts", "2d", "3c"]], [cards]))
    room.posted(three, three.request_void("defective_deck"))
    (request,) = rulings.open_requests("void_requested")
    assert room.pool() == money(1000)  # a request moves nothing
    with acting_as("web"):
        rulings.decide(
            rulings.RoundRuling(
                "void_round",
                request.table,
                request.round or 0,
                reason="defective_deck",
                note="Two aces of spades, camera 4",
            ),
            room.people["mere"],
            request=request,
        )
    assert (room.hit(1).held, room.pool()) == (money(1003), money(998))
    with pytest.raises(HandDoesNotQualify):
        room.verify(1)
    room.reject(1, "R09")
    assert room.pool() == money(1000.50)
    room.balanced()


def test_20_1_what_comes_for_a_void_round_afterwards(open_room: OpenRoom) -> None:
    """Void before its completion and its hand came: the pot adds nothing, the hand wins nothing."""
    room = open_room(terms())
    three = room.unit(3)
    room.play(three, 1)
    with acting_as("web"):
        rulings.decide(
            rulings.RoundRuling(
                "void_round",
                GamingTable.objects.select_related("system__casino").get(pk=room.tables[3].pk),
                three.round,
                reason="cards_exposed",
                note="The cut showed two cards",
            ),
            room.people["mere"],
        )
    late = room.posted(three, three.complete(pot=20_000))
    assert room.outcome(late) == {"flags": ["void"]}
    assert room.pool() == money(1000.50)
    hand = room.posted(three, three.report_hand([BOARD], [ROYAL]))
    assert "void" in room.outcome(hand)["flags"]
    with pytest.raises(HandDoesNotQualify):
        room.verify(1)
    room.reject(1, "R08", irregularity="exposed_in_cut")
    assert room.pool() == money(1000.50)
    room.balanced()


def test_19_19_what_a_unit_says_of_a_round_that_was_credited(open_room: OpenRoom) -> None:
    """Credited with a pot of 100.00, which was 200.00: the difference counts, and it is flagged."""
    room = open_room(terms())
    three = room.unit(3)
    room.play(three, 1)
    with acting_as("web"):
        table = GamingTable.objects.select_related("system__casino").get(pk=room.tables[3].pk)
        missed_rounds.credit(
            table,
            room.people["mere"],
            missed_rounds.MissedCredit(
                count=1,
                evidence="The dealer's word, camera 4",
                rounds=[three.round + 1],
                figures={"pot": money(100)},
            ),
        )
    assert room.pool() == money(1002)  # twice 0.50 and 1% of 100.00
    start = room.posted(three, three.press())
    assert (room.outcome(start), room.pool()) == ({"flags": ["adjusted_before"]}, money(1002))
    room.posted(three, three.complete(pot=20_000))
    assert room.pool() == money(1003)
    room.balanced()


def test_19_19_above_the_limit_of_the_day_two_people_credit(open_room: OpenRoom) -> None:
    """A hand in a round that nobody pressed shows it; the dealer says that it was five rounds."""
    room = open_room(terms())
    alone_up_to(3)
    three = room.unit(3)
    room.play(three, 1)
    room.posted(three, three.report_hand([BOARD], [ROYAL], round_number=three.round + 6))
    (sign,) = missed_rounds.signals()
    assert (sign.table.code, sign.round, sign.what) == ("t3", three.round + 6, "hand")
    room.posted(three, three.rounds_missed(5, "New dealer"))
    (request,) = rulings.open_requests("rounds_missed")
    assert room.pool() == money(1000)
    with acting_as("web"):
        proposal = missed_rounds.credit(
            request.table,
            room.people["anna"],
            missed_rounds.MissedCredit(count=5, evidence="Camera 4", entries=[request.entry.seq]),
            request=request,
        )
        assert isinstance(proposal, Proposal)
        assert room.pool() == money(1000)  # a proposal moves nothing
        with pytest.raises(SamePerson):
            proposals.agree(proposal, Reauthenticated(room.people["anna"]))
        proposals.agree(proposal, Reauthenticated(room.people["david"]))
    assert room.pool() == money(1002.50)
    assert rulings.open_requests("rounds_missed") == []
    assert room.hit(1).held == money(1001)  # what was credited later is for the next one
    room.balanced()


def test_19_20_an_incident_stands_in_the_handover_until_it_is_resolved(
    open_room: OpenRoom,
) -> None:
    room = open_room(terms())
    with acting_as("web"):
        note = "The handset froze; hands are entered on the console"
        incident = incidents.report(
            room.system,
            room.people["tom"],
            incidents.IncidentReport(
                kind="handset",
                note=note,
                happened_at=timezone.now(),
                table=GamingTable.objects.get(pk=room.tables[3].pk),
            ),
        )
        assert note in str(handover.gather(room.casino))
        incidents.resolve(incident, room.people["mere"], "Handset changed")
        assert note not in str(handover.gather(room.casino))


def test_19_19_missed_rounds_and_a_double_press(open_room: OpenRoom) -> None:
    room = open_room(terms())
    three = room.unit(3)
    room.play(three, 2)
    with acting_as("web"):
        mere = room.people["mere"]
        table = GamingTable.objects.select_related("system__casino").get(pk=room.tables[3].pk)
        rulings.decide(
            rulings.RoundRuling(
                "cancel_round", table, three.round, reason="double_press", note="Camera 4, 22:10"
            ),
            mere,
        )
        assert room.pool() == money(1000.50)
        missed_rounds.credit(
            table, mere, missed_rounds.MissedCredit(count=4, evidence="The dealer's word, camera 4")
        )
        assert room.pool() == money(1002.50)
        missed_rounds.countersign(missed_rounds.to_countersign().get(), room.people["david"])
    room.balanced()


def test_19_21_the_jackpot_is_settled_on_the_corrected_flop(open_room: OpenRoom) -> None:
    """Two burn cards lay in the flop. Corrected it is a royal flush, at the hand's own place."""
    room = open_room(royal_terms())
    three, seven = room.unit(3), room.unit(7)
    room.play(three, 4)
    cards = {"seat": 3, "hole": ["As", "Ks"]}
    room.posted(three, three.report_hand([["2h", "9d", "Ts", "2d", "3c"]], [cards]))
    room.play(seven, 1)
    room.posted(seven, seven.call_hand([3], "royal"))
    assert (room.hit(1).tier, room.hit(2).held) == (None, money(1003))  # 1,002.50 rounded up
    seat = {**cards, "exposed": "yes", "folded": False, "participating": True, "won_pot": True}
    with acting_as("web"):
        corrected = {"boards": [["Qs", "Js", "Ts", "2d", "3c"]], "hands": [seat]}
        claims.amend(room.claim(1), room.people["mere"], corrected)
    assert room.hit(1).held == money(1002)  # what stood there before the second hand
    assert room.hit(2).held == money(1001)
    # It was no error after all but a later board: the hand falls away, with its own reason.
    room.reject(1, "R07", by=("tom", "david"))
    assert room.hit(2).held == money(1003)
    room.balanced()


def test_19_19_a_completion_that_the_dealer_forgot(open_room: OpenRoom) -> None:
    """Pressed, and never completed: 2.00 of the pot are credited by the round's number, not 2.50.
    The dealer finds the slip later: the same counts once, another pot is an incident."""
    room = open_room(terms())
    three = room.unit(3)
    room.play(three, 3)
    first = three.round - 2
    assert [(each.round, each.what) for each in missed_rounds.signals()] == [(first, "uncompleted")]
    with acting_as("web"):
        missed_rounds.credit(
            GamingTable.objects.select_related("system__casino").get(pk=room.tables[3].pk),
            room.people["mere"],
            missed_rounds.MissedCredit(
                count=1,
                evidence="Camera 4, 21:10; the dealer's slip",
                rounds=[first],
                completion=True,
                figures={"pot": money(200)},
            ),
        )
    assert room.pool() == money(1003.50)
    assert missed_rounds.signals() == []
    late = room.posted(three, three.complete(round_number=first, pot=20_000))
    assert room.outcome(late) == {"flags": ["adjusted_before"]}
    assert room.pool() == money(1003.50)
    with acting_as("worker"):
        assert incidents.find_in_the_order() == 0
    with acting_as("web"):
        left = [section for section in handover.gather(room.casino) if section["items"]]
    assert "Signs of missed rounds" not in [section["title"] for section in left]
    room.balanced()
