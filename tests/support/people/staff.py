"""Two people and a writer who stay: threads with connections, roles and systems of their own."""

import datetime as dt
import threading
import uuid
from concurrent.futures import Future, ThreadPoolExecutor

from django.contrib.auth.models import Group, User
from django.db import connection
from django.utils import timezone

from settlement.people.rights.roles import PROGRAM, install_roles
from tables.intake.reception import receive
from tables.protocol import topics
from tables.protocol.inbound_message import InboundMessage
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import act_as
from tests.support.play.books import royal_terms
from tests.support.play.house import House


class Staff:
    """Everybody may do everything: who may is another test's."""

    def __init__(self, *names: str) -> None:
        install_roles()
        self.users = {name: User.objects.create(username=name) for name in names}
        for user in self.users.values():
            user.groups.set(Group.objects.exclude(name=PROGRAM))
        self.people = ThreadPoolExecutor(2, initializer=act_as, initargs=("web",))
        self.writer = ThreadPoolExecutor(1, initializer=act_as, initargs=("poster",))

    def close(self) -> None:
        met = threading.Barrier(2)
        ends = [self.people.submit(_leave, met) for _ in range(2)]
        for each in [*ends, self.writer.submit(_close)]:
            each.result()
        self.people.shutdown()
        self.writer.shutdown()


def _leave(met: threading.Barrier) -> None:
    met.wait()  # each thread takes one
    _close()


def _close() -> None:
    connection.close()  # that of the thread in which it is called


class DeskHouse(ClaimHouse):
    """A system of its own for each story; its writer has a thread of its own."""

    def __init__(self, staff: Staff) -> None:
        self.writer = staff.writer
        self.messages: list[InboundMessage] = []
        House.__init__(self, royal_terms() | {"evidence": {}}, code=f"main-{uuid.uuid4().hex[:12]}")

    def record(self, table: str, *bodies: bytes) -> None:
        """What dealers press comes in with the next look of the writer, all at once."""
        topic = topics.events(self.system.code, table)
        self.messages += [InboundMessage.of(topic, body) for body in bodies]

    def recorded_at(self) -> dt.datetime:
        return timezone.now()  # of many events: a clock that stands puts orders in question

    def post(self) -> None:
        """One batch: it takes all that is there."""
        self.posting().result()

    def posting(self) -> Future[int]:
        if self.messages:
            receive(self.messages, timezone.now())
            self.messages = []
        return self.writer.submit(self.poster.step)

    def close(self) -> None:
        """The next story's writer takes its systems at once."""
        self.writer.submit(self.poster.give_up).result()
