"""A table that moves: its page before, between and after; lists show it under what it was then."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from settlement.models import Proposal
from tables.models import GamingTable
from tables.protocol import messages
from tests.support.houses.two_systems import TwoSystems
from tests.support.pages.page_staff import logged_in, page_of, post, reply
from tests.support.people.cast import PASSWORD
from tests.support.suite.kept_house import kept_house

pytestmark = pytest.mark.django_db
PAGE, THERE = "/tables/main/t3/", "/tables/high/h1/"
FORM = {"to_system": "high", "to_table": "h1", "reason": "The room is full"}


house = kept_house(TwoSystems, CLAIM_WAIT_S=0)


def test_from_the_form_to_the_other_system(house: TwoSystems) -> None:
    assert "Move this table" in page_of("mere", PAGE)
    for name in ("tane", "aroha"):
        assert "Move to another system" not in page_of(name, PAGE)
    page = reply("mere", f"{PAGE}move/", **FORM)
    assert "Proposed: nothing moves until somebody else approves it" in page
    assert "mere proposes to move this table to High limit room , there as h1" in page
    assert "You proposed this" in page
    assert "mere proposes to move a table to another system" in page_of("david", "/")
    assert "move a table to another system: Table 3, Main floor" in page_of("david", "/handover/")
    agree = f"/proposals/{Proposal.objects.get().pk}/agree/"
    assert "Approve transfer" not in page_of("sione", PAGE)
    assert "That is not your password" in reply("david", agree, password="guess")
    assert "Agreed and queued" in reply("david", agree, password=PASSWORD)
    house.post()
    assert "The table left at sequence no." in page_of("sione", PAGE)
    assert "Finish the move" not in page_of("sione", PAGE)
    assert logged_in("sione").post(f"{PAGE}move/finish/").status_code == 403
    page = reply("mere", f"{PAGE}move/finish/")
    assert "The table is in the other system now." in page
    assert "This table moved to Table 3, High limit room at sequence no." in page
    assert "set the unit to high/h1" in page
    assert "Table opened" in page  # what it said here stays here
    house.post()
    page = page_of("tane", THERE)
    assert "This table came from Table 3, Main floor" in page
    assert "No events from this table yet" in page


def test_what_is_in_the_way_is_said_before_anybody_asks(house: TwoSystems) -> None:
    house.open("t3")
    house.post()
    house.hear("t3")
    page = page_of("mere", PAGE)
    assert "Not now: The table is open: close its session on the handset." in page
    assert "Move this table" not in page
    assert "The table is open" in reply("mere", f"{PAGE}move/", **FORM)
    assert post("mere", f"{PAGE}move/", **FORM | {"to_system": "main"}).status_code == 404
    assert "Your role does not allow this" in reply("aroha", f"{PAGE}move/", **FORM)


def test_lists_show_the_table_under_the_system_that_it_had(house: TwoSystems) -> None:
    key = GamingTable.objects.get(code="t3").display_key
    house.move()
    page = page_of("tane", "/tables/")
    assert "Table 3 Moved to High limit room" in page
    assert "Units online 0 of 2" in page  # t7, and the table where it is now
    house.say("t3", messages.RoundStarted, round=9)
    assert "A table that moved to another system" in page_of("tane", "/quarantine/")
    assert "A table that moved to another system once" in page_of("tane", "/handover/")
    terms = page_of("tane", "/terms/main/house/")
    assert "Table moved to another system The room is full" in terms
    assert "Table 3" not in page_of("mere", "/jackpots/main/house/")
    board = Client().get(f"/display/{key}/").content.decode()
    assert re.search(r'id="out-of-play">\s*JACKPOT NOT AVAILABLE', board)
    pages = logged_in("mere").get("/staff-at-play/").content.decode()
    assert pages.count("Table 3") == 1  # to sit down at where it is now, and not where it was


def test_moved_tables_ask_for_no_more(house: TwoSystems) -> None:
    client = logged_in("mere")

    def queries_of(address: str) -> int:
        client.get(address)
        with CaptureQueriesContext(connection) as queries:
            assert client.get(address).status_code == 200
        return len(queries)

    before = queries_of("/tables/"), queries_of("/tables/main/t7/")
    house.move()
    for number in range(3):
        GamingTable.objects.create(system=house.high, code=f"x{number}", name="x")
    assert queries_of("/tables/") <= before[0]
    assert queries_of("/tables/main/t7/") <= before[1] <= 30
    assert queries_of(PAGE) <= before[1]
    assert queries_of(THERE) <= before[1]
