"""A bug in the fold halts a system, and two people skip what it stumbles over."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import override_settings

from jackpot.models import Entry, SkipDecision
from jackpot.writer import batches
from settlement.core.errors import NotPermitted, SamePerson, WrongState
from settlement.floor import skipped_entries
from settlement.floor.incidents import open_incidents
from settlement.models import SkipProposal
from settlement.people.rights.permissions import Reauthenticated
from tables.models import Alarm, TableEvent
from tests.support.houses.button_to_paid import BOARD, ROYAL
from tests.support.people.roles import acting_as
from tests.support.play.books import royal_terms
from tests.support.suite.waiting import wait_until
from tests.support.units.cardroom import CardRoom, money

OpenRoom = Callable[..., CardRoom]


@pytest.fixture
def bug(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[tuple[str, int]]]:
    """A bug that strikes at each (type, round) of the set."""
    struck: set[tuple[str, int]] = set()
    honest = batches.apply

    def faulty(books: Any, entry: Any, version: Any) -> Any:
        event = getattr(entry, "event", None)
        if event is not None and (event.type, getattr(event, "round", None)) in struck:
            books.move(entry.seq, "operator", "royal:pool", 1, "contribution")  # half done
            raise ZeroDivisionError("a bug")
        return honest(books, entry, version)

    monkeypatch.setattr(batches, "apply", faulty)
    yield struck
    struck.clear()


def halted(room: CardRoom) -> None:
    wait_until(lambda: room.head().halted_at is not None, what="the system to halt")


def test_the_floor_goes_on_two_people_set_it_aside_and_all_is_visible(
    open_room: OpenRoom, bug: set[tuple[str, int]]
) -> None:
    room = open_room(royal_terms())
    unit, other = room.unit(3), room.unit(7)
    room.play(unit, 2)
    bug.add(("round_started", unit.round + 1))
    before = room.head().seq
    stumbled = unit.press()
    assert stumbled is not None
    halted(room)
    assert room.head().seq == before
    assert f"t3, boot {unit.boot}, seq {stumbled}" in room.head().halted_on

    # Intake goes on and is receipted; what people decide is queued.
    held_back = other.press()
    assert held_back is not None
    wait_until(lambda: TableEvent.objects.filter(table__code="t7", seq=held_back).exists())
    proposal = "Wellington support, call 4711: the round of 21:14 cannot be taken"
    with acting_as("web"):
        with pytest.raises(NotPermitted):
            skipped_entries.propose(room.system, room.people["lucia"], proposal)
        with pytest.raises(WrongState, match="Nobody has proposed"):
            skipped_entries.agree(room.system, Reauthenticated(room.people["david"]))
        skipped_entries.propose(room.system, room.people["anna"], proposal)
        assert room.head().seq == before  # one person moves nothing
        with pytest.raises(SamePerson, match="somebody else must approve it"):
            skipped_entries.agree(room.system, Reauthenticated(room.people["anna"]))
        skipped_entries.agree(room.system, Reauthenticated(room.people["david"]))
    room.posted(other, held_back)
    assert room.posted(unit, stumbled).hit is None

    entry = Entry.objects.get(system=room.system, event__seq=stumbled, table__code="t3")
    assert entry.seq == before + 1
    assert entry.outcome == {
        "flags": ["set_aside"],
        "set_aside": {"first": "anna", "second": "david", "reason": proposal},
    }
    assert room.pool() == money(1000) + 3 * money(0.5)  # two rounds of t3 and one of t7
    assert room.head().halted_at is None
    alarm = Alarm.objects.get(kind="set_aside")
    assert alarm.cleared_at is None
    assert "anna and david skipped" in alarm.message
    assert proposal in alarm.message
    room.balanced()
    room.play(unit, 1)
    assert room.pool() == money(1000) + 4 * money(0.5)
    with acting_as("web"), pytest.raises(WrongState, match="not halted"):
        skipped_entries.agree(room.system, Reauthenticated(room.people["david"]))


def test_a_hand_that_was_set_aside_is_reported_anew(
    open_room: OpenRoom, bug: set[tuple[str, int]]
) -> None:
    room = open_room(royal_terms())
    unit = room.unit(3)
    room.play(unit, 1)
    bug.add(("hand_reported", unit.round))
    seq = unit.report_hand([BOARD], [ROYAL])
    halted(room)
    halt = skipped_entries.halt_of(room.system)
    assert halt is not None
    assert halt.is_hand
    with acting_as("web"):
        skipped_entries.propose(room.system, room.people["anna"], "support cannot come tonight")
        skipped_entries.agree(room.system, Reauthenticated(room.people["david"]))
    assert room.posted(unit, seq).hit is None
    (incident,) = open_incidents()
    assert incident.kind == "system_halt"
    assert incident.table is not None
    assert incident.note.startswith("anna and david skipped hand_reported (t3, ")
    assert incident.note.endswith("support cannot come tonight")
    assert "NO CLAIM WAS OPENED" in Alarm.objects.get(kind="set_aside").message
    bug.clear()
    again = room.posted(unit, unit.report_hand([BOARD], [ROYAL]))
    assert again.hit == [1]
    room.verify()
    room.confirm(by="david")
    room.pay()
    room.balanced()


@override_settings(CLAIM_WAIT_S=0)  # nobody answers before it is skipped
def test_a_decision_that_was_set_aside_is_refused_to_whoever_waits(
    open_room: OpenRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = open_room(royal_terms())
    honest = batches.apply

    def faulty(books: Any, entry: Any, version: Any) -> Any:
        if getattr(entry, "kind", None) == "put_terms":
            raise ZeroDivisionError("a bug")
        return honest(books, entry, version)

    monkeypatch.setattr(batches, "apply", faulty)
    number = room.agree_on_terms(royal_terms())
    halted(room)
    with acting_as("web"):
        skipped_entries.propose(room.system, room.people["david"], "terms can wait")
        skipped_entries.agree(room.system, Reauthenticated(room.people["anna"]))
    answer = wait_until(lambda: room.answer(number), what="the decision to be set aside")
    assert answer is not None
    assert answer.refused == "It was set aside by david and anna: terms can wait"
    room.balanced()


def test_the_database_refuses_what_two_people_have_not_decided(
    open_room: OpenRoom, bug: set[tuple[str, int]]
) -> None:
    room = open_room(royal_terms())
    unit = room.unit(3)
    room.play(unit, 1)
    bug.add(("round_started", unit.round + 1))
    posted = TableEvent.objects.get(type="session_opened")
    unit.press()
    halted(room)
    event = room.head().halted_event
    skipped_entries.propose(room.system, room.people["anna"], "why")

    def refuses(match: str, event_id: int | None, first: str, second: str) -> None:
        for role in ("web", None):  # the owner, too
            with (
                acting_as(role),
                pytest.raises(IntegrityError, match=match),
                transaction.atomic(),
            ):
                SkipDecision.objects.create(
                    system=room.system, event_id=event_id, reason="why", first=first, second=second
                )

    refuses("two_people", event, "anna", "anna")
    refuses("two_people", event, "david", "anna")  # who has proposed nothing
    refuses("two_people", event, "anna", "nobody")
    refuses("not halted on this", posted.pk, "anna", "david")
    room.people["david"].is_active = False
    room.people["david"].save()
    refuses("two_people", event, "anna", "david")
    assert SkipProposal.objects.count() == 1
    assert not SkipDecision.objects.exists()
