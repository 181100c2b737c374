"""What keeps Friday open, point by point: each is said with who must act and where, and the close
is refused until it is settled. What is Sunday's own keeps Friday from nothing."""

import datetime as dt

import pytest
from django.urls import reverse
from django.utils import timezone

from jackpot.models import Entry, Head
from settlement.audit.reconciliation import reconcile
from settlement.closing import closes
from settlement.closing.checklist import points
from settlement.core.errors import WrongState
from settlement.models import Reconciliation
from tables.alarms import clear_alarm, raise_alarm
from tables.models import Alarm, GamingTable, JackpotSystem, UnitPresence
from tables.protocol import messages
from tests.support.cast import ClaimHouse
from tests.support.confirmed import person
from tests.support.page_ledger import Clock, LedgerHouse

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
    text = "Table 3: events wait for their place in the order."
    is_open(house, text, "Casino manager", "/tables/main/t3/")
    house.post()
    reconcile(house.system)
    house.press("t3")  # of Sunday
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
    table = GamingTable.objects.get(code="t3")
    unit = UnitPresence.objects.create(table=table, online=False, heard_at=timezone.now())
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
