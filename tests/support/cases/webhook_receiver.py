"""A receiver of webhooks on this machine: it keeps what came, and answers as it is told."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from django.utils import timezone

from settlement.events import reading
from settlement.events.kinds import KINDS
from settlement.models import WebhookDelivery, WebhookEndpoint
from settlement.webhooks import endpoints, outbox, sending
from settlement.webhooks.endpoints import NewEndpoint
from tables.models import Casino
from tests.support.cases.confirmed_house import person


@dataclass
class Received:
    """One request."""

    headers: dict[str, str]
    body: bytes

    @property
    def document(self) -> dict[str, Any]:
        return dict(json.loads(self.body))

    def is_signed(self, secret: str) -> bool:
        """By the text of Standard Webhooks, without the console's code."""
        key = base64.b64decode(secret.removeprefix("whsec_"))
        signed = f"{self.headers['webhook-id']}.{self.headers['webhook-timestamp']}.".encode()
        digest = hmac.digest(key, signed + self.body, hashlib.sha256)
        signature = f"v1,{base64.b64encode(digest).decode()}"
        signatures = self.headers["webhook-signature"].split()
        return any(hmac.compare_digest(each, signature) for each in signatures)


@dataclass
class Receiver:
    """`status`: of every answer."""

    url: str = ""
    status: int = 204
    text: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    requests: list[Received] = field(default_factory=list)

    @property
    def numbers(self) -> list[int]:
        return [each.document["data"]["number"] for each in self.requests]

    @property
    def types(self) -> list[str]:
        return [each.document["type"] for each in self.requests]


@contextmanager
def receiving() -> Iterator[Receiver]:
    """While it listens, on a free port of this machine."""
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            receiver.requests.append(Received(headers, body))
            self.send_response(receiver.status)
            for name, value in receiver.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(receiver.text.encode())

        def log_message(self, *_words: Any) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    receiver.url = f"http://127.0.0.1:{server.server_port}/hooks?from=console"
    try:
        yield receiver
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def endpoint_of(receiver: Receiver, *events: str, casino: Casino | None = None) -> WebhookEndpoint:
    casino = casino or Casino.objects.get()
    values = NewEndpoint("Signage", receiver.url, events or tuple(KINDS))
    return endpoints.make(person("hana"), casino, values)[0]


def send_all() -> None:
    """As the beat does, however long it is to wait before the next attempt."""
    reading.collect(outbox.give_out)
    WebhookEndpoint.objects.update(not_before=None)
    WebhookDelivery.objects.update(next_at=timezone.now())
    for number in sending.due():
        sending.send(number)
