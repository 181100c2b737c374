"""Credentials of devices as hana issues them, and whether the intake takes a key."""

import datetime as dt

from django.utils import timezone

from settlement.devices import credentials
from settlement.devices.credentials import PASSWORD, Device, Issued, Kind
from tables.intake.reception import receive
from tables.models import GamingTable, Quarantine
from tables.protocol import messages, topics
from tables.protocol.inbound_message import InboundMessage
from tables.protocol.signature import signed
from tests.support.people.roles import acting_as
from tests.support.people.set_up import user

DAY = dt.timedelta(days=1)


def unit_of(table: GamingTable) -> Device:
    return Device(Kind.UNIT, table)


def issue(device: Device, way: str = PASSWORD, overlap: dt.timedelta | None = None) -> Issued:
    with acting_as("web"):
        return credentials.issue(user("hana"), device, way, overlap)


def rotate(issued: Issued, overlap: dt.timedelta = DAY) -> Issued:
    with acting_as("web"):
        return credentials.rotate(user("hana"), issued.credential, PASSWORD, overlap)


def revoke(issued: Issued, reason: str = "Stolen") -> None:
    with acting_as("web"):
        credentials.revoke(user("hana"), issued.credential, reason)


def holding(device: Device) -> list[str]:
    rows = credentials.credentials_of(credentials.of_device(device), timezone.now())
    return [each.credential.username for each in rows if each.holds]


def is_heard(table: GamingTable, key: str, connection_number: int) -> bool:
    """Whether the intake takes a presence that is signed with this key."""
    presence = messages.Presence(v=1, state="online", boot=1, connection=connection_number)
    body = signed(messages.encoder.encode(presence), key)
    before = Quarantine.objects.count()
    topic = topics.presence(table.system.code, table.code)
    with acting_as("intake"):
        receive([InboundMessage.of(topic, body)], timezone.now())
    return Quarantine.objects.count() == before
