"""The broker of tasks (Celery): reached, what waits there, and who takes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
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
    yet. `consumers` None: the transport does not say. `differs`: in the broker's words, why this
    queue or that of backups is not as the settings want it."""

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
    answer = _declared(broker, name)
    if answer is None:
        return TaskQueue()
    if broker.transport.driver_type != "amqp":
        return TaskQueue(waiting=answer.message_count)
    names = [name, settings.BACKUP_QUEUE]
    differences = [
        _difference(broker, each) for each in names if _declared(broker, each) is not None
    ]
    return TaskQueue(
        waiting=answer.message_count,
        consumers=answer.consumer_count,
        differs=next(filter(None, differences), ""),
    )


def _declared(broker: Connection, name: str) -> Any:
    """What the broker says of a queue; None where nobody has declared it yet."""
    channel = broker.channel()
    try:
        answer = channel.queue_declare(queue=name, passive=True)
    except (NotFound, *broker.channel_errors):
        return None
    channel.close()
    return answer


def _difference(broker: Connection, name: str) -> str:
    """Declare it again as the settings have it: the broker refuses where it is another one."""
    queue = current_app.amqp.queues[name]
    channel = broker.channel()
    try:
        channel.queue_declare(
            queue=name,
            durable=queue.durable,
            auto_delete=queue.auto_delete,
            arguments=queue.queue_arguments,
        )
    except PreconditionFailed as refusal:
        return str(refusal.reply_text)
    channel.close()
    return ""


TASKS = Subject("tasks", gettext_noop("Broker of tasks"), look, asks_database=False)


@TASKS.check(gettext_noop("Connection"))
def connection(facts: TaskQueue) -> Point:
    address = urlsplit(str(settings.CELERY_BROKER_URL))
    values = {"address": f"{address.scheme}://{address.hostname or ''}", "fault": facts.fault}
    if facts.fault:
        return wrong(
            _("%(address)s does not answer: %(fault)s") % values,
            _("Check that the broker runs and that CELERY_BROKER_URL names it, with its password."),
        )
    if address.scheme == "filesystem":
        return attention(
            _("Tasks are kept in a folder of this machine."),
            _("Set CELERY_BROKER_URL to RabbitMQ: folders suit the demo only."),
        )
    return good(_("%(address)s answers.") % values)


@TASKS.check(gettext_noop("Tasks that wait"))
def waiting(facts: TaskQueue) -> Point:
    if facts.fault:
        return unseen(_("The broker was not reached."))
    if facts.waiting is None:
        return attention(
            _("There is no queue of tasks yet."), _("Start a worker (celery -A config worker).")
        )
    text = _("%(count)d tasks wait.") % {"count": facts.waiting}
    advice = _("Start more workers, or find out in the worker's log which task takes so long.")
    if facts.waiting > FAR_TOO_MANY:
        return wrong(text, advice)
    return attention(text, advice) if facts.waiting > MANY else good(text)


@TASKS.check(gettext_noop("Workers at the queue"))
def workers(facts: TaskQueue) -> Point:
    if facts.fault or facts.consumers is None:
        return unseen(_("The broker does not say who takes tasks."))
    if not facts.consumers:
        return wrong(
            _("No worker takes tasks: no display values, claims or reports are made."),
            _("Start a worker (celery -A config worker)."),
        )
    return good(_("%(count)d workers take tasks.") % {"count": facts.consumers})


@TASKS.check(gettext_noop("Kind of queue"))
def kind(facts: TaskQueue) -> Point:
    if facts.fault or facts.consumers is None:
        return unseen(_("The broker does not say what kind its queue is."))
    if facts.differs:
        return wrong(
            _("The queue is not as this version declares it: %(words)s.")
            % {"words": facts.differs},
            _("Stop the workers, delete the queue and start them: tasks come again by themselves."),
        )
    return good(_("The queue is as this version declares it."))
