"""What a worker takes its tasks by: Celery's own, without queues for tasks of later."""

from typing import ClassVar

from celery.worker.consumer import Consumer as Usual


class Consumer(Usual):
    """With quorum queues Celery would declare twenty-eight more, for tasks that are due later, with
    each connection; no task here is."""

    class Blueprint(Usual.Blueprint):
        default_steps: ClassVar = [
            step for step in Usual.Blueprint.default_steps if "delayed_delivery" not in step
        ]
