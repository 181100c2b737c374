"""Two managers move a table at the same instant: it leaves once, and comes once.

Two real connections under the web process's role, beside a running writer.
"""

from collections.abc import Callable, Generator
from typing import Any

import pytest
from django.db import transaction
from pytest_django import Settings

from jackpot.models import Command, Entry
from settlement.approvals import proposals
from settlement.audit.reconciliation import reconcile
from settlement.core.errors import RuleBroken
from settlement.floor import table_transfer
from settlement.models import ProposalDecision
from settlement.people.rights.permissions import Reauthenticated
from settlement.tasks import finish_moves
from tables.models import GamingTable, Stream, TableEvent
from tests.support.cases.confirmed_house import person
from tests.support.houses.two_systems import TwoSystems
from tests.support.people.at_once import people, writing
from tests.support.people.roles import acting_as
from tests.support.suite.databases import FreshDatabase
from tests.support.suite.waiting import wait_until
from verifier import verify

Press = Callable[[], Any]


class Room:
    """Mere has proposed to move table 3; david and hana may agree."""

    def __init__(self) -> None:
        self.house = TwoSystems()
        person("anahera").groups.set(person("david").groups.all())
        self.proposal = self.house.propose()
        self.house.poster.give_up()

    def agree(self, name: str) -> Press:
        return lambda: table_transfer.agree(self.proposal, Reauthenticated(person(name)))

    def at_once(self, gate: Any, *actions: Press) -> tuple[list[Any], list[str]]:
        """The answers of those who won, and what the others read."""
        with people(len(actions)) as everybody:
            outcomes = everybody.press(gate, *actions)
        lost = [str(each) for each in outcomes if isinstance(each, RuleBroken)]
        return [each for each in outcomes if not isinstance(each, RuleBroken)], lost

    @property
    def streams(self) -> Any:
        return Stream.objects.filter(table=self.house.table())


@pytest.fixture
def room(fresh_database: FreshDatabase, settings: Settings) -> Generator[Room]:
    """Closed with both orders in agreement, by the product's word and the verifier's."""
    settings.CLAIM_WAIT_S = 60
    room = Room()
    with writing():
        yield room
        wait_until(_is_posted, what="the writer to take everything")
    with acting_as("worker"):
        for system in (room.house.system, room.house.high):
            assert reconcile(system).differences == []
    report = verify(fresh_database.url)
    assert report.ok, report.lines()


def _is_posted() -> bool:
    decided = Entry.objects.filter(command__isnull=False).count()
    waits = TableEvent.objects.filter(entry=None)
    return decided == Command.objects.count() and not waits.exists()


def arrive(room: Room, times: int) -> None:
    assert GamingTable.objects.filter(system=room.house.high).count() == times
    assert Command.objects.filter(kind="receive_table").count() == times
    moved = Entry.objects.filter(type="move_table", outcome__has_key="moved")
    assert moved.count() == times


def test_both_agree(room: Room) -> None:
    won, lost = room.at_once(room.streams, room.agree("david"), room.agree("anahera"))
    assert len(won) == len(lost) == 1
    assert "decided on this" in lost[0]
    assert ProposalDecision.objects.count() == 1
    arrive(room, 1)


def test_one_agrees_and_the_other_withdraws(room: Room) -> None:
    def withdraw() -> Any:
        with transaction.atomic():
            list(room.streams.select_for_update())  # stands at the same row
        return proposals.withdraw(room.proposal, person("mere"), "Not tonight")

    won, lost = room.at_once(room.streams, room.agree("david"), withdraw)
    assert len(won) == len(lost) == 1, lost
    assert "reload the page" in lost[0] or "already" in lost[0]
    arrive(room, ProposalDecision.objects.get().agreed)


def test_both_finish(room: Room) -> None:
    """The console stopped in between; two people press the button."""
    with acting_as("web"):
        answer = proposals.agree(room.proposal, Reauthenticated(person("david")))
    assert answer.seq is not None
    table = room.house.table()
    gate = GamingTable.objects.filter(pk=table.pk)
    won, lost = room.at_once(gate, *[lambda: table_transfer.finish(table)] * 2)
    assert lost == []
    assert won[0] == won[1]
    arrive(room, 1)


def test_a_person_and_celery_finish(room: Room) -> None:
    with acting_as("web"):
        answer = proposals.agree(room.proposal, Reauthenticated(person("david")))
    assert answer.seq is not None
    table = room.house.table()

    def celery() -> Any:
        with acting_as("worker"):
            finish_moves()

    gate = GamingTable.objects.filter(pk=table.pk)
    won, lost = room.at_once(gate, lambda: table_transfer.finish(table), celery)
    assert (len(won), lost) == (2, [])
    arrive(room, 1)


def test_one_agrees_while_the_table_opens(room: Room) -> None:
    """The unit's word is first, or the manager's: never both, and nothing is lost."""

    def opens() -> Any:
        with acting_as("intake"):
            room.house.open("t3")

    won, lost = room.at_once(room.streams, room.agree("david"), opens)
    assert len(won) + len(lost) == 2
    moved = GamingTable.objects.get(code="t3").moved_to is not None
    assert moved != bool(lost)
    wait_until(
        lambda: not moved or Entry.objects.filter(type="receive_table").exists(),
        what="the other order to say so",
    )
    arrive(room, int(moved))
