"""One hand for several prizes (rule 9), from the handset to the cage: each claim on its own."""

from collections.abc import Callable

import pytest
from pytest_django import DjangoAssertNumQueries

from jackpot.queries.open_claims import OpenClaims
from jackpot.queries.payout_bounds import bounds_of_claim
from settlement.claims import services as claims
from settlement.claims.status import hits
from settlement.core.errors import HandDoesNotQualify
from settlement.evidence.assessment import examine
from settlement.pages.claims.queue.rows import claim_rows
from tests.support.cases.claims.several_prizes import each_terms
from tests.support.play.hands import BOARD, ROYAL, typed
from tests.support.units.cardroom import CardRoom, money

OpenRoom = Callable[..., CardRoom]
QUEEN_HIGH = {"seat": 3, "hole": ["9s", "8s"]}


def stands(room: CardRoom) -> dict[int, tuple[str, str, int]]:
    rows = room.system.hits.order_by("number").values_list("number", "tier__code", "state", "held")
    return {number: (tier, state, held) for number, tier, state, held in rows}


def test_a_royal_flush_wins_both_prizes_and_each_is_paid_on_its_own(open_room: OpenRoom) -> None:
    """Royal: 1,000.00 and 0.50 a round; straight flush: 200.00 and 5.00 a round."""
    room = open_room(each_terms())
    three, seven = room.unit(3), room.unit(7)
    room.play(three, 1)
    called = room.posted(three, three.call_hand([3], "royal"))
    room.play(seven, 3)
    room.posted(seven, seven.call_hand([5], "steel"))
    room.posted(three, three.report_hand([BOARD], [ROYAL], called_seq=called.seq))
    assert stands(room) == {
        1: ("royal", "held", money(1001)),
        2: ("steel", "held", money(215)),
        3: ("steel", "held", money(205)),
    }
    assert (room.hit(3).place, room.hit(3).at) == (room.hit(1).place, room.hit(1).at)
    # What displays say of the hand they say once.
    reported = [each["hit"] for each in room.display()["messages"]]
    assert sorted(reported) == [1, 2]
    room.balanced()
    # The dealer typed it wrong: it was a queen-high straight flush; then it was right after all.
    claims.amend(room.claim(1), room.people["tom"], typed(QUEEN_HIGH))
    assert stands(room)[1] == ("royal", "withdrawn", 0)
    assert room.hit(1).standing == "withdrawn"
    assert room.pool() == money(1002)
    room.balanced()
    claims.amend(room.claim(3), room.people["tom"], typed(ROYAL))
    assert stands(room)[1] == ("royal", "held", money(1001))
    for number, paid in ((1, 1001), (3, 1206)):
        room.verify(number)
        room.confirm(number)
        room.pay(number)
        assert room.balance("paid_cash") == money(paid)
    assert stands(room)[2] == ("steel", "held", money(215))
    room.balanced()


def test_the_rejection_of_one_prize_leaves_the_other(open_room: OpenRoom) -> None:
    room = open_room(each_terms())
    unit = room.unit(3)
    room.play(unit, 1)
    room.posted(unit, unit.report_hand([BOARD], [ROYAL]))
    assert stands(room) == {1: ("royal", "held", money(1001)), 2: ("steel", "held", money(205))}
    room.reject(2, "R12")
    assert stands(room) == {1: ("royal", "held", money(1001)), 2: ("steel", "rejected", 0)}
    assert (room.pool("royal"), room.pool("steel")) == (money(1000), money(205))
    room.verify(1)
    room.confirm(1)
    room.balanced()


@pytest.mark.parametrize(("pot", "prize", "held"), [(2000, "royal", 1001), (1999, "steel", 205)])
def test_a_minimum_pot_is_judged_when_the_round_is_completed_late(
    open_room: OpenRoom, pot: int, prize: str, held: int
) -> None:
    """Rule 10: the claim waits; below the minimum the hand is for the prize without one."""
    terms = each_terms(hand_wins="highest")
    royal = terms["tiers"][0]
    royal["qualifying"] = {**royal["qualifying"], "pot_min_minor": 2000}
    room = open_room(terms)
    unit, other = room.unit(3), room.unit(7)
    room.play(unit, 1)
    room.posted(unit, unit.report_hand([BOARD], [ROYAL]))
    verdict = examine(room.hit()).verdict
    assert verdict is not None
    assert "pot_pending" in {reason.code for reason in verdict.reasons}
    with pytest.raises(HandDoesNotQualify):  # nobody verifies it before the pot is known
        room.verify()
    room.play(other, 2)  # play goes on and the completion comes late
    assert stands(room) == {1: ("royal", "held", money(1001))}
    room.posted(unit, unit.complete(pot=pot))
    assert stands(room) == {1: (prize, "held", money(held))}
    room.verify()
    room.confirm()
    room.pay()
    assert room.balance("paid_cash") == money(held)
    room.balanced()


@pytest.mark.parametrize(("pot", "safe"), [(2000, 220), (1999, 215)])
def test_a_hand_that_waits_for_its_pot_is_before_the_lower_prize_too(
    open_room: OpenRoom, pot: int, safe: int
) -> None:
    """The page says for whom the claim waits, as its payout bounds do."""
    terms = each_terms(hand_wins="highest")
    royal = terms["tiers"][0]
    royal["qualifying"] = {**royal["qualifying"], "pot_min_minor": 2000}
    room = open_room(terms)
    unit, other = room.unit(3), room.unit(7)
    room.play(unit, 1)
    called = room.posted(unit, unit.call_hand([3], "royal"))
    room.play(other, 3)
    room.posted(other, other.report_hand([BOARD], [QUEEN_HIGH]))
    for reads in (False, True):
        if reads:
            room.posted(unit, unit.report_hand([BOARD], [ROYAL], called_seq=called.seq))
        payout_bounds = bounds_of_claim(room.system, 2)
        assert payout_bounds is not None
        assert (payout_bounds.safe, payout_bounds.waits_for) == (money(215), (1,))
        assert OpenClaims([room.system.pk]).before(room.hit(2)) == (1,)
    room.posted(unit, unit.complete(pot=pot))
    payout_bounds = bounds_of_claim(room.system, 2)
    assert payout_bounds is not None
    assert payout_bounds.safe == money(safe)
    assert OpenClaims([room.system.pk]).before(room.hit(2)) == payout_bounds.waits_for
    room.balanced()


def test_the_pot_of_a_round_whose_completion_never_comes_is_in_the_report(
    open_room: OpenRoom,
) -> None:
    terms = each_terms(hand_wins="highest")
    royal = terms["tiers"][0]
    royal["qualifying"] = {**royal["qualifying"], "pot_min_minor": 2000}
    room = open_room(terms)
    unit = room.unit(3)
    room.play(unit, 1)
    room.posted(unit, unit.report_hand([BOARD], [ROYAL]))
    claims.amend(room.claim(), room.people["tom"], typed(ROYAL) | {"pot": 1999})
    assert stands(room) == {1: ("steel", "held", money(205))}
    room.posted(unit, unit.complete(pot=2000))  # it came after all: its word counts
    assert stands(room) == {1: ("royal", "held", money(1001))}
    room.verify()
    room.balanced()


def test_claims_in_line_cost_no_query_each(
    open_room: OpenRoom, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    """Every earlier hand that may be for the prize is judged; its terms are read once for all."""
    room = open_room(each_terms(hand_wins="highest"))
    units = [room.unit(number) for number in (3, 7)]
    costs = []
    for expected in (2, 6):
        while expected > (hit_count := room.system.hits.count()):
            unit = units[hit_count % 2]
            room.play(unit, 1)
            room.posted(unit, unit.call_hand([3], ("royal", "steel")[hit_count % 2]))
        claim_rows(hits(), room.people["tom"])  # what this person may do is known from here on
        with django_assert_max_num_queries(9) as queries:
            rows = claim_rows(hits(), room.people["tom"])
        assert len(rows) == expected
        costs.append(len(queries))
    assert costs[0] == costs[1]
