"""Stops, rulings, incidents, drafts and moves through the API: the pages' services and people."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from jackpot.terms.money import MICROS
from settlement.floor import incidents
from settlement.models import Incident, Proposal, Ruling
from tables.protocol import messages
from tests.support.cases.confirmed_house import ConfirmedHouse, person
from tests.support.cases.terms.limits import alone_up_to
from tests.support.houses.two_systems import TwoSystems
from tests.support.people.cast import PASSWORD, action, as_, read, rows_of
from tests.support.play.books import royal_terms
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
VOID = {"kind": "void_round", "round": 2, "reason": "wrong_count", "note": "Camera 4"}
INCIDENT: dict[str, Any] = {
    "system": "main",
    "table": "t3",
    "kind": "button",
    "happened_at": "2026-11-21T10:00:00Z",
    "note": "The button stuck",
}
T3 = "/api/tables/main/t3/"


def build_house() -> ConfirmedHouse:
    house = ConfirmedHouse()
    house.press("t3")
    house.say("t3", messages.VoidRequested, round=2, reason="wrong_count", note="Six cards")
    house.say("t3", messages.RoundsMissed, count=2)
    house.post()
    return house


house = kept_house(build_house)


def send(who: str, address: str, **body: Any) -> Any:
    return as_(who).post(address, body, format="json")


def agree(who: str, proposal: int, **more: Any) -> Any:
    return send(who, f"/api/proposals/{proposal}/agree/", password=PASSWORD, **more)


def test_a_dispute_stops_a_claim_until_two_people_end_it(house: ConfirmedHouse) -> None:
    assert (
        action("sione", "stop", kind="dispute", reason="Seat 4 says it folded").status_code == 202
    )
    assert action("sione", "stop", kind="hold", reason="x").status_code == 403
    house.post()
    (stop,) = rows_of("/api/stops/")
    assert (stop["kind"], stop["system"], stop["claim"]) == ("dispute", "main", 1)
    answer = action("aroha", "pay", password=PASSWORD, line=1, parts_micros={"cash": house.amount})
    assert (answer.status_code, answer.json()["code"]) == (422, "stopped")
    end = f"stops/{stop['entry']}/propose-end"
    answer = action("sione", end, finding="Camera 12: it did not")
    assert (answer.status_code, answer.json()["kind"]) == (201, "resolve_dispute")
    assert action("mere", end, finding="x").json()["code"] == "wrong_state"  # proposed already
    assert action("sione", "stops/9999/propose-end", finding="x").status_code == 409
    assert agree("david", answer.json()["proposal"]).status_code == 202
    house.post()
    assert rows_of("/api/stops/") == []


def test_a_request_is_ruled_on_or_refused(house: ConfirmedHouse) -> None:
    missed, void = rows_of("/api/requests/")
    assert (void["kind"], void["round"], void["note"]) == ("void_requested", 2, "Six cards")
    assert (missed["kind"], missed["count"], missed["table"]) == ("rounds_missed", 2, "t3")
    pool = house.balance("royal:pool")
    assert send("sione", f"{T3}rule-round/", **VOID, request=missed["request"]).status_code == 409
    assert send("sione", f"{T3}rule-round/", **VOID, request=10**9).status_code == 404
    assert send("sione", f"{T3}rule-round/", **VOID, request=void["request"]).status_code == 202
    house.post()
    assert house.balance("royal:pool") == pool  # the operator's money stays (20.1)
    refuse = f"/api/requests/{missed['request']}/refuse/"
    assert send("tane", refuse, note="x").status_code == 403
    answer = send("sione", refuse, note="Both are there")
    assert (answer.status_code, answer.json()["kind"]) == (201, "refuse")
    assert send("anahera", refuse, note="x").status_code == 409
    assert rows_of("/api/requests/") == []
    newest, first = read("/api/rulings/")["results"]
    assert (newest["request"], first["request"]) == (missed["request"], void["request"])
    assert read(f"/api/rulings/{first['ruling']}/")["reason"] == "wrong_count"
    assert as_("tane").get("/api/rulings/999/").status_code == 404


def test_missed_rounds_are_credited_and_countersigned(house: ConfirmedHouse) -> None:
    alone_up_to(2)
    pool = house.balance("royal:pool")
    body: dict[str, Any] = {"count": 2, "evidence": "Camera 4"}
    assert send("sione", f"{T3}credit-missed/", **body).status_code == 202
    house.post()
    assert house.balance("royal:pool") == pool + MICROS
    (ruling,) = read("/api/rulings/")["results"]
    sign = f"/api/rulings/{ruling['ruling']}/countersign/"
    assert send("sione", sign).status_code == 403
    assert send("mere", sign, note="Seen").json()["countersigned"] == "mere"
    assert send("david", sign).json()["code"] == "wrong_state"
    above = send("sione", f"{T3}credit-missed/", **body)  # above the day's limit: proposed
    assert (above.status_code, above.json()["kind"]) == (201, "missed_rounds")
    assert agree("mere", above.json()["proposal"]).status_code == 202
    house.post()
    assert house.balance("royal:pool") == pool + 2 * MICROS
    assert send("sione", f"{T3}credit-missed/", count=0, evidence="x").status_code == 422
    assert send("sione", "/api/tables/main/t99/credit-missed/", **body).status_code == 404


def test_incidents_are_entered_and_resolved(house: ConfirmedHouse) -> None:
    answer = send("tane", "/api/incidents/", **INCIDENT)
    assert answer.status_code == 201
    incident = answer.json()
    assert {name: incident[name] for name in INCIDENT} == INCIDENT
    whole = send("tane", "/api/incidents/", **{k: v for k, v in INCIDENT.items() if k != "table"})
    assert whole.json()["table"] is None
    resolve = f"/api/incidents/{incident['incident']}/resolve/"
    assert send("tane", resolve, note="x").status_code == 403
    assert send("sione", resolve, note="A new button").json()["resolved"]["person"] == "sione"
    assert send("sione", resolve, note="x").status_code == 409
    assert len(rows_of("/api/incidents/")) == 2
    (still,) = read("/api/incidents/?open=true")["results"]
    assert still["incident"] == whole.json()["incident"]
    assert read(f"/api/incidents/{incident['incident']}/")["resolved"]["note"] == "A new button"
    assert as_("tane").get("/api/incidents/999/").status_code == 404
    for wrong in ({"system": "none"}, {"table": "t99"}):
        assert send("tane", "/api/incidents/", **INCIDENT | wrong).status_code == 404
    late = {"happened_at": "2999-01-01T00:00:00Z"}
    assert send("tane", "/api/incidents/", **INCIDENT | late).status_code == 422
    assert send("tane", "/api/incidents/", **INCIDENT | {"kind": "ghost"}).status_code == 422


def test_terms_are_drafted_and_agreed_to(house: ConfirmedHouse) -> None:
    new = royal_terms(payable_unit=10 * MICROS)
    address = "/api/systems/main/propose-terms/"
    assert send("aroha", address, terms=new).status_code == 403
    assert send("sione", "/api/systems/none/propose-terms/", terms=new).status_code == 404
    answer = send("sione", address, terms=new | {"tiers": []})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_terms")
    again = {"royal.payable_unit": 10 * MICROS}
    answer = send("sione", address, terms=new)
    assert (answer.status_code, [*answer.json()["fields"]]) == (422, [*again])
    answer = send("sione", address, terms=new, figures=again)
    assert answer.status_code == 201
    number = answer.json()["proposal"]
    assert [draft["proposal"] for draft in rows_of("/api/drafts/")] == [number]
    draft = read(f"/api/drafts/{number}/")
    assert draft["body"]["terms"]["tiers"][0]["payable_unit"] == 10 * MICROS
    assert agree("mere", number).json()["code"] == "figures_not_retyped"
    assert agree("mere", number, figures=again).status_code == 202
    house.post()
    assert house.head.terms_number == 2
    assert read(f"/api/drafts/{number}/")["decision"] == "agreed"
    assert rows_of("/api/drafts/") == []
    assert as_("tane").get("/api/drafts/999/").status_code == 404


def test_a_table_is_moved() -> None:
    house = TwoSystems()
    body = {"to_system": "high", "to_table": "h1", "reason": "The room is full"}
    address = f"{T3}propose-move/"
    assert send("aroha", address, **body).status_code == 403
    assert send("mere", address, **body | {"to_system": "main"}).status_code == 404
    answer = send("mere", address, **body)
    assert (answer.status_code, answer.json()["subject"]) == (201, "t3")
    assert agree("mere", answer.json()["proposal"]).json()["code"] == "same_person"
    assert agree("david", answer.json()["proposal"]).status_code == 202
    house.post()
    house.open("t7")
    house.post()
    house.hear("t7")
    answer = send("mere", "/api/tables/main/t7/propose-move/", **body | {"to_table": "h7"})
    assert (answer.status_code, answer.json()["code"]) == (409, "wrong_state")
    assert "The table is open" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("address", "body"),
    [
        ("/api/claims/main-1/stop/", {"kind": "dispute", "reason": "x"}),
        (f"{T3}rule-round/", VOID),
        (f"{T3}credit-missed/", {"count": 1, "evidence": "x"}),
        ("/api/incidents/", INCIDENT),
        ("/api/systems/main/propose-terms/", {"terms": royal_terms(share=5000)}),
    ],
)
def test_only_those_who_may(house: ConfirmedHouse, address: str, body: dict[str, Any]) -> None:
    answer = send("nobody", address, **body)
    assert (answer.status_code, answer.json()["code"]) == (403, "not_permitted")
    for model in (Ruling, Incident, Proposal):
        assert not model.objects.exists()


@pytest.mark.parametrize(
    "address",
    ["stops", "requests", "rulings", "incidents", "drafts", "proposals"],
)
def test_more_rows_take_no_more_queries(house: ConfirmedHouse, address: str) -> None:
    client = as_("tane")

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            answer = client.get(f"/api/{address}/")
        assert answer.status_code == 200
        rows = answer.json()
        assert rows["results"] if isinstance(rows, dict) else rows
        return len(captured)

    def more(round_: int) -> None:
        house.press("t3")
        house.say("t3", messages.VoidRequested, round=round_, reason="wrong_count", note="x")
        action("sione", "stop", kind="dispute", reason="x")
        send("sione", f"{T3}rule-round/", **VOID | {"round": round_ - 1})
        incident = send("tane", "/api/incidents/", **INCIDENT).json()["incident"]
        incidents.resolve(incidents.incidents().get(pk=incident), person("sione"), "x")
        send("tane", "/api/incidents/", **INCIDENT)
        new = royal_terms(code=f"tier-{round_}") | {"code": f"more-{round_}"}
        assert send("sione", "/api/systems/main/propose-terms/", terms=new).status_code == 201
        house.post()

    more(3)
    queries()  # notes that its reader is there
    before = queries()
    for round_ in (4, 5):
        more(round_)
    assert queries() == before <= 12
