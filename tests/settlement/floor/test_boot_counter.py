"""Two people reset a table's boot counter: in the order, carried out with it, by nothing else."""

from typing import Any

import msgspec
import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from jackpot.models import Entry, TableState
from settlement.approvals import proposals
from settlement.audit.reconciliation import reconcile
from settlement.core.errors import BadReason, NotPermitted, SamePerson, WrongState
from settlement.floor import boot_counter
from settlement.models import Proposal
from settlement.people.rights.permissions import Reauthenticated
from tables.intake.reception import receive
from tables.models import GamingTable, Stream
from tables.protocol import messages, topics
from tables.protocol.inbound_message import InboundMessage
from tables.protocol.messages import MAX_BOOT
from tests.support.cases.confirmed_house import person
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import acting_as
from tests.support.play.house import House
from tests.support.suite.kept_house import kept_house
from tests.support.units.cardroom import as_web
from verifier.check import look

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
OMAHA: dict[str, Any] = {"game": "omaha", "deck": 52, "dealer": "x", "seats_in_play": [1, 2]}


def build_house() -> ClaimHouse:
    """A table at boot 1, at which a foreign event with boot 9,000 opened an Omaha session."""
    house = ClaimHouse()
    house.open("t3")
    foreign(house, 1, messages.SessionOpened, **OMAHA)
    house.post()
    return house


house = kept_house(build_house)


def foreign(house: ClaimHouse, seq: int, type_: type, boot: int = 9_000, **fields: Any) -> None:
    message = msgspec.json.decode(house.event("t3", type_, seq=seq, **fields)) | {"boot": boot}
    body = msgspec.json.encode(message)
    receive([InboundMessage.of(topics.events("main", "t3"), body)], timezone.now())


def table() -> GamingTable:
    return GamingTable.objects.select_related("system__casino").get(code="t3")


@as_web
def reset(house: ClaimHouse, boot: int = 1, by: tuple[str, str] = ("sione", "mere")) -> Proposal:
    proposal = boot_counter.propose(table(), person(by[0]), boot=boot, reason="A cloned key")
    proposals.agree(proposal, Reauthenticated(person(by[1])))
    with acting_as("poster"):
        House.post(house)  # the worker is another role
    return proposal


def session() -> dict[str, Any]:
    present = TableState.objects.get(table__code="t3").session
    assert present is not None
    return present


def test_the_unit_is_heard_again(house: ClaimHouse) -> None:
    house.open("t3")
    house.post()
    assert session()["game"] == "omaha", "the foreign boot overtook it"
    reset(house)
    assert session()["game"] == "omaha", "it stands until the unit says something else"
    house.open("t3")
    house.post()
    assert session()["game"] == "holdem"
    assert Entry.objects.get(type="reset_boots").outcome == {"boot": 1}
    assert reconcile(house.system).differences == []
    connection.ensure_connection()
    assert look(connection.connection).ok


def test_boots_out_of_reach_are_discarded_with_the_entry(house: ClaimHouse) -> None:
    for boot in range(18_000, 90_001, 9_000):
        foreign(house, 1, messages.SessionClosed, boot=boot)
    house.post()
    assert boot_counter.newest_boot(table()) == 90_000
    reset(house)
    discarded = (
        Stream.objects.filter(discarded=True).order_by("boot").values_list("boot", flat=True)
    )
    assert list(discarded) == list(range(18_000, 90_001, 9_000))
    assert boot_counter.newest_boot(table()) == 9_000
    connection.ensure_connection()
    assert look(connection.connection).ok


def test_a_reset_to_a_higher_boot_takes_a_unit_that_comes_with_it(house: ClaimHouse) -> None:
    foreign(house, 1, messages.SessionOpened, boot=70_000, **OMAHA)
    assert boot_counter.newest_boot(table()) == 9_000
    reset(house, boot=69_999)
    foreign(house, 1, messages.SessionOpened, boot=70_000, **OMAHA)
    assert boot_counter.newest_boot(table()) == 70_000


def test_who_may(house: ClaimHouse) -> None:
    for name in ("tane", "aroha", "ines", "nobody"):
        with pytest.raises(NotPermitted):
            boot_counter.propose(table(), person(name), boot=1, reason="x")
    proposal = boot_counter.propose(table(), person("mere"), boot=1, reason="x")
    with pytest.raises(WrongState, match="proposed already"):
        boot_counter.propose(table(), person("sione"), boot=1, reason="x")
    with pytest.raises(SamePerson):
        proposals.agree(proposal, Reauthenticated(person("mere")))
    with pytest.raises(NotPermitted):
        proposals.agree(proposal, Reauthenticated(person("anahera")))
    with pytest.raises(BadReason):
        boot_counter.propose(table(), person("sione"), boot=MAX_BOOT + 1, reason="x")
    with pytest.raises(BadReason):
        boot_counter.propose(table(), person("sione"), boot=1, reason=" ")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE tables_stream SET discarded = true WHERE boot = 9000",
        """INSERT INTO tables_stream (system_id, table_id, boot, committed_seq, last_seq)
           SELECT system_id, table_id, 9007, 0, 0 FROM tables_stream WHERE boot = 1""",
    ],
)
def test_the_writer_sets_no_boots_by_itself(house: ClaimHouse, statement: str) -> None:
    reset(house)
    with acting_as("poster"), pytest.raises(IntegrityError, match="boots: no order says"):
        _at_once(statement)


@transaction.atomic
def _at_once(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def test_no_process_queues_it_without_the_proposal(house: ClaimHouse) -> None:
    statement = """
        INSERT INTO jackpot_command (system_id, number, kind, body, first, second, issued_at, key)
        SELECT id, (SELECT max(number) + 1 FROM jackpot_command), 'reset_boots',
               '{"table": "t3", "boot": 1, "reason": "x"}', 'sione',
               'mere', now(), gen_random_uuid() FROM tables_jackpotsystem
    """
    with acting_as("web"), pytest.raises(IntegrityError, match="actions: behind command"):
        _at_once(statement)


def test_a_boot_that_was_discarded_past_the_guards_is_found(house: ClaimHouse) -> None:
    Stream.objects.filter(boot=9_000).update(discarded=True)
    connection.ensure_connection()
    report = look(connection.connection, with_actions=False)
    assert [finding for _, finding in report.findings if "no decision" in finding]
