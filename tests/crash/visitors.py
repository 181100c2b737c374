"""Browsers before two web processes: pages one after the other, and a display's stream.

Between them and the processes stands what a house has there: it asks each process whether it is
ready, takes the ready ones in turn, and the next one where a connection is refused. Nothing is
tried a second time once it was sent.
"""

import http.client
import re
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from http.cookies import SimpleCookie
from urllib.parse import urlencode

from demo.servers.ports import LOOPBACK

LOOK_S = 0.2
BETWEEN_PAGES_S = 0.05
PATIENCE_S = 20.0
NOBODY = "no web process is ready"


class Balancer:
    """Sends requests to the processes that are ready, in turn."""

    def __init__(self) -> None:
        self._ports: list[int] = []
        self._ready: list[int] = []
        self._turn = 0
        self._lock = threading.Lock()

    def add(self, port: int) -> None:
        with self._lock:
            self._ports.append(port)

    def look(self) -> None:
        """Ask all of them."""
        with self._lock:
            ports = list(self._ports)
        ready = [port for port in ports if _is_ready(port)]
        with self._lock:
            self._ready = ready

    def is_used(self, port: int) -> bool:
        return port in self._ready

    def order(self) -> list[int]:
        """Whom to ask, the first whose turn it is."""
        with self._lock:
            self._turn += 1
            start = self._turn % max(1, len(self._ready))
            return self._ready[start:] + self._ready[:start]


def _is_ready(port: int) -> bool:
    line = http.client.HTTPConnection(LOOPBACK, port, timeout=PATIENCE_S)
    try:
        line.request("GET", "/health/ready")
        return line.getresponse().status == 200
    except OSError:
        return False
    finally:
        line.close()


class Browser:
    """Somebody with a session. Lines to the processes are kept open, as a proxy's are."""

    def __init__(self, balancer: Balancer) -> None:
        self._balancer = balancer
        self._lines: dict[int, http.client.HTTPConnection] = {}
        self._cookies: SimpleCookie = SimpleCookie()

    def ask(self, path: str, form: dict[str, str] | None = None) -> tuple[int, str]:
        """Status and text; OSError or http.client.HTTPException where the request failed."""
        headers = {"Cookie": "; ".join(f"{k}={v.value}" for k, v in self._cookies.items())}
        body = None
        if form is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            body = urlencode(form)
        for port in self._balancer.order():
            line = self._lines.setdefault(
                port, http.client.HTTPConnection(LOOPBACK, port, timeout=PATIENCE_S)
            )
            if line.sock is None:
                try:
                    line.connect()
                except ConnectionRefusedError:
                    continue
            try:
                line.request("GET" if body is None else "POST", path, body, headers)
                answer = line.getresponse()
                text = answer.read().decode()
            except (OSError, http.client.HTTPException):
                line.close()
                raise
            for cookie in answer.headers.get_all("Set-Cookie") or ():
                self._cookies.load(cookie)
            return answer.status, text
        raise ConnectionError(NOBODY)

    def log_in(self, name: str, password: str) -> None:
        _, page = self.ask("/login/")
        match = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
        assert match, page
        form = {"username": name, "password": password, "csrfmiddlewaretoken": match[1]}
        status, text = self.ask("/login/", form)
        assert status == 302, text


class Visitors:
    """Pages all the time, and a stream; what failed is kept. Open it with `with`."""

    def __init__(self, balancer: Balancer, log_in: tuple[str, str], pages: Iterable[str]) -> None:
        self._balancer = balancer
        self._log_in = log_in
        self._pages = list(pages)
        self.stream = ""  # the path of a display's stream
        self.pages_shown = 0
        self.slowest_s = 0.0
        self.failures: list[str] = []
        self.streams_begun = 0
        self.longest_silence_s = 0.0  # of the stream
        self._stop = threading.Event()
        self._threads = [
            threading.Thread(target=self._guarded, args=(work,), daemon=True)
            for work in (self._watch, self._visit, self._listen)
        ]

    def __enter__(self) -> "Visitors":
        self._balancer.look()
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(PATIENCE_S)

    def _guarded(self, work: Callable[[], None]) -> None:
        try:
            work()
        except Exception as fault:  # noqa: BLE001 - the test names it
            self.failures.append(f"{work.__name__} ended: {fault!r}")

    def _watch(self) -> None:
        while not self._stop.wait(LOOK_S):
            self._balancer.look()

    def _visit(self) -> None:
        browser = Browser(self._balancer)
        browser.log_in(*self._log_in)
        while True:
            for page in self._pages:
                if self._stop.wait(BETWEEN_PAGES_S):
                    return
                began = time.monotonic()
                try:
                    status, text = browser.ask(page)
                except (OSError, http.client.HTTPException) as fault:
                    self.failures.append(f"{page}: {fault!r}")
                    continue
                self.pages_shown += 1
                self.slowest_s = max(self.slowest_s, time.monotonic() - began)
                if status != 200:
                    self.failures.append(f"{page}: {status} {text[:500]}")

    def _listen(self) -> None:
        """As a browser does: a stream that ends is begun again."""
        heard_at: float | None = None
        while not self._stop.is_set():
            for line in self._lines_of_a_stream():
                if line.startswith(b"event: display"):
                    now = time.monotonic()
                    if heard_at is not None:
                        self.longest_silence_s = max(self.longest_silence_s, now - heard_at)
                    heard_at = now
                if self._stop.is_set():
                    return
            self._stop.wait(LOOK_S)

    def _lines_of_a_stream(self) -> Iterable[bytes]:
        for port in self._balancer.order():
            line = http.client.HTTPConnection(LOOPBACK, port, timeout=PATIENCE_S)
            with suppress(OSError, http.client.HTTPException):
                line.request("GET", self.stream)
                answer = line.getresponse()
                assert answer.status == 200, answer.status
                self.streams_begun += 1
                while text := answer.readline():
                    yield text
            line.close()
            return
