"""The broker of the tables: who is let in, what it promises, and what it keeps for who is away."""

from __future__ import annotations

import datetime as dt
import queue
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import msgspec
from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from settlement.core.words.alarm_words import alarm_in_words
from settlement.devices.accounts import is_kept, within
from settlement.doctor.examination import Point, Subject, attention, good, series, unseen, wrong
from tables.models import BrokerAccounts, JackpotSystem
from tables.mqtt.client import Delivery, Link, Welcome
from tables.protocol import topics
from tables.protocol.documents import ConsoleHeartbeat

CONNECTS_WITHIN_S, HEARD_WITHIN_S = 3.0, 0.5
LOOK_S = 0.002  # a page waits for it, and a broker nearby takes a millisecond
# The intake says every ten seconds that it listens.
HEARTBEAT_OLD = dt.timedelta(minutes=1)
# More than brokers hold back by themselves for a client that is away (Mosquitto: 1,000).
QUEUED, QUEUED_WITHIN_S, LAST_AFTER_S = 1200, 20.0, 2.0
LARGEST_EVENT = 8 * 1024  # bytes
_NEED_RECEIVE_MAXIMUM = 20


class _Link5(Link):
    """Speaks MQTT 5, whatever the settings say: its brokers name their limits."""

    _protocol = "5"


@dataclass(frozen=True)
class Broker:
    """What a connection of the console's own account saw. `instances`: by system and name of an
    intake its last word, which the broker has from memory."""

    systems: frozenset[str]
    welcome: Welcome | None
    refusal: str = ""
    modern: Welcome | None = None
    instances: dict[str, dict[str, ConsoleHeartbeat]] = field(default_factory=dict)

    @property
    def listening(self) -> dict[str, list[str]]:
        """By system the names of intakes that say that they listen."""
        oldest = timezone.now() - HEARTBEAT_OLD
        return {
            system: [
                name
                for name, word in self.instances.get(system, {}).items()
                if word.state == "online" and word.at >= oldest
            ]
            for system in self.systems
        }


def look() -> Broker:
    """Connect, listen for what is retained of intakes, and ask for limits with MQTT 5."""
    systems = frozenset(JackpotSystem.objects.values_list("code", flat=True))
    with _connected(Link(_name(), [topics.console("+", "+")])) as link:
        if link.welcome is None:
            return Broker(systems, None, link.refusal or _("no answer"))
        instances = _intakes(link, systems)
        welcome = link.welcome
    with _connected(_Link5(_name())) as link:
        return Broker(systems, welcome, "", link.welcome, instances)


def _intakes(link: Link, systems: frozenset[str]) -> dict[str, dict[str, ConsoleHeartbeat]]:
    """What is retained of intakes; nobody waits any longer once each system has one at work."""
    instances: dict[str, dict[str, ConsoleHeartbeat]] = {}
    with_one: set[str] = set()
    for delivery in _deliveries(link, HEARD_WITHIN_S if systems else 0.0):
        _, _, system, _, name = delivery.message.topic.split("/")
        try:
            word = msgspec.json.decode(delivery.message.body, type=ConsoleHeartbeat)
        except msgspec.MsgspecError:
            continue
        instances.setdefault(system, {})[name] = word
        if word.state == "online":
            with_one.add(system)
        if systems <= with_one:
            break
    return instances


BROKER = Subject("broker", gettext_noop("MQTT broker"), look)


@BROKER.check(gettext_noop("Connection"))
def connection(facts: Broker) -> Point:
    if facts.welcome is None:
        return wrong(
            _("%(address)s refuses the console: %(fault)s.")
            % {"address": _address(), "fault": facts.refusal},
            _("Check that the broker runs, and that MQTT_URL has its address, name and password."),
        )
    return good(
        _("%(address)s accepts the console, with MQTT %(version)s.")
        % {"address": _address(), "version": settings.MQTT_PROTOCOL}
    )


@BROKER.check(gettext_noop("Limits"))
def limits(facts: Broker) -> Point:
    if facts.welcome is None:
        return unseen(_("The broker was not reached."))
    if facts.modern is None:
        return unseen(_("The broker does not speak MQTT 5 and names no limits."))
    caps = facts.modern.limits
    faults = []
    if caps.get("MaximumQoS", 2) < 1:
        faults.append("MaximumQoS 0")
    if not caps.get("RetainAvailable", 1):
        faults.append("RetainAvailable 0")
    for name, least in (
        ("MaximumPacketSize", LARGEST_EVENT),
        ("ReceiveMaximum", _NEED_RECEIVE_MAXIMUM),
    ):
        if caps.get(name, least) < least:
            faults.append(f"{name} {caps[name]} < {least}")
    if faults:
        return wrong(
            _("Too low for the wire protocol: %(limits)s.") % {"limits": series(faults)},
            _("Raise these limits of the broker: deploy/mosquitto.conf is a pattern."),
        )
    words = series([f"{name} {value}" for name, value in caps.items()])
    return good(_("The broker names: %(limits)s.") % {"limits": words or "–"})


@BROKER.check(gettext_noop("Intake"))
def intake(facts: Broker) -> Point:
    if facts.welcome is None:
        return unseen(_("The broker was not reached."))
    if deaf := [system for system, names in facts.listening.items() if not names]:
        return wrong(
            _("No intake listens for: %(systems)s.") % {"systems": series(deaf)},
            _("Start the intake (manage.py run_intake); its log says what it waits for."),
        )
    if not facts.systems:
        return unseen(_("There is no jackpot system yet."))
    return good(_("An intake listens for every jackpot system."))


@BROKER.check(gettext_noop("Accounts of devices"))
def accounts(_facts: Broker) -> Point:
    if not is_kept():
        return attention(
            _("The broker's accounts are kept by hand."),
            _("Set BROKER_ACCOUNTS_DIR, so that a revoked device is off at once."),
        )
    state = BrokerAccounts.objects.first()
    if state is None or state.taken_at is None:
        return wrong(
            (alarm_in_words(state.fault) if state is not None else "")
            or _("The broker has no accounts of this console yet."),
            _("Check that the worker runs and can write into BROKER_ACCOUNTS_DIR."),
        )
    return good(_("The broker has the accounts of the page Devices."))


# --- what is tried, on topics of nobody --------------------------------------------------------
@dataclass(frozen=True)
class Trial:
    """What became of messages for a client that was away."""

    has_session: bool
    received: int
    is_retained: bool


def try_out() -> Trial | None:
    """Leave a session, send to it, come back; None where the broker lets the console not in.

    The topics are those of a system that does not exist, so no unit and no intake hears them.
    """
    topic = topics.console(f"doctor-{secrets.token_hex(4)}", "trial")
    name = _name()
    subscribed = threading.Event()
    with _connected(Link(name, [topic], keeps_session=True, on_connected=subscribed.set)) as link:
        if link.welcome is None or not subscribed.wait(CONNECTS_WITHIN_S):
            return None
    try:
        _send(topic)
        with _connected(Link(name, [topic], keeps_session=True)) as link:
            has_session = link.welcome is not None and link.welcome.has_session
            received = _received(link) if has_session else 0
        with _connected(Link(_name(), [topic])) as link:
            is_retained = any(each.message.retained for each in _deliveries(link, HEARD_WITHIN_S))
    finally:
        with _connected(Link(name)) as link:  # its session ends, and what is retained
            last = link.publish(topic, b"", retain=True)
            if last is not None:
                last.wait(CONNECTS_WITHIN_S)
    return Trial(has_session, received, is_retained)


def _received(link: Link) -> int:
    """How many of the messages came; what is retained comes besides, by the subscription."""
    count = 0
    for each in _deliveries(link, QUEUED_WITHIN_S, LAST_AFTER_S):
        count += not each.message.retained
        if count == QUEUED:
            break
    return count


def _send(topic: str) -> None:
    """As many messages as an absent intake must find again, the last one retained and as large as
    an event may be."""
    with _connected(Link(_name())) as link:
        publications = [link.publish(topic, b"%d" % number) for number in range(QUEUED - 1)]
        publications.append(link.publish(topic, bytes(LARGEST_EVENT), retain=True))
        deadline = time.monotonic() + QUEUED_WITHIN_S
        for publication in publications:
            if publication is not None:
                publication.wait(max(0.0, deadline - time.monotonic()))


TRIAL = Subject("broker_trial", gettext_noop("MQTT broker"), try_out, asks_database=False)


@TRIAL.check(gettext_noop("Session of who is away"), by_command=True)
def session(trial: Trial | None) -> Point:
    if trial is None:
        return unseen(_("The broker was not reached."))
    if not trial.has_session:
        return wrong(
            _("The broker forgets a client that leaves."),
            _(
                "Set it up to keep sessions (Mosquitto: persistence true), or events wait for"
                " their unit."
            ),
        )
    return good(_("The broker keeps the session of a client that leaves."))


@TRIAL.check(gettext_noop("Queue of who is away"), by_command=True)
def queue_of_session(trial: Trial | None) -> Point:
    if trial is None:
        return unseen(_("The broker was not reached."))
    values = {"received": trial.received, "sent": QUEUED}
    if trial.received < QUEUED:
        return wrong(
            _("Of %(sent)d messages for a client that was away %(received)d arrived.") % values,
            _(
                "Raise max_queued_messages, max_queued_bytes and message_size_limit as in"
                " deploy/mosquitto.conf."
            ),
        )
    return good(_("All %(sent)d messages for a client that was away arrived.") % values)


@TRIAL.check(gettext_noop("Retained values"), by_command=True)
def retained(trial: Trial | None) -> Point:
    if trial is None:
        return unseen(_("The broker was not reached."))
    if not trial.is_retained:
        return wrong(
            _("The broker does not deliver retained messages."),
            _("Set it up to retain messages: displays that start would show nothing."),
        )
    return good(_("New connections receive retained messages."))


# --- connections --------------------------------------------------------------------------------
@contextmanager
def _connected(link: Link) -> Iterator[Link]:
    """The link, connected if the broker lets it in; it says goodbye behind the block."""
    link.start()
    try:
        within(CONNECTS_WITHIN_S, lambda: link.is_connected or bool(link.refusal), LOOK_S)
        yield link
    finally:
        link.stop()


def _deliveries(link: Link, seconds: float, pause_s: float | None = None) -> Iterator[Delivery]:
    """What comes within the time, acknowledged; until nothing came for so long."""
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        try:
            delivery = link.deliveries.get(timeout=min(left, pause_s or left))
        except queue.Empty:
            return
        link.ack(delivery)
        yield delivery


def _name() -> str:
    return f"jackpot-doctor-{secrets.token_hex(4)}"


def _address() -> str:
    url = settings.MQTT_URL
    return f"{url.scheme}://{url.hostname}:{url.port or (8883 if url.scheme == 'mqtts' else 1883)}"
