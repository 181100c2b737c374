"""Push in Chromium: a device is added once its worker is active, and shows what is pushed.

The push service between the console and the browser is its vendor's, on the internet. What the
browser asks of it is answered here by a subscription whose key the test has; what the console sends
is taken by a receiver, opened with that key, and handed to the true worker as the browser would.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from playwright.sync_api import Page, expect
from pytest_django import Settings

from settlement import tasks
from settlement.models import PushSubscription
from settlement.notifications import push
from tests.support.cases.webhook_receiver import Receiver, receiving
from tests.support.pages.browser.workbench_screen import opened
from tests.support.people.cast import ClaimHouse
from tests.support.servers.outside.push_service import BROWSER, PRIVATE, SECRET, bytes_of
from tests.support.servers.serving import served
from tests.support.suite.databases import FreshDatabase
from tests.support.suite.waiting import wait_until

pytestmark = pytest.mark.browser
PAGE = "/account/notifications/"
# What the browser would be given by its vendor; it takes it from an active worker alone.
ANSWER = """
    PushManager.prototype.subscribe = async (options) => {
      const registrations = await navigator.serviceWorker.getRegistrations();
      if (!registrations.length || registrations[0].active?.state !== "activated") {
        throw new DOMException("no active worker", "AbortError");
      }
      const bytes = (text) => Uint8Array.from(
        atob(text.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0)).buffer;
      window.name = String(options.applicationServerKey.length);
      return {
        endpoint: "https://fcm.googleapis.com/fcm/send/test",
        getKey: (name) => bytes(name === "auth" ? "SECRET" : "BROWSER"),
      };
    };
"""


@pytest.fixture
def console_url(fresh_database: FreshDatabase, tmp_path: Path, settings: Settings) -> Iterator[str]:
    """With keys for push, which worker (this process) and console share."""
    private, public = push.new_key()
    settings.PUSH_PRIVATE_KEY, settings.PUSH_PUBLIC_KEY = private, public
    keys = {"PUSH_PRIVATE_KEY": private, "PUSH_PUBLIC_KEY": public}
    with served(fresh_database.environment() | keys, tmp_path / "console.log") as address:
        yield address


@pytest.fixture
def service(settings: Settings) -> Iterator[Receiver]:
    settings.WEBHOOK_NETWORKS = [ip_network("127.0.0.0/8")]
    with receiving() as receiver:
        yield receiver


def opened_by_browser(body: bytes) -> str:
    """The plain message, as a browser opens it (RFC 8188, RFC 8291)."""
    salt, length = body[:16], body[20]
    theirs, sealed = body[21 : 21 + length], body[21 + length :]
    key = ec.derive_private_key(int.from_bytes(bytes_of(PRIVATE)), ec.SECP256R1())
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs)
    shared = key.exchange(ec.ECDH(), point)

    def derived(material: bytes, salt: bytes, info: bytes, length: int) -> bytes:
        return HKDF(algorithm=SHA256(), length=length, salt=salt, info=info).derive(material)

    info = b"WebPush: info\0" + bytes_of(BROWSER) + theirs
    material = derived(shared, bytes_of(SECRET), info, 32)
    content_key = derived(material, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = derived(material, salt, b"Content-Encoding: nonce\0", 12)
    return AESGCM(content_key).decrypt(nonce, sealed, None).rstrip(b"\0")[:-1].decode()


def deliver(screen: Page, console_url: str, message: str) -> Any:
    """Hand it to the true worker as the browser does; what the worker has the browser show.

    The headless browser has no notifications of its own.
    """
    (worker,) = screen.context.service_workers
    worker.evaluate(
        """() => {
          self.notices = new Promise((resolve) => {
            self.registration.showNotification = async (title, options) =>
              resolve({ title, ...options });
          });
        }"""
    )
    numbers: list[str] = []
    tools = screen.context.new_cdp_session(screen)
    tools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda news: numbers.extend(each["registrationId"] for each in news["registrations"]),
    )
    tools.send("ServiceWorker.enable")
    wait_until(lambda: bool(screen.evaluate("true") and numbers), what="the registration")
    message_of = {"origin": console_url, "registrationId": numbers[0], "data": message}
    tools.send("ServiceWorker.deliverPushMessage", message_of)
    return worker.evaluate("() => self.notices")


@pytest.mark.usefixtures("no_writer")
def test_a_device_is_added_and_shows_what_is_pushed(
    screen: Page, console_url: str, service: Receiver
) -> None:
    house = ClaimHouse()
    screen.add_init_script(ANSWER.replace("SECRET", SECRET).replace("BROWSER", BROWSER))
    opened(screen, console_url, "sione", PAGE)
    screen.get_by_role("button", name="Push to this device").click()
    expect(screen.get_by_text("Notifications are pushed to this device.")).to_be_visible()
    assert screen.evaluate("window.name") == "65", "the console's own key was handed over"
    assert PushSubscription.objects.get().person.get_username() == "sione"
    PushSubscription.objects.update(url=service.url)
    house.hit_royal()
    tasks.collect_webhooks()
    tasks.send_notifications()
    message = opened_by_browser(service.requests[0].body)
    notice = deliver(screen, console_url, message)
    expected = json.loads(message)
    assert notice == {
        "title": expected["title"],
        "body": expected["body"],
        "tag": expected["tag"],
        "data": "/claims/main/1/",
    }


def test_a_browser_without_push_is_told_how_an_ipad_takes_it(
    screen: Page, console_url: str
) -> None:
    ClaimHouse()
    screen.add_init_script("delete window.PushManager;")
    opened(screen, console_url, "sione", PAGE)
    expect(screen.get_by_text("Add to Home Screen")).to_be_visible()
    expect(screen.get_by_role("button", name="Push to this device")).to_be_hidden()


def test_the_console_can_be_installed(screen: Page, console_url: str) -> None:
    ClaimHouse()
    opened(screen, console_url, "sione", "/account/")
    manifest = screen.evaluate(
        """async () => {
          const link = document.querySelector("link[rel=manifest]");
          const answer = await fetch(link.href);
          const manifest = await answer.json();
          const icons = await Promise.all(manifest.icons.map(async (each) => {
            const icon = await fetch(new URL(each.src, link.href));
            return `${icon.status} ${icon.headers.get("content-type")}`;
          }));
          return { ...manifest, icons };
        }"""
    )
    assert (manifest["start_url"], manifest["display"]) == ("/", "standalone")
    assert manifest["icons"] == ["200 image/png", "200 image/png", "200 image/svg+xml"]
    tools = screen.context.new_cdp_session(screen)
    assert tools.send("Page.getAppManifest")["errors"] == []
