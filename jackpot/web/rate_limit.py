"""How often somebody may ask: so many a minute, in this process. Of an address or of a token.

Kept in memory: reading never writes. A web process forgets those that it has not seen for longest
once there are too many.
"""

from __future__ import annotations

import ipaddress
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

MOST_ADDRESSES = 10_000


@dataclass(frozen=True, slots=True)
class Allowance:
    """`wait_s` 0: go on; else in how many seconds there is a place again. `left`: how often still,
    until in `full_s` seconds all of it is there again."""

    wait_s: int
    left: int
    full_s: int


class RateLimit:
    """A bucket for each name: it holds what may be asked within a minute and fills evenly."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # left, as of when

    def take(self, name: str, per_minute: int) -> Allowance:
        """One request more of that name, counted where it may go on."""
        now, second = self._clock(), per_minute / 60
        with self._lock:
            left, since = self._buckets.pop(name, (float(per_minute), now))
            left = min(per_minute, left + (now - since) * second)
            wait_s = max(0, math.ceil(round((1 - left) / second, 6)))  # thirds come to wholes
            left -= wait_s == 0
            self._buckets[name] = (left, now)
            while len(self._buckets) > MOST_ADDRESSES:
                self._buckets.popitem(last=False)
        return Allowance(wait_s, int(left), math.ceil((per_minute - left) / second))

    def wait_s(self, address: str, per_minute: int) -> int:
        """The same of an address, or of the network that it is one of."""
        return self.take(network_of(address), per_minute).wait_s


def network_of(address: str) -> str:
    """Whose limit it is: an address, or of IPv6 the network of one line.

    >>> network_of("192.0.2.7"), network_of("2001:db8:1:2:3::4"), network_of("")
    ('192.0.2.7', '2001:db8:1:2::/64', '')
    """
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if parsed.version == 6:
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return address
