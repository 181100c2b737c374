"""A report on a display that is a page says which prize, and how much, is being verified."""

import pytest
from django.test import Client

from jackpot.display import values as display
from jackpot.display.live import DatabaseSource
from jackpot.display.message_words import in_language
from jackpot.models import DisplayMessage
from tables.models import Casino, GamingTable
from tests.support.people.cast import ClaimHouse

pytestmark = pytest.mark.django_db

ON_THE_WIRE = "JACKPOT REPORTED, TABLE 3, AWAITING CONFIRMATION"
REPORTED = f"{ON_THE_WIRE}: ROYAL FLUSH, NZD 1,001.00"


def board(table: str = "t3") -> str:
    key = GamingTable.objects.get(code=table).display_key
    return Client().get(f"/display/{key}/").content.decode()


def streamed(system: int) -> list[str]:
    """What a page that is open is sent."""
    message = DatabaseSource().current(system)
    assert message is not None
    return [each["text"] for each in in_language(message, {})["messages"]]


def test_prize_and_amount_stand_on_every_display_of_the_system() -> None:
    house = ClaimHouse()
    house.hit_royal("t3")
    display.refresh(house.system.pk)
    assert REPORTED in board("t3")
    assert REPORTED in board("t7")
    assert streamed(house.system.pk) == [REPORTED]


def test_the_wire_says_what_it_said() -> None:
    house = ClaimHouse()
    house.hit_royal("t3")
    display.refresh(house.system.pk)
    board()
    messages = DisplayMessage.objects.latest("id").payload["messages"]
    assert [each["text"] for each in messages] == [ON_THE_WIRE]
    assert all("amount" not in each for each in messages)


def test_the_amount_is_written_as_the_house_writes() -> None:
    house = ClaimHouse()
    Casino.objects.update(language="de")
    house.hit_royal("t3")
    display.refresh(house.system.pk)
    assert "WARTET AUF BESTÄTIGUNG: ROYAL FLUSH, NZD 1.001,00" in board()


def test_a_call_whose_prize_nobody_knows_says_no_amount() -> None:
    house = ClaimHouse()
    house.open("t3")
    house.press("t3")
    house.call("t3", tier=None)
    house.post()
    display.refresh(house.system.pk)
    assert f"{ON_THE_WIRE}<" in board()


def test_without_a_report_nothing_more_is_asked(
    django_assert_num_queries: pytest.FixtureRequest,
) -> None:
    house = ClaimHouse()
    house.open("t3")
    house.post()
    display.refresh(house.system.pk)
    with django_assert_num_queries(2):  # type: ignore[operator]
        DatabaseSource().current(house.system.pk)
