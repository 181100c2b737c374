"""How a screen reads the files of films: in turn, once, and for as long as one comes."""

import threading
from collections.abc import Generator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.support.suite.waiting import wait_until

pytestmark = pytest.mark.browser

SCRIPTS = Path("jackpot/static/jackpot")
PAGE = "<!doctype html><title>A screen</title><script src='screen_films.js'></script>"
CACHED = """async () => (await (await caches.open('screen-1')).keys())
  .map((each) => new URL(each.url).pathname)"""
WITH_WORKER = """async () => {
  await navigator.serviceWorker.register("screen_worker.js");
  await navigator.serviceWorker.ready;
  if (!navigator.serviceWorker.controller) {
    await new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done));
  }
}"""
COUNT_FILES = """() => {
  window.files = [];
  window.freed = [];
  const [make, revoke] = [URL.createObjectURL, URL.revokeObjectURL];
  URL.createObjectURL = (blob) => files[files.push(make.call(URL, blob)) - 1];
  URL.revokeObjectURL = (file) => { freed.push(file); revoke.call(URL, file); };
}"""


@dataclass
class Console:
    """Serves the scripts, and of each picture the half until it may `go`."""

    url: str = ""
    content: str = "{}"
    requests: list[str] = field(default_factory=list)
    faults: set[str] = field(default_factory=set)  # which are answered by one
    go: dict[str, threading.Event] = field(default_factory=dict)
    ends: threading.Event = field(default_factory=threading.Event)


@pytest.fixture
def console() -> Generator[Console]:
    it = Console()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            it.requests.append(self.path)
            name = self.path.rpartition("/")[2]
            if self.path == "/never":
                it.ends.wait(60)
            elif self.path in it.faults:
                self.answer(b"", "text/plain", 503)
            elif "/picture/" in self.path:
                self.answer(b"film" * 1000, "video/webm", wait=it.go.get(name))
            elif name.endswith(".js"):
                script = (SCRIPTS / name).read_text()
                script = script.replace("PATIENCE_MS = 8000", "PATIENCE_MS = 500")
                self.answer(script.encode(), "text/javascript")
            elif name == "content":
                self.answer(it.content.encode(), "application/json")
            else:
                self.answer(PAGE.encode(), "text/html")

        def answer(
            self, body: bytes, media: str, status: int = 200, wait: threading.Event | None = None
        ) -> None:
            self.send_response(status)
            self.send_header("Content-Type", media)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            half = len(body) // 2
            self.wfile.write(body[:half])
            if wait is not None:
                wait.wait(60)
            self.wfile.write(body[half:])

        def log_message(self, *_args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.handle_error = lambda *_: None  # type: ignore[method-assign]  # a browser that went away
    it.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield it
    for each in (it.ends, *it.go.values()):
        each.set()
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def page(browser: Browser, console: Console) -> Generator[Page]:
    context = browser.new_context()
    page = context.new_page()
    page.goto(console.url)
    page.evaluate(COUNT_FILES)
    yield page
    context.close()


def take(page: Page, *names: str) -> None:
    page.evaluate(
        "(films) => ScreenFilms.take(films, () => {})", [f"/picture/{name}" for name in names]
    )


def pictures(console: Console) -> list[str]:
    return [each for each in console.requests if "/picture/" in each]


def test_patience_is_for_the_first_byte_of_a_film(console: Console, page: Page) -> None:
    console.go["one"] = threading.Event()
    page.evaluate(WITH_WORKER)
    page.evaluate("async () => { window.answer = await fetch('/picture/one'); }")
    # What says nothing is given up after the time that the film has begun before.
    assert page.evaluate("() => fetch('/never').then(() => false, () => true)")
    console.go["one"].set()
    assert page.evaluate("async () => (await answer.blob()).size") == 4000
    wait_until(lambda: "/picture/one" in page.evaluate(CACHED), what="the film to be kept")
    assert page.evaluate("async () => (await (await fetch('/picture/one')).blob()).size") == 4000
    assert pictures(console) == ["/picture/one"], "what never changes is asked for once"


def test_what_the_content_names_no_more_is_not_kept(console: Console, page: Page) -> None:
    page.evaluate(WITH_WORKER)
    for name in ("one", "two"):
        page.evaluate("(name) => fetch(`/picture/${name}`)", name)
        wait_until(lambda: f"/picture/{name}" in page.evaluate(CACHED), what="it to be kept")  # noqa: B023
    console.content = '{"slides": [{"film": "/picture/two"}]}'
    page.evaluate("() => fetch('/content')")
    names = page.evaluate(CACHED)
    assert "/picture/one" not in names
    assert {"/picture/two", "/content"} <= set(names)


def test_films_are_read_one_after_another(console: Console, page: Page) -> None:
    console.go["one"] = threading.Event()
    take(page, "one", "two")
    wait_until(lambda: pictures(console), what="the first")
    page.evaluate("() => fetch('/content')")
    assert pictures(console) == ["/picture/one"]
    console.go["one"].set()
    wait_until(lambda: page.evaluate("files.length") == 2, what="both films")
    assert pictures(console) == ["/picture/one", "/picture/two"]


def test_a_film_that_comes_up_again_is_read_once_more_alone(console: Console, page: Page) -> None:
    """What was begun before it came down makes no second file, which nobody would let go."""
    console.go["one"] = threading.Event()
    take(page, "one")
    wait_until(lambda: pictures(console), what="the first read")
    take(page)
    take(page, "one")
    wait_until(lambda: len(pictures(console)) == 2, what="the second read")
    console.go["one"].set()
    wait_until(lambda: page.evaluate("files.length"), what="its file")
    take(page)
    assert page.evaluate("files.length") == 1
    assert page.evaluate("freed") == page.evaluate("files")


def test_after_a_fault_a_film_that_is_wanted_is_read_again(console: Console, page: Page) -> None:
    page.clock.install()
    page.reload()
    page.evaluate(COUNT_FILES)
    console.faults |= {"/picture/one", "/picture/two"}
    take(page, "one", "two")
    wait_until(lambda: len(pictures(console)) == 2, what="two faults")
    take(page, "one")
    console.faults.clear()

    def is_read() -> bool:
        page.clock.fast_forward(30_000)
        return bool(page.evaluate("files.length"))

    wait_until(is_read, what="the film, with nothing else asking for it")
    assert pictures(console)[2:] == ["/picture/one"]
