"""What happened is sent to receivers: signed, in order, without a gap, until it is taken."""

import re
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.utils import timezone
from pytest_django import Settings

from jackpot.terms.money import MICROS
from settlement import tasks
from settlement.core.errors import BadSetUp
from settlement.events import reading
from settlement.events.kinds import KINDS
from settlement.models import SetUpChange, WebhookDelivery, WebhookEndpoint
from settlement.people.rights.roles import Held
from settlement.webhooks import calls, endpoints, outbox, sending
from settlement.webhooks.endpoints import NewEndpoint
from tables.alarms import raise_alarm
from tables.models import Alarm, Casino, JackpotSystem
from tests.support.cases.confirmed_house import ConfirmedHouse, person
from tests.support.cases.webhook_receiver import Receiver, endpoint_of, send_all
from tests.support.pages.page_staff import logged_in, words
from tests.support.people.cast import ALL_YES, PASSWORD, ClaimHouse, action, as_

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]


def test_from_the_page_to_the_receiver_and_again(receiver: Receiver) -> None:
    house = ConfirmedHouse()
    reading.collect(outbox.give_out)  # what was before anybody listened is not told
    client = logged_in("hana")
    fields = {
        "key": uuid.uuid4(),
        "name": "Signage",
        "url": receiver.url,
        "casino": "harbour",
        "events": list(KINDS),
    }
    page = client.post("/webhooks/", fields).content.decode()
    (secret,) = re.findall(r"whsec_[\w+/=]{44}", page)
    assert "whsec_" not in client.post("/set-up/webhooks/", fields).content.decode()
    assert WebhookEndpoint.objects.count() == 1  # a double click
    house.hit_royal("t7")
    action("anahera", "verify", number=2, answers=ALL_YES)
    parts: dict[str, Any] = {"line": 1, "parts_micros": {"cash": MICROS}, "password": PASSWORD}
    assert action("aroha", "pay", **parts).status_code in (200, 202)
    raise_alarm("log_in_locked", "mere", "Too many wrong passwords for mere")
    house.post()
    for _ in range(2):  # nothing comes twice
        send_all()
    assert sorted(receiver.types) == ["alarm.raised", "claim.held", "claim.paid", "claim.verified"]
    assert receiver.numbers == [1, 2, 3, 4]
    assert all(each.is_signed(secret) for each in receiver.requests)
    held = next(each for each in receiver.requests if each.document["type"] == "claim.held")
    data = held.document["data"]
    assert (data["system"], data["claim"]) == ("main", "main-2")
    content = b"".join(each.body for each in receiver.requests)
    assert b"mere" not in content  # no person
    assert b"micros" not in content
    endpoint = WebhookEndpoint.objects.get()
    assert secret.encode() not in bytes(endpoint.secret)
    page_words = words(client.get(f"/webhooks/{endpoint.pk}/"))
    assert "Delivered" in page_words
    assert secret not in page_words
    client.post(f"/webhooks/{endpoint.pk}/", {"do": "replay", "first": 3})
    send_all()
    assert receiver.numbers == [1, 2, 3, 4, 3, 4]
    ids = [each.headers["webhook-id"] for each in receiver.requests]
    assert ids[2:4] == ids[4:6]
    client.post(f"/webhooks/{endpoint.pk}/", {"do": "end"})
    house.hit_royal("t3")
    send_all()
    assert len(receiver.requests) == 6


def test_the_record_of_changes_keeps_no_address(receiver: Receiver) -> None:
    """What stands behind the host may be a key."""
    ClaimHouse()
    endpoints.end(person("hana"), endpoint_of(receiver, "claim.held"))
    creation, ended = SetUpChange.objects.filter(kind="webhook").order_by("id")
    assert [(each.subject, each.what) for each in (creation, ended)] == [
        ("Signage", "made"),
        ("Signage", "changed"),
    ]
    assert creation.after["url"] == receiver.url.partition("/hooks")[0]
    assert creation.after.keys() == {"name", "url", "events", "systems", "is_ended"}
    assert (creation.after["systems"], ended.after) == (None, {"is_ended": True})


def test_who_does_not_answer_is_asked_again_and_given_up(
    receiver: Receiver, settings: Settings
) -> None:
    house = ClaimHouse()
    reading.collect(outbox.give_out)
    endpoint = endpoint_of(receiver, "claim.held")
    house.hit_royal()
    house.hit_royal("t7")
    receiver.status = 503
    send_all()
    endpoint.refresh_from_db()
    assert receiver.numbers == [1]  # what waits behind it is left alone, too
    assert endpoint.failures == 1
    assert endpoint.not_before is not None
    assert sending.due() == []
    receiver.status = 422  # it answers, and does not take this: the next one may go
    send_all()
    assert receiver.numbers == [1, 1, 2]
    first = WebhookDelivery.objects.get(number=1)
    assert (first.state, first.attempts, first.status) == ("waiting", 2, 422)
    receiver.status, receiver.headers = 302, {"Location": "http://127.0.0.1:1/"}
    send_all()
    assert WebhookDelivery.objects.get(number=1).status == 302  # it is not followed
    settings.WEBHOOK_DAYS = 0
    send_all()
    assert set(WebhookDelivery.objects.values_list("state", flat=True)) == {"dead"}
    assert "from number 1 on it was given up" in Alarm.objects.get(kind="webhook_dead").message
    receiver.status, settings.WEBHOOK_DAYS = 200, 3
    count = len(receiver.requests)
    assert endpoints.replay(person("hana"), endpoint, 1) == 2
    send_all()
    assert receiver.numbers[count:] == [1, 2]


def beat() -> None:
    reading.collect(outbox.give_out)
    for number in sending.due():
        sending.send(number)


def test_what_waits_keeps_its_order(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    house = ClaimHouse()
    reading.collect(outbox.give_out)
    endpoint_of(receiver, "claim.held")
    for table in ("t7", "t3"):
        house.hit_royal(table)
    monkeypatch.setattr(calls, "_FIRST_S", 0.0)
    receiver.status = 503
    beat()
    beat()
    assert receiver.numbers == [1, 1]
    assert not WebhookDelivery.objects.filter(next_at__gt=F("wanted_at")).exists()
    receiver.status = 204
    beat()
    assert receiver.numbers == [1, 1, 1, 2]


def test_what_waits_for_a_dead_receiver_is_given_up_at_once(
    receiver: Receiver, settings: Settings
) -> None:
    house = ClaimHouse()
    reading.collect(outbox.give_out)
    endpoint_of(receiver, "claim.held")
    for table in ("t7", "t3", "t7"):
        house.hit_royal(table)
    receiver.status, settings.WEBHOOK_DAYS = 503, 0
    beat()
    assert receiver.numbers == [1]
    assert list(WebhookDelivery.objects.values_list("state", flat=True)) == ["dead"] * 3
    alarm = Alarm.objects.get(kind="webhook_dead")
    assert (alarm.count, "from number 1 on" in alarm.message) == (1, True)


def test_a_worker_that_dies_has_paused(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    house = ClaimHouse()
    reading.collect(outbox.give_out)
    endpoint = endpoint_of(receiver, "claim.held")
    house.hit_royal()

    def die(*_args: Any) -> None:
        raise SystemExit

    monkeypatch.setattr(sending, "_post", die)
    with pytest.raises(SystemExit):
        beat()
    endpoint.refresh_from_db()
    assert (endpoint.failures, WebhookDelivery.objects.get().attempts) == (1, 1)
    assert endpoint.not_before is not None
    assert sending.due() == []


def test_two_endpoints_at_once_and_in_turn(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = ClaimHouse()
    reading.collect(outbox.give_out)
    first, second, third = (endpoint_of(receiver, "claim.held").pk for _ in range(3))
    house.hit_royal()
    reading.collect(outbox.give_out)
    assert sending.due() == [first, second]
    now = timezone.now()
    WebhookEndpoint.objects.filter(pk=first).update(claimed_until=now)  # it had its turn
    assert sending.due() == [second, third]
    at_work = WebhookEndpoint.objects.filter(pk__in=(first, second))
    at_work.update(claimed_until=now + timedelta(minutes=1))
    assert sending.due() == []
    sending.send(third)
    assert not receiver.requests
    at_work.filter(pk=first).update(claimed_until=now)
    calls: list[Any] = []
    monkeypatch.setattr(
        tasks.send_webhooks, "apply_async", lambda args, **how: calls.append((args, how))
    )
    tasks.collect_webhooks()
    assert calls == [((third,), {"expires": 5})]
    sending.send(third)
    assert receiver.numbers == [1]


def test_a_number_that_comes_again_has_another_message(receiver: Receiver) -> None:
    """As after a restore from a backup that was made before it."""
    house = ClaimHouse()
    reading.collect(outbox.give_out)
    endpoint_of(receiver, "claim.held")
    house.hit_royal()
    beat()
    WebhookDelivery.objects.all().delete()
    WebhookEndpoint.objects.update(last_number=0)
    house.hit_royal("t7")
    beat()
    assert receiver.numbers == [1, 1]
    assert len({each.headers["webhook-id"] for each in receiver.requests}) == 2


def test_what_a_server_of_the_house_answers_is_not_kept(receiver: Receiver) -> None:
    house = ClaimHouse()
    reading.collect(outbox.give_out)
    endpoint_of(receiver, "claim.held")
    house.hit_royal()
    receiver.status, receiver.text = 400, "the password is mere"
    beat()
    delivery = WebhookDelivery.objects.get()
    assert (delivery.status, delivery.fault) == (400, "")


def test_the_worker_opens_secrets_without_the_key_of_second_factors(
    receiver: Receiver, settings: Settings
) -> None:
    house = ClaimHouse()
    reading.collect(outbox.give_out)
    settings.FACTOR_KEY, settings.WEBHOOK_KEY = "11" * 32, "22" * 32  # as the web process
    endpoint_of(receiver, "claim.held")
    house.hit_royal()
    settings.FACTOR_KEY = ""  # as the worker
    beat()
    assert receiver.numbers == [1]
    settings.WEBHOOK_KEY = "short"
    house.hit_royal("t7")
    beat()
    assert "WEBHOOK_KEY_FILE" in WebhookDelivery.objects.get(number=2).fault


def test_pauses_grow_to_an_hour() -> None:
    seconds = [calls.pause(each).total_seconds() for each in range(30)]
    assert 5 <= seconds[0] < 6
    assert 10 <= seconds[1] < 12
    assert all(3600 <= each <= 4320 for each in seconds[10:])


@pytest.mark.parametrize(
    "url",
    [
        "http://receiver.example/",
        "https://mere:word@receiver.example/",
        "https:///hooks",
        "ftp://receiver.example/",
        "https://receiver.example/a b",
        "https://receiver.example:0/",
    ],
)
def test_an_address_is_https_without_a_password(url: str) -> None:
    ClaimHouse()
    with pytest.raises(BadSetUp, match="https"):
        endpoints.make(person("hana"), Casino.objects.get(), NewEndpoint("x", url, ("claim.held",)))


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "10.0.0.7", "[::1]", "169.254.169.254"])
def test_no_private_address_is_called(host: str, receiver: Receiver, settings: Settings) -> None:
    house = ClaimHouse()
    reading.collect(outbox.give_out)
    receiver.url = receiver.url.replace("127.0.0.1", host)
    endpoint_of(receiver, "claim.held")
    settings.WEBHOOK_NETWORKS = []
    house.hit_royal()
    send_all()
    delivery = WebhookDelivery.objects.get()
    assert (delivery.state, delivery.status) == ("waiting", None)
    assert re.search("is a private address|is never called", delivery.fault)
    assert not receiver.requests


def test_an_endpoint_is_of_its_casino_and_systems(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = ClaimHouse()
    bay = Casino.objects.create(code="bay", name="Bay", currency="AUD")
    system = JackpotSystem.objects.create(casino=bay, code="bay", name="Bay floor")
    reading.collect(outbox.give_out)
    endpoint_of(receiver, casino=bay)
    values = NewEndpoint("x", receiver.url, ("claim.held",), (house.system,))
    with pytest.raises(BadSetUp, match="of this casino"):
        endpoints.make(person("hana"), bay, values)
    house.hit_royal()
    raise_alarm("presses", "b1", "Too many", system)
    send_all()
    assert receiver.types == ["alarm.raised"]
    raise_alarm("broker", "b1", "Away")  # of every casino
    with monkeypatch.context() as patch:
        patch.setattr(outbox, "held", lambda _person: Held((), {}))  # not of all of them
        send_all()
    assert receiver.types == ["alarm.raised"]
    raise_alarm("broker", "b2", "Away")
    send_all()
    assert receiver.types == ["alarm.raised"] * 2
    assert receiver.requests[0].document["data"] == {
        "number": 1,
        "system": "bay",
        "alarm": "presses",
    }


def test_the_api_of_webhooks_for_administrators(receiver: Receiver) -> None:
    house = ClaimHouse()
    reading.collect(outbox.give_out)
    body = {"casino": "harbour", "name": "Signage", "url": receiver.url, "events": ["claim.held"]}
    key = {"Idempotency-Key": str(uuid.uuid4())}
    hana = as_("hana")
    response = hana.post("/api/webhooks/", body, format="json", headers=key)
    assert response.status_code == 201, response.content
    assert response.json()["secret"].startswith("whsec_")
    again = hana.post("/api/webhooks/", body, format="json", headers=key).json()
    assert (again["webhook"], again["secret"]) == (response.json()["webhook"], "")
    for more in ({"name": "Other"}, {"events": ["claim.paid"]}, {"systems": ["main"]}):
        other = hana.post("/api/webhooks/", body | more, format="json", headers=key)
        assert (other.status_code, other.json()["code"]) == (422, "key_used")
    everything = body | {"systems": []}
    assert hana.post("/api/webhooks/", everything, format="json", headers=key).status_code == 422
    for name in ("schema", "docs", "problems"):  # an administrator reads how, and no claims
        assert logged_in("hana").get(f"/api/{name}/").status_code == 200
    assert hana.get("/api/claims/").status_code == 403
    house.hit_royal()
    send_all()
    address = f"/api/webhooks/{again['webhook']}/"
    (row,) = hana.get(f"{address}deliveries/").json()["results"]
    assert (row["number"], row["type"], row["state"]) == (1, "claim.held", "delivered")
    replayed = hana.post(f"{address}replay/", {"first": 1}, format="json")
    assert replayed.json() == {"deliveries": 1}
    assert hana.post(f"{address}replay/", {"first": 2}, format="json").status_code == 409
    assert hana.post(f"{address}end/", {}, format="json").json()["ended_at"]
    assert hana.post(f"{address}end/", {}, format="json").status_code == 409
    assert as_("mere").get("/api/webhooks/").status_code == 403
