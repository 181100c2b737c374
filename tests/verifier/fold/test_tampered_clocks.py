"""Whoever changes clocks of hands, or what they put in question, is found and named."""

import pytest
from django.db import connection

from jackpot.models import Entry
from tests.support.cases.hands.clocked_hands import ClockHouse, two_in_question
from tests.support.people.roles import owner_without_guards
from tests.support.suite.kept_house import kept_house
from verifier.check import look

pytestmark = pytest.mark.django_db
LATE = "(SELECT place FROM jackpot_hit WHERE number = 2)"


def entry(change: str, where: str = LATE) -> tuple[str, str]:
    return "jackpot_entry", f"UPDATE jackpot_entry SET {change} WHERE seq = {where}"


def clock(field: str, value: str) -> tuple[str, str]:
    return entry(f"body = jsonb_set(body, '{{clock,{field}}}', to_jsonb({value}))")


def hit(change: str) -> tuple[str, str]:
    return "jackpot_hit", f"UPDATE jackpot_hit SET {change} WHERE number = 1"


AT = "(body #>> '{clock,at_us}')::bigint"
TAMPERED: dict[str, tuple[tuple[str, str], str]] = {
    "two hands were never in question": (
        entry("outcome = outcome - 'in_question'"),
        "in_question is [[1, 2]] by the rules",
    ),
    "the flag is taken off": (
        entry("outcome = outcome - 'flags'"),
        "its flags are ['in_question']",
    ),
    "another pair is named": (
        entry("outcome = jsonb_set(outcome, '{in_question}', '[[1, 3]]')"),
        "in_question is [[1, 2]] by the rules",
    ),
    "the corrected time is another": (
        clock("at_us", f"{AT} + 5000000"),
        "its corrected time is not what its unit said",
    ),
    "time and error are others": (
        entry(
            "body = jsonb_set(jsonb_set(body, '{clock,behind_us}', '5000000'),"
            f" '{{clock,at_us}}', to_jsonb({AT} + 5000000))"
        ),
        "the outcome says [[1, 2]]",
    ),
    "the clock is less sure": (clock("margin_us", "9000000"), "the outcome says [[1, 2]]"),
    "the clock is surer than sure": (clock("margin_us", "-1"), "surer than sure"),
    "it was measured by few events": (clock("events", "9"), "the outcome says [[1, 2]]"),
    "there never was a clock": (entry("body = NULL"), "the outcome says [[1, 2]]"),
    "the clock of a hit": (hit("clock = NULL"), "its clock is None"),
    "a stop is taken off": (hit("stops = '[]'"), "its stops are []"),
    "a stop names another claim": (
        hit("stops = jsonb_set(stops, '{0,with}', '[3]')"),
        "its stops are",
    ),
    "it was never settled": (hit("stops = jsonb_set(stops, '{0,lifted}', 'null')"), "stops are"),
    "another stop was settled": (
        (
            "jackpot_command",
            "UPDATE jackpot_command SET body = jsonb_set(body, '{stop}', '1')"
            " WHERE kind = 'settle_order'",
        ),
        "by the rules it is refused",
    ),
}


def build_house() -> ClockHouse:
    house = ClockHouse()
    two_in_question(house)
    stop = house.hit(1).stops[0]["entry"]
    assert not house.decide("settle_order", hit=1, stop=stop, finding="so").refused
    return house


house = kept_house(build_house)


@pytest.mark.parametrize("what", TAMPERED)
def test_whoever_changes_it_is_found(house: ClockHouse, what: str) -> None:
    report = look(connection.connection, with_actions=False)
    assert report.ok, report.lines()
    (table, statement), sentence = TAMPERED[what]
    with owner_without_guards(table), connection.cursor() as cursor:
        cursor.execute(statement)
        assert cursor.rowcount == 1
    report = look(connection.connection, with_actions=False)
    assert not report.ok
    assert any(sentence in line for line in report.lines()), report.lines()


def test_a_settlement_names_two_people(house: ClockHouse) -> None:
    seq = Entry.objects.get(type="settle_order").seq
    with owner_without_guards("jackpot_command"), connection.cursor() as cursor:
        cursor.execute("ALTER TABLE jackpot_command DROP CONSTRAINT command_takes_two_people")
        cursor.execute("UPDATE jackpot_command SET second = '' WHERE kind = 'settle_order'")
    lines = look(connection.connection, with_actions=False).lines()
    assert any(f"entry {seq}" in line and "names one person alone" in line for line in lines)
