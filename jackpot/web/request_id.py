"""Each request has an id: that of `X-Request-Id`, or one of our own; the answer says it again."""

from __future__ import annotations

import re
import uuid
from typing import Any

from jackpot.web.body_limits import Send
from tables.telemetry.json_logs import request_id

HEADER = b"x-request-id"
# What a proxy makes; nothing else of somebody's stands in logs and headers.
_GOOD = re.compile(rb"[A-Za-z0-9._-]{8,64}")


def begin_request(scope: dict[str, Any], send: Send) -> Send:
    """Take the id over, or make one, for the logs of this request; `send` with it in the answer."""
    value_sent = next((value for name, value in scope["headers"] if name == HEADER), b"")
    chosen = value_sent if _GOOD.fullmatch(value_sent) else uuid.uuid4().hex.encode()
    request_id.set(chosen.decode())

    async def send_with_id(message: Any) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", ()), (HEADER, chosen)]}
        await send(message)

    return send_with_id
