"""The broker that comes as a Python package: `python -m demo.servers.embedded_broker PORT`.

`PORT HOST DOOR CERTIFICATE KEY ACCOUNTS` opens the door for a client of a visitor's own, too
(`demo.servers.vendor_access`): TLS, log-ins as the console writes them into that folder, and the
topics of each alone. A log-in that is gone from there is ended within half a second.

amqtt speaks MQTT 3.1.1 and keeps everything in memory: a restart forgets retained messages
and sessions, as the wire protocol allows for.
"""

import asyncio
import logging
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from amqtt.broker import Action, Broker
from amqtt.contexts import ListenerConfig
from amqtt.plugins.base import BaseAuthPlugin
from amqtt.session import Session

from demo.servers.device_accounts import DeviceAccounts
from demo.servers.ports import LOOPBACK

# What an absent client's session keeps is memory: forget the session after this long.
SESSION_EXPIRY_SECONDS = 3600
_LOOK_SECONDS = 0.5


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

    def __init__(self, settings: dict[str, Any], accounts: DeviceAccounts | None) -> None:
        super().__init__(settings)
        self._accounts = accounts
        self._at_door: set[str] = set()  # client ids

    async def _publish_retained_messages_for_subscription(
        self, subscription: tuple[str, int], session: Session
    ) -> None:
        subscribers = self._subscriptions.get(subscription[0], [])
        if any(subscriber is session for subscriber, _ in subscribers):
            await super()._publish_retained_messages_for_subscription(subscription, session)

    async def _authenticate(self, session: Session, listener: ListenerConfig) -> bool:
        if not listener.ssl:
            return await super()._authenticate(session, listener)
        # Nobody takes the place of one of the console's own clients.
        if self._accounts is None or (session.client_id or "").startswith("jackpot-"):
            return False
        if session.will_flag and not self._accounts.allows(
            session.username, "write", session.will_topic or ""
        ):
            return False
        self._at_door.add(session.client_id or "")
        return self._accounts.lets_in(session.username, session.password)

    async def _topic_filtering(self, session: Session, topic: str, action: Action) -> bool:
        if self._accounts is None or session.client_id not in self._at_door:
            return True
        way = "write" if action is Action.PUBLISH else "read"
        return self._accounts.allows(session.username, way, topic)

    async def end_log_ins(self) -> None:
        """End the connections of log-ins that are gone, whenever the accounts are others."""
        while self._accounts is not None:
            await asyncio.sleep(_LOOK_SECONDS)
            if not self._accounts.is_changed():
                continue
            for client_id in list(self._at_door):
                session, handler = self._sessions.get(client_id, (None, None))
                if session is None or handler is None or not session.transitions.is_connected():
                    self._at_door.discard(client_id)
                elif not self._accounts.lets_in(session.username, session.password):
                    await handler.handle_connection_closed()
                    await handler.stop()


def configuration(port: int, door: Sequence[str] = ()) -> dict[str, Any]:
    """Nothing is logged per packet, and no $SYS topics are published."""
    listeners: dict[str, Any] = {"default": {"type": "tcp", "bind": f"{LOOPBACK}:{port}"}}
    if door:
        host, its_port, certificate, key, _ = door
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
        "plugins": {"demo.servers.embedded_broker.AdmitAnybody": {}},
    }


async def serve(port: int, door: Sequence[str] = ()) -> None:
    """Run the broker until a signal ends the process: there is nothing to keep."""
    accounts = DeviceAccounts(Path(door[-1])) if door else None
    broker = EmbeddedBroker(configuration(port, door), accounts)
    await broker.start()
    await broker.end_log_ins()
    await asyncio.Event().wait()


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(message)s")
    asyncio.run(serve(int(sys.argv[1]), sys.argv[2:]))
