"""Celery's application: what it sends has arrived, over a new connection where one is lost."""

from typing import Any

from celery import Celery
from kombu import Producer
from kombu.exceptions import OperationalError

# A RabbitMQ that lost the leader of a queue may take messages for it and say nothing.
CONFIRMED_WITHIN_S = 2.0


class Application(Celery):
    """Without retries (`task_publish_retry`) Celery keeps a lost connection, of beat and in the
    pools, and nothing is ever sent over it again; with them, whoever sends waits several times
    for a broker that does not answer."""

    def send_task(self, *arguments: Any, producer: Producer | None = None, **options: Any) -> Any:
        """Send it; once more, over a new connection, where the one that was there is lost, or
        where RabbitMQ does not confirm within CONFIRMED_WITHIN_S that it has the message.

        Raises OperationalError when the broker cannot be reached, or does not confirm this either.
        """
        options.setdefault("confirm_timeout", CONFIRMED_WITHIN_S)
        with self.producer_or_acquire(producer) as sender:
            was_connected = sender.connection.connected
            try:
                return self._send(*arguments, producer=sender, **options)
            except OperationalError:
                sender.connection.collect()
                sender.revive(sender.connection)
                if not was_connected:
                    raise
            return self._send(*arguments, producer=sender, **options)

    def _send(self, *arguments: Any, producer: Producer, **options: Any) -> Any:
        channel = producer.channel
        if hasattr(channel, "basic_publish_confirm"):  # of RabbitMQ
            channel.basic_publish = channel.basic_publish_confirm
        return super().send_task(*arguments, producer=producer, **options)
