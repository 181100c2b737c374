"""Two people press at the same instant: one wins, the other reads why, nothing is paid twice.

Two real connections under the web process's role, beside a running writer.
"""

import uuid
from collections.abc import Callable, Generator
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from pytest_django import Settings

from jackpot.models import Account, Command, Hit
from jackpot.queries.payout_bounds import bounds_of_claim
from jackpot.terms.money import MICROS
from settlement.approvals import proposals
from settlement.audit.reconciliation import reconcile
from settlement.claims import services as claims
from settlement.claims.decisions import reversals
from settlement.core.errors import RuleBroken
from settlement.models import Action, Claim, Payout, Proposal, SecondManagerLimit
from settlement.payments import services as payments
from settlement.people.permissions import Reauthenticated
from settlement.pools import adjustments
from tests.support.at_once import claims_of, people, queue_of, writing
from tests.support.cast import ALL_YES, REASON, ClaimHouse
from tests.support.databases import FreshDatabase
from tests.support.roles import acting_as
from tests.support.waiting import wait_until
from verifier import verify

Press = Callable[..., Any]


class Room:
    """A claim of 1,001.00 on table 3, verified by sione; a second one on table 7, by anahera."""

    def __init__(self) -> None:
        self.house = ClaimHouse()
        for name, role in (("kai", "Cashier"), ("manaia", "Casino manager")):
            User.objects.create(username=name).groups.add(Group.objects.get(name=role))
        for table in ("t3", "t7"):
            self.house.hit_royal(table)
        self.house.poster.give_up()
        self.system = self.house.system
        claims.catch_up(self.system)
        self.first, self.second = claims_of(self.system).select_related("system__casino")
        for claim, name in ((self.first, "sione"), (self.second, "anahera")):
            claims.answer_checklist(claim, self.person(name), ALL_YES, {})
            claims.verify(claim, self.person(name))

    def more(self, table: str, verifier: str) -> Claim:
        """Another hit on the table, verified."""
        self.house.press(table)
        self.house.call(table)
        self.house.report(table)
        number = Claim.objects.count() + 1
        wait_until(
            lambda: Hit.objects.filter(number=number, report__isnull=False).exists(),
            what="the hand to be posted",
        )
        claims.catch_up(self.system)
        claim = claims_of(self.system).select_related("system__casino").get(number=number)
        claims.answer_checklist(claim, self.person(verifier), ALL_YES, {})
        claims.verify(claim, self.person(verifier))
        return claim

    def person(self, name: str) -> Any:
        return User.objects.get(username=name)

    def again(self, name: str) -> Reauthenticated:
        return Reauthenticated(self.person(name))

    def due(self, number: int = 1) -> int:
        expected = bounds_of_claim(self.system, number)
        assert expected is not None
        return expected.due

    def confirm(self, name: str = "mere", number: int = 1) -> Any:
        claim = self.first if number == 1 else self.second
        return claims.confirm(claim, self.again(name), self.due(number))

    def balance(self, account: str) -> int:
        row = Account.objects.filter(system=self.system, code=account).first()
        return row.balance if row else 0

    def at_once(self, *actions: Press, at_queue: bool = False) -> tuple[list[Any], list[str]]:
        """The answers of those who won, and what the others read."""
        gate = queue_of(self.system) if at_queue else claims_of(self.system)
        with people(len(actions)) as everybody:
            outcomes = everybody.press(gate, *actions)
        lost = [str(each) for each in outcomes if isinstance(each, RuleBroken)]
        return [each for each in outcomes if not isinstance(each, RuleBroken)], lost


@pytest.fixture
def room(fresh_database: FreshDatabase, settings: Settings) -> Generator[Room]:
    """Closed with the books balanced, by the product's word and the verifier's."""
    settings.CLAIM_WAIT_S = 60
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    room = Room()
    with writing():
        yield room
    claims.catch_up(room.system)
    assert sum(Account.objects.values_list("balance", flat=True)) == 0
    with acting_as("worker"):
        assert reconcile(room.system).differences == []
    report = verify(fresh_database.url)
    assert report.ok, report.lines()


def one_of(won: list[Any], lost: list[str], *words: str) -> None:
    assert len(won) == len(lost) == 1, lost
    assert any(each in lost[0] for each in words), lost


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
