"""Every list and every act of the API's schema: pieces of lists, and keys of what is sent."""

import re
from typing import Any

import pytest
from drf_spectacular.generators import SchemaGenerator

from settlement.models import WebhookEndpoint
from tests.support.cases.confirmed_house import ConfirmedHouse
from tests.support.people.api_keys import WEBHOOK
from tests.support.people.cast import as_
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer", "house")]

PEOPLE = ("sione", "mere", "ines", "hana", "aroha", "tane")  # a role each, and all of them
PARTS = {
    "payout": "1",
    "system": "main",
    "table": "t3",
    "tier": "royal",
    "casino": "harbour",
    "number": "1",
    "entry": "1",
    "username": "aroha",
    "sharer": "1",
}
MANY = "00000000000000000001000000"  # its first digits are one
# Acts that take none, with the reason.
WITHOUT_KEY = {
    "/api/filing-files/{number}/open/": "it reads, and each look is recorded",
    "/api/exclusions/{casino}/look/": "it reads: whoever is sent persons again has looked again",
    "/api/webhooks/{number}/secret/": "a secret is shown once: no answer could be given again",
    "/api/invitations/": "links likewise; sent again the log-in names are taken",
    "/api/systems/{system}/issue-credentials/": "likewise; sent again each device holds one",
    "/api/systems/{system}/rotate-credentials/": "likewise; sent again two of each hold",
}
_PART = re.compile(r"{(\w+)}")


def build_house() -> ConfirmedHouse:
    house = ConfirmedHouse()
    as_("hana").post("/api/webhooks/", WEBHOOK, format="json")
    return house


house = kept_house(build_house)


def operations() -> list[tuple[str, str, Any]]:
    """Path, method and what the schema says of each."""
    document: Any = SchemaGenerator().get_schema(request=None, public=True)
    schemas = document["components"]["schemas"]
    return [
        (path, method, _with_answer(operation, schemas))
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if method in ("get", "post")
    ]


def _with_answer(operation: Any, schemas: Any) -> Any:
    content = operation["responses"].get("200", {}).get("content", {})
    reference = content.get("application/json", {}).get("schema", {}).get("$ref", "")
    names = schemas.get(reference.rpartition("/")[2], {}).get("properties", {})
    return {**operation, "is_list": set(names) == {"next", "results"}}


OPERATIONS = operations()
LISTS = [path for path, method, of in OPERATIONS if method == "get" and of["is_list"]]
ACTS = [path for path, method, _of in OPERATIONS if method == "post"]


def address_of(path: str) -> str:
    return _PART.sub(lambda part: PARTS[part[1]], path)


def test_lists_and_acts_are_found() -> None:
    assert len(LISTS) > 15
    assert len(ACTS) > 35
    assert WITHOUT_KEY.keys() <= set(ACTS)
    assert {"/api/claims/", "/api/webhooks/{number}/deliveries/"} <= set(LISTS)


@pytest.mark.parametrize("path", LISTS)
def test_every_list_comes_in_pieces(path: str) -> None:
    endpoint = str(WebhookEndpoint.objects.get().pk)
    address = address_of(path.replace("{number}/deliveries", f"{endpoint}/deliveries"))
    reader = next(each for each in PEOPLE if as_(each).get(address).status_code == 200)
    page = as_(reader).get(address).json()
    assert page.keys() == {"next", "results"}
    queries = ("limit=0", "limit=201", "limit=x", f"limit={MANY}", "cursor=WzFd", "offset=1")
    for query in (*queries, "tabel=t3"):
        answer = as_(reader).get(f"{address}?{query}")
        problem = answer.json()
        assert (answer.status_code, problem["code"]) == (400, "invalid"), (query, answer.content)
        assert list(problem["fields"]) == [query.split("=")[0]]


@pytest.mark.parametrize("path", sorted({*ACTS} - WITHOUT_KEY.keys()))
def test_every_act_takes_a_key_and_says_so(path: str) -> None:
    (of,) = [of for each, method, of in OPERATIONS if (each, method) == (path, "post")]
    assert "Idempotency-Key" in {each["name"] for each in of["parameters"]}


@pytest.mark.parametrize("path", sorted({*ACTS} - WITHOUT_KEY.keys()))
def test_what_is_no_key_is_refused_at_every_act(path: str) -> None:
    address = address_of(path)
    answers = [
        as_(each).post(address, {}, format="json", headers={"Idempotency-Key": "no key"})
        for each in PEOPLE
    ]
    refused = [answer.json() for answer in answers if answer.status_code == 400]
    assert refused, [answer.content for answer in answers]
    assert {*refused[0]["fields"]} == {"Idempotency-Key"}
    assert {answer.status_code for answer in answers} <= {400, 403}
