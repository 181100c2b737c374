"""A table moves: what is in the way, what is done when, and what the database asks for itself."""

import datetime as dt
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from django.db import IntegrityError, connection, transaction
from django.db.utils import ProgrammingError
from django.test import override_settings
from django.utils import timezone

from jackpot.models import Command, Entry
from jackpot.writer import commands
from settlement.approvals import proposals
from settlement.audit.reconciliation import reconcile
from settlement.core.errors import BadReason, NotPermitted, RuleBroken, WrongState
from settlement.floor import table_transfer
from settlement.models import Proposal
from settlement.tasks import finish_moves
from tables.intake.reception import receive
from tables.models import (
    Casino,
    DeviceCredential,
    DeviceEnd,
    GamingTable,
    JackpotSystem,
    Quarantine,
    TableEvent,
    UnitPresence,
)
from tables.protocol import messages, topics
from tables.protocol.inbound_message import InboundMessage
from tests.support.cases.confirmed_house import person
from tests.support.houses.two_systems import TwoSystems, by_now
from tests.support.people.roles import acting_as
from tests.support.suite.kept_house import kept_house
from tests.support.units.cardroom import as_web

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]


house = kept_house(TwoSystems)


def opened(house: TwoSystems) -> None:
    house.open("t3")
    house.post()
    house.hear("t3")


def silent(house: TwoSystems) -> None:
    ago = timezone.now() - dt.timedelta(minutes=1)
    UnitPresence.objects.update(heard_at=ago)


def unheard(house: TwoSystems) -> None:
    UnitPresence.objects.all().delete()


def unposted(house: TwoSystems) -> None:
    house.say("t3", messages.RoundsMissed, count=1)
    house.hear("t3")


def came_late(house: TwoSystems) -> None:
    """What the order had gone past is receipted now, and has no place yet."""
    missing = house.seqs["t3"] + 1
    house.seqs["t3"] = missing
    with override_settings(GAP_WAIT_S=0.0):
        house.press("t3")
        house.post()
    house.record("t3", house.event("t3", messages.RoundStarted, seq=missing, round=90))
    house.hear("t3")


def ask_for_void(house: TwoSystems) -> None:
    unposted(house)
    house.post()


def gap(house: TwoSystems) -> None:
    house.seqs["t3"] += 1
    ask_for_void(house)


@pytest.mark.parametrize(
    ("what", "why"),
    [
        (opened, "The table is open"),
        (lambda house: house.hit_royal(), "Claim MAIN-1 of this table is open"),
        (ask_for_void, "A request of the dealer waits"),
        (unposted, "Events of the table are waiting for a sequence number"),
        (came_late, "Events of the table are waiting for a sequence number"),
        (lambda house: house.hear("t3", last_seq=99), "has events without a receipt"),
        (lambda house: house.hear("t3", boot=2, last_seq=1), "has events without a receipt"),
        (gap, "has events without a receipt"),
        (lambda house: house.hear("t3", state="offline"), "The unit is silent"),
        (silent, "The unit is silent"),
        (unheard, "The unit has never connected"),
    ],
)
def test_what_is_in_the_way(house: TwoSystems, what: Callable[[Any], Any], why: str) -> None:
    what(house)
    with pytest.raises(WrongState):
        house.propose()
    assert any(why.replace("\\", "") in each for each in table_transfer.in_the_way(house.table()))
    assert not Proposal.objects.exists()


@pytest.mark.parametrize("code", ["t 1", "console", "display", "", "x" * 33, "h2"])
def test_the_code_must_be_free_there(house: TwoSystems, code: str) -> None:
    GamingTable.objects.create(system=house.high, code="h2", name="Table 2")
    with pytest.raises(BadReason, match="code"):
        house.propose(code=code)


def test_it_stays_in_its_casino(house: TwoSystems) -> None:
    casino = Casino.objects.create(code="bay", name="Bay Casino", currency="AUD")
    bay = JackpotSystem.objects.create(casino=casino, code="bay", name="Bay")
    for to in (bay, house.system):
        with pytest.raises(BadReason, match="another system of this casino"):
            table_transfer.propose(house.table(), person("mere"), to=to, code="b1", reason="x")
    assert list(table_transfer.destinations(house.table())) == [house.high]


def test_only_those_who_may(house: TwoSystems) -> None:
    for name in ("aroha", "tane", "ines", "nobody"):
        with pytest.raises(NotPermitted):
            house.propose(by=name)
    proposal = house.propose(by="sione")
    with pytest.raises(NotPermitted):
        house.agree(proposal, by="anahera")
    with pytest.raises(WrongState, match="proposed already"):
        house.propose()
    proposals.withdraw(proposal, person("sione"), "Not tonight")
    house.propose()


def test_two_tables_for_one_code(house: TwoSystems) -> None:
    """Whoever proposes first has the code; the other one chooses another."""
    house.propose()
    house.open("t7")
    house.say("t7", messages.SessionClosed)
    house.post()
    house.hear("t7")
    with pytest.raises(BadReason, match="has, had or was to get a table h1"):
        table_transfer.propose(
            house.table("t7"), person("mere"), to=house.high, code="h1", reason="x"
        )


def test_the_console_stops_in_between_and_somebody_finishes(house: TwoSystems) -> None:
    with pytest.raises(WrongState, match="No order says"):
        table_transfer.finish(house.table())
    answer = house.agree(house.propose())
    assert answer.seq is None  # queued: the writer comes to it later
    house.post()
    entry = table_transfer.unfinished(house.table())
    assert entry is not None
    assert (entry.outcome["moved"], house.table().in_service) == ("high/h1", True)
    # in between its unit's word keeps its place, and moves nothing
    pool = house.balance("royal:pool")
    house.open("t3")
    house.press("t3")
    house.post()
    flags = Entry.objects.filter(system=house.system).latest("seq").outcome["flags"]
    assert flags == ["not_participating", "moved"]
    assert house.balance("royal:pool") == pool
    there = table_transfer.finish(house.table())
    assert table_transfer.finish(house.table()) == there  # twice is once
    house.post()
    assert Command.objects.filter(kind="receive_table").count() == 1
    assert table_transfer.unfinished(house.table()) is None
    assert table_transfer.in_the_way(house.table()) == [
        "This table has moved to another system already."
    ]
    for system in (house.system, house.high):
        assert reconcile(system).differences == []


def test_celery_finishes_what_the_writer_carries_out_later(house: TwoSystems) -> None:
    def beat() -> None:
        with acting_as("worker"):
            finish_moves()
            by_now()  # the database's guards judge it as the worker's

    beat()  # there is nothing to do
    house.agree(house.propose())
    by_now()
    beat()
    assert house.table().moved_to is None  # the writer has not come to it
    house.post()
    beat()
    there = house.table().moved_to
    assert there is not None
    assert (there.system.code, there.code, house.table().in_service) == ("high", "h1", False)
    beat()  # twice is once
    house.post()
    command = Command.objects.get(kind="receive_table")
    assert (command.first, command.second) == ("mere", "david")
    for system in (house.system, house.high):
        assert reconcile(system).differences == []


def test_a_move_that_the_order_refused_reserves_no_code(house: TwoSystems) -> None:
    """The table opened a moment before: its event was on its way while they agreed."""
    house.agree(house.propose())
    opening = house.event(
        "t3", messages.SessionOpened, game="holdem", deck=52, dealer="d", seats_in_play=[1, 2]
    )
    before = timezone.now() - dt.timedelta(seconds=5)
    receive([InboundMessage.of(topics.events("main", "t3"), opening)], before)
    house.post()
    refused = Entry.objects.get(system=house.system, type="move_table").outcome["refused"]
    assert "Table t3 is open" in refused
    finish_moves()
    assert house.table().moved_to is None
    house.open("t7")
    house.say("t7", messages.SessionClosed)
    house.post()
    house.hear("t7")
    table_transfer.propose(house.table("t7"), person("mere"), to=house.high, code="h1", reason="x")
    with pytest.raises(BadReason, match="has, had or was to get a table h1"):  # it is taken again
        table_transfer._require_free(house.table(), house.high, "h1")


def test_under_the_old_address_nothing_new_and_nothing_lost(house: TwoSystems) -> None:
    first = house.event("t3", messages.RoundStarted, seq=2, round=1)
    new = house.event("t3", messages.RoundStarted, seq=6, round=4)
    house.move()
    topic = topics.events("main", "t3")
    (again,) = receive([InboundMessage.of(topic, first)], timezone.now())
    assert b'"duplicate"' in again.payload  # it was recorded before, and stays
    for _ in range(2):  # a unit that did not hear the answer asks again
        (answer,) = receive([InboundMessage.of(topic, new)], timezone.now())
        receipt = msgspec.json.decode(answer.payload)
        assert receipt["results"] == [{"seq": 6, "outcome": "quarantined", "reason": "table_moved"}]
        assert (receipt["committed_seq"], receipt["resend_from"]) == (6, None)
    row = Quarantine.objects.get()
    assert (row.reason, bytes(row.body)) == ("table_moved", new)
    assert row.explanation == "This table moved to high/h1: set its unit to that address."
    assert TableEvent.objects.filter(seq=6).count() == 0


def test_it_never_comes_back_under_a_code_that_was_used(house: TwoSystems) -> None:
    there = house.move()
    with pytest.raises(BadReason, match="has, had or was to get a table t3"):
        table_transfer.propose(there, person("mere"), to=house.system, code="t3", reason="x")
    table_transfer.propose(
        there, person("mere"), to=house.system, code="t33", reason="Never used: no unit"
    )


# --- plain SQL as the running role ------------------------------------------------------------


@as_web
def queue(house: TwoSystems, kind: str, **body: Any) -> None:
    """A command as a web process that went wrong would queue it."""
    with transaction.atomic():
        commands.queue(house.system, kind, body, first="mere", second="david")
        by_now()


def test_the_database_asks_for_both_people(house: TwoSystems) -> None:
    body = house.propose().body
    with pytest.raises(IntegrityError, match="stands no proposal"):
        queue(house, "move_table", **body)
    arrival = {"table": "t9", "from_system": "high", "from_table": "h9", "entry": 1}
    with pytest.raises(IntegrityError, match="stands no table that left"):
        queue(house, "receive_table", **arrival)


@pytest.mark.parametrize(
    ("what", "why"),
    [
        (opened, "open, or a claim"),
        (lambda house: house.hit_royal(), "open, or a claim"),
        (unposted, "on their way"),
        (lambda house: house.hear("t3", last_seq=99), "on their way"),
        (
            lambda house: GamingTable.objects.create(system=house.high, code="h1", name="x"),
            "no free place",
        ),
    ],
)
def test_the_database_looks_for_itself(
    house: TwoSystems, what: Callable[[Any], Any], why: str
) -> None:
    """A service that forgot to judge."""
    proposal = house.propose()
    what(house)
    by_now()
    with acting_as("web"), pytest.raises(RuleBroken):
        house.agree(proposal)
    with pytest.raises(IntegrityError, match=why):
        agreed_all_the_same(house, proposal)


def test_the_database_knows_of_what_came_late(
    house: TwoSystems, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Receipted when the move was proposed, and not in the order when it is agreed to."""
    came_late(house)
    monkeypatch.setattr(table_transfer, "in_the_way", lambda *_: [])
    proposal = house.propose()
    by_now()
    with pytest.raises(IntegrityError, match="on their way"):
        agreed_all_the_same(house, proposal)
    house.post()
    agreed_all_the_same(house, proposal)


@as_web
def agreed_all_the_same(house: TwoSystems, proposal: Proposal) -> None:
    with transaction.atomic():
        number = commands.queue(
            house.system, "move_table", proposal.body, first="mere", second="david"
        )
        proposals.ProposalDecision.objects.create(
            proposal=proposal, person=person("david"), agreed=True, command=number
        )
        by_now()


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        (
            "INSERT INTO tables_gamingtable (system_id, code, name, in_service,"
            " display_key) SELECT system_id, 't99', 'x', true, 'x' FROM tables_gamingtable"
            " LIMIT 1",
            "no order says that table t99 moves",
        ),
        (
            "UPDATE tables_gamingtable SET in_service = false WHERE code = 't7'",
            "no order says that table t7 moves",
        ),
        (
            "UPDATE tables_gamingtable SET in_service = false, moved_entry = 1, moved_to_id ="
            " (SELECT id FROM tables_gamingtable WHERE code = 't7') WHERE code = 't3'",
            "no order says that table t3 moves",
        ),
    ],
)
def test_no_table_moves_without_an_order(house: TwoSystems, statement: str, why: str) -> None:
    with pytest.raises(IntegrityError, match=why):
        execute(statement)


@as_web
def execute(statement: str) -> None:
    """Plain SQL of a web process that went wrong."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
        by_now()


def test_the_worker_finishes_and_decides_nothing(house: TwoSystems) -> None:
    arrival = {"table": "t9", "from_system": "high", "from_table": "h9", "entry": 1}
    with pytest.raises(IntegrityError, match="stands no table that left"):
        queue_as_worker(house, "receive_table", **arrival)
    body = house.propose().body
    for kind in ("move_table", "suspend", "pay", "put_terms", "anything"):
        with pytest.raises(ProgrammingError, match=f"the worker queues no {kind}"):
            queue_as_worker(house, kind, **body)


def queue_as_worker(house: TwoSystems, kind: str, **body: Any) -> None:
    with acting_as("worker"), transaction.atomic():
        commands.queue(house.system, kind, body, first="mere", second="david")
        by_now()


def test_a_move_is_not_undone(house: TwoSystems) -> None:
    credential = DeviceCredential.objects.create(
        kind="unit",
        table=GamingTable.objects.get(code="t3"),
        number=1,
        username="main/t3",
        password_hash="x",
        issued_by="hana",
    )
    house.move()
    assert DeviceEnd.objects.get(credential=credential).kind == "moved"
    undo = "UPDATE tables_gamingtable SET moved_to_id = NULL, moved_entry = NULL WHERE code = 't3'"
    with pytest.raises(IntegrityError, match="no order says"):
        execute(undo)
    for column in ("code = 'x'", "system_id = system_id"):
        with pytest.raises(ProgrammingError, match="permission denied"):
            execute(f"UPDATE tables_gamingtable SET {column}")
