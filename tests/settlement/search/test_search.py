"""Find anything: what each kind is found by, by whom, and that every query goes by an index."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from jackpot.terms.money import MICROS
from settlement.core.errors import NotPermitted
from settlement.people.rights import roles
from settlement.search.search import search
from tables.models import Casino, GamingTable, JackpotSystem
from tests.support.cases.claims.asked_for import identify
from tests.support.cases.confirmed_house import ConfirmedHouse, person
from tests.support.pages.page_staff import logged_in, words
from tests.support.people.cast import PASSWORD, as_
from tests.support.people.roles import owner_without_guards
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]

CLAIM = "/claims/main/1/"


def build_house() -> ConfirmedHouse:
    """One claim, paid; a second table of a longer name; a player who is identified."""
    house = ConfirmedHouse()
    identify()
    body = {"line": 1, "parts_micros": {"cash": house.amount}, "password": PASSWORD}
    assert house.amount % MICROS == 0
    answer = as_("aroha").post("/api/claims/main-1/pay/", body, format="json")
    assert answer.status_code in (200, 202), answer.content
    house.post()
    GamingTable.objects.create(system=house.system, code="t31", name="Table 31 by the bar")
    User.objects.filter(username="mere").update(first_name="Mere", last_name="Tamati")
    return house


house = kept_house(build_house)


def results(name: str, text: str) -> dict[str, list[tuple[str, str]]]:
    """By group: label and address of what that person finds."""
    return {
        group.title: [(each.label, each.address) for each in group.results]
        for group in search(person(name), text)
    }


def test_the_ways_in_which_the_floor_names_things(house: ConfirmedHouse) -> None:
    for text in ("main 1", "MAIN-1", "claim 1", "1", "Main #1"):
        assert results("tane", text)["Claims"] == [("MAIN-1", CLAIM)], text
    assert results("tane", "main-1-1-1") == {"Slips": [("MAIN-1-1-1", f"{CLAIM}#payees")]}
    number = house.rounds["t3"]
    for text in (f"t3 {number}", f"table 3 round {number}", f"main t3 {number}"):
        ((label, address),) = results("tane", text)["Rounds"]
        assert label == f"Round {number} of Table 3"
        page = words(logged_in("tane").get(address))
        assert f" {number} " in page.partition("Table events")[2], text
    tables = [("Table 3", "/tables/main/t3/"), ("Table 31 by the bar", "/tables/main/t31/")]
    assert results("tane", "t3")["Tables"] == results("tane", "table 3")["Tables"] == tables
    assert results("tane", "bar")["Tables"] == tables[1:]
    assert results("tane", "royal")["Prizes"] == [("Royal Flush", "/pools/main/royal/")]
    assert results("mere", "tam")["People"] == [("Mere Tamati", "/people/log-in/mere/")]
    assert ("Drop and bank", "/drop/") in results("tane", "drop")["Pages"]
    assert ("Transparency log", "/log/") in results("tane", "log")["Pages"]
    assert results("tane", "19.7")["Help"][0] == ("19.7", "/help/#rule-19-7")
    assert ("gaming day", "/help/#term-gaming-day") in results("tane", "trading day")["Help"]
    entry = house.hit(1).place
    assert results("tane", f"entry {entry}")["Order"] == [(f"MAIN, sequence no. {entry}", CLAIM)]
    ((_, ledger),) = results("ines", "main entry 1")["Order"]  # terms: they moved money alone
    assert ledger.startswith("/reports/ledger/?")
    assert "No. 1" not in words(logged_in("ines").get(ledger))
    assert results("tane", "") == results("tane", "zzz 7") == {}


def test_each_finds_what_their_role_opens(house: ConfirmedHouse) -> None:
    assert "Order" not in results("tane", "main entry 1")  # opens no reports
    assert results("aroha", "mere") == {}
    assert "People" in results("ines", "mere")
    assert "Reports" not in str(results("aroha", "roll"))
    assert len(results("ines", "roll")["Pages"]) > len(results("aroha", "roll")["Pages"])
    apart = results("hana", "main 1") | results("hana", "t3 1") | results("hana", "royal")
    assert not {"Claims", "Slips", "Rounds", "Order", "Tables", "Prizes"} & apart.keys()
    assert ("Set-up", "/set-up/") in results("hana", "set")["Pages"]
    with pytest.raises(NotPermitted):
        search(person("nobody"), "main 1")


def test_nothing_of_another_casino_and_no_player(house: ConfirmedHouse) -> None:
    alpine = Casino.objects.create(code="alpine", name="Alpine", currency="NZD")
    JackpotSystem.objects.create(casino=alpine, code="alpine", name="Alpine floor")
    User.objects.create(username="stranger")
    for role in roles.ROLES:
        roles.grant(person("stranger"), role, alpine)
    for text in ("main 1", "1", "main-1-1-1", "t3 1", "t3", "royal", "mere", "entry 1"):
        found_there = results("stranger", text).keys() - {"Pages", "Help"}
        assert not found_there, text
    assert "People" in results("stranger", "stranger")
    for text in ("Rua", "Tane Rua", "N-1"):  # the player whom `identify` entered
        assert "Rua" not in str(results("mere", text) | results("aroha", text))


def test_the_page_needs_no_script_and_the_palette_reads_its_part(house: ConfirmedHouse) -> None:
    tane = logged_in("tane")
    page = tane.get("/search/", {"q": "main 1"})
    assert f'href="{CLAIM}"' in page.content.decode()
    assert "Claims MAIN-1" in words(page)
    assert "No match" in words(tane.get("/search/", {"q": "zzz"}))
    assert "No match" not in words(tane.get("/search/"))
    part = tane.get("/search/", {"q": "<main> 1"}, headers={"X-Console-Palette": "1"})
    assert "<html" not in part.content.decode()
    part = tane.get("/search/", {"q": "main 1"}, headers={"X-Console-Palette": "1"})
    assert part.content.decode().count('role="option"') == 1
    for name in ("tane", "hana"):
        front = logged_in(name).get("/help/").content.decode()
        assert 'id="rule-19-7"' in front
        assert front.count("data-search") == 2
    assert "data-search" not in logged_in("nobody").get("/account/").content.decode()
    assert logged_in("nobody").get("/search/").status_code == 403


# --- every query by an index -------------------------------------------------------------------

MANY = 4_000
# A row as it is, again and again under other keys.
_COPIES = {
    "tables_gamingtable": "'id', 10000 + n, 'code', 'x' || n, 'name', 'Spare-x' || n,"
    " 'display_key', 'k' || n",
    "auth_user": "'id', 10000 + n, 'username', 'u' || n, 'last_name', 'Spare-x' || n",
    "jackpot_roundstate": "'round', 10000 + n",
    "jackpot_entry": "'seq', 10000 + n, 'event_id', NULL, 'command', NULL, 'hit', NULL",
    "jackpot_hit": "'number', 10000 + n, 'round', 10000 + n",
    "settlement_claim": "'id', 10000 + n, 'number', 10000 + n",
    "settlement_payout": "'id', 10000 + n, 'claim_id', 10000 + n",
    "settlement_action": "'id', 10000 + n, 'claim_id', 10000 + n, 'key', gen_random_uuid()",
    "settlement_identification": "'id', 10000 + n, 'claim_id', 10000 + n, 'key', gen_random_uuid()",
}


def grow() -> None:
    """Tables in which the planner sees a reason to go by an index."""
    with connection.cursor() as cursor:
        for table, keys in _COPIES.items():
            with owner_without_guards(table):
                cursor.execute(
                    f"INSERT INTO {table} SELECT (jsonb_populate_record(NULL::{table},"
                    f" to_jsonb(one) || jsonb_build_object({keys}))).*"
                    f" FROM (SELECT * FROM {table} LIMIT 1) AS one, generate_series(1, {MANY}) AS n"
                )
        cursor.execute("ANALYZE")


def scans(plan: Any) -> list[tuple[str, str]]:
    """Every scan of a table in a plan: how, and of which table."""
    nodes = [(plan["Node Type"], plan.get("Relation Name", ""))]
    for part in plan.get("Plans", ()):
        nodes += scans(part)
    return nodes


def test_every_query_goes_by_an_index(house: ConfirmedHouse) -> None:
    grow()
    texts = ("main 1", "1", "main-1-1-1", "t3 1", "x17", "royal", "mere", "main entry 1")
    with CaptureQueriesContext(connection) as queries:
        for text in texts:
            for name in ("ines", "mere"):
                search(person(name), text)
    statements = {each["sql"] for each in queries if each["sql"].startswith("SELECT")}
    tables, slow = set(), []
    with connection.cursor() as cursor:
        for query in statements:
            cursor.execute(f"EXPLAIN (FORMAT JSON) {query}")
            (plan,) = cursor.fetchone()
            plan = json.loads(plan) if isinstance(plan, str) else plan
            nodes = scans(plan[0]["Plan"])
            tables |= {table for _, table in nodes}
            slow += [
                (table, query) for how, table in nodes if how == "Seq Scan" and table in _COPIES
            ]
    assert not slow
    assert tables >= _COPIES.keys() - {"settlement_identification"}
