"""How often one address may ask for public pages: so many a minute, in this process.

Kept in memory: reading never writes. A web process forgets the addresses that it has not seen for
longest once there are too many.
"""

from __future__ import annotations

import ipaddress
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

MOST_ADDRESSES = 10_000


class RateLimit:
    """A bucket for each address: it holds what may be asked within a minute and fills evenly."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # left, as of when

    def wait_s(self, address: str, per_minute: int) -> int:
        """0: go on, it is counted; else in how many seconds there is a place again."""
        name, now = network_of(address), self._clock()
        with self._lock:
            left, since = self._buckets.pop(name, (float(per_minute), now))
            left = min(per_minute, left + (now - since) * per_minute / 60)
            wait_s = math.ceil(round((1 - left) * 60 / per_minute, 6))  # thirds come to wholes
            self._buckets[name] = (left if wait_s > 0 else left - 1, now)
            while len(self._buckets) > MOST_ADDRESSES:
                self._buckets.popitem(last=False)
        return max(0, wait_s)


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


rate_limit = RateLimit()
