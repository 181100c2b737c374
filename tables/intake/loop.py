"""The intake: from the broker into the inbox, a receipt after the commit, then the ack.

It never stops for what a device sends. While the database is away, or no key of a unit opens,
nothing is acknowledged and the same batch is tried again. When its connection to the broker is
beyond repair it ends, and whoever supervises it starts it again.
"""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.utils import timezone

from tables.intake import key_faults, outbox
from tables.intake.boots import redeliveries
from tables.intake.boots.redeliveries import Hearer
from tables.intake.event_limit import EventLimit
from tables.intake.heartbeat import STAND_IN, Heartbeats
from tables.intake.outbox import Outgoing, Sender
from tables.intake.own_connection import OwnConnection
from tables.intake.pulse import Pulse
from tables.intake.reception import Answer, receive
from tables.intake.traces import intake_traces
from tables.mqtt.client import Delivery, Publication
from tables.mqtt.polled_client import PolledClient
from tables.process.pg_listener import PgListener
from tables.process.sealing_keys import SealingKeyFault
from tables.process.transient_errors import is_outage
from tables.protocol import topics
from tables.protocol.inbound_message import InboundMessage
from tables.telemetry import traces

log = logging.getLogger(__name__)

# With hundreds of tables a small one would be a receipt, and a watermark to move, for each event.
BATCH = 2000
IDLE_S = 0.05  # how long an idle intake waits
OUTBOX_EVERY_S = 0.05  # how often it looks at the outbox by itself,
OUTBOX_HEARD_EVERY_S = 1.0  # and how often while it would hear of a new message
HEARTBEATS_EVERY_S = 5.0
DEAF_AFTER_S = 15.0  # three heartbeats unheard
_LEAST_PAUSE_S, _LONGEST_PAUSE_S = 0.1, 5.0


class IntakeError(Exception):
    """The intake cannot hear any more; it must be started again."""


class Intake:
    """One intake process, `run` until stopped or driven by `step`."""

    def __init__(self, instance: str | None = None, *, is_stand_in: bool = False) -> None:
        """A stand-in works beside the one of this name, while that is exchanged for another: with
        a session that ends with its connection, as nobody comes to empty it later.
        ImproperlyConfigured where the intake itself has the name of a stand-in.
        """
        name = instance or settings.INTAKE_INSTANCE
        if name.endswith(STAND_IN):
            raise ImproperlyConfigured(
                f"INTAKE_INSTANCE does not end in {STAND_IN}, as {name!r} does: only what works for"
                " an intake while that is exchanged (--stand-in) has such a name."
                " Choose another name, such as intake-2."
            )
        self.instance = name + (is_stand_in * STAND_IN)
        self.link = PolledClient(
            f"jackpot-intake-{self.instance}",
            [*topics.INTAKE_FILTERS, topics.console("+", self.instance)],
            keeps_session=not is_stand_in,
        )
        self.key_fault = ""  # why nothing is acknowledged, while no key of a unit opens
        self._heartbeats = Heartbeats(self.instance)
        self._pulse = Pulse(self.instance)
        self._listener: PgListener | None = None
        self._sender = Sender(self._publish)
        self._own_connection = OwnConnection()
        self._limit = EventLimit()
        self._outbox_waits = False  # whether something is known to lie there
        self._stop = threading.Event()
        self._beat: Callable[[], None] = lambda: None
        self._outbox_at = 0.0
        self._heartbeats_at = -HEARTBEATS_EVERY_S
        self._heard_at = time.monotonic()  # when the intake last heard itself
        # The last own word on its way, and the newest event when it left; then through which event
        # its own copies have come.
        self._last_heartbeat = (b"", 0)
        self._heard_through = 0

    def start(self) -> None:
        """Connect; returns at once."""
        self.link.start()

    def stop(self) -> None:
        """Disconnect; what is not acknowledged is delivered again to the next intake."""
        self._heartbeats.stop()
        self.link.stop()
        if self._listener:
            self._listener.close()

    def run(self, stop: threading.Event, beat: Callable[[], None] = lambda: None) -> None:
        """Take in until `stop` is set; IntakeError when the connection is beyond repair.

        `beat` is called every time the loop comes round, or waits for the database.
        """
        self._stop, self._beat = stop, beat
        self._listener = PgListener(outbox.HINT_CHANNEL)
        self.start()
        try:
            while not stop.is_set():
                beat()
                self.step(IDLE_S)
        finally:
            self.stop()

    def step(self, timeout: float) -> int:
        """Take in what is queued, waiting at most `timeout` seconds for the first message.

        Returns how many messages were taken in and acknowledged.
        """
        if not self.link.alive():
            raise IntakeError("The broker refused a subscription, or the link was never started.")
        wake = self._listener.fileno() if self._listener else None
        hurries = self._outbox_waits and self.link.is_connected
        deliveries = self.link.take(0.0 if hurries else timeout, BATCH, wake)
        if deliveries and not self._take_in(deliveries):
            return 0
        self._mind_listener(deliveries)
        self._look_after_the_rest()
        return len(deliveries)

    def _take_in(self, deliveries: Sequence[Delivery]) -> bool:
        """Record, answer, acknowledge: in this order. False when stopped before the commit."""
        answers = self._record([d.message for d in deliveries if not _is_own(d)])
        if answers is None:
            return False
        if any(_is_own(d) and d.message.body == self._last_heartbeat[0] for d in deliveries):
            self._heard_through = self._last_heartbeat[1]
            self._pulse.hear()
        for answer in answers:
            self.link.publish(answer.topic, answer.payload)
        for delivery in deliveries:
            self.link.ack(delivery)
        self.link.turn(0.0)  # all of it leaves now
        if traces.is_on():
            intake_traces.note_receipts()
        return True

    def _record(self, messages: Sequence[InboundMessage]) -> list[Answer] | None:
        """Record the batch, however long database or keys are away; None when asked to stop."""
        if not messages:
            return []
        pause = _LEAST_PAUSE_S
        while not self._stop.is_set():
            try:
                self._own_connection.ensure()
                hearer = Hearer(self.instance, self._heard_through)
                answers = receive(messages, timezone.now(), self._beat, hearer, self._limit)
                self.key_fault = ""
                return answers
            except Exception as error:
                if not is_outage(error):
                    raise
                self._note_outage(error)
                # Perhaps it was recorded, and only the answer was lost: no unit said it again.
                messages = [replace(message, redelivered=True) for message in messages]
            self._beat()
            self.link.turn(0.0)  # the connection to the broker stays alive meanwhile
            self._stop.wait(pause)
            pause = min(2 * pause, _LONGEST_PAUSE_S)
        return None

    def _note_outage(self, fault: Exception) -> None:
        if not isinstance(fault, SealingKeyFault):
            _forget_connection(fault)
            return
        log.error("Nothing is acknowledged: %s", fault)
        # One alarm, however often the batch is tried.
        if not self.key_fault and key_faults.tell_none_opens(self.instance, fault):
            self.key_fault = str(fault)

    def _mind_listener(self, deliveries: Sequence[Delivery]) -> None:
        """Reconnect when nothing is delivered, not even what the intake says itself.

        A broker may hold a session for absent while it is connected (amqtt does, after a
        client was killed and came back quickly), and then delivers nothing, for ever.
        """
        now = time.monotonic()
        if any(map(_is_own, deliveries)) or not (
            self.link.is_connected and self._heartbeats.are_lit
        ):
            self._heard_at = now
        elif not deliveries and now - self._heard_at > DEAF_AFTER_S:
            log.warning("The broker delivers nothing, not even our own words; reconnecting")
            self._heard_at = now
            self.link.reconnect()

    def _look_after_the_rest(self) -> None:
        """The outbox and the heartbeats, between batches; their troubles are not the tables'."""
        now = time.monotonic()
        try:
            if not self.link.is_connected:
                self._sender.rest()
            elif self._is_outbox_due(now):
                self._outbox_at = now
                self._own_connection.ensure()
                self._outbox_waits = self._sender.step(self.link.connection_number)
            if now - self._heartbeats_at >= HEARTBEATS_EVERY_S:
                self._heartbeats_at = now
                newest = redeliveries.newest_event()
                self._last_heartbeat = self._heartbeats.tend(self.link), newest
            self._pulse.tend(now)
        except Exception as error:
            if is_outage(error):
                _forget_connection(error)
            else:
                log.exception("The outbox or the heartbeats met a fault; the intake goes on")

    def _is_outbox_due(self, now: float) -> bool:
        if self._listener and self._listener.heard():
            self._outbox_waits = True
        hears = self._listener is not None and self._listener.fileno() is not None
        often = OUTBOX_HEARD_EVERY_S if hears else OUTBOX_EVERY_S
        is_known = self._outbox_waits or self._sender.is_answered
        return is_known or now - self._outbox_at >= often

    def _publish(self, message: Outgoing) -> Publication | None:
        return self.link.publish(message.topic, message.payload, retain=message.retain)


def _is_own(delivery: Delivery) -> bool:
    return topics.is_console(delivery.message.topic)


def _forget_connection(error: Exception) -> None:
    log.warning("The database is away; nothing is acknowledged: %s", str(error).strip())
    connection.close()
