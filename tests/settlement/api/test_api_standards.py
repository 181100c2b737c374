"""What holds at every address: ETags, If-Match, limits that are announced, problems explained."""

import re
import uuid

import pytest
from drf_spectacular.generators import SchemaGenerator
from pytest_django import Settings

from jackpot.web.rate_limit import RateLimit
from jackpot.web.unavailable import CODES
from settlement.api.problem_types import PROBLEM_TYPES
from settlement.api.shared import limits, problems
from settlement.core import errors
from settlement.jurisdiction.yaml_file import FileFault
from settlement.models import Note
from settlement.signatures.signing import HEADER
from tests.support.pages.page_staff import logged_in
from tests.support.people.cast import ClaimHouse, as_
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer", "house")]

CLAIM = "/api/claims/main-1/"


def build_house() -> ClaimHouse:
    house = ClaimHouse()
    house.hit_royal()
    return house


house = kept_house(build_house)


@pytest.mark.parametrize("address", ["/api/claims/", CLAIM, "/api/systems/"])
def test_who_has_an_answer_already_gets_none(house: ClaimHouse, address: str) -> None:
    first = as_("tane").get(address)
    again = as_("tane").get(address, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    house.hit_royal("t7")
    as_("mere").post(f"{CLAIM}notes/", {"text": "In the lounge"}, format="json")
    changed = as_("tane").get(address, headers={"If-None-Match": first["ETag"]})
    assert changed.status_code == 200
    assert changed["ETag"] != first["ETag"]


def test_an_action_on_what_changed_meanwhile_is_refused() -> None:
    def note(text: str, etag: str, key: str) -> tuple[int, str]:
        headers = {"If-Match": etag, "Idempotency-Key": key}
        body = {"text": text}
        answer = as_("mere").post(f"{CLAIM}notes/", body, format="json", headers=headers)
        return answer.status_code, answer.get("ETag", answer.json().get("code"))

    first_etag = as_("mere").get(CLAIM)["ETag"]
    key = str(uuid.uuid4())
    status, newest = note("In the lounge", first_etag, key)
    assert status == 200
    assert newest == as_("mere").get(CLAIM)["ETag"]
    assert note("In the lounge", first_etag, key)[0] == 200  # sent again: the same action
    assert note("At the bar", first_etag, str(uuid.uuid4())) == (412, "precondition_failed")
    assert Note.objects.count() == 1
    assert note("At the bar", newest, str(uuid.uuid4()))[0] == 200
    assert note("Gone", "*", str(uuid.uuid4()))[0] == 200


def test_who_asks_too_often_waits(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "requests_made", RateLimit(lambda: 0.0))
    settings.API_PER_MINUTE = 2
    answers = [as_("tane").get(CLAIM) for _ in range(3)]
    assert [each.status_code for each in answers] == [200, 200, 429]
    assert [each["RateLimit"] for each in answers] == [
        '"minute";r=1;t=30',
        '"minute";r=0;t=60',
        '"minute";r=0;t=30',
    ]
    assert answers[2]["RateLimit-Policy"] == '"minute";q=2;w=60'
    assert answers[2]["Retry-After"] == "30"
    assert answers[2].json()["code"] == "throttled"
    first = as_("mere").get(CLAIM)
    again = as_("mere").get(CLAIM, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again["RateLimit"]) == (304, '"minute";r=0;t=60')
    refused = [as_("sione").get("/api/webhooks/").status_code for _ in range(3)]
    assert refused == [403, 403, 429]  # who is not let in is counted as well


def test_every_problem_is_explained() -> None:
    """The rules that can be broken, what the web process says by itself, and DRF's refusals."""
    kinds = [
        each
        for each in (*vars(errors).values(), FileFault)
        if isinstance(each, type) and issubclass(each, errors.RuleBroken)
    ]
    by_code = {each.code: each for each in PROBLEM_TYPES}
    assert len(by_code) == len(PROBLEM_TYPES)
    for kind in kinds:
        if kind is not errors.RuleBroken:
            status = problems.STATUSES.get(kind, 422)
            assert by_code[problems.slug_of(kind)].status == status, kind
    assert by_code.keys() >= {*CODES.values(), "fault", "too_large", "locked_out"}
    page = logged_in("tane").get("/api/problems/").content.decode()
    assert {*re.findall(r'<tr id="(\w+)"', page)} == by_code.keys()


def test_what_may_be_to_be_signed_says_so_in_the_schema() -> None:
    """A program must know the answer 428, and the header that it is to send then."""
    paths = SchemaGenerator().get_schema(request=None, public=True)["paths"]
    for name in ("account-proposals/{number}", "proposals/{number}"):
        operation = paths[f"/api/{name}/approve/"]["post"]
        assert HEADER in [each["name"] for each in operation["parameters"]], name
        assert "428" in operation["responses"], name
