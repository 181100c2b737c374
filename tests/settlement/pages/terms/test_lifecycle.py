"""Suspending, resuming and closing on the jackpot's page; what pages and displays say of it."""

import datetime as dt
import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from jackpot.display import values as display
from jackpot.models import DarkCall, Entry, Head
from jackpot.terms.money import MICROS
from settlement.models import Proposal
from tables.models import DisplayReading, GamingTable
from tables.protocol.messages import SessionClosed
from tests.support.cases.terms.seasons import QUADS
from tests.support.pages.page_staff import logged_in, page_of, refused, reply
from tests.support.people.cast import PASSWORD, ClaimHouse
from tests.support.play.books import royal_terms
from tests.support.suite.kept_house import kept_house

pytestmark = pytest.mark.django_db
PAGE = "/jackpots/main/house/"
OUT_OF_PLAY = re.compile(r'id="out-of-play">\s*JACKPOT NOT AVAILABLE')


def build_house() -> ClaimHouse:
    return ClaimHouse(house_terms())


house = kept_house(build_house, CLAIM_WAIT_S=0)


def house_terms() -> dict[str, Any]:
    terms = royal_terms() | {"funding": "players"}
    return terms | {"tiers": [*terms["tiers"], QUADS]}


def action(house: ClaimHouse, name: str, what: str, **fields: Any) -> str:
    reply(name, PAGE, do=what, **fields)
    house.post()
    return page_of(name, PAGE)


def board(house: ClaimHouse, table: str) -> str:
    display.refresh(house.system.pk)
    key = GamingTable.objects.get(code=table).display_key
    text: str = Client().get(f"/display/{key}/").content.decode()
    return text


def test_a_prize_is_suspended_with_a_reason_and_shown_everywhere(house: ClaimHouse) -> None:
    assert "Enter a reason" in refused("sione", PAGE, do="suspend", tier="royal", reason=" ")
    page = action(house, "sione", "suspend", tier="royal", reason="Displays are dark")
    assert "Royal Flush Suspended" in page
    assert "Suspended" in page_of("tane", "/")
    assert "Suspended" in page_of("tane", "/pools/")
    history = page_of("tane", "/terms/main/house/")
    assert "Suspended Displays are dark" in history
    assert "Royal Flush is not in play at present." in history
    message = display.compose(Head.objects.get(system=house.system), timezone.now()) or {}
    assert [tier["state"] for tier in message["tiers"]] == ["suspended", "open"]
    assert 'data-state="suspended"' in board(house, "t3")
    reply("sione", PAGE, do="suspend", tier="royal", reason="Again")
    house.post()
    assert "stands so already" in Entry.objects.latest("seq").outcome["refused"]
    house.hit_royal()
    assert "Suspended when the round began (R03)" in page_of("sione", "/claims/main/1/")
    page = action(house, "mere", "resume", tier="royal", reason="Mended")
    assert "Royal Flush In play" in page


def test_a_table_is_suspended_and_says_so(house: ClaimHouse) -> None:
    page = action(house, "sione", "suspend", table="t3", reason="The display is dark")
    assert "Table 3 Suspended" in page
    assert "House Jackpot is suspended at Table 3." in page_of("mere", "/")
    assert OUT_OF_PLAY.search(board(house, "t3"))
    assert not OUT_OF_PLAY.search(board(house, "t7"))
    assert "no such table" in refused("sione", PAGE, do="suspend", table="t99", reason="x")
    action(house, "sione", "resume", table="t3", reason="Mended")
    assert "is suspended at" not in page_of("mere", "/")


def test_a_table_that_its_dark_display_suspended_is_named_until_a_person_resumes_it(
    house: ClaimHouse,
) -> None:
    """19.7(c): on the overview, the table's page, its jackpot, the terms, the handover, the API."""
    house.decide("put_terms", terms=house_terms() | {"dark_minutes": 5})
    house.open("t3")
    house.post()
    table = GamingTable.objects.get(code="t3")
    now = timezone.now()
    since = now - dt.timedelta(minutes=6)
    reading = {"display": "d-3", "said_at": since, "system_seq": 1, "terms": 1, "shown": {}}
    DisplayReading.objects.create(table=table, received_at=since, **reading)
    DarkCall.objects.create(table=table, since=since, until=now)
    house.post()
    words = "Its display is dark: see that it is lit, then resume it."
    for page in ("/", "/tables/main/t3/", PAGE, "/handover/"):
        assert words in page_of("mere", page), page
    versions = page_of("tane", "/terms/main/house/")
    assert "Display dark: table suspended the console" in versions
    assert "Suspends its table after 5 min (19.7)" in versions
    assert OUT_OF_PLAY.search(board(house, "t3"))
    (row,) = logged_in("tane").get("/api/systems/main/").json()["tables"][0]["suspended"]
    assert (row["jackpot"], row["by"], row["display_lit"]) == ("house", "", False)
    assert dt.datetime.fromisoformat(row["dark_since"]) == since
    resume = {"do": "resume", "table": "t3", "reason": "A new cable"}
    assert "reads nothing back (19.7)" in refused("sione", PAGE, **resume)
    DisplayReading.objects.create(table=table, received_at=timezone.now(), **reading)
    for page in ("/", "/tables/main/t3/", PAGE):
        assert "was dark, and reads back again: resume it." in page_of("mere", page)
    assert "Table 3 Takes part" in action(
        house, "sione", "resume", table="t3", reason="A new cable"
    )
    assert "is suspended at" not in page_of("mere", "/")
    assert logged_in("tane").get("/api/systems/main/").json()["tables"][0]["suspended"] == []


def test_a_table_that_the_jackpot_no_longer_names_is_not_suspended_from_it(
    house: ClaimHouse,
) -> None:
    action(house, "sione", "suspend", table="t3", reason="It has no display")
    house.decide("put_terms", terms=house_terms() | {"tables": ["t7"]})
    assert "is suspended at" not in page_of("mere", "/")
    assert "is suspended at" not in page_of("mere", "/tables/main/t3/")
    assert not OUT_OF_PLAY.search(board(house, "t3"))


def test_two_people_close_a_prize(house: ClaimHouse) -> None:
    house.open("t3")
    house.post()
    closing = {"do": "close", "tier": "quads", "to": "tier:royal", "reason": "End of season"}
    assert "Table t3 is open" in refused("mere", PAGE, **closing)
    house.say("t3", SessionClosed)
    house.post()
    bad = closing | {"to": "account:operator"}
    assert "does not go to the operator" in refused("mere", PAGE, **bad)
    page = reply("mere", PAGE, **closing)
    assert "mere proposes to close Quads" in page
    assert "You proposed this" in page
    assert "mere proposes to close a prize" in page_of("david", "/")
    assert "proposed already" in refused("david", PAGE, **closing)
    agree = f"/proposals/{Proposal.objects.get().pk}/agree/"
    assert "Your role does not allow this" in reply("sione", agree, password=PASSWORD)
    reply("david", agree, password=PASSWORD)
    house.post()
    assert house.balance("royal:pool") == (1000 + 50) * MICROS
    page = page_of("tane", PAGE)
    assert "Quads was closed; its pools went to Royal Flush." in page
    pools = page_of("tane", "/pools/")
    assert "Quads No longer posted" in pools
    assert "Prize closed: to the pool of another" in page_of("tane", "/pools/main/quads/")
    assert "From the pool of a prize that was closed" in page_of("tane", "/pools/main/royal/")


def test_only_those_who_may(house: ClaimHouse) -> None:
    assert "does not allow" in refused("aroha", PAGE, do="suspend", tier="royal", reason="x")
    assert "does not allow" in refused(
        "sione", PAGE, do="close", tier="quads", to="tier:royal", reason="x"
    )
    assert "Suspend" not in page_of("aroha", PAGE).split("Prize")[2]
    assert logged_in("mere").get("/jackpots/main/none/").status_code == 404


def test_displays_that_have_not_read_the_new_terms_back_are_named(house: ClaimHouse) -> None:
    def reads(table: str, terms: int, age: int = 0) -> None:
        DisplayReading.objects.create(
            table=GamingTable.objects.get(code=table),
            display=f"d-{table}",
            said_at=timezone.now(),
            received_at=timezone.now() - dt.timedelta(seconds=age),
            system_seq=house.head.seq + terms,
            terms=terms,
            shown={},
        )

    reads("t3", 1)
    page = page_of("tane", "/terms/main/house/")
    assert "Table 3 Terms read back" in page
    assert "Table 7 No data yet" in page
    action(house, "sione", "suspend", tier="royal", reason="Displays are dark")
    assert "Table 3 Not yet: shows earlier terms" in page_of("tane", "/terms/main/house/")
    reads("t3", 2)
    assert "Table 3 Terms read back" in page_of("tane", "/terms/main/house/")


@pytest.mark.parametrize("page", [PAGE, "/terms/main/house/", "/drafts/main/house/"])
def test_more_tables_and_versions_ask_for_no_more(house: ClaimHouse, page: str) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    client = logged_in("mere")
    action(house, "sione", "suspend", table="t7", reason="It has no display")
    client.get(page)
    with CaptureQueriesContext(connection) as few:
        assert client.get(page).status_code == 200
    for number in range(20, 26):
        code = f"t{number}"
        GamingTable.objects.create(system=house.system, code=code, name=f"Table {number}")
        action(house, "sione", "suspend", table=code, reason="It is not there yet")
    with CaptureQueriesContext(connection) as many:
        assert client.get(page).status_code == 200
    assert len(many) <= len(few)
