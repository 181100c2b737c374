"""Two people press at the same instant: one wins, the other reads why, nothing is paid twice.

Two real connections under the web process's role, beside a running writer.
"""

import datetime as dt
import uuid
from typing import Any

import pytest
from django.contrib.auth.models import Group

from jackpot.models import Command
from jackpot.terms.money import MICROS
from jackpot.writer import commands
from settlement.claims import services as claims
from settlement.core.errors import WrongState
from settlement.evidence import identification, sharers
from settlement.models import Action, Claim, Payout, SecondManagerLimit, Sharer
from settlement.payments import services as payments
from settlement.people.rights import staff_play
from tests.support.houses.room_at_once import Room, one_of
from tests.support.people.at_once import writing
from tests.support.people.cast import REASON
from tests.support.people.roles import acting_as
from tests.support.suite.waiting import wait_until

CONFIRMED = ("confirmed already", "amount changed")


def test_confirm(room: Room) -> None:
    due = room.due()
    outcomes = room.at_once(
        *(
            lambda name=name: claims.confirm(room.first, room.again(name), due)
            for name in ("mere", "david")
        )
    )
    one_of(*outcomes, *CONFIRMED)
    assert room.balance("payable") == due == 1001 * MICROS
    assert Action.objects.filter(kind="confirm").count() <= 2


def test_sharers_come_to_no_more_than_was_won(room: Room) -> None:
    """Each of the two owns 700.00 of 1,001.00, and nobody both."""
    room.confirm()

    def share(name: str) -> Sharer:
        who = identification.PlayerIdentity(3, name, dt.date(1980, 1, 1), "passport", name)
        new = sharers.NewSharer(who, 700 * MICROS)
        return sharers.add(room.first, room.person(name), new)

    outcomes = room.at_once(lambda: share("aroha"), lambda: share("kai"))
    one_of(*outcomes, "at most 301.00")
    assert [each.amount for each in sharers.standing(room.first)] == [700 * MICROS]


def test_the_safe_amount_and_the_supplement(room: Room) -> None:
    """The second claim's safe amount is confirmed twice at once; so is what comes later."""
    for _ in range(2):
        due, before = room.due(2), room.balance("payable")
        if due:
            outcomes = room.at_once(
                *(
                    lambda name=name: claims.confirm(room.second, room.again(name), due)  # noqa: B023
                    for name in ("mere", "david")
                )
            )
            one_of(*outcomes, *CONFIRMED)
            assert room.balance("payable") == before + due
        if room.house.hit(1).state == "held":
            claims.propose_rejection(room.first, room.person("mere"), **REASON)
            claims.second_rejection(room.first, room.again("david"))
    assert room.house.hit(2).held == room.house.hit(2).confirmed


def test_the_safe_amount_while_the_earlier_claim_is_rejected(room: Room) -> None:
    claims.propose_rejection(room.first, room.person("mere"), **REASON)
    due = room.due(2)
    won, lost = room.at_once(
        lambda: claims.confirm(room.second, room.again("manaia"), due),
        lambda: claims.second_rejection(room.first, room.again("david")),
    )
    assert len(won) == 2 or "amount changed" in lost[0]
    assert room.house.hit(1).state == "rejected"
    left = room.due(2)
    if left:
        claims.confirm(room.second, room.again("manaia"), left)
    assert room.balance("payable") == room.house.hit(2).held


def test_confirm_and_reject(room: Room) -> None:
    due = room.due()
    room.at_once(
        lambda: claims.confirm(room.first, room.again("david"), due),
        lambda: claims.propose_rejection(room.first, room.person("mere"), **REASON),
    )
    hit = room.house.hit(1)
    proposal = claims.open_proposal(room.first, hit)
    assert (hit.state == "confirmed") == (proposal is None)


def test_two_agree_to_a_rejection(room: Room) -> None:
    claims.propose_rejection(room.first, room.person("mere"), **REASON)
    outcomes = room.at_once(
        *(
            lambda name=name: claims.second_rejection(room.first, room.again(name))
            for name in ("david", "manaia")
        )
    )
    one_of(*outcomes, "rejected already", "Nobody has proposed")
    assert room.house.hit(1).state == "rejected"


def test_agreed_again_while_the_order_takes_the_first(
    unanswered_room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The writer answers the first between the second's look at the claim and its commit: the
    database refuses the second."""
    room = unanswered_room
    claims.propose_rejection(room.first, room.person("mere"), **REASON)
    with acting_as("web"):
        first = claims.second_rejection(room.first, room.again("david"))
    assert first.seq is None
    require_apart = staff_play.require_apart

    def meanwhile(claim: Claim, who: Any) -> None:
        require_apart(claim, who)
        if who == room.person("mere"):  # the claim was read, and the proposal
            with writing():
                wait_until(
                    lambda: commands.answer(room.system, first.number).seq,
                    what="the answer to the first",
                )

    monkeypatch.setattr(staff_play, "require_apart", meanwhile)
    with acting_as("web"), pytest.raises(WrongState, match="Somebody has just decided"):
        claims.second_rejection(room.first, room.again("david"))
    assert room.house.hit(1).state == "rejected"
    assert Command.objects.filter(kind="reject_claim").count() == 1


def test_two_approve_as_the_first_manager(room: Room) -> None:
    SecondManagerLimit.objects.create(
        casino=room.system.casino, amount=MICROS, first="mere", second="david"
    )
    due = room.due()
    outcomes = room.at_once(
        *(
            lambda name=name: claims.approve(room.first, room.again(name), due)
            for name in ("mere", "david")
        )
    )
    one_of(*outcomes, "approved already")
    claims.confirm(room.first, room.again("manaia"), due)


@pytest.mark.parametrize("part", [1001, 600])
def test_pay(room: Room, part: int) -> None:
    room.confirm()
    amounts = {"cash": part * MICROS}
    outcomes = room.at_once(
        *(
            lambda name=name: claims.pay(room.first, room.again(name), 1, amounts)
            for name in ("aroha", "kai")
        )
    )
    # The service refuses, or the order, whose words stand under hashes.
    refused = ("paid already", "no more than the balance due", "must come to what is due")
    one_of(*outcomes, *refused)
    assert room.balance("paid_cash") == part * MICROS
    claims.catch_up(room.system)
    assert Payout.objects.count() == 1


def test_the_same_form_twice_at_once(room: Room) -> None:
    """A double click: one action, one command, and both answers are of it."""
    key, due = uuid.uuid4(), room.due()
    won, lost = room.at_once(
        *[lambda: claims.confirm(room.first, room.again("mere"), due, key=key)] * 2
    )
    assert not lost
    assert won[0] == won[1]
    amounts, paid = {"cash": due}, uuid.uuid4()
    won, lost = room.at_once(
        *[lambda: claims.pay(room.first, room.again("aroha"), 1, amounts, key=paid)] * 2
    )
    assert not lost
    assert won[0] == won[1]
    assert Command.objects.filter(kind__in=["confirm_claim", "pay"]).count() == 2
    assert room.balance("paid_cash") == due


def test_withhold(room: Room) -> None:
    room.confirm()
    outcomes = room.at_once(
        *(
            lambda name=name: payments.withhold(room.first, room.person(name), 1, "No passport")
            for name in ("aroha", "david")
        )
    )
    one_of(*outcomes, "Only what is due can be withheld")
    outcomes = room.at_once(
        *(
            lambda name=name: payments.release(room.first, room.person(name), 1, "Here it is")
            for name in ("aroha", "david")
        )
    )
    one_of(*outcomes, "neither withheld nor unclaimed")


def test_withhold_and_pay(room: Room) -> None:
    room.confirm()
    outcomes = room.at_once(
        lambda: claims.pay(room.first, room.again("aroha"), 1, {"cash": 1001 * MICROS}),
        lambda: payments.withhold(room.first, room.person("kai"), 1, "No passport"),
    )
    one_of(*outcomes, "withheld", "Only a confirmed", "Nothing of this payment is left")


def test_two_managers_confirm_what_the_other_verified(room: Room) -> None:
    """On two claims, each naming both: neither waits for the other for ever."""
    for name in ("mere", "david"):
        room.person(name).groups.add(Group.objects.get(name="Game supervisor"))
    third, fourth = room.more("t3", "mere"), room.more("t7", "david")
    for claim in (room.first, room.second):  # so that what follows is safe
        claims.confirm(claim, room.again("manaia"), room.due(claim.number))
    dues = room.due(third.number), room.due(fourth.number)
    won, lost = room.at_once(
        lambda: claims.confirm(third, room.again("david"), dues[0]),
        lambda: claims.confirm(fourth, room.again("mere"), dues[1]),
    )
    assert len(won) == 2 or "amount changed" in lost[0]
