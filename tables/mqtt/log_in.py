"""One log-in at the broker, and nothing else: whether it lets an account in.

A CONNECT of MQTT 3.1.1 and its answer, on a socket of its own. A log-in under the client id of
another connection ends that one: the broker must close it [MQTT-3.1.4-2].
"""

from __future__ import annotations

import socket
import ssl
from urllib.parse import ParseResult

TLS, PLAIN = 8883, 1883
_ACCEPTED = b"\x20\x02\x00\x00"


def lets_in(
    url: ParseResult,
    username: str,
    password: str,
    client_id: str,
    *,
    authority: str | None = None,
    timeout_s: float = 5.0,
) -> bool:
    """Whether the broker at that address takes the account; OSError where it cannot be asked.

    `authority`: the file of the certificate that a broker with TLS is trusted by.
    """
    is_tls = url.scheme == "mqtts"
    host, port = url.hostname or "localhost", url.port or (TLS if is_tls else PLAIN)
    with socket.create_connection((host, port), timeout_s) as line:
        if is_tls:
            context = ssl.create_default_context(cafile=authority)
            with context.wrap_socket(line, server_hostname=host) as secure:
                return _answer(secure, username, password, client_id)
        return _answer(line, username, password, client_id)


def _answer(line: socket.socket, username: str, password: str, client_id: str) -> bool:
    line.sendall(_connect(username, password, client_id))
    answer = b""
    while len(answer) < len(_ACCEPTED) and (more := line.recv(4)):
        answer += more
    if answer != _ACCEPTED:
        return False
    line.sendall(b"\xe0\x00")  # DISCONNECT
    return True


def _connect(username: str, password: str, client_id: str) -> bytes:
    """User name, password and a clean session; a keep-alive of 10 s."""
    body = _text("MQTT") + b"\x04\xc2\x00\x0a"
    body += _text(client_id) + _text(username) + _text(password)
    length, digits = len(body), bytearray()
    while True:
        length, digit = divmod(length, 128)
        digits.append(digit | (0x80 if length else 0))
        if not length:
            return b"\x10" + bytes(digits) + body


def _text(text: str) -> bytes:
    encoded = text.encode()
    return len(encoded).to_bytes(2, "big") + encoded
