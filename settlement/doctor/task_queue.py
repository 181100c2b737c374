"""The broker of tasks (Celery): reached, what waits there, and who takes it."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from amqp.exceptions import AMQPError, NotFound, PreconditionFailed
from celery import current_app
from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from kombu import Connection
from kombu.exceptions import KombuError

from settlement.doctor.examination import Point, Subject, attention, good, unseen, wrong

CONNECTS_WITHIN_S = 2.0
MANY, FAR_TOO_MANY = 500, 5000  # tasks that wait; beat sends some five a second


@dataclass(frozen=True)
class TaskQueue:
    """The queue of the workers; `fault`: why it was not reached. `waiting` None: there is none
    yet. `consumers` None: the transport does not say. `differs`: in the broker's words, why the
    queue is not as the settings want it."""

    fault: str = ""
    waiting: int | None = None
    consumers: int | None = None
    differs: str = ""


def look() -> TaskQueue:
    """Ask the broker for the queue, and change nothing there."""
    address = current_app.connection_for_read(connect_timeout=CONNECTS_WITHIN_S)
    try:
        with address as broker:
            broker.ensure_connection(max_retries=1, timeout=CONNECTS_WITHIN_S, interval_start=0.1)
            return _queue(broker)
    except (KombuError, AMQPError, OSError) as error:
        return TaskQueue(fault=" ".join(str(error).split()) or type(error).__name__)


def _queue(broker: Connection) -> TaskQueue:
    name = current_app.conf.task_default_queue
    try:
        seen = broker.default_channel.queue_declare(queue=name, passive=True)
    except (NotFound, *broker.channel_errors):
        return TaskQueue()
    is_amqp = broker.transport.driver_type == "amqp"
    return TaskQueue(
        waiting=seen.message_count,
        consumers=seen.consumer_count if is_amqp else None,
        differs=_difference(broker, name) if is_amqp else "",
    )


def _difference(broker: Connection, name: str) -> str:
    """Declare it again as the settings have it: the broker refuses where it is another one."""
    wanted = current_app.amqp.queues[name]
    channel = broker.channel()
    try:
        channel.queue_declare(
            queue=name,
            durable=wanted.durable,
            auto_delete=wanted.auto_delete,
            arguments=wanted.queue_arguments,
        )
    except PreconditionFailed as refusal:
        return str(refusal.reply_text)
    channel.close()
    return ""


TASKS = Subject("tasks", gettext_noop("Broker of tasks"), look, asks_database=False)


@TASKS.check(gettext_noop("Connection"))
def connection(seen: TaskQueue) -> Point:
    address = urlsplit(str(settings.CELERY_BROKER_URL))
    values = {"address": f"{address.scheme}://{address.hostname or ''}", "fault": seen.fault}
    if seen.fault:
        return wrong(
            _("%(address)s does not answer: %(fault)s") % values,
            _("See that the broker runs and that CELERY_BROKER_URL names it, with its password."),
        )
    if address.scheme == "filesystem":
        return attention(
            _("Tasks lie in a folder of this machine."),
            _("Set CELERY_BROKER_URL to RabbitMQ: folders suit the demo only."),
        )
    return good(_("%(address)s answers.") % values)


@TASKS.check(gettext_noop("Tasks that wait"))
def waiting(seen: TaskQueue) -> Point:
    if seen.fault:
        return unseen(_("The broker was not reached."))
    if seen.waiting is None:
        return attention(
            _("There is no queue of tasks yet."), _("Start a worker (celery -A config worker).")
        )
    text = _("%(count)d tasks wait.") % {"count": seen.waiting}
    advice = _("Start more workers, or find out in the worker's log which task takes so long.")
    if seen.waiting > FAR_TOO_MANY:
        return wrong(text, advice)
    return attention(text, advice) if seen.waiting > MANY else good(text)


@TASKS.check(gettext_noop("Workers at the queue"))
def workers(seen: TaskQueue) -> Point:
    if seen.fault or seen.consumers is None:
        return unseen(_("The broker does not say who takes tasks."))
    if not seen.consumers:
        return wrong(
            _("Nobody takes tasks: no display value, claim or report is made."),
            _("Start a worker (celery -A config worker)."),
        )
    return good(_("%(count)d workers take tasks.") % {"count": seen.consumers})


@TASKS.check(gettext_noop("Kind of queue"))
def kind(seen: TaskQueue) -> Point:
    if seen.fault or seen.consumers is None:
        return unseen(_("The broker does not say what kind its queue is."))
    if seen.differs:
        return wrong(
            _("The queue is not as this version declares it: %(words)s.") % {"words": seen.differs},
            _("Stop the workers, delete the queue and start them: tasks come again by themselves."),
        )
    return good(_("The queue is as this version declares it."))
