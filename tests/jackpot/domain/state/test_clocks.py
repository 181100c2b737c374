"""Clocks that are set back: posting goes on. All were found by the seeded simulator."""

import datetime as dt

import pytest
from django.utils import timezone

from jackpot.models import Gap, Head
from jackpot.writer.poster import Poster
from tables.intake.reception import receive
from tables.protocol import messages, topics
from tables.protocol.inbound_message import InboundMessage
from tests.support.play.books import royal_terms
from tests.support.play.house import House

pytestmark = pytest.mark.django_db

HOUR = dt.timedelta(hours=1)


def test_a_lease_from_the_future_is_no_lease() -> None:
    """The database's clock was set back by an hour, and its writer died."""
    house = House(royal_terms())
    house.open("t3")
    Head.objects.update(writer="dead", epoch=7, lease_until=timezone.now() + HOUR)
    assert Poster("another").step() == 1
    assert Head.objects.get(system=house.system).epoch == 8


def test_a_lease_that_runs_is_left_alone() -> None:
    house = House(royal_terms())
    house.open("t3")
    Head.objects.update(writer="alive", lease_until=timezone.now() + dt.timedelta(minutes=5))
    assert Poster("another").step() == 0


def test_a_gap_is_not_waited_for_until_a_clock_has_caught_up() -> None:
    """The intake's clock went an hour fast when it recorded the round behind the gap."""
    house = House(royal_terms())
    house.open("t3")
    house.post()
    body = house.event("t3", messages.RoundStarted, seq=5, round=1)
    receive([InboundMessage.of(topics.events("main", "t3"), body)], timezone.now() + HOUR)
    house.post()
    assert Gap.objects.get(system=house.system).from_seq == 2


def test_a_gap_is_not_waited_for_while_the_order_s_time_stands_still(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The writer's clock was set back: the order's time stays where it was until it has caught up,
    and the wait for a gap must not."""
    house = House(royal_terms())
    house.open("t3")
    house.post()
    body = house.event("t3", messages.RoundStarted, seq=5, round=1)
    receive([InboundMessage.of(topics.events("main", "t3"), body)], timezone.now())
    honest = timezone.now
    monkeypatch.setattr(timezone, "now", lambda: honest() - HOUR)
    house.post()
    assert Gap.objects.get(system=house.system).from_seq == 2
