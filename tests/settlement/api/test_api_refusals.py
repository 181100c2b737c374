"""How the API says no: problem details everywhere, and nothing that is sent is dropped silently."""

import base64
from typing import Any

import pytest
from django.test import RequestFactory
from rest_framework.test import APIClient

from jackpot.web.unavailable import bad_request, server_error
from settlement.models import CheckAnswer
from tests.support.people.cast import ALL_YES, PASSWORD, ClaimHouse, action, as_
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer", "house")]

VERIFY = "/api/claims/main-1/verify/"
MEMBERS = {"type", "title", "status", "detail", "instance", "code"}


def build_house() -> ClaimHouse:
    house = ClaimHouse()
    house.hit_royal()
    return house


house = kept_house(build_house)


def is_problem(answer: Any, status: int, code: str) -> bool:
    problem = answer.json()
    return (
        answer["Content-Type"] == "application/problem+json"
        and problem.keys() >= MEMBERS
        and (answer.status_code, problem["status"], problem["code"]) == (status, status, code)
        and problem["type"] == f"/api/problems/#{code}"
    )


@pytest.mark.parametrize(
    ("method", "address", "status", "code"),
    [
        ("get", "/api/", 404, "not_found"),
        ("get", "/api/nothing/", 404, "not_found"),
        ("post", "/api/nothing/here/", 404, "not_found"),
        ("get", "/api/claims", 404, "not_found"),
        ("get", "/api/claims/main-99/", 404, "not_found"),
        ("get", f"/api/claims/main-{10**40}/", 404, "not_found"),
        ("get", "/api/systems/%00/", 400, "invalid"),
        ("get", VERIFY, 405, "method_not_allowed"),
        ("put", "/api/claims/", 405, "method_not_allowed"),
        ("options", "/api/claims/", 405, "method_not_allowed"),
    ],
)
def test_every_refusal_is_a_problem(method: str, address: str, status: int, code: str) -> None:
    answer = getattr(as_("sione"), method)(address)
    assert is_problem(answer, status, code), answer.content
    if status == 405:
        assert answer["Allow"]


def test_nobody_is_asked_to_log_in_and_no_browser_asks_its_person() -> None:
    for answer in (APIClient().get("/api/claims/"), APIClient().post(VERIFY, {}, format="json")):
        assert is_problem(answer, 401, "not_authenticated"), answer.content
        assert answer["WWW-Authenticate"] == 'Session realm="api"'
    assert is_problem(as_("nobody").get("/api/claims/"), 403, "not_permitted")
    assert as_("nobody").get("/api/schema/").status_code == 200  # it says nothing of the house


def test_a_name_that_the_database_cannot_hold_is_nobodys() -> None:
    credentials = base64.b64encode(b"si\x00one:guess").decode()
    answer = APIClient().get("/api/claims/", headers={"Authorization": f"Basic {credentials}"})
    assert is_problem(answer, 401, "authentication_failed"), answer.content


@pytest.mark.parametrize("media", ["multipart/form-data; boundary=x", "text/plain", "text/json"])
def test_a_body_that_is_no_json_is_refused_and_not_read_as_empty(media: str) -> None:
    answer = as_("sione").post(VERIFY, "note=seen", content_type=media)
    assert is_problem(answer, 415, "unsupported_media_type"), answer.content


@pytest.mark.parametrize("accept", ["text/html", "application/xml", "*/*"])
def test_json_is_answered_whatever_is_asked_for(accept: str) -> None:
    answer = as_("tane").get("/api/claims/", headers={"Accept": accept})
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")


@pytest.mark.parametrize("text", ['"a\\u0000b"', '"\\ud800"', '{"x\\u0000": ["y"]}'])
def test_what_the_database_cannot_hold_is_no_json(text: str) -> None:
    body = f'{{"answers": {{}}, "note": {text}}}'
    answer = as_("sione").post(VERIFY, body, content_type="application/json")
    assert is_problem(answer, 400, "parse_error"), answer.content


@pytest.mark.parametrize(
    ("who", "what", "body", "field"),
    [
        ("sione", "verify", {"answers": ALL_YES, "notte": "seen"}, "notte"),
        ("mere", "confirm", {"amount_micros": "1001000000", "password": PASSWORD}, "amount_micros"),
        ("mere", "confirm", {"amount_micros": True, "password": PASSWORD}, "amount_micros"),
        ("sione", "notes", {"text": 7}, "text"),
        ("sione", "deck", {"found": ["9s", 8]}, "found"),
        ("sione", "reject", {"reason": "R04", "evidence": "x", "affected": "yes"}, "affected"),
        ("sione", "name-round", {"round": 1.5, "note": "x"}, "round"),
        ("tane", "footage", {"since": "2026-11-21T10:10:00"}, "since"),
        (
            "aroha",
            "pay",
            {"line": 1, "password": PASSWORD, "parts_micros": {"chip": 1}},
            "parts_micros",
        ),
    ],
)
def test_only_what_the_schema_allows_is_taken(
    who: str, what: str, body: dict[str, Any], field: str
) -> None:
    answer = action(who, what, **body)
    assert is_problem(answer, 422, "invalid"), answer.content
    assert field in answer.json()["fields"]
    assert not CheckAnswer.objects.exists()


def test_a_list_goes_on_where_it_stopped(house: ClaimHouse) -> None:
    house.hit_royal("t7")
    house.hit_royal()
    first = as_("tane").get("/api/claims/?limit=1").json()
    house.hit_royal()  # what comes meanwhile moves nothing to another piece
    second = as_("tane").get(first["next"]).json()
    third = as_("tane").get(second["next"]).json()
    claims = [row["claim"] for page in (first, second, third) for row in page["results"]]
    assert (claims, third["next"]) == (["main-3", "main-2", "main-1"], None)
    elsewhere = first["next"].replace("/claims/", "/rulings/")
    assert is_problem(as_("tane").get(elsewhere), 400, "invalid")
    assert as_("tane").get("/api/incidents/?open=perhaps").status_code == 400


def test_faults_of_the_console_are_problems_too() -> None:
    request = RequestFactory().get("/api/claims/")
    for answer, status in ((server_error(request), 500), (bad_request(request, ValueError()), 400)):
        assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json")
    assert bad_request(RequestFactory().get("/"), ValueError())["Content-Type"].startswith("text/h")
