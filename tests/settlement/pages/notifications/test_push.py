"""Push: from the page to the push service."""

import json
from collections.abc import Iterator
from ipaddress import ip_network

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from pytest_django import Settings

from settlement import tasks
from settlement.models import NotificationDelivery, PushSubscription
from settlement.notifications import personal_list, push
from tests.support.cases.confirmed_house import person
from tests.support.cases.webhook_receiver import Receiver, receiving
from tests.support.pages.page_staff import logged_in, words
from tests.support.people.cast import ClaimHouse
from tests.support.servers.outside.push_service import BROWSER, SECRET, bytes_of


@pytest.fixture
def service(settings: Settings) -> Iterator[Receiver]:
    settings.WEBHOOK_NETWORKS = [ip_network("127.0.0.0/8")]
    private, public = push.new_key()
    settings.PUSH_PRIVATE_KEY, settings.PUSH_PUBLIC_KEY = private, public
    with receiving() as receiver:
        yield receiver


@pytest.mark.django_db
@pytest.mark.usefixtures("no_writer")
def test_from_the_page_to_the_push_service(service: Receiver, settings: Settings) -> None:
    house = ClaimHouse()
    client = logged_in("sione")
    address = "/account/notifications/"
    settings.PUSH_HOSTS = ["push.example"]
    assert settings.PUSH_PUBLIC_KEY in client.get(address).content.decode()
    fields = {"url": "https://push.example/1", "public_key": BROWSER, "secret": SECRET}
    addresses = ("http://push.example/1", "https://push.example:99999/1", "https://push.example/é")
    elsewhere = ("https://10.1.2.3/1", "https://pushXexample/1", "https://a@push.example/1")
    urls = [{"url": each} for each in (*addresses, *elsewhere)]
    for wrong in (*urls, {"public_key": "AAAA"}, {"secret": "AAAA"}):
        answer = client.post(f"{address}devices/", fields | wrong, follow=True)
        assert "does not support push" in words(answer)
    agent = {"User-Agent": "Mozilla/5.0 (Linux; Android 15) Chrome/140.0"}
    for _ in range(2):
        client.post(f"{address}devices/", fields, headers=agent)
    browser = PushSubscription.objects.get()
    assert "Chrome, Android" in words(client.get(address))
    PushSubscription.objects.update(url=service.url)
    house.hit_royal()
    tasks.collect_webhooks()
    tasks.send_notifications()
    (request,) = service.requests
    assert request.headers["content-encoding"] == "aes128gcm"
    assert b"MAIN-1" not in request.body
    token, _comma, public = request.headers["authorization"].partition(", k=")
    assert public == settings.PUSH_PUBLIC_KEY
    head, claims, signature = token.removeprefix("vapid t=").split(".")
    raw = bytes_of(signature)
    signed = encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), bytes_of(public))
    key.verify(signed, f"{head}.{claims}".encode(), ec.ECDSA(SHA256()))
    assert json.loads(bytes_of(claims))["aud"] == service.url.partition("/hooks")[0]
    assert NotificationDelivery.objects.get().state == "delivered"
    house.hit_royal("t7")
    tasks.collect_webhooks()
    PushSubscription.objects.update(person=person("mere"))
    tasks.send_notifications()
    assert len(service.requests) == 1, "it is another person's browser by now"
    PushSubscription.objects.update(person=person("sione"))
    service.status = 410  # the browser has ended it
    house.hit_royal("t3")
    tasks.collect_webhooks()
    tasks.send_notifications()
    browser.refresh_from_db()
    assert browser.ended_at is not None
    assert {each.state for each in NotificationDelivery.objects.all()} == {"delivered", "dead"}
    assert not personal_list.browsers(person("sione")).exists()
