"""Which addresses a webhook may call, and the line to one: looked up once, checked, and called.

Public ones, over HTTPS; those of WEBHOOK_NETWORKS over HTTP, too. An IPv6 address that has an IPv4
address in it (mapped, NAT64, 6to4) is judged by that one. Link-local addresses, where clouds keep
their secrets, and those of many receivers are called never.
"""

from __future__ import annotations

import queue
import socket
import threading
import time
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

from django.conf import settings

MOST = 3  # addresses of a name that are tried
_LAST_32_BITS = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48"), IPv6Network("::/96"))
Address = IPv4Address | IPv6Address


class Line:
    """Connects one call. `is_public`: whether it was to a public address; None before."""

    def __init__(self, *, is_encrypted: bool) -> None:
        self._is_encrypted = is_encrypted
        self.is_public: bool | None = None

    def connect(self, host: str, port: int, within_s: float) -> socket.socket:
        """To the first address of the name that may be called and answers.

        OSError where there is none within that time, looking up included.
        """
        until = time.monotonic() + within_s
        fault: OSError | None = None
        good = []
        for number in _look_up(host, port, within_s):
            if why := self._why_not(ip_address(number)):
                fault = fault or OSError(f"{number} {why}")
            else:
                good.append(number)
        for place, number in enumerate(good[:MOST]):
            left_s = until - time.monotonic()
            if left_s <= 0:
                break
            self.is_public = not _is_listed(inside(ip_address(number)))
            try:
                share_s = left_s / (min(len(good), MOST) - place)
                return socket.create_connection((number, port), timeout=share_s)
            except OSError as refusal:
                fault = refusal
        raise fault or OSError("the name has no address")

    def _why_not(self, address: Address) -> str:
        real = inside(address)
        if is_never_called(real) or is_never_called(address):
            return "is an address that is never called"
        if _is_listed(real):
            return ""
        if not real.is_global or not address.is_global:
            return "is a private address"
        return "" if self._is_encrypted else "is a public address: HTTPS alone goes there"


def inside(address: Address) -> Address:
    """The IPv4 address in an IPv6 address that has one; else itself.

    >>> [str(inside(ip_address(text))) for text in ("64:ff9b::7f00:1", "2002:a00:1::", "::1")]
    ['127.0.0.1', '10.0.0.1', '::1']
    """
    if isinstance(address, IPv4Address) or int(address) <= 1:
        return address
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    if any(address in network for network in _LAST_32_BITS):
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address


def is_never_called(address: Address) -> bool:
    """Whatever WEBHOOK_NETWORKS says."""
    is_site_local = isinstance(address, IPv6Address) and address.is_site_local
    is_of_many = address.is_multicast or address.is_unspecified
    return address.is_link_local or is_site_local or is_of_many


def _is_listed(address: Address) -> bool:
    return any(address in network for network in settings.WEBHOOK_NETWORKS)


def _look_up(host: str, port: int, within_s: float) -> list[str]:
    """The addresses of a name. A look-up takes as long as its servers do: it is not waited for."""
    looked_up: queue.SimpleQueue[list[str] | OSError] = queue.SimpleQueue()

    def look() -> None:
        try:
            rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError as fault:
            looked_up.put(fault)
        except ValueError as fault:  # a name that cannot be one
            looked_up.put(OSError(str(fault)))
        else:
            looked_up.put(list(dict.fromkeys(str(address[0]) for *_kind, address in rows)))

    threading.Thread(target=look, daemon=True).start()
    try:
        answer = looked_up.get(timeout=within_s)
    except queue.Empty:
        raise TimeoutError("the name was not looked up in time") from None
    if isinstance(answer, OSError):
        raise answer
    return answer
