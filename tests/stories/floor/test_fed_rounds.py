"""Money taken where nothing can be won, or beyond what is posted: kept, seen, and put right."""

from collections.abc import Callable
from typing import Any

from jackpot.models import Tier
from settlement.approvals import proposals
from settlement.people.rights.permissions import Reauthenticated
from settlement.pools import adjustments
from tables.models import Alarm
from tests.support.people.roles import acting_as
from tests.support.play.books import royal_terms
from tests.support.units.cardroom import CardRoom, money

OpenRoom = Callable[..., CardRoom]


def terms() -> dict[str, Any]:
    """A royal flush of Hold-em with the full deck; 0.50 of the operator, 1% of the pot, a drop."""
    parts = [
        {"source": "per_round", "amount": money(0.5)},
        {"source": "pot", "basis_points": 100},
        {"source": "drop", "basis_points": 10_000},
    ]
    steps = [{"pot_from": money(20), "take": money(1)}]
    return royal_terms(increments=parts) | {
        "funding": "players",
        "games": ["holdem", "omaha"],
        "drop_steps": steps,
    }


def test_19_3_a_36_card_table_and_omaha_feed_no_pool_that_they_cannot_win(
    open_room: OpenRoom,
) -> None:
    room = open_room(terms())
    three, seven = room.unit(3), room.unit(7, game="omaha")
    assert room.display()["out_of_play"] == ["t7"]
    room.posted(three, three.change_session([1, 2], game="holdem", deck=36, dealer=""))
    assert room.display()["out_of_play"] == ["t3", "t7"]
    start, operator = room.pool(), room.balance("operator")
    for unit in (three, seven):
        room.play(unit, 1)
        entry = room.posted(unit, unit.complete(pot=6_000, jackpot_drop=100))
        assert room.outcome(entry)["flags"] == ["not_in_play", "drop_variance", "to_return"]
    assert (room.pool(), room.balance("operator")) == (start, operator)
    assert room.balance("to_return") == money(3.20)  # twice 0.60 of the pot and 1.00 of the drop
    alarms = Alarm.objects.filter(kind="to_return").order_by("subject")
    assert [alarm.subject for alarm in alarms] == [f"{room.system.code}/t{n}" for n in (3, 7)]
    room.balanced()

    # Two people give it to the prize that players of this floor can win; not more than there is.
    tier = Tier.objects.get(system=room.system, code="royal")
    with acting_as("web"):
        proposal = adjustments.propose(
            adjustments.PoolAdjustment(
                tier,
                into="pool",
                source="to_return",
                amount=money(3.20),
                reason="A10",
                evidence="Letter 4",
            ),
            room.people["anna"],
        )
        proposals.agree(proposal, Reauthenticated(room.people["david"]))
    assert (room.pool(), room.balance("to_return")) == (start + money(3.20), 0)
    room.posted(three, three.change_session([1, 2], game="holdem", deck=52, dealer=""))
    assert room.display()["out_of_play"] == ["t7"]
    room.play(three, 1)
    assert room.pool() == start + money(3.70)
    room.balanced()


def test_8_7_a_table_that_reports_more_commission_than_posted_is_named(
    open_room: OpenRoom,
) -> None:
    posted = {"form": "percentage", "basis_points": 500, "cap": money(10)}
    room = open_room(terms() | {"commission": posted})
    unit = room.unit(3)
    for pot, commission, flags in ((10_000, 500, None), (10_000, 501, 1), (90_000, 1_001, 1)):
        room.play(unit, 1)
        entry = room.posted(unit, unit.complete(pot=pot, commission=commission, jackpot_drop=100))
        outcome_flags = room.outcome(entry).get("flags")
        assert outcome_flags == (flags and ["commission_above_posted"])
    alarm = Alarm.objects.get(kind="commission_above_posted")
    assert (alarm.subject, alarm.count) == (f"{room.system.code}/t3", 2)
    room.balanced()
