"""The public pages: for everybody, but not too often, without a session, and cheap."""

import re
from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from jackpot.meter import public_page
from jackpot.models import Block
from jackpot.transparency import checkpoints, public_addresses
from tests.support.pages.page_staff import logged_in
from tests.support.pages.public_meter import TIER, answer_to, play
from tests.support.people.roles import acting_as
from tests.support.play.books import royal_terms
from tests.support.play.house import House
from tests.support.proof.transparency import log_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_static_files")]
NOTHING = "Nothing to show here"


@pytest.mark.parametrize("person", [None, "mere"])
def test_no_session_is_looked_at_and_none_is_set(house: House, person: str | None) -> None:
    if person:
        User.objects.create_user(person)
    client = logged_in(person) if person else Client()
    for address in (TIER, f"{TIER}proof/", "/meter/keys/", "/meter/keys.txt", "/meter/nobody/"):
        answer = client.get(address)
        assert "Set-Cookie" not in answer
        assert not answer.cookies
        assert "Cookie" not in answer.get("Vary", "")
        assert "public" in answer["Cache-Control"]
        assert re.search(r"max-age=(1|300)\b", answer["Cache-Control"])
        assert answer["X-Robots-Tag"] == "noindex, nofollow"
        policy = answer["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy


@pytest.mark.parametrize("address", [TIER, f"{TIER}proof/"])
def test_a_page_costs_few_queries(
    address: str, house: House, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    answer_to(address)
    with acting_as("web", logged_in=False), django_assert_max_num_queries(14):
        Client().get(address)


def test_a_page_over_a_long_log_costs_the_same(
    settings: Settings, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    house = House(royal_terms())
    house.open("t3")
    play(house)
    log_of(house.system, [70_000])
    row = Block.objects.latest("number")
    checkpoint = checkpoints.latest(house.system)
    assert checkpoint is not None
    address = public_addresses.of_block("main", row.number, bytes(row.hash).hex())
    with django_assert_max_num_queries(16):
        answer = Client().get(address.removeprefix("https://jackpot.example"))
    assert answer.status_code == 200


def test_the_same_answer_is_given_again_for_a_moment(
    house: House, settings: Settings, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    settings.METER_CACHE_S = 60.0
    first = answer_to()
    with django_assert_num_queries(0):
        again = Client().get(TIER)
    assert again.content == first.content
    play(house)
    checkpoints.make(house.system)
    assert answer_to().content == first.content
    settings.METER_CACHE_S = 0.0
    assert "1,003.00" in answer_to().content.decode()


def test_too_many_requests_of_one_address_wait(
    house: House, settings: Settings, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    settings.METER_PER_MINUTE = 3
    for _ in range(3):
        assert answer_to(REMOTE_ADDR="192.0.2.1").status_code == 200
    with django_assert_num_queries(0):
        refused = Client().get(TIER, REMOTE_ADDR="192.0.2.1")
    assert refused.status_code == 429
    assert refused["Retry-After"] == "20"
    assert "Try again in 20 seconds" in refused.content.decode()
    assert answer_to("/meter/keys/", REMOTE_ADDR="192.0.2.1").status_code == 429
    assert answer_to(REMOTE_ADDR="192.0.2.2").status_code == 200


@pytest.mark.parametrize(
    "address",
    [
        "/meter/",
        "/meter/main/",
        "/meter/main/quads/",
        "/meter/side/royal/",
        "/meter/side/royal/proof/",
        "/meter/main/block/1/0123456789abcdef/",
        "/meter/main/block/999999/0123456789abcdef/",
        "/meter/main/block/1/0123456789abcdef/proof/",
        "/meter/main/growth/2/",
        "/meter/main/growth/99999999999999999999999/",
        "/meter/main/block/99999999999999999999999/0123456789abcdef/",
        "/meter/main/royal/more/than/that/",
    ],
)
def test_whatever_else_is_asked_for_is_not_there(house: House, address: str) -> None:
    answer = answer_to(address)
    assert answer.status_code == 404
    assert NOTHING in answer.content.decode()


def test_a_missing_slash_is_put_right(house: House) -> None:
    answer = answer_to(TIER.rstrip("/"))
    assert (answer.status_code, answer["Location"]) == (301, TIER)


def test_a_house_without_a_public_address_has_no_public_page(
    house: House, settings: Settings
) -> None:
    settings.PUBLIC_ORIGIN = ""
    for address in (TIER, "/meter/keys/", "/meter/keys.txt"):
        assert answer_to(address).status_code == 404
    assert public_addresses.of_tier("main", "royal") == ""


def test_only_reading_is_possible(house: House) -> None:
    assert Client().post(TIER).status_code == 405
    assert Client().head(TIER).status_code == 200


def test_a_crowd_of_answers_is_not_kept(house: House, settings: Settings) -> None:
    settings.METER_CACHE_S = 60.0
    settings.METER_PER_MINUTE = 10_000

    def addresses() -> Iterator[str]:
        for number in range(public_page.MOST_ANSWERS + 20):
            yield f"/meter/main/none-{number}/"

    for address in addresses():
        Client().get(address)
    assert len(public_page.answers) == public_page.MOST_ANSWERS
