"""Somebody else acts, or the writer does, between a service's look and its commit.

Then a guard of the database refuses what the service let pass. The person reads why and what to
do, and nothing of it is there.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from jackpot.models import Command
from jackpot.terms.money import MICROS
from settlement.approvals import action_log, proposals, second_manager
from settlement.claims import services as claims
from settlement.claims import workbench
from settlement.claims.decisions import delegation, stops
from settlement.core import guards
from settlement.core.errors import (
    KeyUsed,
    NotPermitted,
    RuleBroken,
    SamePerson,
    SecondManagerNeeded,
    Stopped,
    WrongState,
)
from settlement.floor import incidents
from settlement.models import (
    Action,
    Incident,
    Proposal,
    ProposalDecision,
    Record,
    SecondManagerLimit,
)
from settlement.payments import services as payments
from settlement.people.rights import staff_play
from settlement.pools import adjustments
from settlement.terms import lifecycle
from tests.support.houses.room_at_once import Room
from tests.support.people.at_once import after_look, writing
from tests.support.people.cast import REASON
from tests.support.people.roles import acting_as
from tests.support.suite.waiting import wait_until


def recorded() -> tuple[int, int]:
    """How many records of what people did there are, and how many commands."""
    of_people = ("settlement_rolechange", "settlement_setupchange")
    records = Record.objects.exclude(source__in=of_people)
    return records.count(), Command.objects.exclude(kind="seal_records").count()


def without_role(name: str) -> Callable[[], Any]:
    return lambda: User.objects.get(username=name).groups.clear()


def departure(name: str) -> Callable[[], Any]:
    return lambda: User.objects.filter(username=name).update(is_active=False)


def note(room: Room) -> Any:
    return workbench.add_note(room.first, room.person("mere"), "The player left")


def incident(room: Room) -> Any:
    report = incidents.IncidentReport("handset", "A drink on the table", timezone.now())
    return incidents.report(room.system, room.person("mere"), report)


def suspension(room: Room) -> Any:
    return lifecycle.suspend(
        lifecycle.JackpotPart(room.system, "royal"), room.person("mere"), reason="A drill"
    )


def play(room: Room) -> Any:
    return staff_play.name(room.first, room.person("tane"), room.person("mere"))


def dispute(room: Room) -> Any:
    return stops.open_stop(room.first, room.person("sione"), "dispute", "The seat is disputed")


@pytest.mark.parametrize(
    ("name", "owner", "look", "act"),
    [
        ("mere", claims, "_require_confirmable", lambda room: room.confirm()),
        ("mere", claims, "_require_open",
         lambda room: claims.propose_rejection(room.first, room.person("mere"), **REASON)),
        ("mere", workbench, "require", note),
        ("mere", incidents, "require", incident),
        ("mere", lifecycle, "require", suspension),
        ("mere", staff_play, "is_dealt_in", play),
        ("sione", stops, "require", dispute),
    ],
)  # fmt: skip
def test_the_role_is_taken_meanwhile(
    unanswered_room: Room,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    owner: Any,
    look: str,
    act: Callable[[Room], Any],
) -> None:
    before = recorded()
    after_look(monkeypatch, owner, look, without_role(name))
    with acting_as("web"), pytest.raises(NotPermitted, match="Ask a colleague whose role does"):
        act(unanswered_room)
    assert recorded() == before


def test_the_role_is_taken_as_somebody_agrees(
    unanswered_room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = confirmed(unanswered_room)
    proposal = payments.propose_forfeit(room.first, room.person("aroha"), 1, "Barred by law")
    after_look(monkeypatch, action_log, "require_no_stop", without_role("david"))
    with acting_as("web"), pytest.raises(NotPermitted):
        payments.agree_forfeit(proposal, room.again("david"))
    assert not ProposalDecision.objects.exists()


def confirmed(room: Room) -> Room:
    room.confirm()
    check_answer(room, "confirmed")
    return room


def check_answer(room: Room, state: str) -> None:
    with writing():
        wait_until(lambda: room.house.hit(1).state == state, what="the writer's answer")


def opened(room: Room) -> None:
    """A dispute that waits for the writer is taken into the order."""
    with writing():
        wait_until(lambda: room.house.hit(1).open_stops, what="the dispute in the order")


@pytest.mark.parametrize("deed", ["confirm", "pay", "forfeit"])
def test_a_dispute_takes_its_place_meanwhile(
    unanswered_room: Room, monkeypatch: pytest.MonkeyPatch, deed: str
) -> None:
    room = unanswered_room
    if deed != "confirm":
        confirmed(room)
    deeds: dict[str, Callable[[], Any]] = {
        "confirm": room.confirm,
        "pay": lambda: claims.pay(room.first, room.again("aroha"), 1, {"cash": 1001 * MICROS}),
        "forfeit": lambda: payments.agree_forfeit(Proposal.objects.get(), room.again("david")),
    }
    if deed == "forfeit":
        payments.propose_forfeit(room.first, room.person("kai"), 1, "Barred by law")
    stops.open_stop(room.first, room.person("sione"), "dispute", "The seat is disputed")
    before = recorded()
    look = (claims, "payment_record") if deed == "pay" else (action_log, "require_no_stop")
    after_look(monkeypatch, *look, lambda: opened(room))
    with acting_as("web"), pytest.raises(Stopped, match="just stopped this claim"):
        deeds[deed]()
    assert recorded() == before


def test_whoever_proposed_leaves_meanwhile(
    unanswered_room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = unanswered_room
    claims.propose_rejection(room.first, room.person("mere"), **REASON)
    after_look(monkeypatch, claims, "open_proposal", departure("mere"))
    with acting_as("web"), pytest.raises(SamePerson, match="may not log in any more"):
        claims.second_rejection(room.first, room.again("david"))
    assert not Action.objects.filter(kind="second_rejection").exists()
    claims.withdraw_rejection(room.first, room.person("david"), note="Mere left")
    claims.propose_rejection(room.first, room.person("manaia"), **REASON)
    with acting_as("web"):
        claims.second_rejection(room.first, room.again("david"))
    check_answer(room, "rejected")


def test_whoever_verified_has_left(unanswered_room: Room) -> None:
    """Another supervisor verifies it again, and it is confirmed on that."""
    room = unanswered_room
    departure("sione")()
    with acting_as("web"):
        with pytest.raises(WrongState, match="not verified yet"):
            room.confirm()
        claims.verify(room.first, room.person("anahera"))
        room.confirm()
    check_answer(room, "confirmed")
    assert Command.objects.get(kind="confirm_claim").first == "anahera"


def test_whoever_is_asked_may_not_decide_any_more(
    unanswered_room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = unanswered_room
    proposal = delegation.propose(
        room.first,
        room.person("mere"),
        person=room.person("ines"),
        capacity="manager",
        reason="Nobody is left",
    )
    after_look(monkeypatch, delegation, "_judge", without_role("ines"))
    with acting_as("web"), pytest.raises(WrongState, match="ask somebody else"):
        delegation.agree(proposal, room.again("david"))
    assert proposals.open_proposals().count() == 1


def test_an_incident_that_is_sent_twice_at_once(
    unanswered_room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, key = unanswered_room, uuid.uuid4()
    a_minute_ago = timezone.now() - dt.timedelta(minutes=1)
    report = incidents.IncidentReport("handset", "A drink", a_minute_ago)

    def send() -> Incident:
        return incidents.report(room.system, room.person("mere"), report, key)

    after_look(monkeypatch, guards, "in_words", send)
    with acting_as("web"), pytest.raises(KeyUsed, match="sent a moment ago"):
        send()
    assert send() == Incident.objects.get()


@pytest.mark.parametrize("guard", ["adjust", "second", "decided"])
def test_a_proposal_is_decided_meanwhile(
    unanswered_room: Room, monkeypatch: pytest.MonkeyPatch, guard: str
) -> None:
    """Withdrawn, or above the amount that the house has just set, or its proposer left."""
    room = unanswered_room
    proposal = adjustment(room)
    others: dict[str, tuple[Callable[[], Any], type[RuleBroken], str]] = {
        "decided": (
            lambda: proposals.withdraw(proposal, room.person("sione"), "The count was right"),
            WrongState,
            "just decided",
        ),
        "second": (
            lambda: SecondManagerLimit.objects.create(
                casino=room.system.casino, amount=MICROS, first="mere", second="david"
            ),
            SecondManagerNeeded,
            "second manager",
        ),
        "adjust": (departure("sione"), SamePerson, "two different people"),
    }
    act, kind, words = others[guard]
    after_look(monkeypatch, second_manager, "require_for_adjustment", act)
    with acting_as("web"), pytest.raises(kind, match=words):
        adjustments.agree(proposal, room.again("david"))
    assert not Command.objects.filter(kind="adjust_pool").exists()


def adjustment(room: Room) -> Proposal:
    tier = room.house.hit(1).tier
    assert tier is not None
    adjustment = adjustments.PoolAdjustment(
        tier, into="pool", source="drop", amount=25 * MICROS, reason="A06", evidence="Sheet 17"
    )
    return adjustments.propose(adjustment, room.person("sione"))
