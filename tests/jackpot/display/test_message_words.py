"""Messages of hits are read in the language of the house; what the wire says stays English."""

import asyncio
import json
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from jackpot.display import values as display
from jackpot.display import views
from jackpot.display.live import Message
from jackpot.display.message_words import in_language
from tables.models import Casino, GamingTable
from tests.support.cases.confirmed_house import ConfirmedHouse
from tests.support.people.cast import REASON
from tests.support.play.books import royal_terms
from tests.support.play.house import House

GERMAN = {
    "reported": "JACKPOT GEMELDET, TABLE 3, WARTET AUF BESTÄTIGUNG",
    "not_confirmed": "ROYAL FLUSH, TABLE 3: NICHT BESTÄTIGT",
    "win": "ROYAL FLUSH GEWONNEN, TABLE 3: NZD 1.001,00",
}


def texts(payload: Any) -> list[str]:
    return [message["text"] for message in payload["messages"]]


def held() -> House:
    house = House(royal_terms())
    house.open("t3")
    house.press("t3")
    house.call("t3")
    house.post()
    return house


def decided(kind: str) -> House:
    if kind == "win":
        return ConfirmedHouse()
    house = held()
    if kind == "not_confirmed":
        assert not house.decide("reject_claim", hit=1, **REASON).refused
    return house


@pytest.mark.django_db
@pytest.mark.parametrize("kind", GERMAN)
def test_what_the_wire_says_of_a_hit_is_read_in_german(kind: str) -> None:
    house = decided(kind)
    display.refresh(house.system.pk)
    message = display.current(house.system.pk)
    assert message is not None
    with translation.override("en"):
        assert texts(in_language(message, {})) == texts(message)
    with translation.override("de"):
        assert texts(in_language(message, {})) == [GERMAN[kind]]
        own = texts(in_language(message, {"royal": "Königsflush"}))
    assert own == [GERMAN[kind].replace("ROYAL FLUSH", "KÖNIGSFLUSH")]


def message(kind: str, text: str, tier: str | None = "royal") -> dict[str, Any]:
    tiers = [{"tier": "royal", "name": "Royal, big"}]
    return {"tiers": tiers, "messages": [{"kind": kind, "text": text, "tier": tier}]}


@pytest.mark.parametrize(
    ("kind", "text", "german"),
    [
        (
            "win",
            "ROYAL, BIG WIN, TABLE 3, EAST: THE POOL WAS EMPTY",
            "ROYAL, BIG GEWONNEN, TABLE 3, EAST: DER POOL WAR LEER",
        ),
        (
            "win",
            "ROYAL, BIG WIN, VIP: EAST: NZD 25,046.00",
            "ROYAL, BIG GEWONNEN, VIP: EAST: NZD 25.046,00",
        ),
        (
            "reported",
            "ROYAL, BIG, TABLE 3, AWAITING CONFIRMATION",
            "ROYAL, BIG, TABLE 3, WARTET AUF BESTÄTIGUNG",
        ),
        ("promo", "HAPPY HOUR", "HAPPY HOUR"),  # words of the house are its own
        ("win", "SOMETHING NEWER", "SOMETHING NEWER"),
    ],
)
def test_names_with_marks_of_their_own_are_told_apart(kind: str, text: str, german: str) -> None:
    with translation.override("de"):
        assert texts(in_language(message(kind, text), {})) == [german]


def test_a_prize_that_nobody_knows_yet() -> None:
    with translation.override("zh-hans"):
        display = in_language(message("not_confirmed", "JACKPOT, TABLE 3: NOT CONFIRMED", None), {})
    assert texts(display) == ["累积奖金，TABLE 3：未获确认"]


@pytest.mark.django_db
def test_a_display_and_its_stream_speak_as_the_house_does() -> None:
    house = held()
    Casino.objects.update(language="de")
    display.refresh(house.system.pk)
    key = GamingTable.objects.get(code="t3").display_key
    assert GERMAN["reported"] in Client().get(f"/display/{key}/").content.decode()
    source = views._shown_at(key)
    assert source is not None
    assert (source.system, source.language) == (house.system.pk, "de")


def test_a_stream_says_it_in_its_own_language(monkeypatch: pytest.MonkeyPatch) -> None:
    class Listener:
        async def __aenter__(self) -> "Listener":
            return self

        async def __aexit__(self, *_: object) -> None:
            return None

        async def next_messages(self, _wait: float) -> list[Message]:
            text = "JACKPOT REPORTED, TABLE 3, AWAITING CONFIRMATION"
            return [Message(message("reported", text) | {"at": "2026-11-21T03:14:05+00:00"})]

    monkeypatch.setattr(views.feed, "listen", lambda _systems: Listener())

    async def first(language: str) -> dict[str, Any]:
        async for event in views._events([1], language, {}):
            if event.startswith(b"event: release"):
                continue
            content: dict[str, Any] = json.loads(event.partition(b"data: ")[2])
            return content
        raise AssertionError

    assert texts(asyncio.run(first("de"))) == [GERMAN["reported"]]
    assert "AWAITING" in texts(asyncio.run(first("en")))[0]
