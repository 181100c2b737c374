"""The broker that comes as a Python package: `python -m demo.embedded_broker PORT`.

amqtt speaks MQTT 3.1.1 and keeps everything in memory: a restart forgets retained messages
and sessions, as the wire protocol allows for.
"""

import asyncio
import logging
import sys
from typing import Any

from amqtt.broker import Broker
from amqtt.plugins.base import BaseAuthPlugin
from amqtt.session import Session

from demo.ports import LOOPBACK

# What an absent client's session keeps is memory: forget the session after this long.
SESSION_EXPIRY_SECONDS = 3600


class AdmitAnybody(BaseAuthPlugin):
    """Lets every client in.

    amqtt's own AnonymousAuthPlugin also marks the session anonymous, and then keeps no
    messages for a client that is away, whatever its clean session flag says.
    """

    async def authenticate(self, *, session: Session) -> bool:  # noqa: ARG002 - amqtt asks so
        return True


class EmbeddedBroker(Broker):
    """amqtt, less one fault.

    To a client that comes back to its session amqtt sends the retained messages of everybody's
    subscriptions; here it gets those of its own.
    """

    async def _publish_retained_messages_for_subscription(
        self, subscription: tuple[str, int], session: Session
    ) -> None:
        subscribers = self._subscriptions.get(subscription[0], [])
        if any(subscriber is session for subscriber, _ in subscribers):
            await super()._publish_retained_messages_for_subscription(subscription, session)


def configuration(port: int) -> dict[str, Any]:
    """Nothing is logged per packet, and no $SYS topics are published."""
    return {
        "listeners": {"default": {"type": "tcp", "bind": f"{LOOPBACK}:{port}"}},
        "session_expiry_interval": SESSION_EXPIRY_SECONDS,
        "plugins": {"demo.embedded_broker.AdmitAnybody": {}},
    }


async def serve(port: int) -> None:
    """Run the broker until a signal ends the process: there is nothing to keep."""
    await EmbeddedBroker(configuration(port)).start()
    await asyncio.Event().wait()


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(message)s")
    asyncio.run(serve(int(sys.argv[1])))
