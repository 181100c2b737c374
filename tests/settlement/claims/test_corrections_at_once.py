"""A reversal, an adjustment and a forfeit that two people act on at the same instant."""

from jackpot.models import Command
from jackpot.terms.money import MICROS
from settlement.approvals import proposals
from settlement.claims import services as claims
from settlement.claims.decisions import reversals
from settlement.core.errors import RuleBroken
from settlement.models import Proposal
from settlement.payments import services as payments
from settlement.pools import adjustments
from tests.support.houses.room_at_once import Room, one_of
from tests.support.people.at_once import people, queue_of


def reversal(room: Room, by: str = "anahera") -> Proposal:
    return reversals.propose(
        room.first, room.person(by), reason="R13", evidence="Camera 4", recovered={}
    )


def test_two_propose_a_reversal_or_a_forfeit(room: Room) -> None:
    room.confirm()
    outcomes = room.at_once(lambda: reversal(room), lambda: reversal(room, "david"))
    one_of(*outcomes, "A reversal is proposed already")
    outcomes = room.at_once(
        *(
            lambda name=name: payments.propose_forfeit(room.first, room.person(name), 1, "Law")
            for name in ("aroha", "kai")
        )
    )
    one_of(*outcomes, "proposed already")
    assert proposals.open_proposals().count() == 2


def test_two_agree_to_a_reversal(room: Room) -> None:
    pool = room.balance("royal:pool")
    room.confirm()
    proposal = reversal(room)
    outcomes = room.at_once(
        *(
            lambda name=name: reversals.agree(proposal, room.again(name))
            for name in ("david", "manaia")
        )
    )
    one_of(*outcomes, "just decided", "agreed to already", "Only a confirmed")
    assert room.balance("royal:pool") == pool + 1001 * MICROS


def test_a_reversal_and_a_payment(room: Room) -> None:
    """The operator bears what was paid a moment before; nobody is paid after it."""
    pool = room.balance("royal:pool")
    room.confirm()
    proposal = reversal(room)
    _won, lost = room.at_once(
        lambda: reversals.agree(proposal, room.again("david")),
        lambda: claims.pay(room.first, room.again("aroha"), 1, {"cash": 1001 * MICROS}),
    )
    assert room.house.hit(1).state == "reversed"
    assert room.balance("royal:pool") == pool + 1001 * MICROS
    assert room.balance("paid_cash") == (0 if lost else 1001 * MICROS)


def adjustment(room: Room) -> Proposal:
    tier = room.house.hit(1).tier
    assert tier is not None
    adjustment = adjustments.PoolAdjustment(
        tier, into="pool", source="drop", amount=25 * MICROS, reason="A06", evidence="Sheet 17"
    )
    return adjustments.propose(adjustment, room.person("sione"))


def test_two_agree_to_an_adjustment(room: Room) -> None:
    pool = room.balance("royal:pool")
    proposal = adjustment(room)
    outcomes = room.at_once(
        *(
            lambda name=name: proposals.agree(proposal, room.again(name))
            for name in ("david", "mere")
        ),
        at_queue=True,
    )
    one_of(*outcomes, "just decided", "agreed to already")
    assert room.balance("royal:pool") == pool + 25 * MICROS
    assert Command.objects.filter(kind="adjust_pool").count() == 1


def test_one_agrees_to_an_adjustment_as_it_is_withdrawn(room: Room) -> None:
    pool = room.balance("royal:pool")
    proposal = adjustment(room)
    with people(2) as two:
        outcomes = two.press(
            queue_of(room.system),
            lambda: proposals.agree(proposal, room.again("david")),
            lambda: proposals.withdraw(proposal, room.person("sione"), "The count was right"),
        )
    lost = [str(each) for each in outcomes if isinstance(each, RuleBroken)]
    assert len(lost) == 1
    assert "just decided" in lost[0] or "withdrawn already" in lost[0]
    agreed = not isinstance(outcomes[0], RuleBroken)
    assert room.balance("royal:pool") == pool + (25 * MICROS if agreed else 0)


def test_two_agree_to_a_forfeit(room: Room) -> None:
    pool = room.balance("royal:pool")
    room.confirm()
    proposal = payments.propose_forfeit(room.first, room.person("aroha"), 1, "Barred by law")
    outcomes = room.at_once(
        *(
            lambda name=name: payments.agree_forfeit(proposal, room.again(name))
            for name in ("david", "manaia")
        )
    )
    one_of(*outcomes, "just decided", "agreed to already", "Nothing of this payment is left")
    assert room.balance("royal:pool") == pool + 1001 * MICROS


def test_a_forfeit_and_a_payment(room: Room) -> None:
    pool = room.balance("royal:pool")
    room.confirm()
    proposal = payments.propose_forfeit(room.first, room.person("kai"), 1, "Barred by law")
    outcomes = room.at_once(
        lambda: payments.agree_forfeit(proposal, room.again("david")),
        lambda: claims.pay(room.first, room.again("aroha"), 1, {"cash": 1001 * MICROS}),
    )
    one_of(*outcomes, "Nothing of this payment is left", "paid already")
    back, paid = room.balance("royal:pool") - pool, room.balance("paid_cash")
    assert sorted((back, paid)) == [0, 1001 * MICROS]
