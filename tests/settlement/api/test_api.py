"""What the API shows: systems, pools, claims, and its own schema."""

import base64
import datetime as dt
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from jackpot.display import values as display
from jackpot.models import Head
from jackpot.terms.money import MICROS
from settlement.claims import services as claims
from settlement.models import Claim
from settlement.people.rights.permissions import Reauthenticated
from tables.models import GamingTable, JackpotSystem, UnitPresence
from tests.support.people.cast import ALL_YES, PASSWORD, ClaimHouse, action, as_, read, rows_of
from tests.support.play.books import royal_terms
from tests.support.suite.kept_house import kept_house

ADDRESSES = ("/api/systems/", "/api/systems/main/", "/api/pools/", "/api/claims/")
CLAIM = "/api/claims/main-1/"


house = kept_house(ClaimHouse, CLAIM_WAIT_S=0)


def queries_of(address: str) -> int:
    client = as_("tane")
    with CaptureQueriesContext(
        connection,
    ) as captured:
        assert client.get(address).status_code == 200
    return len(captured)


@pytest.mark.parametrize("address", ADDRESSES)
def test_nobody_reads_without_logging_in(house: ClaimHouse, address: str) -> None:
    answer = APIClient().get(address)
    assert answer.status_code == 401
    assert answer["WWW-Authenticate"] == 'Session realm="api"'  # no browser asks its person
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json() == {
        "type": "/api/problems/#not_authenticated",
        "title": "Not authenticated",
        "status": 401,
        "instance": address,
        "code": "not_authenticated",
        "rule": "",
        "detail": "Nobody is logged in: send an access token, or name and password.",
    }


def test_programs_log_in_with_name_and_password(house: ClaimHouse) -> None:
    def answer(password: str) -> Any:
        credentials = base64.b64encode(f"tane:{password}".encode()).decode()
        return APIClient().get("/api/claims/", headers={"Authorization": f"Basic {credentials}"})

    assert answer(PASSWORD).status_code == 200
    for _ in range(4):
        wrong = answer("guess")
        assert (wrong.status_code, wrong.json()["code"]) == (401, "authentication_failed")
        assert wrong["WWW-Authenticate"] == 'Basic realm="api"'
    for password in ("guess", PASSWORD):
        locked = answer(password)
        assert (locked.status_code, locked.json()["code"]) == (429, "locked_out")
        assert locked["Retry-After"] == "900"


def test_claims_are_for_roles_that_may_view_them(house: ClaimHouse) -> None:
    house.hit_royal()
    for address in ("/api/claims/", CLAIM):
        answer = as_("nobody").get(address)
        assert (answer.status_code, answer.json()["code"]) == (403, "not_permitted")
    for name in ("sione", "mere", "aroha", "tane", "ines"):
        assert read(CLAIM, name)["claim"] == "main-1"


def test_a_system_with_its_tables_and_live_tiers(house: ClaimHouse) -> None:
    now = timezone.now()
    t3, t7 = GamingTable.objects.order_by("code")
    UnitPresence.objects.create(table=t3, online=True, heard_at=now)
    UnitPresence.objects.create(table=t7, online=True, heard_at=now - dt.timedelta(minutes=1))
    house.open("t3")
    house.press("t3")
    house.post()
    system = read("/api/systems/main/")
    assert rows_of("/api/systems/") == [system]
    assert (system["casino"], system["currency"], system["head_seq"]) == ("harbour", "NZD", 3)
    assert (system["halted"], system["halted_at"], system["halted_on"]) == (False, None, "")
    assert [(t["code"], t["online"]) for t in system["tables"]] == [("t3", True), ("t7", False)]
    assert dt.datetime.fromisoformat(system["tables"][0]["heard_at"]) == now
    assert not {"display_key", "mac_key"} & system["tables"][0].keys()
    (tier,) = system["tiers"]
    assert (tier["tier"], tier["value_micros"]) == ("royal", 1000 * MICROS + MICROS // 2)


def test_a_halted_system_says_so(house: ClaimHouse) -> None:
    Head.objects.update(halted_at=timezone.now(), halted_on="round_started (t3)")
    system = read("/api/systems/main/")
    assert (system["halted"], system["halted_on"]) == (True, "round_started (t3)")
    assert as_("tane").get("/api/systems/other/").status_code == 404


def test_a_system_that_nobody_has_posted_yet(house: ClaimHouse) -> None:
    JackpotSystem.objects.create(casino=house.system.casino, code="new", name="New")
    system = read("/api/systems/new/")
    assert (system["head_seq"], system["halted"], system["tables"], system["tiers"]) == (
        0,
        False,
        [],
        [],
    )


def test_every_tier_has_its_pool(house: ClaimHouse) -> None:
    house.hit_royal()
    terms = royal_terms() | {"evidence": {}}
    quads = royal_terms(code="quads", name="Quads", rank=2, reset=200 * MICROS)["tiers"]
    house.decide("put_terms", terms={**terms, "tiers": [*terms["tiers"], *quads]})
    royal, quads = rows_of("/api/pools/")
    assert royal == {
        "system": "main",
        "currency": "NZD",
        "jackpot": "house",
        "tier": "royal",
        "name": "Royal Flush",
        "rank": 1,
        "value_micros": 1000 * MICROS,
        "held_micros": 1001 * MICROS,
        "reset_micros": 1000 * MICROS,
        "terms": 2,
    }
    assert (quads["tier"], quads["value_micros"]) == ("quads", 200 * MICROS)
    assert read("/api/systems/main/")["tiers"] == [royal, quads]
    assert rows_of("/api/pools/?system=main") == [royal, quads]
    assert rows_of("/api/pools/?system=other") == []


def test_claims_by_system_table_tier_and_standing(house: ClaimHouse) -> None:
    house.hit_royal("t3")
    house.open("t7")
    house.press("t7")
    house.call("t7", tier=None)
    house.post()
    action("sione", "verify", answers=ALL_YES)

    def claims_of(query: str) -> list[tuple[str, str]]:
        rows = read(f"/api/claims/?{query}")["results"]
        return [(row["claim"], row["standing"]) for row in rows]

    first, second = ("main-1", "verified"), ("main-2", "called")
    assert claims_of("") == [second, first]
    assert claims_of("system=main") == [second, first]
    assert claims_of("system=other") == []
    assert claims_of("table=t7") == [second]
    assert claims_of("tier=royal") == [first]
    assert claims_of("standing=verified") == [first]
    assert claims_of("standing=verified&standing=called") == [second, first]
    assert claims_of("standing=rejected") == []
    assert claims_of("limit=1") == [second]
    answer = as_("tane").get("/api/claims/?standing=lost")
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    newest = read("/api/claims/")["results"][0]
    assert (newest["tier"], newest["held_micros"], newest["place"]) == (None, 0, 8)


def test_one_claim_with_all_that_is_known_of_it(house: ClaimHouse) -> None:
    display.refresh(house.system.pk)
    house.hit_royal()
    claim: dict[str, Any] = read(CLAIM)
    assert (claim["place"], claim["table"], claim["round"]) == (4, "t3", 1)
    assert dt.datetime.fromisoformat(claim["at"]) == house.hit(1).at
    assert claim["values_micros"] == {"royal": 1000 * MICROS + MICROS // 2}
    assert (claim["shown_micros"], claim["shown_seq"]) == ({"royal": 1000 * MICROS}, 1)
    assert claim["held_micros"] == claim["safe_micros"] == claim["most_micros"] == 1001 * MICROS
    assert (claim["waits_for"], claim["called_seats"]) == ([], [3])
    assert claim["report"]["boards"] == [["Qs", "Js", "Ts", "2d", "3c"]]
    assert claim["report"]["hands"][0]["hole"] == ["As", "Ks"]
    (seat,) = claim["verdict"]["seats"]
    assert (seat["cards"], seat["tiers"]) == (["As", "Ks", "Qs", "Js", "Ts"], ["royal"])
    assert claim["verdict"]["winners"] == [3]
    assert all(reason["rule"] and reason["text"] for reason in claim["verdict"]["reasons"])
    assert len(claim["verdict"]["remaining"]["s"]) == 8
    assert {row["answer"] for row in claim["checklist"]} == {None}
    assert claim["payees"] == [
        {
            "line": 1,
            "role": "winner",
            "seat": 3,
            "amount_micros": 1001 * MICROS,
            "state": "proposed",
            "paid_micros": 0,
            "payouts": [],
        }
    ]


@pytest.mark.parametrize(("presses", "safe", "most"), [(3, 1002, 1003), (0, 1001, 1001)])
def test_the_second_claim_waits_for_the_first(
    house: ClaimHouse, presses: int, safe: int, most: int
) -> None:
    """Where that makes a difference: one round more is rounded away."""
    house.hit_royal("t3")
    house.open("t7")
    for _ in range(presses):
        house.press("t7")
    house.hit_royal("t7")
    claim = read("/api/claims/main-2/")
    assert claim["waits_for"] == (["main-1"] if safe < most else [])
    assert (claim["safe_micros"], claim["most_micros"]) == (safe * MICROS, most * MICROS)


def test_a_call_alone_has_no_verdict(house: ClaimHouse) -> None:
    house.open("t3")
    house.press("t3")
    house.call("t3")
    house.post()
    claim = read(CLAIM)
    assert (claim["standing"], claim["report"], claim["verdict"]) == ("called", None, None)
    assert claim["payees"] == []


def test_a_paid_claim_shows_the_payment(house: ClaimHouse) -> None:
    house.hit_royal()
    action("sione", "verify", answers=ALL_YES)
    action("mere", "confirm", amount_micros=1001 * MICROS, password=PASSWORD)
    house.post()
    parts = {"chips": 1 * MICROS, "cash": 1000 * MICROS}
    claims.pay(Claim.objects.get(), Reauthenticated(User.objects.get(username="aroha")), 1, parts)
    house.post()
    claim = read(CLAIM)
    assert claim["standing"] == "closed"
    (payee,) = claim["payees"]
    assert payee["state"] == "paid"
    (payout,) = payee["payouts"]
    assert payout | {"at": ""} == {
        "at": "",
        "part": 1,
        "amount_micros": 1001 * MICROS,
        "cashier": "aroha",
        "chips_micros": MICROS,
        "cash_micros": 1000 * MICROS,
        "equivalent_micros": 0,
        "tax_micros": 0,
        "residence": "",
    }


@pytest.mark.parametrize("address", ADDRESSES)
def test_more_rows_take_no_more_queries(house: ClaimHouse, address: str) -> None:
    house.hit_royal("t3")
    before = queries_of(address)
    house.decide("put_terms", terms=royal_terms() | {"name": "House Jackpot, second terms"})
    GamingTable.objects.create(system=house.system, code="t9", name="Table 9")
    second = JackpotSystem.objects.create(casino=house.system.casino, code="two", name="Two")
    house.system, first = second, house.system
    house.decide("put_terms", terms=royal_terms())
    house.system = first
    house.hit_royal("t3")
    house.hit_royal("t7")
    assert queries_of(address) == before


def test_the_schema_has_no_holes(tmp_path: Path) -> None:
    schema = tmp_path / "schema.yml"
    call_command("spectacular", "--fail-on-warn", "--validate", file=str(schema))
    text = schema.read_text()
    for what in ("", "verify/", "confirm/", "reject/", "propose-rejection/", "second-rejection/"):
        assert f"/api/claims/{{system}}-{{number}}/{what}:" in text
    for what in ("approve", "pay", "withhold", "release", "unclaimed", "propose-forfeit"):
        assert f"/api/claims/{{system}}-{{number}}/{what}/:" in text
    for where in ("claims/{system}-{number}/propose-reversal", "proposals/{number}/agree"):
        assert f"/api/{where}/:" in text
    assert "/api/pools/{system}/{tier}/propose-adjustment/:" in text
    assert "Idempotency-Key" in text


def test_schema_and_its_page_need_no_other_server(house: ClaimHouse) -> None:
    assert as_("tane").get("/api/schema/").status_code == 200
    page = as_("tane").get("/api/docs/").content.decode()
    assert "https://" not in page
