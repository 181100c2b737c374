"""What displays are sent: as of one moment, never an older value after a newer one."""

import threading

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from jackpot.display import values as display
from jackpot.models import Account, DisplayMessage, DisplayPulse, Head, Hit
from tables.models import OutboxMessage
from tables.protocol import messages
from tests.support.people.roles import owner_without_guards
from tests.support.play.books import royal_terms
from tests.support.play.house import House
from tests.support.suite.databases import FreshDatabase


def values() -> list[int]:
    messages = DisplayMessage.objects.order_by("id")
    return [message.payload["tiers"][0]["value"] for message in messages]


@pytest.mark.django_db
def test_a_message_is_kept_when_something_changed_and_sent_each_time() -> None:
    house = House(royal_terms())
    house.open("t3")
    assert display.refresh(house.system.pk)
    house.press("t3")
    house.post()
    assert display.refresh(house.system.pk)
    assert not display.refresh(house.system.pk)
    assert values() == [100_000, 100_050]
    outbox = OutboxMessage.objects.filter(topic="jackpot/v1/main/display")
    assert outbox.count() == 3
    assert all(message.retain for message in outbox)
    current = display.current(house.system.pk)
    assert current is not None
    assert current["tiers"][0]["value"] == 100_050


@pytest.mark.django_db
def test_what_is_older_than_the_last_message_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    house = House(royal_terms())
    house.open("t3")
    house.press("t3")
    house.post()
    slow = display.compose(Head.objects.get(system=house.system), timezone.now())
    house.press("t3")
    house.post()
    display.refresh(house.system.pk)
    monkeypatch.setattr(display, "compose", lambda *_: slow)
    assert not display.refresh(house.system.pk)
    assert values() == [100_100]


@pytest.mark.django_db
def test_a_refresh_asks_few_questions() -> None:
    """A floor of fifty systems makes a hundred messages a second."""
    house = House(royal_terms())
    house.open("t3")
    house.post()
    display.refresh(house.system.pk)
    with CaptureQueriesContext(connection) as queries:
        display.refresh(house.system.pk)
    outside_of_savepoints = [each for each in queries if "SAVEPOINT" not in each["sql"]]
    assert len(outside_of_savepoints) <= 11


def test_two_workers_at_once(fresh_database: FreshDatabase) -> None:
    house = House(royal_terms())
    house.open("t3")
    faults: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(20):
                display.refresh(house.system.pk)
        except Exception as fault:  # noqa: BLE001 - shown by the test
            faults.append(fault)
        finally:
            connection.close()

    workers = [threading.Thread(target=work) for _ in range(3)]
    for worker in workers:
        worker.start()
    for _ in range(10):
        house.press("t3")
        house.post()
    for worker in workers:
        worker.join()
    display.refresh(house.system.pk)
    assert faults == []
    assert values() == sorted(values())
    assert values()[-1] == 100_500
    assert DisplayPulse.objects.count() == 1


@pytest.mark.django_db
def test_displays_are_told_which_tables_are_in_test_mode_and_nothing_of_what_they_do() -> None:
    house = House(royal_terms(), tables=("t3", "t7"))
    house.open("t3")
    house.open("t7")
    house.press("t3")
    house.post()
    display.refresh(house.system.pk)
    before = display.current(house.system.pk)
    assert before is not None
    assert before["test_tables"] == []
    house.say("t7", messages.RoundStarted, round=1, test=True)
    house.say("t7", messages.HandCalled, round=1, seats=[3], tier="royal", test=True)
    house.post()
    assert display.refresh(house.system.pk)
    message = display.current(house.system.pk)
    assert message is not None
    assert message["test_tables"] == ["t7"]
    assert (message["tiers"], message["messages"]) == (before["tiers"], [])
    assert not Hit.objects.exists()
    assert [display.is_test(message, table) for table in ("t3", "t7")] == [False, True]
    house.press("t7")  # play again
    house.post()
    display.refresh(house.system.pk)
    again = display.current(house.system.pk)
    assert again is not None
    assert again["test_tables"] == []


@pytest.mark.django_db
def test_a_display_says_no_more_than_it_can() -> None:
    """Play went on where two people had lifted a pool to the most; readings keep their schema."""
    most = 10**12
    house = House(royal_terms(limit=None))
    with owner_without_guards("jackpot_account"):
        Account.objects.filter(code="royal:pool").update(balance=most * 10_000 + 10_000)
    display.refresh(house.system.pk)
    assert values() == [most]
