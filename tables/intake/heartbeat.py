"""Whether an intake listens: said, retained, to each system, with a last will.

A connection has one will only, so every system gets a connection of its own, which carries
nothing but the will. The intake repeats it over its own connection and hears itself.
"""

import json

from django.utils import timezone

from tables.models import JackpotSystem
from tables.mqtt.client import Link, Will
from tables.protocol import topics

STAND_IN = "-stand-in"  # the end of the name of an intake that works for the one of the rest


class Heartbeats:
    """The heartbeats of one intake, one a system."""

    def __init__(self, instance: str) -> None:
        self._instance = instance
        self._links: dict[str, Link] = {}

    @property
    def are_lit(self) -> bool:
        return bool(self._links)

    def tend(self, link: Link) -> bytes:
        """Start the heartbeats of systems that have none yet; say over the intake's own link,
        with the time, that it listens. Returns what was said.
        """
        payload = _payload("online")
        for code in JackpotSystem.objects.values_list("code", flat=True):
            if code not in self._links:
                self._links[code] = self._light(code)
            link.publish(self._topic(code), payload, retain=True)
        return payload

    def stop(self) -> None:
        """Say that the intake is leaving."""
        for code, link in self._links.items():
            publication = link.publish(self._topic(code), _payload("offline"), retain=True)
            if publication:
                publication.wait(1)
            link.stop()
        self._links.clear()

    def _light(self, code: str) -> Link:
        link = Link(
            f"jackpot-beacon-{code}-{self._instance}",
            will=lambda: Will(self._topic(code), _payload("offline")),
            on_connected=lambda: self._say_online(code, link),
        )
        link.start()
        return link

    def _say_online(self, code: str, link: Link) -> None:
        link.publish(self._topic(code), _payload("online"), retain=True)

    def _topic(self, code: str) -> str:
        return topics.console(code, self._instance)


def _payload(state: str) -> bytes:
    document = {"v": 1, "state": state, "at": timezone.now().isoformat(timespec="milliseconds")}
    return json.dumps(document).encode()
