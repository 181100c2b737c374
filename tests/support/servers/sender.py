"""Bodies as they come over a connection: declared, chunked, or not sent at all."""

import socket
from dataclasses import dataclass, field
from http.client import HTTPResponse
from urllib.parse import urlsplit


@dataclass
class Reply:
    """An answer."""

    status: int
    head: str
    body: str


@dataclass
class Sender:
    """Whose connections begin a body, and wait for an answer."""

    url: str
    cookies: dict[str, str] = field(default_factory=dict)

    def post(
        self,
        path: str,
        body: bytes,
        *,
        declared: int | None = None,
        kind: str = "application/x-www-form-urlencoded",
        more: tuple[str, ...] = (),
    ) -> Reply:
        """`declared`: its Content-Length. Without one it comes chunked, and does not end."""
        where = urlsplit(self.url)
        lines = [
            f"POST {path} HTTP/1.1",
            f"Host: {where.netloc}",
            f"Content-Type: {kind}",
            f"Cookie: {'; '.join(f'{name}={value}' for name, value in self.cookies.items())}",
            "Transfer-Encoding: chunked" if declared is None else f"Content-Length: {declared}",
            *more,
        ]
        content = body if declared is not None else b"%x\r\n%b\r\n" % (len(body), body)
        with socket.create_connection((where.hostname, where.port), 30) as line:
            line.sendall("\r\n".join([*lines, "", ""]).encode() + content)
            answer = HTTPResponse(line)
            answer.begin()
            text = answer.read().decode()
        return Reply(answer.status, str(answer.headers).lower(), text)
