"""One call to a server that somebody else named, and how long to wait before the next one."""

from __future__ import annotations

import datetime as dt
import secrets
from collections.abc import Mapping
from http.client import HTTPException

from jackpot.transparency import witness_client
from jackpot.transparency.witness_client import Silent
from settlement.webhooks.addresses import Line

WITHIN_S = 10.0  # of one attempt, from the look-up of the name on
_FIRST_S, _LONGEST_WAIT_S = 5.0, 3600.0


def pause(failures: int) -> dt.timedelta:
    """Until the next attempt: 5 s, doubled each time up to an hour, and up to a fifth more."""
    seconds = min(_FIRST_S * 2 ** min(failures, 20), _LONGEST_WAIT_S)
    return dt.timedelta(seconds=seconds * (1 + secrets.randbelow(200) / 1000))


def post(url: str, body: bytes, headers: Mapping[str, str]) -> tuple[int | None, str]:
    """The status of the answer, if there was one, and what went wrong. To addresses that
    `addresses.Line` calls alone."""
    line = Line(is_encrypted=url.startswith("https:"))
    try:
        reply = witness_client.ask(url, body, WITHIN_S, headers=headers, connect=line.connect)
    except Silent as silence:
        is_shown = bool(line.is_public) or not isinstance(silence.__cause__, HTTPException)
        return None, str(silence) if is_shown else "The answer is no HTTP."
    # What servers of the house say is not shown to whoever may only name an address.
    is_shown = bool(line.is_public) and not 200 <= reply.status < 300
    return reply.status, reply.text[:200] if is_shown else ""
