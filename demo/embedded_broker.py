"""The broker that comes as a Python package: `python -m demo.embedded_broker PORT`.

`PORT HOST DOOR CERTIFICATE KEY` opens the door for a client of a visitor's own, too
(`demo.vendor_access`): TLS, one log-in, and its topics alone.

amqtt speaks MQTT 3.1.1 and keeps everything in memory: a restart forgets retained messages
and sessions, as the wire protocol allows for.
"""

import asyncio
import logging
import sys
from collections.abc import Sequence
from typing import Any

from amqtt.broker import Action, Broker
from amqtt.contexts import ListenerConfig
from amqtt.plugins.base import BaseAuthPlugin
from amqtt.session import Session

from demo import vendor_access
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
    """amqtt, less one fault, and with a door for visitors' clients.

    To a client that comes back to its session amqtt sends the retained messages of everybody's
    subscriptions; here it gets those of its own.
    """

    async def _publish_retained_messages_for_subscription(
        self, subscription: tuple[str, int], session: Session
    ) -> None:
        subscribers = self._subscriptions.get(subscription[0], [])
        if any(subscriber is session for subscriber, _ in subscribers):
            await super()._publish_retained_messages_for_subscription(subscription, session)

    async def _authenticate(self, session: Session, listener: ListenerConfig) -> bool:
        if not listener.ssl:
            return await super()._authenticate(session, listener)
        is_left_well = not session.will_flag or vendor_access.may_leave(session.will_topic or "")
        # Nobody takes the place of one of the console's own clients.
        is_own = not (session.client_id or "").startswith("jackpot-")
        return (
            is_left_well and is_own and vendor_access.is_let_in(session.username, session.password)
        )

    async def _topic_filtering(self, session: Session, topic: str, action: Action) -> bool:
        if session.username != vendor_access.USERNAME or action is Action.RECEIVE:
            return True
        may = vendor_access.may_say if action is Action.PUBLISH else vendor_access.may_hear
        return may(topic)


def configuration(port: int, door: Sequence[str] = ()) -> dict[str, Any]:
    """Nothing is logged per packet, and no $SYS topics are published."""
    listeners: dict[str, Any] = {"default": {"type": "tcp", "bind": f"{LOOPBACK}:{port}"}}
    if door:
        host, its_port, certificate, key = door
        listeners["door"] = {
            "type": "tcp",
            "bind": f"{host}:{its_port}",
            "ssl": True,
            "certfile": certificate,
            "keyfile": key,
        }
    return {
        "listeners": listeners,
        "session_expiry_interval": SESSION_EXPIRY_SECONDS,
        "plugins": {"demo.embedded_broker.AdmitAnybody": {}},
    }


async def serve(port: int, door: Sequence[str] = ()) -> None:
    """Run the broker until a signal ends the process: there is nothing to keep."""
    await EmbeddedBroker(configuration(port, door)).start()
    await asyncio.Event().wait()


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(message)s")
    asyncio.run(serve(int(sys.argv[1]), sys.argv[2:]))
