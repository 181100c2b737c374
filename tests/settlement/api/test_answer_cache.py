"""Answers of the API are given again only while they could not be another one."""

import math
import time
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from settlement.api.shared import answer_cache
from settlement.api.shared.answer_cache import MOST_ANSWERS, AnswerCache, CachedAnswer, answer_of
from settlement.models import Note
from settlement.people.programs import tokens
from settlement.people.rights import roles
from settlement.people.rights.permissions import Reauthenticated
from tables.models import Casino, JackpotSystem
from tests.support.people.cast import ClaimHouse, action
from tests.support.suite.waiting import wait_until

AGAIN = 3  # queries: the token with its person, the roles, the snapshot


@pytest.fixture
def house(fresh_database: object, settings: Settings) -> ClaimHouse:
    """One claim; what is asked for again is asked for within the time, however slow the test is."""
    settings.API_CACHE_S = 600.0
    settings.API_PER_MINUTE = 0  # its headers count each of them
    answer_cache.answers = AnswerCache()
    house = ClaimHouse()
    house.hit_royal()
    return house


def program(name: str = "tane") -> Client:
    """A program with a new access token of this person."""
    person = User.objects.get(username=name)
    secret = tokens.issue(Reauthenticated(person), "Signage", 1)[1]
    client = Client(headers={"Authorization": f"Bearer {secret}"})
    client.get("/api/stops/")  # the first use is written down
    return client


def queries(client: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address).status_code == 200
    return len(captured)


def is_given_again(client: Client, address: str) -> bool:
    client.get(address)
    return queries(client, address) <= AGAIN


def until_given_again(client: Client, address: str) -> None:
    """Another test of this server may commit between the two."""
    wait_until(lambda: is_given_again(client, address))


ADDRESSES = ("/api/claims/", "/api/claims/main-1/", "/api/systems/", "/api/requests/")


@pytest.mark.parametrize("address", ADDRESSES)
def test_the_same_answer_is_given_again(house: ClaimHouse, address: str) -> None:
    client = program()
    until_given_again(client, address)
    first, again = client.get(address), client.get(address)
    assert (first.json(), first.headers) == (again.json(), again.headers)
    assert first["Content-Type"] == "application/json"


@pytest.mark.parametrize("address", ADDRESSES)
def test_it_is_the_one_without_a_cache(house: ClaimHouse, settings: Settings, address: str) -> None:
    client = program()
    until_given_again(client, address)
    cached = client.get(address)
    settings.API_CACHE_S = 0
    assert queries(client, address) > AGAIN - 1
    fresh = client.get(address)
    assert (cached.json(), cached.headers) == (fresh.json(), fresh.headers)


def test_a_new_claim_is_in_the_next_answer(house: ClaimHouse) -> None:
    client = program()
    for number in (2, 3):
        until_given_again(client, "/api/claims/")
        house.hit_royal("t7" if number == 2 else "t3")
        assert len(client.get("/api/claims/").json()["results"]) == number


def test_an_act_is_in_the_next_answer(house: ClaimHouse) -> None:
    client = program()
    until_given_again(client, "/api/claims/main-1/")
    action("mere", "notes", text="The player waits at the bar")
    (note,) = client.get("/api/claims/main-1/").json()["notes"]
    assert note["text"] == "The player waits at the bar"


def test_an_ended_token_a_lost_role_and_a_deactivated_person_read_nothing(
    house: ClaimHouse,
) -> None:
    clients = {name: program(name) for name in ("tane", "ines", "mere")}
    for client in clients.values():
        until_given_again(client, "/api/claims/")
    person = User.objects.get(username="tane")
    tokens.end(person, tokens.open_tokens(person).get().pk)
    roles.revoke(User.objects.get(username="ines"), "Compliance")
    User.objects.filter(username="mere").update(is_active=False)
    statuses = {name: client.get("/api/claims/").status_code for name, client in clients.items()}
    assert statuses == {"tane": 401, "ines": 403, "mere": 401}
    assert Client().get("/api/claims/").status_code == 401


def test_another_person_of_another_casino_has_another_answer(house: ClaimHouse) -> None:
    bay = Casino.objects.create(code="bay", name="Bay", currency="AUD")
    JackpotSystem.objects.create(casino=bay, code="bay", name="Bay floor")
    person = User.objects.get(username="aroha")
    roles.revoke(person, "Cashier")
    roles.grant(person, "Cashier", bay)
    ours, theirs = program("tane"), program("aroha")
    for client, count in ((ours, 1), (theirs, 0)):
        until_given_again(client, "/api/claims/")
        assert len(client.get("/api/claims/").json()["results"]) == count
    assert ours.get("/api/claims/main-1/").status_code == 200
    assert theirs.get("/api/claims/main-1/").status_code == 404
    # What somebody may see is part of the question, beside the snapshot.
    roles.grant(person, "Cashier")
    assert theirs.get("/api/claims/main-1/").status_code == 200


def test_the_query_and_the_host_are_part_of_the_question(house: ClaimHouse) -> None:
    house.hit_royal("t7")
    client = program()
    one = "/api/claims/?limit=1"
    other = client.get(one).json()["next"].removeprefix("http://testserver")
    wait_until(lambda: is_given_again(client, one) and is_given_again(client, other))
    numbers = {client.get(each).json()["results"][0]["number"] for each in (one, other)}
    assert numbers == {1, 2}
    linked = client.get(one, headers={"host": "127.0.0.1"}).json()["next"]
    assert linked.startswith("http://127.0.0.1/")


class _Request:
    """A request as far as the cache knows one."""

    came_at = math.inf

    def __init__(self, name: str = "tane") -> None:
        self.user = User.objects.get(username=name)

    def build_absolute_uri(self) -> str:
        return "http://localhost/api/notes/"


class _Response:
    status_code = 200

    def __init__(self, data: Any) -> None:
        self.data = data


def test_what_is_committed_while_the_answer_is_made_makes_it_anew(house: ClaimHouse) -> None:
    request: Any = _Request()
    noted = Note.objects.order_by("id").values_list("text", flat=True)

    def early() -> Any:
        answer = _Response(list(noted.all()))  # read before it is committed
        action("mere", "notes", text="Too late for this answer")
        return answer

    assert answer_of(request, early).content == b"[]"
    anew = answer_of(request, lambda: _Response(list(noted.all())))  # type: ignore[arg-type, return-value]
    assert anew.content == b'["Too late for this answer"]'


def test_within_a_transaction_every_answer_is_made(house: ClaimHouse) -> None:
    request: Any = _Request()
    responses: list[Any] = []

    def make() -> Any:
        responses.append(_Response([]))
        return responses[-1]

    with transaction.atomic():
        for _ in range(3):
            answer_of(request, make)
    assert len(responses) == 3


def test_refusals_are_not_given_again(house: ClaimHouse) -> None:
    client = program()
    assert client.get("/api/claims/main-9/").status_code == 404
    assert not [each for each in answer_cache.answers._answers if "main-9" in str(each)]


def test_who_waits_shares_what_was_begun_after_they_came(house: ClaimHouse) -> None:
    early, late, numbers = _Request(), _Request(), iter(range(9))

    def make() -> Any:
        answer = _Response(next(numbers))
        # What is committed now is in no answer that was begun before.
        action("mere", "notes", text=f"{answer.data}")
        return answer

    def content_for(request: _Request) -> bytes:
        return answer_of(request, make).content  # type: ignore[arg-type]

    early.came_at = time.monotonic()
    assert content_for(_Request()) == b"0"
    late.came_at = time.monotonic()
    assert content_for(early) == b"0"
    assert content_for(late) == b"1"  # the first one was begun before this came
    assert content_for(early) == b"1"
    assert content_for(_Request()) == b"2"  # nobody knows when it came
    assert content_for(_Request("mere")) == b"3"  # somebody else's
    roles.revoke(User.objects.get(username="tane"), "Surveillance")
    other = _Request()
    other.came_at = early.came_at
    assert content_for(other) == b"4"  # of another role


def test_the_newest_stands_and_the_oldest_goes_when_it_is_full() -> None:
    cache = AnswerCache()
    cache.put("claims", CachedAnswer("two", 2.0, b"newer"))
    cache.put("claims", CachedAnswer("one", 1.0, b"older, and slower"))
    assert cache.get("claims") == CachedAnswer("two", 2.0, b"newer")
    large = b"x" * (answer_cache.LARGEST_BYTES + 1)
    cache.put("claims", CachedAnswer("three", 3.0, large))
    assert cache.get("claims") is None
    for number in range(MOST_ANSWERS + 1):
        cache.put(number, CachedAnswer("one", 1.0, b""))
    assert cache.get(0) is None
    assert cache.get(MOST_ANSWERS) is not None


def test_what_the_clock_changes_is_not_given_again_for_long(
    house: ClaimHouse, settings: Settings
) -> None:
    client = program()
    until_given_again(client, "/api/systems/")
    settings.API_CACHE_S = 1e-9
    assert queries(client, "/api/systems/") > AGAIN
