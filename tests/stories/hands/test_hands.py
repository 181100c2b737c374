"""Hands as dealers meet them: called, mistyped, amended, folded, on a second board."""

from collections.abc import Callable

import pytest

from jackpot.models import Entry
from settlement.claims import services as claims
from settlement.core.errors import HandDoesNotQualify, SamePerson
from settlement.evidence.assessment import examine
from settlement.tasks import catch_up
from tables.models import TableEvent
from tables.protocol import messages, topics
from tests.support.play.books import royal_terms
from tests.support.play.hands import BOARD, ROYAL, typed
from tests.support.units.cardroom import CardRoom, money

OpenRoom = Callable[..., CardRoom]


def against(room: CardRoom, number: int = 1) -> list[tuple[str, str]]:
    """Rule and code of every reason against, as the claim shows them."""
    verdict = examine(room.hit(number)).verdict
    assert verdict is not None
    return [(reason.rule, reason.code) for reason in verdict.reasons if reason.against]


def test_a_duplicate_event_counts_once(open_room: OpenRoom) -> None:
    room = open_room(royal_terms())
    unit = room.unit(3)
    room.play(unit, 1)
    event = TableEvent.objects.get(system=room.system, type="round_started")
    publication = unit.link.publish(topics.events(room.system.code, "t3"), bytes(event.body))
    assert publication is not None
    again = unit.press()
    room.posted(unit, again)
    assert TableEvent.objects.filter(system=room.system, type="round_started").count() == 2
    assert room.pool() == money(1001)
    room.balanced()


def test_a_second_press_moves_nothing(open_room: OpenRoom) -> None:
    """The unit's own guard ignores it; a unit without one is judged by the console."""
    room = open_room(royal_terms())
    guarded = room.unit(3, guard_s=15)
    room.posted(guarded, guarded.press())
    assert guarded.press() is None
    assert room.pool() == money(1000.50)
    careless = room.unit(7)
    first = careless.press()
    room.posted(careless, first)
    second = careless._record(messages.RoundStarted, round=careless.round)
    result = room.posted(careless, second)
    assert room.pool() == money(1001)
    entry = Entry.objects.get(system=room.system, seq=result.system_seq)
    assert entry.outcome == {"flags": ["repeat"]}
    room.balanced()


def test_called_then_mistyped_then_amended_at_its_first_place(open_room: OpenRoom) -> None:
    room = open_room(royal_terms())
    three, seven = room.unit(3), room.unit(7)
    room.play(three, 1)
    called = room.posted(three, three.call_hand([3], "royal"))
    assert room.hit().standing == "called"
    held = room.hit().held
    assert held == money(1001)
    room.play(seven, 4)  # play goes on and feeds the new pool
    room.posted(seven, seven.call_hand([5], "royal"))  # a later hit at another table
    room.posted(
        three,
        three.report_hand([BOARD], [{"seat": 3, "hole": ["As", "Qs"]}], called_seq=called.seq),
    )
    assert room.hit().standing == "reported"
    assert against(room) == [("3.3(a)", "card_twice")]
    with pytest.raises(HandDoesNotQualify):
        room.verify()
    claims.amend(room.claim(), room.people["tom"], typed(ROYAL))
    hit = room.hit()
    assert (hit.place, hit.held, hit.tier.code) == (called.system_seq, held, "royal")
    assert against(room) == []
    assert room.hit(2).held == money(1002)
    with pytest.raises(SamePerson):  # who amended does not verify
        room.verify(by="tom")
    room.verify(by="mere")
    room.confirm()
    room.pay()
    assert room.balance("paid_cash") == held
    room.balanced()


def test_a_report_without_a_call_and_a_card_mistyped_keeps_its_place(
    open_room: OpenRoom,
) -> None:
    """Nobody can say yet which prize it is for; amended, it acts where it was reported."""
    room = open_room(royal_terms())
    three, seven = room.unit(3), room.unit(7)
    room.play(three, 1)
    wrong = {"seat": 3, "hole": ["As", "Xs"]}
    reported = room.posted(three, three.report_hand([BOARD], [wrong]))
    assert room.hit().tier is None
    assert room.pool() == money(1000.50)
    room.play(seven, 2)
    room.posted(seven, seven.call_hand([5], "royal"))
    assert room.hit(2).held == money(1002)
    claims.amend(room.claim(), room.people["tom"], typed(ROYAL))
    assert (room.hit(1).place, room.hit(1).held) == (reported.system_seq, money(1001))
    assert room.hit(2).held == money(1001)  # 1,000 reset and two rounds
    assert room.pool() == money(1000)
    room.balanced()


def test_a_correction_by_the_unit_is_the_same_hand(open_room: OpenRoom) -> None:
    room = open_room(royal_terms())
    unit = room.unit(3)
    room.play(unit, 1)
    room.posted(unit, unit.report_hand([BOARD], [{"seat": 3, "hole": ["As", "As"]}]))
    room.posted(unit, unit.report_hand([BOARD], [ROYAL]))
    assert room.hit().tier.code == "royal"
    assert room.system.hits.count() == 1
    room.balanced()


def test_19_17_a_folded_hand_is_not_eligible(open_room: OpenRoom) -> None:
    room = open_room(royal_terms())
    unit = room.unit(3)
    room.play(unit, 1)
    room.posted(unit, unit.call_hand([3], "royal"))
    room.posted(unit, unit.report_hand([BOARD], [{**ROYAL, "folded": True}]))
    assert ("19.17", "folded") in against(room)
    with pytest.raises(HandDoesNotQualify):
        room.verify()
    room.reject(1, "R04")
    assert room.hit().standing == "rejected"
    assert room.pool() == money(1000.50)
    room.balanced()


def test_19_18_only_the_first_board_counts(open_room: OpenRoom) -> None:
    room = open_room(royal_terms())
    unit = room.unit(3)
    room.play(unit, 2)
    first = ["2h", "3h", "4c", "5d", "9c"]
    room.posted(unit, unit.call_hand([3], "royal"))
    room.posted(unit, unit.report_hand([first, BOARD], [ROYAL]))
    verdict = examine(room.hit()).verdict
    assert verdict is not None
    assert {"later_board", "below_terms"} <= {reason.code for reason in verdict.reasons}
    with pytest.raises(HandDoesNotQualify):
        room.verify()
    room.reject(1, "R06")
    assert room.pool() == money(1001)
    room.balanced()


@pytest.mark.parametrize(
    ("hole", "code"),
    [(["As", "Ks", "2h"], "hole_count"), (["As"], "hole_count"), (["As", "1s"], "not_a_card")],
)
def test_impossible_cards_keep_the_place_and_show_their_fault(
    open_room: OpenRoom, hole: list[str], code: str
) -> None:
    room = open_room(royal_terms())
    unit = room.unit(3)
    room.play(unit, 1)
    room.posted(unit, unit.call_hand([3], "royal"))
    room.posted(unit, unit.report_hand([BOARD], [{"seat": 3, "hole": hole}]))
    assert code in [fault_code for _, fault_code in against(room)]
    assert room.hit().held == money(1001)
    room.play(unit, 1)  # intake and play go on
    assert room.pool() == money(1000.50)


def test_a_missed_press_does_not_cost_the_hand(open_room: OpenRoom) -> None:
    """A winning hand in a round whose button was not pressed is valid (19.19)."""
    room = open_room(royal_terms())
    unit = room.unit(3)
    result = room.posted(unit, unit.report_hand([BOARD], [ROYAL], round_number=77))
    entry = Entry.objects.get(system=room.system, seq=result.system_seq)
    assert entry.outcome["flags"] == ["no_start"]
    assert room.hit().held == money(1000)


def test_a_unit_in_test_mode_moves_nothing(open_room: OpenRoom) -> None:
    room = open_room(royal_terms())
    unit = room.unit(3, test=True)
    room.play(unit, 1)
    room.posted(unit, unit.call_hand([3], "royal"))
    assert room.pool() == money(1000)
    assert not room.system.hits.exists()


def test_the_claim_opens_by_itself(open_room: OpenRoom) -> None:
    room = open_room(royal_terms())
    unit = room.unit(3)
    room.play(unit, 1)
    room.posted(unit, unit.call_hand([3], "royal"))
    catch_up()
    assert room.system.claims.get().number == 1
