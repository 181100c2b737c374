"""What keeps Friday open, point by point: each is said with who must act and where, and the close
is refused until it is settled. What is Sunday's own keeps Friday from nothing."""

import datetime as dt
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import override_settings
from django.urls import reverse
from django.utils import timezone

from jackpot.models import Entry, Head
from jackpot.writer import commands
from settlement.approvals import proposals
from settlement.audit.reconciliation import reconcile
from settlement.closing import closes
from settlement.closing.checklist import points
from settlement.core.errors import WrongState
from settlement.floor import held_rounds, missed_rounds, rulings
from settlement.models import Proposal, Reconciliation
from settlement.people.rights.permissions import Reauthenticated
from tables.alarms import clear_alarm, raise_alarm
from tables.models import Alarm, Casino, GamingTable, JackpotSystem, UnitPresence
from tables.protocol import messages
from tests.support.cases.confirmed_house import person
from tests.support.cases.held_rounds import LIMIT, FastHouse
from tests.support.pages.page_ledger import Clock, LedgerHouse
from tests.support.people.cast import ClaimHouse
from verifier.check import look

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]

FRIDAY = dt.date(2026, 10, 30)


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch) -> LedgerHouse:
    """Played and reconciled; by its clock it is Friday still."""
    house = LedgerHouse(Clock(monkeypatch))
    house.press("t3")
    house.post()
    house.system = JackpotSystem.objects.select_related("casino").get()
    return house


def table(code: str) -> GamingTable:
    return GamingTable.objects.select_related("system__casino").get(code=code)


def on_sunday(house: ClaimHouse, clock: Clock) -> None:
    """Two days later, when the system reconciled."""
    clock.on(days=2)
    reconcile(house.system)


def is_open(house: ClaimHouse, text: str, who: str, address: str) -> None:
    """This is all that keeps Friday open, and it does."""
    (point,) = points(house.system, FRIDAY)
    assert (point.text, point.who) == (text, who)
    assert reverse(point.page, args=point.args) + point.query == address
    friday = closes.period(house.system, str(FRIDAY))
    assert friday is not None
    with pytest.raises(WrongState) as refusal:
        closes.propose(friday, person("ines"))
    assert str(refusal.value) == f"{FRIDAY} cannot be closed yet: {text}"


def can_be_closed(house: ClaimHouse) -> None:
    assert points(house.system, FRIDAY) == []
    friday = closes.period(house.system, str(FRIDAY))
    assert friday is not None
    closes.propose(friday, person("ines"))


def test_posting_that_halted(house: LedgerHouse) -> None:
    on_sunday(house, house.clock)
    Head.objects.update(halted_at=timezone.now(), halted_on="round_started (t3)")
    text = "Posting has halted: round_started (t3)."
    is_open(house, text, "Technical support", "/reconciliation/")
    Head.objects.update(halted_at=None, halted_on="")
    can_be_closed(house)


def test_events_that_wait_for_their_place(house: LedgerHouse) -> None:
    house.press("t3")  # received on Friday, and not posted
    on_sunday(house, house.clock)
    text = "Table 3: events are waiting for a sequence number."
    is_open(house, text, "Casino manager", "/tables/main/t3/")
    house.post()
    reconcile(house.system)
    house.press("t3")  # of Sunday
    can_be_closed(house)


@override_settings(GAP_WAIT_S=0.0)
def test_an_event_that_came_late_waits_for_its_place_too(house: LedgerHouse) -> None:
    missing = house.seqs["t3"] + 1
    house.record("t3", house.event("t3", messages.RoundStarted, seq=missing + 1, round=2))
    house.post()  # the order goes past what is missing
    house.record("t3", house.event("t3", messages.RoundStarted, seq=missing, round=3))
    on_sunday(house, house.clock)
    text = "Table 3: events are waiting for a sequence number."
    is_open(house, text, "Casino manager", "/tables/main/t3/")
    house.post()
    reconcile(house.system)
    can_be_closed(house)


def test_messages_that_are_missing(house: LedgerHouse) -> None:
    missing = house.seqs["t3"] + 1
    behind = house.event("t3", messages.RoundStarted, seq=missing + 1, round=2)
    house.record("t3", behind)
    on_sunday(house, house.clock)
    text = "Table 3: messages of its unit are missing."
    is_open(house, text, "Casino manager", "/tables/main/t3/")
    house.record("t3", house.event("t3", messages.RoundStarted, seq=missing, round=3))
    house.post()
    reconcile(house.system)
    can_be_closed(house)


def test_a_unit_that_is_offline_since_friday(house: LedgerHouse) -> None:
    unit = UnitPresence.objects.create(table=table("t3"), online=False, heard_at=timezone.now())
    on_sunday(house, house.clock)
    text = "Table 3: its unit is offline since before the end of the day."
    is_open(house, text, "Game supervisor", "/tables/main/t3/")
    UnitPresence.objects.update(online=True)
    assert points(house.system, FRIDAY) == []
    UnitPresence.objects.update(online=False, heard_at=unit.heard_at + dt.timedelta(days=1))
    assert points(house.system, FRIDAY) == []  # it was heard after the end of Friday
    UnitPresence.objects.update(heard_at=unit.heard_at)
    house.say("t3", messages.SessionClosed)
    house.post()
    reconcile(house.system)
    can_be_closed(house)  # a table that is closed holds nothing


@pytest.mark.parametrize("kind", ["quarantine", "quarantine_limit", "identity_conflict"])
def test_a_quarantine_alarm_that_nobody_cleared(house: LedgerHouse, kind: str) -> None:
    raise_alarm(kind, "main/t3", "A message cannot be read", house.system)
    on_sunday(house, house.clock)
    text = "Quarantined messages: nobody has cleared the alarm about main/t3."
    is_open(house, text, "Casino manager", "/quarantine/")
    clear_alarm(Alarm.objects.get(kind=kind), "mere", "The unit was exchanged")
    raise_alarm(kind, "main/t3", "A message cannot be read", house.system)  # of Sunday
    can_be_closed(house)


def test_a_reconciliation_that_found_differences(house: LedgerHouse) -> None:
    on_sunday(house, house.clock)
    Reconciliation.objects.create(
        system=house.system,
        up_to_seq=Entry.objects.latest("seq").seq,
        entries=1,
        transfers=1,
        blocks=1,
        duration_ms=1,
        differences=["royal:pool differs by 0.01"],
    )
    is_open(house, "The last reconciliation found differences.", "Compliance", "/reconciliation/")
    reconcile(house.system)
    can_be_closed(house)


def test_a_system_that_was_not_reconciled_since(house: LedgerHouse) -> None:
    house.clock.on(days=2)
    text = "The system has not been reconciled since the end of the day."
    is_open(house, text, "Compliance", "/reconciliation/")
    reconcile(house.system)
    can_be_closed(house)


def test_held_rounds_that_nobody_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two of Friday; the last one of Sunday is held as well."""
    clock = Clock(monkeypatch)
    house = FastHouse()
    Casino.objects.update(timezone="Pacific/Auckland")
    house.system = JackpotSystem.objects.select_related("casino").get()
    house.presses(LIMIT + 2)
    on_sunday(house, clock)
    text = "Table 3: 2 held rounds are not decided."
    is_open(house, text, "Game supervisor", "/irregularities/main/t3/held/")
    body = {"day": str(FRIDAY), **closes.figures(house.system, FRIDAY).body}
    with (
        pytest.raises(IntegrityError, match="held rounds of 2026-10-30 or before are not decided"),
        transaction.atomic(),
    ):
        commands.queue(house.system, "close_day", body, first="ines", second="mere")
    house.presses(LIMIT + 1)
    held_rounds.accept(table("t3"), person("sione"), [LIMIT + 1], "camera 4")
    house.post()
    reconcile(house.system)
    text = "Table 3: 1 held round is not decided."
    is_open(house, text, "Game supervisor", "/irregularities/main/t3/held/")
    held_rounds.refuse(table("t3"), person("sione"), [LIMIT + 2], "camera 4: nobody there")
    house.post()
    reconcile(house.system)
    assert [each.round for each in held_rounds.rounds_of(table("t3"))] == [2 * LIMIT + 3]
    can_be_closed(house)
    assert not house.decide("close_day", "ines", "mere", **body).refused


def test_the_verifier_names_rounds_that_were_held_at_a_close(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Somebody with the owner's password takes the guard away, and closes over two rounds."""
    clock = Clock(monkeypatch)
    house = FastHouse()
    Casino.objects.update(timezone="Pacific/Auckland")
    house.system = JackpotSystem.objects.select_related("casino").get()
    house.presses(LIMIT + 3)
    held_rounds.refuse(table("t3"), person("sione"), [LIMIT + 1], "camera 4: nobody there")
    house.post()
    on_sunday(house, clock)
    body = {"day": str(FRIDAY), **closes.figures(house.system, FRIDAY).body}
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE jackpot_command DISABLE TRIGGER close_has_its_figures")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
    assert not house.decide("close_day", "ines", "mere", **body).refused
    report = look(connection.connection, settled=False, with_actions=False)
    rounds = [
        f"round {number} at t3 was held, and nobody had decided"
        for number in (LIMIT + 2, LIMIT + 3)
    ]
    place = f"system main, entry {house.head.seq}: "
    findings = [sentence for kind, sentence in report.findings if kind == "closes"]
    assert findings == [place + each for each in rounds]


def test_requests_that_nobody_answered(house: LedgerHouse) -> None:
    house.say("t3", messages.VoidRequested, round=1, reason="wrong_count")
    house.say("t3", messages.RoundsMissed, count=1)
    house.say("t7", messages.RoundsMissed, count=1)
    house.post()
    on_sunday(house, house.clock)
    assert [(each.text, each.who, each.page) for each in points(house.system, FRIDAY)] == [
        (text, "Game supervisor", "irregularities")
        for text in (
            "Table 3: 2 requests about rounds are not decided.",
            "Table 7: 1 request about rounds is not decided.",
        )
    ]
    for request in rulings.open_requests(*rulings.ON_ROUNDS):
        rulings.refuse(request, person("sione"), "Camera 4: all was well")
    house.say("t3", messages.RoundsMissed, count=1)  # of Sunday
    house.post()
    can_be_closed(house)


@pytest.mark.parametrize("agreed", [True, False])
def test_missed_rounds_that_wait_for_a_second_person(house: LedgerHouse, *, agreed: bool) -> None:
    house.say("t3", messages.RoundsMissed, count=20)
    house.post()
    (request,) = rulings.open_requests("rounds_missed")
    on_sunday(house, house.clock)
    missed = missed_rounds.MissedCredit(20, "camera 4", entries=[request.entry.seq])
    missed_rounds.credit(table("t3"), person("sione"), missed)
    text = "Table 3: missed rounds are proposed, and not approved."
    is_open(house, text, "Casino manager", "/irregularities/")
    proposal = Proposal.objects.get(kind="missed_rounds")
    if agreed:
        proposals.agree(proposal, Reauthenticated(person("mere")))
        house.post()
        reconcile(house.system)
        can_be_closed(house)
    else:
        proposals.withdraw(proposal, person("sione"), "counted again")
        text = "Table 3: 1 request about rounds is not decided."
        is_open(house, text, "Game supervisor", "/irregularities/")


def test_a_proposal_for_a_round_of_the_day(house: LedgerHouse) -> None:
    """Proposed on Sunday: round 1 is Friday's, by its press; the other ones are nobody's yet."""
    on_sunday(house, house.clock)
    missed: list[dict[str, Any]] = [{"count": 1, "rounds": [1], "completion": True}, {"count": 20}]
    for each in missed:
        body = {"table": "t3", "evidence": "camera 4", **each}
        proposals.propose(house.system, "missed_rounds", "t3", body, person("sione"))
    text = "Table 3: missed rounds are proposed, and not approved."
    is_open(house, text, "Casino manager", "/irregularities/")
    proposals.withdraw(Proposal.objects.earliest("id"), person("sione"), "counted again")
    can_be_closed(house)
