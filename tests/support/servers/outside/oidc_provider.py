"""A log-in provider on this machine: OpenID Connect with real keys, which lies as it is told."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CLIENT, SECRET = "console", "the client's secret: &=%"
PERSON, NAME = "subject-of-mere", "Contoso"
Claims = dict[str, Any]
Key = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey
_ALGORITHM = {"rsa": "RS256", "ec": "ES256"}
_PAGE = '<!DOCTYPE html><title>{0}</title><h1>{0}</h1><a href="{1}">Log in as {2}</a>'


def new_key(kind: str = "rsa") -> Key:
    if kind == "rsa":
        return rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return ec.generate_private_key(ec.SECP256R1())


def as_text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


@dataclass
class Provider:
    """`claims`: what its next tokens say beside the usual, None: leave it out. `forge`: makes the
    token in the place of the provider. `hangs`: it answers nothing until that is set."""

    url: str = ""
    kind: str = "rsa"
    claims: Claims = field(default_factory=dict)
    forge: Callable[[Provider, Claims], str] | None = None
    hangs: threading.Event | None = None
    is_broken: bool = False
    refuses: int = 0  # with this status, and a page, whoever shows a code
    asks: bool = False  # whether people press a link there
    secret: str = SECRET
    requests: list[str] = field(default_factory=list)
    queries: list[dict[str, str]] = field(default_factory=list)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    key: Key = field(default_factory=new_key)
    key_name: str = "first"

    def rotate(self, kind: str = "rsa") -> None:
        self.kind, self.key, self.key_name = kind, new_key(kind), secrets.token_hex(4)

    def published(self) -> Claims:
        kinds: Any = {"rsa": jwt.algorithms.RSAAlgorithm, "ec": jwt.algorithms.ECAlgorithm}
        public = kinds[self.kind].to_jwk(self.key.public_key(), as_dict=True)
        return {**public, "kid": self.key_name, "use": "sig", "alg": _ALGORITHM[self.kind]}

    def public_pem(self) -> bytes:
        return self.key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)

    def sign(self, claims: Claims, key: Key | None = None, **header: Any) -> str:
        header = {"kid": self.key_name, **header}
        return jwt.encode(claims, key or self.key, _ALGORITHM[self.kind], header)

    def metadata(self) -> Claims:
        return {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/keys",
            "end_session_endpoint": f"{self.url}/end",
            "response_types_supported": ["code"],
            "code_challenge_methods_supported": ["S256"],
        }

    def sent_back(self, query: dict[str, str]) -> str:
        """The address to which the browser goes, with a code."""
        self.queries.append(query)
        code = secrets.token_urlsafe(16)
        self.codes[code] = query
        return f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query['state']})}"

    def token(self, form: dict[str, str], header: str) -> tuple[int, Claims]:
        """An answer of the token endpoint."""
        kind, _, pair = header.partition(" ")
        name, _, secret = base64.b64decode(pair).decode().partition(":")
        if (kind, unquote(name), unquote(secret)) != ("Basic", CLIENT, self.secret):
            return 401, {"error": "invalid_client"}
        query = self.codes.pop(form.get("code", ""), None)
        challenge = as_text(hashlib.sha256(form.get("code_verifier", "").encode()).digest())
        if (
            query is None
            or query["code_challenge"] != challenge
            or query["redirect_uri"] != form.get("redirect_uri")
        ):
            return 400, {"error": "invalid_grant"}
        now = int(time.time())
        usual = {
            "iss": self.url,
            "sub": PERSON,
            "aud": CLIENT,
            "iat": now,
            "exp": now + 300,
            "nonce": query["nonce"],
            "auth_time": now if query.get("max_age") == "0" else now - 3600,
        }
        claims = {k: v for k, v in (usual | self.claims).items() if v is not None}
        id_token = self.forge(self, claims) if self.forge else self.sign(claims)
        return 200, {"access_token": "x", "token_type": "Bearer", "id_token": id_token}


class _Server(ThreadingHTTPServer):
    """It belongs to a provider."""

    daemon_threads = True
    provider: Provider


class _Handler(BaseHTTPRequestHandler):
    """Of the server's self.server.provider."""

    server: _Server

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        self._wait(parts.path)
        if parts.path == "/authorize":
            self._authorize(query)
        elif parts.path == "/end":
            self._send(200, b"Logged out", "text/html")
        elif parts.path.endswith("/.well-known/openid-configuration"):
            self._json(200, self.server.provider.metadata())
        else:
            self._json(200, {"keys": [self.server.provider.published()]})

    def do_POST(self) -> None:
        self._wait("/token")
        raw = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if self.server.provider.refuses:
            self._send(self.server.provider.refuses, b"<h1>Refused</h1>", "text/html")
            return
        form = {name: values[0] for name, values in parse_qs(raw).items()}
        self._json(*self.server.provider.token(form, self.headers.get("Authorization", "")))

    def _wait(self, path: str) -> None:
        self.server.provider.requests.append(path)
        if self.server.provider.hangs is not None:
            self.server.provider.hangs.wait(30)

    def _authorize(self, query: dict[str, str]) -> None:
        address = self.server.provider.sent_back(query)
        if self.server.provider.asks:
            page = _PAGE.format(NAME, address.replace("&", "&amp;"), "mere")
            self._send(200, page.encode(), "text/html")
            return
        self.send_response(302)
        self.send_header("Location", address)
        self.end_headers()

    def _json(self, status: int, body: Claims) -> None:
        if self.server.provider.is_broken:
            status, body = 500, {}
        self._send(status, json.dumps(body).encode(), "application/json")

    def _send(self, status: int, body: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_words: Any) -> None:
        """Nothing."""


@contextmanager
def providing() -> Iterator[Provider]:
    """While it listens, on a free port of this machine."""
    provider = Provider()

    server = _Server(("127.0.0.1", 0), _Handler)
    server.provider = provider
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    provider.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield provider
    finally:
        if provider.hangs is not None:
            provider.hangs.set()
        server.shutdown()
        thread.join()
        server.server_close()
