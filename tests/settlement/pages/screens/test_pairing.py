"""A screen is paired by its code, shows what it is told to, and is off once it is removed."""

import asyncio
import datetime as dt
import json

import pytest
from django.conf import settings
from django.db import ProgrammingError, transaction
from django.test import Client
from django.utils import timezone

from jackpot.display import values as display
from jackpot.models import Screen, ScreenRequest
from jackpot.screens import pairing, views
from settlement.core.errors import BadSetUp, NotPermitted, WrongState
from settlement.models import SetUpChange
from settlement.screens import screens as service
from tables.models import Casino, JackpotSystem
from tests.support.cases.confirmed_house import person
from tests.support.pages.page_staff import logged_in, page_of, refused, reply
from tests.support.pages.screens import asking, paired, screen_values
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import acting_as
from tests.support.suite.databases import FreshDatabase
from tests.support.suite.kept_house import kept_house

pytestmark = pytest.mark.usefixtures("no_writer")
FORM = {
    "code": "",
    "name": "Lobby 1",
    "place": "Entrance",
    "casino": "harbour",
    "layouts": ["main", "tiers"],
    "seconds": "15",
    "turn": "0",
}
REPORT = {
    "version": 1,
    "layout": "main",
    "width": 3840,
    "height": 2160,
    "stale": None,
    "slide": None,
    "win": [],
    "shown": [{"system": "main", "tier": "royal", "value": 100000}],
}

UNFIT = [
    json.dumps({**REPORT, **bad})
    for bad in (
        {"layout": "x"},
        {"stale": "yesterday"},
        {"win": ["main", "\0"]},
        {"shown": [{"system": "\0", "tier": "royal", "value": 1}]},
    )
]


def build_house() -> ClaimHouse:
    house = ClaimHouse()
    display.refresh(house.system.pk)
    return house


house = kept_house(build_house)


def test_from_the_code_to_values_and_off_again(house: ClaimHouse) -> None:
    casino = Casino.objects.get().code
    screen = asking()
    page = screen.get("/screen/").content.decode()
    assert "waits to be paired" in page
    assert screen.get("/screen/content").status_code == 410
    code = screen.post("/screen/code", headers={"X-Screen": "1"}).json()["code"]
    assert len(code) == 9  # the same again, with a hyphen

    typed = f" {code.lower()} "
    after = reply("hana", "/screens/", **{**FORM, "code": typed, "casino": casino})
    assert "The screen is paired" in after
    assert not ScreenRequest.objects.exists()
    assert screen.post("/screen/code", headers={"X-Screen": "1"}).json() == {"paired": True}
    assert "data-stream" in screen.get("/screen/").content.decode()
    content = screen.get("/screen/content").json()
    assert content["layouts"] == ["main", "tiers"]
    assert [each["code"] for each in content["systems"]] == ["main"]
    assert content["systems"][0]["display"]["tiers"][0]["tier"] == "royal"

    assert "Not seen yet" in page_of("hana", "/screens/")
    response = screen.post("/screen/report", json.dumps(REPORT), content_type="application/json")
    assert response.status_code == 204
    page_words = page_of("hana", "/screens/")
    assert "Shows values" in page_words
    assert "3840 × 2160" in page_words
    row = Screen.objects.get()
    picture = logged_in("hana").get(f"/screens/{row.pk}/shows/").content.decode()
    assert '"layout": "main"' in picture
    assert '"value": 100000' in picture

    changed = {**FORM, "do": "change", "layouts": ["lobby"], "name": "Lobby 2", "turn": "90"}
    assert "Saved" in reply("hana", f"/screens/{row.pk}/", **changed)
    assert screen.get("/screen/content").json()["version"] == 2
    assert "Takes over the change" in page_of("hana", "/screens/")

    reply("hana", f"/screens/{row.pk}/", do="remove")
    assert screen.get("/screen/content").status_code == 410
    assert screen.post("/screen/report", "{}", content_type="application/json").status_code == 410
    assert "waits to be paired" in screen.get("/screen/").content.decode()
    changes = SetUpChange.objects.filter(kind="screen").order_by("id")
    assert [(each.what, each.by, each.subject) for each in changes] == [
        ("made", "hana", "Lobby 1"),
        ("changed", "hana", "Lobby 2"),
        ("changed", "hana", "Lobby 2"),
    ]
    assert changes[1].after == {"name": "Lobby 2", "layouts": ["lobby"], "turn": 90}
    assert changes[2].after == {"is_ended": True}
    assert "digest" not in changes[0].after


def test_a_code_is_guessed_by_nobody(house: ClaimHouse) -> None:
    asking()
    hana, casino = person("hana"), Casino.objects.get()
    for _ in range(service.CODES_PER_MINUTE):
        with pytest.raises(WrongState, match="No screen shows this code"):
            service.pair(hana, casino, "BBBB-BBBB", screen_values())
    real = ScreenRequest.objects.get().code
    with pytest.raises(WrongState, match="Too many codes"):
        service.pair(hana, casino, real, screen_values())
    stranger = Client()
    again = [stranger.post("/screen/code", headers={"X-Screen": "1"}).status_code for _ in range(3)]
    assert again == [200] * 3  # the cookie brings the same code
    codes = [Client().post("/screen/code", headers={"X-Screen": "1"}) for _ in range(9)]
    assert [each.status_code for each in codes[-2:]] == [200, 429]
    assert Client().post("/screen/code").status_code == 403


def test_a_code_ends_and_so_do_floods(house: ClaimHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    client = asking()
    ScreenRequest.objects.update(expires_at=timezone.now() - dt.timedelta(seconds=1))
    code = ScreenRequest.objects.get().code
    with pytest.raises(WrongState):
        service.pair(person("hana"), Casino.objects.get(), code, screen_values())
    assert client.post("/screen/code", headers={"X-Screen": "1"}).json()["code"] != code
    assert ScreenRequest.objects.count() == 1
    monkeypatch.setattr(pairing, "MOST_WAITING", 1)
    flooded = Client().post("/screen/code", headers={"X-Screen": "1"})
    assert flooded.status_code == 503


def test_one_address_does_not_take_up_all_requests(house: ClaimHouse) -> None:
    for _ in range(pairing.MOST_OF_ONE):
        pairing.request_code("2001:db8:1:2::1")
    with pytest.raises(pairing.TooMany):
        pairing.request_code("2001:db8:1:2:9::2")  # of the same line
    assert asking()


def test_after_a_change_the_stream_ends_and_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else values of systems that were added never come."""

    class Changed:
        async def version(self, _screen: int) -> int:
            return 2

    monkeypatch.setattr(views, "watch", Changed())

    async def all_events() -> list[bytes]:
        return [each async for each in views._events(Screen(pk=1, version=1), [])]

    release, event = asyncio.run(asyncio.wait_for(all_events(), 20))
    assert release.startswith(b"event: release")
    assert event.startswith(b"event: content")


def test_who_may_not_pairs_nothing(house: ClaimHouse) -> None:
    client, screen = paired("mere")  # a casino manager may
    for name in ("sione", "aroha", "ines"):
        assert logged_in(name).get("/screens/").status_code == 403
        with pytest.raises(NotPermitted):
            service.remove(person(name), screen)
    asking()
    code = ScreenRequest.objects.get().code
    with pytest.raises(NotPermitted):
        service.pair(person("sione"), Casino.objects.get(), code, screen_values())
    assert client.get("/screens/").status_code == 302  # its cookie opens no page of the console
    assert client.get("/api/systems/").status_code in (401, 403)


def test_what_does_not_fit_is_refused(house: ClaimHouse) -> None:
    _, screen = paired()
    for bad in ({"name": " "}, {"layouts": ()}, {"layouts": ("x",)}, {"seconds": 1}, {"turn": 5}):
        with pytest.raises(BadSetUp):
            service.change(person("hana"), screen, screen_values(**bad))
    other = Casino.objects.create(code="other", name="Other", currency="NZD")
    elsewhere = JackpotSystem.objects.create(casino=other, code="else", name="Else")
    with pytest.raises(BadSetUp, match="systems of this casino"):
        service.change(person("hana"), screen, screen_values(systems=(elsewhere,)))
    words = refused("hana", f"/screens/{screen.pk}/", do="change", turn="7")
    assert "Select a valid choice. 7 is not one of the available choices." in words


def test_a_page_of_an_older_release_is_named(house: ClaimHouse) -> None:
    client, screen = paired()
    for release, expected in (("0.0.9", True), (settings.CONSOLE_VERSION, False)):
        body = json.dumps({**REPORT, "release": release})
        client.post("/screen/report", body, content_type="application/json")
        words = f"Page of release {release}: it loads itself again"
        assert (words in page_of("hana", "/screens/")) == expected
        assert release in page_of("hana", f"/screens/{screen.pk}/")


def test_a_report_that_is_none_is_refused(house: ClaimHouse) -> None:
    client, _ = paired()
    for body in ("{", "{}", json.dumps({**REPORT, "more": 1}), "x" * 20_000, *UNFIT):
        answer = client.post("/screen/report", body, content_type="application/json")
        assert answer.status_code == 400, body[:40]


def test_the_database_asks_who_pairs(fresh_database: FreshDatabase) -> None:
    ClaimHouse()
    hana, casino = person("hana"), Casino.objects.get()
    with acting_as("web", logged_in=False):
        asking()
        code = ScreenRequest.objects.get().code
        with pytest.raises(ProgrammingError, match="is not there"), transaction.atomic():
            service.pair(hana, casino, code, screen_values())
        with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
            Screen.objects.update(name="mine")
    with acting_as("web"):
        screen = service.pair(hana, casino, code, screen_values())
        service.change(hana, screen, screen_values(name="Bar"))
        service.remove(hana, screen)
        with pytest.raises(WrongState):
            service.remove(hana, screen)
