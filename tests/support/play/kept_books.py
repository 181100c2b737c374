"""A second system of the same poster, for books that stay in memory."""

import datetime as dt

import msgspec
from django.utils import timezone

from tables.intake.reception import receive
from tables.models import GamingTable, JackpotSystem
from tables.protocol import messages, topics
from tables.protocol.inbound_message import InboundMessage
from tests.support.play.house import House


def open_other_floor(house: House) -> JackpotSystem:
    """A second system of the same poster, with a table."""
    other: JackpotSystem = house.system.casino.systems.create(code="other", name="Other floor")
    GamingTable.objects.create(system=other, code="t1", name="Table 1")
    house.poster._renew_at = None  # it takes the new system at its next look
    return other


def press_other(seq: int) -> None:
    event = messages.RoundStarted(
        v=1,
        system="other",
        table="t1",
        boot=1,
        seq=seq,
        round=seq,
        recorded_at=dt.datetime(2026, 11, 21, 10, 15, tzinfo=dt.UTC),
    )
    body = msgspec.json.encode(event)
    receive([InboundMessage.of(topics.events("other", "t1"), body)], timezone.now())
