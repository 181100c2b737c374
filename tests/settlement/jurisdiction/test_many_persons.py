"""Of many identified players the database is asked once who each of them is, as of a few."""

import datetime as dt

import pytest
from django.db import connection

from settlement.core.gaming_day import today
from settlement.jurisdiction.persons_day import lists
from settlement.jurisdiction.recipients import PaidOnDays
from settlement.payments.form_filings import forms_between
from tests.support.houses.office.two_documents import FORM_112, TwoDocuments
from tests.support.houses.winners import UNIT
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]

house = kept_house(TwoDocuments, JURISDICTIONS={"harbour": "nevada"})

# What is dear: who somebody is by a document, who stands for them, and who has the same name.
DEAR = (
    *("numbers_of_players", "number_of_player", "player_reference"),
    *("same_players", "players_as_one", "one_player"),
    *("likely_to_be_each", "likely_to_be", "same_name"),
)
CALLS = """
    SELECT coalesce(sum(pg_stat_get_xact_function_calls(oid)), 0) FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace AND proname = ANY(%s)
"""
# Payments of the same day to players of one payment each, without guards: rows are what is asked.
MANY = """
    SET CONSTRAINTS ALL IMMEDIATE;
    ALTER TABLE jackpot_hit DISABLE TRIGGER USER;
    ALTER TABLE settlement_claim DISABLE TRIGGER USER;
    ALTER TABLE settlement_payout DISABLE TRIGGER USER;
    ALTER TABLE settlement_identification DISABLE TRIGGER USER;
    INSERT INTO jackpot_hit SELECT (jsonb_populate_record(h, jsonb_build_object(
        'number', 100 + n, 'place', 1000 + n, 'round', 1000 + n))).*
    FROM jackpot_hit h, generate_series(1, {count}) AS n WHERE h.number = 1;
    INSERT INTO settlement_claim SELECT (jsonb_populate_record(k, jsonb_build_object(
        'id', 1000 + n, 'number', 100 + n))).*
    FROM settlement_claim k, generate_series(1, {count}) AS n WHERE k.number = 1;
    INSERT INTO settlement_payout SELECT (jsonb_populate_record(p, jsonb_build_object(
        'id', 1000 + n, 'claim_id', 1000 + n))).*
    FROM settlement_payout p, generate_series(1, {count}) AS n
    WHERE p.id = (SELECT min(id) FROM settlement_payout);
    INSERT INTO settlement_identification SELECT (jsonb_populate_record(i, jsonb_build_object(
        'id', 1000 + n, 'claim_id', 1000 + n, 'key', gen_random_uuid(), 'name', 'Winner ' || n,
        'born', date '1950-01-01' + n, 'document_number', 'X' || n))).*
    FROM settlement_identification i, generate_series(1, {count}) AS n
    WHERE i.id = (SELECT min(id) FROM settlement_identification);
"""


def calls() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL track_functions = 'all'")
        cursor.execute(CALLS, [list(DEAR)])
        return int(cursor.fetchone()[0])


def questions(house: TwoDocuments, day: dt.date) -> int:
    """How often it was for the list of forms and report 9."""
    before = calls()
    forms_between(house.casino, day, day)
    lists(PaidOnDays(house.casino, day, day))
    return calls() - before


def test_many_players_are_asked_for_as_often_as_few(house: TwoDocuments) -> None:
    house.shows(house.second)
    house.pay(house.second, cash=5_000)
    day = today(house.casino)
    few = questions(house, day)
    with connection.cursor() as cursor:
        cursor.execute(MANY.format(count=200))
    paid = PaidOnDays(house.casino, day, day)
    assert len({each.person for each in paid.players}) == 202
    assert few > 0
    assert questions(house, day) == few
    ana, licence = house.numbers[:2]
    forms = [each.due for each in forms_between(house.casino, day, day)]
    assert [each.likely for each in forms if each.rule.form == FORM_112] == [(ana, licence)]
    assert len(forms) > 200


def test_each_stands_for_oneself(house: TwoDocuments) -> None:
    """A number that is nobody else's is its own, and the payments of each are added up apart."""
    with connection.cursor() as cursor:
        cursor.execute(MANY.format(count=3))
    day = today(house.casino)
    persons = lists(PaidOnDays(house.casino, day, day))
    assert [each.person for each in persons[1:]] == [1001, 1002, 1003]
    assert {(each.payouts, each.total) for each in persons} == {(1, 6_000 * UNIT)}
