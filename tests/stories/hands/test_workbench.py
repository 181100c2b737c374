"""A claim is checked on the workbench: the deck counted, footage, the player, the hand near by."""

import datetime as dt
from collections.abc import Callable

from jackpot.queries.hit_order import Orders
from settlement.claims import workbench
from settlement.claims.nearby import nearby
from settlement.evidence import attachments, identification
from settlement.evidence.assessment import examine
from settlement.models import DeckTick, IdentificationLook
from tests.support.cases.claims.evidence import JPEG
from tests.support.people.roles import acting_as
from tests.support.play.books import royal_terms
from tests.support.units.cardroom import CardRoom, money

OpenRoom = Callable[..., CardRoom]
ROYAL = {"seat": 3, "hole": ["As", "Ks"]}
BOARD = ["Qs", "Js", "Ts", "2d", "3c"]
HOUR = dt.timedelta(hours=1)


def two_hands(room: CardRoom) -> None:
    """1,001.00 on table 3, then 1,002.00 on table 7, whose unit's clock runs an hour behind."""
    three = room.unit(3)
    seven = room.unit(7, clock=lambda: dt.datetime.now(dt.UTC) - HOUR)
    room.play(three, 2)
    room.posted(three, three.report_hand([BOARD], [ROYAL]))
    room.play(seven, 4)
    room.posted(seven, seven.report_hand([BOARD], [ROYAL]))


def test_the_evidence_of_a_claim_from_the_call_to_the_cage(open_room: OpenRoom) -> None:
    room = open_room(royal_terms())
    two_hands(room)
    claim, mere, tom, lucia = (
        room.claim(),
        *(room.people[name] for name in ("mere", "tom", "lucia")),
    )
    cards = [str(card) for suit in examine(room.hit()).remaining.values() for card in suit]
    with acting_as("web"):
        workbench.count_deck(claim, tom, cards[:20])
        workbench.count_deck(claim, mere, cards[20:])
        at = room.hit().at
        workbench.add_footage(
            claim,
            mere,
            reviewer="Sven Lindqvist",
            camera="12",
            since=at - dt.timedelta(minutes=5),
            until=at,
            reference="DVR-4411",
            finding="Hand tabled before the pot was pushed",
        )
        attachments.attach(claim, mere, "The layout", JPEG)
        identification.identify(
            claim,
            mere,
            identification.PlayerIdentity(
                seat=3,
                name="Wiremu Patterson-Quill",
                born=dt.date(1980, 2, 29),
                document="passport",
                document_number="LK418805",
            ),
        )
    assert DeckTick.objects.filter(claim=claim).count() == 45
    answer = claim.answers.get(item="deck_counted")
    assert (answer.answer, answer.person) == ("yes", mere)
    room.verify()
    room.confirm()
    with acting_as("web"):
        (player,) = identification.look(claim, lucia, "pay")
    assert player.name == "Wiremu Patterson-Quill"
    room.pay()
    assert room.hit().standing == "closed"
    assert IdentificationLook.objects.get().person == lucia
    room.balanced()


def test_19_14_b_a_clock_that_is_off_does_not_change_the_order(open_room: OpenRoom) -> None:
    room = open_room(royal_terms())
    two_hands(room)
    with acting_as("web"):
        own, (other,) = nearby(room.hit(1))
    assert own.behind is not None
    assert own.recorded_at is not None
    assert own.behind < dt.timedelta(minutes=1)
    assert other.clocks.recorded_at is not None
    assert other.clocks.recorded_at < own.recorded_at
    assert other.clocks.behind is not None
    assert HOUR <= other.clocks.behind < HOUR + dt.timedelta(minutes=1)
    assert not other.comes_first
    assert not other.clocks_disagree
    assert other.orders == Orders(money(1_001), money(1_002), money(1_002), money(1_001))
    assert [room.hit(number).held for number in (1, 2)] == [money(1_001), money(1_002)]
